package explore

import (
	"context"
	"errors"
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/graph"
)

// Exploration visits each consistent execution graph of a program once, as TruSt does (Kokologiannakis, Marmanis,
// Gladstein, Vafeiadis, POPL 2022, section 4): events come one by one; a read tries each existing write, and a write
// tries each place in coherence. A write also revisits each earlier read of its location: in a copy of the graph, the
// read takes its value from the write, and all events added after the read go, except those that the write depends on.
// The revisit happens only in the one graph in which the events that go read from the last writes only: so it visits
// nothing twice, and needs no memory of visited graphs.
type Exploration struct {
	Context context.Context
	Program graph.Program
	Places  *graph.Places // of the threads
	Threads int           // at most
	Check   *consistency.Checker
	Ahead   *Ahead // where threads run ahead
	// Rounds: a thread that waits may do so forever because of reads before the loop.
	Rounds bool
	// Symmetry is set if the exploration merges threads that are alike.
	Symmetry *Symmetry
	// Likely tells which threads are alike; nil if the caller does not use symmetry. If enough are, the exploration
	// ends with ErrAlike; but where they take a lock first, they take it in turn.
	Likely *Symmetry

	// Leaf receives each graph in which no thread can continue.
	Leaf func(*graph.Graph) error
	// Partial receives each graph in which no thread can continue, if there are atomic sections. With atomic sections,
	// a model may not allow adding one more event, so the exploration works as with symmetry, which does not need that.
	Partial func(*graph.Graph) error
	// Unset receives each graph whose newest read is from a location without a known initial value; nil where there is
	// none.
	Unset func(g *graph.Graph, read int32) error
	// Blocked receives each graph that ends because a thread has just been blocked by a read that may be in a data
	// race.
	Blocked func(*graph.Graph) error
	// Fails receives each graph in which a thread has just failed; nil to ignore failures. It reports whether it has
	// heard enough of that.
	Fails func(g *graph.Graph, t int) (heard bool, err error)
	// MixedLock receives the location of a lock that a thread releases without holding it.
	MixedLock func(loc int32) error
	// Observer follows the visited graphs; nil without an observer.
	Observer Observer

	// Rest has the paths of the parts that Begin left for others.
	Rest []Path

	free  []*graph.Graph
	steps int
	gone  []bool
	peers *Symmetry // of threads that take a lock first

	// walks: record the alternatives of a graph rather than visit them.
	walks bool
	ways  []*graph.Graph

	// path is the path to the current graph: for each event, which of the ways that there were.
	path Path
	// cut reports whether the exploration should leave its rest for others; nil where it never is.
	cut func() bool
}

// Observer follows the steps of an exploration.
type Observer interface {
	// Enter receives a graph before the exploration visits its successors; the exploration calls the returned function
	// after the last of them.
	Enter(g *graph.Graph) func()
	// Extends receives that graph with one more event.
	Extends(g *graph.Graph)
	// Refused receives a graph that the model forbids, and Idle one in which a read from another write than the last
	// blocks a thread.
	Refused(g *graph.Graph)
	Idle(g *graph.Graph)
	// Revisits receives a read before the visit of the graph in which it takes its value from a new write, and
	// graph.None after that.
	Revisits(r int32)
	// Overtakes receives, before the visit of a graph, the read of another graph that this one replaces by its own
	// acquisition of the lock.
	Overtakes(g *graph.Graph, r int32)
	// Skips means that the exploration skips a graph because another leads to the same ones.
	Skips()
}

// Run explores all.
func (x *Exploration) Run() error {
	return x.visit(x.first())
}

// first is the graph before anything has happened.
func (x *Exploration) first() *graph.Graph {
	g := graph.New(x.Threads)
	g.Columns.Kept = x.Check.Columns()
	for t := range g.Threads {
		g.Threads[t].Start(x.Places, t)
	}
	return g
}

// copy is a graph like another.
func (x *Exploration) copy(g *graph.Graph) *graph.Graph {
	c := x.blank()
	c.CopyFrom(g)
	return c
}

func (x *Exploration) blank() *graph.Graph {
	if n := len(x.free) - 1; n >= 0 {
		c := x.free[n]
		x.free = x.free[:n]
		return c
	}
	return graph.New(x.Threads)
}

// visit explores from a graph, which the caller must not use any more.
func (x *Exploration) visit(g *graph.Graph) error {
	if x.walks {
		x.ways = append(x.ways, g)
		return nil
	}
	depth := len(x.path)
	defer func() {
		x.free = append(x.free, g)
		if x.path = x.path[:depth]; depth > 0 {
			x.path[depth-1]++
		}
	}()
	if x.Observer != nil {
		defer x.Observer.Enter(g)()
	}
	for {
		if x.cut != nil && x.leaves() {
			return nil
		}
		x.path = append(x.path, 0)
		if alive, err := x.goOn(g); err != nil || !alive {
			return err
		}
		if x.Observer != nil {
			x.Observer.Extends(g)
		}
	}
}

// goOn adds an event to a graph, and visits all alternatives to it. It reports whether this graph continues.
func (x *Exploration) goOn(g *graph.Graph) (alive bool, err error) {
	if x.steps++; x.steps%64 == 0 && x.Context.Err() != nil {
		return false, x.Context.Err()
	}
	if x.Ahead != nil {
		return x.onward(g)
	}
	t, err := x.turn(g)
	if err != nil {
		return false, err
	}
	if t < 0 {
		return false, x.end(g)
	}
	th := &g.Threads[t]
	a := th.Next
	alive = true
	switch {
	case th.Half >= 0:
		alive, err = x.write(g, t, th.Half)
	case th.Piece > 0:
		alive, err = x.write(g, t, g.Reserved(t))
	case a.Kind == ir.ActLoad || a.Kind == ir.ActRMW:
		switch {
		case x.Symmetry != nil:
			err = x.await(g, t)
		case a.Locks:
			err = x.lock(g, t)
		default:
			err = x.read(g, t)
		}
	case a.Kind == ir.ActStore:
		alive, err = x.write(g, t, -1)
	case a.Kind == ir.ActStoreCond:
		err = x.conditional(g, t)
	case a.Kind == ir.ActChoose:
		other := x.copy(g)
		other.Threads[t].MovePast(other,
			x.add(other, x.event(other, t, graph.Choice, func(e *graph.Event) { e.Value = 1 })))
		if err = x.visit(other); err == nil {
			alive = x.canDecline(g, t)
			th.MovePast(g, x.add(g, x.event(g, t, graph.Choice, func(e *graph.Event) { e.Usual = true })))
		}
	default:
		k := graph.Fence
		switch a.Kind {
		case ir.ActSpawn:
			k = graph.Spawn
		case ir.ActJoin:
			k = graph.Join
		case ir.ActEnter:
			k = graph.Enter
		case ir.ActLeave:
			k = graph.Leave
		}
		th.MovePast(g, x.add(g, x.event(g, t, k, func(e *graph.Event) { e.Other = a.Other })))
		if k == graph.Spawn && x.Likely != nil {
			if err := x.meets(g, int(a.Other)); err != nil {
				return false, err
			}
		}
		alive = !x.Check.Formula().Sections || x.allows(g)
	}
	return alive, err
}

// turn is the thread that continues; -1 for none.
func (x *Exploration) turn(g *graph.Graph) (int, error) {
	if x.Symmetry != nil {
		return x.Symmetry.turn(g, x.Fails)
	}
	return ready(g, x.Program, x.Fails)
}

// end handles a graph in which no thread can continue.
func (x *Exploration) end(g *graph.Graph) error {
	if x.Symmetry != nil {
		return x.ended(g)
	}
	if err := x.locked(g); err != nil {
		return err
	}
	if x.peers != nil && !x.peers.same(g) {
		return ErrApart
	}
	return x.Leaf(g)
}

// ready is the thread that continues: one in the middle of an update, the first that can and takes no lock, or the
// first that can take one; -1 for none.
func ready(g *graph.Graph, p graph.Program, fails func(*graph.Graph, int) (bool, error)) (int, error) {
	first, locks := -1, -1
	for t := range g.Threads {
		if g.Threads[t].Half >= 0 {
			return t, nil
		}
		if first >= 0 {
			continue
		}
		can, err := can(g, t, fails)
		if err != nil {
			return -1, err
		}
		switch {
		case !can:
		case !g.Threads[t].Next.Locks:
			first = t
		case locks < 0 && unlocked(g, p, g.Threads[t].Next.Loc):
			locks = t
		}
	}
	if first < 0 {
		first = locks
	}
	return first, nil
}

// can reports whether a thread can continue.
func can(g *graph.Graph, t int, fails func(*graph.Graph, int) (bool, error)) (bool, error) {
	th := &g.Threads[t]
	if err := th.FindNext(); err != nil {
		return false, err
	}
	switch th.Next.Kind {
	case ir.ActEnd, ir.ActUnwound, ir.ActBlocked, ir.ActUnspawned:
		return false, nil
	case ir.ActFailed:
		if fails != nil && !th.Failed {
			var err error
			th.Failed, err = fails(g, t)
			return false, err
		}
		return false, nil
	case ir.ActJoin:
		other := &g.Threads[th.Next.Other]
		err := other.FindNext()
		return other.Next.Kind == ir.ActEnd, err
	}
	return true, nil
}

// add puts an event behind the others of its thread.
func (x *Exploration) add(g *graph.Graph, e graph.Event) int32 {
	id := g.Add(e)
	x.Check.FindColumns(g, id)
	return id
}

// allows reports whether the model allows events that have come last of their threads where they are.
func (x *Exploration) allows(g *graph.Graph, ids ...int32) bool {
	is := x.judge(g, ids)
	if !is && x.Observer != nil {
		x.Observer.Refused(g)
	}
	return is
}

func (x *Exploration) judge(g *graph.Graph, ids []int32) bool {
	if x.Check.Placed {
		if slices.ContainsFunc(ids, func(id int32) bool { return g.Events[id].Kind == graph.Read && x.early(g, id) }) {
			return false
		}
	}
	return x.Check.Allows(g, ids)
}

// event is the next event of a thread.
func (x *Exploration) event(g *graph.Graph, t int, k graph.Kind, more func(*graph.Event)) graph.Event {
	th := &g.Threads[t]
	e := graph.Event{
		Kind: k, Thread: int32(t), Step: th.Next.At, Loc: th.Next.Loc, RF: graph.Initial, Half: -1,
		Other: -1, Tags: th.Next.Tags,
	}
	if (k == graph.Read || k == graph.Write) && th.Next.Pieces != nil {
		e.Whole, e.Piece, e.Loc = th.Next.Pieces, int32(th.Piece), int32(th.Next.Pieces[th.Piece].Loc)
	}
	switch {
	case k == graph.Choice:
		e.Tags, e.Free = nil, th.Next.Free
	case th.Half >= 0:
		e.Tags, e.Deps = th.Second, th.Carried()
	default:
		e.Deps = th.Deps()
	}
	more(&e)
	x.Check.Formula().Classify(&e)
	return e
}

// read tries each write that the thread's next read can take its value from, and continues with the last in coherence.
func (x *Exploration) read(g *graph.Graph, t int) error {
	loc := g.Threads[t].Next.Loc
	id := x.add(g, x.event(g, t, graph.Read, func(e *graph.Event) { e.RF = graph.None }))
	for i := x.least(g, id, loc); i < len(g.CO[loc]); i++ {
		w := int32(graph.Initial)
		if i > 0 {
			w = g.CO[loc][i-1]
		}
		other := x.copy(g)
		x.readFrom(other, id, w)
		th := &other.Threads[t]
		if err := th.FindNext(); err != nil {
			// What the program does wrong where the model forbids it, it does not do; what the exploration learns about
			// the program counts anywhere.
			if at := new(litmus.Error); !errors.As(err, &at) || x.allows(other, id) {
				return err
			}
			x.free = append(x.free, other)
			continue
		}
		if x.blocks(other, id) {
			if x.Observer != nil {
				x.Observer.Idle(other)
			}
			err := x.blocked(other, id)
			if x.free = append(x.free, other); err != nil {
				return err
			}
			continue
		}
		if x.vain(other, id) || !x.allows(other, id) {
			x.free = append(x.free, other)
			continue
		}
		if err := x.filled(other, id); err != nil {
			return err
		}
		if err := x.visit(other); err != nil {
			return err
		}
	}
	x.readFrom(g, id, g.Last(loc))
	return x.filled(g, id)
}

// blocked handles a graph that ends because a read from another write than the last blocks its thread. All else that
// fails, or races, does so where it reads that one; so does it itself, or where it reads what it races with.
func (x *Exploration) blocked(g *graph.Graph, ids ...int32) error {
	races, unset := false, false
	for _, id := range ids {
		e := &g.Events[id]
		races = races || e.RF >= 0 && x.Blocked != nil && x.Check.Formula().MayRace(&g.Events[e.RF], e)
		unset = unset || e.Unset
	}
	if !races && !unset || !x.judge(g, ids) {
		return nil
	}
	if err := x.filled(g, ids...); err != nil || !races {
		return err
	}
	return x.Blocked(g)
}

// filled handles reads that have no value yet.
func (x *Exploration) filled(g *graph.Graph, ids ...int32) error {
	for _, id := range ids {
		if g.Events[id].Unset {
			return x.Unset(g, id)
		}
	}
	return nil
}

// readFrom gives a read without a value that of a write.
func (x *Exploration) readFrom(g *graph.Graph, id, w int32) {
	g.TakeFrom(x.Program, id, w)
	g.Threads[g.Events[id].Thread].MovePast(g, id)
	x.addRead(g, id)
}

// addRead completes a read whose value its thread has received.
func (x *Exploration) addRead(g *graph.Graph, id int32) {
	e := &g.Events[id]
	e.Tags = g.Threads[e.Thread].ReadTags()
	x.Check.Formula().Classify(e)
	g.Tick(id)
	x.Check.FindColumns(g, id)
}

// vain reports whether an update reads a write that another update has already overwritten, when the other cannot read
// this one instead: then its own write has no place.
func (x *Exploration) vain(g *graph.Graph, id int32) bool {
	e := &g.Events[id]
	if !x.Check.Formula().Atomic || g.Threads[e.Thread].Half < 0 {
		return false
	}
	for i := range g.Events {
		if h := g.Events[i].Half; h >= 0 && h != id && g.Events[h].RF == e.RF && g.Events[h].Loc == e.Loc {
			is := g.Before(h, id)
			if is && x.Observer != nil {
				x.Observer.Refused(g)
			}
			return is
		}
	}
	return false
}

// blocks reports whether a thread has stopped because of its last read. If it has not read from the last write, the
// graph leads to no new execution. A later write offers itself to the read that has read from the last write.
func (x *Exploration) blocks(g *graph.Graph, id int32) bool {
	e := &g.Events[id]
	th := &g.Threads[e.Thread]
	return th.Half < 0 && th.Looked && th.Next.Kind == ir.ActBlocked && !(x.Rounds && e.Pos < th.Next.Since)
}

// least is how many writes of a location, the initial one first, an event is past that has no place yet: those in
// coherence up to the last write that certainly precedes the event or is that event.
func (x *Exploration) least(g *graph.Graph, id, loc int32) int {
	if len(g.CO[loc]) == 0 {
		return 0
	}
	least := x.Check.Least(g, id, loc)
	if x.Symmetry != nil {
		least = max(least, x.Symmetry.least(g, id))
	}
	return least
}

// early reports whether a read takes its value from a write that it is past.
func (x *Exploration) early(g *graph.Graph, id int32) bool {
	e := &g.Events[id]
	return g.Rank(e.Loc, e.RF)+1 < x.least(g, id, e.Loc)
}

// conditional tries a store-conditional that fails, and continues with one that succeeds, if possible.
func (x *Exploration) conditional(g *graph.Graph, t int) error {
	th := &g.Threads[t]
	fail := func(g *graph.Graph) {
		g.Threads[t].MovePast(g, x.add(g, x.event(g, t, graph.Choice, func(e *graph.Event) { e.Usual = true })))
	}
	if th.Next.Reserved >= 0 {
		other := x.copy(g)
		alive, err := x.write(other, t, other.Reserved(t))
		if err == nil && alive {
			err = x.visit(other)
		} else {
			x.free = append(x.free, other)
		}
		if err != nil {
			return err
		}
	}
	fail(g)
	return nil
}

// write adds the next write of a thread, or the second half of an update or an exclusive pair whose read is given. It
// tries each earlier read that may take its value from it, and each place in coherence, and continues with the last
// possible one, if any: alive.
func (x *Exploration) write(g *graph.Graph, t int, half int32) (alive bool, err error) {
	th := &g.Threads[t]
	unlocks := half < 0 && th.Next.Unlocks && x.Symmetry == nil
	if unlocks && !holds(g, t, th.Next.Loc) {
		return false, x.MixedLock(th.Next.Loc)
	}
	w := x.add(g, x.event(g, t, graph.Write, func(e *graph.Event) {
		if e.Half = half; half >= 0 {
			e.Half += e.Piece
		}
		if th.Half >= 0 {
			e.Value = th.Written
		} else {
			e.Value = th.Next.Value
		}
		e.Value = e.Part(e.Value)
		e.Usual = half < 0 || th.Half >= 0
	}))
	th.MovePast(g, w)
	if x.Symmetry == nil && !(half >= 0 && g.Events[half].Locks) && !unlocks {
		if err := x.revisits(g, w); err != nil {
			return false, err
		}
	}
	return x.placed(g, w)
}

// placed tries a write at each place in coherence, in g at the last that can be. Other events may be as new as it.
func (x *Exploration) placed(g *graph.Graph, w int32, also ...int32) (alive bool, err error) {
	also = append(also, w)
	e := &g.Events[w]
	loc := e.Loc
	least, sure := x.least(g, w, loc), e.Half < 0 && !x.Check.Formula().Sections && e.Whole == nil
	if e.Half >= 0 && x.Check.Formula().Atomic && g.Events[e.Half].Pos+int32(max(len(e.Whole), 1)) == e.Pos {
		at := g.Rank(loc, g.Events[e.Half].RF) + 1
		if at < least || at < len(g.CO[loc]) && x.taken(g, at, e.Half) {
			return false, nil
		}
		g.Place(w, at)
		return x.allows(g, also...), nil
	}
	for i := least; i < len(g.CO[loc]); i++ {
		other := x.copy(g)
		other.Place(w, i)
		if !x.allows(other, also...) {
			x.free = append(x.free, other)
			continue
		}
		if err := x.visit(other); err != nil {
			return false, err
		}
	}
	g.Place(w, len(g.CO[loc]))
	return sure || x.allows(g, also...), nil
}

// taken reports whether the write at a place in coherence belongs to an update that reads from the same write as
// another.
func (x *Exploration) taken(g *graph.Graph, at int, read int32) bool {
	e := &g.Events[read]
	h := g.Events[g.CO[e.Loc][at]].Half
	return h >= 0 && g.Events[h].RF == e.RF
}

// revisits visits the graphs in which an earlier read takes its value from w, which has no place in coherence yet.
func (x *Exploration) revisits(g *graph.Graph, w int32) error {
	loc := g.Events[w].Loc
	for r := range w {
		e := &g.Events[r]
		if e.Kind != graph.Read || e.Loc != loc || g.Before(r, w) {
			continue
		}
		if !x.revisitable(g, r, w) {
			if x.Observer != nil {
				x.Observer.Skips()
			}
			continue
		}
		next := x.blank()
		nr, nw, err := next.Less(x.Places, g, x.gone, r, w)
		if err != nil {
			return err
		}
		if x.Observer != nil {
			x.Observer.Revisits(nr)
		}
		x.Check.Formula().Classify(&next.Events[nr])
		x.Check.FindColumns(next, nr)
		alive, err := x.placed(next, nw, nr)
		if err == nil && alive {
			err = x.visit(next)
		} else {
			x.free = append(x.free, next)
		}
		if x.Observer != nil {
			x.Observer.Revisits(graph.None)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// revisitable reports whether r, and all that goes when it takes its value from w, is as it is in one graph alone of
// those that lead to the same; x.gone is what goes.
func (x *Exploration) revisitable(g *graph.Graph, r, w int32) bool {
	x.gone = slices.Grow(x.gone[:0], len(g.Events))[:len(g.Events)]
	for e := range int32(len(g.Events)) {
		x.gone[e] = e > r && !g.Before(e, w)
		if (x.gone[e] || e == r) && !x.maximal(g, e, w) {
			return false
		}
	}
	return true
}

// maximal reports whether an event is the usual one, among those that came before it and those that w rests on: it
// reads from, or is, the last write in coherence there, and no read there reads from it.
func (x *Exploration) maximal(g *graph.Graph, id, w int32) bool {
	e := &g.Events[id]
	there := func(other int32) bool { return other <= id || w >= 0 && g.Before(other, w) }
	at := id
	switch e.Kind {
	case graph.Choice:
		return e.Usual
	case graph.Read:
		at = e.RF
		if e.Locks && !e.Usual || at >= 0 && !there(at) {
			return false
		}
	case graph.Write:
		if !e.Usual {
			return false
		}
		for r := range int32(len(g.Events)) {
			if o := &g.Events[r]; o.Kind == graph.Read && o.RF == id && there(r) {
				return false
			}
		}
	default:
		return true
	}
	for _, other := range g.CO[e.Loc][g.Rank(e.Loc, at)+1:] {
		if there(other) {
			return false
		}
	}
	return true
}
