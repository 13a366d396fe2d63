package axiomatic

import (
	"context"
	"errors"
	"fmt"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic/encode"
	"litmuscope/solver/outcomes"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// Engine implements solver.Engine.
type Engine struct{}

// Name implements solver.Engine.
func (Engine) Name() string { return "axiomatic" }

// Version implements solver.Engine.
func (Engine) Version() int { return 22 }

// Models implements solver.Engine: any.
func (Engine) Models() []string { return nil }

// Explore implements solver.Engine.
func (Engine) Explore(ctx context.Context, q solver.Query) (*solver.Result, error) {
	x := &exploration{Search: outcomes.New(q, "axiomatic"), checker: evaluation.NewChecker(q.Model)}
	x.Record = x.record
	x.Unbind = fmt.Sprintf("the unroll bound of %d was reached: raise --unroll", q.Options.Unroll)
	defer x.end()
	return x.Run(ctx, x.run)
}

// The work on one query is a series of solver calls on one growing formula: whether an address can be wild, whether a
// loop can reach its bound, whether the outcome is possible and whether it can be avoided. Blocking clauses then
// enumerate executions. If there are too many of them, the engine enumerates only states, by blocking each state
// instead. Every execution goes through the checker of package evaluation (record), so that a wrong formula shows up as
// a BUG.

// exploration answers one query.
type exploration struct {
	*outcomes.Search
	e       *encode.Encoding
	checker *evaluation.Checker

	pinned      []bool      // by flag: its literal is true in all executions that raise it
	blocks      [][]sat.Lit // clauses that exclude executions found since the last question
	fromNowhere bool        // some execution contained values from thin air
	ringed      bool        // look for executions with such values
	listing     listing

	forgets bool              // loops that only wait are cut although the model remembers reads: see waits.go
	once    bool              // keep one failing round of each
	raising *models.Execution // one that raises a flag which makes behaviour undefined
}

// run answers the query in this order: the verdict, the executions or else the states, the list of executions, the
// remark on values out of thin air, the explanation. An error ends it; results before it stay in the result.
func (x *exploration) run() error {
	unrolled, err := x.encode()
	if err != nil {
		return err
	}
	x.Result.Stats.Constraints = x.e.Constraints
	if !x.Options.Certify { // no proof shows that the unsorted executions are like the sorted ones
		x.Sorted = x.e.Sorted()
	}
	if x.Options.List > 0 {
		x.Result.ExecutionsComplete = new(bool)
		defer x.arrange()
	}
	if err := x.decide(); err != nil {
		return err
	}
	all := false
	if x.Options.States > 0 {
		all, err = x.executions()
		if err == nil && !all {
			err = x.States()
		}
		if err != nil {
			return err
		}
		if all && !unrolled { // the number of rounds in which a loop waits would count, and the formula omits them
			x.count()
		}
	}
	if x.Options.List > 0 {
		if err := x.list(all); err != nil {
			return err
		}
	}
	if err := x.thinAir(); err != nil {
		return err
	}
	if x.Options.Explain && x.Some != solver.Yes { // another engine may settle what a bound leaves open
		return x.explain()
	}
	return nil
}

// encode builds the formula and answers the questions that precede the search for outcomes: whether an access may leave
// the locations, and whether a thread may reach the unwinding bound. unrolled reports whether there are loops.
func (x *exploration) encode() (unrolled bool, err error) {
	began := time.Now()
	defer func() { x.Result.Stats.Encode += outcomes.Since(began) - x.Result.Stats.Solve }()
	if err := x.cutWaits(); err != nil {
		return false, err
	}
	unrolled, err = x.build(!x.Model.ForbidsThinAir())
	if err != nil {
		return unrolled, err
	}
	e := x.e
	if err := x.checkAddresses(); err != nil {
		return unrolled, err
	}
	if unrolled && e.Bound != sat.False {
		reached, err := x.Possible(e.Bound)
		if err != nil {
			return unrolled, err
		}
		x.Bounded = reached != nil
	}
	e.Assert(e.Wild.Not())
	e.Assert(e.Bound.Not())
	return unrolled, nil
}

// build makes the formula; wellFounded adds to the axioms that values come from somewhere.
// loops reports whether there is an unwinding bound.
func (x *exploration) build(wellFounded bool) (loops bool, err error) {
	unrolled, loops := ir.Unroll(x.Program, x.Options.Unroll, x.waits())
	s := symbolic.Observe(unrolled, x.Model.ForbidsThinAir(), symbolic.Quick)
	if err := claimBefore(x.Context(), s, x.Result.Stats); err != nil {
		return false, err
	}
	if x.e, err = encode.New(s, x.Model, x.Options.Acyclicity, sat.KnowsOrders(x.Options.Solver), nil); err != nil {
		return false, err
	}
	r := encode.NewRelations(x.e)
	r.WellFounded, r.Ringed = wellFounded, x.ringed
	if err := r.Axioms(); err != nil {
		return false, err
	}
	if err := x.flags(r); err != nil {
		return false, err
	}
	x.Formula(x.e.Circuit, unrolled, x.e.Final)
	for i := range x.e.Events {
		x.e.Define(x.e.Events[i].Guard)
	}
	return loops, claimFor(x.Context(), x.e, x.Result.Stats)
}

// checkAddresses fails when a computed address may be no location's.
func (x *exploration) checkAddresses() error {
	if x.e.Wild == sat.False {
		return nil
	}
	m, err := x.Possible(x.e.Wild)
	if err != nil || m == nil {
		return err
	}
	for i := range x.e.Events {
		ev := &x.e.Events[i]
		if ev.Thread != models.InitThread && m.True(ev.Guard) && m.True(ev.Wild) {
			return x.e.WildAccess(symbolic.Site{Thread: ev.Thread, Step: ev.Step})
		}
	}
	return errors.New("BUG: a wild access without an event")
}

// executions enumerates the executions one by one, and with them the states, up to
// a limit; all reports whether it came to the end.
func (x *exploration) executions() (all bool, err error) {
	for n := len(x.blocks); n <= x.Options.Executions && len(x.Found) <= x.Options.States; n++ {
		for _, b := range x.blocks {
			x.Solver.Add(b...)
		}
		x.blocks = x.blocks[:0]
		m, err := x.Ask(x.Solver)
		if err != nil || m == nil {
			return err == nil, err
		}
		if err := x.record(m); err != nil {
			return false, err
		}
	}
	return false, nil
}

// count gives the numbers of executions as herd does, which counts what satisfies
// ~exists.
func (x *exploration) count() {
	positive, negative := x.Satisfying, x.Violating
	if x.Program.Condition.Quantifier == litmus.NotExists {
		positive, negative = negative, positive
	}
	x.Result.Positive, x.Result.Negative = &positive, &negative
}

// record takes an execution off a model, has it judged, and files its state.
func (x *exploration) record(m *sat.Assignment) error {
	began := time.Now()
	defer func() { x.Result.Stats.Check += outcomes.Since(began) }()
	exec, block, err := x.e.Decode(m)
	if err != nil {
		return err
	}
	if err := exec.WellFormed(); err != nil {
		return fmt.Errorf("BUG: ill-formed witness: %w", err)
	}
	if bad := x.checker.Check(exec); len(bad) > 0 {
		return fmt.Errorf("BUG: the formula allows an execution that the model forbids: %v", bad[0])
	}
	if err := x.noteFlags(m, exec); err != nil {
		return err
	}
	x.blocks = append(x.blocks, block)
	final := exec.Final()
	x.listing.note(x, exec, final, block)
	f, err := x.File(m, final)
	if f != nil && x.Options.Witnesses {
		f.Graph = display.Graph(exec, x.Model)
	}
	return err
}
