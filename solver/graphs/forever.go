package graphs

import (
	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// forever sees to a graph in which no thread can go on, and some are in loops that they never leave: every thread has ended, or waits
// for another, or until something holds of what it has read, all of which is written last; or it is in a loop whose round leaves
// all as it is.
func (v *verification) forever(g *graph) error {
	if v.c == nil || !v.c.ends || v.out.Failure != nil {
		return nil
	}
	var spins []int
	var waiting []int32              // reads of threads that wait
	again := map[int32]bool{}        // writes that threads write again and again
	memory := func(loc int) uint64 { // in the end
		x, _ := g.value(v.c, int32(loc), g.last(int32(loc)))
		return x
	}
	for t := range g.threads {
		i := g.threads[t].run.(*interpreter)
		a := i.act
		switch a.Kind {
		case ir.ActEnd, ir.ActUnspawned, ir.ActJoin:
			continue
		case ir.ActBlocked:
			if !a.Waits || a.Weak {
				return nil
			}
			if a.Spins {
				spins = append(spins, t)
			}
		case ir.ActUnwound:
			if circles, err := i.t.Circles(memory); !circles {
				return err
			}
			spins = append(spins, t)
		default:
			return nil
		}
		for _, id := range g.order[t][a.Since:] {
			switch e := &g.events[id]; {
			case e.kind == write:
				again[id] = true
			case e.kind == read && a.Kind == ir.ActBlocked:
				waiting = append(waiting, id)
			}
		}
	}
	if len(spins) == 0 {
		return nil
	}
	for _, id := range waiting {
		e := &g.events[id]
		if e.value != memory(int(e.loc)) {
			return nil
		}
		for _, w := range g.co[e.loc][g.rank(e.loc, e.rf)+1:] {
			if !again[w] {
				return nil
			}
		}
	}
	x, err := v.execution(g)
	if err != nil {
		return err
	}
	t := spins[0]
	return v.found(solver.ForEver(x.Program, t, len(x.Program.Threads[t].Code)-1), x)
}
