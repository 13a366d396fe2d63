package explore

import (
	"errors"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// Symmetry explores a program with threads that are alike: of executions that differ only in which of these threads
// does what, it visits one (as SPORE does: Kokologiannakis, Marmanis, Vafeiadis, PLDI 2024, by another way).
//
// Nothing is ever taken back here, as revisits would: a read without a suitable write so far waits, and takes each
// later write or declines it for good. So there is only one way to each graph, and the exploration can order threads
// that have done the same so far by their next steps: of two such threads, the later reads from the same event as the
// earlier, or from a newer one, and its writes are later in coherence. The price is graphs in which a read waits in
// vain.
type Symmetry struct {
	// Alike reports whether two threads are alike, by what they begin with.
	Alike func(a, b any) bool
	// Maker is the thread that created a location; -1 for none.
	Maker func(loc int) int
	// locks: no others are alike than those that take a lock first.
	locks bool
	// The numbers of visited graphs, of graphs visited in vain, and of graphs that they represent.
	visited, vain, stands int
}

const (
	enoughAlike = 3  // threads, for symmetry to be worth it
	mostThreads = 20 // with symmetry: there are 20! orders in 64 bits
)

// The errors of an exploration that must start again: with Symmetry, or without it and without Likely.
var (
	ErrAlike = errors.New("the program has equal threads")
	ErrApart = errors.New("equal threads can be distinguished, or there are too few of them to gain anything")
)

// are reports whether two threads are alike, including their spawns, if any.
func (y *Symmetry) are(a, b *graph.Call) bool {
	return a != nil && b != nil && y.Alike(a.With, b.With) && (!y.locks || a.Locks() && b.Locks())
}

// countAlike counts the threads that do the same as one, it among them.
func countAlike(g *graph.Graph, y *Symmetry, t int) (n int) {
	for s := range g.Threads {
		if y.are(g.Threads[s].Call, g.Threads[t].Call) {
			n++
		}
	}
	return n
}

// meets checks a newly spawned thread.
func (x *Exploration) meets(g *graph.Graph, t int) error {
	alike := countAlike(g, x.Likely, t)
	if alike < 2 || len(g.Threads) > mostThreads {
		return nil
	}
	th := &g.Threads[t]
	if err := th.FindNext(); err != nil {
		return err
	}
	switch {
	case th.Next.Locks:
		x.peers = &Symmetry{Alike: x.Likely.Alike, Maker: x.Likely.Maker, locks: true}
	case alike >= enoughAlike:
		return ErrAlike
	}
	return nil
}

// TakesTurns reports whether some threads that are alike take a lock in turn.
func (x *Exploration) TakesTurns() bool { return x.peers != nil }

// inTurn reports whether a thread whose first action is to acquire a lock does so after all earlier threads that are
// alike, in a graph without the events in gone. All of these wait for the lock, because they are spawned one after
// another: so nothing is lost, and each graph with another order equals one of these with threads exchanged.
func (x *Exploration) inTurn(g *graph.Graph, t int, gone []bool) bool {
	if x.peers == nil || len(g.Order[t]) > 0 {
		return true
	}
	for s := range t {
		if x.peers.are(g.Threads[s].Call, g.Threads[t].Call) && (len(g.Order[s]) == 0 || gone[g.Order[s][0]]) {
			return false
		}
	}
	return true
}

// turn is the thread that continues: one in the middle of an update, one that waits and has a new write to take or
// decline, one whose next step is no read, or any other; -1 for none.
func (y *Symmetry) turn(g *graph.Graph, fails func(*graph.Graph, int) (bool, error)) (int, error) {
	for t := range g.Threads {
		if th := &g.Threads[t]; th.Half >= 0 || th.Piece > 0 {
			return t, nil
		}
	}
	for t := range g.Threads {
		if th := &g.Threads[t]; th.Waits >= 0 && offered(g, t) >= 0 {
			return t, nil
		}
	}
	reads := -1
	for t := range g.Threads {
		if g.Threads[t].Waits >= 0 {
			continue
		}
		can, err := can(g, t, fails)
		switch {
		case err != nil:
			return -1, err
		case !can:
		case g.Threads[t].Next.Kind != ir.ActLoad && g.Threads[t].Next.Kind != ir.ActRMW:
			return t, nil
		case reads < 0:
			reads = t
		}
	}
	return reads, nil
}

// offered is the next write for a read that waits to take or to leave; -1 for none.
func offered(g *graph.Graph, t int) int32 {
	th := &g.Threads[t]
	for i := th.Waits; i < int32(len(g.Events)); i++ {
		if e := &g.Events[i]; e.Kind == graph.Write && e.Loc == th.NextPieceLocation() {
			return i
		}
	}
	return -1
}

// await tries for a read each write that there is, and the one that is new where it waits already; it continues with
// waiting for a later one.
func (x *Exploration) await(g *graph.Graph, t int) error {
	th := &g.Threads[t]
	loc := th.NextPieceLocation()
	from := []int32{graph.Initial}
	if th.Waits >= 0 {
		from[0] = offered(g, t)
	} else if int(loc) < len(g.CO) {
		from = append(from, g.CO[loc]...)
	}
	th.Waits = int32(len(g.Events))
	if from[0] != graph.Initial {
		th.Waits = from[0] + 1
	}
	for _, w := range from {
		if !x.Symmetry.mayRead(g, t, w) {
			continue
		}
		other := x.copy(g)
		th := &other.Threads[t]
		th.Waits = -1
		if th.Picked = append(slices.Clip(th.Picked), w); len(th.Picked) < len(th.Next.Pieces) {
			if !x.mayPick(other, t) {
				x.free = append(x.free, other)
				continue
			}
			if err := x.visit(other); err != nil {
				return err
			}
			continue
		}
		ids := x.readers(other, t)
		if slices.ContainsFunc(ids, func(id int32) bool { return x.early(other, id) }) {
			x.free = append(x.free, other)
			continue
		}
		x.readFromPicked(other, t, ids)
		if x.vain(other, ids[0]) || !x.allows(other, ids...) {
			x.free = append(x.free, other)
			continue
		}
		if err := th.FindNext(); err != nil {
			return err
		}
		if x.blocks(other, ids[len(ids)-1]) { // as it is while it waits
			err := x.blocked(other, ids...)
			if x.free = append(x.free, other); err != nil {
				return err
			}
			continue
		}
		if err := x.filled(other, ids...); err != nil {
			return err
		}
		if err := x.visit(other); err != nil {
			return err
		}
	}
	return nil
}

// ended handles a graph in which no thread can continue. A waiting read must be one that the last possible write would
// block: other graphs cover the ways to continue from that.
func (x *Exploration) ended(g *graph.Graph) error {
	y := x.Symmetry
	if x.Check.Formula().Sections {
		if err := x.Partial(g); err != nil {
			return err
		}
	}
	if !y.same(g) {
		return ErrApart
	}
	for t := range g.Threads {
		th := &g.Threads[t]
		if th.Waits < 0 {
			continue
		}
		if th.Picked != nil { // the version with no pick exists as well
			return nil
		}
		th.Picked = []int32{g.Last(th.Next.Loc)}
		for _, q := range th.Next.Pieces[min(1, len(th.Next.Pieces)):] {
			th.Picked = append(th.Picked, g.Last(int32(q.Loc)))
		}
		ids := x.readers(g, t)
		x.readFromPicked(g, t, ids)
		th.Waits = -1
		if err := th.FindNext(); err != nil {
			return err
		}
		if whole := x.Check.Formula().Sections || x.Check.Formula().Mixed; !x.blocks(g, ids[len(ids)-1]) || whole &&
			!x.Check.Consistent(g) {
			if y.vain++; !whole && y.vain > 1000 && y.vain+y.visited > y.stands {
				return ErrApart
			}
			return nil
		}
		if err := x.filled(g, ids...); err != nil {
			return err
		}
	}
	y.visited++
	y.stands += y.weight(g)
	return x.Leaf(g)
}

// peer is the last thread before another that is like it and has done the same as it before its event at some place; -1
// for none.
func (y *Symmetry) peer(g *graph.Graph, t, pos int) int {
	call := g.Threads[t].Call
	if call == nil || len(g.Threads) > mostThreads {
		return -1
	}
	for s := t - 1; s >= 0; s-- {
		if y.are(g.Threads[s].Call, call) {
			if together(g, s, t, pos) {
				return s
			}
			return -1
		}
	}
	return -1
}

// together reports whether the first events of two threads are the same; with a write, they are not.
func together(g *graph.Graph, s, t, n int) bool {
	if len(g.Order[s]) < n || len(g.Order[t]) < n {
		return false
	}
	for i := range n {
		a, b := &g.Events[g.Order[s][i]], &g.Events[g.Order[t][i]]
		if a.Kind == graph.Write || a.Kind != b.Kind || a.Loc != b.Loc || a.RF != b.RF || a.Value != b.Value {
			return false
		}
	}
	return true
}

// mayRead reports whether the read that a thread has come to may take its value from a write, for it is in order.
func (y *Symmetry) mayRead(g *graph.Graph, t int, w int32) bool {
	n := len(g.Order[t])
	s := y.peer(g, t, n)
	switch {
	case s < 0:
		return true
	case len(g.Order[s]) > n:
		return w >= g.Events[g.Order[s][n]].RF
	}
	return w >= g.Threads[s].Waits
}

// canDecline reports whether a thread may choose no, for it is in order: the earlier has not chosen yes.
func (x *Exploration) canDecline(g *graph.Graph, t int) bool {
	if x.Symmetry == nil {
		return true
	}
	n := len(g.Order[t])
	s := x.Symmetry.peer(g, t, n)
	return s < 0 || len(g.Order[s]) <= n || g.Events[g.Order[s][n]].Usual
}

// least is the first place in coherence of a write, for it is in order.
func (y *Symmetry) least(g *graph.Graph, id int32) int {
	e := &g.Events[id]
	if e.Kind != graph.Write {
		return 0
	}
	s := y.peer(g, int(e.Thread), int(e.Pos))
	if s < 0 || len(g.Order[s]) <= int(e.Pos) {
		return 0
	}
	return g.Rank(e.Loc, g.Order[s][e.Pos]) + 1
}

// weight is the number of executions that a graph represents, which differ only in which of the alike threads does
// what.
func (y *Symmetry) weight(g *graph.Graph) int {
	out := 1
	for t := range g.Threads {
		if g.Threads[t].Call == nil || len(g.Threads) > mostThreads {
			continue
		}
		before, same := 1, 1 // threads of its kind up to it, and those among them that have done the same to their end
		for s := range t {
			if y.are(g.Threads[s].Call, g.Threads[t].Call) {
				before++
				if n := len(g.Order[t]); len(g.Order[s]) == n && together(g, s, t, n) {
					same++
				}
			}
		}
		out = out * before / same
	}
	return out
}

// same reports whether the thread that spawns alike threads and waits for them has treated them equally: between the
// first spawn and the last, and the first join and the last, it is by itself. None of them has a location of its own
// that others see.
func (y *Symmetry) same(g *graph.Graph) bool {
	for i := range g.Events {
		if loc := int(g.Events[i].Loc); loc >= 0 {
			if t := y.Maker(loc); t >= 0 && countAlike(g, y, t) > 1 {
				return false
			}
		}
	}
	for t := range g.Threads {
		if countAlike(g, y, t) < 2 {
			continue
		}
		first := t
		for s := range t {
			if y.are(g.Threads[s].Call, g.Threads[t].Call) {
				first = s
				break
			}
		}
		if first == t {
			continue
		}
		a, b := &g.Events[g.Threads[first].Spawner], &g.Events[g.Threads[t].Spawner]
		if a.Thread != b.Thread || !alone(g, a.Thread, a.Pos, b.Pos, graph.Spawn) || !joined(g, a.Thread, first, t) {
			return false
		}
	}
	return true
}

// joined reports whether a thread joins both of two others, or none of them, with nothing between that others see; no
// other joins them.
func joined(g *graph.Graph, by int32, s, t int) bool {
	from, to, both := int32(-1), int32(len(g.Order[by])), 0
	for i := range g.Events {
		e := &g.Events[i]
		if e.Kind != graph.Join || e.Other != int32(s) && e.Other != int32(t) {
			continue
		}
		if e.Thread != by {
			return false
		}
		if both++; both == 1 {
			from = e.Pos
		} else {
			to = e.Pos
		}
	}
	return both == 0 || alone(g, by, from, to, graph.Join)
}

// alone reports whether a thread's steps between two places are of one kind, or access only its private locations.
func alone(g *graph.Graph, t, from, to int32, usual graph.Kind) bool {
	for _, id := range g.Order[t][from+1 : to] {
		e := &g.Events[id]
		switch e.Kind {
		case usual, graph.Choice:
		case graph.Read, graph.Write:
			for i := range g.Events {
				if o := &g.Events[i]; o.Thread != t && o.Loc == e.Loc &&
					(o.Kind == graph.Read || o.Kind == graph.Write) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// Represents is the number of executions that a graph represents.
func (x *Exploration) Represents(g *graph.Graph) int {
	switch {
	case x.Symmetry != nil:
		return x.Symmetry.weight(g)
	case x.peers != nil:
		return x.peers.weight(g)
	}
	return 1
}
