package distinguish_test

import (
	"testing"

	"litmuscope/solver"
)

// Seconds until the smallest tests distinguish two models, or the search has covered all tests up to a size.
func BenchmarkTwo(b *testing.B) {
	for _, c := range []struct {
		arch, left, right string
		size              int
	}{
		{"X86", "sc", "tso", 5},
		{"X86", "tso", "pso", 5},
		{"PPC", "power", "power-cav10", 4},
		{"C", "rc11", "c11", 4},
	} {
		b.Run(c.left+"-"+c.right, func(b *testing.B) {
			s := survey(b, c.arch, c.size, builtin(c.left), builtin(c.right))
			if over := plainWords[c.arch]; over != "" {
				s.Over.Over = relaxations(b, c.arch, over)
			}
			tests := 0
			for b.Loop() {
				a, err := s.Two(b.Context(), 1, func() { tests++ })
				if err != nil {
					b.Fatal(err)
				}
				if len(a.Found) == 0 || a.Found[0].Left == solver.Undecided {
					b.Fatal(a.Text())
				}
			}
			b.ReportMetric(float64(tests)/float64(b.N), "tests")
		})
	}
}
