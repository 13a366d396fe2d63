package lesson

import (
	"context"
	"fmt"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
)

// Hold has an engine decide what a lesson says: what models are expected to make of its tests,
// that exercises are not met from the start, and that
// their solutions meet them. It gives all that is not so; an error is the runner's.
func Hold(ctx context.Context, r solver.Runner, l *Lesson) (litmus.ErrorList, error) {
	var out litmus.ErrorList
	for _, b := range l.Blocks {
		switch b := b.(type) {
		case *Test:
			for _, c := range b.Expect {
				got, err := Judge(ctx, r, c, b.Source, "")
				if err != nil {
					return nil, err
				}
				if got != c.Verdict {
					out = append(out, litmus.Errorf(c.Pos, "the lesson expects %s of %s: it is %s", c, b.Title, got))
				}
			}
		case *Exercise:
			faults, err := holdExercise(ctx, r, b)
			if err != nil {
				return nil, err
			}
			out = append(out, faults...)
		}
	}
	return out, nil
}

func holdExercise(ctx context.Context, r solver.Runner, e *Exercise) (out litmus.ErrorList, err error) {
	missed := 0
	for _, g := range e.Goals {
		for _, solved := range []bool{false, true} {
			test, model := e.Test, e.Model
			switch {
			case solved && e.Rules.Model:
				model = e.Solution
			case solved:
				test = e.Solution
			}
			got, err := Judge(ctx, r, g, test, model)
			switch {
			case err != nil:
				return nil, err
			case solved && got != g.Verdict:
				out = append(out, litmus.Errorf(g.Pos, "the solution does not meet the goal %s: it is %s", g, got))
			case !solved && got != g.Verdict:
				missed++
			}
		}
	}
	if missed == 0 {
		out = append(out, litmus.Errorf(e.Pos, "the exercise starts with all its goals met"))
	}
	return out, nil
}

// Judge asks what a model makes of a test: the claim's classic one, or else the one in source. The
// reader's own model is the one in text.
func Judge(ctx context.Context, r solver.Runner, c Claim, source, model string) (solver.Verdict, error) {
	t := c.Task(source, model)
	result, err := r.Run(ctx, t)
	switch {
	case err != nil:
		return "", err
	case result.Status == solver.Failed:
		return solver.Undecided, fmt.Errorf("%s", result.Error)
	}
	return result.Verdict, nil
}

// Task is the question whether a claim holds of a test and the reader's own model.
func (c Claim) Task(source, model string) solver.Task {
	if e, ok := catalogue.Find(c.Classic); ok && c.Classic != "" {
		source = e.Source
	}
	name, engine := splitColumn(c.Model)
	t := solver.Task{Path: "test", Source: source, Model: name, Engine: engine, Options: solver.DefaultOptions()}
	if name == Own {
		t.ModelText = model
	}
	return t
}

// String is the claim as it is written.
func (c Claim) String() string {
	out := c.Model + " " + string(c.Verdict)
	if c.Classic != "" {
		out += " " + c.Classic
	}
	return out
}
