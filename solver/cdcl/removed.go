package cdcl

import "slices"

// removed is what assignments are completed from, and what comes back when somebody asks for a variable: the clauses of
// those that were eliminated (Fazekas, Biere and Scholl, "Incremental Inprocessing in SAT Solving", SAT 2019).
type removed struct {
	words []uint32 // clauses, each behind its size
	list  []record
	of    []int32 // by variable: its place in list, from 1; 0 where it was not eliminated
	kept  []bool  // by variable: it is not to be eliminated, for it was asked for
	asked bool    // all clauses are there but those that are added between questions
}

// record is of a variable: where its clauses are.
type record struct {
	variable int // -1 once it is back
	from, to int
}

func newRemoved(vars int) removed { return removed{of: make([]int32, vars), kept: make([]bool, vars)} }

func (r *removed) begin(v int) {
	r.list = append(r.list, record{v, len(r.words), len(r.words)})
	r.of[v] = int32(len(r.list))
}

func (r *removed) add(clause []uint32) {
	r.words = append(append(r.words, uint32(len(clause))), clause...)
	r.list[len(r.list)-1].to = len(r.words)
}

// clauses gives those of a record.
func (r *removed) clauses(at record, yield func([]uint32)) {
	for i := at.from; i < at.to; {
		size := int(r.words[i])
		yield(r.words[i+1 : i+1+size])
		i += 1 + size
	}
}

// complete gives variables that were eliminated, or are equal to others, their values.
func (s *Solver) complete(model []bool) {
	isTrue := func(l lit) bool { return model[l>>1] == (l&1 == 0) }
	for _, at := range slices.Backward(s.removed.list) {
		if at.variable < 0 {
			continue
		}
		s.removed.clauses(at, func(clause []uint32) {
			own := nowhere
			for _, x := range clause {
				if int(x>>1) == at.variable {
					own = lit(x)
				}
				if isTrue(s.standing(lit(x))) {
					return
				}
			}
			model[at.variable] = own&1 == 0
		})
	}
	for v, l := range s.stands {
		model[v] = isTrue(l)
	}
}

// wanted notes that a variable is asked for from outside, so that it is not eliminated any more: what was asked for
// once mostly is again.
func (s *Solver) wanted(l lit) lit {
	if s.removed.asked {
		s.removed.kept[s.standing(l)>>1] = true
	}
	return l
}

// restore has a variable be there again, with its clauses, if it was eliminated.
func (s *Solver) restore(l lit) {
	r := &s.removed
	n := r.of[l>>1]
	if n == 0 {
		return
	}
	at := r.list[n-1]
	r.of[l>>1], r.list[n-1].variable = 0, -1
	s.back(0)
	s.rejoin(int32(l >> 1))
	r.clauses(at, func(clause []uint32) {
		out := make([]lit, len(clause))
		for i, x := range clause {
			out[i] = lit(x)
		}
		s.join(out)
	})
}

// forgetRemoved forgets what was learnt of variables that were eliminated.
func (s *Solver) forgetRemoved() {
	for _, c := range s.learnt {
		if !s.has(c, isGarbage) &&
			slices.ContainsFunc(s.literals(c), func(x uint32) bool { return s.removed.of[x>>1] != 0 }) {
			s.remove(c)
		}
	}
}
