package sat

import "slices"

// Vec is a bit-vector, least significant bit first. Its length is its width.
type Vec []Lit

// ConstVec is the number v in the given width.
func ConstVec(v uint64, width int) Vec {
	out := make(Vec, width)
	for i := range out {
		out[i] = Const(v>>i&1 == 1)
	}
	return out
}

// Constant gives the vector's number, if all its bits are constant.
func (v Vec) Constant() (n uint64, ok bool) {
	for i, b := range v {
		switch b {
		case True:
			n |= 1 << i
		case False:
		default:
			return 0, false
		}
	}
	return n, true
}

func (c *Circuit) mapBits(x, y Vec, f func(a, b Lit) Lit) Vec {
	out := make(Vec, len(x))
	for i := range x {
		out[i] = f(x[i], y[i])
	}
	return out
}

// AndVec, OrVec and XorVec work bit by bit on vectors of one width.
func (c *Circuit) AndVec(x, y Vec) Vec { return c.mapBits(x, y, c.and2) }

// OrVec is the bitwise or.
func (c *Circuit) OrVec(x, y Vec) Vec {
	return c.mapBits(x, y, func(a, b Lit) Lit { return -c.and2(-a, -b) })
}

// XorVec is the bitwise exclusive or.
func (c *Circuit) XorVec(x, y Vec) Vec { return c.mapBits(x, y, c.Xor) }

// NotVec flips every bit.
func (c *Circuit) NotVec(x Vec) Vec {
	out := make(Vec, len(x))
	for i, b := range x {
		out[i] = -b
	}
	return out
}

// signed is how many bits of v say all of it as a signed number: those above them are
// the last of these.
func (v Vec) signed() int {
	n := len(v)
	for n > 1 && v[n-2] == v[n-1] {
		n--
	}
	return n
}

// short leaves out bits of x and y that repeat the ones below them, as a signed number's do.
func short(x, y Vec) (Vec, Vec) {
	n := max(x.signed(), y.signed())
	return x[:n], y[:n]
}

// long is the same signed number as v in a width.
func long(v Vec, width int) Vec {
	out := append(make(Vec, 0, width), v...)
	for len(out) < width {
		out = append(out, v[len(v)-1])
	}
	return out
}

// Add is the sum of x, y and the carry, in their width.
func (c *Circuit) Add(x, y Vec, carry Lit) Vec {
	if n := max(x.signed(), y.signed()) + 1; n < len(x) {
		return long(c.Add(x[:n], y[:n], carry), len(x))
	}
	out := make(Vec, len(x))
	for i := range x {
		half := c.Xor(x[i], y[i])
		out[i] = c.Xor(half, carry)
		if i+1 < len(x) {
			carry = c.Majority(x[i], y[i], carry)
		}
	}
	return out
}

// Sub is x - y.
func (c *Circuit) Sub(x, y Vec) Vec { return c.Add(x, c.NotVec(y), True) }

// Mul is the low half of the product.
func (c *Circuit) Mul(x, y Vec) Vec {
	if n := x.signed() + y.signed(); n < len(x) {
		return long(c.Mul(x[:n], y[:n]), len(x))
	}
	sum := ConstVec(0, len(x))
	for i, b := range y {
		if b == False {
			continue
		}
		row := make(Vec, len(x))
		for j := range row {
			row[j] = False
			if j >= i {
				row[j] = c.and2(b, x[j-i])
			}
		}
		sum = c.Add(sum, row, False)
	}
	return sum
}

// Divide is the quotient and the remainder of unsigned numbers: ones everywhere and x
// where y is 0.
func (c *Circuit) Divide(x, y Vec) (quotient, remainder Vec) {
	quotient = make(Vec, len(x))
	rest := Vec{} // the rest of the bits so far, which are as many
	for i := len(x) - 1; i >= 0; i-- {
		if len(rest) == 0 && x[i] == False {
			quotient[i] = c.Or(y...).Not()
			continue
		}
		rest = append(Vec{x[i]}, rest...)
		n := len(rest)
		fits := c.And(c.Less(rest, y[:n]).Not(), c.Or(y[n:]...).Not())
		quotient[i], rest = fits, c.IteVec(fits, c.Sub(rest, y[:n]), rest)
	}
	return quotient, append(rest, ConstVec(0, len(x)-len(rest))...)
}

// Shift moves x by count bits: up with left, else down, filling with fill. A count
// of the width or more leaves nothing but fill.
func (c *Circuit) Shift(x, count Vec, left bool, fill Lit) Vec {
	out := x
	for k, b := range count {
		if b == False {
			continue
		}
		moved := make(Vec, len(x))
		for i := range moved {
			from := i + 1<<min(k, 16)
			if left {
				from = i - 1<<min(k, 16)
			}
			moved[i] = fill
			if from >= 0 && from < len(x) {
				moved[i] = out[from]
			}
		}
		out = c.IteVec(b, moved, out)
	}
	return out
}

// IteVec is x where cond is true, y otherwise.
func (c *Circuit) IteVec(cond Lit, x, y Vec) Vec {
	return c.mapBits(x, y, func(a, b Lit) Lit { return c.Ite(cond, a, b) })
}

// EqualVec is true when x and y are the same number.
func (c *Circuit) EqualVec(x, y Vec) Lit {
	same := make([]Lit, len(x))
	for i := range x {
		same[i] = c.Equal(x[i], y[i])
	}
	return c.And(same...)
}

// Less compares unsigned numbers.
func (c *Circuit) Less(x, y Vec) Lit {
	x, y = short(x, y)
	less := False
	for i := range x { // from the lowest bit: a higher one overrules
		less = c.Ite(c.Xor(x[i], y[i]), y[i], less)
	}
	return less
}

// LessSigned compares signed numbers.
func (c *Circuit) LessSigned(x, y Vec) Lit {
	x, y = short(x, y)
	sign := len(x) - 1
	x, y = slices.Clone(x), slices.Clone(y)
	x[sign], y[sign] = y[sign], x[sign] // as unsigned, with the signs exchanged
	return c.Less(x, y)
}
