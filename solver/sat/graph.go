package sat

import "slices"

// Graph is a graph that is to have no cycle, for backends that know orders ([KnowsOrders]). Each edge exists if its
// literal is true.
type Graph struct {
	circuit *Circuit
	nodes   int
	edges   []graphEdge
	alone   []graphEdge // in a cycle there is one of these for the most
}

type graphEdge struct {
	from, to int
	lit      Lit
}

// NewGraph asserts that a graph has no cycle. The caller adds its edges.
func (c *Circuit) NewGraph(nodes int) *Graph {
	g := &Graph{circuit: c, nodes: nodes}
	c.graphs = append(c.graphs, g)
	return g
}

// Edge adds an edge.
func (g *Graph) Edge(from, to int, l Lit) { g.edges = g.add(g.edges, from, to, l) }

// Alone adds an edge that closes cycles with those of [Graph.Edge], and that is all: where it takes two such edges to
// make a cycle, it counts for none.
func (g *Graph) Alone(from, to int, l Lit) { g.alone = g.add(g.alone, from, to, l) }

func (g *Graph) add(edges []graphEdge, from, to int, l Lit) []graphEdge {
	if l == False {
		return edges
	}
	if l != True {
		g.circuit.told = append(g.circuit.told, l)
		g.circuit.define(l.Not())
	}
	return append(edges, graphEdge{from, to, l})
}

// cycleCheck checks the graphs of a solver under one assignment after another. It reuses its memory.
type cycleCheck struct {
	starts []int32     // by node: where its edges begin in out
	held   []graphEdge // the edges of the assignment
	out    []graphEdge // the same, by node
	into   []int32     // by node: edges from nodes that are not in order yet
	order  []int32     // nodes, each behind those that lead to it
	place  []int32     // by node: its place in order
	seen   []bool
	work   []int32
}

// cyclic reports whether the edges whose literals hold make a cycle: whether there is no node left to begin with that
// no edge of those left leads to, or one that is alone leads back to where others have come from.
func (k *cycleCheck) cyclic(g *Graph, holds func(Lit) bool) bool {
	k.starts = slices.Grow(k.starts[:0], g.nodes+1)[:g.nodes+1]
	k.into = slices.Grow(k.into[:0], g.nodes)[:g.nodes]
	k.place = slices.Grow(k.place[:0], g.nodes)[:g.nodes]
	k.seen = slices.Grow(k.seen[:0], g.nodes)[:g.nodes]
	k.collect(g, holds)
	k.order = k.order[:0]
	for n, count := range k.into {
		if count == 0 {
			k.order = append(k.order, int32(n))
		}
	}
	for i := 0; i < len(k.order); i++ {
		n := k.order[i]
		k.place[n] = int32(i)
		for _, e := range k.out[k.starts[n]:k.starts[n+1]] {
			if k.into[e.to]--; k.into[e.to] == 0 {
				k.order = append(k.order, int32(e.to))
			}
		}
	}
	if len(k.order) < g.nodes {
		return true
	}
	for _, e := range g.alone {
		if holds(e.lit) && k.leads(e.to, e.from) {
			return true
		}
	}
	return false
}

// collect sorts the edges whose literals hold by the nodes that they leave, and counts those into each node.
func (k *cycleCheck) collect(g *Graph, holds func(Lit) bool) {
	clear(k.starts)
	clear(k.into)
	k.held = k.held[:0]
	for _, e := range g.edges {
		if holds(e.lit) {
			k.held = append(k.held, e)
			k.starts[e.from]++
			k.into[e.to]++
		}
	}
	for n := 1; n < len(k.starts); n++ { // where the edges of n end
		k.starts[n] += k.starts[n-1]
	}
	k.out = slices.Grow(k.out[:0], len(k.held))[:len(k.held)]
	for _, e := range k.held {
		k.starts[e.from]--
		k.out[k.starts[e.from]] = e
	}
}

// leads reports whether edges lead from a node to another, or these are one. Only nodes between the two in the order
// can be on such a path.
func (k *cycleCheck) leads(from, to int) bool {
	if from == to {
		return true
	}
	if k.place[from] > k.place[to] {
		return false
	}
	clear(k.seen)
	k.seen[from] = true
	for k.work = append(k.work[:0], int32(from)); len(k.work) > 0; {
		n := k.work[len(k.work)-1]
		k.work = k.work[:len(k.work)-1]
		for _, e := range k.out[k.starts[n]:k.starts[n+1]] {
			switch {
			case e.to == to:
				return true
			case !k.seen[e.to] && k.place[e.to] < k.place[to]:
				k.seen[e.to] = true
				k.work = append(k.work, int32(e.to))
			}
		}
	}
	return false
}

// edges gives the graphs to a backend.
func (s *Solver) edges() (out []Edges) {
	for _, g := range s.graphs {
		out = append(out, Edges{Nodes: g.nodes, Edges: s.ofBackend(g.edges), Alone: s.ofBackend(g.alone)})
	}
	return out
}

// ofBackend gives edges their literals there.
func (s *Solver) ofBackend(edges []graphEdge) (out [][3]int) {
	for _, e := range edges {
		switch {
		case e.lit == True || s.fixedTo(e.lit) == 1:
			out = append(out, [3]int{e.from, e.to, 0})
		case s.fixedTo(e.lit) == 0:
			out = append(out, [3]int{e.from, e.to, s.translate(nil, []Lit{e.lit})[0]})
		}
	}
	return out
}
