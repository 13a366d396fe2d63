package sat

// Graph is a graph that is to have no cycle, for backends that know orders ([KnowsOrders]). Each of its edges is there where a
// literal is true.
type Graph struct {
	circuit *Circuit
	nodes   int
	edges   []graphEdge
}

type graphEdge struct {
	from, to int
	lit      Lit
}

// NewGraph asserts that a graph has no cycle, to which edges are added.
func (c *Circuit) NewGraph(nodes int) *Graph {
	g := &Graph{circuit: c, nodes: nodes}
	c.graphs = append(c.graphs, g)
	return g
}

// Edge adds an edge.
func (g *Graph) Edge(from, to int, l Lit) {
	if l == False {
		return
	}
	if l != True {
		g.circuit.told = append(g.circuit.told, l)
		g.circuit.define(l.Not())
	}
	g.edges = append(g.edges, graphEdge{from, to, l})
}

// cyclic tells whether the edges whose literals hold make a cycle: whether there is no node left to begin with that no edge of those left leads to.
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
	return len(first) < g.nodes
}

// edges gives the graphs to a backend.
func (s *Solver) edges() (out []Edges) {
	for _, g := range s.graphs {
		es := Edges{Nodes: g.nodes}
		for _, e := range g.edges {
			switch {
			case e.lit == True || s.fixedTo(e.lit) == 1:
				es.Edges = append(es.Edges, [3]int{e.from, e.to, 0})
			case s.fixedTo(e.lit) == 0:
				es.Edges = append(es.Edges, [3]int{e.from, e.to, s.translate(nil, []Lit{e.lit})[0]})
			}
		}
		out = append(out, es)
	}
	return out
}
