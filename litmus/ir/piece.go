package ir

import "slices"

// Accesses of mixed size. If accesses of a test overlap in part, their locations are cut at the boundaries that occur
// into cells, each a location of its own. An access to several cells is one operation with a piece for each cell. Each
// piece of a read can read from a different write.

// Piece is the part of a value in one location: Bits bits from bit Lo up.
type Piece struct{ Loc, Lo, Bits int }

// Pieces returns the pieces of a value of some bits at a location and the following ones, by address. ok is false if
// the value does not end at the end of a location.
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

// Misaligned reports whether the address of an access is not a multiple of its width, so that it is not single-copy
// atomic.
func (p *Program) Misaligned(loc, bits int) bool { return p.Locs[loc].Address%uint64(bits/8) != 0 }

// In returns the piece's part of a value.
func (q Piece) In(value uint64) uint64 { return value >> q.Lo & Mask(q.Bits) }

// half is the number of bits of a 128-bit value in one number; no piece spans both.
const half = 64

// Half returns which of the two numbers of a 128-bit value contains the piece, and the piece relative to that number.
func (q Piece) Half() (which int, in Piece) {
	q.Lo, which = q.Lo%half, q.Lo/half
	return which, q
}

// InBoth returns the piece's part of a value of up to 128 bits, the lower half first.
func (q Piece) InBoth(value [2]uint64) uint64 {
	which, in := q.Half()
	return in.In(value[which])
}

// Shows reports whether an observable is a location or has a piece in it.
func (p *Program) Shows(o Observable, loc int) bool {
	if o.Thread >= 0 || !p.Split {
		return o.Thread < 0 && o.Index == loc
	}
	pieces, _ := p.Pieces(o.Index, o.Bits)
	return slices.ContainsFunc(pieces, func(q Piece) bool { return q.Loc == loc })
}
