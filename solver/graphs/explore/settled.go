package explore

import (
	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// WithoutOpenSections returns the graph without unfinished atomic sections and the events behind them. A thread in one
// may as well have stopped before it, unless it fails in it.
func (x *Exploration) WithoutOpenSections(g *graph.Graph) *graph.Graph {
	if !x.Check.Formula().Sections {
		return g
	}
	gone := make([]bool, len(g.Events))
	any := false
	for more := true; more; {
		more = false
		drop := map[[2]int32]bool{} // sections, by thread and place
		for i := range g.Events {
			e := &g.Events[i]
			list := g.Order[e.Thread]
			th := &g.Threads[e.Thread]
			open := e.Section >= 0 && e.Section == g.SectionAt(int(e.Thread)) &&
				!(th.Looked && (th.Next.Kind == ir.ActEnd || th.Next.Kind == ir.ActFailed))
			is := open || e.Pos > 0 && gone[list[e.Pos-1]] || e.Pos == 0 && th.Spawner >= 0 && gone[th.Spawner] ||
				e.Kind == graph.Read && e.RF >= 0 && gone[e.RF]
			if e.Kind == graph.Join {
				if last := g.Order[e.Other]; len(last) > 0 {
					is = is || gone[last[len(last)-1]]
				}
			}
			if is && !gone[i] {
				gone[i], more, any = true, true, true
				if e.Section >= 0 {
					drop[[2]int32{e.Thread, e.Section}] = true
				}
			}
		}
		for i := range g.Events {
			if e := &g.Events[i]; e.Section >= 0 && !gone[i] && drop[[2]int32{e.Thread, e.Section}] {
				gone[i] = true
			}
		}
	}
	if !any {
		return g
	}
	out := graph.New(x.Threads)
	at := out.Without(g, gone)
	for t := range out.Threads {
		th := &out.Threads[t]
		th.CopyFrom(&g.Threads[t])
		if th.Spawner >= 0 {
			if gone[th.Spawner] {
				th.Start(x.Places, t)
				continue
			}
			th.Spawner = at[th.Spawner]
		}
		if len(out.Order[t]) < len(g.Order[t]) {
			th.Looked, th.Half = false, -1
		}
	}
	return out
}
