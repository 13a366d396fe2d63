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
	// Tags returns the tags of accesses and fences of its tests, except the generic
	// ones.
	Tags() []ir.Tag
	// Words returns the vocabulary of tests of one of its architectures.
	Words(arch string) Words
	// Lower reads the instructions of a test. Errors are an ErrorList.
	Lower(t *litmus.Test) (*ir.Program, error)
}

// RegisterView is a register as a test names it: the low Bits bits from bit Lo up
// of the register Whole. Print is the name in outcomes.
type RegisterView struct {
	Whole string
	Print string
	Lo    int
	Bits  int
	// Hidden: outcomes cannot show it, because it is wider than a number.
	Hidden bool
}

// Builder is the part of lowering that all dialects share: locations and their
// addresses, registers and their initial values, labels, and the condition.
type Builder struct {
	Test    *litmus.Test
	Program *ir.Program
	Errors  litmus.ErrorList

	// PointerBits is the width of an address, WordBits that of a location whose width neither
	// a type nor an access determines.
	PointerBits, WordBits int
	// Register parses a register's name.
	Register func(name string) (v RegisterView, ok bool)
	// RegisterBits returns the width of a whole register, or of a symbolic one.
	RegisterBits func(whole string) int
	// Hint, unless nil, returns a hint for a name that Register does not know, or "".
	Hint func(name string) string
	// Wide, unless nil, reports whether outcomes show all bits of a register, by index, without a type, or the low 32;
	// a register with a type then shows the bits of the type.
	Wide func(thread, reg int) bool
	// TypeBits, unless nil, returns the width and signedness of a type, instead of the types of assembly tests.
	TypeBits func(name string) (bits int, signed, ok bool)
	// TypeOf, unless nil, returns the width and signedness of a location's values if they are narrower than its cell.
	TypeOf func(location string) (bits int, signed bool)
	// WidenInt gives a location that is declared int the width of the widest access at its beginning.
	WidenInt bool
	// OneWidth, unless "", is the reason why no location can be accessed with several widths.
	OneWidth string
	// InstructionBytes is the length of each instruction except those that are Long; 0 if lengths differ, so that
	// branches cannot have distances.
	InstructionBytes int
	// InstructionOffset, unless nil, returns the distance in bytes of a thread's instruction from the first one, by
	// index and number.
	InstructionOffset func(thread, at int) int
	// Symbolic allows symbolic registers such as %x0.
	Symbolic bool

	// Thread is the index of the current thread, to which the methods add operations and temporaries.
	Thread int
	source int // the current cell

	locs   map[string]int // by name; the first element of an array also by the array's name
	arrays map[string]int // element counts
	typed  map[int]bool   // locations whose width is fixed
	// accessed are the locations that have the width of their first access.
	accessed map[int]bool
	objects  []object
	ints     map[int]bool // locations that WidenInt may widen
	touches  []touch
	wide     map[int]ir.Location // locations before they were cut
	regs     []map[string]int
	types    map[[2]int]registerType // declared, by thread and register
	given    map[[2]int]bool         // registers with a value in the init block
	labels   [][]label
	lengths  []int   // by thread: number of instructions
	starts   [][]int // by thread: the first operations of its instructions, and the end of the last
	jumps    []jump
	computed []computed
	taken    map[uint64]bool        // addresses of instructions that the test uses
	long     map[[2]int]litmus.Word // by thread and number: see Long
	threads  map[int]int            // thread number → index
	inits    map[int]litmus.Pos     // locations with an initial value
	symbols  map[string]litmus.Init // symbolic registers with an initial value in any thread
	full     bool                   // there are too many locations

	declared int           // number of locations that the init block names
	namers   map[int]int   // the only thread whose instructions name a location, or -1
	bare     []litmus.Word // see Bare
	behind   []behind
	asked    []question

	aliases map[string]litmus.Init // names of locations that have another one of their own

	system *System // nil for a test without a system's side

	// Lanes returns the elements of a vector register that a test asks about, or nil. It is nil for dialects without.
	Lanes func(litmus.Place) []ir.Observable
	// Facts are what outcomes have beside what the test asks about.
	Facts []ir.Observable

	dialect Dialect
	known   *Words // the dialect's words, computed when needed
}

type registerType struct {
	bits   int
	signed bool
}

// NewBuilder starts lowering t, a test of a dialect. The caller must set the fields that describe the dialect before it
// calls methods.
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
	b.findScopes()
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
	for _, m := range t.Meetings {
		b.Program.Meetings = append(b.Program.Meetings, [2]int{b.threads[m.From], b.threads[m.To]})
	}
	b.findLabels()
	return b
}

// Failf records an error. It shortens quoted texts.
func (b *Builder) Failf(pos litmus.Pos, format string, args ...any) {
	b.Errors = append(b.Errors, litmus.Errorf(pos, format, quoted(args)...))
}

// Remarkf adds a remark for the test's author. It shortens quoted texts.
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

// Loc returns the location that an instruction names and declares it if it is new.
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
	if b.system != nil {
		if i, ok := b.system.Locate(name, pos); ok {
			return i
		}
	}
	return b.addLocation(pos, name, b.WordBits, true)
}

// Accessed records that an instruction accesses bits bits of location i by name, which fixes the width of a location
// without a type.
func (b *Builder) Accessed(i, bits int) {
	loc := &b.Program.Locs[i]
	if !b.typed[i] {
		loc.Bits, b.typed[i], b.accessed[i] = bits, true, true
	}
}

// Typed sets the type of location i unless the init block does.
func (b *Builder) Typed(i, bits int, signed bool) {
	if loc := &b.Program.Locs[i]; !b.typed[i] {
		loc.Bits, loc.Signed, b.typed[i] = bits, signed, true
	}
}

// Reg returns the index of a register of the thread, by the name of the whole register.
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

// FindRegister parses a register's name, including symbolic ones.
func (b *Builder) FindRegister(name string) (v RegisterView, ok bool) {
	if v, ok = b.Register(name); !ok && b.Symbolic && isSymbolic(name) {
		return RegisterView{Whole: name, Print: name, Bits: b.RegisterBits(name)}, true
	}
	return v, ok
}

func isSymbolic(name string) bool { return strings.HasPrefix(name, "%") && len(name) > 1 }

// Temp allocates a register of the thread that no test can name.
func (b *Builder) Temp(bits int) int { return b.temp(b.Thread, bits) }

func (b *Builder) temp(t, bits int) int {
	th := &b.Program.Threads[t]
	th.Regs = append(th.Regs, ir.Register{Bits: bits})
	return len(th.Regs) - 1
}

// maxErrors is the maximum number of errors that are reported for one test.
const maxErrors = litmus.MaxErrors

// Finish resolves labels and the condition and returns the program, or all errors.
func (b *Builder) Finish() (*ir.Program, error) {
	b.settleJumps()
	b.settleBarriers()
	if b.system == nil {
		b.findMixed()
		b.boundBehind()
	}
	b.settleWidths()
	b.settleZeroes()
	if b.system == nil {
		b.cut()
	}
	b.observe()
	b.findUnset()
	b.remarkBare()
	if b.system == nil { // which accesses more than instructions name
		b.remarkIdle()
	}
	for i := range b.Program.Locs {
		b.Program.Locs[i].Init &= ir.Mask(b.Program.Locs[i].Bits)
	}
	if err := b.Errors.Err(); err != nil {
		slices.SortStableFunc(b.Errors, func(x, y *litmus.Error) int { return x.Pos.Compare(y.Pos) })
		// Names in a condition are looked up more than once, which repeats errors.
		b.Errors = slices.CompactFunc(b.Errors, func(x, y *litmus.Error) bool { return *x == *y })
		b.spell()
		b.Errors = b.Errors.Most(maxErrors)
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
