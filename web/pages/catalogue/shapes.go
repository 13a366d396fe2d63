package catalogue

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/cycle"
)

// columnsOfCycles lists the columns of the table of critical cycles, by the communication edges of a cycle. A read from
// a write that is the only access of its thread does not count, so that a shape stays in its column when a write is
// moved to a thread of its own.
var columnsOfCycles = []string{"fr", "rf fr", "rf", "rf co", "co fr", "co", "rf co fr"}

// columnNames has the communication edges of the columns as people read them.
var columnNames = strings.NewReplacer("rf", "reads from", "co", "coherence", "fr", "reads before", " ", ", ")

// cycleOf returns a shape's cycle; false if the shape has none.
func cycleOf(s catalogue.Shape) (cycle.Cycle, bool) {
	if s.Cycle == "" {
		return nil, false
	}
	arch := "X86"
	if strings.Contains(s.Cycle, "Sync") {
		arch = "PPC"
	}
	c, err := cycle.ParseCycle(arch, s.Cycle)
	if err != nil {
		panic("BUG: shape " + s.Name + ": " + err.Error())
	}
	return c, true
}

// columnOf returns a shape's column in the table of critical cycles, counted from 1; 0 if it has none.
func columnOf(s catalogue.Shape) int {
	c, ok := cycleOf(s)
	if !ok {
		return 0
	}
	var coms []string
	for i, e := range c {
		before := c[(i+len(c)-1)%len(c)]
		switch {
		case !e.Com() && (e.Kind != cycle.Po || e.Same), e.Com() && e.Turn != cycle.Across:
			return 0 // not a plain critical cycle
		case !e.Com() || e.Kind == cycle.Rf && before.External():
		default:
			coms = append(coms, comName(e))
		}
	}
	for i, column := range columnsOfCycles {
		if !slices.ContainsFunc(coms, func(k string) bool { return !slices.Contains(strings.Fields(column), k) }) &&
			!slices.ContainsFunc(strings.Fields(column), func(k string) bool { return !slices.Contains(coms, k) }) {
			return i + 1
		}
	}
	return 0
}

func comName(e cycle.Edge) string {
	switch e.Kind {
	case cycle.Rf:
		return "rf"
	case cycle.Fr:
		return "fr"
	case cycle.Co:
		return "co"
	}
	return "po"
}

// pictures returns the small drawings of the shapes as SVG, by shape name.
var pictures = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, s := range catalogue.Shapes() {
		c, ok := cycleOf(s)
		if !ok {
			// For the shape of a program, draw the cycle of one of its tests.
			for _, e := range catalogue.All() {
				if e.Shape != s.Name || e.Cycle == "" {
					continue
				}
				if c, ok = parsed(e); ok {
					break
				}
			}
		}
		if ok {
			out[s.Name] = sketch(c)
		}
	}
	return out
})

func parsed(e catalogue.Entry) (cycle.Cycle, bool) {
	c, err := cycle.ParseCycle(e.Arch, e.Cycle)
	return c, err == nil
}

// sketch draws a cycle as SVG: columns are threads, program order runs down, and edges between columns are
// communications. The style sheet colours and dashes them by class.
func sketch(c cycle.Cycle) string {
	const dx, dy, x0, y0, r = 34.0, 30.0, 16.0, 11.0, 9.0
	places := c.Places("") // only the values depend on the dialect
	rows := map[int]int{}  // the number of accesses so far, by thread
	type point struct{ x, y float64 }
	at := make([]point, len(c))
	threads, most := 0, 0
	// Visit the accesses in program order, from one where a thread begins.
	start := 0
	for i := range c {
		if before := c[(i+len(c)-1)%len(c)]; before.External() && places[i].Thread == 0 {
			start = i
		}
	}
	for n := range c {
		i := (start + n) % len(c)
		t := places[i].Thread
		at[i] = point{x0 + dx*float64(t), y0 + dy*float64(rows[t])}
		rows[t]++
		threads, most = max(threads, t+1), max(most, rows[t])
	}
	var b strings.Builder
	width, height := 2*x0+dx*float64(threads-1), 2*y0+dy*float64(most-1)
	class := "sketch"
	if most > 2 {
		class += " tall"
	}
	fmt.Fprintf(&b, `<svg class="%s" viewBox="0 0 %g %g" width="%g" height="%g" font-size="9.5" aria-hidden="true">`,
		class, width, height, width, height)
	for i, e := range c {
		p, q := at[i], at[(i+1)%len(c)]
		l := math.Hypot(q.x-p.x, q.y-p.y)
		ux, uy := (q.x-p.x)/l, (q.y-p.y)/l
		bow := 0.0
		if len(c) == 2 { // two opposite edges: bend them apart
			bow = 8
		}
		// The curve goes from rim to rim and bends around a point beside the middle.
		mx, my := (p.x+q.x)/2-uy*bow, (p.y+q.y)/2+ux*bow
		sx, sy, ex, ey := p.x+ux*r-uy*bow/3, p.y+uy*r+ux*bow/3, q.x-ux*r-uy*bow/3, q.y-uy*r+ux*bow/3
		h := math.Hypot(ex-mx, ey-my)
		ux, uy = (ex-mx)/h, (ey-my)/h
		fmt.Fprintf(&b,
			`<g class="%s"><path d="M%.1f %.1fQ%.1f %.1f %.1f %.1f"/><path class="head" d="M%.1f %.1fL%.1f %.1fL%.1f %.1fZ"/></g>`,
			comName(e), sx, sy, mx, my, ex-ux*3, ey-uy*3,
			ex, ey, ex-ux*4.5-uy*2.6, ey-uy*4.5+ux*2.6, ex-ux*4.5+uy*2.6, ey-uy*4.5-ux*2.6)
	}
	for i, p := range places {
		kind := "R"
		if p.Write {
			kind = "W"
		}
		fmt.Fprintf(&b, `<text x="%g" y="%.1f">%s</text>`, at[i].x, at[i].y+3.5, html.EscapeString(kind+p.Location))
	}
	b.WriteString(`</svg>`)
	return b.String()
}
