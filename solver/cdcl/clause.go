package cdcl

import "slices"

// ref is the position of a clause in the arena: its size, a word of flags, the position where the last search for a
// literal to watch ended (Gent, "Optimal Implementation of Watched Literals and More General Techniques", JAIR 2013),
// and its literals. The solver watches the first two literals: while neither is false, the clause implies nothing, so
// that propagation visits a clause only when a watched literal becomes false. Backtracking never has to update watches.
// One slice for all clauses keeps them close in memory and free of pointers.
type ref uint32

const none ref = 0

// The word of flags: flags, a counter of recent uses, and the glue.
const (
	isLearnt  = 1 << 31
	isGarbage = 1 << 30
	isTried   = 1 << 29 // vivification has tried it
	usedShift = 27
	usedMask  = 3 << usedShift
	isHyper   = 1 << 26 // from probing: removed soon unless used
	hasPruned = 1 << 25 // pruning has looked for clauses that it subsumes
	glueMask  = hasPruned - 1
	headWords = 3
)

// lastAt is the index of the word that has the position where the last search ended.
const lastAt = 2

func (s *Solver) literals(c ref) []uint32 {
	if c&isNote != 0 {
		return s.explain(&s.notes[c&^isNote])
	}
	size := ref(s.arena[c])
	return s.arena[c+headWords : c+headWords+size : c+headWords+size]
}

func (s *Solver) has(c ref, flag uint32) bool { return s.arena[c+1]&flag != 0 }

func (s *Solver) glue(c ref) int { return int(s.arena[c+1] & glueMask) }

func (s *Solver) setGlue(c ref, glue int) {
	s.arena[c+1] = s.arena[c+1]&^glueMask | uint32(glue)
}

func (s *Solver) used(c ref) int { return int(s.arena[c+1] & usedMask >> usedShift) }

func (s *Solver) setUsed(c ref, n int) {
	s.arena[c+1] = s.arena[c+1]&^usedMask | uint32(n)<<usedShift
}

// watch is an entry in the list of a watched literal. If the blocker, another literal of the clause, is true, then
// propagation need not read the clause. A clause of two literals propagates by its watches alone.
type watch struct {
	blocker lit
	at      uint32 // twice the ref, plus one for a clause of two literals
}

func watchOf(c ref, blocker lit, size int) watch {
	w := watch{blocker, uint32(c) << 1}
	if size == 2 {
		w.at++
	}
	return w
}

func (w watch) clause() ref  { return ref(w.at >> 1) }
func (w watch) binary() bool { return w.at&1 == 1 }

// attach stores a clause of at least two literals and watches the first two.
func (s *Solver) attach(lits []lit, flags uint32) ref {
	c := s.store(lits, flags)
	s.watches[lits[0]] = append(s.watches[lits[0]], watchOf(c, lits[1], len(lits)))
	s.watches[lits[1]] = append(s.watches[lits[1]], watchOf(c, lits[0], len(lits)))
	return c
}

// store stores a clause without watches.
func (s *Solver) store(lits []lit, flags uint32) ref {
	c := ref(len(s.arena))
	s.arena = append(s.arena, uint32(len(lits)), flags, 2)
	for _, l := range lits {
		s.arena = append(s.arena, uint32(l))
	}
	return c
}

// remove marks a clause as garbage and logs its deletion. Its watches stay until sweep.
func (s *Solver) remove(c ref) {
	s.drop(c)
	if s.log != nil {
		s.log.delete(s.literals(c))
	}
}

// drop marks a clause as garbage without a deletion in the proof, because it may return (see removed).
func (s *Solver) drop(c ref) {
	s.arena[c+1] |= isGarbage
	s.wasted += headWords + int(s.arena[c])
	if !s.has(c, isLearnt) {
		for _, x := range s.literals(c) {
			s.again[x>>1] = true
		}
	}
}

// sweep removes garbage clauses from all lists. If more than a quarter of the arena is garbage, it also moves the
// clauses to a new arena.
func (s *Solver) sweep() {
	move := s.wasted*4 > len(s.arena)
	var to []uint32
	if move {
		to = make([]uint32, 1, len(s.arena)-s.wasted+len(s.arena)/8)
	}
	// sweep filters a list. A moved clause leaves its new position in the place of its first literal.
	sweep := func(list []ref) []ref {
		kept := list[:0]
		for _, c := range list {
			if s.has(c, isGarbage) {
				continue
			}
			if move {
				size := ref(s.arena[c])
				at := ref(len(to))
				to = append(to, s.arena[c:c+headWords+size]...)
				s.arena[c+headWords] = uint32(at)
				c = at
			}
			kept = append(kept, c)
		}
		return kept
	}
	s.given, s.learnt = sweep(s.given), sweep(s.learnt)
	for i, list := range s.watches {
		s.watches[i] = slices.DeleteFunc(list, func(w watch) bool { return s.has(w.clause(), isGarbage) })
		if move {
			for k, w := range s.watches[i] {
				s.watches[i][k].at = s.arena[w.clause()+headWords]<<1 | w.at&1
			}
		}
	}
	if !move {
		return
	}
	for _, l := range s.trail {
		switch c := s.reason[l>>1]; {
		case c == none, c&isNote != 0:
		case s.has(c, isGarbage): // at level 0, where nobody reads reasons
			s.reason[l>>1] = none
		default:
			s.reason[l>>1] = ref(s.arena[c+headWords])
		}
	}
	s.arena, s.wasted = to, 0
}
