package distinguish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"litmuscope/solver"
)

// Apart says how two sides differ.
type Apart struct {
	Left  string `json:"left"` // model, or model and engine
	Right string `json:"right"`
	Arch  string `json:"arch"`
	// Found are the smallest tests on which the two differ, smallest first, in both directions.
	Found []Distinction `json:"found"`
	// ExhaustedTo is the size up to which both have decided all tests: those of cycles of so many accesses.
	ExhaustedTo int `json:"exhausted_to"`
	Tests       int `json:"tests"` // the number of tests that both have decided
	// Undefined is how many of them have undefined behaviour under one of the two, and tell nothing.
	Undefined int      `json:"undefined,omitempty"`
	Open      []string `json:"open,omitempty"` // tests that one of them has not decided, and why
	// More is how many other tests of the same sizes tell them apart, beside those found.
	More int `json:"more,omitempty"`
	// Every is the result for all straight programs, if the question includes them.
	Every *Every `json:"every,omitempty"`
	// Executions is the result for all executions, if the question includes them.
	Executions *Executions `json:"executions,omitempty"`
	MS         float64     `json:"ms"`
}

// Distinction is a test on which two sides differ.
type Distinction struct {
	Name    string         `json:"name"`
	Cycle   string         `json:"cycle"`
	Events  int            `json:"events"`
	Threads int            `json:"threads"`
	Source  string         `json:"source"`
	Left    solver.Verdict `json:"left"`
	Right   solver.Verdict `json:"right"`
	// Why one forbids it, with the cycle, and how it comes about under the other, in lines.
	WhyLeft  []string `json:"why_left"`
	WhyRight []string `json:"why_right"`
}

// Two tells the two sides apart that a survey has: it gives at most so many tests for each direction, 0 for all that
// are of the least size. It asks again about each, for the evidence. An answer comes beside an error, too, with the
// results so far.
func (s Survey) Two(ctx context.Context, most int, asked func()) (*Apart, error) {
	p := NewPairs(2)
	err := s.Run(ctx, func(row Row) error {
		p.Add(row)
		asked()
		return nil
	}, p.Sized)
	a := &Apart{
		Left: s.label(0), Right: s.label(1), Arch: s.Over.Arch,
		Found: []Distinction{}, ExhaustedTo: p.Exhausted, Tests: p.Asked, Undefined: p.Undefined,
	}
	for _, row := range p.Open {
		a.Open = append(a.Open, row.Name+": "+strings.TrimPrefix(strings.Join(row.Open, " "), " "))
	}
	var straight [2][]Test
	if err == nil && s.Every > 0 {
		var e Every
		var open []string
		e, straight, open, err = s.Exhaust(ctx, s.Every, asked)
		a.Every, a.Open = &e, append(a.Open, open...)
	}
	for forbids := range 2 {
		tests := p.Found(forbids, 1-forbids)
		if len(tests) == 0 || len(straight[forbids]) > 0 && straight[forbids][0].Events < tests[0].Events {
			tests = straight[forbids]
		}
		if most > 0 && len(tests) > most {
			a.More += len(tests) - most
			tests = tests[:most]
		}
		for _, t := range tests {
			d := Distinction{
				Name: t.Name, Cycle: t.Cycle.String(), Events: t.Events, Threads: t.Threads,
				Source: t.Source,
			}
			d.Left, d.Right = solver.Forbidden, solver.Allowed
			if forbids == 1 {
				d.Left, d.Right = d.Right, d.Left
			}
			for i, why := range []*[]string{&d.WhyLeft, &d.WhyRight} {
				lines, broken := Evidence(ctx, s.Runner, t, s.Sides[i])
				if broken != nil && err == nil {
					err = broken
				}
				*why = lines
			}
			a.Found = append(a.Found, d)
		}
	}
	if err == nil && s.Executions > 0 {
		err = s.search(ctx, a, asked)
	}
	return a, err
}

// tells is whether some test is forbidden by a side, and allowed by the other.
func (a *Apart) tells(forbids int) bool {
	return slices.ContainsFunc(a.Found,
		func(d Distinction) bool { return (d.Left == solver.Forbidden) == (forbids == 0) })
}

// text says in a direction what executions tell.
func (e *Executions) text(left solver.Verdict) string {
	if e == nil {
		return ""
	}
	for _, x := range e.Found {
		if solver.Verdict(x.Left) == left {
			return fmt.Sprintf("; but an execution of %s does:\n  %s", solver.Count(x.Events, "event"), x.Text)
		}
	}
	if e.To == 0 {
		return "; executions cannot be searched: " + e.Open
	}
	out := ", and no execution of up to " + solver.Count(e.To, "event")
	if e.Open != "" {
		out += " (" + e.Open + ")"
	}
	return out
}

// label is a side's model, with its engine where the models are the same.
func (s Survey) label(i int) string {
	if s.Sides[0].Model == s.Sides[1].Model {
		return s.Sides[i].Model + " by " + s.Sides[i].Engine
	}
	return s.Sides[i].Model
}

// Text is the answer for people.
func (a *Apart) Text() string {
	var b strings.Builder
	for i, direction := range []struct {
		forbids, allows string
		verdict         solver.Verdict // that of the left one
	}{{a.Left, a.Right, solver.Forbidden}, {a.Right, a.Left, solver.Allowed}} {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s forbids, %s allows: ", direction.forbids, direction.allows)
		none := true
		for _, d := range a.Found {
			if d.Left != direction.verdict {
				continue
			}
			if none {
				fmt.Fprintf(&b, "%s, %s\n", solver.Count(d.Events, "event"), solver.Count(d.Threads, "thread"))
			}
			none = false
			b.WriteString("\n" + d.Source)
			for j, why := range [][]string{d.WhyLeft, d.WhyRight} {
				fmt.Fprintf(&b, "  %s: %s\n", []string{a.Left, a.Right}[j], strings.Join(why, "\n    "))
			}
		}
		if none {
			fmt.Fprintf(&b, "no test of up to %s", solver.Count(a.ExhaustedTo, "event"))
			if a.Every != nil {
				fmt.Fprintf(&b, ", and no straight program of up to %d loads and stores", a.Every.To)
			}
			b.WriteString(a.Executions.text(direction.verdict) + "\n")
		}
	}
	fmt.Fprintf(&b, "\nchecked %s of %s", solver.Count(a.Tests, "test"), a.Arch)
	if a.Every != nil {
		fmt.Fprintf(&b, ", and %s", solver.Count(a.Every.Programs, "straight program"))
	}
	if a.Undefined > 0 {
		fmt.Fprintf(&b, "; %d of them have undefined behaviour and were ignored", a.Undefined)
	}
	if a.More > 0 {
		fmt.Fprintf(&b, "; %d more tests of the same sizes distinguish the models (--most 0 lists all)", a.More)
	}
	b.WriteString("\n")
	return b.String()
}
