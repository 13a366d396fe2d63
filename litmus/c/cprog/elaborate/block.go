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

// Memory as pointers see it. Addresses are numbers, so that casts, comparisons and arithmetic of pointers need no cases
// of their own. Each block has a range of addresses that no other one has, with a gap before the next block, because
// container_of may compute an address before the beginning of a block. An address at the end of a block still belongs
// to the block, as in C, although no access may be there.
//
// A block has no scalars until it is accessed: an access of some width at some offset makes a cell. Two accesses of a
// block that overlap without being to the same cell turn the block into bytes (bytes.go), unless the address of one of
// them is imprecise, so that the access may be impossible (see cell.sure).

// block is memory that pointers can point into: a variable or an allocation.
type block struct {
	name   string
	pos    litmus.Pos
	base   uint64
	size   int // in bytes
	zero   bool
	init   []code.Initial
	heap   bool
	fixed  code.ReadOnly // the reason why it is read-only, if it is
	owed   bool          // it must be freed
	stack  bool          // its life ends with the call that has allocated it
	line   int           // line of its allocation, an index into the unit's lines
	layout code.LayoutOf // nil if unknown
	brief  bool          // a local whose life ends before its call
	// perThread: it is a thread-local variable of a thread other than main.
	perThread bool
	freed     bool // some thread may free it, or it is a local that others can access
	depth     int  // call depth of the call that it is a local of, from 1; 0 for none
	of        *code.Function
	by        *threadInfo // the thread of the call or the variable
	cells     map[int]*cell
	// users are the threads that access it while there is more than one thread. shared says
	// that it must be shared memory, for that or another reason.
	users  []*threadInfo
	shared bool
	bytes  bool // it is accessed with two widths and so consists of bytes
	parted int  // how often it was treated as bytes and then reset
}

// constant reports whether a block has its initial value for ever.
func (o *block) constant() bool { return o.fixed != "" && o.by == nil }

// cell is a scalar in a block, as it is accessed.
type cell struct {
	block    *block
	offset   int // in bytes; negative for companions of the block
	bits     int
	pos      litmus.Pos // position of an access
	possible *value     // possible values, if it is shared, according to the last pass
	stored   *value     // values that threads store in this pass
	added    []addition // numbers that read-modify-writes add in this pass
	adds     []addition // those of the last pass, added to the values without them
	base     *value
	used     bool   // it is accessed as memory in this pass
	seen     int    // the last pass in which an access may reach it
	sure     int    // the last pass in which an access reaches only it; other accesses have imprecise addresses
	grown    int    // number of passes in which possible has grown
	begins   *value // value that main stores before it starts threads; nil if none
	loc      int    // index of the location in this pass; -1 if none
	signed   bool
	// doubtful: it is read where some paths have written it and others have not.
	doubtful bool
}

// addition is the number that a read-modify-write adds. It adds at most once, so the value it reads does not include
// it.
type addition struct {
	site uint64
	n    uint64
}

// sums returns the possible values of a cell after all additions except those of one site.
//
// Without additions, a read-modify-write that increments would store a new number in each pass. In a program without
// loops, each site is executed at most once, so the possible values are those of the stores, plus the number of each
// site or not. A site itself reads the sums of the others only.
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

// address returns the address of a cell. Companions of a block are after its end.
func (c *cell) address() uint64 {
	if c.offset < 0 {
		return c.block.base + uint64(c.block.size-c.offset-1)
	}
	return c.block.base + uint64(c.offset)
}

// Ranges of addresses for functions and for blocks.
const (
	firstFunction = 0x1000
	firstBlock    = 0x100000
	// blockGap separates blocks, because container_of may point before the beginning of one.
	blockGap = 0x400
)

// block returns the block with a key, which identifies where it is created, and creates it the first time.
func (e *elaboration) block(key uint64, o block) *block {
	if known := e.blockByKey[key]; known != nil {
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
	e.blockByKey[key] = out
	e.changed = true
	return out
}

// blockAt returns the block that contains an address or ends at it, or nil.
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

// functionAt returns the function with an address, or nil.
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

// share makes a block shared memory.
func (e *elaboration) share(o *block) {
	if !o.shared {
		o.shared = true
		e.changed = true
	}
}

// overlaps reports whether an access overlaps a cell.
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

// initially returns a cell's value before the program begins.
func (e *elaboration) initially(c *cell) *value {
	if c.offset < 0 {
		return exactly(uint64(c.offset - given)) // alive is 1, given is 0
	}
	var all uint64
	out := exactly(0)
	set := c.block.zero
	for _, in := range c.block.init { // which may have other widths
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

// static returns the block of a variable that exists once.
func (e *elaboration) static(v *code.Variable) *block {
	return e.block(mix(0, uint64(e.identity(v))),
		block{
			name: v.Name, pos: v.Pos, size: max(v.Size, 1), zero: true, init: v.Init, layout: v.Layout,
			fixed: v.ReadOnly,
		})
}

// valueAtStart returns a cell's value at the time when main starts the first thread.
func (e *elaboration) valueAtStart(c *cell) *value {
	if c.begins != nil {
		return c.begins
	}
	return e.initially(c)
}

// layOut creates locations for the cells that were shared memory in the last pass, in the order of addresses.
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

// locate returns the location of a cell and creates it if necessary.
func (e *elaboration) locate(c *cell) int {
	c.used = true
	if c.loc >= 0 {
		return c.loc
	}
	begins := e.valueAtStart(c)
	life := ""
	if c.offset == alive {
		life = c.block.name
	}
	c.loc = len(e.program.Locs)
	e.program.Locs = append(e.program.Locs, ir.Location{
		Name: c.name(), Bits: c.bits, Address: c.address(), Init: begins.set[0], Signed: c.signed,
		Any: begins.unset, Life: life,
		Plain: begins.plain && (c.possible == nil || c.possible.plain),
	})
	return c.loc
}

func (e *elaboration) same(v, w *value) bool {
	return v.pure == w.pure && v.unset == w.unset && v.loose == w.loose && e.within(v, w) && e.within(w, v)
}

// recordStore records that a thread stores a value in a cell.
func (e *elaboration) recordStore(c *cell, v *value) {
	if v.unset {
		v = definite(v)
	}
	c.stored = e.join(c.stored, v)
}

// maxGrowth is the maximum number of passes in which the values of a cell are enumerated and grow.
const maxGrowth = 5

// learn makes the values stored in a pass the possible values of cells in the next one. In the first passes, it drops
// values that are no longer stored, so that wrong guesses do not persist.
func (e *elaboration) learn(pass int) {
	again := e.changed
	for _, o := range e.blocks {
		for at, c := range o.cells {
			if again && c.seen < pass { // the access was a wrong guess
				delete(o.cells, at)
				continue
			}
			c.base, c.adds = e.join(e.valueAtStart(c), c.stored), c.added
			now := e.sums(c, 0)
			if pass > maxPasses/6 {
				now = e.join(c.possible, now)
			}
			if !e.same(now, c.possible) {
				if c.grown++; c.grown > maxGrowth && !o.bytes && now.set != nil && len(e.pointed(now)) == 0 &&
					e.functions(now) == 0 { // it is a counter
					now = &value{mod: 1, loose: now.loose, plain: now.plain}
				}
				c.possible, e.changed = now, true
			}
			c.stored, c.added = nil, nil
		}
	}
}

// forget drops the values found in a pass that was aborted.
func (e *elaboration) forget() {
	for _, o := range e.blocks {
		for _, c := range o.cells {
			c.stored, c.added = nil, nil
		}
	}
}

// fits reports whether an access of a width may be at an offset of a block. For an address that is not known exactly,
// the possible values include impossible ones.
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

// otherwise describes a block that is now accessed with so many bits, and how it is accessed otherwise.
func (o *block) otherwise(bits int) string {
	for _, at := range slices.Sorted(maps.Keys(o.cells)) {
		if c := o.cells[at]; at >= 0 && c.bits != bits {
			return fmt.Sprintf("%s, where %s is accessed with %d bits at %v", o.name, c.name(), c.bits, c.pos)
		}
	}
	return o.name + ", whose members there have other widths"
}
