package executions

import (
	"litmuscope/litmus/ir"
	"litmuscope/solver/sat"
)

// word is a kind of event.
type word struct {
	instruction
	second bool // the write of an update; its read is the event before it
}

// reads reports whether the event reads: an update consists of two events, the first of which is its read.
func (w word) reads() bool {
	return w.kind == load || w.kind == exclusive || w.kind == update && !w.second
}

func (w word) writes() bool {
	return w.kind == store || w.kind == conditional || w.kind == update && w.second
}

func (w word) accesses() bool { return w.reads() || w.writes() }

// has reports whether the event has a tag. The write of an update has tags of its own.
func (w word) has(tag string) bool {
	if w.second {
		return w.write.Has(ir.Tag(tag))
	}
	return w.tags.Has(ir.Tag(tag))
}

// space encodes all executions of n events: the first n indexes are the events in program order, thread by thread,
// and the other n are the initial writes, one for each location.
//
// Threads are a partition of the sequence: begins says at which events a new thread starts. So program order needs no
// variables, and two events are in one thread if no thread begins between them. The numbers of threads and of locations
// are open; each is at most the number of events. The encoding excludes some symmetric executions: locations have
// numbers in the order of their first access.
//
// The encoding asserts nothing else: values are free, so that a data dependency does not have to lead to a different
// value, and a branch may depend on any earlier read.
type space struct {
	*sat.Circuit
	words  []word
	n      int            // number of events, and of locations
	is     [][]sat.Lit    // by event and word
	begins []sat.Lit      // by event: whether a thread begins there
	at     [][]sat.Lit    // by event and location
	rf     [][]sat.Lit    // by write, initial ones last, and read
	order  [][]sat.Lit    // a total order of events; coherence order is its part for writes to one location
	pairs  [][]sat.Lit    // by exclusive load and its store
	deps   [3][][]sat.Lit // addr, data, ctrl
	bases  map[string]value
}

// newSpace returns the space of n events and asserts all that every execution satisfies.
func newSpace(v *Vocabulary, n int) *space {
	s := &space{Circuit: sat.NewCircuit(), n: n, bases: map[string]value{}}
	for _, i := range v.instructions {
		s.words = append(s.words, word{instruction: i})
		if i.kind == update {
			s.words = append(s.words, word{instruction: i, second: true})
		}
	}
	s.is, s.at, s.rf, s.order, s.pairs = s.vars(n, len(s.words)), s.vars(n, n), s.vars(2*n, n),
		s.vars(n, n), s.vars(n, n)
	s.begins = s.vars(1, n)[0]
	s.Assert(s.begins[0])
	s.kinds()
	s.locations()
	s.readsFrom()
	s.coherence()
	s.exclusives()
	for d := range s.deps {
		s.deps[d] = s.vars(n, n)
	}
	s.dependencies(v.scoped)
	return s
}

// vars returns a matrix of new variables.
func (s *space) vars(rows, columns int) [][]sat.Lit {
	out := make([][]sat.Lit, rows)
	for i := range out {
		out[i] = make([]sat.Lit, columns)
		for j := range out[i] {
			out[i][j] = s.Var()
		}
	}
	return out
}

// one asserts that exactly one of lits is true if premise is, and none otherwise.
func (s *space) one(premise sat.Lit, lits []sat.Lit) {
	s.Imply(premise, s.Or(lits...))
	for i, a := range lits {
		s.Imply(a, premise)
		for _, b := range lits[:i] {
			s.Assert(a.Not(), b.Not())
		}
	}
}

// some returns a literal that is true if an event is one of the words that satisfy so.
func (s *space) some(event int, so func(word) bool) sat.Lit {
	var lits []sat.Lit
	for k, w := range s.words {
		if so(w) {
			lits = append(lits, s.is[event][k])
		}
	}
	return s.Or(lits...)
}

// same returns a literal that is true if events i and j, i before j, are in one thread.
func (s *space) same(i, j int) sat.Lit {
	lits := []sat.Lit{sat.True}
	for k := i + 1; k <= j; k++ {
		lits = append(lits, s.begins[k].Not())
	}
	return s.And(lits...)
}

// sameLocation returns a literal that is true if two events access one location. Either may be an initial write.
func (s *space) sameLocation(i, j int) sat.Lit {
	var lits []sat.Lit
	for l := range s.n {
		lits = append(lits, s.And(s.accesses(i, l), s.accesses(j, l)))
	}
	return s.Or(lits...)
}

// accesses returns a literal that is true if an event accesses a location. Initial write n+l accesses location l.
func (s *space) accesses(event, location int) sat.Lit {
	if event >= s.n {
		return sat.Const(event-s.n == location)
	}
	return s.at[event][location]
}

// kinds asserts that each event is exactly one word, and that the read and the write of an update are neighbours in
// one thread.
func (s *space) kinds() {
	for i := range s.n {
		s.one(sat.True, s.is[i])
		for k, w := range s.words {
			switch {
			case w.kind != update:
			case !w.second && i+1 == s.n, w.second && i == 0:
				s.Assert(s.is[i][k].Not())
			case !w.second:
				s.Imply(s.is[i][k], s.is[i+1][k+1])
				s.Imply(s.is[i][k], s.begins[i+1].Not())
			default:
				s.Imply(s.is[i][k], s.is[i-1][k-1])
			}
		}
	}
}

// locations asserts that accesses have exactly one location and other events none, and that both halves of an update
// access the same one.
func (s *space) locations() {
	for i := range s.n {
		s.one(s.some(i, word.accesses), s.at[i])
		for l := range s.n { // number locations in the order of their first access
			if l == 0 {
				continue
			}
			before := []sat.Lit{sat.False}
			for j := range i {
				before = append(before, s.at[j][l-1])
			}
			s.Imply(s.at[i][l], s.Or(before...))
		}
		if i > 0 {
			s.Imply(s.some(i, func(w word) bool { return w.second }), s.sameLocation(i-1, i))
		}
	}
}

// readsFrom asserts that each read reads from exactly one other write to its location.
func (s *space) readsFrom() {
	for j := range s.n {
		var from []sat.Lit
		for i := range 2 * s.n {
			if i == j {
				s.Assert(s.rf[i][j].Not())
				continue
			}
			if i < s.n {
				s.Imply(s.rf[i][j], s.some(i, word.writes))
			}
			s.Imply(s.rf[i][j], s.sameLocation(i, j))
			from = append(from, s.rf[i][j])
		}
		s.one(s.some(j, word.reads), from)
	}
}

// coherence asserts a total order of all events. Only its part for writes to one location has a meaning.
func (s *space) coherence() {
	for i := range s.n {
		s.order[i][i] = sat.False
		for j := range i {
			s.order[i][j] = s.order[j][i].Not()
		}
	}
	for i := range s.n {
		for j := range s.n {
			for k := range s.n {
				if i != j && j != k && i != k {
					s.Assert(s.order[i][j].Not(), s.order[j][k].Not(), s.order[i][k])
				}
			}
		}
	}
}

// exclusives asserts that each successful store-conditional belongs to the last exclusive load before it, which
// accesses the same location.
func (s *space) exclusives() {
	for j := range s.n {
		var from []sat.Lit
		for i := range s.n {
			if i >= j {
				s.Assert(s.pairs[i][j].Not())
				continue
			}
			of := s.pairs[i][j]
			s.Imply(of,
				s.And(s.same(i, j), s.sameLocation(i, j), s.some(i, func(w word) bool { return w.kind == exclusive })))
			for k := i + 1; k < j; k++ {
				s.Imply(of, s.some(k, func(w word) bool { return w.kind == exclusive || w.kind == conditional }).Not())
			}
			from = append(from, of)
		}
		s.one(s.some(j, func(w word) bool { return w.kind == conditional }), from)
	}
}

// dependencies asserts where dependencies may start (at reads, at choices, and at the success of a store-conditional)
// and end. Without scopes, a control dependency extends to all later events of the thread.
func (s *space) dependencies(scoped bool) {
	from := func(w word) bool { return w.reads() || w.kind == pick || w.kind == conditional && w.depends }
	to := [3]func(word) bool{
		word.accesses,
		func(w word) bool { return w.writes() || w.kind == pick },
		func(word) bool { return true },
	}
	for d, deps := range s.deps {
		for i := range s.n {
			for j := range s.n {
				if i >= j {
					s.Assert(deps[i][j].Not())
					continue
				}
				s.Imply(deps[i][j], s.And(s.same(i, j), s.some(i, from), s.some(j, to[d])))
				if d == 2 && !scoped && j+1 < s.n {
					s.Imply(s.And(deps[i][j], s.same(j, j+1)), deps[i][j+1])
				}
			}
		}
	}
}

// base returns a base set or relation, and caches it.
func (s *space) base(name string) value {
	if v, ok := s.bases[name]; ok {
		return v
	}
	v := s.compute(name)
	s.bases[name] = v
	return v
}

// It builds base relations on demand, because most models mention few of them. They are matrices over 2n events: with
// initial writes at the end, the index of an event in program order is the index of its variables. Initial writes
// belong to no thread, precede all other writes of their location in coherence order, and have no tags.

// compute encodes a base relation or set over the n events and, from index n on, the initial writes, one for each
// event's location. Any other name is a tag.
func (s *space) compute(name string) value {
	n := s.n
	members := func(initial bool, so func(word) bool) value {
		set := make([]sat.Lit, 2*n)
		for i := range set {
			if set[i] = sat.Const(initial); i < n {
				set[i] = s.some(i, so)
			}
		}
		return value{set: set}
	}
	own := func(i, j int) sat.Lit { // whether both are in one thread
		if i >= n || j >= n {
			return sat.False
		}
		return s.same(min(i, j), max(i, j))
	}
	among := func(m [][]sat.Lit) value { // without initial writes
		return s.pairsOf(func(i, j int) sat.Lit {
			if i >= n || j >= n {
				return sat.False
			}
			return m[i][j]
		})
	}
	writes := func(i int) sat.Lit {
		if i >= n {
			return sat.True
		}
		return s.some(i, word.writes)
	}
	switch name {
	case "_":
		return members(true, func(word) bool { return true })
	case "R":
		return members(false, word.reads)
	case "W":
		return members(true, word.writes)
	case "M":
		return members(true, word.accesses)
	case "F":
		return members(false, func(w word) bool { return !w.accesses() })
	case "IW":
		return members(true, func(word) bool { return false })
	case "po":
		return s.pairsOf(func(i, j int) sat.Lit {
			if i >= j {
				return sat.False
			}
			return own(i, j)
		})
	case "int":
		return s.pairsOf(own)
	case "ext":
		return s.pairsOf(func(i, j int) sat.Lit {
			if i == j {
				return sat.False
			}
			return own(i, j).Not()
		})
	case "id", "sm":
		return s.pairsOf(func(i, j int) sat.Lit { return sat.Const(i == j) })
	case "loc":
		return s.pairsOf(s.sameLocation)
	case "rf":
		return s.pairsOf(func(i, j int) sat.Lit {
			if j >= n {
				return sat.False
			}
			return s.rf[i][j]
		})
	case "co":
		return s.pairsOf(func(i, j int) sat.Lit {
			switch {
			case j >= n || i == j:
				return sat.False
			case i >= n:
				return s.And(writes(j), s.sameLocation(i, j))
			}
			return s.And(writes(i), writes(j), s.sameLocation(i, j), s.order[i][j])
		})
	case "rmw":
		return s.pairsOf(func(i, j int) sat.Lit {
			if i >= n || j >= n {
				return sat.False
			}
			if j == i+1 {
				return s.Or(s.pairs[i][j], s.some(j, func(w word) bool { return w.second }))
			}
			return s.pairs[i][j]
		})
	case "remaps": // there are no page tables
		return s.pairsOf(func(int, int) sat.Lit { return sat.False })
	case "addr":
		return among(s.deps[0])
	case "data":
		return among(s.deps[1])
	case "ctrl":
		return among(s.deps[2])
	}
	return members(false, func(w word) bool { return w.has(name) })
}

// pairsOf makes a relation over all 2n events from a literal for each pair.
func (s *space) pairsOf(related func(i, j int) sat.Lit) value {
	rel := make([][]sat.Lit, 2*s.n)
	for i := range rel {
		rel[i] = make([]sat.Lit, 2*s.n)
		for j := range rel[i] {
			rel[i][j] = related(i, j)
		}
	}
	return value{rel: rel}
}
