package cycle

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
)

// Of is the cycle that a test asks about, in its canonical form: that of program order and
// communications which the executions have that its condition looks for.
//
// Every way to run the threads is tried, with every read's value, and every order of the
// writes to a location: those count that end as the condition asks, whose pairs are
// atomic, and, if there are any, that keep each location's order by itself. If threads
// that take turns can end so, there is no cycle. A forall asks for what violates it; where
// nothing does, as it may list all that a model allows, any execution counts.
//
// Of the cycles that the most executions have, the one through the most accesses is taken:
// what a test has, it has for its cycle. A thread's way goes by all of its accesses between
// those at which the cycle enters and leaves it, but where a dependency leads past some;
// and through another thread and back, where that has no other part in it.
func Of(t *litmus.Test) (Cycle, error) {
	p, err := dialect.Lower(t)
	if err != nil {
		return nil, err
	}
	none := func(format string, args ...any) (Cycle, error) {
		return nil, litmus.Errorf(t.Condition.Pos, format, args...)
	}
	words := find(t.Arch)
	if words == nil {
		return none("there are no cycles for architecture %s", t.Arch)
	}
	all, err := walks(p)
	if err != nil {
		return nil, err
	}
	forall := p.Condition.Quantifier == litmus.Forall
	places := maxPlaces
	s := search{question: ask(p), arch: t.Arch, words: words, places: &places}
	s.executions(all, s.look)
	if forall && s.coherent == nil {
		s = search{question: asking(p, litmus.Bool(true)), arch: t.Arch, words: words, any: true, places: &places}
		s.executions(all, s.look)
	}
	switch {
	case s.turns:
		return none("threads that take turns can end as the condition asks: there is no cycle")
	case s.tried > maxTried, len(s.coherent)+len(s.others) > maxExecutions, places < 0:
		return none("there are too many ways to run the threads to find the cycle among them")
	case !s.asked:
		return none("no execution ends as the condition asks: there is no cycle")
	case s.coherent == nil && s.others == nil:
		return none("only executions in which a pair of accesses is not atomic end as the condition asks: there is no cycle")
	}
	var best []found
	switch {
	case s.coherent == nil:
		best = slices.Concat(s.others...)
	case forall:
		best = slices.Concat(s.coherent...)
	default:
		best = common(s.coherent)
	}
	if len(best) == 0 {
		return none("the cycle that the condition asks about has no words: it goes through a thread more than once, or by what %s's vocabulary lacks", t.Arch)
	}
	return slices.MinFunc(best, found.compare).cycle, nil
}

// search goes through the executions that a condition asks for.
type search struct {
	*question
	arch  string
	words *vocabulary
	any   bool // the condition asks for no execution in particular

	places           *int      // see tracer
	asked, turns     bool      // there are such executions; there is one whose threads take turns
	coherent, others [][]found // cycles, by execution
}

// look notes the cycles of an execution.
func (s *search) look(x *execution) (more bool) {
	s.asked = true
	if len(x.nodes) > maxNodes {
		s.tried = maxTried + 1
		return false
	}
	if !x.isAtomic() {
		return true
	}
	if x.inOrder(false) {
		s.turns = !s.any
		return s.any
	}
	t := tracer{execution: x, program: s.p, arch: s.arch, words: s.words, places: s.places}
	if x.inOrder(true) {
		s.coherent = append(s.coherent, t.cycles())
	} else if s.coherent == nil && !s.any {
		s.others = append(s.others, t.cycles())
	}
	return len(s.coherent)+len(s.others) <= maxExecutions && *s.places >= 0
}

// common are the cycles that the most executions have.
func common(executions [][]found) []found {
	have := make(map[string][]found)
	most := 0
	for _, cycles := range executions {
		seen := make(map[string]bool)
		slices.SortFunc(cycles, found.compare)
		for _, f := range cycles {
			if text := f.cycle.String(); !seen[text] {
				seen[text] = true
				have[text] = append(have[text], f)
				most = max(most, len(have[text]))
			}
		}
	}
	var out []found
	for _, fs := range have {
		if len(fs) == most {
			out = append(out, fs...)
		}
	}
	return out
}
