package cdcl

import (
	"math/bits"
	"slices"
)

// ordering keeps graphs from having cycles (Gebser, Janhunen and Rintanen, "SAT Modulo Graphs: Acyclicity", JELIA
// 2014): an edge is there while its literal is true, and one that would close a cycle is made false.
type ordering struct {
	graphs    []*graph
	edgesOf   [][]edgeRef // by literal
	orderHead int         // what of the trail is in the graphs
	inserted  []insertion
	notes     []note   // why edges cannot be there: first of the last conflict, and then of what is on the trail
	cited     []uint32 // what the proof has of notes until what comes of them is learnt, each behind a nowhere
}

// isNote marks a ref into notes.
const isNote ref = 1 << 31

// note is why an edge cannot be there, as a clause once that is asked for: of what graphs imply, few are in conflicts.
type note struct {
	edgeRef
	age  int32    // it is of the insertions before this one
	lits []uint32 // once it is done
	done bool
}

// edgeRef is an edge of a graph.
type edgeRef struct{ graph, edge int32 }

type edge struct {
	from, to int32
	lit      lit   // nowhere for one that is always there
	alone    bool  // it is in no cycle with others that are
	age      int32 // of one that is there, by insertions
}

// arrivals are edges into a node, from nodes of one word of a row.
type arrivals struct {
	from  uint64 // which of the word's
	word  int32
	edges []arrival
}

// arrival is an edge into a node, by the bit of the node that it is from.
type arrival struct{ bit, edge int32 }

type graph struct {
	nodes, words int
	edges        []edge
	into         [][]arrivals // by node: edges that may be there
	out          [][]int32    // by node: edges that are there
	// by node: a row of bits, the nodes that it comes to; and then by node those that come to it
	reach       []uint64
	saved       []word   // of rows, as they were
	behind      []uint64 // of an edge that comes in: the nodes that come to something new by it
	ahead       []uint64 // … and what they come to
	by          []int32  // by node, for ways: the edge that leads there, or -1
	queue, todo []int32
}

// word is one of a graph's rows, by where it is in reach.
type word struct {
	bits uint64
	at   int
}

// insertion is an edge that has come in.
type insertion struct {
	edgeRef
	at    int // the place of its literal on the trail; -1 where it is there for good
	words int // so many have changed
}

// NewGraph makes a graph that is to have no cycle.
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

// AddEdge adds an edge that is there while a literal is true, or always, where the literal is 0. Edges are added
// before Solve is called.
func (s *Solver) AddEdge(graph, from, to, when int) { s.addEdge(graph, from, to, when, false) }

// AddAlone adds an edge that closes cycles with edges of [Solver.AddEdge], and has no part in any with another such as
// itself.
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

// mayCome notes an edge into a node.
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

// coming is which nodes come to one.
func (g *graph) coming(n int32) []uint64 { return g.row(int32(g.nodes) + n) }

func (g *graph) reaches(a, b int32) bool { return g.row(a)[b/64]>>(b%64)&1 == 1 }

// order has the graphs follow the trail, until there is something to be propagated. It gives a conflict, if there is
// one.
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

// insert has an edge be there, and makes those false that would close a cycle.
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

// join has a node come to another, with all that comes to the one, and to all that is ahead of the other. Edges that
// would close a cycle then are to be looked at.
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

// widen adds to a row, and keeps what changes of it as it was.
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

// contradicts notes why an edge that is there cannot be.
func (s *Solver) contradicts(r edgeRef) (conflict ref) {
	s.notes[0] = note{r, int32(len(s.inserted)), s.notes[0].lits[:0], false}
	return isNote
}

// implies notes why an edge is not there, until its literal leaves the trail.
func (s *Solver) implies(r edgeRef) (reason ref) {
	at := len(s.notes)
	s.notes = slices.Grow(s.notes, 1)[:at+1]
	s.notes[at] = note{r, int32(len(s.inserted)), s.notes[at].lits[:0], false}
	return ref(at) | isNote
}

// explain has a note say what there is of a way from its edge's end to its begin, of as few literals as can be.
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

// way finds a way of edges before an age, of which as few as can be are there by what was decided, along nodes that
// come to its end.
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

// takeOut takes edges out again whose literals are no more on the trail.
func (s *Solver) takeOut() {
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

// rename has edges be of what stands for their literals.
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

// cite has the proof say what a note says, until uncite.
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
