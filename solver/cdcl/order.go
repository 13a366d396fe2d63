package cdcl

import (
	"math/bits"
	"slices"
)

// ordering keeps graphs acyclic (Gebser, Janhunen and Rintanen, "SAT Modulo Graphs: Acyclicity", JELIA 2014). An edge
// exists while its literal is true. The solver stores for each node which nodes it reaches, as bits. When an edge
// joins, only rows of nodes that reach something new change, and a log has the old words for backtracking. Every edge
// that would close a cycle now becomes false; the solver computes its reason, a path of edges, only if a conflict asks
// for it. So the formula needs no transitivity clauses, whose number is cubic in the events.
type ordering struct {
	graphs    []*graph
	edgesOf   [][]edgeRef // by literal
	orderHead int         // the length of the trail that the graphs have seen
	inserted  []insertion
	notes     []note   // reasons for absent edges; notes[0] is the last conflict
	cited     []uint32 // clauses of notes in the proof, until it has what they justify; each after the word nowhere
}

// isNote marks a ref as an index into notes.
const isNote ref = 1 << 31

// note is the reason why an edge cannot exist. The solver builds its clause on demand, because few notes take part in
// conflicts.
type note struct {
	edgeRef
	age  int32    // the path uses edges inserted before this number
	lits []uint32 // valid once done is true
	done bool
}

// edgeRef identifies an edge of a graph.
type edgeRef struct{ graph, edge int32 }

type edge struct {
	from, to int32
	lit      lit   // nowhere for an edge that always exists
	alone    bool  // no cycle has two such edges
	age      int32 // the number of insertions before it
}

// arrivals are the possible edges into a node, grouped by the word of the row that has their sources.
type arrivals struct {
	from  uint64 // their sources, as bits of the word
	word  int32
	edges []arrival
}

// arrival is one of them, with the bit of its source.
type arrival struct{ bit, edge int32 }

type graph struct {
	nodes, words int
	edges        []edge
	into         [][]arrivals // by node: edges that may exist
	out          [][]int32    // by node: edges that exist
	// rows of bits: first by node, the nodes that it reaches; then by node, those that reach it
	reach       []uint64
	saved       []word   // old words of rows, for backtracking
	behind      []uint64 // for join: nodes that reach something new by the new edge
	ahead       []uint64 // … and what they reach
	by          []int32  // by node, for way: the edge that leads there, or -1
	queue, todo []int32
}

// word is a word of a row and its position in reach.
type word struct {
	bits uint64
	at   int
}

// insertion is an inserted edge.
type insertion struct {
	edgeRef
	at    int // position of its literal on the trail; -1 for an edge that always exists
	words int // number of saved words
}

// NewGraph makes an empty graph that must stay acyclic, and returns its number.
func (s *Solver) NewGraph(nodes int) (graph int) {
	if s.edgesOf == nil {
		s.edgesOf, s.notes = make([][]edgeRef, len(s.values)), make([]note, 1)
	}
	s.graphs = append(s.graphs, newGraph(nodes))
	return len(s.graphs) - 1
}

func newGraph(nodes int) *graph {
	words := (nodes + 63) / 64
	return &graph{
		nodes: nodes, words: words, into: make([][]arrivals, nodes), out: make([][]int32, nodes),
		reach: make([]uint64, 2*nodes*words), behind: make([]uint64, words), ahead: make([]uint64, words),
		by: slices.Repeat([]int32{-1}, nodes),
	}
}

// AddEdge adds an edge that exists while literal when is true, or always if when is 0. Add all edges before Solve.
func (s *Solver) AddEdge(graph, from, to, when int) { s.addEdge(graph, from, to, when, false) }

// AddAlone adds an exclusive edge: no necessary cycle has two. The solver checks it against the edges of
// [Solver.AddEdge], but does not store its own reachability.
func (s *Solver) AddAlone(graph, from, to, when int) { s.addEdge(graph, from, to, when, true) }

func (s *Solver) addEdge(graph, from, to, when int, alone bool) {
	g := s.graphs[graph]
	e := edge{int32(from), int32(to), nowhere, alone, 0}
	r := edgeRef{int32(graph), int32(len(g.edges))}
	if when != 0 {
		e.lit = literal(when)
	}
	g.edges = append(g.edges, e)
	switch {
	case s.unsat:
	case when != 0:
		g.mayCome(to, r.edge)
		s.edgesOf[e.lit] = append(s.edgesOf[e.lit], r)
		if e.from == e.to || g.reaches(e.to, e.from) {
			s.log.add([]lit{e.lit.not()})
			s.Add(-when)
		}
	case s.insert(r, -1) != none:
		s.unsat = true
		s.log.add(nil)
	case alone:
		g.mayCome(to, r.edge)
	}
}

// mayCome records a possible edge into a node.
func (g *graph) mayCome(to int, edge int32) {
	word, bit := g.edges[edge].from/64, g.edges[edge].from%64
	at, found := slices.BinarySearchFunc(g.into[to], word,
		func(a arrivals, word int32) int { return int(a.word - word) })
	if !found {
		g.into[to] = slices.Insert(g.into[to], at, arrivals{word: word})
	}
	a := &g.into[to][at]
	a.from |= 1 << bit
	a.edges = append(a.edges, arrival{bit, edge})
}

func (g *graph) row(n int32) []uint64 { return g.reach[int(n)*g.words : int(n+1)*g.words] }

// coming returns the row of nodes that reach n.
func (g *graph) coming(n int32) []uint64 { return g.row(int32(g.nodes) + n) }

func (g *graph) reaches(a, b int32) bool { return g.row(a)[b/64]>>(b%64)&1 == 1 }

// order inserts the edges of the trail into the graphs, until there is something to propagate. It returns a conflict
// or none.
func (s *Solver) order() (conflict ref) {
	for s.orderHead < len(s.trail) && s.head == len(s.trail) {
		for _, r := range s.edgesOf[s.trail[s.orderHead]] {
			if c := s.insert(r, s.orderHead); c != none {
				return c
			}
		}
		s.orderHead++
	}
	return none
}

// insert adds an edge and makes all edges false that would now close a cycle. It returns a conflict if one of these
// is true.
func (s *Solver) insert(r edgeRef, at int) (conflict ref) {
	g := s.graphs[r.graph]
	e := &g.edges[r.edge]
	if e.from == e.to || g.reaches(e.to, e.from) {
		return s.contradicts(r)
	}
	if e.alone {
		return none
	}
	e.age = int32(len(s.inserted))
	g.out[e.from] = append(g.out[e.from], r.edge)
	in := insertion{r, at, 0}
	g.todo = g.todo[:0]
	if !g.reaches(e.from, e.to) {
		in.words = g.join(e.from, e.to)
	}
	s.inserted = append(s.inserted, in)
	for _, k := range g.todo {
		l, o := g.edges[k].lit, edgeRef{r.graph, k}
		if l == nowhere || s.values[l] > 0 {
			return s.contradicts(o)
		}
		switch {
		case s.values[l] < 0:
		case len(s.control) == 0:
			s.log.add([]lit{l.not()})
			s.assign(l.not(), none)
		default:
			s.assign(l.not(), s.implies(o))
		}
	}
	return none
}

// join updates reachability for an edge: all that reaches from now reaches all that to reaches. It appends to todo
// the possible edges that would close a cycle. It returns the number of saved words.
func (g *graph) join(from, to int32) (words int) {
	before := len(g.saved)
	copy(g.ahead, g.row(to))
	g.ahead[to/64] |= 1 << (to % 64)
	copy(g.behind, g.coming(from))
	g.behind[from/64] |= 1 << (from % 64)
	for w, already := range g.coming(to) {
		g.behind[w] &^= already
	}
	each(g.behind, func(y int32) {
		row := g.row(y)
		for i := range g.into[y] {
			a := &g.into[y][i]
			fresh := g.ahead[a.word] &^ row[a.word] & a.from
			if fresh == 0 {
				continue
			}
			for _, e := range a.edges {
				if fresh>>e.bit&1 == 1 {
					g.todo = append(g.todo, e.edge)
				}
			}
		}
		g.widen(y, g.ahead)
	})
	each(g.ahead, func(z int32) { g.widen(int32(g.nodes)+z, g.behind) })
	return len(g.saved) - before
}

// widen adds bits to a row and saves the words that change.
func (g *graph) widen(n int32, more []uint64) {
	first := int(n) * g.words
	for w, m := range more {
		at := first + w
		if was := g.reach[at]; m&^was != 0 {
			g.saved = append(g.saved, word{was, at})
			g.reach[at] = was | m
		}
	}
}

// each calls f for the nodes of a row.
func each(row []uint64, f func(n int32)) {
	for w, m := range row {
		for ; m != 0; m &= m - 1 {
			f(int32(w*64 + bits.TrailingZeros64(m)))
		}
	}
}

// contradicts records the reason of a conflict: edge r exists, but would close a cycle.
func (s *Solver) contradicts(r edgeRef) (conflict ref) {
	s.notes[0] = note{r, int32(len(s.inserted)), s.notes[0].lits[:0], false}
	return isNote
}

// implies records the reason why an edge is absent. It is valid until the edge's literal leaves the trail.
func (s *Solver) implies(r edgeRef) (reason ref) {
	at := len(s.notes)
	s.notes = slices.Grow(s.notes, 1)[:at+1]
	s.notes[at] = note{r, int32(len(s.inserted)), s.notes[at].lits[:0], false}
	return ref(at) | isNote
}

// explain computes the clause of a note: the edge and a path from its end to its start cannot all exist. It chooses a
// path with few literals.
func (s *Solver) explain(n *note) []uint32 {
	if n.done {
		return n.lits
	}
	n.done = true
	g := s.graphs[n.graph]
	e := &g.edges[n.edge]
	add := func(l lit) {
		if l != nowhere && !slices.Contains(n.lits, uint32(l.not())) {
			n.lits = append(n.lits, uint32(l.not()))
		}
	}
	add(e.lit)
	g.way(e.to, e.from, n.age, s.level)
	for at := e.from; at != e.to; {
		by := &g.edges[g.by[at]]
		add(by.lit)
		at = by.from
	}
	return n.lits
}

// way finds a path from one node to another among edges older than age, with the fewest edges whose literal is not
// fixed at level 0, and leaves it in g.by. The search is breadth-first in such edges and only visits nodes that reach
// the end.
func (g *graph) way(from, to, age int32, level []int32) {
	for _, n := range g.queue {
		g.by[n] = -1
	}
	comes := g.coming(to)
	g.queue = append(g.queue[:0], from)
	along := func(n int32, decided bool) {
		for _, k := range g.out[n] {
			e := &g.edges[k]
			if m := e.to; (m == to || comes[m/64]>>(m%64)&1 == 1) && m != from && g.by[m] < 0 && e.age < age &&
				(e.lit != nowhere && level[e.lit>>1] > 0) == decided {
				g.by[m] = k
				g.queue = append(g.queue, m)
			}
		}
	}
	for first := 0; first < len(g.queue) && g.by[to] < 0 && from != to; {
		last := first
		for ; last < len(g.queue); last++ {
			along(g.queue[last], false)
		}
		for ; first < last; first++ {
			along(g.queue[first], true)
		}
	}
}

// removeEdges removes the edges whose literals left the trail, latest first, and restores the saved words.
func (s *Solver) removeEdges() {
	to := len(s.trail)
	for n := len(s.inserted) - 1; n >= 0 && s.inserted[n].at >= to; n-- {
		in := s.inserted[n]
		s.inserted = s.inserted[:n]
		g := s.graphs[in.graph]
		from := g.edges[in.edge].from
		g.out[from] = g.out[from][:len(g.out[from])-1]
		for range in.words {
			k := len(g.saved) - 1
			g.reach[g.saved[k].at] = g.saved[k].bits
			g.saved = g.saved[:k]
		}
	}
	s.orderHead = min(s.orderHead, to)
}

// rename replaces literals of edges by the equal literals that now represent them.
func (s *Solver) rename(now []lit) {
	for l := range lit(len(s.edgesOf)) {
		to := now[l>>1] ^ l&1
		if to == l {
			continue
		}
		for _, r := range s.edgesOf[l] {
			s.graphs[r.graph].edges[r.edge].lit = to
		}
		s.edgesOf[to] = append(s.edgesOf[to], s.edgesOf[l]...)
		s.edgesOf[l] = nil
	}
}

// cite writes the clause of a note to the proof, until uncite deletes it. A checker has no graph, so that clauses
// that rest on one need it.
func (s *Solver) cite(c ref) {
	if s.log == nil || c&isNote == 0 {
		return
	}
	lits := s.literals(c)
	s.cited = append(append(s.cited, uint32(nowhere)), lits...)
	write(s.log, 2*len(lits), lits)
}

func (s *Solver) uncite() {
	for len(s.cited) > 0 {
		at := len(s.cited) - 1
		for s.cited[at] != uint32(nowhere) {
			at--
		}
		s.log.delete(s.cited[at+1:])
		s.cited = s.cited[:at]
	}
}
