package readback

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/listing"
)

// grammar describes an assembly language whose instructions name their registers as operands, destination first, so
// that a table of forms says what an instruction does to them. A machine adds to it what its compilers do to form
// addresses.
type grammar struct {
	// forms are the known instructions, by mnemonic.
	forms map[string]form
	// none are the instructions without an effect that models see.
	none map[string]bool
	// special translates a line that the table does not describe. It says whether it did.
	special func(x *step) bool
	// operand returns an operand that is no memory operand as tests write it; letter is its kind in the form's shape.
	operand func(x *step, letter byte, text string) string
	// memory splits a memory operand.
	memory func(x *step, text string) memory
	// write returns a memory operand as tests write it.
	write func(m memory) string
	// zero is the register that is always 0, or "".
	zero string
	// loaded returns the instruction that sets a register to the value that an access of the form reads from a promoted
	// slot, which is in another register.
	loaded func(to, slot string, f form) string
	// copied returns an instruction that copies a register.
	copied func(to, from string) string
	// add returns an instruction that adds a number to a register.
	add func(to, from string, n int) string
}

// form describes an instruction: its operands, by letters, and how it accesses memory.
//
//	d  a register that it sets              r  a register that it reads
//	u  a register that it reads and sets    i  a number or anything else that no fact is about
//	m  an address in memory                 l  a label
//	C  a field of Power's condition register, which may be left out as the first operand; c must not
//	b  a register that it reads, where r0 means 0, and B a bit of Power's condition register
//	M  two registers whose sum is an address in memory
type form struct {
	shape  string
	access byte // l for a plain load, s for a plain store, x for any other access, 0 for none
	bits   int  // the width of a plain load or store
	signed bool // the load extends the sign
}

// memory is a memory operand.
type memory struct {
	base   string // a register
	offset int    // in bytes
	index  string // a register, or ""
	whole  bool   // the operand completes the part of an address that the base has
}

// step is a line being translated by a grammar.
type step struct {
	*thread
	*grammar
	op   string
	args []string
}

// forms adds instructions with one form to a table.
func forms(to map[string]form, f form, names string) {
	for _, n := range strings.Fields(names) {
		to[n] = f
	}
}

// translateBy is a machine's translate.
func translateBy(g *grammar) func(*thread, listing.Line) {
	return func(t *thread, l listing.Line) {
		x := &step{t, g, l.Op, l.Args}
		switch f, ok := g.forms[l.Op]; {
		case g.none[l.Op]:
			x.thread.none()
		case g.special(x):
		case ok:
			x.plain(f)
		default:
			x.unknown()
		}
	}
}

// arg returns an operand.
func (x *step) arg(i int) string {
	if i >= 0 && i < len(x.args) {
		return x.args[i]
	}
	x.fail("it has too few operands")
	return ""
}

// reg returns the register that operand i names.
func (x *step) reg(i int) string {
	r := x.register(x.arg(i))
	if r == "" {
		x.fail("%s is no general register", x.arg(i))
	}
	return r
}

// Kinds of facts beside "stack": what the listing's register has at this point, where the test's register has the whole
// address of the symbol already (page), or nothing at all (the others).
const (
	page     = "page"     // the upper part of the address of a location
	got      = "got"      // a part of the address of the constant that has the address of a location
	pool     = "pool"     // a part of the address of the listing's own data
	global   = "global"   // the register with which a function finds global data, or a part of its value
	constant = "constant" // a constant of the listing that is a part of an address
	pointer  = "pointer"  // the address of a location, if a condition holds
)

// partial says whether a fact is about a part of an address, which nothing but the rest of the computation may use.
func (f fact) partial() bool {
	switch f.kind {
	case page, got, pool, global, constant, pointer:
		return true
	}
	return false
}

// reads says that an instruction uses the value of a register.
func (x *step) reads(r string) {
	switch f := x.facts[r]; {
	case f.partial():
		x.fail("%s has a part of an address here, and the rest of the computation is unknown", r)
	case f.kind == "stack":
		x.escape()
	}
}

// sets says that an instruction sets a register to something about which nothing is known.
func (x *step) sets(r string) {
	if r == x.stack {
		x.fail("the stack pointer has no known place after it")
	}
	x.kill(r)
}

// becomes says what is known about a register from now on.
func (x *step) becomes(r string, f fact) {
	if r != x.zero {
		x.set(r, f)
	}
}

// plain translates an instruction of a form.
func (x *step) plain(f form) {
	shape := f.shape
	if strings.HasPrefix(shape, "C") && len(x.args) < len(shape) {
		shape = shape[1:]
	}
	if len(x.args) != len(shape) {
		x.fail("it has %d operands, and %s has %d", len(x.args), x.op, len(shape))
	}
	out := make([]string, len(shape))
	var m *memory
	for i := range shape {
		switch letter := shape[i]; letter {
		case 'm':
			at := x.grammar.memory(x, x.args[i])
			m = &at
		case 'l':
			out[i] = x.jump(x.args[i])
		default:
			if strings.IndexByte("drub", letter) >= 0 {
				x.reg(i)
			}
			out[i] = x.operand(x, letter, x.args[i])
		}
	}
	if m != nil && x.onStack(f, m) {
		return
	}
	for i := range shape {
		if shape[i] == 'r' || shape[i] == 'u' || shape[i] == 'b' {
			x.reads(x.reg(i))
		}
		if shape[i] == 'm' {
			out[i] = x.write(*m)
		}
	}
	x.emit("%s", strings.TrimSpace(x.op+" "+strings.Join(out, ",")))
	for i := range shape {
		if shape[i] == 'd' || shape[i] == 'u' {
			x.sets(x.reg(i))
		}
	}
}

// onStack checks the base of a memory operand, and translates an access to the stack frame. It returns false for an
// access to something else.
func (x *step) onStack(f form, m *memory) bool {
	base := x.facts[m.base]
	switch {
	case m.whole:
		return false
	case base.partial():
		x.fail("%s has a part of an address here, and the rest of the computation is unknown", m.base)
	case m.index != "" && x.facts[m.index].partial():
		x.fail("%s has a part of an address here, and the rest of the computation is unknown", m.index)
	case base.kind != "stack" && (m.index == "" || x.facts[m.index].kind != "stack"):
		return false
	case m.index != "" || base.kind != "stack":
		x.fail("the place on the stack is not known")
	case f.access != 'l' && f.access != 's':
		x.fail("an atomic access to the stack is not supported")
	}
	x.slotAccess(f, m, base.offset+m.offset)
	return true
}

// slotAccess translates an access to the stack frame. What is known about a register stays known where it is spilled.
func (x *step) slotAccess(f form, m *memory, at int) {
	r := x.reg(0)
	place := *m
	slot, promoted := "", false
	if base, own := x.cell(at, f.bits); own {
		place = memory{base: base}
	} else {
		slot, promoted = x.slot(at, f.bits)
	}
	saved := x.facts[savedAt(at)]
	text := func() {
		switch {
		case promoted && f.access == 'l':
			x.emit("%s", x.loaded(r, slot, f))
		case promoted:
			x.emit("%s", x.copied(slot, r))
		default:
			x.emit("%s %s,%s", x.op, x.operand(x, 'r', x.args[0]), x.write(place))
		}
	}
	switch {
	case f.access == 'l' && (saved.kind == "stack" || saved.partial()):
		if f.bits != x.pointer {
			x.fail("it reads a part of an address that is spilled")
		}
		x.spills(saved, text)
		x.becomes(r, saved)
		return
	case f.access == 'l':
		text()
		x.sets(r)
		return
	}
	for offset := at - x.pointer/8 + 1; offset < at+f.bits/8; offset++ {
		x.kill(savedAt(offset))
	}
	stored := x.facts[r]
	if stored.partial() && f.bits != x.pointer {
		x.reads(r)
	}
	x.spills(stored, text)
	if stored.kind == "stack" || stored.partial() {
		x.becomes(savedAt(at), stored)
	}
}

// spills emits a move of a value about which a fact is known: of a stack address only if the test has the stack, and of
// a part of an address only if the test's register has the whole.
func (x *step) spills(f fact, emit func()) {
	switch {
	case f.kind == "stack":
		x.frame(emit)
	case f.partial() && f.kind != page:
	default:
		emit()
	}
}

// savedAt is the name in facts of the slot of the stack at an offset.
func savedAt(offset int) string { return fmt.Sprintf("slot %d", offset) }

// moves translates a copy of a register. Parts of addresses keep their facts.
func (x *step) moves(to, from string) {
	f, known := x.facts[from]
	x.spills(f, func() { x.emit("%s", x.copied(to, from)) })
	if known {
		x.becomes(to, f)
	} else {
		x.sets(to)
	}
}

// adds translates the sum of a register and a number; verbatim is the instruction as it is. It fails for parts of
// addresses.
func (x *step) adds(to, from string, n int, verbatim string) {
	f := x.facts[from]
	if f.kind != "stack" {
		x.reads(from)
		x.emit("%s", verbatim)
		x.sets(to)
		return
	}
	x.frame(func() { x.emit("%s", verbatim) })
	f.offset += n
	x.becomes(to, f)
}

// frame emits arithmetic on stack addresses only if some slot of the stack is in memory.
func (x *step) frame(emit func()) {
	if x.keepsFrame() {
		emit()
	}
}

// points sets a register to the address of a location, plus an offset in bytes. What it had does not matter.
func (x *step) points(to, location string, offset int) {
	x.emit("%s", x.copied(to, x.address(location)))
	if offset != 0 {
		x.emit("%s", x.grammar.add(to, to, offset))
	}
	x.sets(to)
}

// upper sets a register to the upper part of the address of a location.
func (x *step) upper(to, location string) {
	x.emit("%s", x.copied(to, x.address(location)))
	x.becomes(to, fact{kind: page, symbol: location})
}

// completed sets a register to the whole address whose upper part another one has, plus an offset in bytes.
func (x *step) completed(to, from string, offset int) {
	switch {
	case offset != 0:
		x.emit("%s", x.grammar.add(to, from, offset))
	case to != from:
		x.emit("%s", x.copied(to, from))
	}
	x.sets(to)
}

// lower returns the offset of a symbol's lower part, if a register certainly has its upper part.
func (x *step) lower(from, text string) int {
	location, offset := x.symbol(text)
	if f := x.facts[from]; f.kind != page || f.symbol != location {
		x.fail("%s does not certainly have the upper part of the address of %s here", from, text)
	}
	return offset
}

// number returns a number of the listing.
func (x *step) number(text string) int {
	n, err := litmus.ParseNumber(strings.TrimPrefix(text, "#"))
	if err != nil {
		x.fail("got %q, want a number", text)
	}
	return int(int64(n))
}

// isNumber says whether an operand is a number.
func isNumber(text string) bool {
	_, err := litmus.ParseNumber(strings.TrimPrefix(text, "#"))
	return err == nil
}

// data returns the operands of the directive behind a label of the listing: the constant in a table.
func (x *step) data(label string, directives ...string) []string {
	name, offset := label, 0
	if before, after, ok := strings.Cut(label, "+"); ok {
		name, offset = before, x.number(after)
	}
	size := x.pointer / 8
	lines := x.listing.Words(name)
	if offset < 0 || offset%size != 0 || offset/size >= len(lines) {
		x.fail("the listing has no constant at %s", label)
	}
	for _, l := range lines[:offset/size+1] {
		ok := false
		for _, d := range directives {
			ok = ok || l.Op == d
		}
		if !ok || len(l.Args) == 0 {
			x.fail("the constant at %s is not one that this reads: %s", label, l.Text)
		}
	}
	return lines[offset/size].Args
}

// callee refuses a call, with the reason.
func (x *step) callee(name string) {
	switch {
	case strings.Contains(name, "stack_chk"):
		x.fail("it is part of the stack protector: compile with -fno-stack-protector")
	case strings.HasPrefix(name, "__atomic_"), strings.HasPrefix(name, "__sync_"):
		x.fail("%s is in libatomic or libgcc, whose code is not in the listing", name)
	}
	x.fail("it calls %s, whose code is not part of the test", name)
}

// symbolics are registers that litmus tests name with a percent sign, for threads that use many.
func symbolics() (out []string) {
	for i := range 64 {
		out = append(out, fmt.Sprintf("%%s%d", i))
	}
	return out
}
