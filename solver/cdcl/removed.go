package cdcl

import "slices"

// removed stores the clauses of eliminated variables (Fazekas, Biere and Scholl, “Incremental Inprocessing in SAT
// Solving”, SAT 2019). They complete an assignment of the remaining variables, latest elimination first: a variable
// gets the value that makes its clauses true. If a new clause or assumption mentions an eliminated variable, its
// clauses return.
type removed struct {
	words []uint32 // clauses, each after its size
	list  []record
	of    []int32 // by variable: its position in list, from 1; 0 if it has not been eliminated
	kept  []bool  // by variable: never eliminate it, because a caller has used it
	asked bool    // Solve was called: variables of later clauses get the mark "kept"
}

// record is the range of an eliminated variable's clauses in words.
type record struct {
	variable int // -1 once the variable returned
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

// clauses calls yield for the clauses of a record.
func (r *removed) clauses(at record, yield func([]uint32)) {
	for i := at.from; i < at.to; {
		size := int(r.words[i])
		yield(r.words[i+1 : i+1+size])
		i += 1 + size
	}
}

// complete gives eliminated and replaced variables their values.
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
				if isTrue(s.representative(lit(x))) {
					return
				}
			}
			model[at.variable] = own&1 == 0
		})
	}
	for v, l := range s.representatives {
		model[v] = isTrue(l)
	}
}

// keepVariable marks a variable that a caller uses between questions, so that the solver does not eliminate it again:
// callers tend to use it again.
func (s *Solver) keepVariable(l lit) lit {
	if s.removed.asked {
		s.removed.kept[s.representative(l)>>1] = true
	}
	return l
}

// restore brings back an eliminated variable and its clauses.
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

// forgetRemoved removes learnt clauses with eliminated variables.
func (s *Solver) forgetRemoved() {
	for _, c := range s.learnt {
		if !s.has(c, isGarbage) &&
			slices.ContainsFunc(s.literals(c), func(x uint32) bool { return s.removed.of[x>>1] != 0 }) {
			s.remove(c)
		}
	}
}
