package lower

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Dialect lowers the tests of one assembly language.
type Dialect interface {
	// Archs are the header words it answers to, such as X86.
	Archs() []string
	// Tags are those that accesses and fences of its tests may carry, beside the generic
	// ones.
	Tags() []ir.Tag
	// Words tells what tests of one of its architectures, or of a tongue of it, are written in.
	Words(arch string) Words
	// Lower reads the instructions of a test. Errors are an ErrorList.
	Lower(t *litmus.Test) (*ir.Program, error)
}

// RegisterView is a register as a test names it: the low Bits bits from bit Lo up
// of the register Whole. Print is the name in final states.
type RegisterView struct {
	Whole string
	Print string
	Lo    int
	Bits  int
}

// Builder is the part of lowering that all dialects share: locations and their
// addresses, registers and their initial values, labels, and the condition.
type Builder struct {
	Test    *litmus.Test
	Program *ir.Program
	Errors  litmus.ErrorList

	// PointerBits is the width of an address, WordBits of a location that neither
	// a type nor an access gives another.
	PointerBits, WordBits int
	// Register reads a register's name; ok is false for what is none.
	Register func(name string) (v RegisterView, ok bool)
	// RegisterBits is the width of a whole register, or of a symbolic one.
	RegisterBits func(whole string) int
	// Hint, unless nil, says more of a name that Register does not know, or "".
	Hint func(name string) string
	// Wide, unless nil, tells whether a register, by index, without a type shows all of its
	// bits, or the low 32; one with a type then shows that type's.
	Wide func(thread, reg int) bool
	// TypeBits, unless nil, is the width and signedness of a type, in place of what assembly
	// tests declare.
	TypeBits func(name string) (bits int, signed, ok bool)
	// TypeOf, unless nil, is the width and signedness of what a location holds, where that is less than its cell does.
	TypeOf func(location string) (bits int, signed bool)
	// WidenInt gives a location that is declared int the width of the widest access at its begin.
	WidenInt bool
	// OneWidth, unless "", is why no location can be accessed at several widths.
	OneWidth string
	// InstructionBytes is the length of each instruction but of those that are Long; 0 where they differ, so that no
	// branch says how far it leads.
	InstructionBytes int
	// Symbolic allows registers that a test names itself, such as %x0.
	Symbolic bool

	// Thread is the thread at hand, by index: the operations and the temporaries that the
	// methods make are its.
	Thread int
	source int // the cell at hand

	locs   map[string]int // by name; an array's by its own name too
	arrays map[string]int // element counts
	typed  map[int]bool   // locations whose width is settled
	// accessed are those whose width is their first access's.
	accessed map[int]bool
	objects  []object
	ints     map[int]bool // locations that WidenInt may widen
	touches  []touch
	wide     map[int]ir.Location // what a location was before it was cut
	regs     []map[string]int
	types    map[[2]int]registerType // declared, by thread and register
	given    map[[2]int]bool         // those that the init block gives a value
	labels   [][]label
	lengths  []int   // by thread: its instructions
	starts   [][]int // by thread: where its instructions begin, and where the last ends
	jumps    []jump
	computed []computed
	taken    map[uint64]bool        // addresses of instructions that the test has
	long     map[[2]int]litmus.Word // by thread and number: what an assembler may make several instructions of
	threads  map[int]int            // thread number → index
	inits    map[int]litmus.Pos     // locations that have got a value
	symbols  map[string]litmus.Init // symbolic registers with an initial value, whatever the thread
	full     bool                   // more locations than a test may have

	declared int           // the locations that the init block names
	namers   map[int]int   // the only thread whose instructions name a location, or -1
	bare     []litmus.Word // see Bare
	behind   []behind
	asked    []question

	dialect Dialect
	known   *Words // its, once they are wanted
}

type registerType struct {
	bits   int
	signed bool
}

// NewBuilder starts lowering t, a test of a dialect. The caller sets the fields that describe the
// dialect before anything else.
func NewBuilder(d Dialect, t *litmus.Test) *Builder {
	b := &Builder{
		dialect: d, given: map[[2]int]bool{}, Test: t,
		Program: &ir.Program{File: t.File, Arch: t.Arch, Name: t.Name, Question: t.Condition.String()},
		locs:    map[string]int{}, arrays: map[string]int{}, typed: map[int]bool{}, accessed: map[int]bool{},
		ints: map[int]bool{}, wide: map[int]ir.Location{},
		types: map[[2]int]registerType{}, threads: map[int]int{}, inits: map[int]litmus.Pos{},
		symbols: map[string]litmus.Init{}, namers: map[int]int{}, taken: map[uint64]bool{},
		long: map[[2]int]litmus.Word{},
	}
	for i, c := range t.Threads {
		th := ir.Thread{ID: c.ID}
		for _, cell := range c.Cells {
			th.Source = append(th.Source, cell.Flat())
		}
		b.Program.Threads = append(b.Program.Threads, th)
		b.regs = append(b.regs, map[string]int{})
		b.starts = append(b.starts, nil)
		b.threads[c.ID] = i
	}
	b.findLabels()
	return b
}

// Failf records an error. What it quotes is kept short.
func (b *Builder) Failf(pos litmus.Pos, format string, args ...any) {
	b.Errors = append(b.Errors, litmus.Errorf(pos, format, quoted(args)...))
}

// Remarkf notes what the test's author should know. What it quotes is kept short.
func (b *Builder) Remarkf(pos litmus.Pos, format string, args ...any) {
	b.Program.Remarks = append(b.Program.Remarks, litmus.Remarkf(pos, format, quoted(args)...))
}

// quoted shortens the texts that a message quotes.
func quoted(args []any) []any {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = litmus.Shorten(text)
		}
	}
	return args
}

// Loc finds a location that an instruction names, declaring it when it is new.
func (b *Builder) Loc(name string) int {
	i := b.loc(name, litmus.Pos{File: b.Test.File})
	if first, again := b.namers[i]; again && first != b.Thread {
		b.namers[i] = -1
	} else {
		b.namers[i] = b.Thread
	}
	return i
}

func (b *Builder) loc(name string, pos litmus.Pos) int {
	if i, ok := b.locs[name]; ok {
		return i
	}
	return b.addLocation(pos, name, b.WordBits, true)
}

// Accessed notes that an instruction accesses bits bits of location i by name,
// which settles the width of a location without a type.
func (b *Builder) Accessed(i, bits int) {
	loc := &b.Program.Locs[i]
	if !b.typed[i] {
		loc.Bits, b.typed[i], b.accessed[i] = bits, true, true
	}
}

// Typed gives location i a type, unless the init block does.
func (b *Builder) Typed(i, bits int, signed bool) {
	if loc := &b.Program.Locs[i]; !b.typed[i] {
		loc.Bits, loc.Signed, b.typed[i] = bits, signed, true
	}
}

// Reg is the index of a register of the thread, by the name of the whole register.
func (b *Builder) Reg(whole string) int { return b.reg(b.Thread, whole) }

func (b *Builder) reg(t int, whole string) int {
	if i, ok := b.regs[t][whole]; ok {
		return i
	}
	bits := b.RegisterBits(whole)
	i := b.temp(t, bits)
	b.Program.Threads[t].Regs[i].Name = whole
	b.regs[t][whole] = i
	if item, ok := b.symbols[whole]; ok {
		b.initRegister(t, i, RegisterView{Whole: whole, Bits: bits}, item)
	}
	return i
}

// FindRegister reads a register's name, a symbolic one's too.
func (b *Builder) FindRegister(name string) (v RegisterView, ok bool) {
	if v, ok = b.Register(name); !ok && b.Symbolic && isSymbolic(name) {
		return RegisterView{Whole: name, Print: name, Bits: b.RegisterBits(name)}, true
	}
	return v, ok
}

func isSymbolic(name string) bool { return strings.HasPrefix(name, "%") && len(name) > 1 }

// Temp is a new register of the thread that no test can name.
func (b *Builder) Temp(bits int) int { return b.temp(b.Thread, bits) }

func (b *Builder) temp(t, bits int) int {
	th := &b.Program.Threads[t]
	th.Regs = append(th.Regs, ir.Register{Bits: bits})
	return len(th.Regs) - 1
}

// maxErrors bounds how many errors of one test are told.
const maxErrors = 20

// Finish resolves labels and the condition and returns the program, or all errors.
func (b *Builder) Finish() (*ir.Program, error) {
	b.settleJumps()
	b.findMixed()
	b.boundBehind()
	b.settleWidths()
	b.cut()
	b.observe()
	b.findUnset()
	b.remarkBare()
	b.remarkIdle()
	for i := range b.Program.Locs {
		b.Program.Locs[i].Init &= ir.Mask(b.Program.Locs[i].Bits)
	}
	if err := b.Errors.Err(); err != nil {
		slices.SortStableFunc(b.Errors, func(x, y *litmus.Error) int { return x.Pos.Compare(y.Pos) })
		// A condition's names are looked up more than once.
		b.Errors = slices.CompactFunc(b.Errors, func(x, y *litmus.Error) bool { return *x == *y })
		b.spell()
		if n := len(b.Errors) - maxErrors; n > 0 {
			b.Errors = append(b.Errors[:maxErrors],
				litmus.Errorf(b.Errors[maxErrors].Pos, "and %d more errors from here on", n))
		}
		return nil, b.Errors
	}
	for i := range b.Program.Threads {
		b.Program.Prune(i)
	}
	b.Program.Remarks = append(slices.Clone(b.Test.Remarks), b.Program.Remarks...)
	slices.SortStableFunc(b.Program.Remarks, func(x, y litmus.Remark) int { return x.Pos.Compare(y.Pos) })
	b.Program.Remarks = slices.Compact(b.Program.Remarks)
	return b.Program, nil
}
