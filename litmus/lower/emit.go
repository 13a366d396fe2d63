package lower

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Lines hands over what instructions there are in the test's cells, thread by thread;
// their labels are put in place. begin, unless nil, is called before each thread.
func (b *Builder) Lines(begin func(), line func(litmus.Cell)) {
	for t, th := range b.Test.Threads {
		b.Thread = t
		if begin != nil {
			begin()
		}
		for i, cell := range th.Cells {
			b.source = i
			labels, rest := cell.Labels()
			for _, w := range labels {
				b.label(w)
			}
			if rest.Text != "" {
				b.starts[t] = append(b.starts[t], len(b.Program.Threads[t].Code))
				line(rest)
			}
		}
		b.starts[t] = append(b.starts[t], len(b.Program.Threads[t].Code))
	}
}

// At has what is emitted from here on come from a cell of the thread.
func (b *Builder) At(cell int) { b.source = cell }

// label puts a label here in the thread.
func (b *Builder) label(w litmus.Word) {
	names := b.names[b.Thread]
	if strings.Trim(w.Text, "0123456789") == "" { // there may be more of a number
		b.numbered = append(b.numbered, numbered{b.Thread, w.Text, len(b.starts[b.Thread]), len(b.Program.Threads[b.Thread].Code)})
	} else if old, again := names[w.Text]; again {
		b.Failf(w.Pos, "label %s is already on line %d", w.Text, old.pos.Line)
		return
	}
	names[w.Text] = label{len(b.Program.Threads[b.Thread].Code), w.Pos}
}

// Emit appends an operation of the instruction at hand to the thread.
func (b *Builder) Emit(op ir.Op) {
	th := &b.Program.Threads[b.Thread]
	th.Code = append(th.Code, ir.Step{Op: op, Source: b.source})
}

// Assign sets a register of the thread.
func (b *Builder) Assign(reg int, v ir.Expr) { b.Emit(ir.Assign{Dst: reg, Value: v}) }

// Value is the value of a register of the thread.
func (b *Builder) Value(reg int) ir.Expr {
	return ir.Reg{Index: reg, Bits: b.Program.Threads[b.Thread].Regs[reg].Bits}
}

// Keep puts a value in a temporary, so that later writes to its registers do not
// change it.
func (b *Builder) Keep(v ir.Expr) ir.Expr {
	tmp := b.Temp(v.Width())
	b.Assign(tmp, v)
	return b.Value(tmp)
}

// Load emits a load, otherwise as described, into a temporary.
func (b *Builder) Load(op ir.Load) ir.Expr {
	op.Dst = b.Temp(op.Bits)
	b.Emit(op)
	return b.Value(op.Dst)
}

// Jump appends a branch, taken where cond (nil: always) is 1, to a label, which may come
// later.
func (b *Builder) Jump(cond ir.Expr, to litmus.Word) {
	b.jumps = append(b.jumps, jump{b.Thread, len(b.Program.Threads[b.Thread].Code), len(b.starts[b.Thread]) - 1, to})
	b.Emit(ir.Branch{Cond: cond})
}

// IsTarget tells whether a branch can lead to what an operand says: a label, or, where all instructions are as long, a
// distance from the branch such as .+8. 1b and 1f are the next labels 1 back and forth.
func (b *Builder) IsTarget(text string) bool {
	_, near := b.distance(text)
	_, _, local := direction(text)
	return litmus.IsLabel(text) || near || local
}

// numbered is a label that is a number, of which a thread may have several: in front of which of its instructions, and
// where in its code.
type numbered struct {
	thread int
	name   string
	before int
	pc     int
}

// direction reads "1b" and "1f".
func direction(text string) (name string, forth, ok bool) {
	n := len(text) - 1
	if n < 1 || strings.Trim(text[:n], "0123456789") != "" || text[n] != 'b' && text[n] != 'f' {
		return "", false, false
	}
	return text[:n], text[n] == 'f', true
}

// nearest is where the next label of a number is, back from a jump, or forth.
func (b *Builder) nearest(j jump, name string, forth bool) (pc int, ok bool) {
	for _, l := range b.numbered { // in the order of the text
		if l.thread != j.thread || l.name != name || forth != (l.before > j.at) {
			continue
		}
		if pc, ok = l.pc, true; forth {
			break
		}
	}
	return pc, ok
}

// distance reads ".+8": how many instructions on that is.
func (b *Builder) distance(text string) (instructions int, ok bool) {
	digits, dotted := strings.CutPrefix(strings.ReplaceAll(text, " ", ""), ".")
	n, err := strconv.Atoi(digits)
	if b.InstructionBytes == 0 || !dotted || err != nil || digits == "" || strings.IndexByte("+-", digits[0]) < 0 || n%b.InstructionBytes != 0 {
		return 0, false
	}
	return n / b.InstructionBytes, true
}

// land is where a jump leads.
func (b *Builder) land(j jump) (pc int, ok bool) {
	if j.to.Text == "" {
		return len(b.Program.Threads[j.thread].Code), true
	}
	if n, near := b.distance(j.to.Text); near {
		to := j.at + n
		if to < 0 || to >= len(b.starts[j.thread]) {
			b.Failf(j.to.Pos, "%s leads out of thread P%d", j.to.Text, b.Program.Threads[j.thread].ID)
			return 0, false
		}
		return b.starts[j.thread][to], true
	}
	if name, forth, local := direction(j.to.Text); local {
		pc, ok := b.nearest(j, name, forth)
		if !ok {
			where := "in front of"
			if forth {
				where = "behind"
			}
			b.Failf(j.to.Pos, "%s: there is no label %s %s this in thread P%d", j.to.Text, name, where, b.Program.Threads[j.thread].ID)
		}
		return pc, ok
	}
	several := 0
	for _, l := range b.numbered {
		if l.thread == j.thread && l.name == j.to.Text {
			several++
		}
	}
	if several > 1 {
		b.Failf(j.to.Pos, "thread P%d has %d labels %s: want %sb for the next back, or %sf for the next forth", b.Program.Threads[j.thread].ID, several, j.to.Text, j.to.Text, j.to.Text)
		return 0, false
	}
	l, ok := b.names[j.thread][j.to.Text]
	if !ok {
		b.Failf(j.to.Pos, "label %s is not in thread P%d", j.to.Text, b.Program.Threads[j.thread].ID)
	}
	return l.pc, ok
}

// When emits body behind a branch that skips it where cond is 0.
func (b *Builder) When(cond ir.Expr, body func()) {
	th := b.Thread
	pc := len(b.Program.Threads[th].Code)
	b.Emit(ir.Branch{Cond: ir.Not(cond)})
	body()
	code := b.Program.Threads[th].Code
	br := code[pc].Op.(ir.Branch)
	br.Target = len(code)
	code[pc].Op = br
}

// End appends a branch to the end of the thread.
func (b *Builder) End(cond ir.Expr) { b.Jump(cond, litmus.Word{}) }

// Unknown reports an instruction that the dialect does not have, or, with a reason, does
// not support.
func (b *Builder) Unknown(mnemonic litmus.Word, why string) {
	if why == "" {
		b.Failf(mnemonic.Pos, "%s: unknown instruction %s%s", b.Test.Arch, mnemonic.Text, litmus.DidYouMean(mnemonic.Text, b.mnemonics()))
		return
	}
	b.Failf(mnemonic.Pos, "%s: %s is not supported: %s", b.Test.Arch, mnemonic.Text, why)
}

// Takes tells whether an instruction that takes from least to most operands has got as
// many, and reports it where not.
func (b *Builder) Takes(mnemonic litmus.Word, least, most, got int) bool {
	if least <= got && got <= most {
		return true
	}
	want := strconv.Itoa(most) + " operands"
	switch {
	case least < most:
		want = strconv.Itoa(least) + " to " + want
	case most == 0:
		want = "no operands"
	case most == 1:
		want = "one operand"
	}
	b.Failf(mnemonic.Pos, "%s: %s takes %s, got %d", b.Test.Arch, mnemonic.Text, want, got)
	return false
}
