package cycle

import (
	"fmt"
	"slices"
	"strconv"
)

// Part is a part of a location: its size and its offset in bytes. It is written as a letter
// for the size (byte, half, word, quadword, as in diyone7) and the offset: b3, h0, w4, q0. The zero
// Part is the whole of a location of one word, and is not written.
type Part struct{ Bytes, At int }

// sizes are the letters of sizes, by bytes.
var sizes = map[int]string{1: "b", 2: "h", 4: "w", 8: "q"}

// word4 is the part of an access in a cycle with parts if its edges give none.
var word4 = Part{Bytes: 4}

// String returns the part as written in cycles.
func (p Part) String() string {
	if p.Bytes == 0 {
		return ""
	}
	return sizes[p.Bytes] + strconv.Itoa(p.At)
}

// Parts returns all parts that an access can have: aligned, within a location of eight bytes.
func Parts() (out []Part) {
	for _, bytes := range []int{1, 2, 4, 8} {
		for at := 0; at+bytes <= 8; at += bytes {
			out = append(out, Part{bytes, at})
		}
	}
	return out
}

// Text describes the part.
func (p Part) Text() string {
	unit, where := "bytes", "the first"
	if p.Bytes == 1 {
		unit = "byte"
	}
	if p.At > 0 {
		where = fmt.Sprintf("%d after the beginning", p.At)
	}
	return fmt.Sprintf("%d %s of a location, %s", p.Bytes, unit, where)
}

const wantPart = "want a size and an offset that is a multiple of it: b0 to b7, h0, h2, h4, h6, w0, w4, q0"

// covers reports whether a byte of a location is in the part.
func (p Part) covers(byte int) bool { return p.At <= byte && byte < p.At+p.Bytes }

// overlaps reports whether two parts have a byte in common. Parts of unknown size have.
func (p Part) overlaps(q Part) bool {
	return p.Bytes == 0 || q.Bytes == 0 || p.At < q.At+q.Bytes && q.At < p.At+p.Bytes
}

// Sized reports whether accesses of the cycle have parts.
func (c Cycle) Sized() bool {
	return slices.ContainsFunc(c, func(e Edge) bool { return e.From.Part.Bytes > 0 || e.To.Part.Bytes > 0 })
}

// Resized returns the cycle with another part for the access from which edge i starts, and for the other half of an
// atomic update. If no access had a part, all others access words.
func (c Cycle) Resized(i int, p Part) Cycle {
	out, n := slices.Clone(c), len(c)
	resize := func(i int) { out[i].From.Part, out[(i+n-1)%n].To.Part = p, p }
	resize(i)
	if out[i].Kind == Rmw {
		resize((i + 1) % n)
	}
	if before := (i + n - 1) % n; out[before].Kind == Rmw {
		resize(before)
	}
	out.fill()
	return out
}

// Whole returns the cycle without parts.
func (c Cycle) Whole() Cycle {
	out := slices.Clone(c)
	for i := range out {
		out[i].From.Part, out[i].To.Part = Part{}, Part{}
	}
	return out
}

// fill gives each access without a part the first word, in a cycle in which some accesses have parts.
func (c Cycle) fill() {
	if !c.Sized() {
		return
	}
	for i := range c {
		for _, end := range []*Access{&c[i].From, &c[i].To} {
			if end.Part.Bytes == 0 {
				end.Part = word4
			}
		}
	}
}

// misplaced returns why edges cannot have the parts of their ends, nil if they can.
func (c Cycle) misplaced() *problem {
	if !c.Sized() {
		return nil
	}
	for i, e := range c {
		from, to := e.From.Part, e.To.Part
		for _, p := range []Part{from, to} {
			if !slices.Contains(Parts(), p) {
				return &problem{i, fmt.Sprintf("%s: in a cycle with sizes, every access needs one: %s", e, wantPart)}
			}
		}
		switch {
		case (e.Com() || e.Kind == Rmw) && !from.overlaps(to):
			return &problem{i, fmt.Sprintf("%s: its ends, %s and %s, have no byte in common", e, from, to)}
		case e.Kind == Rmw && from != to:
			return &problem{
				i,
				fmt.Sprintf("%s: both halves of an atomic update are to the same bytes, here %s and %s", e, from, to),
			}
		case e.Kind == Rmw && adds(e.Name):
			return &problem{i, fmt.Sprintf("%s computes the value that it writes from the old one: with sizes, want "+
				"an exchange, a compare-and-exchange or a pair", e)}
		case e.Kind == Detour:
			return &problem{i, fmt.Sprintf("%s does not give the size of the write in its middle: write its two "+
				"edges, as in FrLeave and RfBack", e)}
		}
	}
	return nil
}
