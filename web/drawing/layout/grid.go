package layout

import (
	"slices"
	"strings"
)

// grid is what threads take that stand side by side. Where there are so many that not all of them would be seen,
// they stand in two bands, one below the other.
type grid struct {
	across  int       // threads in a band
	columns []float64 // widths
	slots   []float64 // with what is around them
	gaps    []float64 // to the right of each
	bands   []band
}

// band is what stands side by side.
type band struct {
	tall []float64 // heights of its rows
	lead float64   // what stands above the first
}

// arrange finds the first of these ways of standing in which all threads are seen: side by side, with texts in two
// lines, in two bands, or both. Where none will do it is the second.
func (d *Drawing) arrange(threads int) *grid {
	wide := d.grid(threads, threads)
	if wide.fits(d) || !d.Folded && wide.height(d) > roomDown { // which is scrolled, or folded
		return wide
	}
	columns := d.threads(threads)
	stand := func(across int) *grid {
		for _, c := range columns {
			oneLine(c)
		}
		if g := d.grid(threads, across); g.fits(d) {
			return g
		}
		return d.narrow(columns, across)
	}
	if g := stand(threads); g.fits(d) || threads < 4 {
		return g
	}
	if g := stand((threads + 1) / 2); g.fits(d) && g.height(d) <= roomDown {
		return g
	}
	return stand(threads)
}

// threads are the events of each thread that stand for themselves.
func (d *Drawing) threads(n int) [][]*Node {
	columns := make([][]*Node, n)
	for i := range d.Nodes {
		if n := &d.Nodes[i]; !n.Init() && n.Run == nil {
			columns[n.col] = append(columns[n.col], n)
		}
	}
	return columns
}

// narrow sets texts in two lines, in as few columns as have to be for all to be seen, or in all of them.
func (d *Drawing) narrow(columns [][]*Node, across int) *grid {
	for _, c := range columns {
		twoLines(c)
	}
	best := d.grid(len(columns), across)
	if !best.fits(d) {
		return best
	}
	for _, c := range columns {
		oneLine(c)
		if g := d.grid(len(columns), across); g.width() <= d.roomAcross()-detours { // and not just so
			best = g
		} else {
			twoLines(c)
		}
	}
	return best
}

// grid measures threads of which so many stand side by side.
func (d *Drawing) grid(threads, across int) *grid {
	g := &grid{across: across, columns: make([]float64, across)}
	if across > 0 {
		g.bands = make([]band, (threads+across-1)/across)
	}
	for t := range g.columns {
		g.columns[t] = boxMin
	}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if n.Init() {
			continue
		}
		b := &g.bands[n.col/across]
		g.columns[n.col%across] = max(g.columns[n.col%across], n.W)
		if n.Run != nil {
			if n.line == 0 && d.alsoEvents(n.col) {
				b.lead = RunHeight + runGap
			}
			continue
		}
		for len(b.tall) <= n.line {
			b.tall = append(b.tall, boxHeight)
		}
		b.tall[n.line] = max(b.tall[n.line], n.H)
	}
	g.slots = slices.Clone(g.columns)
	for t := range threads {
		g.slots[t%across] = max(g.slots[t%across], g.columns[t%across]+2*d.around(t))
	}
	rows := 0
	for _, b := range g.bands {
		rows = max(rows, len(b.tall))
	}
	g.gaps = d.columnGaps(g.slots, rows)
	return g
}

// fits tells whether all columns are seen, as far as can be said before edges are routed.
func (g *grid) fits(d *Drawing) bool { return g.width() <= d.roomAcross()+.1 }

func (g *grid) width() float64 { return sum(g.slots) + sum(g.gaps) }

// centre is where a thread's column stands.
func (g *grid) centre(thread int) float64 {
	slot := thread % g.across
	return -g.width()/2 + sum(g.slots[:slot]) + sum(g.gaps[:slot]) + g.slots[slot]/2
}

// height is what all of it takes without initial writes.
func (g *grid) height(d *Drawing) float64 {
	above, below := d.boxRoom()
	h := headSize + 6 + above + below + float64(len(g.bands)-1)*g.between(d)
	for _, b := range g.bands {
		h += b.lead + sum(b.tall) + float64(max(0, len(b.tall)-1))*g.rowGap(d)
	}
	return h
}

// between is the distance between two bands.
func (g *grid) between(d *Drawing) float64 {
	gap := g.rowGap(d) + headSize
	if len(d.Sections) > 0 {
		gap += 2*sectionPad + titleSize
	}
	above, below := d.boxRoom()
	return gap + above + below
}

// rowGap is the distance between rows. The more threads there are, the more edges run
// across between two of them. Threads that are a little too long draw together, so that all of them is seen;
// see fold for those that are longer.
func (g *grid) rowGap(d *Drawing) float64 {
	gap := rowGap + min(7*float64(max(0, g.across-4)), roomMax/2)
	if d.over > 0 {
		gaps := len(g.bands) - 1
		for _, b := range g.bands {
			gaps += max(0, len(b.tall)-1)
		}
		return max(rowTight, gap-d.over/float64(max(1, gaps)))
	}
	if d.Folded || len(g.bands) != 1 || len(g.bands[0].tall) < 2 {
		return gap
	}
	tall := g.bands[0].tall
	if fits := (roomDown - headSize - 6 - sum(tall)) / float64(len(tall)-1); fits >= rowTight {
		gap = min(gap, fits)
	}
	return gap
}

// columnGaps leave room for the words beside each of these columns. They must not depend on rf,
// co or fr, which differ between the executions of one test.
//
// The longer columns are, the more edges run along them. Where all is a little too wide, they draw together.
func (d *Drawing) columnGaps(columns []float64, rows int) []float64 {
	gap := either(len(columns) > 3, columnGap, columnsGap)
	for _, e := range d.Edges {
		if e.from == e.to || d.Nodes[e.from].col != d.Nodes[e.to].col {
			continue
		}
		var names []string
		for _, p := range e.Parts {
			switch name := d.Relations[p.Relation].Name; name {
			case "po", "rmw", "addr", "data", "ctrl":
				if p.Default || !d.Folded {
					names = append(names, name)
				}
			}
		}
		gap = max(gap, sans(strings.Join(names, ", "), LabelSize)+20)
	}
	gap = min(gap, columnMax) + min(4*float64(max(0, rows-4)), roomMax)
	out := make([]float64, len(columns))
	for t := range len(columns) - 1 {
		// There is little beside a thread of which no event is seen.
		out[t] = either(d.Folded && (!d.seen(t, len(columns)) || !d.seen(t+1, len(columns))), gap, gap/2)
	}
	room := d.roomAcross() - sum(columns)
	if share := room / sum(out); share < 1 && share*gap >= either(d.Folded, columnTight, columnTight/1.5) {
		for t := range out {
			out[t] *= share
		}
	}
	for t := range len(columns) - 1 {
		out[t] = max(out[t], d.boxGap(t, t+1))
	}
	return out
}

// seen tells whether an event is seen of any of the threads that stand in a column, of so many.
func (d *Drawing) seen(column, of int) bool {
	for t := column; t < len(d.graph.Threads); t += of {
		if d.alsoEvents(t) {
			return true
		}
	}
	return false
}

// roomAcross is what columns may take so that all of them are seen.
func (d *Drawing) roomAcross() float64 { return seenWidth - 2*margin - 2*d.spare }

// roomDown is what rows may take.
const roomDown = seenHeight - 2*margin
