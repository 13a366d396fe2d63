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

// Anew is the error of a run that has found out something about the program that others should have known before: it is
// to be begun again.
var Anew = errors.New("the facts about the program have changed")

// Program is a program that is run, and what is known of it.
type Program struct {
	*code.Unit
	elaborate.Options
	entry *code.Function

	Scalars []Scalar // that several threads access

	funcs     []*code.Function // by address, from firstFunction on
	blocks    []*block         // by address
	known     map[blockKey]*block
	scalars   map[scalarKey]int
	threads   map[threadKey]int
	names     []string // of threads
	functions map[*code.Function]*function
	selfish   map[*code.Function]bool // those that threads may be told apart by
	heap      int                     // blocks of it so far
	ends      map[any]*life           // by place, where lives are followed
	recalled  int                     // how much was known once Recall was done
	// Follows: it is asked which reads of its thread an event depends on.
	Follows bool
	// Mortal: memory may have been accessed whose life has ended, and lives are not followed.
	Mortal bool
	looked bool // main has returned, and seen to what is not freed
}

// Scalar is a number in memory that several threads access.
type Scalar struct {
	Name    string
	Address uint64
	Bits    int
	Next    int    // the one right behind it, where accesses go over both; 0 where none does
	Life    string // as of an [ir.Location]

	block  *block
	offset int
	locked bool // it has been taken as a lock
	mixed  bool // and is not only taken and left
}

type scalarKey struct {
	address uint64
	bits    int
}

// block is memory that pointers can point into: a variable, or what an allocation gave.
type block struct {
	base   uint64
	size   int
	name   string
	pos    litmus.Pos
	zero   bool
	heap   bool
	stack  bool          // it ends with the call that has allocated it
	fixed  code.ReadOnly // why nothing may write to it
	owed   bool          // it is to be freed
	line   int           // of its allocation, into Program.Lines
	init   []initial
	layout code.LayoutOf
	thread int            // that has made it; of what is static, -1
	local  *code.Variable // nil for what is none
	depth  int            // of the call that it is a local of
	brief  bool           // it ends before its call
	own    bool           // a variable of one thread, which is not main and ends with it
	life   *life          // nil where that is not followed, and of what lives as long as the program or its thread
	// user is the one thread that accesses it as far as is known, -1 for none, and shared tells that there are others.
	user   int
	shared bool
	start  segment // what it begins with, once somebody has asked
	cells  *cells  // where it is accessed at several widths
}

type initial struct {
	offset, bits int
	value        uint64
}

type blockKey struct {
	thread int
	of     any // a variable, or the place of an allocation
	number int // of its kind: the depth of its call, or how many there have been
	size   int
}

type place struct {
	fn *code.Function
	pc int
}

type threadKey struct{ by, number int }

// Addresses, of functions and of blocks, which have a gap between them, for pointers may point in front of one.
const (
	firstFunction = 0x1000
	firstBlock    = 0x100000
	blockGap      = 0x400
	maxBlock      = 1 << 28 // bytes
)

// New makes a program ready to be run.
func New(u *code.Unit, o elaborate.Options) (*Program, error) {
	name := cmp.Or(o.Entry, "main")
	entry := u.Functions[name]
	if entry == nil {
		return nil, litmus.Errorf(litmus.Pos{},
			"the program has no function %s to start with: name another one with --entry",
			name)
	}
	return &Program{
		Unit: u, Options: o, entry: entry, known: map[blockKey]*block{}, scalars: map[scalarKey]int{},
		threads: map[threadKey]int{{-1, 0}: 0}, names: []string{name}, functions: map[*code.Function]*function{},
		ends: map[any]*life{}, selfish: map[*code.Function]bool{},
	}, nil
}

// Threads is how many threads there have been so far, in any run, and Name what one is called.
func (p *Program) Threads() int { return len(p.names) }

// Name is what a thread is called.
func (p *Program) Name(t int) string { return p.names[t] }

// threadOf is the number of a thread by who has spawned it, as which.
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

// block finds memory by a key that says where it came to be.
func (p *Program) block(key blockKey, make func() block) *block {
	if known := p.known[key]; known != nil {
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
	if p.FollowsLives() && (o.heap || o.local != nil || o.own) {
		o.life = p.lifeOf(key)
		o.life.watched = o.life.watched || o.heap && !o.stack
	}
	out := &o
	p.blocks = append(p.blocks, out)
	p.known[key] = out
	return out
}

// blockAt finds the block that an address is in.
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

// variable is the block of a variable, as a call of thread t at some depth sees it.
func (p *Program) variable(v *code.Variable, t, depth int) *block {
	key := variableKey(v, t, depth)
	if known := p.known[key]; known != nil {
		return known
	}
	b := p.block(key, func() block {
		b := block{size: v.Size, name: v.Name, pos: v.Pos, zero: v.Static, layout: v.Layout, fixed: v.ReadOnly}
		if !v.Static && !v.PerThread {
			b.local, b.depth = v, depth
		}
		b.own = v.PerThread && t > 0
		if key.thread > 0 {
			b.name = fmt.Sprintf("%s@%d", v.Name, t+1)
		}
		return b
	})
	// It has its address by now: what it points to may point back, as a list that is empty does to itself.
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

// begins is what a block begins with.
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

// at is how C writes what is at an offset of a block.
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

// scalar is the number of what is accessed, of memory that several threads access; of the first of several, which are
// its pieces. Its error is [Anew], where it has not been accessed like that before.
func (p *Program) scalar(b *block, offset, bits int) (n int, pieces []ir.Piece, err error) {
	key := scalarKey{b.base + uint64(offset), bits}
	if n, ok := p.scalars[key]; ok {
		return n, nil, nil
	}
	if offset < b.size { // or it is a byte that goes with it
		switch pieces, err = p.pieces(b, offset, bits); {
		case err != nil:
			return -1, nil, err
		case pieces != nil:
			return pieces[0].Loc, pieces, nil
		}
	}
	return p.count(b, offset, bits), nil, nil
}

// count gives a scalar a number, if it has none.
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

// allocation finds the memory of an allocation.
func (p *Program) allocation(key blockKey, o code.Allocate, line int) *block {
	return p.block(key, func() block {
		p.heap++
		return p.allocated(o, key.size, line)
	})
}

// allocated is the block of an allocation.
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

// Maker is the thread that a scalar is a part of a local of, or of what it has allocated; -1 where it is of none.
func (p *Program) Maker(scalar int) int { return p.Scalars[scalar].block.thread }

// Begins is what a scalar has when there is more than one thread, main's memory having been image then; it is not set
// where nobody knows.
func (p *Program) Begins(scalar int, image *Image) (v uint64, set bool) {
	s := &p.Scalars[scalar]
	var m *memory
	if image != nil {
		m = &image.memory
	}
	v, unset := lookUp(s.block, s.offset, s.Bits/8, m)
	return v, unset == 0
}

// Image is memory as it is when main spawns its first thread.
type Image struct {
	memory memory
	open   []*block // some of which may be several numbers, by what main decides on
}

var noProgram ir.Program
