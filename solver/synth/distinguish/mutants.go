package distinguish

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"text/tabwriter"

	"litmuscope/models"
	"litmuscope/solver"
)

// Mutation is what the parts of a model are there for: the smallest test that shows of each
// what is allowed, or forbidden, without it.
type Mutation struct {
	Model       string `json:"model"`
	Arch        string `json:"arch"`
	Parts       []Part `json:"parts"`
	ExhaustedTo int    `json:"exhausted_to"` // accesses of the tests, all of which were decided up to that size
	Tests       int    `json:"tests"`
	Also        int    `json:"also"` // how many of them are none of the cycles
	AlsoOpen    int    `json:"also_open,omitempty"`
	Open        int    `json:"open,omitempty"` // tests of cycles that the model or a mutant has not decided
}

// Part is an axiom or a term of a model.
type Part struct {
	In   string `json:"in"`             // the axiom, or the definition or axiom that the term is in
	Term string `json:"term,omitempty"` // as it is written
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Test tells the model without the part from the model; "" where none of those asked about does.
	Test    string         `json:"test,omitempty"`
	Cycle   string         `json:"cycle,omitempty"`
	Whole   solver.Verdict `json:"whole,omitempty"`   // of the model
	Without solver.Verdict `json:"without,omitempty"` // of the model without the part
}

// Mutate asks about a built-in model, whole and without each of its parts. The survey's first side is
// the model; the others are made here. An answer comes beside an error, too.
func (s Survey) Mutate(ctx context.Context, asked func()) (*Mutation, error) {
	origin := s.Sides[0]
	m := &Mutation{Model: origin.Model, Arch: s.Over.Arch, ExhaustedTo: 1, Parts: []Part{}}
	s.Sides = s.Sides[:1:1]
	for _, mutant := range models.Mutants(origin.Model) {
		side := origin
		side.Model, side.ModelText, side.ModelFiles = mutant.Name, mutant.Text, mutant.Files
		s.Sides = append(s.Sides, side)
		m.Parts = append(m.Parts, Part{In: mutant.In, Term: mutant.Term, File: mutant.Pos.File, Line: mutant.Pos.Line})
	}
	told := make([]atomic.Bool, len(s.Sides))
	s.Wanted = func(side int) bool { return !told[side].Load() }
	best := make([]*Row, len(s.Sides))
	err := s.Run(ctx, func(row Row) error {
		m.Tests++
		if row.Cycle == nil {
			m.Also++
		}
		asked()
		open := false
		for i, v := range row.Verdicts {
			open = open || v == solver.Undecided
			differs := row.Verdicts[0] != v && v != "" && v != solver.Undecided && row.Verdicts[0] != solver.Undecided
			if i > 0 && differs && !row.Undefined && (best[i] == nil || compareTests(row.Test, best[i].Test) < 0) {
				best[i] = &row
			}
		}
		switch {
		case open && row.Cycle == nil:
			m.AlsoOpen++
		case open:
			m.Open++
		}
		return nil
	}, func(size int) bool {
		if m.Open == 0 {
			m.ExhaustedTo = size
		}
		alike := false
		for i, row := range best[1:] {
			told[i+1].Store(row != nil)
			alike = alike || row == nil
		}
		return alike
	})
	for i := range m.Parts {
		if row := best[i+1]; row != nil {
			p := &m.Parts[i]
			p.Test, p.Whole, p.Without = row.Name, row.Verdicts[0], row.Verdicts[i+1]
			if row.Cycle != nil {
				p.Cycle = row.Cycle.String()
			}
		}
	}
	return m, err
}

// Text is a table: what each part of the model is there for.
func (m *Mutation) Text() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "part of %s\twithout it\ttest\n", m.Model)
	alike := 0
	for _, p := range m.Parts {
		part := "axiom " + p.In
		if p.Term != "" {
			part = fmt.Sprintf("%d: %s has %s", p.Line, p.In, p.Term)
		}
		if p.Test == "" {
			alike++
			fmt.Fprintf(w, "%s\talike\t-\n", part)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", part, p.Without, p.Test)
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%s in %s, of up to %s", solver.Count(m.Tests-m.Also, "test"), m.Arch, solver.Count(m.ExhaustedTo, "event"))
	if m.Also > 0 {
		fmt.Fprintf(&b, ", and %s", solver.Count(m.Also, "classic test"))
	}
	if m.AlsoOpen > 0 {
		fmt.Fprintf(&b, ", %d of them open under some mutant", m.AlsoOpen)
	}
	fmt.Fprintf(&b, "; %d of %s make no difference to any of them\n", alike, solver.Count(len(m.Parts), "part"))
	return b.String()
}
