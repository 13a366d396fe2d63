package elaborate

import (
	"cmp"
	"slices"
)

// span is a set of addresses derived from one block's.
//
// Values that are addresses keep their blocks apart: the union of two pointers is not one congruence over all memory,
// which would reach every block between theirs, but one span for each block. Spans are sorted by block, so that union
// and within are merges of two lists. Arithmetic moves a span within its block; that the result may leave the block is
// checked when it is accessed.
type span struct {
	block    *block
	set      []uint64 // in ascending order; nil: all addresses that are rem modulo mod
	mod, rem uint64
}

func (p span) residue() (mod, rem uint64) {
	if p.set == nil {
		return p.mod, p.rem
	}
	return (&value{set: p.set}).residue()
}

// of returns a span of some addresses, in any order.
func (p span) of(set []uint64) span {
	slices.Sort(set)
	p.set = slices.Compact(set)
	if len(p.set) > maxSpan {
		p.mod, p.rem = p.residue()
		p.set = nil
	}
	return p
}

// pointed returns the addresses among a value's possible numbers, in the order of blocks.
func (e *elaboration) pointed(v *value) []span {
	out := v.spans
	for rest := v.set; len(rest) > 0; {
		o, n := e.blockAt(rest[0]), 1
		for o != nil && n < len(rest) && e.blockAt(rest[n]) == o {
			n++
		}
		if o != nil {
			out = append(out, span{block: o}.of(slices.Clip(rest[:n])))
		}
		rest = rest[n:]
	}
	return out
}

// union returns the addresses of both, one span for a block. It returns a or b itself if that contains the other,
// because spans are many and usually equal where paths meet.
func union(a, b []span) []span {
	switch {
	case within(b, a):
		return a
	case within(a, b):
		return b
	}
	out := make([]span, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		p, q := a[0], b[0]
		switch c := cmp.Compare(p.block.base, q.block.base); {
		case c < 0:
			out, a = append(out, p), a[1:]
			continue
		case c > 0:
			out, b = append(out, q), b[1:]
			continue
		case p.set != nil && q.set != nil:
			p = p.of(slices.Concat(p.set, q.set))
		default:
			m1, r1 := p.residue()
			m2, r2 := q.residue()
			p.mod, p.rem = congruence(m1, r1, m2, r2, false)
			p.set = nil
		}
		out, a, b = append(out, p), a[1:], b[1:]
	}
	return append(append(out, a...), b...)
}

// within reports whether a's addresses are among b's.
func within(a, b []span) bool {
	if len(a) > 0 && len(a) == len(b) && &a[0] == &b[0] {
		return true
	}
	for _, p := range a {
		for len(b) > 0 && b[0].block.base < p.block.base {
			b = b[1:]
		}
		if len(b) == 0 || b[0].block != p.block {
			return false
		}
		if q := b[0]; q.set == nil {
			if m, r := p.residue(); m%q.mod != 0 || r%q.mod != q.rem {
				return false
			}
		} else if p.set == nil || !subset(p.set, q.set) {
			return false
		}
	}
	return true
}

func subset(a, b []uint64) bool {
	return !slices.ContainsFunc(a, func(n uint64) bool { return !slices.Contains(b, n) })
}

// moved returns addresses after an operation with a number whose residue is known.
func moved(spans []span, by *value, mod, rem uint64, op func(a, b uint64) uint64) []span {
	out := slices.Clone(spans)
	for i, p := range spans {
		if p.set == nil || by.set == nil || by.loose || len(p.set)*len(by.set) > maxPairs {
			m, r := p.residue()
			out[i].mod, out[i].rem = congruence(m, r, mod, rem, true)
			out[i].set = nil
			continue
		}
		var set []uint64
		for _, a := range p.set {
			for _, b := range by.set {
				set = append(set, op(a, b))
			}
		}
		out[i] = p.of(set)
	}
	return out
}
