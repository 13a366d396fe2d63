package cycle

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// node is a point of an execution.
type node struct {
	thread, at int
	*point
}

// execution is a walk of each thread, with the write that each read takes its value from
// and the order of the writes to each location.
type execution struct {
	walks  []walk
	nodes  []node
	first  []int // of each thread, among nodes
	source []int // of each read, the write; -1 for the initial value
	place  []int // of each write, from 1 up in the order of its location; of a read, that of its source
}

// isConnected tells a communication: b is after a in the eyes of their location.
func (x *execution) isConnected(a, b int) bool {
	na, nb := x.nodes[a], x.nodes[b]
	switch {
	case na.loc != nb.loc || a == b:
		return false
	case nb.write:
		return x.place[a] < x.place[b]
	default:
		return na.write && x.source[b] == a
	}
}

// inOrder tells whether an execution is one where threads take turns, or, with loc, is so
// for each location by itself.
func (x *execution) inOrder(loc bool) bool {
	waits := make([]int, len(x.nodes))
	edge := func(a, b int) bool {
		na, nb := x.nodes[a], x.nodes[b]
		return na.thread == nb.thread && na.at < nb.at && (!loc || na.loc == nb.loc) || x.isConnected(a, b)
	}
	for a := range x.nodes {
		for b := range x.nodes {
			if edge(a, b) {
				waits[b]++
			}
		}
	}
	for range x.nodes {
		a := slices.Index(waits, 0)
		if a < 0 {
			return false
		}
		waits[a] = -1
		for b := range x.nodes {
			if edge(a, b) {
				waits[b]--
			}
		}
	}
	return true
}

// isAtomic tells whether no write comes between the halves of a pair.
func (x *execution) isAtomic() bool {
	for i, n := range x.nodes {
		if n.write && n.pair >= 0 && x.place[x.first[n.thread]+n.pair]+1 != x.place[i] {
			return false
		}
	}
	return true
}

// maybe is what is known of a truth value.
type maybe struct{ yes, no bool }

type uncertain struct{}

func (uncertain) Bool(b bool) maybe { return maybe{b, !b} }
func (uncertain) Not(m maybe) maybe { return maybe{m.no, m.yes} }
func (uncertain) And(ms ...maybe) maybe {
	all := maybe{true, false}
	for _, m := range ms {
		all = maybe{all.yes && m.yes, all.no || m.no}
	}
	return all
}

// question is what a test's condition asks for, as a proposition that is to hold.
type question struct {
	p     *ir.Program
	prop  litmus.Prop
	tried int // ways to run that were looked at, each as often as cost says
	cost  int
}

func ask(p *ir.Program) *question {
	prop := p.Condition.Prop
	if p.Condition.Quantifier == litmus.Forall {
		prop = litmus.Not{Arg: prop}
	}
	if p.Filter != nil {
		prop = litmus.And{Args: []litmus.Prop{prop, p.Filter}}
	}
	return asking(p, prop)
}

func asking(p *ir.Program, prop litmus.Prop) *question {
	q := &question{p: p, prop: prop, cost: 1}
	atoms := 0
	litmus.EvalProp(prop, uncertain{}, func(litmus.Compare) maybe {
		atoms++
		return maybe{true, true}
	})
	q.cost += atoms / 32
	return q
}

// mayHold tells whether the condition can hold when the threads so far run as they do and
// final gives the last values of the locations, where it is known.
func (q *question) mayHold(walks []*walk, final []uint64) bool {
	value := func(obs int) (uint64, bool) {
		o := q.p.Observed[obs]
		switch {
		case o.Thread < 0 && final == nil, o.Thread >= 0 && walks[o.Thread] == nil:
			return 0, false
		case o.Thread < 0:
			return final[o.Index] & ir.Mask(o.Bits), true
		}
		return walks[o.Thread].regs[o.Index] & ir.Mask(o.Bits), true
	}
	return litmus.EvalProp(q.prop, uncertain{}, func(c litmus.Compare) maybe {
		left, known := value(c.Obs)
		right := c.Value
		if c.Other >= 0 {
			var ok bool
			right, ok = value(c.Other)
			known = known && ok
		}
		if !known {
			return maybe{true, true}
		}
		return uncertain{}.Bool((left == right) != c.NotEqual)
	}).yes
}

// executions calls f with those that the condition asks for, until it says to stop, or
// too many were tried.
func (q *question) executions(all [][]walk, f func(*execution) (more bool)) {
	chosen := make([]*walk, len(all))
	var choose func(t int) bool
	choose = func(t int) bool {
		if t == len(all) {
			return q.completions(chosen, f)
		}
		for i := range all[t] {
			if q.tried += q.cost; q.tried > maxTried {
				return false
			}
			chosen[t] = &all[t][i]
			if q.mayHold(chosen, nil) && !choose(t+1) {
				return false
			}
		}
		chosen[t] = nil
		return true
	}
	choose(0)
}

// completions are the executions of a walk of each thread.
func (q *question) completions(chosen []*walk, f func(*execution) bool) bool {
	x := &execution{}
	writes := make([][]int, len(q.p.Locs))
	var reads []int
	for t, w := range chosen {
		x.walks = append(x.walks, *w)
		x.first = append(x.first, len(x.nodes))
		for i := range w.points {
			if n := len(x.nodes); w.points[i].write {
				writes[w.points[i].loc] = append(writes[w.points[i].loc], n)
			} else {
				reads = append(reads, n)
			}
			x.nodes = append(x.nodes, node{t, i, &w.points[i]})
		}
	}
	x.source, x.place = make([]int, len(x.nodes)), make([]int, len(x.nodes))
	final := make([]uint64, len(q.p.Locs))

	done := func() bool {
		if q.tried += q.cost; q.tried > maxTried {
			return false
		}
		if !q.mayHold(chosen, final) {
			return true
		}
		y := *x
		y.source, y.place = slices.Clone(x.source), slices.Clone(x.place)
		for _, r := range reads {
			if y.source[r] >= 0 {
				y.place[r] = y.place[y.source[r]]
			}
		}
		return f(&y)
	}
	var order func(loc, n int) bool
	order = func(loc, n int) bool {
		if loc == len(writes) {
			return done()
		}
		if n == len(writes[loc]) {
			return order(loc+1, 0)
		}
		for _, w := range writes[loc] {
			if x.place[w] != 0 {
				continue
			}
			x.place[w], final[loc] = n+1, x.nodes[w].value
			if !order(loc, n+1) {
				return false
			}
			x.place[w] = 0
		}
		return true
	}
	var take func(i int) bool
	take = func(i int) bool {
		if i == len(reads) {
			for l := range final {
				final[l] = q.p.Locs[l].Init
			}
			return order(0, 0)
		}
		r := x.nodes[reads[i]]
		if q.p.Locs[r.loc].Init == r.value {
			x.source[reads[i]] = -1
			if !take(i + 1) {
				return false
			}
		}
		for _, w := range writes[r.loc] {
			if x.nodes[w].value != r.value {
				continue
			}
			x.source[reads[i]] = w
			if !take(i + 1) {
				return false
			}
		}
		return true
	}
	return take(0)
}
