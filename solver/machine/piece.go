package machine

import "litmuscope/litmus/ir"

// Accesses of mixed size. Memory has a cell for each location, and an access goes over several where it consists of
// pieces ([ir.Piece]). A store is one, in a buffer too, and goes to memory as a whole; a load takes each piece from the
// newest store of its thread that covers it, or else from memory.

// whole reports whether an access is to one cell.
func whole(p *ir.Program, loc, bits int) bool { return !p.Split || p.Locs[loc].Bits == bits }

// piecesOf are the pieces of an access.
func piecesOf(p *ir.Program, loc, bits int) []ir.Piece {
	if whole(p, loc, bits) {
		return []ir.Piece{{Loc: loc, Bits: p.Locs[loc].Bits}}
	}
	pieces, _ := p.Pieces(loc, bits)
	return pieces
}

// covers tells which piece of an access is in a cell; -1 for none.
func covers(p *ir.Program, loc, bits, cell int) (piece int, q ir.Piece) {
	if whole(p, loc, bits) {
		if loc == cell {
			return 0, ir.Piece{Loc: loc, Bits: p.Locs[loc].Bits}
		}
		return -1, q
	}
	pieces, _ := p.Pieces(loc, bits)
	for k, q := range pieces {
		if q.Loc == cell {
			return k, q
		}
	}
	return -1, q
}

// overlap reports whether two accesses have a cell in common.
func overlap(p *ir.Program, loc, bits, other, otherBits int) bool {
	if loc == other || whole(p, loc, bits) && whole(p, other, otherBits) {
		return loc == other
	}
	for _, q := range piecesOf(p, loc, bits) {
		if k, _ := covers(p, other, otherBits, q.Loc); k >= 0 {
			return true
		}
	}
	return false
}

// read is what a thread's load gives: from its buffer, or from memory.
func (s *state) read(t, loc, bits int) (value uint64) {
	p, b := s.threads[t].Program, &s.threads[t].buffer
	if whole(p, loc, bits) {
		return s.readCell(p, b, loc)
	}
	for _, q := range piecesOf(p, loc, bits) {
		value |= s.readCell(p, b, q.Loc) << q.Lo
	}
	return value
}

func (s *state) readCell(p *ir.Program, b *buffer, cell int) uint64 {
	if i, _, v := b.newest(p, cell); i >= 0 {
		return v
	}
	return s.memory[cell]
}

// valueAt returns the value in memory of the bytes of an access.
func (s *state) valueAt(p *ir.Program, loc, bits int) (value uint64) {
	if whole(p, loc, bits) {
		return s.memory[loc]
	}
	for _, q := range piecesOf(p, loc, bits) {
		value |= s.memory[q.Loc] << q.Lo
	}
	return value
}
