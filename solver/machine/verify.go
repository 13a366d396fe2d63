package machine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
)

var _ solver.Verifier = Engine{}

// Verify implements solver.Verifier. The witness is a run of fewest steps, among those that the search takes; or, if
// the question asks for them, one of fewest context switches among all. The machine does not count executions.
func (e Engine) Verify(ctx context.Context, q solver.Query, want solver.Verify) (*solver.Verification, error) {
	start := time.Now()
	kind, err := For(q.Model)
	if err != nil {
		return nil, err
	}
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	v := newVerifier(q, kind, want.Properties)
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	out := solver.NewVerification(q, e)
	out.Complete, out.Failure, out.Undefined = !v.cut, v.failure, v.undefined
	states := v.table.len()
	if v.failure != nil {
		out.Verdict, out.Complete = solver.Unsafe, true
		if want.Minimise {
			few := newVerifier(q, kind, want.Properties)
			if err := few.runByThreads(ctx); err != nil {
				return nil, err
			}
			states += few.table.len()
			out.Cut = few.limit
			if few.failure != nil { // else a limit has come first
				v, out.Failure = few, few.failure
			}
		}
		if q.Options.Witnesses {
			if err := v.witness(q.Model); err != nil {
				return nil, err
			}
		}
	} else if why := v.open(); why != "" {
		out.Status, out.Verdict, out.Reason, out.Complete = solver.Unknown, solver.Undecided, why, false
		out.Cut = v.limit
	}
	out.MS = milliseconds(time.Since(start))
	out.Stats = &solver.Stats{Explored: states, Solve: out.MS}
	return out, nil
}

// verifier is one exploration of a program with properties.
type verifier struct {
	*search
	model   *models.Model
	asked   []ir.Property
	failure *solver.Failure
	// undefined is undefined behaviour in some run, after which nothing is certain.
	undefined *solver.Failure
	at        int  // number of the state with the failure
	cut       bool // some thread has come to the unwinding bound
	unset     string
}

func newVerifier(q solver.Query, k Kind, asked []ir.Property) *verifier {
	v := &verifier{search: newSearch(q.Program, k, 0), model: q.Model, asked: asked}
	v.layout = newLayout(q.Program, slices.Contains(asked, ir.Termination))
	if q.Options.Memory > 0 {
		v.bytes = q.Options.Memory << 20 / 2
	}
	return v
}

// open says why there may be failures although the search found none; "" if there are none.
func (v *verifier) open() string {
	switch {
	case v.stopped != "":
		return v.stopped
	case v.unset != "":
		return fmt.Sprintf("machine: %s may be read before it is written and then has any value: use "+
			"the axiomatic engine", v.unset)
	case solver.AsksLives(v.program, v.model, v.asked) && (v.kind != SC || !synchronizes(v.program)):
		return "machine: runs show every access after its memory's lifetime only under sc with " +
			"synchronizing atomic accesses: use the axiomatic engine"
	case slices.Contains(v.asked, ir.DataRace) && v.kind != SC:
		return fmt.Sprintf("machine: no run under %s shows a data race, but the program may have one: use sc or "+
			"the axiomatic engine", v.kind)
	case slices.Contains(v.asked, ir.DataRace) && !synchronizes(v.program):
		return "machine: no run shows a data race, but a program with relaxed atomic accesses may have one: " +
			"use the axiomatic engine"
	}
	return ""
}

// run visits states breadth first until one fails.
func (v *verifier) run(ctx context.Context) error {
	var (
		cur, next = v.layout.state(v.program), v.layout.state(v.program)
		acts      = make([]ir.Action, len(v.program.Threads))
		reduction = newReducer(v.program, v.kind)
		steps     []step
		key       []byte
	)
	reduction.races = slices.Contains(v.asked, ir.DataRace) || solver.HasLives(v.program)
	if err := cur.begin(); err != nil {
		return err
	}
	v.table.add(cur.encode(nil), -1)
	for n := 0; n < v.table.len(); n++ {
		if v.limited(ctx, n) {
			return nil
		}
		cur.decode(v.table.key(n))
		if err := cur.actions(acts); err != nil {
			return err
		}
		if v.fails(n, cur, acts) {
			return nil
		}
		steps = v.steps(cur, acts, steps[:0])
		if len(steps) == 0 {
			if v.waitsForEver(n, cur, acts) {
				return nil
			}
			continue
		}
		steps = reduction.persistent(cur, acts, steps)
		for _, st := range steps {
			next.set(cur)
			if err := next.take(v.kind, st, acts[st.thread]); err != nil {
				return err
			}
			key = next.encode(key[:0])
			v.table.add(key, n)
		}
	}
	return nil
}

// runByThreads visits all states reachable with so many context switches before those that take one more, until one
// fails. A key ends in the thread that has taken the last step of its own; flushes are nobody's.
func (v *verifier) runByThreads(ctx context.Context) error {
	type visit struct {
		key    []byte
		parent int
	}
	cur, next := v.layout.state(v.program), v.layout.state(v.program)
	acts := make([]ir.Action, len(v.program.Threads))
	var steps []step
	if err := cur.begin(); err != nil {
		return err
	}
	v.tail = 1
	var later []visit
	for t := range v.program.Threads {
		later = append(later, visit{append(cur.encode(nil), byte(t)), -1})
	}
	n := 0
	for len(later) > 0 {
		for _, l := range later {
			v.table.add(l.key, l.parent)
		}
		later = later[:0]
		for ; n < v.table.len(); n++ {
			if v.limited(ctx, n) {
				return nil
			}
			key := v.table.key(n)
			turn := key[len(key)-1]
			cur.decode(key)
			if err := cur.actions(acts); err != nil {
				return err
			}
			if v.fails(n, cur, acts) {
				return nil
			}
			steps = v.steps(cur, acts, steps[:0])
			if len(steps) == 0 && v.waitsForEver(n, cur, acts) {
				return nil
			}
			others := map[int]bool{}
			for _, st := range steps {
				if st.flush < 0 && st.thread != int(turn) {
					others[st.thread] = true
					continue
				}
				next.set(cur)
				if err := next.take(v.kind, st, acts[st.thread]); err != nil {
					return err
				}
				v.table.add(append(next.encode(nil), turn), n)
			}
			for t := range v.program.Threads {
				if others[t] {
					later = append(later, visit{append(slices.Clone(v.key(n)), byte(t)), n})
				}
			}
		}
	}
	return nil
}

// steps are those of a state, but those of threads that are about to read what may be any number.
func (v *verifier) steps(s *state, acts []ir.Action, out []step) []step {
	out = s.steps(v.kind, acts, out)
	return slices.DeleteFunc(out, func(st step) bool {
		return st.flush < 0 && s.readsAnything(st.thread, acts[st.thread])
	})
}

// readsAnything reports whether a thread is about to read memory that begins with any number, before
// anybody has written it.
func (s *state) readsAnything(t int, a ir.Action) bool {
	p := s.threads[t].Program
	if a.Kind != ir.ActLoad && a.Kind != ir.ActRMW || whole(p, a.Loc, a.Bits) && !p.Locs[a.Loc].Any {
		return false
	}
	return slices.ContainsFunc(piecesOf(p, a.Loc, a.Bits), func(q ir.Piece) bool {
		own, _, _ := s.threads[t].buffer.newest(p, q.Loc)
		return p.Locs[q.Loc].Any && !s.written[q.Loc] && own < 0
	})
}

// fails looks for failures that a state shows without a further step.
func (v *verifier) fails(n int, s *state, acts []ir.Action) bool {
	p := v.program
	for t, a := range acts {
		switch {
		case a.Kind == ir.ActFailed:
			op := p.Threads[t].Code[a.Step].Op.(ir.Assert)
			if op.Property == ir.Undefined {
				if v.undefined == nil {
					v.undefined = solver.FailureAt(p, t, a.Step, op.Property, op.Text)
				}
				continue
			}
			v.fail(n, solver.FailureAt(p, t, a.Step, op.Property, op.Text))
			return true
		case a.Kind == ir.ActUnwound:
			op := p.Threads[t].Code[a.Step].Op.(ir.Unwound)
			v.cut = v.cut || !op.Spin && !op.Again
		case s.readsAnything(t, a) && s.enabled(v.kind, t, a) && (s.inside < 0 || s.inside == t):
			v.unset = p.Locs[a.Loc].Name
			if slices.Contains(v.asked, ir.Memory) {
				v.fail(n,
					solver.FailureAt(p, t, a.Step, ir.Memory, v.unset+" is read before it is written"))
				return true
			}
		}
	}
	for _, kind := range []solver.Clash{solver.OfLives, solver.OfAccesses} {
		p := kind.Property(v.model, v.asked)
		if !slices.Contains(v.asked, p) && (p != ir.Undefined || v.undefined != nil) {
			continue
		}
		t, u, ok := s.race(acts, kind)
		switch {
		case !ok:
		case p == ir.Undefined && !slices.Contains(v.asked, p):
			v.undefined = raceOf(v.program, t, acts[t], u, acts[u], p)
		default:
			v.fail(n, raceOf(v.program, t, acts[t], u, acts[u], p))
			return true
		}
	}
	return false
}

func (v *verifier) fail(n int, f *solver.Failure) { v.at, v.failure = n, f }

// waitsForEver looks, in a state without steps, for a thread that has no hope: it waits, and would read again what it
// has read, or is at the end of a round that would, or that would leave all as it is, and no other goes on.
func (v *verifier) waitsForEver(n int, s *state, acts []ir.Action) bool {
	if !slices.Contains(v.asked, ir.Termination) || s.inside >= 0 {
		return false
	}
	stuck, at, loops := -1, 0, false // one that is in a loop of the program's own has it said of it
	stale := func(t, since int) bool {
		return slices.ContainsFunc(s.threads[t].round, func(r glimpse) bool {
			return r.step >= since && (r.loc < 0 || s.valueAt(v.program, r.loc, r.bits) != r.value)
		})
	}
	for t, a := range acts {
		switch a.Kind {
		case ir.ActEnd, ir.ActUnspawned, ir.ActJoin:
		case ir.ActLoad, ir.ActRMW, ir.ActBlocked:
			if a.Kind != ir.ActBlocked {
				if s.readsAnything(t, a) {
					return false
				}
				a = s.after(step{t, issue}, a)
			}
			if a.Kind != ir.ActBlocked { // it has yet to wait for something else
				return false
			}
			// Else it has reached a state of no execution.
			if op := v.program.Threads[t].Code[a.Step].Op.(ir.Assume); !op.Wait || stale(t, op.Since) ||
				v.comesAndGoes(s, acts, t, op.Since) {
				return false
			}
			if stuck < 0 {
				stuck, at = t, a.Step
			}
		case ir.ActUnwound:
			op := v.program.Threads[t].Code[a.Step].Op.(ir.Unwound)
			again := op.Spin && !stale(t, op.Since)
			if !again && (!op.Again || !v.program.CanRepeatForever(t, a.Step, s.threads[t].Regs, s.memory)) {
				return false
			}
			if !loops {
				stuck, at, loops = t, a.Step, true
			}
		default:
			return false
		}
	}
	if stuck < 0 {
		return false
	}
	v.fail(n, solver.ForEver(v.program, stuck, at))
	return true
}

// comesAndGoes reports whether a thread that waits in a function of a library does so for what another has otherwise in
// the midst of a round that leaves all as it is: others in the library's loop acquire and release the lock again and
// again, so that the thread gets it in the end.
func (v *verifier) comesAndGoes(s *state, acts []ir.Action, t, since int) bool {
	waitsFor := func(loc, bits int) bool {
		if a := acts[t]; a.Kind != ir.ActBlocked && a.Loc == loc && a.Bits == bits {
			return true
		}
		return slices.ContainsFunc(s.threads[t].round,
			func(r glimpse) bool { return r.step >= since && r.loc == loc && r.bits == bits })
	}
	for u, a := range acts {
		if a.Kind != ir.ActUnwound || u == t {
			continue
		}
		op := v.program.Threads[u].Code[a.Step].Op.(ir.Unwound)
		for _, r := range s.threads[u].round {
			if op.Again && r.step >= op.Since && r.loc >= 0 && r.value != s.valueAt(v.program, r.loc, r.bits) &&
				waitsFor(r.loc, r.bits) {
				return true
			}
		}
	}
	return false
}

// witness adds the run to the failure, and its execution with the model's verdict.
func (v *verifier) witness(m *models.Model) error {
	run, err := ReplayPrefix(v.program, v.kind, lazyFrom(v.layout.state(v.program), v.kind, v.schedule(v.at)))
	if err != nil {
		return fmt.Errorf("BUG: a run to a failure does not replay: %w", err)
	}
	if err := run.Execution.WellFormed(); err != nil {
		return fmt.Errorf("BUG: ill-formed run: %w", err)
	}
	if bad := evaluation.NewChecker(m).Check(run.Execution); len(bad) > 0 {
		return fmt.Errorf("BUG: the machine reaches an execution that %s forbids: %v", v.kind, bad[0])
	}
	v.failure.Trace, v.failure.Graph = run.Trace, display.Graph(run.Execution, m)
	return nil
}
