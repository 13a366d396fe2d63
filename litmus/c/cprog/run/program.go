package run

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/ir"
)

// Anew is the error of a run that has found a new fact about the program that earlier steps should have known: the
// exploration must start again.
var Anew = errors.New("the facts about the program have changed")

// Program is a program to run, with the facts known about it.
//
// An engine runs the threads many times, in different orders and with different values read. What one run calls by a
// number must have the same number in all of them: functions, blocks, threads and scalars. So a block is identified by
// how it comes to exist: a variable and the depth of its call, or the thread, the step that allocates, how often that
// thread has allocated there, and the size. It gets its address in the run that meets it first, and keeps it.
//
// Some facts change what earlier steps should have done, above all that a second thread accesses a block. Accesses of
// private memory are no actions, so the runs so far lack them. Such a fact is recorded and the step returns Anew; the
// engine discards what it has explored and starts again with the same Program. Facts are only added, and the explored
// runs have finitely many blocks, pieces and locks, so restarts end.
type Program struct {
	*code.Unit
	elaborate.Options
	entry *code.Function

	Scalars []Scalar // the shared scalars

	funcs          []*code.Function // by address, from firstFunction on
	blocks         []*block         // by address
	blockByKey     map[blockKey]*block
	scalars        map[scalarKey]int
	threads        map[threadKey]int
	names          []string // names of threads
	functions      map[*code.Function]*function
	threadSpecific map[*code.Function]bool // functions by which threads can be distinguished
	heap           int                     // number of allocated blocks so far
	ends           map[any]*life           // lifetimes by place, if they are tracked
	recalled       int                     // extent after Recall
	// Follows: dependencies of events on reads are tracked.
	Follows bool
	// UncheckedLifetimes: some access may have been after the end of a lifetime, but lifetimes are not tracked.
	UncheckedLifetimes bool
	looked             bool // main has returned and checked that memory is freed
}

// Scalar is a number in shared memory.
type Scalar struct {
	Name    string
	Address uint64
	Bits    int
	Next    int    // the adjacent scalar, if accesses span both; otherwise 0
	Life    string // see [ir.Location]

	block  *block
	offset int
	locked bool // it has been locked as a lock
	mixed  bool // and has also been used in other ways
}

type scalarKey struct {
	address uint64
	bits    int
}

// block is memory that pointers can point into: a variable or an allocation.
//
// The initial contents are computed when a thread first reads or writes the block, and are the same for all threads
// (begins). What main writes before it starts threads is in the Image that all threads share.
type block struct {
	base        uint64
	size        int
	name        string
	pos         litmus.Pos
	zero        bool
	heap        bool
	stack       bool          // its lifetime ends with the call that has allocated it
	fixed       code.ReadOnly // the reason why it is read-only, if it is
	owed        bool          // it must be freed
	line        int           // line of its allocation, an index into Program.Lines
	init        []initial
	layout      code.LayoutOf
	thread      int            // thread that has created it; -1 for static variables
	local       *code.Variable // nil for what is none
	depth       int            // of the call that it is a local of
	brief       bool           // it ends before its call
	threadLocal bool           // a variable of one thread, which is not main and ends with it
	life        *life          // nil if lifetimes are not tracked or it lives as long as the program or its thread
	// user is the only thread known to access it, or -1; shared says that there are several.
	user   int
	shared bool
	start  segment // initial contents, computed when needed
	cells  *cells  // if it is accessed with several widths
}

type initial struct {
	offset, bits int
	value        uint64
}

type blockKey struct {
	thread int
	of     any // the variable, or the place of the allocation
	number int // the depth of its call, or the number of the allocation at its place
	size   int
}

type place struct {
	fn *code.Function
	pc int
}

type threadKey struct{ by, number int }

// Addresses of functions and blocks. There are gaps between blocks, because pointers may point before one.
const (
	firstFunction = 0x1000
	firstBlock    = 0x100000
	blockGap      = 0x400
	maxBlock      = 1 << 28 // bytes
)

// New creates a program that threads can run.
func New(u *code.Unit, o elaborate.Options) (*Program, error) {
	name := cmp.Or(o.Entry, "main")
	entry := u.Functions[name]
	if entry == nil {
		return nil, litmus.Errorf(litmus.Pos{},
			"the program has no function %s to start with: name another one with --entry",
			name)
	}
	return &Program{
		Unit: u, Options: o, entry: entry, blockByKey: map[blockKey]*block{}, scalars: map[scalarKey]int{},
		threads: map[threadKey]int{{-1, 0}: 0}, names: []string{name}, functions: map[*code.Function]*function{},
		ends: map[any]*life{}, threadSpecific: map[*code.Function]bool{},
	}, nil
}

// Threads returns the number of threads that any run has started so far.
func (p *Program) Threads() int { return len(p.names) }

// Name returns the name of a thread.
func (p *Program) Name(t int) string { return p.names[t] }

// threadOf returns the number of the thread that a thread has started as its number-th.
func (p *Program) threadOf(by, number int, fn *code.Function) int {
	key := threadKey{by, number}
	n, ok := p.threads[key]
	if !ok {
		n = len(p.names)
		p.threads[key] = n
		p.names = append(p.names, fn.Name)
	}
	return n
}

func (p *Program) addressOf(f *code.Function) uint64 {
	i := slices.Index(p.funcs, f)
	if i < 0 {
		i = len(p.funcs)
		p.funcs = append(p.funcs, f)
	}
	return firstFunction + 16*uint64(i)
}

func (p *Program) functionAt(addr uint64) *code.Function {
	if i := (addr - firstFunction) / 16; addr >= firstFunction && addr%16 == 0 && i < uint64(len(p.funcs)) {
		return p.funcs[i]
	}
	return nil
}

// block returns the block with a key, which identifies where it is created, and creates it the first time.
func (p *Program) block(key blockKey, make func() block) *block {
	if known := p.blockByKey[key]; known != nil {
		return known
	}
	o := make()
	next := uint64(firstBlock)
	if n := len(p.blocks); n > 0 {
		last := p.blocks[n-1]
		next = last.base + uint64(last.size) + blockGap
	}
	align := uint64(16)
	for align < uint64(o.size) && align < 4096 {
		align *= 2
	}
	o.base, o.thread, o.user = (next+align-1)&^(align-1), key.thread, -1
	if p.FollowsLives() && (o.heap || o.local != nil || o.threadLocal) {
		o.life = p.lifeOf(key)
		o.life.watched = o.life.watched || o.heap && !o.stack
	}
	out := &o
	p.blocks = append(p.blocks, out)
	p.blockByKey[key] = out
	return out
}

// blockAt returns the block that contains an address.
func (p *Program) blockAt(addr uint64) *block {
	i, found := slices.BinarySearchFunc(p.blocks, addr, func(o *block, a uint64) int { return cmp.Compare(o.base, a) })
	if !found {
		i--
	}
	if i < 0 || addr >= p.blocks[i].base+uint64(max(p.blocks[i].size, 1)) {
		return nil
	}
	return p.blocks[i]
}

func variableKey(v *code.Variable, t, depth int) blockKey {
	key := blockKey{thread: -1, of: v}
	switch {
	case v.PerThread:
		key.thread = t
	case !v.Static:
		key.thread, key.number = t, depth
	}
	return key
}

// variable returns the block of a variable, as seen from a call of thread t at a depth.
func (p *Program) variable(v *code.Variable, t, depth int) *block {
	key := variableKey(v, t, depth)
	if known := p.blockByKey[key]; known != nil {
		return known
	}
	b := p.block(key, func() block {
		b := block{size: v.Size, name: v.Name, pos: v.Pos, zero: v.Static, layout: v.Layout, fixed: v.ReadOnly}
		if !v.Static && !v.PerThread {
			b.local, b.depth = v, depth
		}
		b.threadLocal = v.PerThread && t > 0
		if key.thread > 0 {
			b.name = fmt.Sprintf("%s@%d", v.Name, t+1)
		}
		return b
	})
	// The block already has its address, because its initial value may point back to it, as in an empty list.
	for _, in := range v.Init {
		n := in.Value
		switch {
		case in.Of != nil:
			n += p.variable(in.Of, t, 0).base
		case in.Function != nil:
			n += p.addressOf(in.Function)
		}
		b.init = append(b.init, initial{in.Offset, in.Bits, n})
	}
	return b
}

// constant reports whether a block has its initial value for ever.
func (b *block) constant() bool { return b.fixed != "" && b.local == nil && !b.threadLocal }

// begins returns the initial contents of a block.
func (b *block) begins() segment {
	if b.start.data == nil {
		s := segment{base: b.base, data: make([]byte, b.size+companions), set: make([]byte, b.size+companions)}
		s.write(b.size+alive, 1, 1, 0)
		s.write(b.size+given, 1, 0, 0)
		if b.zero {
			for i := range s.set {
				s.set[i] = 1
			}
		}
		for _, in := range b.init {
			s.write(in.offset, in.bits/8, in.value, 0)
		}
		b.start = s
	}
	return b.start
}

// at returns the C notation of the scalar at an offset of a block.
func (b *block) at(offset, bits int) string {
	switch offset - b.size {
	case alive:
		return b.name + " (allocated)"
	case given:
		return b.name + " (given)"
	}
	if b.layout != nil {
		if name, _ := b.layout(offset); name != "" {
			return name
		}
	}
	if offset == 0 && b.size*8 == bits {
		return b.name
	}
	return fmt.Sprintf("%s+%d", b.name, offset)
}

// scalar returns the number of the scalar that a shared access reaches, or the first of several, which are its pieces.
// The error is [Anew] if the memory has not been accessed like that before.
func (p *Program) scalar(b *block, offset, bits int) (n int, pieces []ir.Piece, err error) {
	key := scalarKey{b.base + uint64(offset), bits}
	if n, ok := p.scalars[key]; ok {
		return n, nil, nil
	}
	if offset < b.size { // otherwise it is a companion byte
		switch pieces, err = p.pieces(b, offset, bits); {
		case err != nil:
			return -1, nil, err
		case pieces != nil:
			return pieces[0].Loc, pieces, nil
		}
	}
	return p.count(b, offset, bits), nil, nil
}

// count returns the number of a scalar and assigns one the first time.
func (p *Program) count(b *block, offset, bits int) int {
	key := scalarKey{b.base + uint64(offset), bits}
	n, ok := p.scalars[key]
	if !ok {
		n = len(p.Scalars)
		p.scalars[key] = n
		s := Scalar{
			Name: b.at(offset, bits), Address: key.address, Bits: bits, block: b, offset: offset,
			mixed: b.cells != nil,
		}
		if offset == b.size+alive {
			s.Life = b.name
		}
		p.Scalars = append(p.Scalars, s)
	}
	return n
}

// allocation returns the block of an allocation and creates it the first time.
func (p *Program) allocation(key blockKey, o code.Allocate, line int) *block {
	return p.block(key, func() block {
		p.heap++
		return p.allocated(o, key.size, line)
	})
}

// allocated describes the block of an allocation.
func (p *Program) allocated(o code.Allocate, size, line int) block {
	name := fmt.Sprintf("%s#%d", cmp.Or(o.Name, "memory"), p.heap)
	b := block{size: size, name: name, pos: p.pos(line), zero: o.Zero, heap: true, stack: o.Local, owed: o.Owed &&
		slices.Contains(p.Properties, ir.Leak), line: line}
	if o.Layout != nil {
		b.layout = func(offset int) (string, int) {
			part, bits := o.Layout(offset)
			return name + part, bits
		}
	}
	return b
}

// Maker returns the thread whose local or allocation contains a scalar, or -1.
func (p *Program) Maker(scalar int) int { return p.Scalars[scalar].block.thread }

// Begins returns the value of a scalar when the second thread starts; image is main's memory at that time. set is false
// if the value is unknown.
func (p *Program) Begins(scalar int, image *Image) (v uint64, set bool) {
	s := &p.Scalars[scalar]
	var m *memory
	if image != nil {
		m = &image.memory
	}
	v, unset := lookUp(s.block, s.offset, s.Bits/8, m)
	return v, unset == 0
}

// Image is memory at the time when main starts the first thread.
type Image struct {
	memory memory
	open   []*block // blocks that contain numbers with open bits, on which main decides
}

var noProgram ir.Program
