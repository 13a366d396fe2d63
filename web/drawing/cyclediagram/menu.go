package cyclediagram

import (
	"cmp"
	"fmt"
	"slices"

	"litmuscope/litmus/cycle"
)

// Menu is what can be done with a part of a ring.
type Menu struct {
	Title  string
	Groups []Group
}

// Group is choices of a kind.
type Group struct {
	Title   string
	Choices []Choice
}

// Choice is something to choose. Where it cannot be, Why says why, and there is no Cycle.
type Choice struct {
	Label   string
	Text    string   // one sentence on it
	Cycle   string   // what the ring is then
	Instead []string // what changes with it: "Wse for Fre"
	Why     string
	Current bool
}

// Can tells choices that can be.
func (c Choice) Can() bool { return c.Cycle != "" }

// Impossible counts the choices of a group that cannot be; they are its last.
func (g Group) Impossible() int {
	return len(g.Choices) - len(g.Possible())
}

// Possible are the choices of a group that can be: those that fit as all else is, then
// those with which something else changes.
func (g Group) Possible() []Choice {
	i := slices.IndexFunc(g.Choices, func(c Choice) bool { return !c.Can() })
	if i < 0 {
		return g.Choices
	}
	return g.Choices[:i]
}

// in puts a choice among those of its group.
func (m *Menu) in(title string, c Choice) {
	i := slices.IndexFunc(m.Groups, func(g Group) bool { return g.Title == title })
	if i < 0 {
		i = len(m.Groups)
		m.Groups = append(m.Groups, Group{Title: title})
	}
	m.Groups[i].Choices = append(m.Groups[i].Choices, c)
}

// sorted puts what can be before what cannot.
func (m *Menu) sorted() Menu {
	rank := func(c Choice) int {
		switch {
		case !c.Can():
			return 2
		case c.Instead != nil:
			return 1
		}
		return 0
	}
	for _, g := range m.Groups {
		slices.SortStableFunc(g.Choices, func(a, b Choice) int { return cmp.Compare(rank(a), rank(b)) })
	}
	return *m
}

func choice(label, text string, c cycle.Cycle, err error) Choice {
	out := Choice{Label: label, Text: text}
	if err != nil {
		out.Why = err.Error()
	} else {
		out.Cycle = c.String()
	}
	return out
}

// EdgeMenu is what edge i of a cycle can give way to: every edge of the dialect, those of
// its own sort first, two edges by way of a further thread, or nothing.
func EdgeMenu(arch string, c cycle.Cycle, i int) Menu {
	w := wordsOf(arch)
	m := &Menu{Title: c[i].String()}
	var own string
	for _, e := range w.Entries {
		if plain := bare(c[i]); e.Edge == plain {
			m.Title += ": " + e.Text
			own = e.Group
		}
	}
	for _, first := range []bool{true, false} {
		for _, e := range w.Entries {
			if (e.Group == own) != first {
				continue
			}
			out, instead, err := w.replaced(c, i, e.Edge)
			one := choice(e.Edge.String(), e.Text, out, err)
			if err == nil {
				one.Label, one.Instead = out[i].String(), instead
			}
			one.Current = e.Edge == bare(c[i])
			m.in(e.Group, one)
		}
	}
	if e := c[i]; !e.External() && e.Kind != cycle.Rmw {
		for _, through := range []cycle.Access{{Write: true, Part: e.From.Part}, {Part: e.From.Part}} {
			com, ok := w.bent(cycle.Edge{Turn: cycle.Across, Same: true}, e.From, through)
			step, alsoOk := w.bent(cycle.Edge{Kind: cycle.Po}, through, e.To)
			if ok && alsoOk && com.Kind != cycle.Hat {
				out, err := w.joined(c, i, i+1, com, step)
				m.in("Add a thread",
					choice(com.String()+" "+step.String(), "the first access moves to its own thread", out, err))
			}
		}
	}
	out, gone, err := without(c, i)
	label, text := "Remove "+c[i].String(), "the accesses at its ends are merged"
	if len(gone) > 1 {
		label = "Remove " + gone.String()
	}
	m.in("Remove", choice(label, text, out, err))
	return m.sorted()
}

// bare is an edge without marks and sizes.
func bare(e cycle.Edge) cycle.Edge {
	e.From, e.To = cycle.Access{Write: e.From.Write}, cycle.Access{Write: e.To.Write}
	return e
}

// EventMenu is what the access that edge i starts from can be made into, and what can be
// put in there.
func EventMenu(arch string, c cycle.Cycle, i int) Menu {
	w := wordsOf(arch)
	place := c.Places(arch)[i]
	m := &Menu{Title: fmt.Sprintf("Thread %d, %s", place.Thread, access(place))}
	for _, write := range []bool{false, true} {
		to := cycle.Access{Write: write, Part: c[i].From.Part}
		label := map[bool]string{false: "a read", true: "a write"}[write]
		out, instead, err := w.remade(c, i, to)
		one := choice(label, "", out, err)
		one.Instead, one.Current = instead, c[i].From == to
		m.in("Change the access", one)
		for _, mark := range w.Marks {
			if to := w.marked(to, mark.Mark); to.Mark != "" {
				out, instead, err := w.remade(c, i, to)
				one := choice(label+", "+mark.Mark, mark.Text, out, err)
				one.Instead, one.Current = instead, c[i].From == to
				m.in("Change the access", one)
			}
		}
	}
	w.sizes(m, c, i)
	n := len(c)
	begins, at := c[(i+n-1)%n].External(), c[i].From
	for _, other := range []cycle.Access{{Write: true, Part: at.Part}, {Part: at.Part}} {
		step := func(from, to cycle.Access) (cycle.Edge, bool) { return w.bent(cycle.Edge{Kind: cycle.Po}, from, to) }
		com := func(from, to cycle.Access) (cycle.Edge, bool) {
			return w.bent(cycle.Edge{Turn: cycle.Across, Same: true}, from, to)
		}
		first, second := com, step
		if begins {
			first, second = step, com
		}
		a, ok := first(at, other)
		b, alsoOk := second(other, at)
		if !ok || !alsoOk || a.Kind == cycle.Hat || b.Kind == cycle.Hat {
			continue
		}
		out, err := w.joined(c, i, i, a, b)
		m.in("Add a thread", choice(a.String()+" "+b.String(), "the cycle passes through another thread", out, err))
	}
	for _, e := range w.Entries {
		if e.Edge.Com() || e.Edge.Kind == cycle.Rmw || e.Edge.From.Write != at.Write || e.Edge.To.Write != at.Write {
			continue
		}
		edge := e.Edge
		edge.From, edge.To = at, at
		out, err := w.joined(c, i, i, edge)
		m.in("Add an access: "+e.Group, choice(edge.String(), e.Text, out, err))
	}
	return m.sorted()
}

// remade makes the access that edge i starts from another, and bends both edges at it.
func (w words) remade(c cycle.Cycle, i int, to cycle.Access) (out cycle.Cycle, instead []string, err error) {
	before := (i + len(c) - 1) % len(c)
	out = slices.Clone(c)
	for at, ends := range map[int][2]cycle.Access{before: {c[before].From, to}, i: {to, c[i].To}} {
		bent, ok := w.bent(c[at], ends[0], ends[1])
		if !ok {
			return nil, nil, cannot(c[at], at == i, to)
		}
		out[at] = bent
	}
	for _, at := range []int{before, i} {
		if bare(out[at]) != bare(c[at]) {
			instead = append(instead, fmt.Sprintf("%s for %s", out[at], c[at]))
		}
	}
	return out, instead, w.check(out)
}

// sizes are the parts of its location that the access that edge i starts from can be to.
func (w words) sizes(m *Menu, c cycle.Cycle, i int) {
	if !w.Sized {
		return
	}
	const group = "Change its bytes"
	for _, p := range cycle.Parts() {
		out := c.Resized(i, p)
		one := choice(p.String(), p.Text(), out, w.check(out))
		one.Current = c[i].From.Part == p
		if !c.Sized() {
			one.Text += "; all others become words"
		}
		m.in(group, one)
	}
	if c.Sized() {
		m.in(group,
			choice("no sizes", "all accesses of the cycle use whole locations of a word", c.Whole(),
				w.check(c.Whole())))
	}
}

// cannot says why an edge keeps an access as it is.
func cannot(e cycle.Edge, begins bool, to cycle.Access) error {
	verb, kind := "ends in", "read"
	if begins {
		verb = "begins at"
	}
	if !to.Write {
		kind = "write"
	}
	return fmt.Errorf("%s %s a %s", e, verb, kind)
}

// Removed is the cycle without edge i, as its menu has it.
func Removed(c cycle.Cycle, i int) Choice {
	out, gone, err := without(c, i)
	return choice(gone.String(), "", out, err)
}
