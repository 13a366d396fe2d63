package relation

import "math/bits"

// Bitset is a set of small numbers.
type Bitset []uint64

// NewBitset is the empty set of numbers less than n.
func NewBitset(n int) Bitset { return make(Bitset, (n+63)/64) }

// Add adds a number.
func (s Bitset) Add(i int) { s[i/64] |= 1 << (i % 64) }

// Remove removes a number.
func (s Bitset) Remove(i int) { s[i/64] &^= 1 << (i % 64) }

// Has reports whether a number is in the set.
func (s Bitset) Has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }

// Or adds all that t has.
func (s Bitset) Or(t Bitset) {
	for i, w := range t {
		s[i] |= w
	}
}

// Without removes all that t has.
func (s Bitset) Without(t Bitset) {
	for i, w := range t {
		s[i] &^= w
	}
}

// Within reports whether t has all of s.
func (s Bitset) Within(t Bitset) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// Meets reports whether both have something.
func (s Bitset) Meets(t Bitset) bool {
	for i, w := range t {
		if s[i]&w != 0 {
			return true
		}
	}
	return false
}

// And is what both have.
func (s Bitset) And(t Bitset) Bitset {
	out := make(Bitset, len(s))
	for i, w := range t {
		out[i] = s[i] & w
	}
	return out
}

// Count is how many numbers are in the set.
func (s Bitset) Count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// First is the least, -1 of the empty set.
func (s Bitset) First() int {
	for i, w := range s {
		if w != 0 {
			return i*64 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

// Each calls f on each number, the least first.
func (s Bitset) Each(f func(i int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i*64 + bits.TrailingZeros64(w))
		}
	}
}

// Any reports whether f is true of some number.
func (s Bitset) Any(f func(i int) bool) bool {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if f(i*64 + bits.TrailingZeros64(w)) {
				return true
			}
		}
	}
	return false
}
