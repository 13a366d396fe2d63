package run

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/ir"
)

// Blocks with accesses of several widths. If threads access a block with widths that do not fit together, it is cut
// into cells where accesses begin and end; each cell is a scalar (see [ir.Piece]). Accesses are discovered during runs,
// and a new cut restarts the exploration.
//
// Cuts are only added, and are at the ends of accesses, so a block restarts the exploration finitely often. Each cut
// drops the numbers of the scalars of all cut blocks; the next access of such a block numbers its cells in the order of
// addresses. An access that spans several cells is one action with a piece for each cell.

// cells are the cells of a block.
type cells struct {
	cuts     []int  // offsets of the cuts, in ascending order
	inside   []bool // by cut: accesses continue after it
	numbered bool
	pieces   map[[2]int][]ir.Piece
	atomics  []extent
}

// extent is a range of bytes that is accessed, and the position of the access.
type extent struct {
	offset, bits int
	at           litmus.Pos
}

// Mixed reports whether threads share memory that is accessed with several widths.
func (p *Program) Mixed() bool {
	return slices.ContainsFunc(p.blocks, func(b *block) bool { return b.cells != nil })
}

// pieces returns the cells of an access as scalars, or none if it is to one cell.
func (p *Program) pieces(b *block, offset, bits int) ([]ir.Piece, error) {
	end, c := offset+bits/8, b.cells
	if c == nil {
		if !slices.ContainsFunc(p.Scalars,
			func(s Scalar) bool { return s.block == b && s.offset < end && offset < s.offset+s.Bits/8 }) {
			return nil, nil
		}
		b.cells = &cells{}
		for i := range p.Scalars {
			if s := &p.Scalars[i]; s.block == b && s.offset < b.size {
				b.cells.cut(s.offset, s.offset+s.Bits/8)
			}
		}
		b.cells.cut(offset, end)
		p.uncount(b)
		return nil, Anew
	}
	if c.cut(offset, end) {
		p.uncount(b)
		return nil, Anew
	}
	if !c.numbered {
		p.countCells(b)
	}
	if pieces, ok := c.pieces[[2]int{offset, bits}]; ok {
		return pieces, nil
	}
	from, _ := slices.BinarySearch(c.cuts, offset)
	to, _ := slices.BinarySearch(c.cuts, end)
	if to == from+1 {
		return nil, nil
	}
	var pieces []ir.Piece
	for i := from; i < to; i++ {
		at, n := c.cuts[i], 8*(c.cuts[i+1]-c.cuts[i])
		pieces = append(pieces, ir.Piece{Loc: p.count(b, at, n), Lo: 8 * (at - offset), Bits: n})
	}
	c.pieces[[2]int{offset, bits}] = pieces
	return pieces, nil
}

// cut cuts at both ends of an access and reports whether there is a new cell.
func (c *cells) cut(from, to int) (anew bool) {
	for _, offset := range []int{from, to} {
		i, is := slices.BinarySearch(c.cuts, offset)
		if !is {
			c.cuts = slices.Insert(c.cuts, i, offset)
			c.inside = slices.Insert(c.inside, i, i > 0 && c.inside[i-1])
			anew = true
		}
	}
	for i, offset := range c.cuts {
		if from <= offset && offset < to && !c.inside[i] {
			c.inside[i], anew = true, true
		}
	}
	return anew
}

// ends returns the begin and end of each cell.
func (c *cells) ends() (out [][2]int) {
	for i, at := range c.cuts {
		if c.inside[i] {
			out = append(out, [2]int{at, c.cuts[i+1]})
		}
	}
	return out
}

// countCells numbers the cells of a block in the order of addresses.
func (p *Program) countCells(b *block) {
	c := b.cells
	before := -1
	for i, at := range c.cuts {
		if !c.inside[i] {
			before = -1
			continue
		}
		n := p.count(b, at, 8*(c.cuts[i+1]-at))
		if before >= 0 {
			p.Scalars[before].Next = n
		}
		before = n
	}
	c.numbered, c.pieces = true, map[[2]int][]ir.Piece{}
}

// uncount removes the scalars of a block and renumbers the others.
func (p *Program) uncount(b *block) {
	p.Scalars = slices.DeleteFunc(p.Scalars, func(s Scalar) bool { return s.block == b || s.block.cells != nil })
	clear(p.scalars)
	for i, s := range p.Scalars {
		p.scalars[scalarKey{s.Address, s.Bits}] = i
	}
	for _, o := range p.blocks {
		if o.cells != nil {
			o.cells.numbered = false
		}
	}
}

// fits rejects an access to a cut block if it is misaligned or, for C's own atomics, if it has another width than
// another atomic access.
func (t *Thread) fits(at target, bits int, tags ir.Tags) error {
	if at.scalar < 0 || at.block.cells == nil {
		return nil
	}
	name := t.p.Scalars[at.scalar].Name
	if n := uint64(bits / 8); (at.block.base+uint64(at.offset))%n != 0 {
		return t.refuse("access of %d bits to %s: misaligned accesses to memory that threads share and access with "+
			"several widths are not supported", bits, name)
	}
	if t.p.Target != elaborate.Language || tags.Has("NA") {
		return nil
	}
	c, end := at.block.cells, at.offset+bits/8
	for _, e := range c.atomics {
		switch {
		case e.offset == at.offset && e.bits == bits:
			return nil
		case e.offset < end && at.offset < e.offset+e.bits/8:
			return elaborate.TwoAtomicWidths(t.pos(), name, bits, e.bits, e.at)
		}
	}
	c.atomics = append(c.atomics, extent{at.offset, bits, t.pos()})
	return nil
}
