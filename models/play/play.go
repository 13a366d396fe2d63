package play

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// MaxEvents bounds the executions that Play accepts.
const MaxEvents = 400

// ErrNoOrder: no order of the events explains the execution.
var ErrNoOrder = errors.New(
	"no order of its events explains this execution: the values that it reads depend on each other in a cycle")

// level says how writes become visible.
type level int

const (
	atOnce    level = iota // to all threads when they execute
	ownFirst               // to their own thread when they execute, to the others at once later
	perThread              // to each thread in its own time
	overtaken              // as apart, but a thread that has seen a later write does not see an earlier one
)

// player plays one execution.
type player struct {
	g           *models.Graph
	whole       []*models.GraphEvent // by event: the access that it begins, of several pieces
	piecesApart bool                 // the pieces of an access may take effect separately
	level       level
	events      []models.GraphEvent
	threads     [][]int  // by thread: its events in program order, as indices
	order       [][]int  // by location: its writes in coherence order
	loc         []int    // by event; -1 for none
	place       []int    // of a write in its location's order
	from        []int    // of a read: its write; else -1
	names       []string // of the locations

	node  [][]int // by event: for a write, the node that makes it visible to each thread, else nil
	does  []int   // by event: the node that performs it
	after [][]int // by node: the nodes that must come later
	nodes int
}

// Play orders a graph's events and returns the frames. It leaves registers, choices and what blocks a thread to others.
// The order satisfies three rules:
//
//   - A thread performs a read when the write that it reads from has reached the thread, and
//     no write that overwrites that one has (rf, fr).
//   - Writes to one location reach each thread in coherence order (co). A thread sees its
//     own write from when it performs it.
//   - The read that an address, a value or, for a write, a branch depends on comes first. If
//     there is no other way, a thread guesses a branch: it sees a write after it at once, but
//     no other thread does before the branch is decided.
//
// If several orders remain, Play prefers, in this sequence: what the events' generic tags say of fences, acquires and
// releases; what the model lists as ordered within a thread; program order. So whatever cannot be in program order
// stands out, and its step says so.
//
// Play shows one shared memory if it can: each write reaches all threads at once; failing that, its own thread first
// and then all others together; failing that, thread by thread, each with its own view; and if coherence is decided
// only later, a write is never shown where a later one came first.
func Play(g *models.Graph) ([]Frame, error) {
	if len(g.Events) > MaxEvents {
		return nil, fmt.Errorf("this execution has %d events: too many to play", len(g.Events))
	}
	p, err := newPlayer(g)
	if err != nil {
		return nil, err
	}
	// Fences and their like first: an order that disregards them explains the less.
	for _, strict := range []struct{ tags, listed, guess, torn bool }{
		{tags: true, listed: true},
		{tags: true},
		{tags: true, guess: true},
		{},
		{guess: true},
		{torn: true},
		{guess: true, torn: true},
	} {
		if p.piecesApart = strict.torn; p.piecesApart && !g.Mixed() {
			break
		}
		for p.level = atOnce; p.level <= overtaken; p.level++ {
			p.numberNodes()
			p.requiredOrder(strict.guess)
			p.startsAndEnds()
			if strict.tags {
				p.tagOrder(p.require)
			}
			if strict.listed {
				p.shownOrder(p.require)
			}
			if p.cyclic() {
				continue
			}
			p.atomics()
			if !strict.tags {
				p.tagOrder(p.prefer)
			}
			if !strict.listed {
				p.shownOrder(p.prefer)
			}
			p.sections()
			p.programOrder()
			return p.run(), nil
		}
	}
	return nil, ErrNoOrder
}

// newPlayer collects the threads, the coherence orders and the sources of reads from a graph. It fails if the coherence
// order of the graph is cyclic, or if a read or a write has no place in the execution.
func newPlayer(g *models.Graph) (*player, error) {
	n := len(g.Events)
	p := &player{
		g: g, events: g.Events, threads: g.OfThreads(),
		loc: make([]int, n), place: make([]int, n), from: make([]int, n),
	}
	p.whole = make([]*models.GraphEvent, n)
	if w := g.Whole(); w != nil {
		for i := range w.Events {
			if e := &w.Events[i]; e.Thread >= 0 && g.Events[e.ID].Access != nil {
				p.whole[e.ID] = e
			}
		}
	}
	numbers := map[string]int{}
	for i, e := range g.Events {
		p.loc[i], p.from[i] = -1, -1
		if e.Kind == "F" {
			continue
		}
		l, ok := numbers[e.Loc]
		if !ok {
			l = len(p.names)
			numbers[e.Loc] = l
			p.names, p.order = append(p.names, e.Loc), append(p.order, nil)
		}
		p.loc[i] = l
	}
	next := g.Next("co")
	for i, e := range p.events {
		if e.Thread >= 0 {
			continue
		}
		for w, ok := i, true; ok; w, ok = next[w] {
			if len(p.order[p.loc[i]]) > n {
				return nil, errors.New("the coherence order of this execution is not an order")
			}
			p.place[w] = len(p.order[p.loc[i]])
			p.order[p.loc[i]] = append(p.order[p.loc[i]], w)
		}
	}
	for read, w := range g.Back("rf") {
		p.from[read] = w
	}
	for i, e := range p.events {
		if e.Kind == "R" && p.from[i] < 0 || e.Kind == "W" && !slices.Contains(p.order[p.loc[i]], i) {
			return nil, fmt.Errorf("event %s has no place in the execution", e.Name)
		}
	}
	return p, nil
}

// startsAndEnds adds the constraints of threads that others start and wait for: everything before a start is performed
// and visible to all before the thread begins, and all of the thread is before the wait for its end is over.
func (p *player) startsAndEnds() {
	for _, e := range p.g.Pairs("spawn") {
		p.full(e[0])
		for _, x := range p.threads[p.events[e[1]].Thread] {
			p.require(p.does[e[0]], p.does[x])
		}
	}
	for _, e := range p.g.Pairs("join") {
		p.full(e[1])
		for _, x := range p.threads[p.events[e[0]].Thread] {
			p.everywhere(x, e[1])
			if x == e[0] {
				break
			}
		}
	}
}

// everywhere requires that event x is performed and visible to all threads before event y is performed.
func (p *player) everywhere(x, y int) {
	p.require(p.does[x], p.does[y])
	for _, n := range p.node[x] {
		p.require(n, p.does[y])
	}
}

// full makes an event a full fence of its thread.
func (p *player) full(fence int) {
	before := true
	for _, x := range p.threads[p.events[fence].Thread] {
		switch {
		case x == fence:
			before = false
		case before:
			p.everywhere(x, fence)
		default:
			p.require(p.does[fence], p.does[x])
		}
	}
}

// numberNodes numbers the nodes: one that performs each event, and for a write one for each thread, or for all other
// threads together, that the write has yet to reach.
func (p *player) numberNodes() {
	p.nodes, p.after = 0, nil
	p.does, p.node = make([]int, len(p.events)), make([][]int, len(p.events))
	for i, e := range p.events {
		if e.Thread < 0 {
			p.does[i] = -1
			continue
		}
		if e.Piece > 0 && !p.piecesApart { // goes with the first of its access
			p.does[i], p.node[i] = p.does[i-1], slices.Clone(p.node[i-1])
			continue
		}
		p.does[i] = p.add()
		if e.Kind != "W" {
			continue
		}
		to := make([]int, len(p.threads))
		others := p.does[i]
		if p.level == ownFirst {
			others = p.add()
		}
		for t := range to {
			switch {
			case t == e.Thread:
				to[t] = p.does[i]
			case p.level >= perThread:
				to[t] = p.add()
			default:
				to[t] = others
			}
		}
		p.node[i] = to
	}
}

func (p *player) add() int {
	p.after = append(p.after, nil)
	p.nodes++
	return p.nodes - 1
}

// require requires that node a comes before b. It does nothing if both are the same node; -1 is the beginning.
func (p *player) require(a, b int) {
	if a != b && a >= 0 && b >= 0 {
		p.after[a] = append(p.after[a], b)
	}
}

// prefer makes a come before b unless that closes a cycle.
func (p *player) prefer(a, b int) {
	if a != b && a >= 0 && b >= 0 && !p.reaches(b, a) {
		p.after[a] = append(p.after[a], b)
	}
}

// reach returns the node that makes write w visible to thread t.
func (p *player) reach(w, t int) int {
	if p.node[w] == nil {
		return -1
	}
	return p.node[w][t]
}

// memory returns the node that makes a write visible to all threads but its own, if it becomes visible to them at once.
func (p *player) memory(w int) int {
	for t, n := range p.node[w] {
		if t != p.events[w].Thread {
			return n
		}
	}
	return p.does[w]
}

// requiredOrder adds the constraints of rf, co, fr, of atomic accesses and of dependencies. With guess, a thread may
// continue before it knows which way a branch goes. It sees a write after the branch, and the other threads do not
// before the branch is decided.
func (p *player) requiredOrder(guess bool) {
	for r, w := range p.from {
		if w < 0 {
			continue
		}
		t := p.events[r].Thread
		p.require(p.reach(w, t), p.does[r])
		for _, later := range p.order[p.loc[w]][p.place[w]+1:] {
			p.require(p.does[r], p.reach(later, t))
		}
	}
	for _, order := range p.order {
		for i, w := range order {
			if p.node[w] == nil {
				continue
			}
			for t := range p.threads {
				p.require(p.does[w], p.reach(w, t))
				for _, later := range order[i+1:] {
					// A later write of the thread itself hides another thread's write that arrives late. At the last
					// level, any later write does.
					hides := p.level > atOnce && p.events[later].Thread == t || p.level == overtaken
					if p.events[w].Thread == t || !hides {
						p.require(p.reach(w, t), p.reach(later, t))
					}
					if p.level == ownFirst {
						p.require(p.memory(w), p.memory(later))
					}
				}
			}
		}
	}
	for _, name := range []string{"rmw", "addr", "data", "ctrl"} {
		for _, e := range p.g.Pairs(name) {
			switch {
			case name != "ctrl":
				p.require(p.does[e[0]], p.does[e[1]])
			case p.node[e[1]] != nil && guess:
				for t, n := range p.node[e[1]] {
					if t != p.events[e[1]].Thread {
						p.require(p.does[e[0]], n)
					}
				}
			case p.node[e[1]] != nil:
				p.require(p.does[e[0]], p.does[e[1]])
			}
		}
	}
}

// tagOrder are the constraints of fences, acquires and releases, by their generic tags.
func (p *player) tagOrder(order func(a, b int)) {
	for _, events := range p.threads {
		for i, f := range events {
			tags := p.events[f].Tags
			for j, e := range events {
				switch {
				case e == f:
				case j < i && (tags.Has(ir.TagRelease) || tags.Has(ir.TagFull)), p.events[f].Kind == "F" && j < i &&
					p.fenced(e, tags):
					p.before(e, f, order)
				case j > i && (tags.Has(ir.TagAcquire) || tags.Has(ir.TagFull)):
					p.before(f, e, order)
				}
			}
			if p.events[f].Kind != "F" {
				continue
			}
			for _, a := range events[:i] {
				if p.node[a] != nil && tags.Has(ir.TagWR) {
					for t := range p.threads {
						order(p.reach(a, t), p.does[f])
					}
				}
				for _, b := range events[i+1:] {
					if tags.Has(pairTag(p.events[a].Kind, p.events[b].Kind)) {
						order(p.does[f], p.does[b])
						p.before(a, b, order)
					}
				}
			}
		}
	}
}

// fenced reports whether a fence with these tags orders e before something.
func (p *player) fenced(e int, tags ir.Tags) bool {
	k := p.events[e].Kind
	return k != "F" && (tags.Has(pairTag(k, "R")) || tags.Has(pairTag(k, "W")))
}

// pairTag returns the tag of fences that order such accesses.
func pairTag(a, b string) ir.Tag {
	return map[string]ir.Tag{"RR": ir.TagRR, "RW": ir.TagRW, "WR": ir.TagWR, "WW": ir.TagWW}[a+b]
}

// before requires that a, and what a read has seen, come before b for every thread.
func (p *player) before(a, b int, order func(a, b int)) {
	order(p.does[a], p.does[b])
	w := a
	if p.events[a].Kind == "R" {
		w = p.from[a]
	}
	if p.events[w].Kind != "W" || p.node[w] == nil {
		return
	}
	for t := range p.threads {
		switch p.events[b].Kind {
		case "W":
			order(p.reach(w, t), p.reach(b, t))
		case "R":
			if w == a {
				order(p.reach(w, t), p.does[b])
			}
		}
	}
}

// atomics performs both halves of an atomic instruction in one step, unless something has to come between.
func (p *player) atomics() {
	for _, e := range p.g.Pairs("rmw") {
		r, w := p.events[e[0]], p.events[e[1]]
		if r.Thread == w.Thread && r.Source == w.Source {
			p.unite(p.does[e[0]], p.does[e[1]])
		}
	}
}

// unite makes one node of a and b, unless another has to come between.
func (p *player) unite(a, b int) {
	for _, c := range p.after[a] {
		if c != b && p.reaches(c, b) {
			return
		}
	}
	for _, next := range p.after {
		for i, c := range next {
			if c == b {
				next[i] = a
			}
		}
	}
	p.after[a] = append(slices.DeleteFunc(p.after[a], func(c int) bool { return c == a || c == b }),
		slices.DeleteFunc(p.after[b], func(c int) bool { return c == a || c == b })...)
	p.after[b] = nil
	for i := range p.events {
		if p.does[i] == b {
			p.does[i] = a
		}
		for t, n := range p.node[i] {
			if n == b {
				p.node[i][t] = a
			}
		}
	}
}

// shownOrder adds the constraints within threads that the model shows otherwise: dependencies and preserved program
// order. It skips the relations of fences, because their tags say more.
func (p *player) shownOrder(order func(a, b int)) {
	fences := map[string]bool{"po": true, "ctrl": true}
	for _, e := range p.events {
		if e.Kind == "F" && len(e.Tags) > 0 {
			fences[strings.ToLower(string(e.Tags[0]))], fences["F["+e.Order+"]"] = true, true
		}
	}
	for _, r := range p.g.Relations {
		if fences[r.Name] || r.Flag {
			continue
		}
		for _, e := range r.Edges {
			a, b := p.events[e[0]], p.events[e[1]]
			if a.Thread >= 0 && a.Thread == b.Thread && e[0] < e[1] {
				order(p.does[e[0]], p.does[e[1]])
			}
		}
	}
}

// sections prefers that the events of a critical section come between its ends, and that grace periods are outside of
// sections. That is not always possible: a section that begins during a grace period may end after it.
func (p *player) sections() {
	for _, s := range p.g.Sections {
		first, last := s.First, s.Last
		for _, e := range p.threads[s.Thread] {
			if first < e && e < last {
				p.prefer(p.does[first], p.does[e])
				p.prefer(p.does[e], p.does[last])
			}
		}
		p.prefer(p.does[first], p.does[last])
	}
	for i, e := range p.events {
		for _, s := range p.g.Sections {
			if s.Kind == models.SectionRCU && e.Does == "synchronize_rcu" || s.Kind == models.SectionSRCU &&
				e.Does == "synchronize_srcu" && e.Loc == s.Loc {
				if !p.reaches(p.does[i], p.does[s.First]) {
					p.prefer(p.does[s.Last], p.does[i])
				}
				p.prefer(p.does[i], p.does[s.First]) // unless the section has ended before
			}
		}
	}
}

// programOrder prefers program order where nothing contradicts it, accesses to one location first.
func (p *player) programOrder() {
	for _, same := range []bool{true, false} {
		for _, events := range p.threads {
			for j := range events {
				for i := j - 1; i >= 0; i-- {
					if a, b := events[i], events[j]; !same || p.loc[a] >= 0 && p.loc[a] == p.loc[b] {
						p.prefer(p.does[a], p.does[b])
					}
				}
			}
		}
	}
}

// reaches reports whether a path leads from node a to node b.
func (p *player) reaches(a, b int) bool {
	seen := make([]bool, p.nodes)
	var visit func(int) bool
	visit = func(n int) bool {
		if n == b {
			return true
		}
		if seen[n] {
			return false
		}
		seen[n] = true
		return slices.ContainsFunc(p.after[n], visit)
	}
	return visit(a)
}

func (p *player) cyclic() bool {
	state := make([]int, p.nodes) // 1: under way, 2: done
	var visit func(int) bool
	visit = func(n int) bool {
		state[n] = 1
		for _, m := range p.after[n] {
			if state[m] == 1 || state[m] == 0 && visit(m) {
				return true
			}
		}
		state[n] = 2
		return false
	}
	for n := range p.nodes {
		if state[n] == 0 && visit(n) {
			return true
		}
	}
	return false
}
