package ir

import "slices"

// Accesses of mixed size. Where accesses of a test overlap in part, what they are to is cut into cells, each a
// location of its own, at the boundaries that occur. An access to several cells is one operation that consists of
// pieces, one to a cell: each takes its value from a write of its own.

// Piece is what of a value is in one location: Bits bits from bit Lo up.
type Piece struct{ Loc, Lo, Bits int }

// Pieces are those of a value of some bits at a location and those that lie behind it, by address. ok is false where
// it does not end at the end of one.
func (p *Program) Pieces(loc, bits int) (pieces []Piece, ok bool) {
	left := bits
	for i := loc; ; i = p.Locs[i].Next {
		n := p.Locs[i].Bits
		if n > left {
			return nil, false
		}
		left -= n
		lo := bits - left - n
		if p.BigEndian {
			lo = left
		}
		pieces = append(pieces, Piece{i, lo, n})
		if left == 0 {
			return pieces, true
		}
		if p.Locs[i].Next == 0 {
			return nil, false
		}
	}
}

// In is the piece's part of a value.
func (q Piece) In(value uint64) uint64 { return value >> q.Lo & Mask(q.Bits) }

// Shows tells whether an observable is, or has a piece in, a location.
func (p *Program) Shows(o Observable, loc int) bool {
	if o.Thread >= 0 || !p.Split {
		return o.Thread < 0 && o.Index == loc
	}
	pieces, _ := p.Pieces(o.Index, o.Bits)
	return slices.ContainsFunc(pieces, func(q Piece) bool { return q.Loc == loc })
}
