package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"litmuscope/solver"
)

// TourFormats are the formats of a tour, the default first.
var TourFormats = []string{"text", "dot", "jsonl"}

// Tour writes a tour in a format.
func Tour(format string, w io.Writer, t *solver.Tour) error {
	var text string
	switch format {
	case "text":
		text = tourText(t)
	case "dot":
		text = tourDOT(t)
	default:
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(t)
	}
	_, err := io.WriteString(w, text)
	return err
}

// tourText is a tour as a tree of lines: the stops that follow from a stop are below it, further to the right, except
// the last, which continues below it.
func tourText(t *solver.Tour) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s under %s: %s\n", printable(t.Name), t.Model, t.Words())
	for i, r := range t.Rails() {
		s := &t.Stops[i]
		mark, edge := "* ", "|-"
		if s.Revisited != nil {
			mark, edge = "o ", "|~"
		}
		if s.End == solver.Refused {
			mark = "x "
		}
		for col, through := range r.Through[:r.Col] {
			switch {
			case col == r.From:
				b.WriteString(edge)
			case through:
				b.WriteString("| ")
			default:
				b.WriteString("  ")
			}
		}
		b.WriteString(mark + printable(s.Words()) + "\n")
	}
	return b.String()
}

// tourDOT is a tour for Graphviz: revisits are dashed.
func tourDOT(t *solver.Tour) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  label=%s; labelloc=t; node [shape=box, style=rounded, fontname=monospace]; "+
		"edge [arrowhead=vee];\n", quoteDOT(t.Name), quoteDOT(t.Words()))
	for i, s := range t.Stops {
		more := ""
		switch s.End {
		case solver.Executed:
			more = ", penwidth=2"
		case solver.Refused:
			more = ", style=\"rounded,dotted\""
		case solver.Blocked, solver.Bounded, solver.Fails:
			more = ", style=\"rounded,dashed\""
		}
		fmt.Fprintf(&b, "  %d [label=%s%s];\n", i, quoteDOT(s.Words()), more)
		if s.From >= 0 {
			edge := ""
			if s.Revisited != nil {
				edge = " [style=dashed, label=revisit]"
			}
			fmt.Fprintf(&b, "  %d -> %d%s;\n", s.From, i, edge)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func quoteDOT(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(s) + `"`
}
