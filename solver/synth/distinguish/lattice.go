package distinguish

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"litmuscope/litmus/cycle"
)

// Lattice orders models by strength, as far as the tests of cycles distinguish them.
type Lattice struct {
	Arch   string   `json:"arch"`
	Models []string `json:"models"`
	// Apart has for each two models the smallest test that the first forbids and the second allows; of no name where
	// there is none.
	Apart [][]Distinguishing `json:"apart"`
	// ExhaustedTo is the size up to which all models have decided all tests.
	ExhaustedTo int `json:"exhausted_to"`
	Tests       int `json:"tests"`
	Also        int `json:"also,omitempty"` // how many of them no cycle has: see [Survey]
	// how many of them have undefined behaviour under some model, and tell nothing
	Undefined int `json:"undefined,omitempty"`
	Open      int `json:"open,omitempty"` // how many some model has not decided
}

// Distinguishing is a test on which two models have different verdicts.
type Distinguishing struct {
	Name   string `json:"name,omitempty"`
	Cycle  string `json:"cycle,omitempty"`
	Source string `json:"source,omitempty"` // of a test of no cycle
}

// Lattice asks all sides about all tests. An answer comes beside an error, too, of the tests until then.
func (s Survey) Lattice(ctx context.Context, asked func()) (*Lattice, error) {
	p, also := NewPairs(len(s.Sides)), 0
	err := s.Run(ctx, func(r Row) error {
		p.Add(r)
		if r.Cycle == nil {
			also++
		}
		asked()
		return nil
	}, func(size int) bool {
		p.Sized(size)
		return true
	})
	l := &Lattice{
		Arch: s.Over.Arch, ExhaustedTo: p.Exhausted, Tests: p.Asked, Also: also, Undefined: p.Undefined,
		Open: len(p.Open),
	}
	for i, side := range s.Sides {
		l.Models = append(l.Models, side.Model)
		row := make([]Distinguishing, len(s.Sides))
		for j := range s.Sides {
			if found := p.Found(i, j); len(found) > 0 {
				row[j] = told(found[0])
			}
		}
		l.Apart = append(l.Apart, row)
	}
	return l, err
}

func told(t Test) Distinguishing {
	if t.Cycle == nil {
		return Distinguishing{Name: t.Name, Source: t.Source}
	}
	return Distinguishing{Name: t.Name, Cycle: t.Cycle.String()}
}

// Source is the text of a test that tells two models apart.
func (l *Lattice) Source(t Distinguishing) (string, error) {
	if t.Source != "" {
		return t.Source, nil
	}
	c, err := cycle.ParseCycle(l.Arch, t.Cycle)
	if err != nil {
		return "", err
	}
	return cycle.Generate(l.Arch, c, t.Name)
}

// Stronger reports whether a model forbids all that another does, and something that that allows.
func (l *Lattice) Stronger(a, b int) bool {
	return l.Apart[a][b].Name != "" && l.Apart[b][a].Name == ""
}

// Alike reports whether no test tells two models apart.
func (l *Lattice) Alike(a, b int) bool { return l.Apart[a][b].Name == "" && l.Apart[b][a].Name == "" }

// Classes are the models that no test tells apart, by index, in the order of the models.
func (l *Lattice) Classes() (out [][]int) {
next:
	for i := range l.Models {
		for c := range out {
			if l.Alike(out[c][0], i) {
				out[c] = append(out[c], i)
				continue next
			}
		}
		out = append(out, []int{i})
	}
	return out
}

// Below are for each class those right below it: weaker, with none between the two.
func (l *Lattice) Below(classes [][]int) [][]int {
	out := make([][]int, len(classes))
	stronger := func(a, b int) bool { return l.Stronger(classes[a][0], classes[b][0]) }
	all := make([]int, len(classes))
	for i := range all {
		all[i] = i
	}
	for a := range classes {
		for b := range classes {
			if stronger(a, b) &&
				!slices.ContainsFunc(all, func(m int) bool { return stronger(a, m) && stronger(m, b) }) {
				out[a] = append(out[a], b)
			}
		}
	}
	return out
}

// latticesFile has the lattices of all dialects, of the built-in models and the published ones, as a test finds them.
//
//go:embed lattices.json
var latticesFile []byte

var lattices = sync.OnceValue(func() (all []*Lattice) {
	if err := json.Unmarshal(latticesFile, &all); err != nil {
		panic("BUG: lattices.json: " + err.Error())
	}
	return all
})

// Archs lists the dialects with a recorded lattice.
func Archs() []string { return cycle.Archs() }

// LatticeOf returns the recorded lattice of an architecture's models, built in and published; nil where there is none.
func LatticeOf(arch string) *Lattice {
	for _, l := range lattices() {
		if l.Arch == arch {
			return l
		}
	}
	return nil
}
