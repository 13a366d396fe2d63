package graphs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/explore"
	"litmuscope/solver/graphs/graph"
)

// Engine answers queries by visiting execution graphs, one by one. The zero value is ready. It uses the options
// Timeout, States, Unroll and Witnesses.
//
// The exploration is that of package explore; this package gives it programs and evaluates its results. Each maximal
// graph (leaf) in which all threads have ended is an execution: the engine checks its outcome against the filter and
// the condition. The first execution of each state is rebuilt by replaying the program, and judged by package
// evaluation, which shares no code with the exploration. It only counts later executions of a state.
type Engine struct{}

var _ solver.Engine = Engine{}

// Name implements solver.Engine.
func (Engine) Name() string { return "graphs" }

// Version implements solver.Engine.
func (Engine) Version() int { return 17 }

// Models implements solver.Engine: the built-in models that the method supports.
func (Engine) Models() []string { return admitted() }

var admitted = sync.OnceValue(func() (out []string) {
	for _, name := range models.Names() {
		if m, err := models.Named(name); err == nil && (Engine{}).Takes(m) == nil {
			out = append(out, name)
		}
	}
	return out
})

// Takes returns the reason why the engine does not support a model, or nil.
func (Engine) Takes(m *models.Model) error {
	_, err := consistency.Compile(m, consistency.Anything())
	return err
}

// Explore implements solver.Engine.
func (e Engine) Explore(ctx context.Context, q solver.Query) (*solver.Result, error) {
	ctx, cancel := q.Options.Within(ctx)
	defer cancel()
	s := &search{Query: q, start: time.Now(), result: solver.NewResult(q, e.Name()), states: map[string]bool{}}
	waits := q.Model.Waits()
	waits.Once = false
	unrolled, loops := ir.Unroll(q.Program, q.Options.Unroll, waits)
	s.loops = loops
	p, x, err := newExploration(ctx, unrolled, q.Model)
	if err != nil {
		return nil, err
	}
	s.p, s.judge = p, evaluation.NewChecker(q.Model)
	x.Leaf = s.leaf
	for _, f := range q.Model.Flags {
		s.flags = append(s.flags, solver.Flag{Name: f.Name, Undefined: f.Undefined()})
	}
	err = x.Run()
	switch {
	case err == nil:
		s.all = true
		if s.waits && !s.bounded && s.watches() {
			if err := s.lookAtFailingRounds(ctx); err != nil && ctx.Err() == nil { // after a timeout, flags stay open
				return nil, err
			}
		}
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		s.result.Cut = ended(ctx)
		s.result.Status, s.result.Reason = solver.Unknown,
			fmt.Sprintf("graphs: %s after %d executions", ended(ctx), s.satisfying+s.violating)
	default:
		return nil, err
	}
	s.finish()
	return s.result, nil
}

// lookAtFailingRounds looks for flags in executions with one failing round of each loop that only waits. Package
// analysis, forgets.go, says why these suffice.
func (s *search) lookAtFailingRounds(ctx context.Context) error {
	unrolled, _ := ir.Unroll(s.Program, s.Options.Unroll, s.Model.Waits())
	p, x, err := newExploration(ctx, unrolled, s.Model)
	if err != nil {
		return err
	}
	judge := s.judge
	s.judge = evaluation.NewChecker(s.Model) // a checker serves one program
	defer func() { s.judge = judge }()
	x.Leaf = func(g *graph.Graph) error {
		for t := range g.Threads {
			if g.Threads[t].Next.Kind != ir.ActEnd {
				return nil
			}
		}
		if !s.watches() || !s.Program.Satisfies(s.Program.Filter, final(g, p)) {
			return nil
		}
		e, err := p.execution(g)
		if err != nil {
			return err
		}
		return s.note(e)
	}
	err = x.Run()
	s.looked = err == nil
	return err
}

// newExploration prepares the exploration of a loop-free program.
func newExploration(ctx context.Context, p *ir.Program, m *models.Model) (*test, *explore.Exploration, error) {
	f, err := consistency.Compile(m, consistency.Presence{Tag: present(p), Fence: presentIn(p, isFence)})
	if err != nil {
		return nil, nil, litmus.Errorf(litmus.Pos{File: p.File}, "engine graphs: %v: choose another engine", err)
	}
	for _, th := range p.Threads {
		for _, s := range th.Code {
			if _, ok := s.Op.(ir.Atomic); ok {
				return nil, nil, litmus.Errorf(th.Source[s.Source].Pos,
					"engine graphs: P%d has an atomic section, which is not supported: choose another engine",
					th.ID)
			}
		}
	}
	if p.Split {
		f.Mix()
	}
	t := newTest(p, f)
	x := &explore.Exploration{Program: t, Threads: len(p.Threads), Check: consistency.NewChecker(f), Context: ctx}
	x.Unset = func(g *graph.Graph, read int32) error {
		return litmus.Errorf(litmus.Pos{File: p.File},
			"engine graphs: %s has an arbitrary initial value, which is not supported: choose another engine",
			p.Locs[g.Events[read].Loc].Name)
	}
	x.Places = graph.NewPlaces(t, f.Ahead)
	switch {
	case f.Ahead:
		x.Ahead = &explore.Ahead{May: p.MayWrite(), Grounded: m.IsGrounded()}
	case f.Mixed:
		x.Symmetry = &explore.Symmetry{Alike: func(a, b any) bool { return false }, Maker: func(int) int { return -1 }}
	}
	return t, x, nil
}

// search is the state of answering one query.
type search struct {
	solver.Query
	p      *test
	judge  *evaluation.Checker
	start  time.Time
	result *solver.Result

	loops   bool // the bound cuts some loops
	waits   bool // some execution waits in a loop
	looked  bool // … and the exploration covers their failing rounds
	bounded bool // some execution reaches the loop bound
	all     bool // the exploration has visited all executions

	flags                 []solver.Flag
	found                 []solver.Found
	states                map[string]bool
	some, someNot         solver.Truth
	satisfying, violating int
}

// leaf records an execution. It ignores graphs in which some thread has not ended, except that these reach a bound or
// wait.
func (s *search) leaf(g *graph.Graph) error {
	ended := true
	for t := range g.Threads {
		a := g.Threads[t].Next
		if a.Kind == ir.ActUnwound {
			u, _ := s.p.Threads[t].Code[a.At].Op.(ir.Unwound)
			s.waits = s.waits || u.Spin
			s.bounded = s.bounded || !u.Spin
		}
		ended = ended && a.Kind == ir.ActEnd
	}
	if !ended {
		return nil
	}
	final := final(g, s.p)
	if !s.Program.Satisfies(s.Program.Filter, final) {
		return nil
	}
	satisfies := s.Program.Satisfies(s.Program.Condition.Prop, final)
	if satisfies {
		s.satisfying++
		s.some = solver.Yes
	} else {
		s.violating++
		s.someNot = solver.Yes
	}
	key := s.Program.Visible(final).Key()
	fresh := !s.states[key]
	if !fresh && !s.watches() {
		return nil
	}
	x, err := s.p.execution(g)
	if err != nil {
		return err
	}
	if fresh {
		if bad := s.judge.Check(x); len(bad) > 0 {
			return fmt.Errorf("BUG: the engine visited a graph that the model forbids: %v", bad[0])
		}
		s.states[key] = true
		f := solver.Found{State: final}
		if s.Options.Witnesses && len(s.found) < s.Options.States {
			f.Graph = display.Graph(x, s.Model)
		}
		s.found = append(s.found, f)
	}
	return s.note(x)
}

// watches reports whether some flag is still down.
func (s *search) watches() bool {
	for i := range s.flags {
		if s.flags[i].Raised == nil {
			return true
		}
	}
	return false
}

// note records the flags that an execution raises.
func (s *search) note(x *models.Execution) error {
	if !s.watches() {
		return nil
	}
	for i, raised := range s.judge.Flags(x) {
		f := &s.flags[i]
		if !raised || f.Raised != nil {
			continue
		}
		if m := s.Model.Flags[i]; m.Role == cat.Asserted {
			return litmus.Errorf(m.Pos,
				"the model's assertion %s fails in an execution of this test: the model does not support such "+
					"tests", f.Name)
		}
		f.Raise(x, s.Model, s.judge.Causes(x, i), s.Options.Witnesses)
	}
	return nil
}

// Answers are final only if the exploration has visited everything: a condition is false only if no graph reached the
// loop bound and the exploration met no limit. A witness needs no such care: one execution is enough.

// final returns the outcome of a graph in which all threads have ended.
func final(g *graph.Graph, p *test) ir.State {
	out := make(ir.State, len(p.Observed))
	for i, o := range p.Observed {
		if o.Thread >= 0 {
			out[i] = g.Threads[o.Thread].Run.(*cursor).c.Regs[o.Index] & ir.Mask(o.Bits)
			continue
		}
		pieces := []ir.Piece{{Loc: o.Index}}
		if p.Split {
			pieces, _ = p.Pieces(o.Index, o.Bits)
		}
		for _, q := range pieces {
			v, _ := g.Value(p, int32(q.Loc), g.Last(int32(q.Loc)))
			out[i] |= v << q.Lo
		}
	}
	return out
}

// finish makes the result of what the search found. Truths, flags and counts are final only if the search visited
// everything within no bound; otherwise they stay open and the status says why.
func (s *search) finish() {
	r := s.result
	if s.all && !s.bounded {
		for _, t := range []*solver.Truth{&s.some, &s.someNot} {
			if *t == solver.Open {
				*t = solver.No
			}
		}
	}
	unflagged := ""
	for i, f := range s.Model.Flags {
		open := s.waits && !(s.looked && s.Model.Persists(i))
		if s.flags[i].Raised == nil && s.all && !s.bounded && !open {
			s.flags[i].Raised = new(bool)
		}
		if f.Role == cat.Asserted {
			continue
		}
		if s.flags[i].Raised == nil && s.flags[i].Undefined && open {
			unflagged = fmt.Sprintf("behaviour may be undefined (%s): "+
				"only one failing round of a waiting loop was explored", f.Name)
		}
		r.Flags = append(r.Flags, s.flags[i])
	}
	r.Decide(s.Program.Condition.Quantifier, s.some, s.someNot)
	r.Complete = s.all && !s.bounded
	if !s.all || len(s.found) > s.Options.States && s.Options.States > 0 {
		r.StatesComplete = new(bool)
	}
	r.SetOutcomes(s.Program, s.found[:min(len(s.found), s.Options.States)], s.Options.Witnesses)
	if s.all && !s.loops {
		positive, negative := s.satisfying, s.violating
		if s.Program.Condition.Quantifier == litmus.NotExists {
			positive, negative = negative, positive
		}
		r.Positive, r.Negative = &positive, &negative
	}
	if r.Status == solver.OK && (r.Verdict == solver.Undecided || r.ConditionHolds == nil) {
		switch {
		case s.bounded:
			r.Status, r.Reason = solver.Unknown,
				fmt.Sprintf("the unroll bound of %d was reached: raise --unroll", s.Options.Unroll)
		case unflagged != "":
			r.Status, r.Reason = solver.Unknown, unflagged
		}
	}
	r.Stats = &solver.Stats{
		Explored: s.satisfying + s.violating,
		Solve:    float64(time.Since(s.start).Microseconds()) / 1000,
	}
	r.MS = r.Stats.Solve
}

// ended says why a context has ended, for the reason of an unknown answer.
func ended(ctx context.Context) string {
	if ctx.Err() == context.DeadlineExceeded {
		return "time limit reached"
	}
	return "cancelled"
}
