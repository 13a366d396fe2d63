package graphs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/run"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/replay"
	"litmuscope/solver"
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/explore"
	"litmuscope/solver/graphs/graph"
)

// mostToured is the number of graphs after which a tour ends.
const mostToured = 200_000

// Tours reports whether the engine supports tours under a model: its graphs must grow in program order, with revisits.
func (Engine) Tours(m *models.Model) bool {
	f, err := consistency.Compile(m, consistency.Anything())
	return err == nil && !f.Ahead
}

// TourOf explores a litmus test and returns at most most stops, with the graph of the stop numbered at.
func (Engine) TourOf(ctx context.Context, q solver.Query, most, at int) (*solver.Tour, error) {
	waits := q.Model.Waits()
	waits.Once = false // a tour shows no flags
	unrolled, _ := ir.Unroll(q.Program, q.Options.Unroll, waits)
	p, x, err := newExploration(ctx, unrolled, q.Model)
	if err != nil {
		return nil, err
	}
	switch {
	case x.Ahead != nil:
		return nil, Untoured(q)
	case x.Symmetry != nil:
		return nil, litmus.Errorf(litmus.Pos{File: q.Program.File}, "%s", sectioned)
	}
	x.Leaf = func(g *graph.Graph) error { return nil }
	return observe(x, p, q, most, at)
}

// TourOfCode does the same for a C program. It does not merge symmetric threads.
func (Engine) TourOfCode(ctx context.Context, p *run.Program, q solver.Query, most, at int) (*solver.Tour, error) {
	tags, fences := p.Tags()
	f, err := consistency.Compile(q.Model, presentInC(tags, fences, false))
	if err != nil {
		return nil, litmus.Errorf(litmus.Pos{File: q.Program.File}, "engine graphs: %v", err)
	}
	switch {
	case f.Ahead || f.Deps:
		return nil, Untoured(q)
	case p.Sections():
		return nil, litmus.Errorf(litmus.Pos{File: q.Program.File}, "%s", sectioned)
	}
	for {
		c := &cprogram{p, max(8, p.Threads()), false}
		x := &explore.Exploration{
			Program: c, Places: graph.NewPlaces(c, false), Threads: c.most,
			Check: consistency.NewChecker(f), Context: ctx,
		}
		x.Leaf = func(*graph.Graph) error { return nil }
		x.MixedLock = c.mixed
		x.Unset = func(_ *graph.Graph, id int32) error { return nil }
		if t, err := observe(x, c, q, most, at); !errors.Is(err, run.Anew) {
			return t, err
		}
	}
}

const sectioned = "if a program has atomic sections, or accesses of several sizes to one location, reads wait for " +
	"the writes, so that there are no revisits to show"

// Untoured returns the error for a model without tours.
func Untoured(q solver.Query) error {
	return litmus.Errorf(litmus.Pos{File: q.Program.File}, "under %s, threads run ahead of their reads, "+
		"so that there are no revisits to show: choose a model that forbids cycles of program order and reads-from, "+
		"such as sc, tso, pso or rc11",
		models.Label(q.Model.Name))
}

// toured is a program that a tour can show.
type toured interface {
	graph.Program
	// sketch returns a partial graph as an execution of the part of the program that it has executed.
	sketch(g *graph.Graph) (*models.Execution, error)
	threadName(t int) string
	// stop says how a thread has stopped.
	stop(g *graph.Graph, t int) stop
	// shown returns the locations with their names.
	shown() *ir.Program
}

// tour is the state of recording. It observes the exploration (explore.Observer) and turns its recursion into a list of
// stops, each with the number of the stop that it came from. Steps without alternatives extend the current stop, so
// that the tour shows a stop only where the exploration branches.
type tour struct {
	p       toured
	model   *models.Model
	most    int
	at      int
	out     *solver.Tour
	current int // current stop; -1 if the tour skips it
	near    int // the last stop before it that the tour shows
	ways    int // number of graphs reached from it
	taken   int32
	// overtaken is the event that had acquired a lock which another event acquires now.
	overtaken *solver.TourEvent
	cancel    context.CancelFunc
	looked    int
	err       error
}

// observe runs an exploration with a tour as its observer. A tour ends early if it visits too many graphs or exceeds
// the time limit.
func observe(x *explore.Exploration, p toured, q solver.Query, most, at int) (*solver.Tour, error) {
	ctx, cancel := context.WithCancel(x.Context)
	defer cancel()
	x.Context = ctx
	t := &tour{
		p: p, model: q.Model, most: most, at: at,
		out: &solver.Tour{Name: q.Program.Name, Model: q.Model.Name, Stops: []solver.Stop{}}, current: -1,
		taken: graph.None, cancel: cancel,
	}
	x.Observer = t
	leaf := x.Leaf
	x.Leaf = func(g *graph.Graph) error { t.ends(g); return leaf(g) }
	err := x.Run()
	if errors.Is(err, context.Canceled) && t.looked > mostToured || errors.Is(err, context.DeadlineExceeded) {
		t.out.Cut, err = true, nil
	}
	if err = errors.Join(t.err, err); err != nil {
		return nil, err
	}
	return t.out, nil
}

// stop records a graph that the current one leads to, or counts it if the list is full.
func (t *tour) stop(g *graph.Graph, end solver.TourEnd) (at int) {
	if t.looked++; t.looked > mostToured {
		t.cancel()
	}
	t.ways++
	if len(t.out.Stops) == t.most || t.current < 0 && len(t.out.Stops) > 0 {
		t.out.Left++
		t.out.Stops[t.near].Left++
		return -1
	}
	s := solver.Stop{From: t.current, End: end, Events: []solver.TourEvent{}}
	if len(g.Events) > 0 {
		s.Events = append(s.Events, t.event(g, int32(len(g.Events)-1)))
	}
	if s.Revisited = t.overtaken; t.taken != graph.None {
		r := t.event(g, t.taken)
		s.Revisited = &r
	}
	t.out.Stops = append(t.out.Stops, s)
	return len(t.out.Stops) - 1
}

// Enter starts with a graph; the returned function goes back to the one that it came from.
func (t *tour) Enter(g *graph.Graph) func() {
	current, near, taken := t.current, t.near, t.taken
	if taken != graph.None || t.overtaken != nil {
		t.out.Revisits++
	}
	at := t.stop(g, "")
	ways := t.ways
	t.begin(g, at)
	t.taken, t.overtaken = graph.None, nil
	return func() {
		if t.ways == 0 {
			t.end(solver.Refused)
		}
		t.current, t.near, t.taken, t.ways = current, near, taken, ways
	}
}

// Overtakes records that the next event takes a lock instead of event r.
func (t *tour) Overtakes(g *graph.Graph, r int32) {
	e := t.event(g, r)
	t.overtaken = &e
}

// Revisits records the read that takes another value in the next graph.
func (t *tour) Revisits(r int32) { t.taken = r }

// Skips counts a skipped graph.
func (t *tour) Skips() { t.out.Spared++ }

func (t *tour) begin(g *graph.Graph, at int) {
	t.current, t.ways = at, 0
	if at >= 0 {
		t.near = at
	}
	t.draw(g, at)
}

// Extends records a graph with one more event. If there was no alternative, it extends the current stop.
func (t *tour) Extends(g *graph.Graph) {
	if t.ways > 0 {
		t.begin(g, t.stop(g, ""))
		return
	}
	if t.current >= 0 {
		s := &t.out.Stops[t.current]
		s.Events = append(s.Events, t.event(g, int32(len(g.Events)-1)))
		t.draw(g, t.current)
	}
}

// Refused records a graph that the model forbids.
func (t *tour) Refused(g *graph.Graph) {
	t.out.Refused++
	if at := t.stop(g, solver.Refused); at >= 0 {
		t.draw(g, at)
	}
}

// Idle records a graph in which a thread waits for another write than the one that it has read.
func (t *tour) Idle(g *graph.Graph) {
	t.out.Blocked++
	if at := t.stop(g, solver.Blocked); at >= 0 {
		t.draw(g, at)
	}
}

// ends records a graph in which no thread can continue.
func (t *tour) ends(g *graph.Graph) {
	end := solver.Executed
	for th := range g.Threads {
		switch s := t.p.stop(g, th); {
		case s.kind == ir.ActEnd || s.kind == ir.ActUnspawned || end == solver.Fails:
		case s.kind == ir.ActFailed:
			end = solver.Fails
		case s.kind == ir.ActUnwound && !s.waits:
			end = solver.Bounded
		case end == solver.Executed:
			end = solver.Blocked
		}
	}
	t.end(end)
}

func (t *tour) end(end solver.TourEnd) {
	t.ways++
	switch end {
	case solver.Executed:
		t.out.Executions++
	case solver.Refused:
		t.out.Refused++
	case solver.Fails:
		t.out.Failed++
	default:
		t.out.Blocked++
	}
	if t.current < 0 {
		return
	}
	s := &t.out.Stops[t.current]
	if s.End = end; end == solver.Executed {
		s.Number = t.out.Executions
	}
}

// draw keeps the graph of the requested stop.
func (t *tour) draw(g *graph.Graph, at int) {
	if at != t.at || t.err != nil {
		return
	}
	x, err := t.p.sketch(g)
	if err != nil {
		t.err = err
		return
	}
	t.out.Graph, t.out.Cycle, t.out.Axiom = display.Graph(x, t.model), nil, ""
	if bad := evaluation.NewChecker(t.model).Check(x); len(bad) > 0 {
		t.out.Axiom = bad[0].Axiom
		for i, e := range bad[0].Events {
			t.out.Cycle = append(t.out.Cycle, models.Pair{e, bad[0].Events[(i+1)%len(bad[0].Events)]})
		}
	}
}

// event describes an event.
func (t *tour) event(g *graph.Graph, id int32) solver.TourEvent {
	e := &g.Events[id]
	out := solver.TourEvent{Thread: t.p.threadName(int(e.Thread))}
	at := func() string {
		p := t.p.shown()
		return p.Locs[e.Loc].Name + "=" + p.FormatAt(int(e.Loc), e.Value)
	}
	switch e.Kind {
	case graph.Read:
		out.Text = "R " + at()
		if e.RF >= 0 && g.Events[e.RF].Thread != e.Thread {
			out.Text += " from " + t.p.threadName(int(g.Events[e.RF].Thread))
		}
	case graph.Write:
		out.Text = "W " + at()
		list := g.CO[e.Loc]
		if i := slices.Index(list, id); i >= 0 && i+1 < len(list) {
			next := &g.Events[list[i+1]]
			p := t.p.shown()
			out.Text += fmt.Sprintf(" before %s=%s of %s", p.Locs[e.Loc].Name, p.FormatAt(int(e.Loc), next.Value),
				t.p.threadName(int(next.Thread)))
		}
	case graph.Fence:
		out.Text = "fence"
	case graph.Spawn:
		out.Text = "starts " + t.p.threadName(int(e.Other))
	case graph.Join:
		out.Text = "joins " + t.p.threadName(int(e.Other))
	case graph.Choice:
		out.Text = "fails spuriously"
		if e.Value != 0 {
			out.Text = "chooses 1"
		}
	}
	return out
}

func (p *test) shown() *ir.Program { return p.Program }

func (p *test) threadName(t int) string {
	if name := p.Threads[t].Name; name != "" {
		return name
	}
	return fmt.Sprintf("P%d", p.Threads[t].ID)
}

// sketch implements toured: it makes a program that does exactly what the threads have done.
func (p *test) sketch(g *graph.Graph) (*models.Execution, error) {
	out := *p.Program
	out.Threads = slices.Clone(p.Threads)
	out.Condition = litmus.Condition{Quantifier: litmus.Forall, Prop: litmus.And{}}
	out.Filter, out.Observed = nil, nil
	reads := make([][]uint64, len(p.Threads))
	for t := range out.Threads {
		th := &out.Threads[t]
		th.Code = nil
		th.Regs, reads[t] = retrace(g, t, p.Locs, func(at int32, op ir.Op) {
			th.Code = append(th.Code, ir.Step{Op: op, Source: p.Threads[t].Code[at].Source})
		})
	}
	x, err := replay.Run{Reads: reads}.Replay(&out)
	if err != nil {
		return nil, fmt.Errorf("BUG: a sketch does not replay: %w", err)
	}
	return x, relate(x, g)
}

func (p *cprogram) sketch(g *graph.Graph) (*models.Execution, error) { return p.traced(g, "") }

func (p *cprogram) shown() *ir.Program {
	out := &ir.Program{Addresses: p.Names()}
	for _, s := range p.Scalars {
		out.Locs = append(out.Locs, ir.Location{Name: s.Name, Bits: s.Bits, Address: s.Address, Signed: true})
	}
	return out
}
