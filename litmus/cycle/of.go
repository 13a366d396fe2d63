package cycle

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// Of is the cycle that a test asks about, in its canonical form: that of program order and
// communications which the executions have that its condition looks for.
//
// Every way to run the threads is tried, with every read's value, and every order of the
// writes to a location: those count that end as the condition asks and, if there are any
// of them, whose pairs are atomic and that keep each location's order by itself. If threads
// that take turns can end so, there is no cycle. A forall asks for what violates it; where
// nothing does, or it lists outcomes, which may be all that a model allows, any execution
// counts.
//
// Of the cycles that the most executions have, the one through the most accesses is taken:
// what a test has, it has for its cycle. Taking a lock and giving it back are no accesses; only
// if threads that take turns would end so without any lock are locks looked at. A thread's way goes by all of its
// accesses between those at which the cycle enters and leaves it, but where a dependency leads past some; and through
// another thread and back, where that has no other part in it.
func Of(t *litmus.Test) (Cycle, error) {
	p, err := dialect.Lower(t)
	if err != nil {
		return nil, err
	}
	if t.Arch == ofC {
		if bare := withoutLocks(p); bare != nil {
			if c, err := of(t, bare); err == nil {
				return c, nil
			}
		}
	}
	return of(t, p)
}

// of finds the cycle of a test whose program is p.
func of(t *litmus.Test, p *ir.Program) (Cycle, error) {
	none := func(format string, args ...any) (Cycle, error) {
		return nil, litmus.Errorf(t.Condition.Pos, format, args...)
	}
	arch := t.Arch
	if arch == ofC {
		arch = dialect.Tongue(t.Source)
	}
	words := find(arch)
	if words == nil {
		return none("there are no cycles for architecture %s", t.Arch)
	}
	switch {
	case p.Split && !words.Sized:
		return none("cycles of %s have no words for accesses of several sizes", t.Arch)
	case p.Wide:
		return none("there are no words for accesses of 16 bytes")
	}
	all, _, err := walks(p)
	if err != nil {
		return nil, err
	}
	_, list := p.Condition.Prop.(litmus.Or)
	forall := p.Condition.Quantifier == litmus.Forall
	places := maxPlaces
	s := search{question: ask(p), arch: arch, words: words, places: &places, begins: begins(p)}
	if !forall || !list {
		s.executions(all, s.look)
	}
	if forall && s.coherent == nil {
		s = search{
			question: asking(p, litmus.Bool(true)), arch: arch, words: words, any: true, places: &places,
			begins: s.begins,
		}
		s.executions(all, s.look)
	}
	switch {
	case s.turns:
		return none("SC allows the outcome of the condition: there is no cycle")
	case s.large:
		return none("the threads make more than %d accesses: the test is too large to find its cycle", maxNodes)
	case s.tried > maxTried, len(s.coherent)+len(s.others)+len(s.torn) > maxExecutions, places < 0:
		return none("the threads can run in too many ways to find the cycle")
	case !s.asked:
		return none("no execution has the outcome of the condition: there is no cycle")
	}
	var best []found
	switch {
	case s.coherent != nil && !forall:
		best = common(s.coherent)
	case s.coherent != nil:
		best = slices.Concat(s.coherent...)
	case s.others != nil:
		best = slices.Concat(s.others...)
	default:
		best = slices.Concat(s.torn...)
		if len(best) == 0 || s.lost {
			return none("only executions that break the atomicity of a pair of accesses have the outcome of the " +
				"condition: there is no cycle")
		}
	}
	if len(best) == 0 {
		return none("%s has no words for a cycle with the outcome of the condition", t.Arch)
	}
	return slices.MinFunc(best, found.compare).cycle, nil
}

// search goes through the executions that a condition asks for.
type search struct {
	*question
	arch  string
	words *vocabulary
	any   bool // the condition asks for no execution in particular

	begins       []int // see tracer, and places, too
	places       *int
	asked, turns bool // there are such executions; there is one whose threads take turns
	large        bool // they have too many accesses

	// Cycles, by execution: of those that keep each location's order, of those that do
	// not, and of those in which a pair is not atomic.
	coherent, others, torn [][]found
	lost                   bool // of the last, there is one that keeps each location's order: an update is lost
}

// look notes the cycles of an execution.
func (s *search) look(x *execution) (more bool) {
	s.asked = true
	if s.large = len(x.nodes) > maxNodes; s.large {
		return false
	}
	atomic := x.isAtomic()
	if atomic && x.inOrder(false) {
		s.turns = !s.any
		return s.any
	}
	t := tracer{execution: x, program: s.p, arch: s.arch, words: s.words, begins: s.begins, places: s.places}
	switch coherent := x.inOrder(true); {
	case atomic && coherent:
		s.coherent = append(s.coherent, t.cycles())
	case s.coherent != nil:
	case atomic:
		s.others = append(s.others, t.cycles())
	case s.others == nil:
		s.lost = s.lost || coherent
		s.torn = append(s.torn, t.cycles())
	}
	return len(s.coherent)+len(s.others)+len(s.torn) <= maxExecutions && *s.places >= 0
}

// common are the cycles that the most executions have.
func common(executions [][]found) (cycles []found) {
	have, most := make(map[string][]found), 0
	for _, of := range executions {
		seen := make(map[string]bool)
		slices.SortFunc(of, found.compare)
		for _, f := range of {
			if text := f.cycle.String(); !seen[text] {
				seen[text] = true
				have[text] = append(have[text], f)
				most = max(most, len(have[text]))
			}
		}
	}
	for _, fs := range have {
		if len(fs) == most {
			cycles = append(cycles, fs...)
		}
	}
	return cycles
}
