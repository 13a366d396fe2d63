package textpage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/compile"
	"litmuscope/solver"
	"litmuscope/solver/mappingcheck"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// Mapping is a test in C compiled by a mapping, with the models' verdicts on both.
type Mapping struct {
	Of   compile.Architecture
	Made *compile.Test
	*mappingcheck.Checked
}

// Map compiles a question's test and compares it with the source. to is an architecture, optionally followed by a blank
// and a variant. said is the language's answer to the source, if known.
func Map(
	ctx context.Context, s *question.Service, q question.Question, to string, said *solver.Result,
) (*Mapping, error) {
	arch, variant, _ := strings.Cut(to, " ")
	made, err := s.Compile(ctx, server.UnixLines(q.Source), arch, variant)
	if err != nil {
		return nil, err
	}
	c, err := s.CheckMapping(ctx, q, made, said)
	if err != nil {
		return nil, err
	}
	a, err := compile.Find(arch)
	if err != nil {
		return nil, err
	}
	return &Mapping{a, made, c}, nil
}

// Says returns the verdict in words.
func (m *Mapping) Says() string { return Sentence(m.Words(question.Label)) }

// HintText names a variant of the mapping that helps, in a sentence; "" if there is none.
func (m *Mapping) HintText() string { return Sentence(m.HintWords(m.Made, question.Label)) }

// URL returns the explorer's address with the compiled test.
func (m *Mapping) URL() string {
	return question.ExplorerLink(question.LinkState{Source: m.Made.Text, Models: []string{m.Architecture.Model}})
}

// MapAll compiles a question's test in several ways, side by side.
func MapAll(ctx context.Context, s *question.Service, q question.Question, ways []string) (*Beside, error) {
	v := &Beside{Columns: make([]BesideColumn, len(ways))}
	made := make([]*Mapping, len(ways))
	one := func(i int, before *solver.Result) (err error) {
		c := &v.Columns[i]
		c.To = ways[i]
		made[i], err = Map(ctx, s, q, ways[i], before)
		var bad *question.BadTest
		var no server.Refusal
		switch {
		case errors.As(err, &bad):
			c.Problem = &server.ProblemView{Text: "The test cannot be compiled:", Marks: bad.Marks()}
			return nil
		case errors.As(err, &no):
			c.Problem = &server.ProblemView{Text: err.Error()}
			return nil
		case err != nil:
			return err
		}
		m := made[i]
		c.Said, c.Class, c.Mapping, c.Hint, c.URL = SaidOf(m.Architecture), string(m.Verdict), m.Says(),
			m.HintText(), m.URL()
		return nil
	}
	// The first way that compiles also asks the language. Then the others run concurrently.
	var before *solver.Result
	first := 0
	for ; first < len(ways) && before == nil; first++ {
		if err := one(first, nil); err != nil {
			return nil, err
		}
		if made[first] != nil {
			before = made[first].Language
		}
	}
	if err := question.AtOnce(len(ways)-first, func(i int) error { return one(first+i, before) }); err != nil {
		return nil, err
	}
	if before != nil {
		v.Said = SaidOf(before)
	}
	v.Source = Numbered(server.UnixLines(q.Source), func(line int) bool {
		return slices.ContainsFunc(made, func(m *Mapping) bool { return m != nil && comesOf(m.Made, line) })
	})
	for i, m := range made {
		arch, variant, _ := strings.Cut(ways[i], " ")
		if a, err := compile.Find(arch); err == nil {
			v.Columns[i].Title = strings.TrimSuffix(a.Title+", "+variant, ", ")
		}
		if m == nil {
			continue
		}
		for _, th := range m.Made.Threads {
			of := BesideThread{Name: fmt.Sprintf("P%d", th.ID)}
			for _, l := range th.Lines {
				tint := 0
				if l.From >= 1 && l.From <= len(v.Source) {
					tint = v.Source[l.From-1].Tint
				}
				of.Lines = append(of.Lines, CodeLine{Text: l.Text, Line: l.From, Tint: tint})
			}
			v.Columns[i].Threads = append(v.Columns[i].Threads, of)
		}
	}
	return v, nil
}

// comesOf reports whether compiled code comes from a line of the source.
func comesOf(m *compile.Test, line int) bool {
	return slices.ContainsFunc(m.Threads, func(th compile.Listing) bool {
		return slices.ContainsFunc(th.Lines, func(l compile.Line) bool { return l.From == line })
	})
}

// SaidOf returns a model's verdict on a test.
func SaidOf(r *solver.Result) Said {
	return Said{
		Class: answer.VerdictClass(r.Verdict), Mark: answer.VerdictMark(r.Verdict),
		Text: question.Label(r.Model) + " " + Says(r),
	}
}

// Says returns the verdict as the words that follow the model's name.
func Says(r *solver.Result) string {
	if r.Status == solver.Failed {
		return "has no answer: " + r.Error
	}
	return map[solver.Verdict]string{
		solver.Allowed: "allows it", solver.Forbidden: "forbids it",
		solver.Undecided: "does not decide it",
	}[r.Verdict]
}
