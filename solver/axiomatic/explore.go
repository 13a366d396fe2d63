package axiomatic

import (
	"context"
	"errors"
	"fmt"
	"time"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/sat"
)

// Engine implements solver.Engine. It answers for every model.
type Engine struct{}

// Name implements solver.Engine.
func (Engine) Name() string { return "axiomatic" }

// Version implements solver.Engine.
func (Engine) Version() int { return 2 }

// Explore implements solver.Engine.
func (Engine) Explore(ctx context.Context, q solver.Query) (*solver.Result, error) {
	if q.Options.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.Options.Timeout)
		defer cancel()
	}
	x := &exploration{Query: q, ctx: ctx, start: time.Now(), result: solver.NewResult(q, "axiomatic"), states: map[string]int{}, checker: models.NewChecker(q.Model)}
	x.result.Stats = &solver.Stats{}
	err := x.run()
	if ctxErr := ctx.Err(); err != nil && ctxErr != nil && errors.Is(err, ctxErr) {
		x.result.Status, err = solver.Unknown, nil
		x.result.Reason = "cancelled"
		if errors.Is(ctxErr, context.DeadlineExceeded) {
			x.result.Reason = fmt.Sprintf("time limit of %v reached", q.Options.Timeout)
		}
		if x.explaining {
			x.result.Reason += " while looking for an explanation"
		} else {
			x.incomplete()
		}
	}
	if err != nil {
		return nil, err
	}
	x.finish()
	return x.result, nil
}

// exploration is one query being answered.
type exploration struct {
	solver.Query
	ctx    context.Context
	start  time.Time
	result *solver.Result

	e        *encoding
	solver   sat.Solver
	checker  *models.Checker
	observed []sat.Vec
	prop     sat.Lit
	loops    bool // the unwinding bound may be reached
	unrolled bool // there are loops

	some, someNot      solver.Answer
	positive, negative int
	counted            bool        // positive and negative are all
	blocks             [][]sat.Lit // for executions found and not yet excluded
	found              []solver.Found
	states             map[string]int // index into found, by state
	explaining         bool           // all else is done
	thinAir            bool           // and some execution had values from nowhere
}

func (x *exploration) run() error {
	if err := x.encode(); err != nil {
		return err
	}
	if err := x.decide(); err != nil {
		return err
	}
	if x.Partial != nil {
		x.decided()
		x.Partial(x.result)
	}
	if x.Options.States > 0 {
		if all, err := x.executions(); err != nil {
			return err
		} else if !all {
			if err := x.enumerateStates(); err != nil {
				return err
			}
		}
	}
	if x.Options.Explain && x.some != solver.Yes { // another engine may settle what a bound leaves open
		return x.explain()
	}
	return nil
}

// encode builds the formula and answers what has to be known before outcomes can
// be looked for: that no access leaves the locations, and whether the unwinding
// bound is reached.
func (x *exploration) encode() error {
	began := time.Now()
	defer func() { x.result.Stats.Encode += since(began) - x.result.Stats.Solve }()
	loops, err := x.build(x.Model.ThinAirFree())
	x.unrolled = loops
	if err != nil {
		return err
	}
	e := x.e
	if err := x.checkAddresses(); err != nil {
		return err
	}
	if loops && e.bound != sat.False {
		reached, err := x.possible(e.bound)
		if err != nil {
			return err
		}
		x.loops = reached
	}
	e.Assert(e.wild.Not())
	e.Assert(e.bound.Not())
	return nil
}

// build makes the formula; thinAir leaves it to the axioms whether values may come
// from nowhere. loops tells whether there is an unwinding bound.
func (x *exploration) build(thinAir bool) (loops bool, err error) {
	unrolled, loops := litmus.Unroll(x.Program, x.Options.Unroll, x.Model.ForgetsReads())
	s, err := observe(unrolled, x.Model.ThinAirFree())
	if err != nil {
		return false, err
	}
	x.e = newEncoding(s, x.Model, x.Options.Acyclicity)
	r := newRelations(x.e)
	r.thinAir = thinAir
	if err := r.axioms(); err != nil {
		return false, err
	}
	e := x.e
	for _, o := range unrolled.Observed {
		x.observed = append(x.observed, e.final(o))
	}
	e.Assert(litmus.EvalProp[sat.Lit](unrolled.Filter, e, x.compare))
	x.prop = litmus.EvalProp[sat.Lit](unrolled.Condition.Prop, e, x.compare)
	e.Define(x.prop)
	for _, v := range x.observed[:unrolled.Shown] {
		for _, l := range v {
			e.Define(l)
		}
	}
	for i := range e.events {
		e.Define(e.events[i].guard)
	}
	return loops, nil
}

// compare is an atom of a proposition.
func (x *exploration) compare(c litmus.Compare) sat.Lit {
	v := x.observed[c.Obs]
	other := sat.ConstVec(c.Value, len(v))
	if c.Other >= 0 {
		other = append(sat.Vec(nil), x.observed[c.Other]...)
		n := max(len(v), len(other))
		v = append(append(sat.Vec(nil), v...), sat.ConstVec(0, n-len(v))...)
		other = append(other, sat.ConstVec(0, n-len(other))...)
	}
	l := x.e.EqualVec(v, other)
	if c.NotEqual {
		l = l.Not()
	}
	return l
}

// possible tells whether some execution satisfies l.
func (x *exploration) possible(l sat.Lit) (bool, error) {
	x.e.Define(l)
	s := x.e.Solver()
	status, err := x.solve(s, l)
	return status == sat.Sat, err
}

// checkAddresses fails when a computed address may be no location's.
func (x *exploration) checkAddresses() error {
	if x.e.wild == sat.False {
		return nil
	}
	x.e.Define(x.e.wild)
	s := x.e.Solver()
	status, err := x.solve(s, x.e.wild)
	if err != nil || status == sat.Unsat {
		return err
	}
	m := x.e.Model(s)
	for i := range x.e.events {
		ev := &x.e.events[i]
		if ev.thread != models.InitThread && m.True(ev.guard) && m.True(ev.wild) {
			t := &x.Program.Threads[ev.thread]
			unrolled := &x.e.program.Threads[ev.thread]
			return litmus.Errorf(t.Source[unrolled.Code[ev.step].Source].Pos,
				"P%d may access an address here that is no location of the access's width", t.ID)
		}
	}
	return errors.New("BUG: a wild access without an event")
}

func (x *exploration) solve(s sat.Solver, assume ...sat.Lit) (sat.Status, error) {
	began := time.Now()
	status, err := s.Solve(x.ctx, assume...)
	x.result.Stats.Solve += since(began)
	x.result.Stats.Solves++
	return status, err
}

func since(t time.Time) float64 { return float64(time.Since(t)) / float64(time.Millisecond) }

// decide asks for an outcome that satisfies the proposition, and for one that does
// not. A no is final only if the unwinding bound hides nothing.
func (x *exploration) decide() error {
	x.solver = x.e.Solver()
	no := solver.No
	if x.loops {
		no = solver.Open
	}
	ask := func(l sat.Lit) (solver.Answer, error) {
		status, err := x.solve(x.solver, l)
		if err != nil || status == sat.Unsat {
			return no, err
		}
		return solver.Yes, x.record(x.e.Model(x.solver))
	}
	var err error
	if x.some, err = ask(x.prop); err != nil {
		x.some = solver.Open
		return err
	}
	if x.someNot, err = ask(x.prop.Not()); err != nil {
		x.someNot = solver.Open
	}
	return err
}

// executions enumerates the executions one by one, and with them the states, up to
// a limit; all tells whether it came to the end.
func (x *exploration) executions() (all bool, err error) {
	for n := len(x.blocks); n <= x.Options.Executions && len(x.found) <= x.Options.States; n++ {
		for _, b := range x.blocks {
			x.solver.Add(b...)
		}
		x.blocks = x.blocks[:0]
		status, err := x.solve(x.solver)
		if err != nil {
			return false, err
		}
		if status == sat.Unsat {
			x.counted = true
			return true, nil
		}
		if err := x.record(x.e.Model(x.solver)); err != nil {
			return false, err
		}
	}
	return false, nil
}

// enumerateStates goes on with states, one execution for each, until there are no
// more or the limit is passed.
func (x *exploration) enumerateStates() error {
	s := x.e.Solver()
	for _, f := range x.found {
		s.Add(x.blockState(f.State)...)
	}
	for len(x.found) <= x.Options.States {
		status, err := x.solve(s)
		if err != nil || status == sat.Unsat {
			return err
		}
		n := len(x.found)
		if err := x.record(x.e.Model(s)); err != nil {
			return err
		}
		if len(x.found) == n {
			return errors.New("BUG: a state was found twice")
		}
		s.Add(x.blockState(x.found[n].State)...)
	}
	return nil
}

// blockState is a clause that every other state satisfies.
func (x *exploration) blockState(s litmus.State) []sat.Lit {
	var clause []sat.Lit
	for i, v := range x.observed[:x.Program.Shown] {
		for k, l := range v {
			if s[i]>>k&1 == 1 {
				l = l.Not()
			}
			clause = append(clause, l)
		}
	}
	return clause
}

// record takes an execution off a model, has it judged, and files its state.
func (x *exploration) record(m *sat.Model) error {
	began := time.Now()
	defer func() { x.result.Stats.Check += since(began) }()
	exec, block, err := x.e.decode(m)
	if err != nil {
		return err
	}
	state := exec.Final()
	for i, v := range x.observed {
		if m.Number(v) != state[i] {
			return fmt.Errorf("BUG: the formula says %s=%d where the execution ends with %d", x.Program.Observed[i].Name, m.Number(v), state[i])
		}
	}
	if err := exec.WellFormed(); err != nil {
		return fmt.Errorf("BUG: ill-formed witness: %w", err)
	}
	if bad := x.checker.Check(exec); len(bad) > 0 {
		return fmt.Errorf("BUG: the formula allows an execution that the model forbids: %v", bad[0])
	}
	x.blocks = append(x.blocks, block)
	if x.Program.Satisfies(x.Program.Condition.Prop, state) {
		x.positive++
	} else {
		x.negative++
	}
	key := x.Program.Visible(state).Key()
	if _, known := x.states[key]; known {
		return nil
	}
	x.states[key] = len(x.found)
	f := solver.Found{State: state}
	if x.Options.Witnesses {
		f.Graph = exec.Graph(x.Model)
	}
	x.found = append(x.found, f)
	return nil
}

// incomplete marks an answer that was cut short.
func (x *exploration) incomplete() {
	no := false
	x.result.StatesComplete = &no
}

// decided fills in the verdict.
func (x *exploration) decided() {
	x.result.Decide(x.Program.Condition.Quantifier, x.some, x.someNot)
	if x.loops {
		x.result.Complete = false
	}
	x.result.MS = since(x.start)
}

func (x *exploration) finish() {
	r := x.result
	x.decided()
	if len(x.found) > x.Options.States {
		x.found = x.found[:x.Options.States]
		if x.Options.States > 0 {
			x.incomplete()
		}
	}
	r.SetOutcomes(x.Program, x.found, x.Options.Witnesses)
	if x.counted && !x.unrolled { // how often a loop waits would count, and is left out
		positive, negative := x.positive, x.negative
		if x.Program.Condition.Quantifier == litmus.NotExists { // herd counts what satisfies ~exists
			positive, negative = negative, positive
		}
		r.Positive, r.Negative = &positive, &negative
	}
	if r.Status == solver.OK && x.loops && (r.Verdict == solver.Undecided || r.ConditionHolds == nil) {
		r.Status = solver.Unknown
		r.Reason = fmt.Sprintf("the unwinding bound of %d was reached: raise --unroll", x.Options.Unroll)
	}
	if x.e != nil {
		r.Stats.Vars, r.Stats.Clauses = x.e.Vars(), x.e.Clauses()
		r.Stats.Constraints = x.e.count
	}
	r.MS = since(x.start)
}
