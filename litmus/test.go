package litmus

import "strings"

// Test is a litmus test as written, taken apart but not yet understood: its
// instructions are text until a dialect lowers them.
type Test struct {
	File   string
	Source string // the whole text

	Arch      string // the header's first word: X86, PPC, AArch64 …
	Name      string // the header's second word
	Doc       string // the doc string, without its quotes
	Info      []Info // Key=value lines, in order
	Init      []Init
	InitPos   Pos // behind the brace that opens the init block
	Threads   []Thread
	Locations []Place // the locations [...] block
	Filter    Prop    // nil when there is none
	Condition Condition

	Remarks []Remark // in the order of the text

	Processor
}

// Processor is what the text of a test does not say of those that it is run on.
type Processor struct {
	// LSE2: accesses of pairs of registers are single-copy atomic, on AArch64.
	LSE2 bool `json:"lse2,omitempty"`
	// LittleEndian: the lowest byte of a number comes first, on Power.
	LittleEndian bool `json:"little-endian,omitempty"`
	// RCpc: load-acquires and store-releases (lw.aq, sw.rl) are not RCsc, on RISC-V before Zalasr 1.0.
	RCpc bool `json:"rcpc,omitempty"`
}

// HasBodies tells whether the threads stand below one another, in bodies of C, not side by
// side in columns of instructions.
func (t *Test) HasBodies() bool { return t.Arch == "C" }

// Info is one Key=value line of the header.
type Info struct{ Key, Value string }

// Init is one item of the init block: a type, an initial value, or both, for a
// register or a location.
type Init struct {
	Pos    Pos
	Type   string // "" when none is written; "int64_t", "int *" …
	Target Place
	Count  int       // array length, 0 for a scalar
	Values []Literal // empty when only a type is given
}

// Place is a register of a thread, or a memory location, as a test names it.
type Place struct {
	Pos    Pos
	Thread int    // -1 for a location
	Name   string // register or location
	Index  int    // array element; -1 for the whole
	// Whole is the length of the array where the element is named as part of the
	// whole, x={1,2}; else 0.
	Whole int
}

// IsRegister tells a register from a memory location.
func (o Place) IsRegister() bool { return o.Thread >= 0 }

// Literal is a value as written: a number, or the name of a location, whose
// address it stands for, so many bytes behind which the value may be, or of a label.
type Literal struct {
	Pos    Pos
	Name   string // "" for a number
	Bits   uint64 // a negative number in two's complement; the bytes behind a location
	Label  bool   // it is a label
	Thread int    // of a label
}

// Thread is one thread: its statements in the order of the text, a Cell per statement, whether
// they stand in a column of instructions or, as tests in C have it, in a body of their own. A
// body's cell ends behind a ; and behind each { that opens a block and each } that closes one:
// "if (r) {", "x = 1;", "} else {", "}". Its own braces are in no cell.
type Thread struct {
	ID     int
	Pos    Pos
	Params []Param // of a body
	Cells  []Cell
}

// Param is a parameter of a thread: a location that the thread names, by its address.
type Param struct {
	Pos  Pos
	Type string // words and stars with blanks between: "atomic_int *", "struct srcu_struct *"
	Name string
}

// Cell is the text of one statement, of an instruction as a rule, trimmed, with the place it starts at. It
// may carry labels in front ("L0: MOV EAX,[x]").
type Cell struct {
	Pos  Pos
	Text string
}

// At is the place of the byte at offset in the cell's text.
func (c Cell) At(offset int) Pos {
	p := c.Pos
	if before := c.Text[:offset]; strings.Contains(before, "\n") {
		p.Line += strings.Count(before, "\n")
		p.Col = offset - strings.LastIndexByte(before, '\n')
	} else {
		p.Col += offset
	}
	return p
}

// Quantifier is the form of a test's final condition.
type Quantifier int

// The quantifiers of a condition.
const (
	Exists Quantifier = iota
	NotExists
	Forall
)

func (q Quantifier) String() string {
	return [...]string{"exists", "~exists", "forall"}[q]
}

// Condition is a quantified proposition over final states.
type Condition struct {
	Pos        Pos
	Quantifier Quantifier
	Prop       Prop
}

// Holds gives the quantified answer (herd's Ok or No) from whether some allowed
// outcome satisfies the proposition and whether some violates it.
func (q Quantifier) Holds(some, someNot bool) bool {
	switch q {
	case Exists:
		return some
	case NotExists:
		return !some
	default:
		return !someNot
	}
}
