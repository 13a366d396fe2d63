package outcomes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/sat"
)

// Search answers one query.
type Search struct {
	solver.Query
	Result *solver.Result
	// Record takes an execution off a model, has it checked, and files its state.
	Record func(*sat.Assignment) error
	// Bounded: a bound may hide outcomes, so that outcomes not found are open; Unbind says what to do about it.
	Bounded bool
	Unbind  string
	// Sorted is assumed only in the search for the verdict; 0 for nothing. It must hold of some execution with each
	// answer to the condition that there is.
	Sorted sat.Lit
	// AfterOutcomes says what the search does once all outcomes are known.
	AfterOutcomes string

	Flags []Flag

	Some, SomeNot solver.Truth // an outcome satisfies the proposition, one violates it
	Found         []solver.Found
	// Satisfying and Violating count the filed executions by the truth value of the proposition.
	Satisfying, Violating int
	Solver                *sat.Solver // for asking many questions, without assumptions

	ctx      context.Context
	start    time.Time
	circuit  *sat.Circuit
	observed []sat.Vec
	prop     sat.Lit
	states   map[string]bool // those in Found

	told time.Time     // the time of the last partial result
	wait time.Duration // … and how long they wait to hear more

	certificate solver.Certificate // of the refutations so far
}

// Flag is what a model may remark on executions, as a question to the formula.
type Flag struct {
	solver.Flag
	Silent bool    // it has no part in results
	Lit    sat.Lit // true in the executions that raise it; 0 where the formula does not say
	Open   string  // why executions may raise it although the search found none
}

// New prepares the answer to a query.
func New(q solver.Query, engine string) *Search {
	s := &Search{Query: q, Result: solver.NewResult(q, engine), start: time.Now(), states: map[string]bool{}}
	s.Result.Stats = &solver.Stats{}
	return s
}

// SideSearch searches for something else on behalf of s with its clock, its context and its statistics. Its result is
// no answer, and needs no proof.
func (s *Search) SideSearch(q solver.Query) *Search {
	q.Options.Certify = false
	return &Search{Query: q, Result: s.Result, ctx: s.ctx, start: s.start, states: map[string]bool{}}
}

// Part searches for a part of the answer of s, like [Search.SideSearch], but it proves its refutations if the query
// asks for proofs. [Search.RestsOn] adds these proofs to those of s.
func (s *Search) Part(q solver.Query) *Search {
	part := s.SideSearch(q)
	part.Options.Certify = s.Options.Certify
	return part
}

// RestsOn has the answer of s rest on what a part has refuted.
func (s *Search) RestsOn(part *Search) {
	s.certificate.Refutations += part.certificate.Refutations
	s.certificate.Lemmas += part.certificate.Lemmas
	s.certificate.Bytes += part.certificate.Bytes
	s.certificate.CheckMS += part.certificate.CheckMS
}

// Run answers the query by run, within the query's time limit; a limit or a cancelled
// context leave a Result that says so.
func (s *Search) Run(ctx context.Context, run func() error) (*solver.Result, error) {
	ctx, cancel := s.Options.Within(ctx)
	defer cancel()
	s.ctx = ctx
	err := run()
	if why := Limit(ctx, s.Options, err); why != "" {
		s.Result.Status, err = solver.Unknown, nil
		s.Result.Reason, s.Result.Cut = why, why
		if s.AfterOutcomes != "" {
			s.Result.Reason += " while " + s.AfterOutcomes
		} else {
			s.incomplete()
		}
	}
	if err != nil {
		return nil, err
	}
	s.finish()
	return s.Result, nil
}

// Limit says which of the options' limits caused an error, if any.
func Limit(ctx context.Context, o solver.Options, err error) string {
	switch {
	case errors.Is(err, sat.ErrMemory):
		return fmt.Sprintf("memory limit of %d MiB reached", o.Memory)
	case err == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err()):
		return ""
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("time limit of %v reached", o.Timeout)
	}
	return "cancelled"
}

// Context is the context of the query.
func (s *Search) Context() context.Context { return s.ctx }

// Cancelled is the context's error once somebody has cancelled the query or its time is over.
func (s *Search) Cancelled() error { return s.ctx.Err() }

// Formula sets the formula: a circuit for an unrolled program, with the final value of each of its observables. It
// asserts the filter.
func (s *Search) Formula(c *sat.Circuit, p *ir.Program, final func(ir.Observable) sat.Vec) {
	s.circuit, s.observed = c, nil
	for _, o := range p.Observed {
		s.observed = append(s.observed, final(o))
	}
	c.Assert(s.Holds(p.Filter))
	s.prop = s.Holds(p.Condition.Prop)
	c.Define(s.prop)
	for _, v := range s.observed[:p.Shown] {
		for _, l := range v {
			c.Define(l)
		}
	}
}

// Prop is the condition's proposition.
func (s *Search) Prop() sat.Lit { return s.prop }

// Holds is true where a proposition of the program does.
func (s *Search) Holds(p litmus.Prop) sat.Lit {
	return litmus.EvalProp[sat.Lit](p, s.circuit, s.compare)
}

// compare is an atom of a proposition.
func (s *Search) compare(c litmus.Compare) sat.Lit {
	v := s.observed[c.Obs]
	other := sat.ConstVec(c.Value, len(v))
	if c.Other >= 0 {
		n := max(len(v), len(s.observed[c.Other]))
		v, other = s.widened(c.Obs, n), s.widened(c.Other, n)
	}
	l := s.circuit.EqualVec(v, other)
	if c.NotEqual {
		l = l.Not()
	}
	return l
}

// widened is the final value of an observable as an unsigned or signed number, in n bits.
func (s *Search) widened(obs, n int) sat.Vec {
	v := append(sat.Vec(nil), s.observed[obs]...)
	fill := sat.False
	if s.Program.Observed[obs].Signed && len(v) > 0 {
		fill = v[len(v)-1]
	}
	for len(v) < n {
		v = append(v, fill)
	}
	return v
}

// Possible gives an execution that satisfies l, or nil.
func (s *Search) Possible(l sat.Lit) (*sat.Assignment, error) {
	s.circuit.Define(l)
	return s.Ask(s.verdicts(), l)
}

// verdicts is a solver for one question or two: the one that the query names.
func (s *Search) verdicts() *sat.Solver { return s.solver(s.Options.Solver, false) }

// Listing is a solver for a repeated question with one more clause each time, which continues from what it has learnt:
// an external program would start anew.
func (s *Search) Listing() *sat.Solver {
	if sat.Outside(s.Options.Solver) {
		return s.solver("", false)
	}
	return s.verdicts()
}

// all is a solver for all that there is, of whatever order, one clause more after each answer.
func (s *Search) all() *sat.Solver {
	if sat.Outside(s.Options.Solver) {
		return s.solver("", true)
	}
	return s.solver(s.Options.Solver, true)
}

// solver is a new solver for the formula. It checks refutations if answers can rely on them: within bounds that may
// hide outcomes, none does.
func (s *Search) solver(backend string, lists bool) *sat.Solver {
	return s.circuit.Solver(sat.Options{
		Backend: backend, Certify: s.Options.Certify && !s.Bounded, Memory: s.Options.Memory, Lists: lists,
	})
}

// Ask gives a model of what a solver holds, under assumptions, or nil.
func (s *Search) Ask(from *sat.Solver, assume ...sat.Lit) (*sat.Assignment, error) {
	began := time.Now()
	status, err := from.Solve(s.ctx, assume...)
	s.Result.Stats.Solve += Since(began)
	s.Result.Stats.Solves++
	if r := from.Refutation; r != nil {
		s.Result.Stats.Solve -= ms(r.Check)
		s.Result.Stats.Check += ms(r.Check)
		s.certificate.Refutations++
		s.certificate.Lemmas += r.Lemmas
		s.certificate.Bytes += r.Bytes
		s.certificate.CheckMS += ms(r.Check)
	}
	if err != nil || status == sat.Unsat {
		return nil, err
	}
	return s.circuit.Assignment(from), nil
}

// Since is the time from t on, in milliseconds.
func Since(t time.Time) float64 { return ms(time.Since(t)) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Decide asks for an outcome that satisfies the proposition, and for one that does
// not, unless there is one already. A no is final only if no bound hides anything.
func (s *Search) Decide() error {
	verdicts := s.verdicts()
	for _, q := range []struct {
		answer *solver.Truth
		prop   sat.Lit
	}{{&s.Some, s.prop}, {&s.SomeNot, s.prop.Not()}} {
		if *q.answer == solver.Yes {
			continue
		}
		assume := []sat.Lit{q.prop}
		if s.Sorted != 0 {
			assume = append(assume, s.Sorted)
		}
		m, err := s.Ask(verdicts, assume...)
		switch {
		case err != nil:
			return err
		case m != nil:
			*q.answer = solver.Yes
			if err := s.Record(m); err != nil {
				return err
			}
		case !s.Bounded:
			*q.answer = solver.No
		}
	}
	if err := s.askFlags(verdicts); err != nil {
		return err
	}
	if s.Solver = verdicts; sat.Outside(s.Options.Solver) || s.Options.States > 0 && !verdicts.Lists() {
		s.Solver = s.all()
	}
	s.SendPartial()
	return nil
}

// SendPartial sends the partial result to the follower of the query; nothing before the verdict is.
func (s *Search) SendPartial() {
	if s.Partial == nil {
		return
	}
	s.decided()
	so := *s.Result
	so.SetOutcomes(s.Program, slices.Clone(s.Found[:min(len(s.Found), s.Options.States)]), s.Options.Witnesses)
	s.Partial(&so)
}

// telling is the least time between two partial results; every time it waits longer, for telling takes the longer, the
// more there is.
const telling = 100 * time.Millisecond

// SendPartialAtIntervals sends a partial result now and then.
func (s *Search) SendPartialAtIntervals() {
	switch now := time.Now(); {
	case s.wait == 0:
		s.told, s.wait = now, telling
	case now.Sub(s.told) > s.wait:
		s.SendPartial()
		s.told, s.wait = now, s.wait*3/2
	}
}

// askFlags asks for an execution that raises each flag which those found do not raise.
func (s *Search) askFlags(from *sat.Solver) error {
	for i := range s.Flags {
		f := &s.Flags[i]
		if f.Raised != nil || f.Lit == 0 {
			continue
		}
		m, err := s.Ask(from, f.Lit)
		switch {
		case err != nil:
			return err
		case m != nil:
			if err := s.Record(m); err != nil {
				return err
			}
			if f.Raised == nil {
				return fmt.Errorf("BUG: an execution that should raise %s does not", f.Name)
			}
		case !s.Bounded && f.Open == "":
			f.Raised = new(bool)
		}
	}
	return nil
}

// States looks for new outcomes, one execution for each, until there are no more or it exceeds the limit.
func (s *Search) States() error {
	from := s.all()
	for _, f := range s.Found {
		from.Add(s.otherThan(f.State)...)
	}
	for len(s.Found) <= s.Options.States {
		m, err := s.Ask(from)
		if err != nil || m == nil {
			return err
		}
		n := len(s.Found)
		if err := s.Record(m); err != nil {
			return err
		}
		if len(s.Found) == n {
			return errors.New("BUG: a state was found twice")
		}
		from.Add(s.otherThan(s.Found[n].State)...)
		s.SendPartialAtIntervals()
	}
	return nil
}

// otherThan is a clause that every other state satisfies.
func (s *Search) otherThan(state ir.State) []sat.Lit {
	var clause []sat.Lit
	for i, v := range s.observed[:s.Program.Shown] {
		for k, l := range v {
			if state[i]>>k&1 == 1 {
				l = l.Not()
			}
			clause = append(clause, l)
		}
	}
	return clause
}

// File counts an execution read off m, and adds its outcome to those found: where that is new, it gives the place for
// its evidence, else nil. It fails if the formula's state differs, or the verdict excludes a state with this truth
// value of the condition.
func (s *Search) File(m *sat.Assignment, state ir.State) (f *solver.Found, err error) {
	for i, v := range s.observed {
		if m.Number(v) != state[i] {
			return nil, fmt.Errorf("BUG: the formula says %s=%d, the execution ends with %d",
				s.Program.Observed[i].Name, m.Number(v), state[i])
		}
	}
	answer, tally := s.SomeNot, &s.Violating
	if s.Program.Satisfies(s.Program.Condition.Prop, state) {
		answer, tally = s.Some, &s.Satisfying
	}
	*tally++
	if answer == solver.No {
		return nil, fmt.Errorf("BUG: an execution was found whose outcome was proved impossible: %s",
			s.Program.FormatState(state))
	}
	key := s.Program.Visible(state).Key()
	if s.states[key] {
		return nil, nil
	}
	s.states[key] = true
	s.Found = append(s.Found, solver.Found{State: state})
	return &s.Found[len(s.Found)-1], nil
}

// incomplete marks an answer that ended early.
func (s *Search) incomplete() {
	no := false
	s.Result.StatesComplete = &no
}

// decided fills in the verdict.
func (s *Search) decided() {
	s.Result.Flags = nil
	for _, f := range s.Flags {
		if !f.Silent {
			s.Result.Flags = append(s.Result.Flags, f.Flag)
		}
	}
	s.Result.Decide(s.Program.Condition.Quantifier, s.Some, s.SomeNot)
	s.Result.Complete = !s.Bounded
	if s.Options.Certify {
		s.Result.Certified = new(bool)
	}
	s.Result.MS = Since(s.start)
}

// finish builds the result: verdict, states, the reason if a bound or a flag leaves the answer open, and whether the
// proofs certify it.
func (s *Search) finish() {
	r := s.Result
	s.decided()
	if len(s.Found) > s.Options.States {
		s.Found = s.Found[:s.Options.States]
		if s.Options.States > 0 {
			s.incomplete()
		}
	}
	r.SetOutcomes(s.Program, s.Found, s.Options.Witnesses)
	if r.Status == solver.OK && s.Bounded && (r.Verdict == solver.Undecided || r.ConditionHolds == nil) {
		r.Status, r.Reason = solver.Unknown, s.Unbind
	}
	for _, f := range s.Flags {
		if r.Status == solver.OK && r.ConditionHolds == nil && f.Undefined && f.Raised == nil {
			r.Status, r.Reason = solver.Unknown,
				fmt.Sprintf("behaviour may be undefined (%s): %s", f.Name, f.Open)
		}
	}
	found := r.Observation == solver.Sometimes && s.Options.States == 0 // and the answer has nothing more
	if r.Certified != nil && r.Status == solver.OK && (r.Complete || found) {
		*r.Certified, r.Certificate = true, &s.certificate
	}
	if s.circuit != nil {
		r.Stats.Vars, r.Stats.Clauses = s.circuit.Vars(), s.circuit.Clauses()
	}
	r.MS = Since(s.start)
}
