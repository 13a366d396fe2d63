package elaborate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/ir"
)

// block is memory that pointers can point into: a variable, or what an allocation gave.
type block struct {
	name   string
	pos    litmus.Pos
	base   uint64
	size   int // in bytes
	zero   bool
	init   []code.Initial
	heap   bool
	fixed  code.ReadOnly // why nothing may write to it
	owed   bool          // it is to be freed
	stack  bool          // it ends with the call that has allocated it
	line   int           // of its allocation, into the unit's lines
	layout code.LayoutOf // nil where nobody knows
	brief  bool          // a local that ends before its call
	// perThread: it is a variable of one thread, which is not main and ends with it.
	perThread bool
	freed     bool // by some thread, perhaps, or a local that others know of
	depth     int  // of the call that it is a local of, from 1; 0 for none
	of        *code.Function
	by        *threadInfo // whose call it is, or whose variable
	cells     map[int]*cell
	// users are the threads that access it once there is more than one thread, and shared
	// tells that it has to be memory for all of them, for that or another reason.
	users  []*threadInfo
	shared bool
	bytes  bool // it is accessed at two widths
	parted int  // how often it has been taken for bytes, and then not
}

// cell is a scalar in an block, as it is accessed.
type cell struct {
	block  *block
	offset int // in bytes; below 0 for those that go with the block
	bits   int
	pos    litmus.Pos // of an access
	held   *value     // what it may hold, where it is shared, as of the last pass
	stored *value     // what threads store there in this pass
	added  []addition // what read-modify-writes add to it in this pass
	adds   []addition // in the last one, to what it had then but for them
	base   *value
	used   bool   // accessed as memory in this pass
	seen   int    // the last pass in which an access may have been to it
	sure   int    // the last one in which one was, to it alone: others may be to it by what little is known of them
	grown  int    // passes in which held has grown
	begins *value // what main has put there before there are other threads; nil for nothing
	loc    int    // index into the program's locations, in this pass; -1 for none
	signed bool
	// doubtful: it is read where some ways have written to it, and others have not.
	doubtful bool
}

// addition is what a read-modify-write adds. It does so once at most, so that what it reads is without that.
type addition struct {
	site uint64
	n    uint64
}

// sums are what a cell may hold where all may have been added, but for those of one site.
func (e *elaboration) sums(c *cell, but uint64) *value {
	now := c.base
	for _, a := range c.adds {
		if a.site != but {
			plus := e.mapped(now, func(v uint64) uint64 { return (v + a.n) & ir.Mask(c.bits) }, false)
			now = e.join(now, plus.impure())
		}
	}
	return now
}

// address is where a cell is: the bytes that go with a block are behind it.
func (c *cell) address() uint64 {
	if c.offset < 0 {
		return c.block.base + uint64(c.block.size-c.offset-1)
	}
	return c.block.base + uint64(c.offset)
}

// Addresses: of functions, and of blocks.
const (
	firstFunction = 0x1000
	firstBlock    = 0x100000
	// blockGap keeps blocks apart, for container_of may point in front of one.
	blockGap = 0x400
)

// block finds memory by a key that says where it came to be.
func (e *elaboration) block(key uint64, o block) *block {
	if known := e.known[key]; known != nil {
		return known
	}
	next := uint64(firstBlock)
	if n := len(e.blocks); n > 0 {
		last := e.blocks[n-1]
		next = last.base + uint64(last.size) + blockGap
	}
	align := uint64(16)
	for align < uint64(o.size) && align < 4096 {
		align *= 2
	}
	o.base = (next + align - 1) &^ (align - 1)
	o.cells = map[int]*cell{}
	out := &o
	e.blocks = append(e.blocks, out)
	e.known[key] = out
	e.changed = true
	return out
}

// blockAt finds the block that an address is in, or right behind.
func (e *elaboration) blockAt(addr uint64) *block {
	i, found := slices.BinarySearchFunc(e.blocks, addr, func(o *block, a uint64) int { return cmp.Compare(o.base, a) })
	if !found {
		i--
	}
	if i < 0 || addr > e.blocks[i].base+uint64(e.blocks[i].size) {
		return nil
	}
	return e.blocks[i]
}

// functionAt is the function of an address, or nil.
func (e *elaboration) functionAt(addr uint64) *code.Function {
	if i := (addr - firstFunction) / 16; addr >= firstFunction && addr%16 == 0 && i < uint64(len(e.funcs)) {
		return e.funcs[i]
	}
	return nil
}

func (e *elaboration) addressOf(f *code.Function) uint64 {
	i := slices.Index(e.funcs, f)
	if i < 0 {
		i = len(e.funcs)
		e.funcs = append(e.funcs, f)
		e.changed = true
	}
	return firstFunction + 16*uint64(i)
}

// identity numbers the variables.
func (e *elaboration) identity(v *code.Variable) int {
	n, ok := e.variables[v]
	if !ok {
		n = len(e.variables) + 1
		e.variables[v] = n
	}
	return n
}

// share makes an block memory for all threads.
func (e *elaboration) share(o *block) {
	if !o.shared {
		o.shared = true
		e.changed = true
	}
}

// overlaps tells whether a cell has bytes of an access.
func (c *cell) overlaps(offset, bits int) bool {
	return c.offset >= 0 && offset >= 0 && offset < c.offset+c.bits/8 && c.offset < offset+bits/8
}

func (c *cell) name() string {
	switch {
	case c.offset == alive:
		return c.block.name + " (allocated)"
	case c.offset == given:
		return c.block.name + " (given)"
	case c.block.bytes:
		return c.block.at(c.offset)
	case c.offset == 0 && len(c.block.cells) == 1 && c.block.size*8 == c.bits:
		return c.block.name
	case c.block.layout != nil:
		name, _ := c.block.layout(c.offset)
		return name
	case c.block.size*8 == c.bits:
		return c.block.name
	}
	return fmt.Sprintf("%s+%d", c.block.name, c.offset)
}

// initially is what a cell has before the program begins.
func (e *elaboration) initially(c *cell) *value {
	if c.offset < 0 {
		return exactly(uint64(c.offset - given)) // it is alive, and not given
	}
	var all uint64
	out := exactly(0)
	set := c.block.zero
	for _, in := range c.block.init { // perhaps of other widths
		behind := 8 * (in.Offset - c.offset)
		if behind <= -in.Bits || behind >= c.bits {
			continue
		}
		n := in.Value
		switch {
		case in.Of != nil:
			n += e.static(in.Of).base
			out.plain = false
		case in.Function != nil:
			n += e.addressOf(in.Function)
			out.plain = false
		}
		n &= ir.Mask(in.Bits)
		if set = true; behind < 0 {
			all |= n >> -behind
		} else {
			all |= n << behind
		}
	}
	if set {
		out.set[0] = all & ir.Mask(c.bits)
		return out
	}
	out.unset = true
	return out
}

// static is the block of a variable of which there is one.
func (e *elaboration) static(v *code.Variable) *block {
	return e.block(mix(0, uint64(e.identity(v))),
		block{
			name: v.Name, pos: v.Pos, size: max(v.Size, 1), zero: true, init: v.Init, layout: v.Layout,
			fixed: v.ReadOnly,
		})
}

// begins is what a cell has when there is more than one thread.
func (e *elaboration) begins(c *cell) *value {
	if c.begins != nil {
		return c.begins
	}
	return e.initially(c)
}

// layOut gives the cells that were memory for several threads in the last pass their locations, in the order of
// addresses.
func (e *elaboration) layOut() {
	for _, o := range e.blocks {
		cells := make([]*cell, 0, len(o.cells))
		for _, c := range o.cells {
			c.loc = -1
			if c.used {
				cells = append(cells, c)
			}
			c.used = false
		}
		slices.SortFunc(cells, func(a, b *cell) int { return cmp.Compare(a.offset, b.offset) })
		for _, c := range cells {
			e.locate(c)
			c.used = false
		}
	}
}

// locate makes a location of a cell.
func (e *elaboration) locate(c *cell) int {
	c.used = true
	if c.loc >= 0 {
		return c.loc
	}
	begins := e.begins(c)
	life := ""
	if c.offset == alive {
		life = c.block.name
	}
	c.loc = len(e.program.Locs)
	e.program.Locs = append(e.program.Locs, ir.Location{
		Name: c.name(), Bits: c.bits, Address: c.address(), Init: begins.set[0], Signed: c.signed,
		Any: begins.unset, Life: life,
		Plain: begins.plain && (c.held == nil || c.held.plain),
	})
	return c.loc
}

func (e *elaboration) same(v, w *value) bool {
	return v.pure == w.pure && v.unset == w.unset && v.loose == w.loose && e.within(v, w) && e.within(w, v)
}

// hold notes what a thread stores in a cell.
func (e *elaboration) hold(c *cell, v *value) {
	if v.unset {
		v = settled(v)
	}
	c.stored = e.join(c.stored, v)
}

// maxGrowth bounds the passes in which a cell is found to hold ever more numbers.
const maxGrowth = 5

// learn makes what was stored in a pass what cells may hold in the next. In the first passes
// what is no longer stored is forgotten, so that wrong guesses do not last.
func (e *elaboration) learn(pass int) {
	again := e.changed
	for _, o := range e.blocks {
		for at, c := range o.cells {
			if again && c.seen < pass { // what led there was a wrong guess
				delete(o.cells, at)
				continue
			}
			c.base, c.adds = e.join(e.begins(c), c.stored), c.added
			now := e.sums(c, 0)
			if pass > maxPasses/6 {
				now = e.join(c.held, now)
			}
			if !e.same(now, c.held) {
				if c.grown++; c.grown > maxGrowth && !o.bytes && now.set != nil && len(e.pointed(now)) == 0 &&
					e.functions(now) == 0 { // it is counted up
					now = &value{mod: 1, loose: now.loose, plain: now.plain}
				}
				c.held, e.changed = now, true
			}
			c.stored, c.added = nil, nil
		}
	}
}

// forget leaves out what a pass has found that did not come to its end.
func (e *elaboration) forget() {
	for _, o := range e.blocks {
		for _, c := range o.cells {
			c.stored, c.added = nil, nil
		}
	}
}

// fits tells whether an access of a width may be to an offset of a block. Where an address is
// not known, what it may be by what is known of it goes beyond what it is.
func (o *block) fits(offset, bits int) bool {
	if o.bytes {
		return offset%(bits/8) == 0
	}
	if c := o.cells[offset]; c != nil {
		return c.bits == bits
	}
	for at := max(0, offset-7); at < offset+bits/8; at++ {
		if c := o.cells[at]; c != nil && c.overlaps(offset, bits) {
			return false
		}
	}
	if o.layout == nil {
		return offset%(bits/8) == 0
	}
	_, want := o.layout(offset)
	return want == 0 || want == bits
}

// otherwise names a block, and how it is accessed that is accessed now with so many bits.
func (o *block) otherwise(bits int) string {
	for _, at := range slices.Sorted(maps.Keys(o.cells)) {
		if c := o.cells[at]; at >= 0 && c.bits != bits {
			return fmt.Sprintf("%s, where %s is accessed with %d bits at %v", o.name, c.name(), c.bits, c.pos)
		}
	}
	return o.name + ", whose members there have other widths"
}
