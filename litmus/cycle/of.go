package cycle

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// Of returns the cycle that a test asks about, in its canonical form: the cycle of program order and communications
// that the executions with the condition's outcome have.
//
// It tries every way to run the threads, with every value of each read, and every order of the writes to a location.
// Executions count if they have the outcome and, if there are any such, if their pairs are atomic and they are
// coherent. If SC allows the outcome, there is no cycle. For a forall, the outcomes that violate it count; if none
// does, or if it lists outcomes, which may be all that a model allows, any execution counts.
//
// Among the cycles that the most executions have, Of chooses the one through the most accesses: what a test contains,
// it contains for its cycle. Taking and releasing a lock are not accesses; locks only count if SC would allow the
// outcome without them. A thread's path passes all of its accesses between those at which the cycle enters and leaves
// the thread, except those that a dependency skips. It may pass through another thread and back if the cycle does not
// otherwise use that thread.
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

// of returns the cycle of a test whose program is p.
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
	case writesByItself(p):
		return none("there are no words for what the hardware writes into page table entries by itself")
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

// search visits the executions that a condition asks for.
type search struct {
	*question
	arch  string
	words *vocabulary
	any   bool // the condition accepts any execution

	begins       []int // see tracer, and places, too
	places       *int
	asked, turns bool // there are such executions; one of them is sequentially consistent
	large        bool // there are too many accesses

	// Cycles, by execution: of coherent ones, of those that are
	// not coherent, and of those in which a pair is not atomic.
	coherent, others, torn [][]found
	lost                   bool // one of the last is coherent: an update is lost
}

// look records the cycles of an execution.
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
	t.units = unitsOf(x, s.words.System)
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

// common returns the cycles that the most executions have.
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
