package cdcl

import (
	"cmp"
	"slices"
)

const (
	mostOccurs   = 100 // clauses that a variable to be eliminated is in, with either sign
	longest      = 100 // literals of a clause that takes the place of others
	largestBound = 16
)

// eliminate removes variables, the rarest first, where the clauses that follow without them are not many more than
// those that go. It reports whether there may be more to do.
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

// removable reports whether a variable may be eliminated: nobody but clauses knows it.
func (s *Solver) removable(v int) bool {
	return !s.left[v] && !s.removed.kept[v] && s.values[2*v] == 0 &&
		(s.edgesOf == nil || len(s.edgesOf[2*v])+len(s.edgesOf[2*v+1]) == 0)
}

// clausesWith are those that have a literal, and are there still.
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

// eliminateOne has all that follows from pairs of clauses, one with a variable and one with its negation, stand for
// these.
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
		p.take(r)
	}
	p.removed.begin(v)
	for _, c := range slices.Concat(with, without) {
		p.removed.add(p.literals(c))
		p.drop(c)
	}
	p.leave(int32(v))
	return true
}

// resolvent is what follows from two clauses of which one has a literal and the other its negation: nil where that is
// always true. The first's literals are marked.
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

// definition are the clauses that say that a literal is so exactly where others are all so: nil where there are none.
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
