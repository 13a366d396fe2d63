package lesson

import (
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// tour reads a block that shows how the engine graphs explores a test.
func (in *reading) tour(f fence) {
	opts := in.options(f, "test", "model", "at", "expect", "shows")
	t := &Tour{
		ID: in.name("tour"), Pos: f.at, Source: f.text, Classic: opts["test"], Model: opts["model"], At: 1,
		Expect: opts["expect"], Shows: opts["shows"],
	}
	in.lesson.Blocks = append(in.lesson.Blocks, t)
	p := in.program(&t.Source, &t.Classic, f, f.line)
	if p == nil {
		return
	}
	t.Title = p.Name
	if known := engines.TourModels(dialect.Tongue(t.Source)); !slices.Contains(known, t.Model) {
		in.fail(f.at, "a tour needs a model in which each read has its value at once: got %q, want one of %s",
			litmus.Shorten(t.Model), strings.Join(known, ", "))
	}
	if at, ok := opts["at"]; ok {
		var err error
		if t.At, err = strconv.Atoi(at); err != nil || t.At < 1 {
			in.fail(f.at, "at must be the number of a graph, from 1: got %q", litmus.Shorten(at))
		}
	}
	if t.Expect == "" {
		in.fail(f.at, "a tour needs its result, such as expect=\"3 executions, 1 revisit\"")
	}
}

// Asks returns the engine's question.
func (t *Tour) Asks(most int) engines.Touring {
	return engines.Touring{
		Test: &solver.Task{Path: "test", Source: t.Source, Model: t.Model, Options: solver.DefaultOptions()},
		Most: most, At: t.At - 1,
	}
}

// tour checks the claims about an exploration.
func (h *claimChecker) tour(t *Tour) {
	const most = 1000
	got, err := engines.TourWithin(h.ctx, t.Asks(most))
	switch {
	case err != nil:
		h.faults = append(h.faults, litmus.Errorf(t.Pos, "the tour cannot be made: %v", err))
	case got.Words() != t.Expect:
		h.faults = append(h.faults,
			litmus.Errorf(t.Pos, "the lesson expects “%s”: it is “%s”", t.Expect, got.Words()))
	case t.At > len(got.Stops):
		h.faults = append(h.faults, litmus.Errorf(t.Pos, "there is no graph %d: the tour has %d", t.At, len(got.Stops)))
	case t.Shows != "" && got.Stops[t.At-1].Words() != t.Shows:
		h.faults = append(h.faults,
			litmus.Errorf(t.Pos, "the lesson says that graph %d is “%s”: it is “%s”", t.At, t.Shows,
				got.Stops[t.At-1].Words()))
	}
}
