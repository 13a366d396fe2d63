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

// Misaligned tells whether an access at a location would not be at a multiple of its width, and so not be single-copy
// atomic.
func (p *Program) Misaligned(loc, bits int) bool { return p.Locs[loc].Address%uint64(bits/8) != 0 }

// In is the piece's part of a value.
func (q Piece) In(value uint64) uint64 { return value >> q.Lo & Mask(q.Bits) }

// half is how much of a value of 128 bits is in one number; no piece goes over both.
const half = 64

// Half tells in which of the two numbers of a value of 128 bits a piece is, and gives it there.
func (q Piece) Half() (which int, in Piece) {
	q.Lo, which = q.Lo%half, q.Lo/half
	return which, q
}

// InBoth is the piece's part of a value of up to 128 bits, the lower ones first.
func (q Piece) InBoth(value [2]uint64) uint64 {
	which, in := q.Half()
	return in.In(value[which])
}

// Shows tells whether an observable is, or has a piece in, a location.
func (p *Program) Shows(o Observable, loc int) bool {
	if o.Thread >= 0 || !p.Split {
		return o.Thread < 0 && o.Index == loc
	}
	pieces, _ := p.Pieces(o.Index, o.Bits)
	return slices.ContainsFunc(pieces, func(q Piece) bool { return q.Loc == loc })
}
