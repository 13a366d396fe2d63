package cdcl

import "slices"

// deciding chooses decisions. Which variable: the solver alternates between two modes, because satisfiable and
// unsatisfiable formulas profit from different ones. The focused mode takes the unassigned variable that was last in a
// conflict (VMTF, a queue); the stable mode the one with the highest activity, which decays exponentially (EVSIDS, a
// heap). See Biere and Froehlich, “Evaluating CDCL Variable Scoring Schemes”, SAT 2015. Which value: the last value of
// the variable (phase saving), or in the stable mode that of the largest assignment without a conflict (target phase).
type deciding struct {
	stable bool
	queue
	heap

	aside bool   // assignments are not part of the search, and not saved as phases
	left  []bool // by variable: it is in no clause and never decided
	saved []int8 // by variable: its last value, 1 or -1
	// stable mode: the largest assignment without a conflict since the last rephasing; 0 is unassigned
	target []int8
	best   []int8 // the same, but kept when the mode changes
	// The sizes of target and best.
	targetSize, bestSize int
}

func newDeciding(vars int) deciding {
	d := deciding{
		left: make([]bool, vars), saved: make([]int8, vars), target: make([]int8, vars),
		best: make([]int8, vars),
	}
	for v := range d.saved {
		d.saved[v] = firstPhase
	}
	d.queue, d.heap = newQueue(vars), newHeap(vars)
	return d
}

// firstPhase is the first value that a variable gets: most relations between events do not hold.
const firstPhase = -1

// next returns the variable to decide. ok is false if all variables have values.
func (d *deciding) next(values []int8) (v int, ok bool) {
	if d.stable {
		for len(d.heap.list) > 0 {
			if v := d.heap.list[0]; values[2*v] == 0 && !d.left[v] {
				return int(v), true
			}
			d.heap.pop()
		}
		return 0, false
	}
	at := d.queue.at
	for at >= 0 && values[2*at] != 0 {
		at = d.queue.before[at]
	}
	d.queue.at = at
	return int(at), at >= 0
}

// leave removes a variable from the decisions: elimination or an equal variable has replaced it.
func (d *deciding) leave(v int32) {
	d.left[v] = true
	q := &d.queue
	if b := q.before[v]; b >= 0 {
		q.after[b] = q.after[v]
	}
	if a := q.after[v]; a >= 0 {
		q.before[a] = q.before[v]
	} else {
		q.last = q.before[v]
	}
	q.at = q.last
}

// rejoin makes a variable a candidate for decisions again.
func (d *deciding) rejoin(v int32) {
	d.left[v] = false
	d.queue.append(v)
	d.queue.at = v
	if d.heap.places[v] < 0 {
		d.heap.push(v)
	}
}

// phase returns the literal of variable v to decide.
func (d *deciding) phase(v int) lit {
	want := d.saved[v]
	if d.stable && d.target[v] != 0 {
		want = d.target[v]
	}
	if want < 0 {
		return lit(2*v + 1)
	}
	return lit(2 * v)
}

// released updates the heap, the queue and the saved phase for a literal that lost its value.
func (d *deciding) released(l lit) {
	v := int32(l >> 1)
	if !d.aside {
		d.saved[v] = 1 - 2*int8(l&1)
	}
	if d.heap.places[v] < 0 {
		d.heap.push(v)
	}
	if d.queue.at < 0 || d.queue.times[v] > d.queue.times[d.queue.at] {
		d.queue.at = v
	}
}

// keepPhases copies a conflict-free assignment to target and best if it is larger than these. Only the stable mode
// does so.
func (d *deciding) keepPhases(trail []lit) {
	if !d.stable {
		return
	}
	keep := func(to []int8) {
		clear(to)
		for _, l := range trail {
			to[l>>1] = 1 - 2*int8(l&1)
		}
	}
	if len(trail) > d.targetSize {
		d.targetSize = len(trail)
		keep(d.target)
	}
	if len(trail) > d.bestSize {
		d.bestSize = len(trail)
		keep(d.best)
	}
}

// rephase changes the saved phases, so that the search continues elsewhere: in turn to the best assignment, to the
// first phase, to the best assignment again, and to the opposite of what they are.
func (d *deciding) rephase(time int) {
	switch time % 4 {
	case 0, 2:
		for v, p := range d.best {
			if p != 0 {
				d.saved[v] = p
			}
		}
	case 1:
		for v := range d.saved {
			d.saved[v] = firstPhase
		}
	case 3:
		for v := range d.saved {
			d.saved[v] = -d.saved[v]
		}
	}
	clear(d.target)
	d.targetSize, d.bestSize = 0, 0
}

// bump raises the priority of variables that were in a conflict.
func (d *deciding) bump(vars []int) {
	if d.stable {
		for _, v := range vars {
			d.heap.bump(int32(v))
		}
		d.heap.by /= decay
		return
	}
	slices.SortFunc(vars, func(a, b int) int { return int(d.queue.times[a] - d.queue.times[b]) })
	for _, v := range vars {
		d.queue.toEnd(int32(v))
	}
}

// queue is a doubly linked list of variables, ordered by their last conflict. Moving a variable to the end and
// finding the last unassigned one take constant time on average, because at only moves towards the front during a
// descent.
type queue struct {
	before, after []int32
	times         []int64
	time          int64
	last          int32
	at            int32 // all variables behind it have values
}

func newQueue(vars int) queue {
	q := queue{before: make([]int32, vars), after: make([]int32, vars), times: make([]int64, vars), last: -1, at: -1}
	for v := vars - 1; v >= 0; v-- { // variable 0 gets the highest priority
		q.append(int32(v))
	}
	q.at = q.last
	return q
}

func (q *queue) append(v int32) {
	q.before[v], q.after[v] = q.last, -1
	if q.last >= 0 {
		q.after[q.last] = v
	}
	q.last = v
	q.time++
	q.times[v] = q.time
}

func (q *queue) toEnd(v int32) {
	if q.last == v {
		return
	}
	if q.at == v {
		q.at = q.before[v]
		if q.at < 0 {
			q.at = q.after[v]
		}
	}
	if b := q.before[v]; b >= 0 {
		q.after[b] = q.after[v]
	}
	q.before[q.after[v]] = q.before[v]
	q.append(v)
}

// heap is a binary heap of variables, the highest activity first.
type heap struct {
	list       []int32
	places     []int32 // by variable; -1 if not in the heap
	activities []float64
	by         float64
}

const decay = 0.95

func newHeap(vars int) heap {
	h := heap{list: make([]int32, vars), places: make([]int32, vars), activities: make([]float64, vars), by: 1}
	for v := range h.list {
		h.list[v], h.places[v] = int32(v), int32(v)
	}
	return h
}

func (h *heap) bump(v int32) {
	if h.activities[v] += h.by; h.activities[v] > 1e100 {
		for i := range h.activities {
			h.activities[i] *= 1e-100
		}
		h.by *= 1e-100
	}
	if h.places[v] >= 0 {
		h.up(int(h.places[v]))
	}
}

func (h *heap) push(v int32) {
	h.places[v] = int32(len(h.list))
	h.list = append(h.list, v)
	h.up(len(h.list) - 1)
}

func (h *heap) pop() {
	n := len(h.list) - 1
	h.places[h.list[0]] = -1
	last := h.list[n]
	h.list = h.list[:n]
	if n > 0 {
		h.list[0], h.places[last] = last, 0
		h.down(0)
	}
}

func (h *heap) up(i int) {
	v := h.list[i]
	for i > 0 {
		parent := (i - 1) / 2
		if h.activities[h.list[parent]] >= h.activities[v] {
			break
		}
		h.set(i, h.list[parent])
		i = parent
	}
	h.set(i, v)
}

func (h *heap) down(i int) {
	v := h.list[i]
	for {
		child := 2*i + 1
		if child >= len(h.list) {
			break
		}
		if child+1 < len(h.list) && h.activities[h.list[child+1]] > h.activities[h.list[child]] {
			child++
		}
		if h.activities[h.list[child]] <= h.activities[v] {
			break
		}
		h.set(i, h.list[child])
		i = child
	}
	h.set(i, v)
}

func (h *heap) set(i int, v int32) { h.list[i], h.places[v] = v, int32(i) }
