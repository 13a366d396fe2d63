// Package readback prepares C11 tests for real compilers: it writes a test as a C file, and reads a compiler's listing
// of that file back into a litmus test of the architecture.
//
//	p, err := readback.Source(test)          // p.Text is the C file
//	m, err := readback.Find("aarch64")
//	made, err := m.Read(p, "P.s", listing)   // made.Text is the test, made.Names maps P0_r0 to the test's 0:r0
//
// In the C file, locations are extern objects, and each thread is a function without parameters. At its end, the
// function stores each local that the condition or locations name to an object of its own, such as P0_r0. #line
// directives make the compiler report lines of the test. The test of the architecture has the instructions of the
// listing, one by one and in their order. What the package does not know is refused with the line of the listing.
//
// It imports litmus, litmus/c, litmus/dialect, litmus/compile and litmus/listing: no model, no solver, no compiler.
package readback

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/listing"
)

// How a listing becomes a test:
//
//   - The address of an object is the initial value of a register that the thread does not use otherwise. Instructions
//     that compute an address from its parts, such as ADRP and an ADD of :lo12:, become moves of that register, so that
//     dependencies stay. Reads of the constant tables that linkers fill (GOT, literal pools) are moves as well.
//   - The stack frame is an array that only the thread accesses, P0_stack. A slot of the frame that is always accessed
//     as a whole, and whose address goes nowhere else, becomes a register, unless the caller asks for KeepStack.
//     On Arm (32 bits), Power, RISC-V and MIPS, a slot that stays in memory is a location of its own, P0_stackm8.
//   - An instruction in a delay slot of MIPS comes before its branch.
//   - Calls of the compiler's own helpers for atomic operations become the instruction that the helper stands for, or
//     the loop that it runs on processors without the instruction (Loops).
//   - Instructions without an effect that models see (NOP, ENDBR64, BTI and the like) are left out.
//
// Everything else is refused: an instruction or an operand that the package does not know, a call, an access to the
// stack at an unknown place.
//
// A promotion to a register never orders more than the slot in memory does: a value that goes through the slot keeps
// its address, data and control dependencies in the models of these architectures, because a load that reads its own
// thread's store depends on what the store depends on. It may order less, because barriers and preserved program order
// also apply to the slot's own accesses. So a test with promoted slots can allow more outcomes than the real code, and
// a caller that finds one which C forbids should read the listing again with KeepStack.

// Machine reads listings of an architecture.
type Machine struct {
	Arch  string   // as litmus tests name it
	Names []string // for the command line, lower case
	Title string
	// Triples are the prefixes of the targets that compilers report with -dumpmachine.
	Triples []string
	// Clang is the target that clang takes.
	Clang string
	// Flags are passed to the compiler before the user's.
	Flags []string

	syntax listing.Syntax
	// spare are the registers for addresses and stack slots, in the order in which they are taken. A thread takes only
	// those that its instructions do not name.
	spare []string
	// pointer is the width of an address in bits.
	pointer int
	// stack is the stack pointer, with the name that facts use.
	stack string
	// arguments are the registers with a function's first parameters.
	arguments []string
	// register returns the register that a word of a listing names, with the name that facts and spare use, or "".
	register func(word string) string
	// move is an instruction that copies a register to another one, both of the given width in bits.
	move func(to, from string, bits int) string
	// cells: slots of the stack that stay in memory are locations of their own, unless they overlap. Its translate asks
	// cell for them, and the test needs no stack pointer.
	cells bool
	// directive follows a directive within a function, and says whether it is one of the modes that the machine knows.
	// It may be nil.
	directive func(t *thread, l listing.Line) bool
	// oneWidth, unless "", is the reason why tests with accesses of several widths to one location are refused.
	oneWidth string
	// helper is the prefix of helpers that run as an instruction or as a loop, or "".
	helper string
	// translate appends the instructions for a line to the thread: see [thread].
	translate func(t *thread, l listing.Line)
}

// machines are the architectures, each in a file of its own.
var machines = []*Machine{&aarch64, &x86, &arm, &riscv, &ppc, &mips}

// Machines returns the architectures whose listings the package reads.
func Machines() []*Machine { return slices.Clone(machines) }

// Find returns the architecture with a name for the command line.
func Find(name string) (*Machine, error) {
	var names []string
	for _, m := range machines {
		if slices.Contains(m.Names, strings.ToLower(name)) {
			return m, nil
		}
		names = append(names, m.Names[0])
	}
	return nil, fmt.Errorf("listings of %q cannot be read back: want %s", name, strings.Join(names, ", "))
}

// Makes says whether a compiler that reports a target with -dumpmachine compiles for the architecture.
func (m *Machine) Makes(target string) bool {
	return slices.ContainsFunc(m.Triples, func(p string) bool { return strings.HasPrefix(target, p) })
}

// Options returns the options with which compilers make listings that Read reads best. The user's come after them.
func (m *Machine) Options() []string {
	return append([]string{
		"-S", "-g1", "-ffreestanding", "-fno-asynchronous-unwind-tables", "-fno-stack-protector",
		"-fno-strict-aliasing", "-w",
	}, m.Flags...)
}

// Read reads a listing of p's file and returns the test of the architecture. Errors have places in the listing.
func (m *Machine) Read(p *Program, file, text string) (*compile.Test, error) {
	return m.ReadAs(p, file, text, How{})
}

// ReadKeepingStack is like Read, and keeps all slots of stack frames in memory: see the package comment.
func (m *Machine) ReadKeepingStack(p *Program, file, text string) (*compile.Test, error) {
	return m.ReadAs(p, file, text, How{KeepStack: true})
}

// How says how to read a listing.
type How struct {
	// KeepStack keeps all slots of stack frames in memory.
	KeepStack bool
	// Loops reads the compiler's helpers for atomic operations as they run on processors without the instructions that
	// they stand for: as loops of exclusive accesses.
	Loops bool
}

// HasHelpers says whether a listing calls such helpers, so that How.Loops makes a difference.
func (m *Machine) HasHelpers(text string) bool {
	return m.helper != "" && strings.Contains(text, m.helper)
}

// ReadAs is like Read, in one of several ways.
func (m *Machine) ReadAs(p *Program, file, text string, how How) (made *compile.Test, err error) {
	if len(text) > MostListing {
		return nil, &litmus.Error{Pos: litmus.Pos{File: file, Line: 1, Col: 1}, Msg: fmt.Sprintf(
			"the listing has %d bytes, and the limit is %d", len(text), MostListing)}
	}
	if p.Functions != nil && len(p.Functions) != len(p.threads) {
		return nil, fmt.Errorf(
			"got %d functions for the %d threads of %s",
			len(p.Functions),
			len(p.threads),
			p.test.Name,
		)
	}
	l, err := listing.Parse(file, text, m.syntax)
	if err != nil {
		return nil, err
	}
	defer func() { // functions of the package panic only with an *litmus.Error
		if r := recover(); r != nil {
			e, ok := r.(*litmus.Error)
			if !ok {
				panic(r)
			}
			made, err = nil, e
		}
	}()
	r := &reader{
		Machine: m,
		program: p,
		listing: l,
		file:    file,
		keep:    how.KeepStack,
		loops:   how.Loops,
		names:   map[string]string{},
	}
	made, err = r.test()
	if err != nil {
		return nil, err
	}
	t, err := litmus.Parse("", made.Text)
	var lowered *ir.Program
	if err == nil {
		lowered, err = dialect.Lower(t)
	}
	switch {
	case err != nil:
		return nil, r.place(made.Text, err)
	case lowered.Split && m.oneWidth != "":
		return nil, &litmus.Error{Pos: litmus.Pos{File: file, Line: 1, Col: 1}, Msg: fmt.Sprintf(
			"cannot read the listing back: it accesses a place in memory with several widths, and %s", m.oneWidth)}
	}
	return made, nil
}

// MostListing is the largest listing that Read accepts, in bytes.
const MostListing = 4 << 20

// place moves an error of the dialect to the line of the listing that the instruction comes from.
func (r *reader) place(text string, err error) error {
	e := litmus.Errors(err)[0]
	lines := strings.Split(text, "\n")
	if e.Pos.Line < 1 || e.Pos.Line > len(lines) {
		return err
	}
	row := lines[e.Pos.Line-1]
	column := strings.Count(row[:min(len(row), max(0, e.Pos.Col-1))], " | ")
	for _, t := range r.threads {
		if t.index != column {
			continue
		}
		first := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "P") })
		if i := e.Pos.Line - 2 - first; first >= 0 && i >= 0 && i < len(t.lines) {
			return litmus.Errorf(t.lines[i].from.Pos, "cannot read %q back: %s", t.lines[i].from.Text, e.Msg)
		}
	}
	return fmt.Errorf("cannot read the listing back: %w", err)
}

// reader reads a listing.
type reader struct {
	*Machine
	program *Program
	listing *listing.Listing
	file    string
	keep    bool              // all slots of the stack stay in memory
	loops   bool              // helpers are loops of exclusive accesses
	takes   bool              // functions take the addresses of locations as parameters, as in the test
	names   map[string]string // labels of the listing → labels of the test
	threads []*thread
}

// test assembles the test from the threads.
func (r *reader) test() (*compile.Test, error) {
	p := r.program
	source := p.test
	out := &litmus.Test{
		Arch: r.Arch, Name: source.Name, Doc: source.Doc,
		Info: append(
			slices.Clone(source.Info),
			litmus.Info{Key: "Compiled", Value: "from C, read back from a listing"},
		),
	}
	for _, o := range p.objects {
		if item, ok := o.declared(); ok {
			out.Init = append(out.Init, item)
		}
	}
	r.takes = !r.mentionsLocations()
	made := &compile.Test{Arch: r.Arch, Names: map[string]compile.Local{}}
	for i := range p.threads {
		th := &p.threads[i]
		f := r.listing.Function(p.function(i))
		if f == nil {
			return nil, &litmus.Error{Pos: litmus.Pos{File: r.file, Line: 1, Col: 1}, Msg: fmt.Sprintf(
				"the listing has no function %s: it needs one for each thread of the test", p.function(i))}
		}
		t := r.thread(i, f)
		r.threads = append(r.threads, t)
		t.finish(out)
		cells := litmus.Thread{ID: th.id}
		lines := compile.Listing{ID: th.id}
		for _, l := range t.lines {
			cells.Cells = append(cells.Cells, litmus.Cell{Text: l.text})
			lines.Lines = append(lines.Lines, compile.Line{
				Text: l.text, From: l.from.Source, Was: otherWords(l.from.Text, l.text),
			})
		}
		out.Threads = append(out.Threads, cells)
		made.Threads = append(made.Threads, lines)
	}
	place := func(o litmus.Place) litmus.Place {
		if !o.IsRegister() {
			return o
		}
		name := observedName(o)
		made.Names[name] = compile.Local{Name: o.String(), Unsigned: p.unsigned[name]}
		return litmus.Place{Pos: o.Pos, Thread: -1, Name: name, Index: -1}
	}
	atom := func(a litmus.Atom) litmus.Prop {
		a.Left = place(a.Left)
		if a.Other != nil {
			other := place(*a.Other)
			a.Other = &other
		}
		return a
	}
	out.Condition = source.Condition
	out.Condition.Prop = litmus.MapAtoms(source.Condition.Prop, atom)
	if source.Filter != nil {
		out.Filter = litmus.MapAtoms(source.Filter, atom)
	}
	for _, o := range source.Locations {
		out.Locations = append(out.Locations, place(o))
	}
	made.Text = litmus.Print(out)
	return made, nil
}

// mentionsLocations says whether an instruction of the threads' functions, or an entry of Power's table of contents,
// names a location of the test.
func (r *reader) mentionsLocations() bool {
	for i := range r.program.threads {
		if f := r.listing.Function(r.program.function(i)); f != nil &&
			slices.ContainsFunc(f.Lines, r.mentionsLocation) {
			return true
		}
	}
	for _, lines := range r.listing.Data {
		if len(lines) > 0 && lines[0].Section == ".toc" && slices.ContainsFunc(lines, r.mentionsLocation) {
			return true
		}
	}
	return false
}

// mentionsLocation says whether a line names a location of the test.
func (r *reader) mentionsLocation(l listing.Line) bool {
	for _, a := range l.Args {
		for _, w := range strings.FieldsFunc(a, func(c rune) bool {
			return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
		}) {
			if location, ok := r.program.symbols[w]; ok && r.program.isLocation(location) && r.register(w) == "" {
				return true
			}
		}
	}
	return false
}

// thread is a thread being read. A machine's translate gets its lines in the order of the listing, several times: facts
// about registers at labels come from jumps, which may be behind. Only the last round counts. translate must
//
//   - emit what a line becomes, or call none for a line without effect,
//   - call kill or set for the registers that the line changes,
//   - call jump for a label that control may go to, and stop if it does not go on to the next line,
//   - call slot for an access to the stack frame,
//   - fail for what it does not know.
type thread struct {
	*reader
	index    int
	of       *threadSource
	function *listing.Function
	line     listing.Line // the current one
	lines    []emitted

	facts   map[string]fact            // of registers, at the current line; nil if it cannot be reached
	at      map[string]map[string]fact // at labels
	changed bool
	last    bool // this is the round that counts

	used    map[string]bool     // registers that the function names
	taken   map[string]string   // what a spare register is for → the register
	order   []string            // the keys of taken, in order
	touches []touch             // of the stack, in this round
	mode    string              // the machine's, which directives set
	passed  map[litmus.Pos]bool // lines that are translated already, in this round
	escapes bool                // the address of a stack slot goes somewhere
	slots   map[int]touch       // promoted slots, by offset
	own     map[int]touch       // slots that are locations of their own, by offset
	memory  bool                // some slot of the stack is not promoted
	framed  bool                // an instruction of the result uses the stack pointer
}

// emitted is an instruction or a label of the result.
type emitted struct {
	text string
	from listing.Line
}

// touch is an access to the stack: its offset from the stack pointer at the function's beginning, in bytes, and its
// width in bits.
type touch struct{ offset, bits int }

// fact describes the known value of a register. kind is the machine's word for a part of an address, such as page
// for what ADRP computes, "stack" for the stack pointer at the beginning plus a number of bytes, or "number".
type fact struct {
	kind   string
	symbol string
	offset int
	// condition, unless "", is the condition of Arm's instructions under which it is so.
	condition string
}

const (
	// mostRounds bounds the rounds in which facts become stable.
	mostRounds = 16
	// mostLines bounds the lines of a thread's function.
	mostLines = 2000
)

// thread reads a function.
func (r *reader) thread(i int, f *listing.Function) *thread {
	t := &thread{
		reader: r, index: i, of: &r.program.threads[i], function: f, at: map[string]map[string]fact{},
		used: map[string]bool{}, slots: map[int]touch{},
	}
	if len(f.Lines) > mostLines {
		t.failf(
			listing.Line{Pos: f.Lines[0].Pos},
			"%s has %d lines, and the limit is %d",
			f.Name,
			len(f.Lines),
			mostLines,
		)
	}
	for _, l := range f.Lines {
		for _, a := range l.Args {
			apart := func(c rune) bool { return strings.ContainsRune(" []{}(),!#*", c) }
			for _, w := range strings.FieldsFunc(a, apart) {
				if reg := r.register(w); reg != "" {
					t.used[reg] = true
				}
			}
		}
	}
	for round := 0; ; round++ {
		t.round()
		if !t.changed {
			break
		}
		if round == mostRounds {
			t.failf(listing.Line{Pos: f.Lines[0].Pos}, "the control flow of %s is too complicated", f.Name)
		}
	}
	t.promote()
	t.last = true
	t.round()
	t.trim()
	return t
}

// round translates all lines once.
func (t *thread) round() {
	t.changed, t.escapes, t.framed = false, false, false
	t.lines, t.touches, t.order = nil, nil, nil
	t.taken, t.mode, t.passed = map[string]string{}, "", map[litmus.Pos]bool{}
	t.facts = map[string]fact{t.stack: {kind: "stack"}}
	for i, p := range t.of.params {
		if i < len(t.arguments) && t.takes {
			t.facts[t.arguments[i]] = fact{kind: "argument", symbol: p.Name}
		}
	}
	end := false
	for _, l := range t.function.Lines {
		t.line = l
		switch {
		case l.Label != "":
			if known := t.at[l.Label]; known != nil || t.facts != nil {
				if t.facts != nil {
					t.arrive(l.Label)
				}
				t.facts = maps.Clone(t.at[l.Label])
			}
			t.emit("%s:", t.label(l.Label))
		case l.Directive() && t.Machine.directive != nil && t.Machine.directive(t, l):
		case t.passed[l.Pos]:
		case l.Directive():
			if end = end || t.facts == nil; !end {
				t.fail("data in the middle of a function")
			}
		case t.facts == nil: // cannot be reached: padding after the end
		default:
			t.translate(t, l)
		}
	}
	if t.facts != nil {
		t.fail("the function does not return at its end")
	}
	t.line = listing.Line{Pos: t.line.Pos}
	t.emit("LEND:")
}

// arrive merges the current facts into those at a label.
func (t *thread) arrive(label string) {
	old := t.at[label]
	if old == nil {
		t.at[label], t.changed = maps.Clone(t.facts), true
		return
	}
	for reg, f := range old {
		if t.facts[reg] != f {
			delete(old, reg)
			t.changed = true
		}
	}
}

// jump says that control may go to a label of the function.
func (t *thread) jump(label string) string {
	known := slices.ContainsFunc(t.function.Lines, func(l listing.Line) bool { return l.Label == label })
	if !known {
		t.fail("it leaves the function for %s: a tail call, which cannot be read back; compile with "+
			"-fno-optimize-sibling-calls", label)
	}
	t.arrive(label)
	return t.label(label)
}

// aside translates a line of the function before its turn.
func (t *thread) aside(l listing.Line) {
	now := t.line
	t.line = l
	t.translate(t, l)
	t.line, t.passed[l.Pos] = now, true
}

// stop says that control does not go on to the next line.
func (t *thread) stop() { t.facts = nil }

// ret ends the thread.
func (t *thread) ret(jump string) {
	t.emit("%s LEND", jump)
	t.stop()
}

// label returns the test's name of a label of the listing.
func (t *thread) label(name string) string {
	if n, ok := t.names[name]; ok {
		return n
	}
	n := strings.TrimLeft(strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' {
			return c
		}
		return -1
	}, name), "_")
	if n == "" || n[0] < 'A' {
		n = "L" + n
	}
	for slices.Contains(slices.Collect(maps.Values(t.names)), n) || n == "LEND" {
		n += "_"
	}
	t.names[name] = n
	return n
}

// emit adds an instruction of the test for the current line.
func (t *thread) emit(format string, args ...any) {
	t.lines = append(t.lines, emitted{fmt.Sprintf(format, args...), t.line})
}

// none says that the current line has no effect that models see.
func (t *thread) none() {}

// kill says that registers change to something unknown.
func (t *thread) kill(registers ...string) {
	for _, r := range registers {
		delete(t.facts, r)
	}
}

// set says what is known about a register from now on.
func (t *thread) set(register string, f fact) { t.facts[register] = f }

func (t *thread) fail(format string, args ...any) { t.failf(t.line, format, args...) }

// failf refuses a line.
func (t *thread) failf(l listing.Line, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if l.Text != "" {
		what = fmt.Sprintf("cannot read %q back: %s", l.Text, what)
	}
	panic(&litmus.Error{Pos: l.Pos, Msg: what})
}

// arg returns operand i of the current line, and fails if there is none.
func (t *thread) arg(i int) string {
	if i < 0 || i >= len(t.line.Args) || t.line.Args[i] == "" {
		t.fail("it has too few operands")
	}
	return t.line.Args[i]
}

// unknown refuses the current line for its mnemonic.
func (t *thread) unknown() { t.fail("%s is unknown", t.line.Op) }

// spareFor returns a register that the function does not name, for a purpose. It has the same one each time.
func (t *thread) spareFor(purpose string) string {
	if r, ok := t.taken[purpose]; ok {
		return r
	}
	n := 0
	for _, r := range t.spare {
		if t.used[t.register(r)] {
			continue
		}
		if n == len(t.order) {
			t.taken[purpose] = r
			t.order = append(t.order, purpose)
			return r
		}
		n++
	}
	t.fail("the thread has no register left for %s: shorten the thread", purpose)
	return ""
}

// address returns a register whose initial value is the address of a location.
func (t *thread) address(location string) string { return t.spareFor("&" + location) }

// symbol returns the location, and the offset in bytes, that a symbol of the listing with an offset stands for.
func (t *thread) symbol(text string) (location string, offset int) {
	name, rest := text, ""
	if i := strings.IndexAny(text, "+-"); i > 0 {
		name, rest = text[:i], text[i:]
	}
	if rest != "" {
		n, err := litmus.ParseNumber(strings.TrimPrefix(rest, "+"))
		if err != nil {
			t.fail("got %q, want a symbol with a number of bytes", text)
		}
		offset = int(int64(n))
	}
	location, ok := t.program.symbols[name]
	if !ok {
		t.fail("%s is neither a location of the test nor a local that its condition names", name)
	}
	return location, offset
}

// slot notes an access to the stack, at an offset from the stack pointer at the beginning. If the slot is promoted, it
// returns its register.
func (t *thread) slot(offset, bits int) (register string, promoted bool) {
	t.touches = append(t.touches, touch{offset, bits})
	if _, ok := t.slots[offset]; ok {
		return t.spareFor(fmt.Sprintf("stack%+d", offset)), true
	}
	t.framed = true
	return "", false
}

// escape says that the address of the stack frame goes somewhere that the facts do not follow.
func (t *thread) escape() { t.escapes, t.framed = true, true }

// promote decides which slots of the stack become registers: those that are always accessed with one width and do not
// overlap others. If there are not enough registers for all, none does. Slots that stay in memory may become locations
// of their own.
func (t *thread) promote() {
	t.memory = true
	if t.escapes || t.keep && !t.cells {
		return
	}
	good := map[int]touch{}
	for _, a := range t.touches {
		overlaps := slices.ContainsFunc(t.touches, func(b touch) bool {
			return a != b && a.offset < b.offset+b.bits/8 && b.offset < a.offset+a.bits/8
		})
		if !overlaps {
			good[a.offset] = a
		}
	}
	free := 0
	for _, r := range t.spare {
		if !t.used[t.register(r)] {
			free++
		}
	}
	switch {
	case !t.keep && len(good)+len(t.order) <= free:
		t.slots = good
	case t.cells:
		t.own = good
	default:
		return
	}
	t.memory = slices.ContainsFunc(t.touches, func(a touch) bool { return good[a.offset] != a })
}

// cell notes an access to the stack by a machine whose slots may be locations of their own, and returns a register that
// has the location's address if the slot is one.
func (t *thread) cell(offset, bits int) (register string, ok bool) {
	if _, ok := t.own[offset]; !ok {
		return "", false
	}
	t.touches = append(t.touches, touch{offset, bits})
	return t.address(t.cellName(offset)), true
}

// cellName is the location of a slot of the stack.
func (t *thread) cellName(offset int) string {
	return strings.NewReplacer("-", "m", "+", "p").Replace(fmt.Sprintf("P%d_stack%+d", t.of.id, offset))
}

// trim removes labels that no instruction names, and a jump to the end in the last line.
func (t *thread) trim() {
	named := func(label string) bool {
		return slices.ContainsFunc(t.lines, func(o emitted) bool {
			return strings.HasSuffix(o.text, " "+label) || strings.HasSuffix(o.text, ","+label)
		})
	}
	clean := func() {
		t.lines = slices.DeleteFunc(t.lines, func(l emitted) bool {
			label, ok := strings.CutSuffix(l.text, ":")
			return ok && !named(label)
		})
	}
	clean()
	if n := len(t.lines); n > 1 && strings.HasSuffix(t.lines[n-2].text, " LEND") && t.lines[n-1].text == "LEND:" {
		t.lines = slices.Delete(t.lines, n-2, n-1)
		clean()
	}
}

// finish adds the initial values of the thread's registers, and its stack frame, to a test.
func (t *thread) finish(out *litmus.Test) {
	initial := func(register string, v litmus.Literal) {
		out.Init = append(out.Init, litmus.Init{
			Target: litmus.Place{Thread: t.of.id, Name: register, Index: -1}, Values: []litmus.Literal{v},
		})
	}
	for _, purpose := range t.order {
		if location, ok := strings.CutPrefix(purpose, "&"); ok {
			initial(t.taken[purpose], litmus.Literal{Name: location})
		}
	}
	if t.takes {
		for i, p := range t.of.params {
			if i < len(t.arguments) && t.used[t.register(t.arguments[i])] {
				initial(t.arguments[i], litmus.Literal{Name: p.Name})
			}
		}
	}
	for _, offset := range slices.Sorted(maps.Keys(t.own)) {
		out.Init = append(out.Init, litmus.Init{
			Type:   fmt.Sprintf("uint%d_t", t.own[offset].bits),
			Target: litmus.Place{Thread: -1, Name: t.cellName(offset), Index: -1},
		})
	}
	if !t.framed {
		return
	}
	low, high := 0, 0
	for _, a := range t.touches {
		low, high = min(low, a.offset), max(high, a.offset+a.bits/8)
	}
	unit := t.pointer / 8
	low, high = -((-low + unit - 1) / unit * unit), (high+unit-1)/unit*unit
	name := fmt.Sprintf("P%d_stack", t.of.id)
	out.Init = append(out.Init, litmus.Init{
		Type: fmt.Sprintf("uint%d_t", t.pointer), Count: max(1, (high-low)/unit),
		Target: litmus.Place{Thread: -1, Name: name, Index: -1},
	})
	initial(t.stack, litmus.Literal{Name: name, Bits: uint64(-low)})
}

// observedName is the object to which a function stores a local that the condition names.
func observedName(o litmus.Place) string { return fmt.Sprintf("P%d_%s", o.Thread, o.Name) }

// ordered compares places in a test by thread and name.
func ordered(a, b litmus.Place) int {
	return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(a.Name, b.Name))
}

// touch notes an access to the stack.
func (t *thread) touch(offset, bits int) {
	t.touches = append(t.touches, touch{offset, bits})
	t.framed = true
}

// keepsFrame says whether some slot of the stack stays in memory, so that the test needs the stack pointer.
func (t *thread) keepsFrame() bool { return !t.last || t.memory }

// otherWords returns an instruction of the listing unless the test has the same words.
func otherWords(listed, read string) string {
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
	if plain(listed) == plain(read) {
		return ""
	}
	return listed
}
