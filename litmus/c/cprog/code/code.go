package code

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// LayoutOf says how the scalar at an offset of an object is written in C, and its width in bits: 0 where that is
// open, offScalar where no scalar begins there.
type LayoutOf func(offset int) (name string, bits int)

// Unit is a program as code, before anything is run: what Make makes of the syntax trees,
// and package elaborate runs.
type Unit struct {
	Pointer   int // width of a pointer in bits: 64, or 32
	Functions map[string]*Function
	Last      bool          // functions run when main has returned
	Lines     []litmus.Cell // statements as written, each on one line; steps refer to them
	Remarks   []litmus.Remark
	Operated  []litmus.Pos // where operators access atomic objects
}

// HasRCU tells whether the program has read-side critical sections of RCU. A thread that stops in one leaves it where
// it stops, for it would leave it later, and one without an end is none to the kernel's model.
func (u *Unit) HasRCU() bool {
	for _, f := range u.Functions {
		for _, s := range f.Code {
			if o, ok := s.Op.(Fence); ok && slices.Equal(o.Tags, c.RCUUnlock) {
				return true
			}
		}
	}
	return false
}

// Function is the code of a function, or of a variable's initialiser at run time.
type Function struct {
	Name   string
	Pos    litmus.Pos
	Params []int // registers, in order
	Result int   // width in bits; 0 for none
	Regs   []Register
	Locals []*Variable // those that have an address; new ones in each call
	Code   []Step
}

// Register is a local that has no address, or a temporary of no name.
type Register struct {
	Name string
	Bits int
}

// Variable is memory with a name: a global, a static, or a local whose address is taken.
type Variable struct {
	Name      string
	Pos       litmus.Pos
	Size      int // in bytes
	Align     int
	PerThread bool // _Thread_local
	Static    bool // begins with zeros and Init; other memory begins with anything
	ReadOnly  ReadOnly
	Init      []Initial
	Layout    LayoutOf // names its scalars, "q.next" or "a[3]"; nil: nobody knows
}

// ReadOnly says why C leaves a write to a variable undefined; "" for a variable that may be written.
type ReadOnly string

// The variables that nothing may write to.
const (
	StringLiteral ReadOnly = "a string literal is written (C17, 6.4.5p7)"
	ConstObject   ReadOnly = "an object defined with const is written (C17, 6.7.3p7)"
)

// Initial is a scalar in a static variable's initialiser.
type Initial struct {
	Offset int // in bytes
	Bits   int
	Value  uint64
	// Of and Function, one at most, is what the value is an address in, or of: Value is
	// added to it.
	Of       *Variable
	Function *Function
}

// NoValue says that a function has ended without a value, and that its caller uses one.
func NoValue(f *Function) string {
	return f.Name + " ends without returning a value, but its caller uses the value (C17, 6.9.1p12)"
}

// Step is an operation with the place that it comes from.
type Step struct {
	Op   Op
	Line int // index into Unit.Lines
}

// Op is an operation of a function. Expressions are over the function's registers.
type Op interface{}

// Access is how memory is accessed: as C11 orders it, or not atomically at all, or with the tags
// of a kernel primitive. Tags of an atomic access are more of them, a mutex's.
type Access struct {
	Atomic   bool
	Order    c.Order
	Volatile bool
	Copied   bool // what is read is not looked at
	Initial  bool // it gives an object its first value: also a constant one
	Tags     ir.Tags
}

// Orders tells whether an access orders others: on machines there are fences with it, or it is one, as
// x86's exchanges are, whoever else knows of the memory.
func (a Access) Orders() bool {
	if a.Atomic || len(a.Tags) == 0 {
		return a.Atomic && a.Order != c.Relaxed
	}
	return a.Tags[0] != "ONCE"
}

type (
	// Assign sets register Dst.
	Assign struct {
		Dst   int
		Value ir.Expr
	}
	// Locate sets Dst to the address of a variable, or of a function.
	Locate struct {
		Dst int
		Of  *Variable
		Fn  *Function
	}
	// Choose sets Dst to any value: a local, before anything else does (First), or what is not known.
	Choose struct {
		Dst   int
		First *cc.Declarator
	}
	// Begin has memory of a local begin anew, with nothing written to it.
	Begin struct{ Of *Variable }
	// Load reads Dst, of the register's width, at Addr.
	Load struct {
		Dst  int
		Addr ir.Expr
		How  Access
	}
	// Store writes Value, of its width, at Addr.
	Store struct {
		Addr, Value ir.Expr
		How         Access
	}
	// Update reads Dst at Addr, of the register's width, and in one atomic step writes Next, which may
	// mention ir.Old, where When (nil: always) is 1. Register Wrote, if there is one (-1: none), of one
	// bit, tells whether it did.
	// Where it does not, the read is ordered as Failed says. Where Weak is 1 (nil: never), it may do so for no
	// reason.
	Update struct {
		Dst, Wrote  int
		Addr        ir.Expr
		Next, When  ir.Expr
		Read, Write Access
		Failed      Access
		Weak        ir.Expr
	}
	// Fence is a barrier: of a C11 order, or with the tags of a kernel's or a machine's.
	Fence struct {
		Order c.Order
		Tags  ir.Tags
		Addr  ir.Expr // of an SRCU domain; else nil
	}
	// Branch goes to Code[Target] where Cond (nil: always) is 1.
	Branch struct {
		Cond   ir.Expr
		Target int
	}
	// Call runs Fn, or where that is nil, what Target points to; Dst is -1 where no result is wanted.
	Call struct {
		Dst    int
		Fn     *Function
		Target ir.Expr
		Args   []ir.Expr
	}
	// Ret returns to the caller. A function with a result that returns nothing (a nil Value) is undefined behaviour
	// where the call has a Dst (C17, 6.9.1p12).
	Ret struct{ Value ir.Expr }
	// Allocate sets Dst to new memory of a number of bytes, zeros or anything.
	Allocate struct {
		Dst  int
		Size ir.Expr
		Zero bool
		// Name is what the memory is called, after what points to it; Layout names its scalars, ".next"
		// or "[3].val", and "" for all of it; nil: nobody knows.
		Name   string
		Layout LayoutOf
		Unit   int  // bytes of an element; 0: nobody knows
		Owed   bool // it is to be freed
		Local  bool // its life ends with the call
	}
	// Extent sets Dst to how many bytes the allocated memory has that begins at Addr.
	Extent struct {
		Dst  int
		Addr ir.Expr
	}
	// Free ends the life of allocated memory; a null pointer does nothing.
	Free struct{ Addr ir.Expr }
	// Spawn starts a thread that calls Target, or Fn, with Args, and sets Handle, if it is not -1, to its number,
	// which is not 0.
	Spawn struct {
		Handle int
		Fn     *Function
		Target ir.Expr
		Args   []ir.Expr
	}
	// Join waits for the thread of a number to end; Dst, if it is not -1, is what the thread returned.
	Join struct {
		Dst    int
		Handle ir.Expr
	}
	// Exit ends the thread.
	Exit struct{ Value ir.Expr } // nil: nothing
	// Self sets Dst to the number of the thread, as its spawn has it; main's is 1. A higher one than Most is not
	// supported; 0: any is.
	Self struct{ Dst, Most int }
	// Assume goes on only where Cond is 1: no execution comes of others, but one that waits for that.
	Assume struct {
		Cond ir.Expr
		Wait bool // it is tried again from Attempt on
	}
	// Life begins that of a local of a block within a function, or ends it. Of an array of variable length Of is nil,
	// and Array where it begins; its life begins where it is allocated.
	Life struct {
		Of    *Variable
		Ends  bool
		Array ir.Expr
	}
	// Attempt is where a round begins of what a function of a library tries.
	Attempt struct{}
	// Assert says that Cond should be 1.
	Assert struct {
		Cond     ir.Expr
		Property ir.Property
		Text     string
	}
	// Section begins an atomic section, or ends it.
	Section struct{ End bool }
	// Bound limits the loop whose head comes next to so many rounds.
	Bound struct{ Rounds int }
)

// Remark adds a remark about a place of the source. A second remark with the same text and place is dropped.
func (u *Unit) Remark(n cc.Node, text string) {
	if r := litmus.Remarkf(read.Place(n), "%s", text); !slices.Contains(u.Remarks, r) {
		u.Remarks = append(u.Remarks, r)
	}
}

// TooManyWait says that a program has more.
const TooManyWait = "termination of a program with condition variables and more than %d threads is not supported"
