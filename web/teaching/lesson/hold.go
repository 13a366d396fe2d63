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

// patience is how long an engine may take over a claim that another one has decided already.
const patience = 10 * time.Second

// Hold has engines decide what a lesson says: what models are expected to make of its tests,
// that exercises are not met from the start, and that their solutions meet them. With every,
// each claim is put to all engines that answer for its model, and those that decide it in a
// few seconds have to agree. It gives all that is not so; an error is the runner's.
func Hold(ctx context.Context, r solver.Runner, l *Lesson, every bool) (litmus.ErrorList, error) {
	h := &holder{ctx: ctx, Runner: r, every: every}
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

type holder struct {
	solver.Runner
	ctx    context.Context
	every  bool
	faults litmus.ErrorList
	err    error // the runner's first
}

// exercise holds that a reader begins with something to do, and can do it.
func (h *holder) exercise(e *Exercise) {
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

// claim holds a claim, by its own engine and by the others.
func (h *holder) claim(c Claim, source, model, who string) {
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

// judge says what is so of what is claimed.
func (h *holder) judge(c Claim, source, model string) judgement {
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

func (h *holder) ask(c Claim, t solver.Task) judgement {
	if h.err != nil {
		return undecided("")
	}
	r, err := solver.Ask(h.ctx, h.Runner, t)
	if err != nil {
		h.err = err
		return undecided("")
	}
	j := judgement{complete: r.Complete}
	if _, j.is = c.Told(r); j.is == string(solver.Undecided) && r.Status != solver.OK {
		j.because = ": " + r.Error + r.Reason
	}
	return j
}

// Task is the question whether a claim holds: of its classic test, or else of the one in
// source. The reader's own model is the one in model.
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

// String is the claim as it is written.
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
