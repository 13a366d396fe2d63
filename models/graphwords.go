package models

import "fmt"

// Access names an event of a program's execution, with its place: "the read of flag
// (dekker.c:31)".
func (g *Graph) Access(event int) string {
	e := &g.Events[event]
	if e.Thread == InitThread {
		return "the initial value of " + e.Loc
	}
	what := map[string]string{"R": "the read of ", "W": "the write of "}[e.Kind]
	if what == "" {
		what = "the fence"
	}
	text := what + e.Loc
	if at := g.Place(event); at != "" {
		text += " (" + at + ")"
	}
	return text
}

// Place returns where an event of a program comes from, as file:line; "" if unknown.
func (g *Graph) Place(event int) string {
	e := &g.Events[event]
	if e.Thread == InitThread || e.Source < 0 || e.Source >= len(g.Threads[e.Thread].Places) {
		return ""
	}
	p := g.Threads[e.Thread].Places[e.Source]
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}
