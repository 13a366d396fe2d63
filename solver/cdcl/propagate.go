package cdcl

// propagate assigns what clauses and graphs imply, until nothing changes or it violates a clause or graph. It returns
// the violated clause, or none. Clauses come first, because they are cheaper.
func (s *Solver) propagate() (conflict ref) {
	for {
		if conflict = s.propagateClauses(); conflict != none || s.graphs == nil || s.orderHead == len(s.trail) {
			return conflict
		}
		if conflict = s.order(); conflict != none {
			return conflict
		}
	}
}

// propagateClauses visits the watches of each literal that became false. For each clause it looks for another literal
// to watch, from where the last search ended; if there is none, the clause implies the other watched literal, or is
// violated. The loop has no calls, because the solver spends most of its time here.
func (s *Solver) propagateClauses() (conflict ref) {
	values, arena, watches := s.values, s.arena, s.watches
	began := s.head
	for conflict == none && s.head < len(s.trail) {
		wrong := s.trail[s.head].not()
		s.head++
		list := watches[wrong]
		kept := 0
		for i := 0; i < len(list); i++ {
			w := list[i]
			v := values[w.blocker]
			if v > 0 {
				list[kept] = w
				kept++
				continue
			}
			if w.binary() {
				list[kept] = w
				kept++
				if v < 0 {
					conflict = w.clause()
					kept += copy(list[kept:], list[i+1:])
					break
				}
				s.assign(w.blocker, w.clause())
				continue
			}
			c := w.clause()
			if c == s.without {
				list[kept] = w
				kept++
				continue
			}
			size := ref(arena[c])
			lits := arena[c+headWords : c+headWords+size]
			other := lit(lits[0] ^ lits[1] ^ uint32(wrong))
			v = values[other]
			if v > 0 {
				list[kept] = watch{other, w.at}
				kept++
				continue
			}
			at, found := 0, int8(-1)
			last := min(int(arena[c+lastAt]), len(lits))
			for k := last; k < len(lits); k++ {
				if x := values[lits[k]]; x >= 0 {
					at, found = k, x
					break
				}
			}
			for k := 2; k < last && found < 0; k++ {
				if x := values[lits[k]]; x >= 0 {
					at, found = k, x
				}
			}
			if found >= 0 {
				arena[c+lastAt] = uint32(at)
			}
			switch {
			case found > 0: // a true literal as blocker; the watch may stay
				list[kept] = watch{lit(lits[at]), w.at}
				kept++
			case found == 0:
				open := lit(lits[at])
				lits[0], lits[1], lits[at] = uint32(other), uint32(open), uint32(wrong)
				watches[open] = append(watches[open], watch{other, w.at})
			default:
				list[kept] = watch{other, w.at}
				kept++
				if v == 0 {
					s.assign(other, c)
					continue
				}
				conflict = c
				kept += copy(list[kept:], list[i+1:])
			}
			if conflict != none {
				break
			}
		}
		watches[wrong] = list[:kept]
	}
	s.ticks += int64(s.head - began)
	return conflict
}
