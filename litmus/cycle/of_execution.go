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

// execution has a walk of each thread, the write that each read takes its value from, and the order of the writes to
// each location. An access to several locations has these for each.
//
// Executions are enumerated without a model: all ways to run the threads, all sources of reads with the right value,
// all orders of writes. These are herd's executions before any axiom (Alglave, Maranget and Tautschnig, “Herding Cats”,
// 2014). The enumeration is affordable because the condition is asked as early as possible: a choice of walks that
// already contradicts it is dropped (mayHold).
type execution struct {
	walks  []walk
	nodes  []node
	first  []int   // of each thread, among nodes
	source [][]int // of each read, the write; -1 for the initial value
	place  [][]int // of each write, from 1 up in the order of its location; of a read, that of its source
}

// shared calls f for the locations that two accesses have in common, with their indices in each access, until f returns
// true.
func (x *execution) shared(a, b int, f func(i, j int) bool) bool {
	for i, h := range x.nodes[a].values {
		for j, k := range x.nodes[b].values {
			if h.loc == k.loc && f(i, j) {
				return true
			}
		}
	}
	return false
}

// isConnected reports a communication: on some location, b comes after a.
func (x *execution) isConnected(a, b int) bool {
	return a != b && x.shared(a, b, func(i, j int) bool { return x.connects(a, i, b, j) })
}

// connects is isConnected for one location.
func (x *execution) connects(a, i, b, j int) bool {
	if x.nodes[b].write {
		return x.place[a][i] < x.place[b][j]
	}
	return x.nodes[a].write && x.source[b][j] == a
}

// inOrder reports whether an execution is sequentially consistent or, with loc, coherent.
func (x *execution) inOrder(loc bool) bool {
	before := func(a, b int) bool {
		return x.nodes[a].thread == x.nodes[b].thread && x.nodes[a].at < x.nodes[b].at
	}
	all := make([]int, len(x.nodes))
	for i := range all {
		all[i] = i
	}
	if !loc {
		return inOrder(all, func(a, b int) bool { return before(a, b) || x.isConnected(a, b) })
	}
	done := map[int]bool{}
	for _, n := range x.nodes {
		for _, h := range n.values {
			if done[h.loc] {
				continue
			}
			done[h.loc] = true
			here := func(n int) int {
				return slices.IndexFunc(x.nodes[n].values, func(k locValue) bool { return k.loc == h.loc })
			}
			of := slices.DeleteFunc(slices.Clone(all), func(n int) bool { return here(n) < 0 })
			if !inOrder(of,
				func(a, b int) bool { return a != b && (before(a, b) || x.connects(a, here(a), b, here(b))) }) {
				return false
			}
		}
	}
	return true
}

// inOrder reports whether nodes have an order in which every edge leads forward.
func inOrder(nodes []int, edge func(a, b int) bool) bool {
	waits := make([]int, len(nodes))
	for _, a := range nodes {
		for i, b := range nodes {
			if edge(a, b) {
				waits[i]++
			}
		}
	}
	for range nodes {
		i := slices.Index(waits, 0)
		if i < 0 {
			return false
		}
		waits[i] = -1
		for j, b := range nodes {
			if edge(nodes[i], b) {
				waits[j]--
			}
		}
	}
	return true
}

// isAtomic reports whether no write comes between the halves of a pair.
func (x *execution) isAtomic() bool {
	for i, n := range x.nodes {
		if n.write && n.pair >= 0 {
			read := x.first[n.thread] + n.pair
			if x.shared(read, i, func(j, k int) bool { return x.place[read][j]+1 != x.place[i][k] }) {
				return false
			}
		}
	}
	return true
}

// maybe is a truth value in three-valued logic: whether it can be true, and whether it can be false.
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

// question is what a test's condition asks for, as a proposition that must hold.
type question struct {
	p     *ir.Program
	prop  litmus.Prop
	tried int // tried ways to run, weighted by cost
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

// mayHold reports whether the condition can hold if the chosen threads run as given and final has the last values of
// the locations, if known.
func (q *question) mayHold(walks []*walk, final []uint64) bool {
	value := func(obs int) (uint64, bool) {
		o := q.p.Observed[obs]
		switch {
		case o.Thread < 0 && final == nil, o.Thread >= 0 && walks[o.Thread] == nil:
			return 0, false
		case o.Thread < 0:
			return joinValue(q.p, o.Index, o.Bits, func(loc int) uint64 { return final[loc] }) & ir.Mask(o.Bits), true
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

// executions calls f with the executions that the condition asks for, until f returns false or too many were tried.
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

// completions visits the executions for a walk of each thread.
//
// It chooses the sources of reads first, then the coherence orders, location by location. Both are written into one
// execution in place; only those that the condition asks for are copied.
func (q *question) completions(chosen []*walk, f func(*execution) bool) bool {
	x := &execution{}
	writes := make([][][2]int, len(q.p.Locs)) // by location: nodes, with the index of the location in them
	var reads [][2]int
	for t, w := range chosen {
		x.walks = append(x.walks, *w)
		x.first = append(x.first, len(x.nodes))
		for i := range w.points {
			n := len(x.nodes)
			for k, h := range w.points[i].values {
				if w.points[i].write {
					writes[h.loc] = append(writes[h.loc], [2]int{n, k})
				} else {
					reads = append(reads, [2]int{n, k})
				}
			}
			x.nodes = append(x.nodes, node{t, i, &w.points[i]})
			x.source = append(x.source, make([]int, len(w.points[i].values)))
			x.place = append(x.place, make([]int, len(w.points[i].values)))
		}
	}
	final := make([]uint64, len(q.p.Locs))
	placed := func(y *execution, n, loc int) int {
		return y.place[n][slices.IndexFunc(y.nodes[n].values, func(h locValue) bool { return h.loc == loc })]
	}

	done := func() bool {
		if q.tried += q.cost; q.tried > maxTried {
			return false
		}
		if !q.mayHold(chosen, final) {
			return true
		}
		y := *x
		y.source, y.place = make([][]int, len(x.source)), make([][]int, len(x.place))
		for n := range x.nodes {
			y.source[n], y.place[n] = slices.Clone(x.source[n]), slices.Clone(x.place[n])
		}
		for _, r := range reads {
			if from := y.source[r[0]][r[1]]; from >= 0 {
				y.place[r[0]][r[1]] = placed(&y, from, y.nodes[r[0]].values[r[1]].loc)
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
			if x.place[w[0]][w[1]] != 0 {
				continue
			}
			x.place[w[0]][w[1]], final[loc] = n+1, x.nodes[w[0]].values[w[1]].value
			if !order(loc, n+1) {
				return false
			}
			x.place[w[0]][w[1]] = 0
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
		r := x.nodes[reads[i][0]].values[reads[i][1]]
		source := &x.source[reads[i][0]][reads[i][1]]
		if q.p.Locs[r.loc].Init == r.value {
			*source = -1
			if !take(i + 1) {
				return false
			}
		}
		for _, w := range writes[r.loc] {
			if x.nodes[w[0]].values[w[1]].value != r.value {
				continue
			}
			*source = w[0]
			if !take(i + 1) {
				return false
			}
		}
		return true
	}
	return take(0)
}
