package sequential

import (
	"math/bits"
	"slices"

	"litmuscope/solver/sat"
)

// buffers are TSO-SMA and PSO-SMA (tomasco-2016, Sections III and V): the locations, and bounded queues of writes; one
// per thread under TSO, one per thread and location under PSO. Before each statement, writes may move from the queues
// to the locations, one after another: as many as fit into all queues together. That makes it the reference, and a
// large formula.
//
// A fence waits for the thread's queues to be empty, as if it emptied them. Reads may have to wait for single entries,
// which carry a mark. Under PSO a fence may keep less in order, as releases and acquires do, and entries have epochs: a
// new one begins at each of them, and a write does not leave a queue before one of an epoch that it knows to be too
// old.
type buffers struct {
	gates
	*program
	pso    bool
	cells  []sat.Vec
	queues []*queue
	room   int                    // in all queues
	full   bool                   // there may be less than the threads store
	moves  map[*statement][]index // by statement (nil for close): which queue moves, the last for none
	// epoch is the present one, by thread, and fenced that of its last fence.
	epoch, fenced []sat.Vec
	log           []movesAt
}

// movesAt are the guesses at a point, which count where g is true.
type movesAt struct {
	g     sat.Lit
	moves []index
}

// queue holds writes of a thread, the oldest first.
type queue struct {
	thread  int
	locs    []int // that its writes may be to
	entries []entry
}

type entry struct {
	valid sat.Lit // no entry behind one that is not valid is
	loc   index   // into queue.locs
	value sat.Vec // as wide as the widest location
	// epoch is the time of the write; entries of epochs before after leave before it.
	epoch, after sat.Vec
	// first: entries of later epochs leave after it. awaited: reads wait until it has
	// left. synced: RCsc acquires do.
	first, awaited, synced sat.Lit
}

// newBuffers reserves space for at most size writes in a queue, and no more than its thread can write.
func newBuffers(p *program, pso bool, size int) *buffers {
	b := &buffers{gates: gates{p.circuit}, program: p, pso: pso, moves: map[*statement][]index{}}
	for l := range p.Locs {
		b.cells = append(b.cells, p.initial(l))
	}
	for t := range p.threads {
		epochs := 0
		if pso {
			epochs = bits.Len(uint(p.epochs(t)))
		}
		b.epoch = append(b.epoch, sat.ConstVec(0, epochs))
		b.fenced = append(b.fenced, sat.ConstVec(0, epochs))
		locs := p.stored(t)
		if !pso && len(locs) > 0 {
			b.addQueue(t, locs, size, p.stores(t, -1), epochs)
		}
		for _, l := range locs {
			if pso {
				b.addQueue(t, []int{l}, size, p.stores(t, l), epochs)
			}
		}
	}
	return b
}

func (b *buffers) addQueue(t int, locs []int, size, stores, epochs int) {
	b.full = b.full || size < stores
	size = min(size, stores)
	q := &queue{thread: t, locs: locs}
	width := 0
	for _, l := range locs {
		width = max(width, b.program.cells[l].bits)
	}
	for range size {
		q.entries = append(q.entries, emptyEntry(len(locs), width, epochs))
	}
	b.room += size
	b.queues = append(b.queues, q)
}

func emptyEntry(locs, width, epochs int) entry {
	zero := sat.ConstVec(0, epochs)
	return entry{sat.False, constIndex(0, locs), sat.ConstVec(0, width), zero, zero, sat.False, sat.False, sat.False}
}

func (b *buffers) turn(int, sat.Lit) sat.Lit {
	b.log = append(b.log, movesAt{})
	return sat.False
}

// before moves writes to memory. If the queues have room for all stores, moving writes earlier than before another of
// them gains nothing. Nothing moves in an atomic section.
func (b *buffers) before(g sat.Lit, s *statement) {
	var moves []index
	inside := s != nil && s.inside && s.kind != enter
	if !inside && (b.full || s == nil || s.kind != store) {
		moves = b.guessed(s)
	}
	var last index
	for i, move := range moves {
		if i > 0 {
			b.ordered(g, moves[i-1], move, last)
		}
		last = b.target(move)
		for k, q := range b.queues {
			b.dequeue(b.And(g, move[k]), q)
		}
	}
	b.log = append(b.log, movesAt{g, moves})
}

// guessed are the moves before a statement, first those that move something.
func (b *buffers) guessed(s *statement) []index {
	moves, known := b.moves[s]
	if !known {
		for range b.room {
			moves = append(moves, b.guess(len(b.queues)+1))
		}
		none := len(b.queues)
		for i := 1; i < len(moves); i++ {
			b.Assert(moves[i-1][none].Not(), moves[i][none])
		}
		b.moves[s] = moves
	}
	return moves
}

// ordered has a move come, by the number of its queue, after the one before it, which was
// to the location last, unless it is to the same: other orders come to the same.
func (b *buffers) ordered(g sat.Lit, before, move, last index) {
	for k, q := range b.queues {
		if len(q.entries) == 0 {
			continue
		}
		var same []sat.Lit
		for i, l := range q.locs {
			same = append(same, b.And(last[l], q.entries[0].loc[i]))
		}
		for later, moved := range before[k+1 : len(b.queues)] {
			fenced := b.queues[k+1+later].thread == q.thread && len(q.entries[0].epoch) > 0
			if !fenced { // else one may have to leave before the other
				b.under(g, moved.Not(), move[k].Not(), b.Or(same...))
			}
		}
	}
}

// target is the location that a move writes.
func (b *buffers) target(move index) index {
	out := slices.Repeat(index{sat.False}, len(b.cells))
	for k, q := range b.queues {
		for i, l := range q.locs {
			if len(q.entries) > 0 {
				out[l] = b.Or(out[l], b.And(move[k], q.entries[0].loc[i]))
			}
		}
	}
	return out
}

// dequeue moves the oldest write of a queue to its location.
func (b *buffers) dequeue(g sat.Lit, q *queue) {
	if len(q.entries) == 0 {
		b.under(g)
		return
	}
	head := q.entries[0]
	b.under(g, head.valid)
	if b.pso {
		for _, other := range b.queues {
			if other == q || other.thread != q.thread || len(other.entries) == 0 {
				continue
			}
			oldest := other.entries[0]
			b.under(g, oldest.valid.Not(), b.atMost(head.after, oldest.epoch))
			for _, e := range other.entries {
				b.under(g, e.valid.Not(), e.first.Not(), b.atMost(head.epoch, e.epoch))
			}
		}
	}
	for i, l := range q.locs {
		width := len(b.cells[l])
		b.cells[l] = b.IteVec(b.And(g, head.loc[i]), head.value[:width], b.cells[l])
	}
	for i := range q.entries {
		next := emptyEntry(len(q.locs), len(head.value), len(head.epoch))
		if i+1 < len(q.entries) {
			next = q.entries[i+1]
		}
		q.entries[i] = b.chooseEntry(g, next, q.entries[i])
	}
}

func (b *buffers) chooseEntry(g sat.Lit, x, y entry) entry {
	return entry{
		b.Ite(g, x.valid, y.valid), choose(b.gates, g, x.loc, y.loc), choose(b.gates, g, x.value, y.value),
		choose(b.gates, g, x.epoch, y.epoch), choose(b.gates, g, x.after, y.after),
		b.Ite(g, x.first, y.first), b.Ite(g, x.awaited, y.awaited), b.Ite(g, x.synced, y.synced),
	}
}

// read takes the newest write of the thread's own to loc, or what memory has.
func (b *buffers) read(g sat.Lit, s *statement, loc int) sat.Vec {
	if s.access.release {
		b.empty(g, s.Thread)
	}
	out := b.cells[loc]
	for _, q := range b.queues {
		if q.thread != s.Thread {
			continue
		}
		for _, e := range q.entries { // a later one overrules
			if i := slices.Index(q.locs, loc); i >= 0 {
				out = b.IteVec(b.And(e.valid, e.loc[i]), e.value[:len(out)], out)
			}
			b.under(g, e.valid.Not(), e.awaited.Not())
			if s.synced() {
				b.under(g, e.valid.Not(), e.synced.Not())
			}
		}
	}
	return out
}

// write puts a write behind the others, if there is room.
func (b *buffers) write(g sat.Lit, s *statement, loc int, v sat.Vec) {
	for _, q := range b.queues {
		i := slices.Index(q.locs, loc)
		if q.thread != s.Thread || i < 0 {
			continue
		}
		if len(q.entries) == 0 {
			b.under(g)
			return
		}
		wide := append(append(sat.Vec(nil), v...), sat.ConstVec(0, len(q.entries[0].value)-len(v))...)
		after := b.fenced[s.Thread]
		if b.pso && s.access.release {
			b.age(g, s.Thread)
			after = b.epoch[s.Thread]
		}
		acquire := sat.Const(s.access.acquire)
		next := entry{
			sat.True, constIndex(i, len(q.locs)), wide, b.epoch[s.Thread], after, acquire, acquire,
			sat.Const(s.synced()),
		}
		if b.pso && s.access.acquire {
			b.age(g, s.Thread)
		}
		b.under(g, q.entries[len(q.entries)-1].valid.Not())
		free := g
		for k, e := range q.entries {
			q.entries[k] = b.chooseEntry(b.And(free, e.valid.Not()), next, e)
			free = b.And(free, e.valid)
		}
		return
	}
}

func (b *buffers) update(g, writes sat.Lit, s *statement, loc int, v sat.Vec) (old sat.Vec) {
	b.empty(g, s.Thread)
	old = b.cells[loc]
	b.cells[loc] = b.IteVec(b.And(g, writes), v, old)
	return old
}

// empty asserts that nothing of a thread waits.
func (b *buffers) empty(g sat.Lit, thread int) {
	for _, q := range b.queues {
		if q.thread == thread && len(q.entries) > 0 {
			b.under(g, q.entries[0].valid.Not())
		}
	}
}

func (b *buffers) fence(g sat.Lit, s *statement) {
	switch {
	case s.fence.drains(b.pso):
		b.empty(g, s.Thread)
	case s.fence.writeWrite:
		b.age(g, s.Thread)
		b.fenced[s.Thread] = choose(b.gates, g, b.epoch[s.Thread], b.fenced[s.Thread])
	default:
		for _, q := range b.queues {
			for k := range q.entries {
				if e := &q.entries[k]; q.thread == s.Thread {
					e.awaited = b.Or(e.awaited, b.And(g, e.valid))
				}
			}
		}
	}
}

// age begins a new epoch of a thread where g holds.
func (b *buffers) age(g sat.Lit, thread int) {
	epoch := b.epoch[thread]
	b.epoch[thread] = choose(b.gates, g, b.Add(epoch, sat.ConstVec(0, len(epoch)), sat.True), epoch)
}

func (b *buffers) drained(t int) sat.Lit {
	var some []sat.Lit
	for _, q := range b.queues {
		if q.thread == t && len(q.entries) > 0 {
			some = append(some, q.entries[0].valid)
		}
	}
	return b.Or(some...).Not()
}

func (b *buffers) premature(*statement) sat.Lit { return sat.False }

func (b *buffers) close() {
	b.before(sat.True, nil)
	for t := range b.threads {
		b.empty(sat.True, t)
	}
}

func (b *buffers) cut() { b.log = append(b.log, movesAt{}) }

func (b *buffers) final(loc int) sat.Vec { return b.cells[loc] }

// flushed follows the guessed moves.
func (b *buffers) flushed(m *sat.Assignment, i int, after bool, waiting []*statement) []*statement {
	var out []*statement
	at := b.log[i]
	if after || len(at.moves) == 0 || !m.True(at.g) {
		return nil
	}
	gone := map[*statement]bool{}
	for _, move := range at.moves {
		k := chosen(m, move)
		if k == len(b.queues) {
			continue
		}
		for _, s := range waiting {
			if q := b.queues[k]; !gone[s] && q.thread == s.Thread && (!b.pso || s.location(m) == q.locs[0]) {
				gone[s] = true
				out = append(out, s)
				break
			}
		}
	}
	return out
}

func (b *buffers) annotate(*sat.Assignment, int, []*statement, *note) {}
