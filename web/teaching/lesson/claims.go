package lesson

import (
	"context"
	"slices"
	"time"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// patience limits the time of an engine for a claim that another engine has already decided.
const patience = 10 * time.Second

// CheckClaims checks with the engines what a lesson claims: the expected verdicts of its tests, that exercises do not
// meet their goals from the start, and that their solutions do. With every, it asks all engines that support a claim's
// model, and those that decide it within a few seconds must agree. It returns the faults; an error is the runner's.
func CheckClaims(ctx context.Context, r solver.Runner, l *Lesson, every bool) (litmus.ErrorList, error) {
	h := &claimChecker{ctx: ctx, Runner: r, every: every}
	for _, c := range l.Claims {
		h.claim(c, "", "", "the text says")
	}
	for _, b := range l.Blocks {
		switch b := b.(type) {
		case *Test:
			for _, c := range slices.Concat(b.Expect, b.Also) {
				h.claim(c, b.Source, "", "the lesson expects")
			}
		case *Exercise:
			h.exercise(b)
		case *Tour:
			h.tour(b)
		case *Mappings:
			for _, c := range b.Expect {
				h.claim(c, b.Source, "", "the lesson expects")
			}
		case *Log:
			h.log(b)
		}
	}
	return h.faults, h.err
}

type claimChecker struct {
	solver.Runner
	ctx    context.Context
	every  bool
	faults litmus.ErrorList
	err    error // the runner's first
}

// exercise checks that the goals are not met at the start and are met by the solution.
func (h *claimChecker) exercise(e *Exercise) {
	missed := e.Cycle != "" // which reading holds
	for _, g := range e.Goals {
		test, model := e.Solution, ""
		if e.Rules.Model {
			test, model = e.Test, e.Solution
		}
		h.claim(g, test, model, "the solution must meet the goal")
		missed = missed || h.judge(g, e.Test, e.Model).is != g.said()
	}
	if !missed && h.err == nil {
		h.faults = append(h.faults, litmus.Errorf(e.Pos, "the exercise meets all its goals from the start"))
	}
}

// claim checks a claim with its own engine and, with every, with the others.
func (h *claimChecker) claim(c Claim, source, model, who string) {
	got := h.judge(c, source, model)
	if got.is != c.said() && h.err == nil {
		h.faults = append(h.faults, litmus.Errorf(c.Pos, "%s “%s”: it is %s%s", who, c, got.is, got.because))
		return
	}
	t := c.Task(source, model)
	if !h.every || t.Engine != "" || c.Verdict == solver.Undecided || c.Property != "" && c.Property != Outcomes {
		return
	}
	for _, e := range engines.All()[1:] {
		if _, builtIn := models.Find(t.Model); !builtIn || !e.AnswersFor(t.Model) {
			continue
		}
		other := t
		other.Engine, other.Options.Timeout = e.Name, patience
		if c.Property == "" {
			other.Options.States = 1
		}
		if got := h.ask(c, other); got.is != c.said() && got.is != string(solver.Undecided) && got.complete {
			h.faults = append(h.faults,
				litmus.Errorf(c.Pos, "%s “%s”: engine %s says that it is %s", who, c, e.Name, got.is))
		}
	}
}

type judgement struct {
	is       string // in the words of claims
	because  string // ": why it could not be asked"
	complete bool
}

// judge returns the actual verdict or property for a claim.
func (h *claimChecker) judge(c Claim, source, model string) judgement {
	switch {
	case h.err != nil:
		return undecided("")
	case c.Property == Costs:
		return h.costs(c, source)
	case c.OfMapping():
		return h.mapping(c, source)
	}
	return h.ask(c, c.Task(source, model))
}

func (h *claimChecker) ask(c Claim, t solver.Task) judgement {
	if h.err != nil {
		return undecided("")
	}
	r, err := solver.Ask(h.ctx, h.Runner, t)
	if err != nil {
		h.err = err
		return undecided("")
	}
	j := judgement{complete: r.Complete}
	if _, j.is = c.Confirmed(r); j.is == string(solver.Undecided) && r.Status != solver.OK {
		j.because = ": " + r.Error + r.Reason
	}
	return j
}

// Task returns the engine's question for a claim. The test is the claim's classic test, or else the one in source.
// model is the text of the reader's own model.
func (c Claim) Task(source, model string) solver.Task {
	name, engine := splitColumn(c.Model)
	t := solver.Task{Path: "test", Source: c.source(source), Model: name, Engine: engine, Options: c.Bounds.Options()}
	if e, err := engines.Find(engine); err == nil {
		t.Options = e.Heeded(t.Options)
	}
	if name == Own {
		t.ModelText = model
	}
	if m, needed := c.Beyond(); needed {
		t.Model, t.ModelText = m.Name, m.Text
	}
	return t
}

// String formats the claim as authors write it.
func (c Claim) String() string {
	out := c.Model + " " + c.said()
	if c.Classic != "" {
		out += " " + c.Classic
	}
	if c.Bounds != "" {
		out += " " + string(c.Bounds)
	}
	if c.Compiled != "" {
		out += " compiled=" + c.Compiled
	}
	return out
}
