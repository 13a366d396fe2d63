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

// Loops that only wait are cut: their failing rounds are in no execution that is looked at (package analysis,
// forgets.go, says why that loses no outcome). Two questions are left, each answered by a formula of its own.
//
// A flag may be raised by a failing round alone. So where no execution without failing rounds raises it, a
// formula is asked that has one such round of each loop.
//
// A model may not forget reads. Then its weaker model that does is asked first, and without failing rounds: if each of
// its executions satisfies the axioms that it lacks, the loops are cut under the model as well, and otherwise unrolled.

// The weaker model's executions include those of the model itself, so that what all of them satisfy holds for these
// too.

// waits says which loops are cut.
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
	y.Some, y.SomeNot = solver.Yes, solver.Yes // flags alone are asked for
	return y
}

// cutWaits finds out whether loops may be cut under a model that does not forget reads.
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

// decide answers the condition, and finds out which flags are raised.
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
		x.e.Leave()
	}
}
