package drawing

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"litmuscope/models"
	"litmuscope/web/drawing/layout"
)

// toText is a drawing in words: the events of each thread in its order, with the instructions that they are of, then
// what leads where, a line for each relation that the view shows, and last the edges that it makes out.
func toText(d *layout.Drawing, g *models.Graph, title string, v layout.View) string {
	var b strings.Builder
	if title != "" {
		b.WriteString(title + "\n")
	}
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	thread := -2
	for _, n := range d.Nodes {
		if !v.Sees(n) {
			continue
		}
		source := ""
		if t := n.Event.Thread; t != thread {
			thread = t
			w.Flush()
			head := "initial writes"
			if t >= 0 {
				head = g.Threads[t].Name
				if s := g.Threads[t].Scopes; len(s) > 0 {
					head += " (" + strings.Join(s, ", ") + ")"
				}
			}
			fmt.Fprintln(&b, head)
		}
		if t, i := n.Event.Thread, n.Event.Source; t >= 0 && i >= 0 && i < len(g.Threads[t].Source) {
			source = strings.Join(strings.Fields(g.Threads[t].Source[i]), " ")
		}
		if v.Starts(n) {
			source += "  (reads the initial value)"
		}
		fmt.Fprintf(w, "  %s %s\t%s\t%s\n", n.Name, n.Text, n.Tags, source)
	}
	w.Flush()

	edges := make([][]string, len(d.Relations))
	var lit []step
	for i := range d.Edges {
		e := &d.Edges[i]
		from, to := d.Ends(e)
		var names []string
		for _, p := range e.Parts {
			name := d.Relations[p.Relation].Name
			if v.Shows(name, p) && d.Between(v, e) {
				edges[p.Relation] = append(edges[p.Relation], bare(from)+" -> "+bare(to)+d.Bytes(e, p))
				names = append(names, name)
			}
		}
		if d.Lit(e) && len(names) > 0 {
			lit = append(lit, step{bare(from), bare(to), strings.Join(names, ",")})
		}
	}
	for i, list := range edges {
		if len(list) > 0 {
			fmt.Fprintf(w, "%s\t%s\n", d.Relations[i].Name, strings.Join(list, ", "))
		}
	}
	w.Flush()
	if len(lit) > 0 {
		fmt.Fprintf(&b, "highlighted: %s\n", walk(lit))
	}
	var lines strings.Builder
	for line := range strings.Lines(b.String()) {
		lines.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return lines.String()
}

// step is an edge that is made out.
type step struct{ from, to, names string }

// walk names edges one behind the other, as far as each begins where another ends.
func walk(steps []step) string {
	var b strings.Builder
	for at := ""; len(steps) > 0; {
		i := max(0, slices.IndexFunc(steps, func(s step) bool { return s.from == at }))
		s := steps[i]
		steps = slices.Delete(steps, i, i+1)
		if s.from != at {
			if at != "" {
				b.WriteString(", ")
			}
			b.WriteString(s.from)
		}
		fmt.Fprintf(&b, " -%s-> %s", s.names, s.to)
		at = s.to
	}
	return b.String()
}

// bare is an event's name without the colon behind it.
func bare(n layout.Node) string { return strings.TrimSuffix(n.Name, ":") }
