package relation

import (
	"maps"
	"math/rand/v2"
	"testing"

	"litmuscope/solver/sat"
)

// A matrix returns what was put into it, whether it has rows or blocks.
func TestMatrix(t *testing.T) {
	for _, n := range []int{3, 64, 128, 129, 200} {
		r := &Arena{Circuit: sat.NewCircuit()}
		m, want := r.NewMatrix(n, n), map[[2]int]sat.Lit{}
		if inBlocks := n*n > fewLits; (m.blocks != nil) != inBlocks {
			t.Fatalf("of %d events: in blocks %v", n, !inBlocks)
		}
		random := rand.New(rand.NewPCG(uint64(n), 1))
		asked := r.MakePairs(n, n)
		among := map[[2]int]sat.Lit{}
		for range 5 * n {
			a, b, l := random.IntN(n), random.IntN(n), r.Var()
			if random.IntN(4) == 0 {
				l = sat.False
			}
			m.Set(a, b, l)
			want[[2]int{a, b}] = l
			if random.IntN(2) == 0 {
				asked.Row(a).Add(b)
			}
		}
		maps.DeleteFunc(want, func(_ [2]int, l sat.Lit) bool { return l == sat.False })
		for p, l := range want {
			if asked.Has(p[0], p[1]) {
				among[p] = l
			}
		}
		for name, got := range map[string]*Matrix{"itself": m, "its copy": r.Copy(m)} {
			found := map[[2]int]sat.Lit{}
			got.Each(func(a, b int, l sat.Lit) { found[[2]int{a, b}] = l })
			if !maps.Equal(found, want) || !got.Same(m) {
				t.Errorf("of %d events, %s: %v, not %v", n, name, found, want)
			}
			clear(found)
			got.EachIn(asked, func(a, b int, l sat.Lit) { found[[2]int{a, b}] = l })
			if !maps.Equal(found, among) {
				t.Errorf("of %d events, %s: of those asked for %v, not %v", n, name, found, among)
			}
			for a := range n {
				for b := range n {
					l, is := want[[2]int{a, b}]
					if !is {
						l = sat.False
					}
					if got.Get(a, b) != l {
						t.Errorf("of %d events, %s: %d to %d is %v, not %v", n, name, a, b, got.Get(a, b), l)
					}
				}
			}
		}
		if other := r.Copy(m); n > 3 {
			other.Set(n-1, n-1, r.Var())
			if other.Same(m) {
				t.Errorf("of %d events: another is taken for the same", n)
			}
		}
	}
}
