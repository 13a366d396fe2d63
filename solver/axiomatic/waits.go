package axiomatic

import (
	"errors"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/outcomes"
)

// The engine cuts loops that only wait: the formula contains no execution with their failing rounds (package analysis,
// forgets.go, says why that loses no outcome). Two questions remain, and each has a formula of its own.
//
// A failing round alone may raise a flag. So if no execution without failing rounds raises it, another formula has one
// such round of each loop.
//
// A model may not forget reads. Then the engine first asks its weaker variant that does, without failing rounds: if
// each of its executions satisfies the missing axioms, the engine cuts the loops under the model as well, and otherwise
// unrolls them.

// The weaker model's executions include those of the model itself, so that what all of them satisfy holds for these
// too.

// waits says which loops to cut.
func (x *exploration) waits() ir.Waits {
	w := x.Model.Waits()
	w.Reads = w.Reads || x.forgets
	w.Once = x.once
	return w
}

// part is a search for flags of a model in executions that have failing rounds, on behalf of x.
func (x *exploration) part(m *models.Model) *exploration {
	q := x.Query
	q.Model, q.Partial = m, nil
	q.Options.States, q.Options.Explain, q.Options.List = 0, false, 0
	y := &exploration{Search: x.Part(q), checker: evaluation.NewChecker(m), forgets: x.forgets, once: true}
	y.Record = y.record
	y.Some, y.SomeNot = solver.Yes, solver.Yes // the question is about flags alone
	return y
}

// cutWaits finds out whether the engine may cut loops under a model that does not forget reads.
func (x *exploration) cutWaits() error {
	weaker := x.Model.Forgetful()
	if x.forgets || weaker == nil || !x.Program.Waits(weaker.Waits()) {
		return nil
	}
	y := x.part(weaker)
	defer y.end()
	var misplaced *litmus.Error
	switch _, err := y.encode(); {
	case errors.As(err, &misplaced): // an address that the model itself may forbid
		return nil
	case err != nil:
		return err
	}
	if err := y.Decide(); err != nil {
		return err
	}
	x.forgets = !slices.ContainsFunc(y.Flags,
		func(f outcomes.Flag) bool { return f.Lit == 0 || f.Raised != nil && *f.Raised })
	if x.forgets {
		x.RestsOn(y.Search)
	}
	return nil
}

// decide answers the condition, and finds out which flags executions raise.
func (x *exploration) decide() error {
	if err := x.Decide(); err != nil || !x.e.Waits || x.once {
		return err
	}
	open := func(f outcomes.Flag) bool { return f.Raised == nil }
	if !slices.ContainsFunc(x.Flags, open) {
		return nil
	}
	y := x.part(x.Model)
	defer y.end()
	if _, err := y.encode(); err != nil {
		return err
	}
	for i := range y.Flags {
		y.Flags[i].Raised = x.Flags[i].Raised
	}
	if err := y.Decide(); err != nil {
		return err
	}
	x.RestsOn(y.Search)
	for i, f := range y.Flags {
		if open(x.Flags[i]) {
			x.Flags[i].Flag, x.Flags[i].Open = f.Flag, f.Open
		}
	}
	if x.raising == nil {
		x.raising = y.raising
	}
	return nil
}

// end gives up what a search holds.
func (x *exploration) end() {
	x.checker.Done()
	if x.e != nil {
		x.e.Release()
	}
}
