package sat

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

// cyclic reports whether the edges whose literals hold make a cycle: whether there is no node left to begin with that
// no edge of those left leads to, or one that is alone leads back to where others have come from.
func (g *Graph) cyclic(holds func(Lit) bool) bool {
	next, into := make([][]int, g.nodes), make([]int, g.nodes)
	for _, e := range g.edges {
		if holds(e.lit) {
			next[e.from] = append(next[e.from], e.to)
			into[e.to]++
		}
	}
	var first []int
	for n, count := range into {
		if count == 0 {
			first = append(first, n)
		}
	}
	for i := 0; i < len(first); i++ {
		for _, n := range next[first[i]] {
			if into[n]--; into[n] == 0 {
				first = append(first, n)
			}
		}
	}
	if len(first) < g.nodes {
		return true
	}
	for _, e := range g.alone {
		if holds(e.lit) && leads(next, e.to, e.from) {
			return true
		}
	}
	return false
}

// leads reports whether edges lead from a node to another, or these are one.
func leads(next [][]int, from, to int) bool {
	seen := map[int]bool{from: true}
	for work := []int{from}; len(work) > 0 && !seen[to]; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, m := range next[n] {
			if !seen[m] {
				seen[m] = true
				work = append(work, m)
			}
		}
	}
	return seen[to]
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
