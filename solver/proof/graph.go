package proof

// graph is one that is to have no cycle: nodes, and the edges from each.
type graph struct{ from [][]edge }

// edge is there where its literal is true.
type edge struct {
	to  int
	lit int32
}

// AddGraph adds a graph that is to have no cycle, and gives its number.
func (c *Checker) AddGraph(nodes int) int {
	c.graphs = append(c.graphs, graph{make([][]edge, nodes)})
	return len(c.graphs) - 1
}

// AddEdge adds an edge to a graph, which is there where a literal is true.
func (c *Checker) AddEdge(graph, from, to int, lit int32) {
	lits, _, err := c.normalise([]int32{lit})
	if err != nil {
		c.err = err
		return
	}
	g := &c.graphs[graph]
	g.from[from] = append(g.from[from], edge{to, lits[0]})
}

// cyclic tells whether the edges that are there now have a cycle.
func (c *Checker) cyclic() bool {
	for i := range c.graphs {
		if c.graphs[i].cyclic(c.value) {
			return true
		}
	}
	return false
}

// cyclic looks depth first for an edge back to a node on the way.
func (g *graph) cyclic(value []int8) bool {
	const onWay, done = 1, 2
	state, next := make([]int8, len(g.from)), make([]int, len(g.from))
	for root := range g.from {
		if state[root] != 0 {
			continue
		}
		state[root] = onWay
		for way := []int{root}; len(way) > 0; {
			n := way[len(way)-1]
			if next[n] == len(g.from[n]) {
				state[n] = done
				way = way[:len(way)-1]
				continue
			}
			e := g.from[n][next[n]]
			next[n]++
			switch {
			case value[e.lit] != 1 || state[e.to] == done:
			case state[e.to] == onWay:
				return true
			default:
				state[e.to] = onWay
				way = append(way, e.to)
			}
		}
	}
	return false
}
