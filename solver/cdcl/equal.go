package cdcl

import "slices"

// equating finds equal literals. Each clause of two literals is two implications. Literals that imply each other in a
// cycle, a strongly connected component of this graph (Tarjan's algorithm), are equal, and one of them replaces all
// others. If a literal is in the component of its negation, the clauses are unsatisfiable.
type equating struct {
	representatives []lit   // by variable: the literal that replaces it, usually itself
	index, low      []int32 // by literal, for Tarjan's algorithm
	on              []bool
	marks           []int32 // by literal
}

func newEquating(vars int) equating {
	e := equating{
		representatives: make([]lit, vars), index: make([]int32, 2*vars), low: make([]int32, 2*vars),
		on: make([]bool, 2*vars), marks: make([]int32, 2*vars),
	}
	for v := range e.representatives {
		e.representatives[v] = lit(2 * v)
	}
	return e
}

// representative returns the literal that replaces l.
func (e *equating) representative(l lit) lit { return e.representatives[l>>1] ^ l&1 }

// substitute finds equal literals and replaces them in all clauses, edges and assumptions. It works at level 0.
func (s *Solver) substitute() {
	if s.unsat {
		return
	}
	now := s.equal()
	if s.unsat {
		return
	}
	found := false
	for v, l := range now {
		if int(l>>1) == v {
			continue
		}
		found = true
		x := lit(2 * v)
		s.log.add([]lit{x.not(), l})
		s.log.add([]lit{x, l.not()})
		s.leave(int32(v))
		s.removed.kept[l>>1] = s.removed.kept[l>>1] || s.removed.kept[v]
	}
	if found {
		for v, l := range s.representatives {
			s.representatives[v] = now[l>>1] ^ l&1
		}
		for i, l := range s.assume {
			s.assume[i] = now[l>>1] ^ l&1
		}
		s.rename(now)
		s.rewrite(&s.given, now)
		s.rewrite(&s.learnt, now)
		s.propagateRoot()
	}
	s.dropTwins()
	s.propagateRoot()
	if !s.unsat {
		s.dropTrue()
		s.sweep()
	}
}

// equal returns the literal that replaces each variable. It walks the graph of implications with its own stack,
// because recursion could be as deep as there are literals.
func (s *Solver) equal() (now []lit) {
	now = make([]lit, len(s.level))
	for v := range now {
		now[v] = lit(2 * v)
	}
	clear(s.index)
	type frame struct {
		l  lit
		at int
	}
	var ways []frame
	var stack []lit
	count := int32(0)
	for root := range s.watches {
		if s.index[root] != 0 || s.values[root] != 0 {
			continue
		}
		ways = append(ways, frame{lit(root), 0})
		for len(ways) > 0 {
			f := &ways[len(ways)-1]
			l := f.l
			if f.at == 0 {
				count++
				s.index[l], s.low[l], s.on[l] = count, count, true
				stack = append(stack, l)
			}
			list := s.watches[l.not()]
			deeper := false
			for f.at < len(list) {
				w := list[f.at]
				f.at++
				if !w.binary() || s.values[w.blocker] != 0 || s.has(w.clause(), isGarbage) {
					continue
				}
				if s.index[w.blocker] == 0 {
					ways = append(ways, frame{w.blocker, 0})
					deeper = true
					break
				}
				if s.on[w.blocker] {
					s.low[l] = min(s.low[l], s.index[w.blocker])
				}
			}
			if deeper {
				continue
			}
			ways = ways[:len(ways)-1]
			if len(ways) > 0 {
				p := ways[len(ways)-1].l
				s.low[p] = min(s.low[p], s.low[l])
			}
			if s.low[l] != s.index[l] {
				continue
			}
			from := len(stack) - 1
			for stack[from] != l {
				from--
			}
			ring := stack[from:]
			first := slices.Min(ring)
			for _, x := range ring {
				s.on[x] = false
				if x == first^1 {
					s.log.add([]lit{first})
					s.log.add(nil)
					s.unsat = true
					return nil
				}
				now[x>>1] = first ^ x&1
			}
			stack = stack[:from]
		}
	}
	return now
}

// rewrite replaces literals in the clauses of a list. A clause may become true, shorter or unit.
func (s *Solver) rewrite(list *[]ref, now []lit) {
	var out []lit
	for _, c := range slices.Clone(*list) {
		if s.has(c, isGarbage) ||
			!slices.ContainsFunc(s.literals(c), func(x uint32) bool { return now[x>>1]>>1 != lit(x>>1) }) {
			continue
		}
		out = out[:0]
		holds := false
		for _, x := range s.literals(c) {
			l := now[x>>1] ^ lit(x&1)
			switch {
			case s.values[l] > 0 || slices.Contains(out, l.not()):
				holds = true
			case s.values[l] == 0 && !slices.Contains(out, l):
				out = append(out, l)
			}
		}
		flags := s.arena[c+1] &^ uint32(isTried|hasPruned)
		if !holds {
			s.log.add(out)
		}
		s.remove(c)
		switch {
		case holds:
		case len(out) == 0:
			s.unsat = true
			return
		case len(out) == 1:
			s.assign(out[0], none)
		default:
			flags = flags&^glueMask | min(flags&glueMask, uint32(len(out)-1))
			*list = append(*list, s.attach(out, flags))
		}
	}
}

// dropTwins removes duplicate clauses of two literals. Two that differ in the sign of one literal make the other
// literal true.
func (s *Solver) dropTwins() {
	if s.unsat {
		return
	}
	clear(s.marks)
	for l := range s.watches {
		if s.values[l] != 0 {
			continue
		}
		mark := int32(l) + 1
		for _, learnt := range []bool{false, true} { // of two equal clauses, it removes a learnt one
			for _, w := range s.watches[l] {
				c := w.clause()
				if !w.binary() || s.has(c, isGarbage) || s.has(c, isLearnt) != learnt || s.values[w.blocker] != 0 {
					continue
				}
				if s.marks[w.blocker] == mark {
					s.remove(c)
					continue
				}
				s.marks[w.blocker] = mark
				if s.marks[w.blocker^1] == mark && s.values[l] == 0 {
					s.log.add([]lit{lit(l)})
					s.assign(lit(l), none)
				}
			}
		}
	}
}
