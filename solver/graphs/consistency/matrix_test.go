package consistency

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// What leads to what is the same step by step as all at once, with cycles and without.
func TestClose(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	cyclic := 0
	for range 3000 {
		n := 1 + draw.IntN(150)
		words := (n + 63) / 64
		m := matrix{words, make([]uint64, n*words)}
		order := draw.Perm(n)
		for range draw.IntN(3 * n) {
			a, b := draw.IntN(n), draw.IntN(n)
			if draw.IntN(2*n) > 0 && order[a] > order[b] { // mostly without cycles
				a, b = b, a
			}
			m.add(a, b)
		}
		want := matrix{words, slices.Clone(m.bits)}
		for changed := true; changed; {
			was := slices.Clone(want.bits)
			step := matrix{words, make([]uint64, n*words)}
			step.seq(want, m)
			or(want.bits, step.bits)
			changed = !slices.Equal(was, want.bits)
		}
		r := &room{nil, make([]uint64, words), make([]uint64, words), make([]uint64, words)}
		if acyclic := m.acyclic(r); acyclic != want.irreflexive() {
			t.Fatalf("acyclic: %v, want %v", acyclic, !acyclic)
		} else if !acyclic {
			cyclic++
		}
		if m.close(r); !slices.Equal(m.bits, want.bits) {
			t.Fatalf("of %d events, other pairs", n)
		}
	}
	if cyclic < 100 || cyclic > 2900 {
		t.Errorf("%d of 3000 have cycles", cyclic)
	}
}
