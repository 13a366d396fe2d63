package proof

// graph is one that is to have no cycle: nodes, and the edges from each. In a cycle there is one edge that is alone for
// the most.
type graph struct{ from, alone [][]edge }

// edge exists if its literal is true.
type edge struct {
	to  int
	lit int32
}

// AddGraph adds a graph that is to have no cycle, and gives its number.
func (c *Checker) AddGraph(nodes int) int {
	c.graphs = append(c.graphs, graph{make([][]edge, nodes), make([][]edge, nodes)})
	return len(c.graphs) - 1
}

// AddEdge adds an edge to a graph. The edge exists if its literal is true.
func (c *Checker) AddEdge(graph, from, to int, lit int32) {
	c.addEdge(c.graphs[graph].from, from, to, lit)
}

// AddAlone adds one that counts in cycles with edges of [Checker.AddEdge] alone.
func (c *Checker) AddAlone(graph, from, to int, lit int32) {
	c.addEdge(c.graphs[graph].alone, from, to, lit)
}

func (c *Checker) addEdge(edges [][]edge, from, to int, lit int32) {
	lits, _, err := c.normalise([]int32{lit})
	if err != nil {
		c.err = err
		return
	}
	edges[from] = append(edges[from], edge{to, lits[0]})
}

// cyclic reports whether the edges that are there now have a cycle.
func (c *Checker) cyclic() bool {
	for i := range c.graphs {
		if c.graphs[i].cyclic(c.value) {
			return true
		}
	}
	return false
}

// cyclic looks depth first for an edge back to a node on the current path, and then for an exclusive edge to a node
// that can reach its start.
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
	for n, edges := range g.alone {
		for _, e := range edges {
			if value[e.lit] == 1 && g.leads(e.to, n, value) {
				return true
			}
		}
	}
	return false
}

// leads reports whether edges that are there lead from a node to another, or these are one.
func (g *graph) leads(from, to int, value []int8) bool {
	seen := make([]bool, len(g.from))
	seen[from] = true
	for work := []int{from}; len(work) > 0 && !seen[to]; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range g.from[n] {
			if value[e.lit] == 1 && !seen[e.to] {
				seen[e.to] = true
				work = append(work, e.to)
			}
		}
	}
	return seen[to]
}
