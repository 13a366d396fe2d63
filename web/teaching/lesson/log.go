package lesson

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/solver/report"
)

// log reads a block with a litmus7 log of a machine, and how many of its states each model should forbid: expect="sc 1;
// tso 0".
func (in *reading) log(f fence) {
	opts := in.options(f, "test", "expect")
	l := &Log{ID: in.name("log"), Pos: f.at, Classic: opts["test"], Text: f.text}
	in.lesson.Blocks = append(in.lesson.Blocks, l)
	if l.Classic == "" {
		in.fail(f.at, "a log needs a classic test: want test=X86/SB")
		return
	}
	p := in.program(&l.Source, &l.Classic, f, f.line)
	if p == nil {
		return
	}
	l.Title = p.Name
	rows := report.NewReader(in.lesson.File, strings.NewReader(f.text))
	row, err := rows.Next()
	if errors.Is(err, io.EOF) {
		in.fail(f.at, "the log contains no test: want a log of litmus7")
		return
	}
	if err != nil {
		in.shift(err, f.line)
		return
	}
	if _, err := rows.Next(); !errors.Is(err, io.EOF) {
		in.fail(f.at, "the log has more than one test")
	}
	switch {
	case row.Test != p.Name:
		in.fail(f.at, "the log is of test %s, but the block is of test %s", litmus.Shorten(row.Test), p.Name)
	case !row.Hardware:
		in.fail(f.at, "the log has no counts: want a log of a machine, as litmus7 writes it")
	}
	l.Seen = row.States
	for _, one := range strings.FieldsFunc(opts["expect"], func(r rune) bool { return r == ';' || r == ',' }) {
		var model string
		var n int
		if got, err := fmt.Sscan(one, &model, &n); got != 2 || err != nil || n < 0 {
			in.fail(f.at, "got %q, want a model and the number of states that it forbids: sc 1",
				litmus.Shorten(strings.TrimSpace(one)))
			continue
		}
		if model, ok := in.column(f.at, model, false); ok {
			l.Expect = append(l.Expect, LogClaim{model, n})
		}
	}
	if opts["expect"] == "" {
		in.fail(f.at, "a log needs the number of its states that each model forbids, such as expect=\"sc 1; tso 0\"")
	}
}

// Models returns the models that the log's claims name.
func (l *Log) Models() (out []string) {
	for _, c := range l.Expect {
		out = append(out, c.Model)
	}
	return out
}

// Allows reports for each state of the log whether a result contains it. If that is not known, the error says why.
func (l *Log) Allows(r *solver.Result) ([]bool, error) {
	if r.Status != solver.OK || !r.Complete || r.StatesComplete != nil && !*r.StatesComplete {
		return nil, fmt.Errorf("%s does not list all states: %s%s", r.Model, r.Error, r.Reason)
	}
	var out []bool
	has := report.RowOf(r).States
	for _, seen := range l.Seen {
		out = append(
			out,
			slices.ContainsFunc(has, func(s report.LoggedState) bool { return same(s.State, seen.State) }),
		)
	}
	return out, nil
}

// same reports whether two states are equal, in any order of their parts.
func same(a, b solver.State) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x solver.Binding) bool { return !slices.Contains(b, x) })
}

// log checks the claims about a log.
func (h *claimChecker) log(l *Log) {
	for _, c := range l.Expect {
		model, engine := splitColumn(c.Model)
		r, err := solver.Ask(
			h.ctx,
			h.Runner,
			solver.Task{
				Path:    "test",
				Source:  l.Source,
				Model:   model,
				Engine:  engine,
				Options: solver.DefaultOptions(),
			},
		)
		if err != nil {
			h.err = err
			return
		}
		allows, err := l.Allows(r)
		if err != nil {
			h.faults = append(h.faults, litmus.Errorf(l.Pos, "%v", err))
			continue
		}
		n := 0
		for _, ok := range allows {
			if !ok {
				n++
			}
		}
		if n != c.Forbids {
			h.faults = append(h.faults,
				litmus.Errorf(l.Pos, "the lesson expects that %s forbids %d of the states in the log, but it "+
					"forbids %d",
					c.Model,
					c.Forbids, n))
		}
	}
}
