package cyclediagram

import (
	"fmt"
	"slices"

	"litmuscope/litmus/cycle"
	"litmuscope/litmus/lower"
)

// Translate says in the words of one dialect what a cycle says in those of another, and in
// lost what there are no words for: plain program order stands where a fence, a dependency
// or an atomic was, and a plain access where one was marked.
func Translate(from, to string, c cycle.Cycle) (out cycle.Cycle, lost []string) {
	old, w := wordsOf(from), wordsOf(to)
	plain, relaxed := old.relaxed(), w.relaxed()
	name := "litmus tests of " + to
	say := func(text string) {
		if !slices.Contains(lost, text) {
			lost = append(lost, text)
		}
	}
	less := func(was, is cycle.Access) bool {
		return was.Mark != "" && was.Mark != plain && is.Mark == relaxed
	}
	c, placed := c.Rescoped(to)
	if !placed {
		say("threads are in their usual places: " + name + " have no such scopes")
	}
	for _, e := range c {
		was := e
		for _, end := range []*cycle.Access{&e.From, &e.To} {
			end.Mark = translateMark(old, w, *end)
		}
		e.Name = translateName(old, w, e)
		if !w.knows(e) || e.Misfit() != "" {
			e.Kind, e.Name = cycle.Po, ""
			say(fmt.Sprintf("%s became %s: %s have no equivalent", was, e, name))
		} else if less(was.From, e.From) || less(was.To, e.To) {
			say(fmt.Sprintf("%s became %s: %s have no such annotation", was, e, name))
		}
		out = append(out, e)
	}
	if out.Sized() && (!w.Sized || w.check(out) != nil) {
		out = out.Whole()
		say("accesses use whole locations: " + name + " do not support all of these sizes")
	}
	return out, lost
}

// translateName is the name in another dialect of what an edge's name is like.
func translateName(from, to words, e cycle.Edge) string {
	list, others := from.named()[e.Kind], to.named()[e.Kind]
	at := slices.IndexFunc(list, func(w lower.Word) bool { return w.Name == e.Name })
	if at < 0 || list[at].Like == "" {
		return e.Name
	}
	if like := slices.IndexFunc(others, func(w lower.Word) bool { return w.Like == list[at].Like }); like >= 0 {
		return others[like].Name
	}
	return e.Name
}

// named are the dialect's own words, by the kind of edge.
func (w words) named() map[cycle.Kind][]lower.Word {
	return map[cycle.Kind][]lower.Word{cycle.Fence: w.Fences, cycle.Dp: w.Deps, cycle.Rmw: w.Atomics}
}

// translateMark is the mark in another dialect of what an access's mark is like.
func translateMark(from, to words, a cycle.Access) string {
	plain, relaxed := from.relaxed(), to.relaxed()
	switch {
	case plain == "" && relaxed != "" && a.Mark == "":
		return relaxed
	case a.Mark == "", plain == a.Mark && relaxed == "":
		return ""
	}
	at := slices.IndexFunc(from.Marks, func(m cycle.Mark) bool { return m.Mark == a.Mark })
	if at >= 0 && from.Marks[at].Like != "" {
		for _, m := range to.Marks {
			if m.Like == from.Marks[at].Like {
				return to.marked(a, m.Mark).Mark
			}
		}
	}
	if mark := to.marked(a, a.Mark).Mark; mark != "" {
		return mark
	}
	return relaxed
}

// relaxed is the mark of accesses in C that are as a machine's plain ones, "" elsewhere.
func (w words) relaxed() string {
	for _, m := range w.Marks {
		if m.Like == lower.Relaxed {
			return m.Mark
		}
	}
	return ""
}
