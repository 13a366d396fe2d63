package display

import (
	"cmp"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// sections finds the critical sections of a C test, in the order of their first events. A section must end in the
// thread that began it.
//
// Sections may nest and overlap, so an end is matched with the last open begin that fits: of the same lock, or of SRCU
// the one whose result is the end's index. A failed trylock begins none, because its read has no such tag.
func sections(x *models.Execution) []models.GraphSection {
	if !isC(x) {
		return nil
	}
	out := atomicSections(x)
	var open []models.Event // of the thread at hand
	leave := func(kind string, e models.Event, enters func(models.Event) bool) {
		for i, begin := range slices.Backward(open) {
			if enters(begin) {
				s := models.GraphSection{Kind: kind, Thread: e.Thread, First: begin.ID, Last: e.ID}
				if e.Loc >= 0 {
					s.Loc = x.Program.Locs[e.Loc].Name
				}
				out, open = append(out, s), slices.Delete(open, i, i+1)
				return
			}
		}
	}
	for i, e := range x.Events {
		if i > 0 && e.Thread != x.Events[i-1].Thread {
			open = nil
		}
		has := func(tags ...ir.Tag) bool { return slices.ContainsFunc(tags, e.Tags.Has) }
		switch {
		case has("Rcu-lock", "Srcu-lock"), e.Kind == models.Read && has("LKR", "LS"):
			open = append(open, e)
		case has("Rcu-unlock"):
			leave(models.SectionRCU, e, func(b models.Event) bool { return b.Tags.Has("Rcu-lock") })
		case has("Srcu-unlock"):
			from := handedTo(x, e.ID)
			leave(models.SectionSRCU, e,
				func(b models.Event) bool { return b.Tags.Has("Srcu-lock") && b.Loc == e.Loc && from[b.ID] })
		case e.Kind == models.Write && has("UL", "U"):
			leave(models.SectionLock, e,
				func(b models.Event) bool { return (b.Tags.Has("LKR") || b.Tags.Has("LS")) && b.Loc == e.Loc })
		}
	}
	slices.SortStableFunc(out, func(a, b models.GraphSection) int { return cmp.Compare(a.First, b.First) })
	return out
}

// atomicSections returns the outermost atomic sections.
//
// A section that does not end, because its thread is cut, extends to the last event of the thread.
func atomicSections(x *models.Execution) []models.GraphSection {
	var out []models.GraphSection
	depth, thread := 0, models.InitThread
	for _, e := range x.Events {
		if e.Thread == models.InitThread {
			continue
		}
		if e.Thread != thread {
			depth, thread = 0, e.Thread
		}
		if depth > 0 {
			out[len(out)-1].Last = e.ID
		}
		if op, ok := x.Program.Threads[e.Thread].Code[e.Step].Op.(ir.Atomic); ok {
			switch {
			case op.End:
				depth--
			case depth == 0:
				out = append(out,
					models.GraphSection{Kind: models.SectionAtomic, Thread: e.Thread, First: e.ID, Last: e.ID})
				fallthrough
			default:
				depth++
			}
		}
	}
	return out
}

// handedTo returns the events whose value reaches an event through data dependencies and memory. An srcu_read_unlock
// takes from its index which srcu_read_lock it ends.
func handedTo(x *models.Execution, id int) map[int]bool {
	from := map[int]bool{}
	for todo := []int{id}; len(todo) > 0; {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var before []int
		for _, p := range x.Data {
			if p[1] == e {
				before = append(before, p[0])
			}
		}
		if w := x.RF[e]; w >= 0 && !x.Events[e].Tags.Has("Srcu-lock") {
			before = append(before, w)
		}
		for _, b := range before {
			if !from[b] {
				from[b] = true
				todo = append(todo, b)
			}
		}
	}
	return from
}
