package distinguish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/solver"
	"litmuscope/solver/batch"
	"litmuscope/solver/engines"
)

// Every is what all straight programs of loads and stores tell of two sides, not those of cycles alone: threads in a
// line, each access after the one before it in program order, by a fence or by a dependency, as the relaxations have
// them, in every form of each. It lists all outcomes of each under both sides, so that two models that agree do so in
// every outcome that registers and memory show.
type Every struct {
	To       int `json:"to"`       // accesses; the search has decided all programs up to that many
	Programs int `json:"programs"` // not counting other names of threads and locations
}

// program is a straight program, with what the sides make of it.
type program struct {
	Test
	only [2]solver.State // a state that one side has and the other has not; nil where there is none
	open string
	err  error
}

// Exhaust asks both sides about all straight programs of up to so many accesses, and gives tests that tell them apart,
// of the least size for each direction: those that the first forbids, and those that the second does.
func (s Survey) Exhaust(
	ctx context.Context, most int, asked func(),
) (e Every, found [2][]Test, open []string, err error) {
	ways := s.Over.ways()
	for size := 1; size <= most; size++ {
		done := [2]bool{len(found[0]) > 0, len(found[1]) > 0}
		if done[0] && done[1] {
			return e, found, open, nil
		}
		var unwritten error
		programs := func(yield func(Test) bool) {
			n := 0
			for threads := range ways.programs(size) {
				n++
				t := Test{Name: fmt.Sprintf("straight-%d-%d", size, n), Events: size, Threads: len(threads)}
				for _, steps := range threads {
					for _, step := range steps {
						if step.After.Kind == cycle.Dp || step.After.Kind == cycle.Fence || step.Mark != "" {
							t.effort++
						}
					}
				}
				if t.Source, unwritten = cycle.Straight(s.Over.Arch, t.Name, threads); unwritten != nil || !yield(t) {
					return
				}
			}
		}
		err := batch.InOrder(ctx, s.Workers, programs, s.states, func(p program) error {
			if p.err != nil {
				return p.err
			}
			e.Programs++
			asked()
			if p.open != "" {
				open = append(open, p.Name+": "+p.open)
			}
			for side, state := range p.only {
				if state == nil || done[1-side] {
					continue
				}
				test, err := litmus.Parse(p.Name, p.Source)
				if err != nil {
					return err
				}
				told := p.Test
				told.Source = engines.Asking(test, state)
				found[1-side] = append(found[1-side], told)
			}
			return nil
		})
		if err = errors.Join(err, unwritten, ctx.Err()); err != nil {
			return e, found, open, err
		}
		if len(open) == 0 {
			e.To = size
		}
	}
	for i := range found {
		slices.SortStableFunc(found[i], compareTests)
	}
	return e, found, open, nil
}

// states lists the outcomes of a program under both sides.
func (s Survey) states(ctx context.Context, t Test) program {
	p := program{Test: t}
	var has [2]map[string]bool
	var all [2][]solver.State
	for i, side := range s.Sides {
		side.Path, side.Source = t.Name, t.Source
		side.Options.States = solver.DefaultOptions().States
		r, err := batch.Ask(ctx, s.Runner, side)
		switch {
		case err != nil:
			p.err = err
			return p
		case r.Status != solver.OK || r.StatesComplete != nil && !*r.StatesComplete:
			p.open = fmt.Sprintf("%s: %s", r.Model, cmp.Or(r.Reason, r.Error, "it has more states than were listed"))
			return p
		}
		has[i], all[i] = map[string]bool{}, r.States
		for _, state := range r.States {
			has[i][fmt.Sprint(state)] = true
		}
	}
	for i := range all {
		for _, state := range all[i] {
			if !has[1-i][fmt.Sprint(state)] {
				p.only[i] = state
				break
			}
		}
	}
	return p
}

// ways are the building blocks of straight programs.
type ways struct {
	accesses []cycle.Access
	edges    []cycle.Edge // from one access to the next of a thread
}

// ways takes single steps within a thread from the relaxations, and the marks at their ends.
func (o Range) ways() (w ways) {
	for _, write := range []bool{false, true} {
		w.accesses = append(w.accesses, cycle.Access{Write: write})
	}
	for _, r := range o.Over {
		for _, e := range r {
			for _, end := range []cycle.Access{e.From, e.To} {
				if end.Mark != "" && end.Part.Bytes == 0 && !end.Paired() && !slices.Contains(w.accesses, end) {
					w.accesses = append(w.accesses, end)
				}
			}
			if len(r) > 1 || e.Kind != cycle.Po && e.Kind != cycle.Fence && e.Kind != cycle.Dp {
				continue
			}
			e.Same, e.From.Mark, e.To.Mark = false, "", ""
			if !slices.Contains(w.edges, e) {
				w.edges = append(w.edges, e)
			}
		}
	}
	return w
}

// programs are all programs of so many accesses, up to names of threads and locations.
func (w ways) programs(size int) iter.Seq[[][]cycle.Step] {
	return func(yield func([][]cycle.Step) bool) {
		var threads [][]cycle.Step
		var grow func(left, locs int) bool
		grow = func(left, locs int) bool {
			if left == 0 {
				return !first(threads) || yield(threads)
			}
			for _, a := range w.accesses {
				for loc := range locs + 1 {
					locs := max(locs, loc+1)
					add := func(step cycle.Step) bool {
						last := len(threads) - 1
						threads[last] = append(threads[last], step)
						ok := grow(left-1, locs)
						threads[last] = threads[last][:len(threads[last])-1]
						return ok
					}
					if n := len(threads); n > 0 { // continue the last thread
						before := threads[n-1][len(threads[n-1])-1]
						for _, e := range w.edges {
							if e.From.Write == before.Write && e.To.Write == a.Write &&
								!add(cycle.Step{Access: a, Loc: loc, After: e}) {
								return false
							}
						}
					}
					if n := len(threads); n == 0 || len(threads[n-1]) > 0 { // or begin another
						threads = append(threads, nil)
						ok := add(cycle.Step{Access: a, Loc: loc, After: cycle.Edge{Kind: cycle.Po}})
						threads = threads[:n]
						if !ok {
							return false
						}
					}
				}
			}
			return true
		}
		grow(size, 0)
	}
}

// first reports whether no other order of the threads is before the one that a program has, with its locations named as
// threads come to them.
func first(threads [][]cycle.Step) bool {
	own := spelled(threads)
	order := make([]int, 0, len(threads))
	var try func() bool
	try = func() bool {
		if len(order) == len(threads) {
			other := make([][]cycle.Step, len(order))
			for i, at := range order {
				other[i] = threads[at]
			}
			return spelled(other) >= own
		}
		for i := range threads {
			if slices.Contains(order, i) {
				continue
			}
			order = append(order, i)
			ok := try()
			order = order[:len(order)-1]
			if !ok {
				return false
			}
		}
		return true
	}
	return try()
}

// spelled is a program in a word, its locations by the order in which they come.
func spelled(threads [][]cycle.Step) string {
	var b strings.Builder
	names := map[int]int{}
	for _, steps := range threads {
		for i, s := range steps {
			if _, ok := names[s.Loc]; !ok {
				names[s.Loc] = len(names)
			}
			if i > 0 {
				fmt.Fprintf(&b, ".%d%s", s.After.Kind, s.After.Name)
			}
			fmt.Fprintf(&b, "%v%s%d", s.Write, s.Mark, names[s.Loc])
		}
		b.WriteByte('|')
	}
	return b.String()
}
