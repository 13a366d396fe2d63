package ir

import "litmuscope/litmus"

// Program is a test lowered to the IR: what engines see of it.
type Program struct {
	File, Arch, Name string // the test's

	Locs    []Location
	Threads []Thread

	// Observed are the registers and locations that the test asks about, in the
	// order states print them. The first Shown, which the condition and the
	// locations block name, make a final state; the filter alone names the others.
	Observed []Observable
	Shown    int
	// Condition and Filter are the test's, their atoms over Observed; Question is the
	// condition as written.
	Question  string
	Condition litmus.Condition
	Filter    litmus.Prop // nil when there is none

	// Addresses has names for addresses; nil where they go by the names of the locations there.
	Addresses AddressNames

	Remarks []litmus.Remark // in the order of the text

	// Split: an access, or what is observed, is in several locations; see [Piece]. BigEndian: the first of these
	// has the highest bits.
	Split, BigEndian bool

	// Wide: an access has 128 bits.
	Wide bool

	// Mortal: an access may be to memory whose life has ended, which is not followed here.
	Mortal bool

	// Unsequenced are expressions of a language that are undefined: they access an object and write to it in no order.
	Unsequenced []Unsequenced

	// Labels are those whose addresses the test takes.
	Labels []Label

	// Unset says of registers that are used as addresses and never have a value what they lack. Such a
	// program has a meaning only as long as no thread gets there: it can be looked at, but not run.
	Unset litmus.ErrorList
}

// Unsequenced is an expression of a thread whose behaviour is undefined. Always: each execution of the thread comes to
// it.
type Unsequenced struct {
	Thread int
	Always bool
}

// Location is one memory cell, accessed as a whole: a scalar, one element of
// an array, or one [Piece] of either.
type Location struct {
	Name    string // "x", "t[1]"
	Bits    int    // width
	Address uint64 // the number that stands for &x; unique, aligned, not 0
	Init    uint64
	Signed  bool // how its value prints
	// Any: its initial value may be anything, as that of memory just allocated.
	Any bool
	// Next is the location right behind it, where accesses go over both; 0 where none does.
	Next int
	// Offset is where the piece of a location begins in it, in bytes; 0 for the first, and for a location that is
	// whole.
	Offset int
	// Life names the memory of which it tells whether it is alive: not 0, until its life ends. "" where it is memory
	// itself. An access of that memory comes behind a plain read of it, and the end of its life is a plain write, so
	// that the two race where neither happens before the other. What has no tags does not race.
	Life string
	// Plain: no address is ever kept there, so that no number in it is one.
	Plain bool
}

// Label is a place in a thread's code whose address is a number of the program: the value that leads there by branches.
type Label struct {
	Name    string // as a test has it: label:"P0:L0"
	Address uint64
}

// AddressNames say what a program calls addresses, those that no location is at among them.
type AddressNames interface {
	// Name is that of an address in a cell of so many bits; "" for a number that is none.
	Name(addr uint64, bits int) string
	// Find is the address of a name.
	Find(name string) (addr uint64, ok bool)
}

// Thread is the code of one thread.
type Thread struct {
	ID   int
	Name string // "" where a number will do
	// Spawned: it begins where a Spawn of another thread, with a smaller index, says so, and
	// not at all where that is not reached.
	Spawned bool
	Regs    []Register
	Source  []litmus.Cell // the instructions as written, each on one line
	Code    []Step
}

// Register is one register of a thread. Temporaries of the lowering have no name.
type Register struct {
	Name string
	Bits int
	Init uint64
}

// Step is one IR operation, with the index in Thread.Source of the instruction
// it comes from.
type Step struct {
	Op     Op
	Source int
}

// Op is an IR operation: Assign, Pick, Choose, Load, Take, Store, RMW, StoreCond, Fence,
// Lost, Branch, Scope, Assume, Assert, Spawn, Join, Atomic or Unwound.
type Op interface{ op() }

// The operations.
type (
	// Assign sets register Dst.
	Assign struct {
		Dst   int
		Value Expr
	}
	// Pick sets register Dst to Value by way of an event of its own, with tag TagPick:
	// the event depends on what Value does, and what uses Dst on the event alone.
	// That tells apart what a value comes from and what decided that it should.
	Pick struct {
		Dst   int
		Value Expr
	}
	// Choose sets the one bit of register Dst to either value. With Stop, it is whether the thread
	// stops at the Unwound behind it, which has Again. With Weak, 0 is that an update may fail for no
	// reason: executions are not counted for that. With Free, it is part of a number that may be anything.
	Choose struct {
		Dst  int
		Stop bool
		Weak bool
		Free bool
	}
	// Load reads Bits bits at Addr into register Dst, widened with zeros. With
	// Reserve it is exclusive: the next StoreCond of the thread looks back to it. Of 128 bits, Dst gets those at
	// Addr, and the Take behind it those behind these; with Apart, each of these halves is
	// single-copy atomic by itself, and neither comes before the other.
	Load struct {
		Dst     int
		Addr    Expr
		Bits    int
		Tags    Tags
		Reserve bool
		Apart   bool
		At      Locs
	}
	// Take sets register Dst to what the Load of 128 bits right before it has read behind the first 64.
	Take struct{ Dst int }
	// Store writes Value, whose width is the access's, at Addr. With Next, it writes that right behind Value, of 64
	// bits, in the same access.
	Store struct {
		Addr  Expr
		Value Expr
		Next  Expr
		Tags  Tags
		At    Locs
	}
	// RMW reads Bits bits at Addr into register Dst and, in one atomic step,
	// writes New, which may mention Old, where If (nil: always) is 1.
	RMW struct {
		Dst  int
		Addr Expr
		Bits int
		New  Expr
		If   Expr
		Tags Tags // of the read
		// WriteTags are the write's.
		WriteTags Tags
		// Carry: what New takes from Old makes the write depend on the read.
		Carry bool
		At    Locs
	}
	// StoreCond writes Value at Addr if it succeeds, which it can only where the
	// thread's last exclusive load was from the same address and no StoreCond came
	// between; then, the two are one atomic access. It may fail all the same.
	// Register Status becomes Ok or Fail. With Next, it writes that right behind Value, of 64 bits, in the same access.
	StoreCond struct {
		Status   int
		Ok, Fail uint64
		Addr     Expr
		Value    Expr
		Next     Expr
		Tags     Tags
		// Depend: what uses Status depends on the write.
		Depend bool
		At     Locs
	}
	// Fence is a barrier; its tags say which. With Addr it is one of a location, as a
	// grace period of an SRCU domain is, and yet no access.
	Fence struct {
		Tags Tags
		Addr Expr
	}
	// Lost is where a jump goes that leads to no label: To is where instead. That an execution comes here is as much of
	// an error as an access to no location is.
	Lost struct{ To Expr }
	// Branch goes to Code[Target] where Cond (nil: always) is 1.
	Branch struct {
		Cond   Expr
		Target int
	}
	// Scope notes in a slot what control dependencies there are, and at its End takes
	// them back to that: in C, what a condition decides ends with its statement. Slots
	// are numbered by nesting.
	Scope struct {
		Slot int
		End  bool
	}
	// Assume says that no execution has Cond other than 1 here: a lock, say, is taken
	// where it is free and nowhere else. No dependency comes of it. With Wait, it is a thread
	// that waits until then: it goes round again from step Since, and has written nothing there but, by an
	// update, what it has read.
	Assume struct {
		Cond  Expr
		Wait  bool
		Since int
	}
	// Assert says that Cond should be 1. Where it is not, the program has failed, and the
	// thread goes no further; what other threads do then does not matter.
	Assert struct {
		Cond     Expr
		Property Property
		Text     string // of an assertion, what should hold, in the words of the source; of others, what is wrong
	}
	// Spawn starts another thread, whose registers in Args begin with what they are given.
	// In every model, what comes before it in program order comes before all of the thread,
	// as if there were a full fence between.
	Spawn struct {
		Thread int // index into Program.Threads
		Args   []Arg
	}
	// Join waits until a thread, spawned by then, has ended; all of that thread comes before
	// what is behind, in the same way.
	Join struct{ Thread int }
	// Atomic begins a section of the thread that no other thread sees or disturbs the
	// middle of, or is its End.
	Atomic struct{ End bool }
	// Unwound marks where a loop was cut: an execution that gets here is beyond
	// the bound. With Spin, it is one that only waits: another execution with the
	// same outcome waits less. With Again, it is one in which a round has left all
	// registers that matter as they were, whatever it has done to memory. The round begins at step Since.
	Unwound struct {
		Spin, Again bool
		Since       int
	}
)

// Arg is what a register of a spawned thread begins with.
type Arg struct {
	Reg   int
	Value Expr // over the registers of the thread that spawns it
}

// Locs are the locations that an access may be to, in ascending order, where whoever made the program
// knows them: other addresses do not come up. Nil: it is the address that tells.
type Locs []int

// Property is what a program may be held to.
type Property string

// The properties.
const (
	Assertion   Property = "assertion"
	DataRace    Property = "data-race"
	Memory      Property = "memory" // no access to what is freed, not allocated or not initialised
	Termination Property = "termination"
	Overflow    Property = "overflow" // of signed integers
	Leak        Property = "leak"     // of what is allocated: where main returns, all has been freed
)

// MixedSize is no property that can be asked for: a program that fails it accesses memory at several
// widths, and is beyond what is supported.
const MixedSize Property = "accesses of one width"

// Undefined is no property that can be asked for either: what fails it is undefined behaviour, beyond which nothing
// is known of a run. Where Memory or Overflow are asked for, it is those that say so.
const Undefined Property = "defined behaviour"

// Properties are all that can be asked for.
var Properties = []Property{Assertion, DataRace, Memory, Termination, Overflow, Leak}

func (Assign) op()    {}
func (Pick) op()      {}
func (Choose) op()    {}
func (Load) op()      {}
func (Take) op()      {}
func (Store) op()     {}
func (RMW) op()       {}
func (StoreCond) op() {}
func (Fence) op()     {}
func (Lost) op()      {}
func (Branch) op()    {}
func (Scope) op()     {}
func (Assume) op()    {}
func (Assert) op()    {}
func (Spawn) op()     {}
func (Join) op()      {}
func (Atomic) op()    {}
func (Unwound) op()   {}

// Untagged is an access without its tags; other operations are left as they are.
func Untagged(o Op) Op {
	switch op := o.(type) {
	case Load:
		op.Tags = nil
		return op
	case Store:
		op.Tags = nil
		return op
	case RMW:
		op.Tags, op.WriteTags = nil, nil
		return op
	case StoreCond:
		op.Tags = nil
		return op
	}
	return o
}

// Observable is a register or a location that a final state shows.
type Observable struct {
	Name   string // as herd prints it: "0:EAX", "x", "t[1]"
	Thread int    // index into Program.Threads; -1 for a location
	Index  int    // register of the thread, or index into Program.Locs: of the first, where there are several
	// Whole is the array whose elements, this one among them, are shown together.
	Whole  string
	Bits   int // the low bits that are shown
	Signed bool
	// Untyped: nothing says how wide a register is taken to be, which other tools take for one of 32 bits.
	Untyped bool
}

// NoLocation is what is wrong where a thread accesses an address that is no location's: that of an instruction,
// perhaps.
func (p *Program) NoLocation(pos litmus.Pos, th *Thread, address uint64) *litmus.Error {
	for _, l := range p.Labels {
		if l.Address == address {
			return litmus.Errorf(pos,
				"P%d accesses the instruction at %s: instructions as data (self-modifying code) are not supported",
				th.ID, l.Name)
		}
	}
	return litmus.Errorf(pos, "P%d accesses address %#x, which is not a location", th.ID, address)
}

// LocationAt finds the location whose address is addr.
func (p *Program) LocationAt(addr uint64) (index int, ok bool) {
	for i := range p.Locs {
		if p.Locs[i].Address == addr {
			return i, true
		}
	}
	return 0, false
}

// locationAmong is LocationAt, where all locations that come up may be known.
func (p *Program) locationAmong(at Locs, addr uint64) (index int, ok bool) {
	if at == nil {
		return p.LocationAt(addr)
	}
	for _, i := range at {
		if p.Locs[i].Address == addr {
			return i, true
		}
	}
	return 0, false
}
