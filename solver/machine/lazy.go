package machine

import (
	"slices"

	"litmuscope/litmus/ir"
)

// lazy returns the steps of a run with each flush as late as possible while the instructions read the same values. A
// reader then sees which stores wait during which read. Instructions keep their order, and so do the steps that write
// to memory.
func lazy(p *ir.Program, k Kind, steps []Step) []Step { return lazyFrom(newState(p), k, steps) }

// lazyFrom does so for a run that begins in s.
func lazyFrom(s *state, k Kind, steps []Step) []Step {
	var flushes, issues []int // indices into steps, in order
	for i, st := range steps {
		if st.Flush {
			flushes = append(flushes, i)
		} else {
			issues = append(issues, i)
		}
	}
	acts := make([]ir.Action, len(s.threads))
	var out []Step
	for len(flushes)+len(issues) > 0 {
		if err := s.actions(acts); err != nil {
			panic("BUG: a run fails after its flushes were delayed: " + err.Error())
		}
		from := &flushes
		if len(issues) > 0 {
			next := steps[issues[0]]
			passed, _ := slices.BinarySearch(flushes, issues[0]) // so many came before it
			if passed == 0 || s.enabled(k, next.Thread, acts[next.Thread]) &&
				!slices.ContainsFunc(flushes[:passed], func(f int) bool {
					return sees(s.threads[next.Thread].Program, next.Thread, acts[next.Thread], steps[f])
				}) {
				from = &issues
			}
		}
		want := steps[(*from)[0]]
		*from = (*from)[1:]
		st, ok := s.find(k, acts, want)
		if !ok || s.take(k, st, acts[st.thread]) != nil {
			panic("BUG: a run cannot continue after its flushes were delayed")
		}
		out = append(out, want)
	}
	return out
}

// sees reports whether thread t's action a may continue differently before a flush than after it. Its own thread's
// store to the location it would read from the buffer as well. Of an access of mixed size, the flush may be of a part.
func sees(p *ir.Program, t int, a ir.Action, flush Step) bool {
	switch a.Kind {
	case ir.ActLoad:
		return t != flush.Thread && (p.Split || a.Loc == flush.Loc)
	case ir.ActRMW, ir.ActStoreCond, ir.ActJoin, ir.ActEnter:
		return true
	}
	return false
}
