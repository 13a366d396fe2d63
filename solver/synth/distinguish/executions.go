package distinguish

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"litmuscope/litmus/cycle"
	"litmuscope/models"
	"litmuscope/models/mutants"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/executions"
)

// Execution is one of which two sides say different things, whatever program it may be of: see package executions.
type Execution struct {
	// the architecture of its instructions, if it differs from the one in the question
	Arch   string             `json:"arch,omitempty"`
	Events int                `json:"events"` // fences among them, initial writes aside
	Text   string             `json:"text"`
	Left   executions.Verdict `json:"left"`
	Right  executions.Verdict `json:"right"`
}

// Executions are what two models say of all executions of some events, in either direction that no test tells.
type Executions struct {
	To    int         `json:"to"` // the search has decided all executions of up to that many
	Found []Execution `json:"found"`
	Open  string      `json:"open,omitempty"` // why it is no more
}

// wordsOf is how large cycles are whose tests executions take their words from.
const wordsOf = 4

// Vocabulary has what there is in the tests of small cycles, and in those that the survey has beside them; and the
// models of the sides.
func (s Survey) Vocabulary(ctx context.Context) (*executions.Vocabulary, []*models.Model, error) {
	v := &executions.Vocabulary{}
	sides := make([]*models.Model, len(s.Sides))
	usual := models.Default(s.Over.Arch)
	add := func(t Test) error {
		p, _, err := engines.Prepared(
			solver.Task{Path: t.Name, Source: t.Source, Model: usual, Options: s.Sides[0].Options})
		if err != nil || p.Split {
			return nil // the search does not cover accesses in parts
		}
		v.Add(p)
		for i, side := range s.Sides {
			if sides[i] == nil {
				side.Path, side.Source = t.Name, t.Source
				if _, sides[i], err = engines.Prepared(side); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, t := range append(s.Words[:len(s.Words):len(s.Words)], s.Also...) {
		if err := add(t); err != nil {
			return nil, nil, err
		}
	}
	for size := 2; size <= min(wordsOf, s.Over.Most); size++ {
		tests, ended := s.Over.tests(ctx, size, make(cycle.Names))
		for t := range tests {
			if err := add(t); err != nil {
				return nil, nil, err
			}
		}
		if err := errors.Join(ended(), ctx.Err()); err != nil {
			return nil, nil, err
		}
	}
	if slices.Contains(sides, nil) {
		return nil, nil, errors.New("no test provides accesses and fences for the executions")
	}
	return v, sides, nil
}

// smallest returns the smallest execution that distinguishes two models, of up to so many events, and how many it
// decided; forbids is for the left one alone.
func smallest(
	ctx context.Context, left, right *models.Model, forbids bool, v *executions.Vocabulary, most int,
) (x *Execution, to int, err error) {
	for n := 1; n <= most; n++ {
		f, err := executions.Distinguish(ctx, left, right, forbids, v, n)
		if err != nil {
			return nil, n - 1, err
		}
		if f != nil {
			return &Execution{Events: f.Events, Text: f.Text, Left: f.Left, Right: f.Right}, n, nil
		}
	}
	return nil, most, nil
}

// Words are the instructions of the executions of an architecture.
type Words struct {
	Arch string
	*executions.Vocabulary
}

// Search asks all executions of up to so many events about the parts of a model that no test needs: of its own
// architecture, and, of what makes no difference there, of others.
func (m *Mutation) Search(ctx context.Context, own Words, others []Words, most int, settled func(Part)) error {
	whole, err := models.Named(m.Model)
	if err != nil {
		return err
	}
	every := own.Vocabulary
	for _, o := range others {
		every = every.And(o.Vocabulary)
	}
	m.ExecutionsTo = most
	for i, mutant := range mutants.Of(m.Model) {
		p := &m.Parts[i]
		if p.Execution, p.Open = nil, ""; p.Test != "" {
			continue
		}
		ask := func(v *executions.Vocabulary, most int) *Execution {
			x, to, err := smallest(ctx, whole, mutant.Model, false, v, most)
			if err != nil {
				p.Open = fmt.Sprintf("of %d events: %v", to+1, err)
			}
			return x
		}
		if p.Execution = ask(own.Vocabulary, most); p.Execution == nil && p.Open == "" && len(others) > 0 {
			if ask(every, most) != nil { // or else there is none in any
				for _, o := range others {
					if x := ask(o.Vocabulary, most); x != nil {
						x.Arch = o.Arch
						p.Execution = x
						break
					}
				}
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		settled(*p)
	}
	return nil
}

// search asks executions what no test has shown of the two sides, in each direction.
func (s Survey) search(ctx context.Context, a *Apart, asked func()) error {
	e := &Executions{To: s.Executions, Found: []Execution{}}
	a.Executions = e
	v, sides, err := s.Vocabulary(ctx)
	if err != nil {
		return err
	}
	for forbids := range sides {
		if a.tells(forbids) {
			continue
		}
		x, to, err := smallest(ctx, sides[forbids], sides[1-forbids], true, v, s.Executions)
		asked()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case x != nil:
			if forbids == 1 {
				x.Left, x.Right = x.Right, x.Left
			}
			e.Found = append(e.Found, *x)
			continue
		case err != nil:
			e.Open = err.Error()
		}
		e.To = min(e.To, to)
	}
	return nil
}
