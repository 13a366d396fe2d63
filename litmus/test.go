package litmus

import "strings"

// Test is a parsed litmus test. Its instructions are text until a dialect lowers them.
type Test struct {
	File   string
	Source string // the whole text

	Arch      string // the header's first word: X86, PPC, AArch64 …
	Name      string // the header's second word
	Doc       string // the doc string, without its quotes
	Info      []Info // Key=value lines, in order
	Init      []Init
	InitPos   Pos       // after the brace that opens the init block
	Meetings  []Meeting // of threads that synchronize outside of the test
	Threads   []Thread
	Handlers  []Thread // the handlers of exceptions, each with the number of its thread
	Trees     []Scope  // of LISA: the scopes of the threads
	Regions   []Region // of LISA: the regions of locations
	Locations []Place  // the locations [...] block
	Filter    Prop     // nil if there is none
	Condition Condition

	Remarks []Remark // in the order of the text

	Processor
}

// Processor has the properties of processors that a test's text does not state.
type Processor struct {
	// LSE2: accesses of pairs of registers are single-copy atomic, on AArch64.
	LSE2 bool `json:"lse2,omitempty"`
	// LittleEndian: the lowest byte of a number comes first, on Power.
	LittleEndian bool `json:"little-endian,omitempty"`
	// RCpc: load-acquires and store-releases (lw.aq, sw.rl) are not RCsc, on RISC-V before Zalasr 1.0.
	RCpc bool `json:"rcpc,omitempty"`
}

// HasBodies reports whether the threads are functions one below another, as in C, and not columns of instructions side
// by side.
func (t *Test) HasBodies() bool { return inBodies(t.Arch) }

// inBodies reports whether the threads of an architecture's tests are functions in C.
func inBodies(arch string) bool { return arch == "C" || arch == "OPENCL" }

// Info is one Key=value line of the header.
type Info struct{ Key, Value string }

// Init is one item of the init block: a type, an initial value, or both, for a register or a location.
type Init struct {
	Pos    Pos
	Type   string // "" if none is given; "int64_t", "int *" …
	Target Place
	Count  int       // array length, 0 for a scalar
	Values []Literal // empty if only a type is given
	Shadow bool      // the location is a guarded control stack
	// Aliases, unless "", is the location that the target is another name of. Accesses by that name go through Proxy.
	Aliases, Proxy string
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
	Fault FaultPattern // of a place that asks about faults of a thread
}

// IsRegister distinguishes a register from a memory location.
func (o Place) IsRegister() bool { return o.Thread >= 0 }

// Literal is a value as written: a number, a label, or the name of a location, which stands for its address plus an
// offset in bytes.
type Literal struct {
	Pos    Pos
	Name   string // "" for a number
	Bits   uint64 // the number, in two's complement if negative; for a location, the offset in bytes
	Label  bool   // the value is the address of a label
	Thread int    // of the label

	Tag   string // the memory tag behind an address or, without Name, alone: red
	Code  string // an instruction as a value: NOP, B .+8
	Entry string // the fields of an entry of a page table: oa:PA(x),valid:0; or of PAR_EL1, with Name parel1_t
}

// Thread is one thread: its statements in the order of the text, a Cell for each, in a column of instructions or, in C
// tests, in a body. A body's cell ends after a ; and after each { that opens a block and each } that closes one: "if
// (r) {", "x = 1;", "} else {", "}". The body's own braces are in no cell.
type Thread struct {
	ID      int
	Pos     Pos
	Place   []int   // in the scopes of the architecture, the innermost first; nil if it has none
	Params  []Param // of a body
	Cells   []Cell
	Handler bool // it handles the exceptions of the thread
}

// Param is a parameter of a thread: a location that the thread accesses through its address.
type Param struct {
	Pos  Pos
	Type string // words and stars with blanks between: "atomic_int *", "struct srcu_struct *"
	Name string
}

// Cell is the trimmed text of one statement, usually of an instruction, with the place where it starts. It may begin
// with labels ("L0: MOV EAX,[x]").
type Cell struct {
	Pos  Pos
	Text string
}

// At returns the place of the byte at an offset in the cell's text.
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

// String returns the quantifier as a test has it.
func (q Quantifier) String() string {
	return [...]string{"exists", "~exists", "forall"}[q]
}

// Condition is a quantified proposition over outcomes.
type Condition struct {
	Pos        Pos
	Quantifier Quantifier
	Prop       Prop
}

// Holds returns the quantified answer (herd's Ok or No), given whether some allowed outcome satisfies the proposition
// and whether some violates it.
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
