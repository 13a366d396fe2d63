package sequential

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"litmuscope/solver"
	"litmuscope/solver/sat"
)

// lists are eTSO-SMA and ePSO-SMA (tomasco-2016, Sections III to V). There is neither memory nor store buffer, but for
// each location a list of its writes in the order in which they reach memory, with the time at which they do. Time is a
// clock that may move on before any statement, and a write whose timestamp it has come to has expired: what memory has
// is the last one of those. So no step is needed when a write reaches memory, and every operation has a formula of the
// same size.
//
// A list is a temporal circular doubly-linked list (T-CDLL): from the successor of the sentinel on timestamps do not
// decrease; the sentinel's is the largest of all. The head is the last expired node, and those before it are free for
// further writes. Names and lines are those of the paper's Fig. 3, which the code follows except for its misprints:
//
//   - line 36 writes tstamp[v][node], not tstamp[v][t];
//   - max_tstamp, in fence, is max_last_tstamp;
//   - the sentinel has index N and timestamp K; the clock stays below it;
//   - in the end all writes have expired: the final value is that of the last node.
type lists struct {
	gates
	*program
	pso     bool
	stamps  int // K: timestamps are 0 … K-1
	width   int // of a timestamp in bits
	clock   sat.Vec
	list    []tcdll
	last    [][]lastWrite // by location and thread
	maxLast []sat.Vec     // max_last_tstamp, by thread
	// after and from, by thread, are what a fence that does not drain leaves under PSO, and
	// an acquire that writes: later writes get timestamps, and later reads come, no earlier.
	// synced is what a release leaves: RCsc acquires come no earlier.
	after, from, synced []sat.Vec
	guesses             map[*statement]*listGuess
	log                 []listState
}

// tcdll is the list of a location, in four parallel arrays. Node N is the sentinel.
type tcdll struct {
	value  []sat.Vec // N of them, of the others N+1
	tstamp []sat.Vec
	prev   []index
	next   []index
}

type lastWrite struct{ value, tstamp sat.Vec }

// listGuess are the guesses of a statement.
type listGuess struct {
	clock sat.Vec
	node  index   // of a read: the head
	succ  index   // of a store: what it comes before
	ts    sat.Vec // of a write: its timestamp
}

// listState is what there is after a point.
type listState struct {
	clock sat.Vec
	list  []tcdll
}

// newLists has stamps timestamps, and at most nodes nodes in a list beside the sentinel, both reduced to the useful
// number.
func newLists(p *program, pso bool, stamps, nodes int) *lists {
	m := &lists{
		gates: gates{p.circuit}, program: p, pso: pso, stamps: stamps, width: bits.Len(uint(stamps)),
		guesses: map[*statement]*listGuess{},
	}
	zero := m.stamp(0)
	m.clock = zero
	for l := range p.Locs {
		m.list = append(m.list, m.newList(p.initial(l), min(nodes, p.writes(l)+1)))
		writes := make([]lastWrite, len(p.threads))
		for t := range writes {
			writes[t] = lastWrite{p.initial(l), zero}
		}
		m.last = append(m.last, writes)
	}
	for range p.threads {
		m.maxLast, m.synced = append(m.maxLast, zero), append(m.synced, zero)
		m.after, m.from = append(m.after, zero), append(m.from, zero)
	}
	return m
}

func (m *lists) newList(initial sat.Vec, n int) tcdll {
	var l tcdll
	for i := range n + 1 {
		stamp := 0
		if i == n {
			stamp = m.stamps
		} else {
			l.value = append(l.value, initial)
		}
		l.tstamp = append(l.tstamp, m.stamp(stamp))
		l.prev = append(l.prev, constIndex((i+n)%(n+1), n+1))
		l.next = append(l.next, constIndex((i+1)%(n+1), n+1))
	}
	return l
}

func (m *lists) stamp(n int) sat.Vec { return sat.ConstVec(uint64(n), m.width) }

func (l tcdll) sentinel() int { return len(l.value) }

// guessed are a statement's guesses, as wide as the longest list that it may touch.
func (m *lists) guessed(s *statement) *listGuess {
	g := m.guesses[s]
	if g == nil {
		g = &listGuess{clock: m.guessTime()}
		n := 0
		for _, l := range s.locs {
			n = max(n, m.list[l].sentinel())
		}
		if s.read != nil {
			g.node = m.guess(n)
		}
		if s.writesMemory() {
			g.ts = m.guessTime()
		}
		if s.kind == store {
			g.succ = m.guess(n + 1)
		}
		m.guesses[s] = g
	}
	return g
}

// guessTime guesses a time, which is less than the sentinel's.
func (m *lists) guessTime() sat.Vec {
	out := m.stamp(0)
	copy(out, m.number(bits.Len(uint(m.stamps-1))))
	return out
}

func (m *lists) turn(int, sat.Lit) sat.Lit {
	m.note()
	return sat.False
}

func (m *lists) note() {
	state := listState{clock: m.clock}
	for _, l := range m.list {
		state.list = append(state.list,
			tcdll{slices.Clone(l.value), slices.Clone(l.tstamp), slices.Clone(l.prev), slices.Clone(l.next)})
	}
	m.log = append(m.log, state)
}

// before is clock_update (lines 11-15). Time stands still in an atomic section.
func (m *lists) before(g sat.Lit, s *statement) {
	if s.inside && s.kind != enter {
		m.note()
		return
	}
	tmp := m.guessed(s).clock
	m.under(g, m.Less(tmp, m.stamp(m.stamps)))
	m.under(g, m.atMost(m.clock, tmp))
	m.clock = m.IteVec(g, tmp, m.clock)
	m.note()
}

// changed keeps what an operation made of the lists, for the point that before began.
func (m *lists) changed() {
	m.log = m.log[:len(m.log)-1]
	m.note()
}

// read is lines 55-66.
func (m *lists) read(g sat.Lit, s *statement, loc int) sat.Vec {
	m.under(g, m.atMost(m.from[s.Thread], m.clock))
	if s.access.release {
		m.under(g, m.atMost(m.maxLast[s.Thread], m.clock))
	}
	if s.synced() {
		m.under(g, m.atMost(m.synced[s.Thread], m.clock))
	}
	last := m.last[loc][s.Thread]
	own := m.Less(m.clock, last.tstamp)
	return m.IteVec(own, last.value, m.head(m.And(g, own.Not()), s, loc))
}

// head is the value of the last expired write (lines 60-65).
func (m *lists) head(g sat.Lit, s *statement, loc int) sat.Vec {
	node, _ := m.expired(g, s, loc)
	return element(m.gates, node, m.list[loc].value)
}

// expired is the last expired write, and what comes behind it.
func (m *lists) expired(g sat.Lit, s *statement, loc int) (node, next index) {
	l := m.list[loc]
	node = m.within(g, m.guessed(s).node, l.sentinel())
	next = element(m.gates, node, l.next[:l.sentinel()])
	m.under(g, m.atMost(element(m.gates, node, l.tstamp[:l.sentinel()]), m.clock))
	m.under(g, m.Less(m.clock, element(m.gates, next, l.tstamp)))
	return node, next
}

// within cuts a guessed position to an array of n.
func (m *lists) within(g sat.Lit, i index, n int) index {
	for _, l := range i[n:] {
		m.under(g, l.Not())
	}
	return i[:n]
}

// write is lines 17-45.
func (m *lists) write(g sat.Lit, s *statement, loc int, v sat.Vec) {
	t, l := s.Thread, m.list[loc]
	n := l.sentinel()
	guess := m.guessed(s)
	ts, succ := guess.ts, m.within(g, guess.succ, n+1)
	node := m.free(g, loc)
	m.under(g, m.Less(m.clock, element(m.gates, succ, l.tstamp)))
	pred := element(m.gates, succ, l.prev)

	m.under(g, m.atMost(m.clock, ts))
	if m.pso && !s.access.release {
		m.under(g, m.atMost(m.last[loc][t].tstamp, ts))
		m.under(g, m.atMost(m.after[t], ts))
	} else {
		m.under(g, m.atMost(m.maxLast[t], ts))
	}
	m.under(g, m.atMost(element(m.gates, pred, l.tstamp), ts))
	m.under(g, m.Less(ts, element(m.gates, succ, l.tstamp)))
	m.link(g, loc, node, pred, succ, ts, v)

	largest := ts
	if m.pso {
		largest = m.later(ts, m.maxLast[t])
	}
	m.maxLast[t] = m.IteVec(g, largest, m.maxLast[t])
	if s.access.acquire {
		m.after[t] = m.IteVec(g, m.later(ts, m.after[t]), m.after[t])
		m.from[t] = m.IteVec(g, m.later(ts, m.from[t]), m.from[t])
	}
	if s.synced() {
		m.synced[t] = m.IteVec(g, ts, m.synced[t])
	}
	last := &m.last[loc][t]
	last.tstamp, last.value = m.IteVec(g, ts, last.tstamp), m.IteVec(g, v, last.value)
	m.changed()
}

// free takes the first node out of a list, which is free unless it is the head.
func (m *lists) free(g sat.Lit, loc int) (node index) {
	l := m.list[loc]
	n := l.sentinel()
	node = l.next[n]
	second := element(m.gates, node, l.next)
	m.under(g, m.atMost(element(m.gates, second, l.tstamp), m.clock))
	l.next[n] = choose(m.gates, g, second, l.next[n])
	put(m.gates, g, l.prev, second, constIndex(n, n+1))
	return node
}

// link puts a node between two others.
func (m *lists) link(g sat.Lit, loc int, node, pred, succ index, ts, v sat.Vec) {
	l := m.list[loc]
	n := l.sentinel()
	put(m.gates, g, l.value, node[:n], v)
	put(m.gates, g, l.tstamp[:n], node[:n], ts)
	put(m.gates, g, l.next, node, succ)
	put(m.gates, g, l.prev, node, pred)
	put(m.gates, g, l.next, pred, node)
	put(m.gates, g, l.prev, succ, node)
}

func (m *lists) later(x, y sat.Vec) sat.Vec { return m.IteVec(m.Less(x, y), y, x) }

// update reads the head and has its write expire at once, so that it comes behind it: nothing that waits gets in
// between. Nothing of the thread waits, and all its later writes get no smaller timestamp, because the clock has none.
func (m *lists) update(g, writes sat.Lit, s *statement, loc int, v sat.Vec) (old sat.Vec) {
	m.under(g, m.atMost(m.maxLast[s.Thread], m.clock))
	head, next := m.expired(g, s, loc)
	old = element(m.gates, head, m.list[loc].value)
	w := m.And(g, writes)
	m.link(w, loc, m.free(w, loc), append(slices.Clone(head), sat.False), next, m.clock, v)
	m.sameUnder(w, m.guessed(s).ts, m.clock)
	m.changed()
	return old
}

// fence moves the clock on to the thread's last write (lines 76-81).
func (m *lists) fence(g sat.Lit, s *statement) {
	t := s.Thread
	switch last := m.maxLast[t]; {
	case s.fence.drains(m.pso):
		m.clock = m.IteVec(m.And(g, m.Less(m.clock, last)), last, m.clock)
	case s.fence.writeWrite:
		m.after[t] = m.IteVec(g, last, m.after[t])
	default:
		m.from[t] = m.IteVec(g, last, m.from[t])
	}
	m.changed()
}

func (m *lists) drained(t int) sat.Lit { return m.atMost(m.maxLast[t], m.clock) }

func (m *lists) premature(*statement) sat.Lit { return sat.False }

func (m *lists) close() {
	m.note()
	m.compact()
}

func (m *lists) cut() { m.close() }

// compact leaves no timestamp out that is less than one in use, and has the clock move
// to no other: executions that differ in that alone come to the same.
func (m *lists) compact() {
	used := make([][]sat.Lit, m.stamps) // by timestamp: some write has it
	for s, g := range m.ordered() {
		if s.writesMemory() {
			for v := range used {
				used[v] = append(used[v], m.And(s.guard, s.writes, m.EqualVec(g.ts, m.stamp(v))))
			}
		}
	}
	for v := 2; v < m.stamps; v++ {
		m.Assert(m.Or(used[v]...).Not(), m.Or(used[v-1]...))
	}
	for s, g := range m.ordered() {
		for v := 1; v < m.stamps; v++ {
			m.Assert(s.guard.Not(), m.EqualVec(g.clock, m.stamp(v)).Not(), m.Or(used[v]...))
		}
	}
}

// ordered gives the statements that have guesses, in a fixed order.
func (m *lists) ordered() iter.Seq2[*statement, *listGuess] {
	return func(yield func(*statement, *listGuess) bool) {
		for _, statements := range m.threads {
			for _, s := range statements {
				if g := m.guesses[s]; g != nil && !yield(s, g) {
					return
				}
			}
		}
	}
}

// final is the last node's value.
func (m *lists) final(loc int) sat.Vec {
	l := m.list[loc]
	return element(m.gates, l.prev[l.sentinel()][:l.sentinel()], l.value)
}

// flushed gives what has expired, by timestamp and then in the order of issue.
func (m *lists) flushed(a *sat.Assignment, i int, _ bool, waiting []*statement) []*statement {
	out := slices.Clone(waiting)
	if i < len(m.log)-1 {
		clock := a.Number(m.log[i].clock)
		out = slices.DeleteFunc(out, func(s *statement) bool { return m.time(a, s) > clock })
	}
	slices.SortStableFunc(out, func(s, t *statement) int { return cmp.Compare(m.time(a, s), m.time(a, t)) })
	return out
}

// time is when a store reaches memory.
func (m *lists) time(a *sat.Assignment, s *statement) uint64 { return a.Number(m.guesses[s].ts) }

// annotate adds the clock, the lists and the timestamps of what waits. Time passes from
// one write that reaches memory to the next.
func (m *lists) annotate(a *sat.Assignment, i int, waiting []*statement, n *note) {
	state := m.log[i]
	clock := a.Number(state.clock)
	if n.flushed != nil {
		clock = max(clock, m.time(a, n.flushed))
	}
	now := int(clock)
	n.clock = &now
	for loc, l := range state.list {
		n.lists = append(n.lists, m.show(a, loc, l, clock))
	}
	n.stamps = make([][]int, len(m.threads))
	for _, s := range waiting {
		n.stamps[s.Thread] = append(n.stamps[s.Thread], int(m.time(a, s)))
	}
}

// show gives a list from the sentinel's successor to the sentinel.
func (m *lists) show(a *sat.Assignment, loc int, l tcdll, clock uint64) solver.WriteList {
	out := solver.WriteList{Loc: m.Locs[loc].Name}
	n := l.sentinel()
	order := []int{chosen(a, l.next[n])}
	for at := order[0]; at != n && len(order) <= n; order = append(order, at) {
		at = chosen(a, l.next[at])
	}
	for i, at := range order {
		node := solver.ListNode{Node: at, Stamp: int(a.Number(l.tstamp[at])), Place: "sentinel"}
		if at != n {
			node.Value = m.FormatAt(loc, a.Number(l.value[at][:m.Locs[loc].Bits]))
			expired := func(k int) bool { return a.Number(l.tstamp[order[k]]) <= clock }
			switch {
			case !expired(i):
				node.Place = "waiting"
			case expired(i + 1):
				node.Place = "free"
			default:
				node.Place = "head"
			}
		}
		out.Nodes = append(out.Nodes, node)
	}
	return out
}
