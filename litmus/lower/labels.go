package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Labels and jumps. A label means an instruction of its thread or, if the test uses its address, a number that the test
// can move, store and compare like any other. A jump to such an address becomes branches that compare the number with
// the addresses of the thread's labels, so that engines only see jumps with fixed targets.

// label is a label of a thread, before its instruction number at.
type label struct {
	litmus.Word
	at int
}

// jump is a branch whose target is not resolved yet.
type jump struct {
	thread, pc int
	at         int         // number of the thread's instruction
	to         litmus.Word // target; without text, the end of the thread
	landing    int         // for a jump to an address: number of the target instruction; otherwise -1
}

// computed is a jump to an address.
type computed struct {
	thread int
	by     litmus.Word // the instruction
}

// findLabels finds the labels of all threads.
func (b *Builder) findLabels() {
	b.labels, b.lengths = make([][]label, len(b.Test.Threads)), make([]int, len(b.Test.Threads))
	if b.Test.HasBodies() {
		return
	}
	for t, th := range b.Test.Threads {
		places := map[string]litmus.Pos{}
		for _, cell := range th.Cells {
			labels, rest := cell.Labels()
			for _, w := range labels {
				if old, again := places[w.Text]; again && !numeric(w.Text) {
					b.Failf(w.Pos, "label %s is already on line %d", w.Text, old.Line)
					continue
				}
				places[w.Text] = w.Pos
				b.labels[t] = append(b.labels[t], label{w, b.lengths[t]})
			}
			if rest.Text != "" {
				b.lengths[t]++
			}
		}
	}
}

// numeric reports whether a label is a number, which a thread may use several times.
func numeric(name string) bool { return strings.Trim(name, "0123456789") == "" }

// Jump appends a branch, taken where cond (nil: always) is 1, to a label, which may come
// later.
func (b *Builder) Jump(cond ir.Expr, to litmus.Word) { b.jump(cond, to, -1) }

func (b *Builder) jump(cond ir.Expr, to litmus.Word, landing int) {
	b.jumps = append(b.jumps, jump{b.Thread, len(b.Program.Threads[b.Thread].Code), b.here(), to, landing})
	b.Emit(ir.Branch{Cond: cond})
}

// here returns the number of the current instruction in its thread.
func (b *Builder) here() int { return len(b.starts[b.Thread]) - 1 }

// Long says that an assembler may translate the current instruction to several ones, so branches by distance must not
// cross it.
func (b *Builder) Long(mnemonic litmus.Word) { b.long[[2]int{b.Thread, b.here()}] = mnemonic }

// End appends a branch to the end of the thread.
func (b *Builder) End(cond ir.Expr) { b.Jump(cond, litmus.Word{}) }

// IsTarget reports whether an operand is a possible target of a branch: a label or, if all instructions have the same
// length, a distance such as .+8. 1b and 1f are the previous and the next label 1.
func (b *Builder) IsTarget(text string) bool {
	_, near := b.distance(text)
	_, _, local := direction(text)
	return litmus.IsLabel(text) || near || local
}

// HasLabel reports whether the thread has a label with a name.
func (b *Builder) HasLabel(name string) bool {
	return slices.ContainsFunc(b.labels[b.Thread], func(l label) bool { return l.Text == name })
}

// direction parses "1b" and "1f".
func direction(text string) (name string, forth, ok bool) {
	n := len(text) - 1
	if n < 1 || !numeric(text[:n]) || text[n] != 'b' && text[n] != 'f' {
		return "", false, false
	}
	return text[:n], text[n] == 'f', true
}

// distance parses ".+8" and returns the distance in instructions.
func (b *Builder) distance(text string) (instructions int, ok bool) {
	digits, dotted := strings.CutPrefix(strings.ReplaceAll(text, " ", ""), ".")
	n, err := strconv.Atoi(digits)
	if b.InstructionBytes == 0 || !dotted || err != nil || digits == "" || strings.IndexByte("+-", digits[0]) < 0 ||
		n%b.InstructionBytes != 0 {
		return 0, false
	}
	return n / b.InstructionBytes, true
}

// target returns the instruction that an operand of instruction from leads to.
func (b *Builder) target(t, from int, to litmus.Word) (at int, ok bool) {
	id := b.Program.Threads[t].ID
	if n, near := b.distance(to.Text); near {
		if from+n < 0 || from+n > b.lengths[t] {
			b.Failf(to.Pos, "%s jumps out of thread P%d", to.Text, id)
			return 0, false
		}
		for at := min(from, from+n); at < max(from, from+n); at++ {
			if over, long := b.long[[2]int{t, at}]; long {
				b.Failf(to.Pos, "%s jumps over %s in line %d, which may be several instructions: use a label", to.Text,
					over.Text, over.Pos.Line)
				return 0, false
			}
		}
		return from + n, true
	}
	if name, forth, local := direction(to.Text); local {
		for _, l := range b.labels[t] { // in the order of the text
			if l.Text != name || forth != (l.at > from) {
				continue
			}
			if at, ok = l.at, true; forth {
				break
			}
		}
		if !ok {
			where := "before"
			if forth {
				where = "after"
			}
			b.Failf(to.Pos, "%s: no label %s %s this line in thread P%d", to.Text, name, where, id)
		}
		return at, ok
	}
	several := 0
	for _, l := range b.labels[t] {
		if l.Text == to.Text {
			at = l.at
			several++
		}
	}
	switch {
	case several > 1:
		b.Failf(to.Pos, "thread P%d has %d labels %s: use %sb for the previous one or %sf for the next one", id,
			several, to.Text, to.Text, to.Text)
	case several == 0:
		b.Failf(to.Pos, "label %s is not in thread P%d", to.Text, id)
	}
	return at, several == 1
}

// land returns the target of a jump. ok is false for a jump to an address that the test does not use.
func (b *Builder) land(j jump) (pc int, ok bool) {
	if j.landing >= 0 {
		return b.starts[j.thread][j.landing], true
	}
	if j.to.Text == "" {
		// What the dialect adds at the end for its facts still runs; a copy of another thread's code there does not.
		if at := b.starts[j.thread]; len(b.Facts) > 0 && len(at) > b.lengths[j.thread] {
			return at[b.lengths[j.thread]], true
		}
		return len(b.Program.Threads[j.thread].Code), true
	}
	at, ok := b.target(j.thread, j.at, j.to)
	if !ok {
		return 0, false
	}
	return b.starts[j.thread][at], true
}

// Addresses of instructions, far from all locations. If instructions differ in length, all get the same length, which
// is enough for each.
const (
	code64, code32     = 0x4c7a_0000_0000, 0x4c00_0000
	threadBytes        = 0x2_0000
	instructionAtLeast = 16
)

// codeAddress returns the address of a thread's instruction.
func (b *Builder) codeAddress(t, at int) uint64 {
	base, each := uint64(code32), b.InstructionBytes
	if b.PointerBits == 64 {
		base = code64
	}
	if each == 0 {
		each = instructionAtLeast
	}
	if b.InstructionOffset != nil {
		return base + uint64(t*threadBytes+b.InstructionOffset(t, at))
	}
	return base + uint64(t*threadBytes+at*each)
}

// labelAddress returns the address of a thread's instruction and makes it a possible target of jumps.
func (b *Builder) labelAddress(t, at int) uint64 {
	address := b.codeAddress(t, at)
	if _, again := b.taken[address]; again {
		return address
	}
	b.taken[address] = true
	for _, l := range b.labels[t] {
		if l.at == at {
			named := litmus.Literal{Name: l.Text, Label: true, Thread: b.Program.Threads[t].ID}
			b.Program.Labels = append(b.Program.Labels, ir.Label{Name: named.String(), Address: address})
			break
		}
	}
	return address
}

// LabelAddress returns the address of a label of the thread that an operand of the current instruction names.
func (b *Builder) LabelAddress(w litmus.Word) ir.Expr {
	at, ok := b.target(b.Thread, b.here(), w)
	if ok && !slices.ContainsFunc(b.labels[b.Thread], func(l label) bool { return l.at == at }) {
		b.Failf(w.Pos, "%s: only instructions with a label can be jumped to by their address, and there is no "+
			"label here",
			w.Text)
		ok = false
	}
	if !ok {
		return ir.Number(0, b.PointerBits)
	}
	return ir.Number(b.labelAddress(b.Thread, at), b.PointerBits)
}

// labelValue returns the address of a label that the init block or the condition names.
func (b *Builder) labelValue(l litmus.Literal) (address uint64, ok bool) {
	t, ok := b.threads[l.Thread]
	if !ok {
		b.Failf(l.Pos, "there is no thread P%d", l.Thread)
		return 0, false
	}
	at, ok := b.target(t, 0, litmus.Word{Pos: l.Pos, Text: l.Name})
	if !ok {
		return 0, false
	}
	return b.labelAddress(t, at), true
}

// JumpTo appends a jump to the address in v, which must be one of the thread's labels whose addresses the test uses.
// Otherwise the thread returns to its caller, if returns is true, or the execution is an error (ir.Lost).
func (b *Builder) JumpTo(v ir.Expr, by litmus.Word, returns bool) {
	last := -1
	for _, l := range b.labels[b.Thread] {
		if l.at != last { // they are in order
			b.jump(ir.Eq.Of(v, ir.Number(b.codeAddress(b.Thread, l.at), v.Width())), by, l.at)
		}
		last = l.at
	}
	if !returns {
		b.computed = append(b.computed, computed{b.Thread, by})
		b.Emit(ir.Lost{To: v})
	}
	b.End(nil)
}

// settleJumps resolves the targets of jumps. A jump to an address that the test does not use has none.
func (b *Builder) settleJumps() {
	for _, j := range b.jumps {
		target, ok := b.land(j)
		if !ok {
			continue
		}
		step := &b.Program.Threads[j.thread].Code[j.pc]
		br := step.Op.(ir.Branch)
		if br.Target = target; j.landing >= 0 && !b.taken[b.codeAddress(j.thread, j.landing)] {
			br.Cond = ir.Number(0, 1)
		}
		step.Op = br
	}
	for _, c := range b.computed {
		own := func(l label) bool { return b.taken[b.codeAddress(c.thread, l.at)] }
		if !slices.ContainsFunc(b.labels[c.thread], own) {
			id := b.Program.Threads[c.thread].ID
			b.Program.Unset = append(b.Program.Unset,
				litmus.Errorf(c.by.Pos,
					"%s: %s has no target: the test uses no label address of P%d; write that of L0 as %s",
					b.Test.Arch, c.by.Text, id,
					fmt.Sprintf("label:\"P%d:L0\" in the init block", id)))
		}
	}
}
