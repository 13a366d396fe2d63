package ir

import "litmuscope/litmus"

// Program is a test lowered to the IR, which engines run.
type Program struct {
	File, Arch, Name string // the test's

	Locs    []Location
	Threads []Thread

	// Observed are the registers and locations that the test observes, in the order in which outcomes print them. The
	// first Shown make an outcome: the condition and the locations block name them. Only the filter names the others.
	Observed []Observable
	Shown    int
	// Condition and Filter are the test's, their atoms over Observed; Question is the
	// condition as written.
	Question  string
	Condition litmus.Condition
	Filter    litmus.Prop // nil when there is none

	// Addresses has names for addresses; nil means the names of the locations there.
	Addresses AddressNames

	Remarks []litmus.Remark // in the order of the text

	// Split: an access or an observable spans several locations; see [Piece]. BigEndian: the first of these has the
	// highest bits.
	Split, BigEndian bool

	// Wide: an access has 128 bits.
	Wide bool

	// System: the program has events of a system's side, such as accesses of memory tags and faults. Only models that
	// define them answer it.
	System bool
	// EntryBits are those of the entries of page tables; nil if there are none.
	EntryBits *EntryBits

	// UncheckedLifetimes: an access may be after the end of the memory's lifetime, but lifetimes are not tracked.
	UncheckedLifetimes bool

	// Loops: the C program has loops or recursion, which a bound may have cut.
	Loops bool

	// Unsequenced are expressions with undefined behaviour: they access and write an object without sequencing.
	Unsequenced []Unsequenced

	// Labels are the labels whose addresses the test uses.
	Labels []Label

	// Scopes are the scopes of a test for GPUs, the innermost first; nil if threads are in none.
	Scopes []Shared
	// Meetings are pairs of threads, by index, that synchronize outside of the test, the first before the second.
	Meetings [][2]int
	// Annotated is what a bell file has to know of a test in LISA; nil for other tests.
	Annotated *Annotated
	// Barriers: there are control barriers. Named: a location has several names.
	Barriers, Named bool

	// Unset has errors for registers that serve as addresses and never have a value. Such a program can be displayed
	// but not run.
	Unset litmus.ErrorList
}

// Unsequenced is an expression of a thread whose behaviour is undefined. Always: each execution of the thread evaluates
// it.
type Unsequenced struct {
	Thread int
	Always bool
}

// Location is a memory cell, accessed as a whole: a scalar, an element of an array, or one [Piece] of either.
type Location struct {
	Name    string // "x", "t[1]"
	Bits    int    // width
	Address uint64 // the number for &x: unique, aligned, not 0
	Init    uint64
	Signed  bool // its value prints as a signed number
	// Any: its initial value can be any number, as in newly allocated memory.
	Any bool
	// Next is the adjacent location if accesses span both, and otherwise 0.
	Next int
	// Offset is the offset in bytes of a piece in its location; it is 0 for the first piece and for a whole location.
	Offset int
	// Life, if not "", names the memory whose lifetime the location represents: it is not 0 until the lifetime ends.
	// Each access to that memory comes after a plain read of the location, and the end of the lifetime is a plain
	// write, so that the two race if neither happens before the other. Accesses without tags do not race.
	Life string
	// Tags are those of its initial write.
	Tags Tags
	// Plain: it never contains an address, so numbers in it are not printed as addresses.
	Plain bool
}

// Label is a position in a thread's code whose address is a number of the program. Branches compare values with it.
type Label struct {
	Name    string // as a test writes it: label:"P0:L0"
	Address uint64
}

// AddressNames gives the names of addresses, including those without a location.
type AddressNames interface {
	// Name returns the name of an address in a cell of some bits, or "" for a number that is not an address.
	Name(addr uint64, bits int) string
	// Find returns the address with a name.
	Find(name string) (addr uint64, ok bool)
}

// Thread is the code of one thread.
type Thread struct {
	ID   int
	Name string // "" if its number is enough
	// Spawned: it begins at a Spawn in another thread, with a smaller index, and not at all if that thread does not
	// reach it.
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
	// Pick sets register Dst to Value through an event, with tag TagPick. The event depends on the sources of Value,
	// and uses of Dst depend only on the event. This separates the source of a value from the decision for it.
	Pick struct {
		Dst   int
		Value Expr
	}
	// Choose sets register Dst, of one bit, to either value. With Stop, it decides whether the thread stops at the
	// Unwound after it, which has Again. With Weak, 0 allows an update to fail spuriously; such executions are not
	// counted separately. With Free, it is a part of a number that can have any value.
	Choose struct {
		Dst  int
		Stop bool
		Weak bool
		Free bool
	}
	// Load reads Bits bits at Addr into register Dst, extended with zeros. With Reserve it is exclusive: the next
	// StoreCond of the thread refers to it. If it reads 128 bits, Dst gets the half at Addr, and the Take after it gets
	// the other half. With Apart, each half is single-copy atomic by itself, and they are not ordered.
	Load struct {
		Dst     int
		Addr    Expr
		Bits    int
		Tags    Tags
		Reserve bool
		Apart   bool
		At      Locs
	}
	// Take sets register Dst to the second half of the value that the preceding Load of 128 bits has read.
	Take struct{ Dst int }
	// Store writes Value, which has the width of the access, at Addr. With Next, it writes Next after Value, of 64
	// bits, in the same access.
	Store struct {
		Addr  Expr
		Value Expr
		Next  Expr
		Tags  Tags
		At    Locs
	}
	// RMW reads Bits bits at Addr into register Dst and, in one atomic step, writes New, which may contain Old, if If
	// (nil: always) is 1.
	RMW struct {
		Dst  int
		Addr Expr
		Bits int
		New  Expr
		If   Expr
		Tags Tags // tags of the read
		// WriteTags are the tags of the write.
		WriteTags Tags
		// Carry: a use of Old in New makes the write depend on the read.
		Carry bool
		At    Locs
	}
	// StoreCond writes Value at Addr if it succeeds. It can only succeed if the thread's last exclusive load was from
	// the same address and no StoreCond came between; the two are then one atomic access. It may always fail. Register
	// Status becomes Ok or Fail. With Next, it writes Next after Value, of 64 bits, in the same access.
	StoreCond struct {
		Status   int
		Ok, Fail uint64
		Addr     Expr
		Value    Expr
		Next     Expr
		Tags     Tags
		// Depend: uses of Status depend on the write.
		Depend bool
		At     Locs
	}
	// Fence is a barrier; its tags say which. With Addr it belongs to a location, as a grace period of an SRCU domain
	// does, but is not an access.
	// With Barrier, it is also a control barrier; with Addr, its number is the location.
	Fence struct {
		Tags    Tags
		Addr    Expr
		Barrier *Barrier
	}
	// Lost is the target of a jump to an address, To, without a label. An execution that reaches it is an error, as is
	// an access outside all locations. With Why, it is no jump, but stands for what the dialect does not support: Why
	// is a clause whose subject, the thread, comes before it; %s in it is the value of To.
	Lost struct {
		To  Expr
		Why string
	}
	// Branch jumps to Code[Target] if Cond (nil: always) is 1.
	Branch struct {
		Cond   Expr
		Target int
	}
	// Scope saves the current control dependencies in a slot, and restores them at its End: in C, the control
	// dependency on a condition ends with the statement. Slots are numbered by nesting depth.
	Scope struct {
		Slot int
		End  bool
	}
	// Assume discards executions in which Cond is not 1: for example, a lock is acquired only where it is free. It
	// causes no dependency. With Wait, the thread waits for the condition: it repeats from step Since, where it has
	// written nothing except, by an update, the value it has read.
	Assume struct {
		Cond  Expr
		Wait  bool
		Since int
	}
	// Assert requires that Cond is 1. Otherwise the program has failed, and the thread stops; other threads do not
	// matter any more.
	Assert struct {
		Cond     Expr
		Property Property
		Text     string // for an assertion, the condition in the source; for other properties, the failure
	}
	// Spawn starts another thread, whose registers in Args begin with their arguments. In every model, earlier accesses
	// in program order come before all accesses of the thread, as with a full fence.
	Spawn struct {
		Thread int // index into Program.Threads
		Args   []Arg
	}
	// Join waits for the end of a spawned thread. All accesses of that thread come before later ones, in the same way.
	Join struct{ Thread int }
	// Atomic begins an atomic section of the thread, whose intermediate states no other thread observes or changes, or
	// ends it.
	Atomic struct{ End bool }
	// Unwound marks where a loop was cut: an execution that reaches it exceeds the bound. With Spin, it only waits:
	// another execution with the same outcome waits less. With Again, a round, which begins at step Since, has left all
	// registers that matter unchanged, whatever it has done to memory. Ending is how a thread goes on that stops here,
	// in programs of [UnrollEndless].
	Unwound struct {
		Spin, Again   bool
		Since, Before int
		Ending        Ending
	}
)

// Arg is the initial value of a register of a spawned thread.
type Arg struct {
	Reg   int
	Value Expr // over the registers of the spawning thread
}

// Locs are the locations that an access may reach, in ascending order, if the producer of the program knows them: no
// other addresses occur. Nil: only the address tells.
type Locs []int

// Property is a property that a program is checked for.
type Property string

// The properties.
const (
	Assertion   Property = "assertion"
	DataRace    Property = "data-race"
	Memory      Property = "memory" // no access to freed, unallocated or uninitialised memory
	Termination Property = "termination"
	Overflow    Property = "overflow" // signed integers do not overflow
	Leak        Property = "leak"     // all allocated memory is freed when main returns
)

// MixedSize is an internal property: a program that violates it accesses memory with several widths, which is not
// supported.
const MixedSize Property = "accesses of one width"

// Undefined is an internal property: a violation is undefined behaviour, after which nothing is known about a run. If
// Memory or Overflow are checked, violations of these count instead.
const Undefined Property = "defined behaviour"

// Properties are the properties that users can choose.
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

// Untagged returns an access without its tags, and other operations unchanged.
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

// Observable is a register or a location that an outcome contains.
type Observable struct {
	Name   string // as herd prints it: "0:EAX", "x", "t[1]"
	Thread int    // index into Program.Threads; -1 for a location
	Index  int    // register of the thread, or index of the (first) location in Program.Locs
	// Whole is the array whose elements, including this one, are shown together.
	Whole  string
	Bits   int // number of low bits that are shown
	Signed bool
	// Untyped: the test does not declare the width of the register, which other tools treat as 32 bits.
	Untyped bool
	// Fault: the register has the address of the first fault there, or 0.
	Fault FaultSite
	// Fact: the register says whether outcomes contain this value under Name; without that, they do not show it.
	Fact string
}

// FaultSite says which faults an observable is about.
type FaultSite struct {
	At   string // the thread, perhaps with a label: P0:L0; "" for an observable that is not about faults
	Kind string // "" for the observable of a pattern that no fault sets
}

// NoLocation is the error for an access to an address without a location, such as that of an instruction.
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

// LocationAt returns the location with address addr.
func (p *Program) LocationAt(addr uint64) (index int, ok bool) {
	for i := range p.Locs {
		if p.Locs[i].Address == addr {
			return i, true
		}
	}
	return 0, false
}

// locationAmong is LocationAt if the possible locations may be known.
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
