package encode

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// An atomic section (__VERIFIER_atomic_begin and _end in C) runs as if no other thread did anything in between. Models
// of memory know no sections, so the encoding adds a condition to any model: if every section becomes one event, then
// the model's orders must still be orders. A thread must not stop inside a section either, because others could see a
// part of it; if a bound forces it to, the execution does not count as a failure of others.

// sections are the outermost atomic sections of a program, each identified by its first step.
type sections struct {
	of    [][]int // by thread and step: the start of the section that contains it, -1 for none
	stops map[symbolic.Site]bool
	any   bool
}

// findSections follows the jumps, which all go forward. It rejects a step that is in a section on only some of the
// paths to it.
func findSections(p *ir.Program) (*sections, error) {
	out := &sections{of: make([][]int, len(p.Threads)), stops: map[symbolic.Site]bool{}}
	type inside struct{ begin, depth int }
	for t := range p.Threads {
		code := p.Threads[t].Code
		out.of[t] = make([]int, len(code)+1)
		at := map[int]inside{0: {-1, 0}}
		for pc := range len(code) + 1 {
			here, reached := at[pc]
			out.of[t][pc] = -1
			if !reached {
				continue
			}
			out.of[t][pc] = here.begin
			if pc == len(code) {
				break
			}
			next := here
			var targets []int
			switch op := code[pc].Op.(type) {
			case ir.Atomic:
				switch {
				case !op.End && here.depth == 0:
					out.any = true
					next = inside{pc, 1}
					out.of[t][pc] = pc
				case !op.End:
					next.depth++
				case here.depth == 1:
					next = inside{-1, 0}
				case here.depth > 1:
					next.depth--
				}
				targets = []int{pc + 1}
			case ir.Branch:
				targets = []int{op.Target}
				if op.Cond != nil {
					targets = append(targets, pc+1)
				}
			case ir.Unwound:
			case ir.Assume: // one that never holds ends every path to it
				if op.Cond != ir.Number(0, 1) {
					targets = []int{pc + 1}
				}
			default:
				targets = []int{pc + 1}
			}
			switch code[pc].Op.(type) {
			case ir.Unwound, ir.Assume, ir.Assert, ir.Join:
				if here.begin >= 0 {
					out.stops[symbolic.Site{Thread: t, Step: here.begin}] = true
				}
			}
			for _, to := range targets {
				if other, ok := at[to]; ok && other != next {
					return nil, litmus.Errorf(p.Threads[t].Source[code[min(to, len(code)-1)].Source].Pos,
						"an atomic section begins or ends on only some of the paths to this line")
				}
				at[to] = next
			}
		}
	}
	return out, nil
}

// section returns the start of the section that contains an event.
func (r *Relations) section(i int) (symbolic.Site, bool) {
	ev := &r.Events[i]
	if ev.Thread < 0 {
		return symbolic.Site{}, false
	}
	begin := r.Prefix.sections.of[ev.Thread][ev.Step]
	return symbolic.Site{Thread: ev.Thread, Step: begin}, begin >= 0
}

// AtomicSections asserts that each acyclic relation of the model stays acyclic if every section becomes one event.
// The relation then includes the edges by which threads observe each other, and program order into and out of
// sections. It does not include reads from the own thread, because there may be a store buffer in between.
func (r *Relations) AtomicSections() error {
	if r.Prefix == nil || !r.Prefix.sections.any {
		return nil
	}
	r.Prefix.enterOrGoOn(r.Encoding)
	n := len(r.Events)
	as := make([]int, n) // by event: the event that represents its section
	in := make([]bool, n)
	first := map[symbolic.Site]int{}
	for i := range r.Events {
		as[i] = i
		if s, ok := r.section(i); ok {
			in[i] = true
			if _, known := first[s]; !known {
				first[s] = i
			}
			as[i] = first[s]
		}
	}
	collect := func(to, m *relation.Matrix, some func(i, j int) bool) {
		m.Each(func(i, j int, l sat.Lit) {
			if i, j := as[i], as[j]; i != j && some(i, j) {
				to.Set(i, j, r.Or(to.Get(i, j), l))
			}
		})
	}
	all := func(int, int) bool { return true }
	around := r.NewMatrix(n, n)
	collect(around, r.base("po"), func(i, j int) bool { return in[i] || in[j] })
	inverse := r.NewMatrix(n, n)
	r.base("rf").Each(func(i, j int, l sat.Lit) { inverse.Set(j, i, l) })
	collect(around, r.base("rf"), func(i, j int) bool { return r.Events[i].Thread != r.Events[j].Thread })
	for _, m := range []*relation.Matrix{r.base("co"), r.composed(inverse, r.base("co"))} {
		collect(around, m, all)
	}
	for _, a := range r.model.Axioms {
		if a.Kind != cat.Acyclic || a.Negated {
			continue
		}
		m, err := r.whole(r.plan.Checks[a.Expr].Term, above)
		if err != nil {
			return err
		}
		whole := r.Copy(around)
		collect(whole, m, all)
		r.acyclic(whole, nil)
	}
	return nil
}

// StopsInSections returns a literal that is true if a thread reaches a bound within a section, of which others may
// have seen a part. A thread that fails then has not used that part: the other might as well have stopped before its
// section. If the failing thread is inside a section itself, it does not matter what others do.
func (x *Prefix) StopsInSections(e *Encoding) sat.Lit {
	var stops []sat.Lit
	for _, c := range x.Cuts {
		if x.sections.of[c.Thread][c.Step] >= 0 {
			stops = append(stops, c.Reached)
		}
	}
	return e.Or(stops...)
}

// Outside returns 1 for an assertion outside all sections, else 0.
func (x *Prefix) Outside(c Claim) int {
	if x.sections.of[c.Thread][c.Step] >= 0 {
		return 0
	}
	return 1
}

// enterOrGoOn asserts that no thread waits within a section.
func (x *Prefix) enterOrGoOn(e *Encoding) {
	for _, b := range slices.Concat(x.Blocked, x.waiting) {
		if x.sections.of[b.Thread][b.Step] >= 0 {
			e.Assert(b.Here.Not())
		}
	}
}
