package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/web/api/rest"
)

// Parts is a [solver.Runner] that explores the executions of a program in parts. It explores the first part here, which
// shows whether there is more to explore; the other parts are a suite of a server.
type Parts struct {
	solver.Runner // here
	Client        *Client
	Each          time.Duration // time limit of a part
	Said          func(text string)
}

// Run implements [solver.Runner].
func (r *Parts) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t, splits := engines.Splits(q)
	if !splits {
		return nil,
			errors.New(
				"--server: only the engine graphs can explore parts, and without --minimise and --by-reads")
	}
	began := time.Now()
	p := engines.NewParts(t, r.Each)
	within, cancel := t.Options.Within(ctx)
	defer cancel()
	for {
		task := p.Task("")
		if d, ok := within.Deadline(); ok {
			task.Options.Timeout = max(time.Until(d), time.Millisecond)
		}
		v, err := solver.Ask(ctx, r.Runner, task)
		if err != nil {
			return nil, err
		}
		rest, again := p.Add(v)
		if !again && len(rest) > 0 && !p.Enough() {
			again, err = r.explore(within, p, t, rest)
		}
		switch {
		case within.Err() == context.DeadlineExceeded && ctx.Err() == nil:
			return p.AtTimeLimit(), nil
		case err != nil:
			return nil, err
		case again:
			continue
		}
		if v, anew := p.Conclude(); !anew {
			v.MS = float64(time.Since(began)) / float64(time.Millisecond)
			return v, nil
		}
	}
}

// errKnown ends the reading of rows once no more are needed.
var errKnown = errors.New("further rows are not needed")

// explore submits parts to the server as a suite, and reads its rows. If again is true, the whole exploration has to
// start again.
func (r *Parts) explore(
	ctx context.Context, p *engines.Parts, t solver.VerifyTask, paths []string,
) (again bool, err error) {
	options := t.Options
	options.Timeout, options.Witnesses = 0, false
	s := Submission{
		Name: t.Path, Engine: t.Engine, Options: ChangedOptions(options),
		Program: rest.ProgramOf(p.Task("")),
	}
	s.Options["timeout"], s.Options["witnesses"] = (10 * engines.PartTime).String(), true
	if t.Model != "" {
		s.Models = []string{t.Model}
	}
	found, err := r.Client.Submit(ctx, s, func(yield func(suite.Entry) bool) {
		for _, path := range paths {
			if !yield(suite.Entry{Path: t.Path, Source: suites.PartSource + path}) {
				return
			}
		}
	})
	if err != nil {
		return false, err
	}
	rows := 0
	say := func() { r.Said(fmt.Sprintf("%s: suite %s: %s", t.Path, found.ID, p.ProgressText())) }
	say()
	err = r.Client.Results(ctx, found.ID, true, func(line []byte) error {
		var row solver.Result
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		rows++
		v := row.Part
		if v == nil {
			v = &solver.Verification{
				Path: t.Path, Model: row.Model, Engine: row.Engine, Status: solver.Failed,
				Error: row.Error, Reason: row.Reason,
			}
		}
		_, again = p.Add(v)
		if say(); again || p.Enough() {
			return errKnown
		}
		return nil
	})
	if err != nil { // nobody needs the remaining parts
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer cancel()
		if _, cancelErr := r.Client.Cancel(late, found.ID); cancelErr != nil && !errors.Is(err, errKnown) {
			err = errors.Join(err, cancelErr)
		}
		if errors.Is(err, errKnown) {
			err = nil
		}
		return again, err
	}
	if found, err = r.Client.Suite(ctx, found.ID); err != nil {
		return false, err
	}
	switch {
	case found.State == Cancelled:
		return false, fmt.Errorf("%s: the suite %s was cancelled", t.Path, found.ID)
	case rows != found.Rows:
		return false, fmt.Errorf("%s: the suite %s has %d rows, but only %d "+
			"arrived", t.Path, found.ID, found.Rows, rows)
	}
	return false, nil
}

// cancelTime bounds the request that cancels a suite.
const cancelTime = 5 * time.Second
