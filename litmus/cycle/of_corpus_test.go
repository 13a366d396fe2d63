package cycle

import (
	"slices"
	"testing"

	"litmuscope/litmus"
)

// unmarked is a cycle without its marks, if the other has none: comments quote the cycles of tests with locks without
// the locks, which somebody added later.
func unmarked(c, as Cycle) Cycle {
	if slices.ContainsFunc(as, func(e Edge) bool { return e.From.Mark != "" }) {
		return c
	}
	out := slices.Clone(c)
	for i := range out {
		out[i].From.Mark, out[i].To.Mark = "", ""
	}
	return out.Canonical()
}

// plainly writes a cycle as tests cannot tell it from others: a read of a write of its own thread directly before it is
// an Rfi, whether the cycle says PosWR or Rfi; and so on. On Power a branch on stwcx. is one on what lwarx read.
func plainly(arch string, c Cycle) Cycle {
	var out Cycle
	for _, e := range c {
		if arch == "PPC" && e.From.Mark == "X" {
			switch e.Name {
			case "Ctrl":
				e.Kind, e.Name = Po, ""
			case "CtrlIsync":
				e.Kind, e.Name = Fence, "ISync"
			}
		}
		switch {
		case e.Kind == Po && e.Same && (e.From.Write || e.To.Write):
			e.Kind = Fr
			if e.From.Write {
				e.Kind = Co
				if !e.To.Write {
					e.Kind = Rf
				}
			}
		case e.Kind == Detour:
			away := Edge{Kind: Fr, Turn: Leave, Same: true, From: e.From, To: Access{Write: true}}
			if e.From.Write {
				away.Kind = Co
			}
			out = append(out, away, Edge{Kind: Rf, Turn: Back, Same: true, From: Access{Write: true}, To: e.To})
			continue
		}
		out = append(out, e)
	}
	return out.Canonical()
}

// TestCorpusCycles holds the cycles that Of finds against those that the corpus quotes.
func TestCorpusCycles(t *testing.T) {
	for _, d := range []struct {
		folder      string
		same, alike int // no fewer
	}{
		{"x86", 114, 114},
		{"x86_64", 10, 10},
		{"ppc", 345, 605},
		{"arm", 25, 26},
		{"aarch64", 1012, 1052},
		{"aarch64-system", 375, 391}, // the others have edges between a value and a tag, which have nothing in common
		{"riscv", 1421, 1802},
		{"mips", 8, 8},
		{"lkmm", 317, 374}, // the others have lost their branches
	} {
		all, same, alike := 0, 0, 0
		quotes(t, d.folder, func(test *litmus.Test, quoted Cycle) {
			all++
			c, err := Of(test)
			switch want := quoted.Canonical(); {
			case err != nil:
				t.Logf("%s: %s: %v", d.folder, want, err)
			case slices.Equal(c, want):
				same, alike = same+1, alike+1
			case slices.Equal(plainly(test.Arch, unmarked(c, want)), plainly(test.Arch, want)):
				alike++
			default:
				t.Logf("%s: %s: %s, quoted as %s", d.folder, test.Name, c, want)
			}
		})
		t.Logf("%s: of %d quoted cycles, %d are found as they are (%.1f %%), and %d but for what no test can tell "+
			"(%.1f %%)",
			d.folder, all, same, 100*float64(same)/float64(all), alike, 100*float64(alike)/float64(all))
		if same < d.same || alike < d.alike {
			t.Errorf("%s: want %d, and %d", d.folder, d.same, d.alike)
		}
	}
}
