package run

import (
	"errors"
	"maps"
	"slices"

	"litmuscope/litmus/c/cprog/code"
)

// Known contains the facts about a program in a form that another process can load, with the same addresses.
//
// Addresses and numbers depend on the order in which runs met things. A process that explores a part of the executions
// must use the same ones as the others, or their executions could not be compared. So Recall creates everything in the
// recorded order, and fails if an address would be another one; MetMore then says whether the process has found
// something that the others do not know.
type Known struct {
	Functions          []string       `json:"functions,omitempty"` // by address
	Threads            []KnownThread  `json:"threads,omitempty"`   // all except main
	Blocks             []KnownBlock   `json:"blocks,omitempty"`    // by address
	Scalars            []KnownScalar  `json:"scalars,omitempty"`
	Lives              []KnownOfLives `json:"lives,omitempty"`
	UncheckedLifetimes bool           `json:"mortal,omitempty"`
}

// KnownThread is a thread that was started.
type KnownThread struct {
	By     int    `json:"by"`
	Number int    `json:"number"`
	Name   string `json:"name"`
}

// Origin identifies memory: a variable, by its number in the program, or the step of a function that allocates.
type Origin struct {
	Variable int    `json:"variable,omitempty"` // from 1
	Function string `json:"function,omitempty"`
	Step     int    `json:"step,omitempty"`
}

// KnownBlock is a block and the threads that access it.
type KnownBlock struct {
	Origin
	Thread int      `json:"thread"`
	Number int      `json:"number,omitempty"`
	Size   int      `json:"size,omitempty"`
	User   int      `json:"user"`
	Shared bool     `json:"shared,omitempty"`
	Cells  [][2]int `json:"cells,omitempty"` // if it is accessed with several widths: begin and end of each cell
}

// KnownScalar is a shared part of a block.
type KnownScalar struct {
	Block  int  `json:"block"`
	Offset int  `json:"offset,omitempty"`
	Bits   int  `json:"bits"`
	Mixed  bool `json:"mixed,omitempty"` // some accesses use it as a lock, and others do not
}

// KnownOfLives contains the facts about the lifetimes of memory from one place.
type KnownOfLives struct {
	Origin
	Watched bool `json:"watched,omitempty"`
	Ends    bool `json:"ends,omitempty"`
}

// errNameless is the error for facts about something that another process could not identify.
var errNameless = errors.New("the facts about the program cannot be serialised")

// origins numbers a program's variables in the order of the source.
type origins struct {
	p         *Program
	variables []*code.Variable
	numbers   map[*code.Variable]int
	functions map[*code.Function]string
}

func (p *Program) origins() *origins {
	o := &origins{p, nil, map[*code.Variable]int{}, map[*code.Function]string{}}
	for _, name := range slices.Sorted(maps.Keys(p.Unit.Functions)) {
		f := p.Unit.Functions[name]
		o.functions[f] = name
		for _, v := range f.Locals {
			o.number(v)
		}
		for _, s := range f.Code {
			if at, ok := s.Op.(code.Locate); ok && at.Of != nil {
				o.number(at.Of)
			}
		}
	}
	return o
}

func (o *origins) number(v *code.Variable) {
	if o.numbers[v] > 0 {
		return
	}
	o.variables = append(o.variables, v)
	o.numbers[v] = len(o.variables)
	for _, in := range v.Init {
		if in.Of != nil {
			o.number(in.Of)
		}
	}
}

func (o *origins) of(x any) (Origin, bool) {
	switch x := x.(type) {
	case *code.Variable:
		n := o.numbers[x]
		return Origin{Variable: n}, n > 0
	case place:
		name, ok := o.functions[x.fn]
		return Origin{Function: name, Step: x.pc}, ok
	}
	return Origin{}, false
}

// find returns the variable or step that an origin identifies.
func (o *origins) find(at Origin) (x any, ok bool) {
	if at.Variable > 0 {
		if at.Variable > len(o.variables) {
			return nil, false
		}
		return o.variables[at.Variable-1], true
	}
	f := o.p.Unit.Functions[at.Function]
	return place{f, at.Step}, f != nil && at.Step >= 0 && at.Step < len(f.Code)
}

// Known returns the facts known so far. It fails if they cannot be serialised.
func (p *Program) Known() (*Known, error) {
	k, o := &Known{UncheckedLifetimes: p.UncheckedLifetimes}, p.origins()
	for _, f := range p.funcs {
		name, ok := o.functions[f]
		if !ok {
			return nil, errNameless
		}
		k.Functions = append(k.Functions, name)
	}
	k.Threads = make([]KnownThread, len(p.names)-1)
	for key, n := range p.threads {
		if n > 0 {
			k.Threads[n-1] = KnownThread{key.by, key.number, p.names[n]}
		}
	}
	keys, numbers := map[*block]blockKey{}, map[*block]int{}
	for key, b := range p.blockByKey {
		keys[b] = key
	}
	for i, b := range p.blocks {
		key := keys[b]
		at, ok := o.of(key.of)
		if !ok {
			return nil, errNameless
		}
		numbers[b] = i
		known := KnownBlock{
			Origin: at, Thread: key.thread, Number: key.number, Size: key.size, User: b.user,
			Shared: b.shared,
		}
		if b.cells != nil {
			known.Cells = b.cells.ends()
		}
		k.Blocks = append(k.Blocks, known)
	}
	for _, s := range p.Scalars {
		k.Scalars = append(k.Scalars, KnownScalar{numbers[s.block], s.offset, s.Bits, s.mixed})
	}
	for of, l := range p.ends {
		at, ok := o.of(of)
		if !ok {
			return nil, errNameless
		}
		k.Lives = append(k.Lives, KnownOfLives{at, l.watched, l.ends})
	}
	slices.SortFunc(k.Lives, func(a, b KnownOfLives) int {
		if a.Variable != b.Variable {
			return a.Variable - b.Variable
		}
		if a.Function != b.Function {
			if a.Function < b.Function {
				return -1
			}
			return 1
		}
		return a.Step - b.Step
	})
	return k, nil
}

// Recall loads facts into a program that has none.
func (p *Program) Recall(k *Known) error {
	o := p.origins()
	for _, name := range k.Functions {
		f := p.Unit.Functions[name]
		if f == nil {
			return errNameless
		}
		p.addressOf(f)
	}
	for i, t := range k.Threads {
		p.threads[threadKey{t.By, t.Number}] = i + 1
		p.names = append(p.names, t.Name)
	}
	for _, l := range k.Lives {
		of, ok := o.find(l.Origin)
		if !ok {
			return errNameless
		}
		*p.lifeOf(blockKey{of: of}) = life{l.Watched, l.Ends}
	}
	for i, b := range k.Blocks {
		of, ok := o.find(b.Origin)
		if !ok {
			return errNameless
		}
		key := blockKey{b.Thread, of, b.Number, b.Size}
		var made *block
		switch of := of.(type) {
		case *code.Variable:
			made = p.variable(of, b.Thread, b.Number)
		case place:
			op, ok := of.fn.Code[of.pc].Op.(code.Allocate)
			if !ok {
				return errNameless
			}
			made = p.allocation(key, op, of.fn.Code[of.pc].Line)
		}
		if i >= len(p.blocks) || p.blocks[i] != made {
			return errNameless
		}
		made.user, made.shared = b.User, b.Shared
		for _, c := range b.Cells {
			if made.cells == nil {
				made.cells = &cells{}
			}
			made.cells.cut(c[0], c[1])
		}
	}
	for _, s := range k.Scalars {
		if s.Block >= len(p.blocks) {
			return errNameless
		}
		n, pieces, err := p.scalar(p.blocks[s.Block], s.Offset, s.Bits)
		if err != nil || len(pieces) > 0 {
			return errNameless
		}
		p.Scalars[n].mixed = s.Mixed
	}
	p.UncheckedLifetimes = p.UncheckedLifetimes || k.UncheckedLifetimes
	p.recalled = p.extent()
	return nil
}

// extent counts the things that have a number or an address by the order in which they were found, the scalars that are
// not only locks, and the cuts of blocks.
func (p *Program) extent() (n int) {
	for _, s := range p.Scalars {
		if s.mixed {
			n++
		}
	}
	for _, b := range p.blocks {
		if b.cells != nil {
			n += len(b.cells.cuts)
		}
	}
	return n + len(p.funcs) + len(p.names) + len(p.blocks) + len(p.Scalars)
}

// MetMore reports whether, since Recall, the program has found something that gets a number or an address, or has used
// a lock in another way. In another process, this may be different.
func (p *Program) MetMore() bool { return p.recalled > 0 && p.extent() > p.recalled }
