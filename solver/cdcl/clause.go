package cdcl

import "slices"

// ref is where a clause is in the arena: its size, what is known of it, where the last search for a literal to
// watch has ended (Gent, "Optimal Implementation of Watched Literals and More General Techniques", JAIR 2013), and its
// literals. The first two literals are watched.
type ref uint32

const none ref = 0

// What is known of a clause: flags, how often it was of use lately, and its glue.
const (
	isLearnt  = 1 << 31
	isGarbage = 1 << 30
	isTried   = 1 << 29 // vivification has had it
	usedShift = 27
	usedMask  = 3 << usedShift
	isHyper   = 1 << 26 // of probing: it goes unless it is of use soon
	hasPruned = 1 << 25 // pruning has looked for what it subsumes
	glueMask  = hasPruned - 1
	headWords = 3
)

// lastAt is which of the words of a clause says where the last search has ended.
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

// watch is of a clause, in the list of a literal that it watches. Where the blocker is true, so is the clause. A clause
// of two literals is nothing but its watches, as far as propagation goes.
type watch struct {
	blocker lit
	at      uint32 // twice the clause, and one more where it is of two literals
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

// attach makes a clause of two literals or more, of which the first two are watched.
func (s *Solver) attach(lits []lit, flags uint32) ref {
	c := s.store(lits, flags)
	s.watches[lits[0]] = append(s.watches[lits[0]], watchOf(c, lits[1], len(lits)))
	s.watches[lits[1]] = append(s.watches[lits[1]], watchOf(c, lits[0], len(lits)))
	return c
}

// store makes a clause that nobody watches.
func (s *Solver) store(lits []lit, flags uint32) ref {
	c := ref(len(s.arena))
	s.arena = append(s.arena, uint32(len(lits)), flags, 2)
	for _, l := range lits {
		s.arena = append(s.arena, uint32(l))
	}
	return c
}

// remove makes a clause garbage, which stays in the lists of watches until sweep.
func (s *Solver) remove(c ref) {
	s.drop(c)
	if s.log != nil {
		s.log.delete(s.literals(c))
	}
}

// drop makes a clause garbage that the proof is to keep, for it may come back.
func (s *Solver) drop(c ref) {
	s.arena[c+1] |= isGarbage
	s.wasted += headWords + int(s.arena[c])
	if !s.has(c, isLearnt) {
		for _, x := range s.literals(c) {
			s.again[x>>1] = true
		}
	}
}

// sweep takes garbage out of all lists, and where there is much, out of the arena.
func (s *Solver) sweep() {
	move := s.wasted*4 > len(s.arena)
	var to []uint32
	if move {
		to = make([]uint32, 1, len(s.arena)-s.wasted+len(s.arena)/8)
	}
	// The place that a clause has now; where it has moved, its first literal tells.
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
		case s.has(c, isGarbage): // at level 0, where nobody asks
			s.reason[l>>1] = none
		default:
			s.reason[l>>1] = ref(s.arena[c+headWords])
		}
	}
	s.arena, s.wasted = to, 0
}
