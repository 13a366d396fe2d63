package cdcl

import (
	"cmp"
	"slices"
)

// Bounded variable elimination replaces the clauses with a variable by all their resolvents on it. This keeps
// satisfiability, and an assignment of the other variables extends to the variable (removed.go). The solver does it
// only if the number of clauses grows by at most bound, which doubles up to largestBound when nothing is left to
// eliminate. If some clauses define the variable as the conjunction of others (a gate), then resolvents between two
// definitions or two other clauses are redundant (Eén and Biere, section 3), so that more variables qualify.

const (
	mostOccurs   = 100 // clauses with a variable, of either sign
	longest      = 100 // literals of a resolvent
	largestBound = 16
)

// eliminate tries variables in the order of the fewest resolvents. It reports whether it removed any, so that the
// caller should subsume and try again.
func (p *pruner) eliminate() (more bool) {
	var list []int
	score := func(v int) int { return len(p.occurs[2*v]) * len(p.occurs[2*v+1]) }
	for v := range p.again {
		if p.again[v] && p.removable(v) {
			list = append(list, v)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(score(a), score(b)) })
	for _, v := range list {
		if p.over() {
			return false
		}
		p.again[v] = false
		if p.values[2*v] == 0 && p.eliminateOne(v) {
			more = true
		}
	}
	if more {
		return true
	}
	if p.bound == largestBound {
		return false
	}
	p.bound = max(1, 2*p.bound)
	for v := range p.again {
		p.again[v] = true
	}
	return false
}

// removable reports whether the solver may eliminate a variable: no assumption, caller or graph uses it.
func (s *Solver) removable(v int) bool {
	return !s.left[v] && !s.removed.kept[v] && s.values[2*v] == 0 &&
		(s.edgesOf == nil || len(s.edgesOf[2*v])+len(s.edgesOf[2*v+1]) == 0)
}

// clausesWith returns the remaining clauses with a literal.
func (p *pruner) clausesWith(l lit) []ref {
	kept, out := p.occurs[l][:0], []ref(nil)
	for _, i := range p.occurs[l] {
		if c := p.clauses[i]; !p.gone(c) {
			kept, out = append(kept, i), append(out, c)
		}
	}
	p.occurs[l] = kept
	return out
}

// eliminateOne replaces the clauses of a variable by their resolvents, if these are few and short enough. It reports
// whether it did so.
func (p *pruner) eliminateOne(v int) bool {
	l := lit(2 * v)
	if len(p.occurs[l]) > 2*mostOccurs || len(p.occurs[l^1]) > 2*mostOccurs {
		return false
	}
	with, without := p.clausesWith(l), p.clausesWith(l^1)
	if len(with)+len(without) == 0 || len(with) > mostOccurs || len(without) > mostOccurs {
		return false
	}
	defines := p.definition(l, with, without)
	if defines == nil {
		defines = p.definition(l^1, without, with)
	}
	var out [][]lit
	room := len(with) + len(without) + p.bound
	for _, c := range with {
		p.looked += int64(p.arena[c])
		p.mark++
		for _, x := range p.literals(c) {
			p.marks[x] = p.mark
		}
		for _, d := range without {
			if defines != nil && slices.Contains(defines, c) == slices.Contains(defines, d) {
				continue // it follows from the others (Een and Biere, section 3)
			}
			r := p.resolvent(l, c, d)
			if r == nil {
				continue
			}
			if out = append(out, r); len(out) > room || len(r) > longest {
				return false
			}
		}
	}
	for _, r := range out {
		p.addDerived(r)
	}
	p.removed.begin(v)
	for _, c := range slices.Concat(with, without) {
		p.removed.add(p.literals(c))
		p.drop(c)
	}
	p.leave(int32(v))
	return true
}

// resolvent returns the resolvent of c and d on literal l, or nil if it is a tautology or true already. The caller must
// have marked the literals of c.
func (p *pruner) resolvent(l lit, c, d ref) []lit {
	others := p.literals(d)
	p.looked += int64(len(others))
	for _, x := range others {
		if lit(x) != l^1 && p.marks[x^1] == p.mark || p.values[x] > 0 {
			return nil
		}
	}
	out := make([]lit, 0, len(others)+int(p.arena[c])-2)
	for _, x := range p.literals(c) {
		if p.values[x] > 0 {
			return nil
		}
		if lit(x) != l && p.values[x] == 0 {
			out = append(out, lit(x))
		}
	}
	for _, x := range others {
		if lit(x) != l^1 && p.marks[x] != p.mark && p.values[x] == 0 {
			out = append(out, lit(x))
		}
	}
	return out
}

// definition returns the clauses that define l as a conjunction, as one long clause and one of two literals for each
// conjunct; nil if there are none.
func (p *pruner) definition(l lit, with, without []ref) []ref {
	p.mark++
	for _, d := range without {
		if lits := p.literals(d); len(lits) == 2 {
			p.marks[lits[0]^lits[1]^uint32(l^1)] = p.mark
		}
	}
	for _, c := range with {
		lits := p.literals(c)
		if len(lits) == 2 ||
			slices.ContainsFunc(lits, func(x uint32) bool { return lit(x) != l && p.marks[x^1] != p.mark }) {
			continue
		}
		out := []ref{c}
		for _, d := range without {
			if pair := p.literals(d); len(pair) == 2 {
				if other := pair[0] ^ pair[1] ^ uint32(l^1); slices.Contains(lits, other^1) {
					out = append(out, d)
				}
			}
		}
		return out
	}
	return nil
}
