package assembly

import (
	"math/big"

	"litmuscope/litmus"
)

// Module is a file of LLVM IR.
type Module struct {
	File      string
	Source    string // the name of the file that was compiled
	Layout    string // the target's data layout, as in e-m:e-i64:64-n32:64-S128
	Triple    string
	Assembly  bool // it has assembly of its own, outside of functions
	Globals   []*Global
	Functions []*Function
	Metadata  map[int]*Node
	Lists     map[string][]*Meta // named metadata
	Groups    map[int]Attributes // of attributes
}

// Global is a global variable or an alias.
type Global struct {
	Pos      litmus.Pos
	Name     string
	Linkage  string // "" is external
	Type     *Type  // of the value
	Init     *Value // nil for a declaration
	Alias    *Value // of an alias; then Init is nil
	Constant bool
	External bool // a declaration
	Local    bool // thread_local
	Align    int
	Section  string
	Debug    []int // the numbers of its !dbg nodes
	offset   int   // of its name in the file
}

// Function is a function: with blocks if the module defines it.
type Function struct {
	Pos        litmus.Pos
	Name       string
	Linkage    string
	Result     *Type
	Params     []Param
	Variadic   bool
	Attributes Attributes // its own and its groups'
	Returns    Attributes // of the result
	Blocks     []*Block
	Debug      int // the number of its DISubprogram; -1 for none
	offset     int // of its name in the file
}

// Param is a parameter of a function.
type Param struct {
	Name       string
	Type       *Type
	Attributes Attributes
}

// Attributes are the attributes of a function, a parameter or a result, by name; the value is "" for a flag.
type Attributes map[string]Attribute

// Attribute is the value of an attribute, as in align 8, byval(%T) or "frame-pointer"="all".
type Attribute struct {
	Text string
	Type *Type
}

// Has reports whether an attribute is among them.
func (a Attributes) Has(name string) bool {
	_, ok := a[name]
	return ok
}

// Block is a basic block; the last instruction ends it.
type Block struct {
	Name         string
	Instructions []*Instruction
	offset       int // of its first token in the file
}

// Instruction is an instruction. Which fields it uses depends on Op.
type Instruction struct {
	Pos    litmus.Pos
	Result string // the local that it sets, or ""
	Op     string // as in add, load, call
	// Flags are words that change the meaning: nsw, nuw, nneg, exact, disjoint, samesign, inbounds, volatile, atomic,
	// weak, fast-math flags, and of calls tail, musttail, notail. It is nil without any.
	Flags map[string]bool
	// Type is the type of the result or, for alloca, load and getelementptr, that of the memory.
	Type     *Type
	Operands []*Value
	Kind     string // the predicate of a comparison, the operation of atomicrmw
	Order    string // of an atomic access or a fence
	Failed   string // the order of a cmpxchg that fails
	Scope    string // syncscope, or ""
	Align    int
	Indices  []int    // of extractvalue and insertvalue, and the mask of shufflevector (-1: undef)
	Targets  []string // labels: of br, switch (the default first), indirectbr, invoke (normal, unwind)
	Cases    []*Value // of switch, for Targets[1:]
	From     []string // the predecessors of a phi's operands
	Callee   *Value
	Function *Type         // of the callee
	ByVal    map[int]*Type // the types of arguments that the callee gets a copy of
	ArgAlign [3]int        // the alignments that the call states for its first arguments, or 1
	Clauses  []Clause
	Cleanup  bool
	Bundles  []string // the names of operand bundles
	Attrs    Attributes
	Space    int // the address space of alloca
	Debug    int // the number of its DILocation; -1 for none
	offset   int // of its first token in the file
	Site     int // the number of the type that a call allocates (!heapallocsite); -1 for none
}

// Clause is a clause of landingpad: catch or, with an array of types, filter.
type Clause struct {
	Filter bool
	Value  *Value
}

// ValueKind is the kind of a value.
type ValueKind int

// The kinds.
const (
	Local     ValueKind = iota // a parameter or a result, by Name
	GlobalRef                  // a global variable's or a function's address, by Name
	Int
	Float // Name is the text
	Null
	Undef
	Poison
	Zero      // zeroinitializer
	Aggregate // Elements
	Splat     // a vector whose elements are all Elements[0]
	Chars     // an array of bytes: Name
	Constant  // an expression: Op over Elements
	Assembly  // inline assembly: Name is the code, Constraints
	Address   // the address of block Elements... of a function: Name and Block
	MetaValue // metadata as an argument of a call
)

// Value is an operand with its type.
type Value struct {
	Kind        ValueKind
	Type        *Type
	Name        string
	Int         *big.Int
	Elements    []*Value
	Op          string // of a Constant
	Of          *Type  // the element type of a getelementptr, nil for others
	Constraints string
	Block       string
	Meta        *Meta
	Offset      int // of its token in the file
}

// Node is a node of metadata: a specialised one such as DILocation, or a tuple, whose name is "".
type Node struct {
	Name     string
	Distinct bool
	Fields   map[string]*Meta
	Elements []*Meta
}

// Meta is an operand of metadata.
type Meta struct {
	Ref    int    // the number of a node, -1 for none
	Node   *Node  // inline
	Text   string // a string or a word
	Quoted bool
	Value  *Value
	Null   bool
}
