package axiomatic

import "math/bits"

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s bitset) remove(i int) { s[i/64] &^= 1 << (i % 64) }

func (s bitset) has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }

func (s bitset) or(t bitset) {
	for i, w := range t {
		s[i] |= w
	}
}

func (s bitset) without(t bitset) {
	for i, w := range t {
		s[i] &^= w
	}
}

// within tells whether t has all of s.
func (s bitset) within(t bitset) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// meets tells whether both have something.
func (s bitset) meets(t bitset) bool {
	for i, w := range t {
		if s[i]&w != 0 {
			return true
		}
	}
	return false
}

// and is what both have.
func (s bitset) and(t bitset) bitset {
	out := make(bitset, len(s))
	for i, w := range t {
		out[i] = s[i] & w
	}
	return out
}

func (s bitset) count() (n int) {
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// first is the least, -1 of the empty set.
func (s bitset) first() int {
	for i, w := range s {
		if w != 0 {
			return i*64 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (s bitset) each(f func(i int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i*64 + bits.TrailingZeros64(w))
		}
	}
}

func (s bitset) any(f func(i int) bool) bool {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if f(i*64 + bits.TrailingZeros64(w)) {
				return true
			}
		}
	}
	return false
}
