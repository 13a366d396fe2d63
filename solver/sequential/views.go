package sequential

import (
	"slices"

	"litmuscope/solver/sat"
)

// views are the translations of atig-2011, which do without store buffers. A write guesses in which of its thread's
// rounds it reaches memory: if that is the present one, it does so at once; else memory keeps it, for that round, as
// the last value to write to its location. Each thread has
//
//	View[x]     what it sees of x: its last write that still waits, or memory's value
//	Mask_j[x]   whether something is to be written to x in its round j
//	Queue_j[x]  and what
//	r_SC        the round it is in
//	r_TSO       the round in which its next write reaches memory, or a later one
//
// With k-round (Section 3) a thread has rounds 0 to k. With k-store-age (Section 4) it has any number of rounds, but no
// write waits for more than k of them: rounds count modulo k+1. A location that a thread never writes needs none of the
// three arrays; it sees what memory has, which nobody else changes during its round.
//
// The paper's threads begin a round with a statement. Here a turn may be a round in which
// nothing happens but writes reaching memory, which Theorem 1 speaks of, too.
type views struct {
	gates
	*program
	circular bool
	k        int
	cells    []sat.Vec
	state    []view               // by thread
	guesses  map[*statement]index // the round in which a store reaches memory
	log      []roundAt
}

// roundAt is the round that a thread is in at a point.
type roundAt struct {
	thread int
	rSC    index
}

type view struct {
	rSC, rTSO index // no position before the thread's first round
	locs      []int // that it may store to; the arrays below are by these
	view      []sat.Vec
	mask      []index // by round
	queue     [][]sat.Vec
	// awaited and synced, by round: later reads, or RCsc acquires, wait for a write in it.
	awaited, synced index
}

func newViews(p *program, circular bool, k int) *views {
	m := &views{
		gates: gates{p.circuit}, program: p, circular: circular, k: k, guesses: map[*statement]index{},
	}
	for l := range p.Locs {
		m.cells = append(m.cells, p.initial(l))
	}
	never := slices.Repeat(index{sat.False}, k+1)
	for t := range p.threads {
		v := view{rSC: never, rTSO: never, locs: p.stored(t), awaited: slices.Clone(never), synced: slices.Clone(never)}
		for _, l := range v.locs {
			v.view = append(v.view, p.initial(l))
		}
		for range k + 1 {
			v.mask = append(v.mask, slices.Repeat(index{sat.False}, len(v.locs)))
			v.queue = append(v.queue, slices.Clone(v.view))
		}
		m.state = append(m.state, v)
	}
	return m
}

// turn is init_thread for a thread's first turn and init_round for the others (Figs. 2
// and 3; Section 4).
func (m *views) turn(t int, active sat.Lit) (useful sat.Lit) {
	v := &m.state[t]
	begun := m.Or(v.rSC...)
	first, again := m.And(active, begun.Not()), m.And(active, begun)

	if !m.circular { // the last round has been
		m.under(again, v.rSC[m.k].Not())
	}
	empty := m.empty(v)
	next := slices.Repeat(index{sat.False}, m.k+1)
	for j := range next {
		next[(j+1)%len(next)] = v.rSC[j]
	}
	v.rTSO = choose(m.gates, m.And(again, empty), next, v.rTSO)
	v.rSC = choose(m.gates, again, next, v.rSC)
	start := constIndex(0, m.k+1)
	v.rTSO = choose(m.gates, first, start, v.rTSO)
	v.rSC = choose(m.gates, first, start, v.rSC)

	for j := range v.awaited {
		due := m.And(again, v.rSC[j])
		v.awaited[j], v.synced[j] = m.And(v.awaited[j], due.Not()), m.And(v.synced[j], due.Not())
	}
	useful = sat.False
	for i, loc := range v.locs {
		var waits []sat.Lit
		for j := range v.mask {
			now := m.And(again, v.rSC[j])
			due := m.And(now, v.mask[j][i])
			useful = m.Or(useful, due)
			m.cells[loc] = m.IteVec(due, v.queue[j][i], m.cells[loc])
			v.mask[j][i] = m.And(v.mask[j][i], now.Not())
			waits = append(waits, v.mask[j][i])
		}
		renew := m.Or(first, m.And(again, m.Or(waits...).Not()))
		v.view[i] = m.IteVec(renew, m.cells[loc], v.view[i])
	}
	m.log = append(m.log, roundAt{t, v.rSC})
	return useful
}

// empty is true where the thread's next write may reach memory at once, and none waits.
func (m *views) empty(v *view) sat.Lit { return m.common(v.rSC, v.rTSO) }

// common is true where x and y are the same position.
func (m *views) common(x, y index) sat.Lit {
	var same []sat.Lit
	for j := range x {
		same = append(same, m.And(x[j], y[j]))
	}
	return m.Or(same...)
}

func (m *views) before(_ sat.Lit, s *statement) {
	m.log = append(m.log, roundAt{s.Thread, m.state[s.Thread].rSC})
}

func (m *views) read(g sat.Lit, s *statement, loc int) sat.Vec {
	v := &m.state[s.Thread]
	if s.access.release {
		m.fence(g, s)
	}
	for j := range v.awaited {
		m.under(g, v.awaited[j].Not())
		if s.synced() {
			m.under(g, v.synced[j].Not())
		}
	}
	if i := slices.Index(v.locs, loc); i >= 0 {
		return v.view[i]
	}
	return m.cells[loc]
}

// write is memory_update (Fig. 5).
func (m *views) write(g sat.Lit, s *statement, loc int, x sat.Vec) {
	v := &m.state[s.Thread]
	i := slices.Index(v.locs, loc)
	to, known := m.guesses[s]
	if !known {
		to = m.guess(m.k + 1)
		m.guesses[s] = to
	}
	v.view[i] = m.IteVec(g, x, v.view[i])
	for sc := range v.rSC { // r_TSO only moves on: as rounds ahead, it does not decrease
		for d := range v.rTSO {
			for less := range d {
				from, back := (sc+d)%(m.k+1), (sc+less)%(m.k+1)
				if m.circular || sc+d <= m.k {
					m.under(g, v.rSC[sc].Not(), v.rTSO[from].Not(), to[back].Not())
				}
			}
		}
		if !m.circular {
			for past := range sc {
				m.under(g, v.rSC[sc].Not(), to[past].Not())
			}
		}
	}
	v.rTSO = choose(m.gates, g, to, v.rTSO)
	now := m.And(g, m.empty(v))
	m.cells[loc] = m.IteVec(now, x, m.cells[loc])
	for j := range v.mask {
		later := m.And(g, now.Not(), v.rTSO[j])
		if s.access.acquire {
			v.awaited[j] = m.Or(v.awaited[j], later)
		}
		if s.synced() {
			v.synced[j] = m.Or(v.synced[j], later)
		}
		v.mask[j][i] = m.Or(v.mask[j][i], later)
		v.queue[j][i] = m.IteVec(later, x, v.queue[j][i])
	}
}

func (m *views) update(g, writes sat.Lit, s *statement, loc int, x sat.Vec) (old sat.Vec) {
	m.fence(g, s)
	old = m.cells[loc]
	w := m.And(g, writes)
	m.cells[loc] = m.IteVec(w, x, old)
	v := &m.state[s.Thread]
	if i := slices.Index(v.locs, loc); i >= 0 {
		v.view[i] = m.IteVec(w, x, v.view[i])
	}
	return old
}

// fence is Fig. 4's.
func (m *views) fence(g sat.Lit, s *statement) { m.under(g, m.empty(&m.state[s.Thread])) }

func (m *views) drained(t int) sat.Lit {
	v := &m.state[t]
	return m.Or(m.Or(v.rSC...).Not(), m.empty(v))
}

// premature is true of a store for a later round: until then, only its own thread can tell whether the store has been
// issued.
func (m *views) premature(s *statement) sat.Lit {
	if s.kind != store {
		return sat.False
	}
	return m.common(m.state[s.Thread].rSC, m.guesses[s]).Not()
}

func (m *views) close() {
	for t := range m.state {
		v := &m.state[t]
		m.Assert(m.Or(v.rSC...).Not(), m.empty(v))
	}
	m.log = append(m.log, roundAt{thread: -1})
}

func (m *views) cut() { m.log = append(m.log, roundAt{thread: -1}) }

func (m *views) final(loc int) sat.Vec { return m.cells[loc] }

// flushed returns the writes due in the current round of a thread.
func (m *views) flushed(a *sat.Assignment, i int, _ bool, waiting []*statement) []*statement {
	at := m.log[i]
	var out []*statement
	for _, s := range waiting {
		if s.Thread == at.thread && chosen(a, m.guesses[s]) == chosen(a, at.rSC) {
			out = append(out, s)
		}
	}
	return out
}

func (m *views) annotate(*sat.Assignment, int, []*statement, *note) {}
