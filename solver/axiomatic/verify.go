package axiomatic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic/encode"
	"litmuscope/solver/axiomatic/locksets"
	"litmuscope/solver/outcomes"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

var _ solver.Verifier = Engine{}

// Verify implements solver.Verifier, under any model. One question asks which properties prefixes of executions can
// violate (see encode.Prefix); what the bound hides, and the count of executions, take others. The engine replays a
// failing prefix, and package models checks it.
func (en Engine) Verify(ctx context.Context, q solver.Query, want solver.Verify) (*solver.Verification, error) {
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	began := time.Now()
	v := &verification{Query: q, want: want, ctx: ctx, stats: &solver.Stats{}}
	if len(v.want.Properties) == 0 {
		v.want.Properties = []ir.Property{ir.Assertion}
	}
	v.asked = v.want.Properties
	v.out = solver.NewVerification(q, en)
	v.out.Verdict, v.out.Stats = solver.Undecided, v.stats
	err := v.run()
	if why := outcomes.Limit(ctx, q.Options, err); why != "" {
		if v.now != "" {
			why += " (" + v.now + ")"
		}
		v.out.Cut = why
		v.unknown(why)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if v.e != nil {
		v.stats.Vars, v.stats.Clauses, v.stats.Constraints = v.e.Vars(), v.e.Clauses(), v.e.Constraints
	}
	v.out.MS = outcomes.Since(began)
	return v.out, nil
}

// verification checks the properties of one program.
type verification struct {
	solver.Query
	want  solver.Verify
	asked []ir.Property // the properties of want, except those that a prefix answers otherwise
	ctx   context.Context
	out   *solver.Verification
	stats *solver.Stats

	// locks has the locks that threads hold; nil if the question is not one that they help to answer.
	locks *locksets.Analysis

	e *encode.Encoding
	r *encode.Relations
	// race and lives say whether there are data races of both kinds, if the engine looks for them.
	race, lives *encode.RaceFlag
	// sorted is true in one execution, at least, of those that come from each other by exchanging threads; 0 if the
	// question covers all.
	sorted sat.Lit

	found  string // in words, the results so far; "": nothing yet
	now    string // in words, the current step
	ringed bool   // asked is about executions with values that feed on themselves alone
}

// progress reports the current step, and the results so far: they are final, except for the open ones.
func (v *verification) progress(now string, open ...solver.Remark) {
	switch {
	case v.found != "":
		now = v.found + ": " + now
	case v.e != nil: // what takes memory
		now = fmt.Sprintf("%s, %s: %s", solver.Count(len(v.e.Events), "event"), solver.Count(v.e.Vars(), "gate"), now)
	}
	v.now = now
	switch {
	case v.found != "" && len(open) > 0 && v.out.Undefined == nil && v.OnPartialVerdict != nil:
		so := *v.out
		so.Open = open
		v.OnPartialVerdict(now, &so)
	case v.Progress != nil:
		v.Progress(now)
	}
}

// unknown says why there is no answer, unless there is one.
func (v *verification) unknown(why string) {
	if v.out.Verdict == solver.Undecided {
		v.out.Status = solver.Unknown
	}
	if v.out.Reason == "" {
		v.out.Reason = why
	}
}

// run decides the properties. It first asks about failures and undefined behaviour together, because most programs have
// neither. Then it checks whether loops exceed their bound, looks for data races, counts executions and minimises, if
// the task asks for that.
func (v *verification) run() error {
	began := time.Now()
	stops, err := encode.NewPrefix(v.Program)
	if err != nil {
		return err
	}
	v.locks = lockAnalysis(v.Program, v.Model)
	if v.settledByLocks() {
		v.out.Verdict, v.out.Complete, v.out.SettledBy = solver.Safe, true, "locksets"
		return nil
	}
	fail, why, err := v.encode(stops)
	v.stats.Encode = outcomes.Since(began)
	if err != nil {
		return err
	}
	v.progress("looking for a run that fails")
	// Most programs have neither, which one question refutes.
	m, err := v.ask(v.e.Or(fail, v.undefined()))
	if err != nil {
		return err
	}
	var undefined *sat.Assignment
	if m != nil && !m.True(fail) {
		undefined = m
		if m, err = v.ask(fail); err != nil {
			return err
		}
	}
	if m != nil {
		if v.out.Failure, err = v.failure(m); err != nil {
			return err
		}
		v.found = "a failure was found"
		v.out.Verdict, v.out.Complete = solver.Unsafe, true
	} else if why != "" {
		v.unknown(why)
	} else {
		v.found = "nothing fails"
		if undefined != nil {
			if v.out.Undefined, err = v.other(undefined, ir.Undefined); err != nil {
				return err
			}
		}
		v.out.Verdict = solver.Safe
		v.progress("checking whether loops exceed their bound", boundNotKnown(""))
		cut, err := v.ask(v.e.Prefix.Bound(v.e))
		if why := outcomes.Limit(v.ctx, v.Options, err); why != "" && !errors.Is(err, context.Canceled) {
			v.out.Cut = why
			v.out.Remarks = append(v.out.Remarks, boundNotKnown(why))
		} else if err != nil {
			v.out.Verdict = solver.Undecided
			return err
		} else {
			v.out.Complete = cut == nil
		}
		if err := v.thinAir(); err != nil {
			return err
		}
	}
	if err := v.racy(); err != nil {
		return err
	}
	if v.want.Count {
		v.progress("counting executions")
		if err := v.count(); err != nil {
			return err
		}
	}
	if m != nil && v.want.Minimise {
		v.progress("looking for a simpler run")
		return v.fewest(fail)
	}
	return nil
}

// boundNotKnown is the remark of a program that is safe within the bound of its loops, where it may be safe whatever
// that is.
func boundNotKnown(why string) solver.Remark {
	return solver.Remark{
		Line: 1, Column: 1,
		Message: "nothing fails within the loop bound, but a loop may exceed it: " + why,
	}
}

// undefined is true where a prefix comes to undefined behaviour.
func (v *verification) undefined() sat.Lit {
	var fails []sat.Lit
	for _, c := range v.e.Prefix.Claims {
		if c.Property == ir.Undefined {
			fails = append(fails, c.Fails)
		}
	}
	if v.lives != nil && v.clashes(v.lives) == ir.Undefined {
		fails = append(fails, v.lives.Raised)
	}
	return v.e.And(v.e.Or(fails...), v.e.Prefix.StopsInSections(v.e).Not())
}

// clashes is the property that data races of a kind violate, if the engine looks for them.
func (v *verification) clashes(f *encode.RaceFlag) ir.Property {
	return f.Kind.Property(v.Model, v.asked)
}

// other says what fails in a prefix if the question does not include that property.
func (v *verification) other(m *sat.Assignment, p ir.Property) (*solver.Failure, error) {
	v.want.Properties = []ir.Property{p}
	f, err := v.failure(m)
	v.want.Properties = v.asked
	if f != nil {
		f.Graph = nil
	}
	return f, err
}

// racy looks for a data race outside the question, if the model makes behaviour undefined then.
func (v *verification) racy() error {
	if v.want.Has(ir.DataRace) || !solver.RacesUndefine(v.Model) {
		return nil
	}
	v.progress("looking for data races", solver.RaceNotKnown(""))
	race, err := v.r.Races(solver.OfAccesses)
	var m *sat.Assignment
	if err == nil {
		m, err = v.ask(v.e.And(race.Raised, v.e.Prefix.StopsInSections(v.e).Not()))
	}
	if why := outcomes.Limit(v.ctx, v.Options, err); why != "" || errors.As(err, new(*encode.TooLarge)) {
		v.out.Cut = cmp.Or(v.out.Cut, why)
		v.out.Remarks = append(v.out.Remarks, solver.RaceNotKnown(cmp.Or(why, fmt.Sprint(err))))
		return nil
	}
	if err != nil || m == nil {
		return err
	}
	v.race = race
	v.out.Race, err = v.other(m, ir.DataRace)
	v.race = nil
	return err
}

// encode builds the formula. fail is true where some property fails; why says, if anything, why it
// is not true in all such executions.
func (v *verification) encode(stops *encode.Prefix) (fail sat.Lit, why string, err error) {
	s := symbolic.Observe(v.Program, v.Model.ForbidsThinAir(), symbolic.Quick)
	if err := claimBefore(v.ctx, s, v.stats); err != nil {
		return 0, "", err
	}
	graphs := sat.KnowsOrders(v.Options.Solver) && !v.want.Count
	if v.e, err = encode.New(s, v.Model, v.Options.Acyclicity, graphs, stops); err != nil {
		return 0, "", err
	}
	e := v.e
	stops.Order, err = symbolic.NewOrder(s, e.Circuit, func(i int) sat.Lit { return e.Events[i].Guard })
	if err != nil {
		return 0, "", err
	}
	v.r = encode.NewRelations(e)
	v.r.OnPart = func(axiom string) { v.progress("encoding " + axiom) }
	if locks := v.locks; locks != nil {
		v.r.Ordered = func(a, b *encode.Event) bool { return locks.Ordered(a.Thread, a.Step, b.Thread, b.Step) }
	}
	v.r.WellFounded, v.r.Ringed = !v.Model.ForbidsThinAir(), v.ringed
	if err := v.r.Axioms(); err != nil {
		return 0, "", err
	}
	if err := v.r.AtomicSections(); err != nil {
		return 0, "", err
	}
	if err := v.addresses(); err != nil {
		return 0, "", err
	}
	var fails []sat.Lit
	for _, c := range stops.Claims {
		if v.want.Has(c.Property) {
			fails = append(fails, c.Fails)
		}
	}
	if v.want.Has(ir.Memory) {
		for _, u := range e.Unset() {
			fails = append(fails, u.Here)
		}
	}
	if v.want.Has(ir.DataRace) {
		if v.race, err = v.r.Races(solver.OfAccesses); err != nil {
			var large *encode.TooLarge
			if !errors.As(err, &large) {
				return 0, "", err
			}
			why = err.Error()
		} else {
			fails = append(fails, v.race.Raised)
		}
	}
	if solver.HasLives(v.Program) && solver.OfLives.Property(v.Model, v.asked) != "" {
		if v.lives, err = v.r.Races(solver.OfLives); err != nil {
			var large *encode.TooLarge
			if !errors.As(err, &large) {
				return 0, "", err
			}
			why = err.Error()
		} else if v.want.Has(v.clashes(v.lives)) {
			fails = append(fails, v.lives.Raised)
		}
	}
	if v.want.Has(ir.Termination) {
		fails = append(fails, v.r.WaitsForEver())
	}
	for i := range e.Events {
		e.Define(e.Events[i].Guard)
	}
	v.sorted = e.Sorted()
	if err := claimFor(v.ctx, e, v.stats); err != nil {
		return 0, "", err
	}
	return e.And(e.Or(fails...), stops.StopsInSections(e).Not()), why, nil
}

// addresses fails when a computed address may be no location's.
func (v *verification) addresses() error {
	if v.ringed {
		v.e.Assert(v.e.Wild.Not())
		return nil
	}
	m, err := v.ask(v.e.Wild)
	if err != nil {
		return err
	}
	if m != nil {
		for i := range v.e.Events {
			if ev := &v.e.Events[i]; ev.Thread != models.InitThread && m.True(ev.Guard) && m.True(ev.Wild) {
				return v.e.WildAccess(symbolic.Site{Thread: ev.Thread, Step: ev.Step})
			}
		}
	}
	v.e.Assert(v.e.Wild.Not())
	return nil
}

// ask gives a prefix in which l is true, or nil.
func (v *verification) ask(l sat.Lit) (*sat.Assignment, error) {
	if l == sat.False {
		return nil, nil
	}
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	v.e.Define(l)
	from := v.e.Solver(sat.Options{Backend: v.Options.Solver, Memory: v.Options.Memory})
	from.Add(l)
	if v.sorted != 0 {
		from.Add(v.sorted)
	}
	began := time.Now()
	status, err := from.Solve(v.ctx)
	v.stats.Solve += outcomes.Since(began)
	v.stats.Solves++
	if err != nil || status == sat.Unsat {
		return nil, err
	}
	return v.e.Assignment(from), nil
}

// failure takes a failing prefix off a model, has it judged, and says what fails in it.
func (v *verification) failure(m *sat.Assignment) (*solver.Failure, error) {
	began := time.Now()
	defer func() { v.stats.Check += outcomes.Since(began) }()
	x, _, err := v.e.Decode(m)
	if err != nil {
		return nil, err
	}
	if err := x.WellFormed(); err != nil {
		return nil, fmt.Errorf("BUG: ill-formed witness: %w", err)
	}
	if bad := evaluation.NewChecker(v.Model).Check(x); len(bad) > 0 {
		return nil, fmt.Errorf("BUG: the formula allows an execution that the model forbids: %v", bad[0])
	}
	f, err := v.whatFails(m, x)
	if err != nil {
		return nil, err
	}
	if v.Options.Witnesses {
		f.Graph = display.Graph(x, v.Model)
	}
	return f, nil
}

// whatFails finds the failure in an assignment and its execution. The formula and the replay must agree on it; a
// mismatch is an error that begins with BUG.
func (v *verification) whatFails(m *sat.Assignment, x *models.Execution) (*solver.Failure, error) {
	p := v.Program
	claims := slices.Clone(v.e.Prefix.Claims)
	// Whoever fails in a section has seen no part of another one.
	slices.SortStableFunc(claims, func(a, b encode.Claim) int { return v.e.Prefix.Outside(a) - v.e.Prefix.Outside(b) })
	for _, c := range claims {
		if !v.want.Has(c.Property) || !m.True(c.Fails) {
			continue
		}
		if stop := x.Stops[c.Thread]; stop.Kind != ir.ActFailed || stop.Step != c.Step {
			return nil, fmt.Errorf("BUG: an assertion of P%d fails only in the formula", p.Threads[c.Thread].ID)
		}
		f := solver.FailureAt(p, c.Thread, c.Step, c.Property, c.Text)
		f.Others = solver.Ended(x, c.Thread)
		return f, nil
	}
	if v.want.Has(ir.Memory) {
		for _, u := range v.e.Unset() {
			if m.True(u.Here) {
				ev := &v.e.Events[u.Read]
				return solver.FailureAt(p, ev.Thread, ev.Step, ir.Memory,
					p.Locs[u.Loc].Name+" is read before it is written"), nil
			}
		}
	}
	for _, f := range []*encode.RaceFlag{v.lives, v.race} {
		if f == nil || !m.True(f.Raised) {
			continue
		}
		if p := v.clashes(f); v.want.Has(p) {
			return f.Failure(x, f.Kind, p)
		}
	}
	if v.want.Has(ir.Termination) {
		for _, c := range v.e.Prefix.Cuts {
			if !c.Spin && !c.Again || !m.True(c.Reached) {
				continue
			}
			if c.Again {
				memory := make([]uint64, len(p.Locs))
				for l := range memory {
					memory[l] = x.Last(l)
				}
				if !p.CanRepeatForever(c.Thread, c.Step, x.Regs[c.Thread], memory) {
					return nil, fmt.Errorf("BUG: a loop of P%d repeats forever only in the formula",
						p.Threads[c.Thread].ID)
				}
			}
			return solver.ForEver(p, c.Thread, c.Step), nil
		}
		for _, b := range v.e.Prefix.Blocked {
			if p.Threads[b.Thread].Code[b.Step].Op.(ir.Assume).Wait && m.True(b.Here) {
				return solver.ForEver(p, b.Thread, b.Step), nil
			}
		}
	}
	return nil, errors.New("BUG: a prefix with a failure contains none")
}
