package graphs

import (
	"errors"
	"slices"

	"litmuscope/litmus/ir"
)

// symmetry explores a program some threads of which are alike: of executions that differ in nothing but which of these threads does
// what, one is visited (as SPORE does: Kokologiannakis, Marmanis, Vafeiadis, PLDI 2024, by another way).
//
// Nothing is ever taken back here, as revisits would: a read that nobody has written for yet waits, and each later write is for it to take or
// to leave for good. So what is visited has but one way to it, and threads that have done the same so far can be put in order by what
// they do next: of two such, the later reads from the same event as the earlier, or one that came later, and writes later in coherence.
// The price is graphs in which a read waits in vain.
type symmetry struct {
	alike func(a, b any) bool
	// maker is the thread that a location came of; -1 for none.
	maker func(loc int) int
	// locks: no others are alike than those that take a lock first.
	locks bool
	// How many graphs were visited, how many in vain, and for how many those stand.
	visited, vain, stands int
}

const (
	enoughAlike = 3  // threads, for symmetry to be worth it
	mostThreads = 20 // with symmetry: there are 20! orders in 64 bits
)

var (
	errAlike = errors.New("threads are alike")
	errApart = errors.New("threads that are alike can be told apart, or there are so few of them that it is of no use")
)

// are tells whether two threads are alike, by how they were spawned, if they were.
func (y *symmetry) are(a, b *call) bool {
	return a != nil && b != nil && y.alike(a.with, b.with) && (!y.locks || a.locks() && b.locks())
}

// countAlike counts the threads that do the same as one, it among them.
func countAlike(g *graph, y *symmetry, t int) (n int) {
	for s := range g.threads {
		if y.are(g.threads[s].call, g.threads[t].call) {
			n++
		}
	}
	return n
}

// meets looks at a thread that has been spawned.
func (x *exploration) meets(g *graph, t int) error {
	alike := countAlike(g, x.likely, t)
	if alike < 2 || len(g.threads) > mostThreads {
		return nil
	}
	th := &g.threads[t]
	if err := th.look(); err != nil {
		return err
	}
	switch {
	case th.next.locks:
		x.peers = &symmetry{alike: x.likely.alike, maker: x.likely.maker, locks: true}
	case alike >= enoughAlike:
		return errAlike
	}
	return nil
}

// inTurn tells whether a thread that takes a lock before anything else does so once those have that are alike and come before it, in a graph less
// what is gone. All of these wait for it, as they are spawned one after another: so no graph is lost, and of those in which they take it in
// another order, each is one of these with threads changed.
func (x *exploration) inTurn(g *graph, t int, gone []bool) bool {
	if x.peers == nil || len(g.order[t]) > 0 {
		return true
	}
	for s := range t {
		if x.peers.are(g.threads[s].call, g.threads[t].call) && (len(g.order[s]) == 0 || gone[g.order[s][0]]) {
			return false
		}
	}
	return true
}

// turn is the thread that goes on: one in the middle of an update, one that waits and that there is something new for, one that comes
// to anything but a read, or to that; -1 for none.
func (y *symmetry) turn(g *graph, fails func(*graph, int) (bool, error)) (int, error) {
	for t := range g.threads {
		if th := &g.threads[t]; th.half >= 0 || th.piece > 0 {
			return t, nil
		}
	}
	for t := range g.threads {
		if th := &g.threads[t]; th.waits >= 0 && offered(g, t) >= 0 {
			return t, nil
		}
	}
	reads := -1
	for t := range g.threads {
		if g.threads[t].waits >= 0 {
			continue
		}
		can, err := can(g, t, fails)
		switch {
		case err != nil:
			return -1, err
		case !can:
		case g.threads[t].next.kind != ir.ActLoad && g.threads[t].next.kind != ir.ActRMW:
			return t, nil
		case reads < 0:
			reads = t
		}
	}
	return reads, nil
}

// offered is the next write for a read that waits to take or to leave; -1 for none.
func offered(g *graph, t int) int32 {
	th := &g.threads[t]
	for i := th.waits; i < int32(len(g.events)); i++ {
		if e := &g.events[i]; e.kind == write && e.loc == th.asks() {
			return i
		}
	}
	return -1
}

// await tries for a read each write that there is, and the one that is new where it waits already; it goes on with waiting for a later one.
func (x *exploration) await(g *graph, t int) error {
	th := &g.threads[t]
	loc := th.asks()
	from := []int32{initial}
	if th.waits >= 0 {
		from[0] = offered(g, t)
	} else if int(loc) < len(g.co) {
		from = append(from, g.co[loc]...)
	}
	th.waits = int32(len(g.events))
	if from[0] != initial {
		th.waits = from[0] + 1
	}
	for _, w := range from {
		if !x.symmetry.mayRead(g, t, w) {
			continue
		}
		other := x.copy(g)
		th := &other.threads[t]
		th.waits = -1
		if th.picked = append(slices.Clip(th.picked), w); len(th.picked) < len(th.next.pieces) {
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
		if err := th.look(); err != nil {
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

// ended sees to a graph in which no thread can go on. What waits must be blocked by what it could read last: what goes on from that is
// visited elsewhere.
func (x *exploration) ended(g *graph) error {
	y := x.symmetry
	if x.check.f.sections {
		if err := x.partial(g); err != nil {
			return err
		}
	}
	if !y.same(g) {
		return errApart
	}
	for t := range g.threads {
		th := &g.threads[t]
		if th.waits < 0 {
			continue
		}
		if th.picked != nil { // it is there as well with nothing picked
			return nil
		}
		th.picked = []int32{g.last(th.next.loc)}
		for _, q := range th.next.pieces[min(1, len(th.next.pieces)):] {
			th.picked = append(th.picked, g.last(int32(q.Loc)))
		}
		ids := x.readers(g, t)
		x.readFromPicked(g, t, ids)
		th.waits = -1
		if err := th.look(); err != nil {
			return err
		}
		if whole := x.check.f.sections || x.check.f.mixed; !x.blocks(g, ids[len(ids)-1]) || whole && !x.check.consistent(g) {
			if y.vain++; !whole && y.vain > 1000 && y.vain+y.visited > y.stands {
				return errApart
			}
			return nil
		}
		if err := x.filled(g, ids...); err != nil {
			return err
		}
	}
	y.visited++
	y.stands += y.weight(g)
	return x.leaf(g)
}

// peer is the last thread before another that is like it and has done the same as it before its event at some place; -1 for none.
func (y *symmetry) peer(g *graph, t, pos int) int {
	call := g.threads[t].call
	if call == nil || len(g.threads) > mostThreads {
		return -1
	}
	for s := t - 1; s >= 0; s-- {
		if y.are(g.threads[s].call, call) {
			if together(g, s, t, pos) {
				return s
			}
			return -1
		}
	}
	return -1
}

// together tells whether the first events of two threads are the same; with a write, they are not.
func together(g *graph, s, t, n int) bool {
	if len(g.order[s]) < n || len(g.order[t]) < n {
		return false
	}
	for i := range n {
		a, b := &g.events[g.order[s][i]], &g.events[g.order[t][i]]
		if a.kind == write || a.kind != b.kind || a.loc != b.loc || a.rf != b.rf || a.value != b.value {
			return false
		}
	}
	return true
}

// mayRead tells whether the read that a thread has come to may take its value from a write, for it is in order.
func (y *symmetry) mayRead(g *graph, t int, w int32) bool {
	n := len(g.order[t])
	s := y.peer(g, t, n)
	switch {
	case s < 0:
		return true
	case len(g.order[s]) > n:
		return w >= g.events[g.order[s][n]].rf
	}
	return w >= g.threads[s].waits
}

// canDecline tells whether a thread may choose no, for it is in order: the earlier has not chosen yes.
func (x *exploration) canDecline(g *graph, t int) bool {
	if x.symmetry == nil {
		return true
	}
	n := len(g.order[t])
	s := x.symmetry.peer(g, t, n)
	return s < 0 || len(g.order[s]) <= n || g.events[g.order[s][n]].usual
}

// least is the first place in coherence of a write, for it is in order.
func (y *symmetry) least(g *graph, id int32) int {
	e := &g.events[id]
	if e.kind != write {
		return 0
	}
	s := y.peer(g, int(e.thread), int(e.pos))
	if s < 0 || len(g.order[s]) <= int(e.pos) {
		return 0
	}
	return g.rank(e.loc, g.order[s][e.pos]) + 1
}

// weight is how many executions a graph stands for, that differ in which of the threads that are alike does what.
func (y *symmetry) weight(g *graph) int {
	out := 1
	for t := range g.threads {
		if g.threads[t].call == nil || len(g.threads) > mostThreads {
			continue
		}
		before, same := 1, 1 // threads of its kind up to it, and those among them that have done the same to their end
		for s := range t {
			if y.are(g.threads[s].call, g.threads[t].call) {
				before++
				if n := len(g.order[t]); len(g.order[s]) == n && together(g, s, t, n) {
					same++
				}
			}
		}
		out = out * before / same
	}
	return out
}

// same tells whether who has spawned threads that are alike, and waits for them, has not told them apart: between the first spawn
// and the last, and the first join and the last, it is by itself. None of them has a location of its own that others see.
func (y *symmetry) same(g *graph) bool {
	for i := range g.events {
		if loc := int(g.events[i].loc); loc >= 0 {
			if t := y.maker(loc); t >= 0 && countAlike(g, y, t) > 1 {
				return false
			}
		}
	}
	for t := range g.threads {
		if countAlike(g, y, t) < 2 {
			continue
		}
		first := t
		for s := range t {
			if y.are(g.threads[s].call, g.threads[t].call) {
				first = s
				break
			}
		}
		if first == t {
			continue
		}
		a, b := &g.events[g.threads[first].spawner], &g.events[g.threads[t].spawner]
		if a.thread != b.thread || !alone(g, a.thread, a.pos, b.pos, spawn) || !joined(g, a.thread, first, t) {
			return false
		}
	}
	return true
}

// joined tells whether a thread joins both of two others, or none of them, with nothing between that others see; no other
// joins them.
func joined(g *graph, by int32, s, t int) bool {
	from, to, both := int32(-1), int32(len(g.order[by])), 0
	for i := range g.events {
		e := &g.events[i]
		if e.kind != join || e.other != int32(s) && e.other != int32(t) {
			continue
		}
		if e.thread != by {
			return false
		}
		if both++; both == 1 {
			from = e.pos
		} else {
			to = e.pos
		}
	}
	return both == 0 || alone(g, by, from, to, join)
}

// alone tells whether what a thread does between two places is of one kind, or an access of what it alone accesses.
func alone(g *graph, t, from, to int32, usual kind) bool {
	for _, id := range g.order[t][from+1 : to] {
		e := &g.events[id]
		switch e.kind {
		case usual, choice:
		case read, write:
			for i := range g.events {
				if o := &g.events[i]; o.thread != t && o.loc == e.loc && (o.kind == read || o.kind == write) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// stands is for how many executions a graph stands.
func (x *exploration) stands(g *graph) int {
	switch {
	case x.symmetry != nil:
		return x.symmetry.weight(g)
	case x.peers != nil:
		return x.peers.weight(g)
	}
	return 1
}
