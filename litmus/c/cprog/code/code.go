package code

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// LayoutOf returns the C notation of the scalar at an offset of an object, and its width in bits. The width is 0 if it
// is open, and offScalar if no scalar begins there.
type LayoutOf func(offset int) (name string, bits int)

// Unit is a program as code, which package codegen makes of the syntax trees, and packages elaborate and run execute.
type Unit struct {
	Pointer   int // width of a pointer in bits: 64, or 32
	Functions map[string]*Function
	Last      bool          // functions run after main has returned
	Lines     []litmus.Cell // statements as written, each on one line; steps refer to them
	Remarks   []litmus.Remark
	Operated  []litmus.Pos // positions where operators access atomic objects
}

// HasRCU reports whether the program has RCU read-side critical sections. A thread that stops inside one leaves it
// there, because it would leave it later, and the kernel's model ignores a section without an end.
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
	Locals []*Variable // locals with an address; each call has new ones
	Code   []Step
}

// Register is a local variable without an address, or an unnamed temporary.
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
	Static    bool // initially zero and Init; other memory initially contains any numbers
	ReadOnly  ReadOnly
	Init      []Initial
	Layout    LayoutOf // names its scalars, such as "q.next" or "a[3]"; nil if unknown
}

// ReadOnly says why C leaves a write to a variable undefined; "" for a variable that may be written.
type ReadOnly string

// The kinds of read-only variables.
const (
	StringLiteral ReadOnly = "a string literal is written (C17, 6.4.5p7)"
	ConstObject   ReadOnly = "an object defined with const is written (C17, 6.7.3p7)"
)

// Initial is a scalar in the initialiser of a static variable.
type Initial struct {
	Offset int // in bytes
	Bits   int
	Value  uint64
	// Of or Function, if not nil, is the variable or function to whose address Value is added.
	Of       *Variable
	Function *Function
}

// NoValue is the failure that a function has ended without a value that its caller uses.
func NoValue(f *Function) string {
	return f.Name + " ends without returning a value, but its caller uses the value (C17, 6.9.1p12)"
}

// Step is an operation with its line.
type Step struct {
	Op   Op
	Line int // index into Unit.Lines
}

// Op is an operation of a function. Expressions are over the function's registers.
type Op interface{}

// Access says how memory is accessed: with a C11 order, or not atomically, or with the tags of a kernel primitive. Tags
// of an atomic access are additional ones, of a mutex.
type Access struct {
	Atomic   bool
	Order    c.Order
	Volatile bool
	// Relaxed: operators access the object in the plain way, and --volatile or --plain makes each access count as a
	// relaxed atomic one. An operator that reads and writes is still two accesses.
	Relaxed bool
	Copied  bool // the value is only copied, so it may be unset
	Initial bool // it initialises an object, which may be const
	Tags    ir.Tags
}

// Done returns the access that a step makes: a relaxed atomic one if the plain accesses of the object count as such.
func (a Access) Done() Access {
	if a.Relaxed {
		a.Atomic, a.Order, a.Relaxed = true, c.Relaxed, false
	}
	return a
}

// Orders reports whether an access orders others. On hardware, it has fences or is one, like x86's exchanges, even if
// no other thread accesses the memory.
func (a Access) Orders() bool {
	if a.Atomic || len(a.Tags) == 0 {
		return a.Atomic && a.Order != c.Relaxed
	}
	return a.Tags[0] != "ONCE"
}

// RelaxedOptions say which plain accesses count as relaxed atomics.
type RelaxedOptions = read.RelaxedOptions

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
	// Choose sets Dst to any value: for a local that is not set yet (First), or for an unknown value.
	Choose struct {
		Dst   int
		First *cc.Declarator
	}
	// Begin makes the memory of a local uninitialised again.
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
	// Update reads Dst, of the register's width, at Addr and in one atomic step writes Next, which may contain ir.Old,
	// if When (nil: always) is 1. Register Wrote (-1: none), of one bit, says whether it did. If it does not write, the
	// read is ordered as Failed says. If Weak is 1 (nil: never), it may fail spuriously.
	Update struct {
		Dst, Wrote  int
		Addr        ir.Expr
		Next, When  ir.Expr
		Read, Write Access
		Failed      Access
		Weak        ir.Expr
	}
	// Fence is a barrier: with a C11 order, or with the tags of a kernel primitive or an instruction.
	Fence struct {
		Order c.Order
		Tags  ir.Tags
		Addr  ir.Expr // SRCU domain, or nil
	}
	// Branch jumps to Code[Target] if Cond (nil: always) is 1.
	Branch struct {
		Cond   ir.Expr
		Target int
	}
	// Call calls Fn or, if that is nil, the function that Target points to. Dst is -1 if the result is not used.
	Call struct {
		Dst    int
		Fn     *Function
		Target ir.Expr
		Args   []ir.Expr
	}
	// Ret returns to the caller. A function with a result that returns nothing (a nil Value) is undefined behaviour
	// if the call has a Dst (C17, 6.9.1p12).
	Ret struct{ Value ir.Expr }
	// Allocate sets Dst to new memory of a size in bytes, which is zero or uninitialised.
	Allocate struct {
		Dst  int
		Size ir.Expr
		Zero bool
		// Name is the name of the memory, after the pointer to it. Layout names its scalars, as ".next" or "[3].val",
		// and "" for all of it; nil if unknown.
		Name   string
		Layout LayoutOf
		Unit   int  // size of an element in bytes; 0 if unknown
		Owed   bool // it must be freed
		Local  bool // its life ends with the call
	}
	// Extent sets Dst to the size in bytes of the allocated memory that begins at Addr.
	Extent struct {
		Dst  int
		Addr ir.Expr
	}
	// Free ends the lifetime of allocated memory; it ignores a null pointer.
	Free struct{ Addr ir.Expr }
	// Spawn starts a thread that calls Target, or Fn, with Args, and sets Handle, if it is not -1, to its number,
	// which is not 0.
	Spawn struct {
		Handle int
		Fn     *Function
		Target ir.Expr
		Args   []ir.Expr
	}
	// Join waits until the thread with a number ends; Dst, if it is not -1, gets its result.
	Join struct {
		Dst    int
		Handle ir.Expr
	}
	// Exit ends the thread.
	Exit struct{ Value ir.Expr } // nil: nothing
	// Self sets Dst to the number of the thread, as in Spawn; main has 1. Numbers above Most are not supported; 0 means
	// no limit.
	Self struct{ Dst, Most int }
	// Assume discards executions in which Cond is not 1. With Wait, the thread waits for that.
	Assume struct {
		Cond ir.Expr
		Wait bool // it is tried again from the last Attempt
	}
	// Life begins or ends the lifetime of a local of a block within a function. For an array of variable length, Of is
	// nil and Array is its address; its lifetime begins where it is allocated.
	Life struct {
		Of    *Variable
		Ends  bool
		Array ir.Expr
	}
	// Attempt begins an attempt of a waiting library function.
	Attempt struct{}
	// Assert requires that Cond is 1.
	Assert struct {
		Cond     ir.Expr
		Property ir.Property
		Text     string
	}
	// Section begins or ends an atomic section.
	Section struct{ End bool }
	// Bound limits the number of rounds of the next loop.
	Bound struct{ Rounds int }
	// Unsupported is something that engines cannot execute. A program is refused if a run reaches it.
	Unsupported struct{ Text string }
)

// Remark adds a remark about a place of the source. A second remark with the same text and place is dropped.
func (u *Unit) Remark(n cc.Node, text string) {
	if r := litmus.Remarkf(read.Place(n), "%s", text); !slices.Contains(u.Remarks, r) {
		u.Remarks = append(u.Remarks, r)
	}
}

// TooManyWait is the error for a program that has more threads.
const TooManyWait = "termination of a program with condition variables and more than %d threads is not supported"
