package cprog

import (
	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// unit is a program as code, before anything is run: what lower makes of the syntax trees,
// and elaborate runs.
type unit struct {
	pointer   int // width of a pointer in bits: 64, or 32
	functions map[string]*function
	last      bool          // functions run when main has returned
	lines     []litmus.Cell // statements as written, each on one line; steps refer to them
	remarks   []litmus.Remark
}

// function is the code of a function, or of a variable's initialiser at run time.
type function struct {
	name   string
	pos    litmus.Pos
	params []int // registers, in order
	result int   // width in bits; 0 for none
	regs   []register
	locals []*variable // those that have an address; new ones in each call
	code   []step
}

// register is a local that has no address, or a temporary of no name.
type register struct {
	name string
	bits int
}

// variable is memory with a name: a global, a static, or a local whose address is taken.
type variable struct {
	name      string
	pos       litmus.Pos
	size      int // in bytes
	align     int
	perThread bool // _Thread_local
	static    bool // begins with zeros and init; other memory begins with anything
	init      []initial
	layout    layoutOf // names its scalars, "q.next" or "a[3]"; nil: nobody knows
}

// initial is a scalar in a static variable's initialiser.
type initial struct {
	offset int // in bytes
	bits   int
	value  uint64
	// of and function, one at most, is what the value is an address in, or of: value is
	// added to it.
	of       *variable
	function *function
}

// step is an operation with the place that it comes from.
type step struct {
	op   op
	line int // index into unit.lines
}

// op is an operation of a function. Expressions are over the function's registers.
type op interface{}

// access is how memory is accessed: as C11 orders it, or not atomically at all, or with the tags
// of a kernel primitive. Tags of an atomic access are more of them, a mutex's.
type access struct {
	atomic   bool
	order    c.Order
	volatile bool
	tags     ir.Tags
}

type (
	// assign sets register dst.
	assign struct {
		dst   int
		value ir.Expr
	}
	// locate sets dst to the address of a variable, or of a function.
	locate struct {
		dst int
		of  *variable
		fn  *function
	}
	// choose sets dst to any value.
	choose struct{ dst int }
	// load reads dst, of the register's width, at addr.
	load struct {
		dst  int
		addr ir.Expr
		how  access
	}
	// store writes value, of its width, at addr.
	store struct {
		addr, value ir.Expr
		how         access
	}
	// update reads dst at addr, of the register's width, and in one atomic step writes next, which may
	// mention ir.Old, where when (nil: always) is 1. Register wrote, if there is one (-1: none), of one
	// bit, tells whether it did.
	// Where it does not, the read is ordered as failed says. Where weak is 1 (nil: never), it may do so for no
	// reason.
	update struct {
		dst, wrote  int
		addr        ir.Expr
		next, when  ir.Expr
		read, write access
		failed      access
		weak        ir.Expr
	}
	// fence is a barrier: of a C11 order, or with the tags of a kernel's or a machine's.
	fence struct {
		order c.Order
		tags  ir.Tags
		addr  ir.Expr // of an SRCU domain; else nil
	}
	// branch goes to code[target] where cond (nil: always) is 1.
	branch struct {
		cond   ir.Expr
		target int
	}
	// call runs fn, or where that is nil, what target points to; dst is -1 where no result is wanted.
	call struct {
		dst    int
		fn     *function
		target ir.Expr
		args   []ir.Expr
	}
	// ret returns to the caller.
	ret struct{ value ir.Expr } // nil: nothing
	// allocate sets dst to new memory of a number of bytes, zeros or anything.
	allocate struct {
		dst  int
		size ir.Expr
		zero bool
		// name is what the memory is called, after what points to it; layout names its scalars, ".next"
		// or "[3].val", and "" for all of it; nil: nobody knows.
		name   string
		layout layoutOf
	}
	// free ends the life of allocated memory; a null pointer does nothing.
	free struct{ addr ir.Expr }
	// spawn starts a thread that calls target, or fn, with args, and sets handle, if it is not -1, to its number,
	// which is not 0.
	spawn struct {
		handle int
		fn     *function
		target ir.Expr
		args   []ir.Expr
	}
	// join waits for the thread of a number to end; dst, if it is not -1, is what the thread returned.
	join struct {
		dst    int
		handle ir.Expr
	}
	// exit ends the thread.
	exit struct{ value ir.Expr } // nil: nothing
	// self sets dst to the number of the thread, as its spawn has it; main's is 1.
	self struct{ dst int }
	// assume goes on only where cond is 1: no execution comes of others, but one that waits for that.
	assume struct {
		cond ir.Expr
		wait waiting
	}
	// attempt is where a round begins that waiting goes back to.
	attempt struct{ of waiting }
	// assert says that cond should be 1.
	assert struct {
		cond     ir.Expr
		property ir.Property
		text     string
	}
	// section begins an atomic section, or ends it.
	section struct{ end bool }
	// bound limits the loop whose head comes next to so many rounds.
	bound struct{ rounds int }
)

// waiting is what goes round until a condition holds, if anything does.
type waiting int

const (
	assumed waiting = iota // nothing does
	takes                  // a function of a library
	spins                  // from __VERIFIER_spin_start to __VERIFIER_spin_end
)
