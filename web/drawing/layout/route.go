package layout

import (
	"cmp"
	"math"
	"slices"

	"litmuscope/web/drawing/geometry"
)

// Routing. Each edge has a few hundred candidate curves: straight, bent ever more
// to either side, from other places of its boxes, out of the sides along a
// column, and, where all of those run through boxes or far around, along the free
// channels between rows and columns. A candidate costs what it hits (boxes, then words,
// then other edges along the same path) and how far it strays from the straight
// line. The cheapest few are tried with their label, for which a slot is sought
// along the curve, and the best pair of curve and slot is taken.
//
// Edges of the default view go first, so that it does not depend on what it
// hides; within that, short ones go first. Then all labels look for their slots
// again, and a second pass takes each edge up and routes it anew, now that it
// knows all the others.
const (
	costNode   = 4000. // a box run through
	costNear   = 1.    // a pixel close to a box
	costLabel  = 160.  // a word run through
	costTitle  = 640.  // the name of a thread or a section run through: it cannot move
	costShared = 7.    // a sample (see sampleStep) along another edge
	costEnds   = 24.   // two ends at one place, less when they are a little apart
	costCross  = 24.   // another edge crossed
	costLength = .09   // a pixel beyond the straight distance
	costBend   = 80.   // times the bend's share of the distance
	costAnchor = 5.    // an end that does not point to the box's centre
	costLane   = 9.    // running beside a column
	costCorner = 24.   // a corner of a channel
	costDetour = .2    // a pixel along channels
	costBeyond = .03   // a pixel, for each pixel it lies outside the drawing's room

	nearNode = 7.  // pixels that count as close, to a box,
	nearEdge = 7.  // to another edge,
	nearEnd  = 14. // and between the ends of two

	tryCrowd = 48 // candidates costed against other edges
	tryLabel = 10 // candidates costed with their label

	manyEdges  = 160  // edges beyond which half of the candidates will do
	manyHidden = 80   // hidden edges beyond which they get one pass and fewer candidates
	hopeless   = 250. // what a candidate may cost more than the best, before it is looked at
	farApart   = 500. // pixels between boxes beyond which arcs hardly get through
	farAround  = 400. // the cost of the best curve beyond which channels are tried

	endGap   = 2.  // between a curve's ends and the boxes
	headLong = 8.5 // of an arrow head
	headWide = 3.6 // to either side
)

// router knows what is routed so far.
type router struct {
	d      *Drawing
	room   geometry.Rect
	crowd  *geometry.Crowd
	placed []bool          // edges that have a path
	sought []bool          // whether mending sought them
	known  [][]candidate   // for each edge, its cheapest candidates taken alone; nil before they are sought
	layers [3][]int        // edges of the default view, of initial writes, and hidden
	rows   []float64       // free lines between rows
	lanes  [2][]float64    // free lines between columns, and between initial writes
	boxes  []stack         // the nodes
	titles []geometry.Rect // of threads and sections
	many   bool            // there are many edges: fewer candidates will do,
	sparse bool            // or very few
	label  float64         // what running through a word costs,
	struck float64         // and for a word to lie on another edge
	// While faults are mended, there is more to try.
	mending bool
	outline []geometry.Point  // of the curve at hand,
	walked  []geometry.Sample // and its samples
	ways    []way             // of the edge at hand
	work    int               // done so far, but for the crowd's; see effort
}

// effort is what pains may be taken with a drawing. Work is counted rather than timed, so that a graph always looks the
// same: in points of curves compared with boxes, and in what else takes about as long.
type effort int

const (
	utmost effort = 96 << 20  // until then, all that there is to try is tried;
	less   effort = 128 << 20 // until then, fewer candidates, once;
	least  effort = 160 << 20 // until then, these without channels;
	last   effort = 192 << 20 // until then, a way around boxes, whatever else there is; and then straight lines
)

// spent tells whether so much effort has been made.
func (r *router) spent(e effort) bool { return r.work+r.crowd.Looked() > int(e) }

// candidate is a curve, and what it costs so far.
type candidate struct {
	path []geometry.Cubic
	cost float64
}

// route finds the ways of what the default view shows, and is ready for the rest.
func route(d *Drawing) *router {
	r := &router{
		d: d, room: d.room, crowd: geometry.NewCrowd(d.room.Grow(160), nearEdge), placed: make([]bool, len(d.Edges)),
		many: len(d.Edges) > manyEdges, known: make([][]candidate, len(d.Edges)), sought: make([]bool, len(d.Edges)),
	}
	for _, h := range d.Headers {
		r.titles = append(r.titles, h.Rect)
	}
	for _, s := range d.Sections {
		r.titles = append(r.titles, s.Title)
	}
	r.channels()
	r.stack()
	for i := range d.Edges {
		k := 2
		if e := &d.Edges[i]; e.Default() {
			k = either(d.Beginning(e), 0, 1)
		}
		r.layers[k] = append(r.layers[k], i)
	}
	r.layer(r.layers[0])
	return r
}

// rest finds the ways of what can be switched on.
func (r *router) rest() {
	r.layer(r.layers[1])
	r.sparse = len(r.layers[2]) > manyHidden
	r.layer(r.layers[2])
	r.d.effort = r.work + r.crowd.Looked()
}

func (r *router) layer(layer []int) {
	slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(r.distance(a), r.distance(b)) })
	// At first words may still move, so they hardly count.
	r.label, r.struck = costLabel/8, labelEdge
	for _, i := range layer {
		r.route(i)
	}
	r.relabel(layer)
	if r.sparse {
		return
	}
	r.label = costLabel
	for _, i := range layer {
		if r.spent(least) {
			break
		}
		r.unplace(i)
		r.route(i)
	}
	r.relabel(layer)
	r.mend(layer)
}

func (r *router) distance(i int) float64 {
	e := &r.d.Edges[i]
	return r.d.Nodes[e.from].Centre().Sub(r.d.Nodes[e.to].Centre()).Length()
}

func (r *router) unplace(i int) {
	r.crowd.Remove(i)
	r.placed[i] = false
}

// relabel looks for better slots, now that all the curves are there.
func (r *router) relabel(layer []int) {
	for _, i := range layer {
		if r.spent(least) {
			return
		}
		e := &r.d.Edges[i]
		e.Label, _ = r.slot(i, e.samples, infinite)
	}
}

// candidates are the cheapest curves for edge i, whatever else is drawn.
func (r *router) candidates(i int) []candidate {
	if r.known[i] != nil {
		return r.known[i]
	}
	e := &r.d.Edges[i]
	a, b := r.d.Nodes[e.from].Rect, r.d.Nodes[e.to].Rect
	var list []candidate
	var buf []geometry.Point
	best := infinite
	few := leading{n: r.tries(tryCrowd)}
	add := func(cost float64, path []geometry.Cubic) {
		if cost > best+hopeless || few.beyond(cost) {
			return
		}
		buf = geometry.Outline(buf[:0], path)
		cost, ok := r.costAlone(e, buf, cost, &few)
		if !ok {
			return
		}
		best = min(best, cost)
		few.add(cost)
		list = append(list, candidate{slices.Clone(path), cost})
	}
	switch {
	case e.from == e.to:
		loops(a, add)
	case r.neighbours(e):
		c, _ := geometry.Line(a.Centre(), b.Centre()).Clip(a.Grow(endGap), b.Grow(endGap))
		add(0, []geometry.Cubic{c})
	default:
		far := a.Centre().Sub(b.Centre()).Length() > farApart
		arcs(a, b, r.sparse || far, add)
		beside(a, b, add)
		if (best > farAround || far || r.mending) && !r.spent(less) {
			r.alongChannels(e, add,
				func(cost float64) bool { return cost > best+hopeless || few.beyond(cost) || r.spent(less) })
		}
	}
	r.known[i] = slices.Clone(cheapest(list, few.n))
	return r.known[i]
}

// tries is how many of n candidates are looked at more closely.
func (r *router) tries(n int) int {
	switch {
	case r.mending && !r.many:
		return 3 * n
	case r.mending:
		return 2 * n
	case r.sparse:
		return n / 3
	case r.many:
		return n / 2
	}
	return n
}

// route gives edge i the best path and label there is.
func (r *router) route(i int) {
	if r.spent(least) {
		r.straight(i)
		return
	}
	r.sparse = r.sparse || r.spent(utmost)
	var list []candidate
	few := leading{n: r.tries(tryLabel)}
	for _, c := range r.candidates(i) {
		if few.beyond(c.cost) {
			break // the others cost no less
		}
		var ok bool
		r.walked = geometry.Walk(r.walked[:0], c.path)
		if c.cost, ok = r.costCrowd(i, r.walked, c.cost, &few); ok {
			few.add(c.cost)
			list = append(list, c)
		}
	}
	list = cheapest(list, few.n)
	best, bestCost := -1, infinite
	var slot geometry.Rect
	for k := range list {
		r.walked = geometry.Walk(r.walked[:0], list[k].path)
		s, cost := r.slot(i, r.walked, bestCost-list[k].cost)
		if cost = quantum(cost + list[k].cost); cost < bestCost {
			best, bestCost, slot = k, cost, s
		}
	}
	r.put(i, list[best].path, slot)
}

// straight gives edge i the next best path, which runs through nothing if that is found soon, and its
// label the middle of it.
func (r *router) straight(i int) {
	e := &r.d.Edges[i]
	a, b := r.d.Nodes[e.from].Rect, r.d.Nodes[e.to].Rect
	c := geometry.Line(a.Centre(), b.Centre())
	if within, ok := c.Clip(a.Grow(endGap), b.Grow(endGap)); ok {
		c = within
	}
	if e.from == e.to {
		loops(a, func(_ float64, path []geometry.Cubic) { c = path[0] })
	}
	path := []geometry.Cubic{c}
	if least := infinite; e.from != e.to && !r.spent(last) {
		tried, buf := 0, r.outline
		try := func(cost float64, p []geometry.Cubic) {
			buf = geometry.Outline(buf[:0], p)
			if cost, ok := r.costAlone(e, buf, cost, &leading{n: 1}); ok && cost < least {
				least, path = cost, append(path[:0], p...)
			}
			tried++
		}
		if try(0, []geometry.Cubic{c}); least > costNode {
			r.alongChannels(e, try, func(cost float64) bool { return cost > least || tried > 40 })
		}
		r.outline = buf
	}
	r.walked = geometry.Walk(r.walked[:0], path)
	middle := along(r.walked, .5)
	r.put(i, path, geometry.Box(middle.X, middle.Y, e.Label.W, e.Label.H))
}

// put draws edge i.
func (r *router) put(i int, path []geometry.Cubic, label geometry.Rect) {
	e := &r.d.Edges[i]
	e.samples = geometry.Walk(e.samples[:0], path)
	e.Label = label
	e.Path = geometry.Shorten(path, headLong*.7)
	tip := e.samples[len(e.samples)-1]
	// The head points along its own length of the curve, not along the tip's tangent.
	back := tip.Sub(e.Path[len(e.Path)-1][3]).Unit()
	foot := tip.Sub(back.Mul(headLong))
	e.Head = [3]geometry.Point{tip.Point, foot.Add(back.Normal().Mul(headWide)), foot.Sub(back.Normal().Mul(headWide))}
	r.crowd.Add(i, e.samples)
	r.placed[i] = true
}

// neighbours tells whether e is program order from one event to the next: always
// drawn straight.
func (r *router) neighbours(e *Edge) bool {
	a, b := &r.d.Nodes[e.from], &r.d.Nodes[e.to]
	return !a.Init() && a.col == b.col && a.row+1 == b.row && r.d.Relations[e.Parts[0].Relation].Name == "po"
}

// quantum makes costs comparable across machines: it drops the last bits, in
// which fused multiplication differs.
func quantum(cost float64) float64 { return math.Round(cost*256) / 256 }

// leading are the n least costs so far. Of all but the first few hundred curves it is soon
// clear that they are not among them: costs only grow while they are added up.
type leading struct {
	n     int
	costs []float64 // ascending
}

// beyond tells whether a cost is too much to be among them, by more than rounding.
func (l *leading) beyond(cost float64) bool {
	return len(l.costs) == l.n && cost > l.costs[l.n-1]+1./64
}

func (l *leading) add(cost float64) {
	i, _ := slices.BinarySearch(l.costs, cost)
	if len(l.costs) == l.n {
		if i == l.n {
			return
		}
		l.costs = l.costs[:l.n-1]
	}
	l.costs = slices.Insert(l.costs, i, cost)
}

// cheapest keeps the n cheapest candidates; the earlier wins a tie.
func cheapest(list []candidate, n int) []candidate {
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(quantum(a.cost), quantum(b.cost)) })
	return list[:min(n, len(list))]
}

// costAlone adds to a curve's cost what it costs by itself: boxes hit or grazed, length,
// room. It is false of a curve that cannot be among the leading ones.
func (r *router) costAlone(e *Edge, pts []geometry.Point, before float64, few *leading) (float64, bool) {
	cost, length := 0., 0.
	var around extent
	for k, p := range pts {
		around.point(p)
		if k == 0 {
			continue
		}
		step := p.Sub(pts[k-1]).Length()
		length += step
		dx := max(0, math.Abs(p.X-r.room.X)-r.room.W/2)
		dy := max(0, math.Abs(p.Y-r.room.Y)-r.room.H/2)
		cost += costBeyond * (dx + dy) * step
	}
	cost += costLength * (length - pts[len(pts)-1].Sub(pts[0]).Length())

	all := around.Rect()
	r.work += (len(r.boxes) + len(r.titles)) / 4
	for _, st := range r.boxes {
		if !st.Overlaps(all) {
			continue
		}
		first, _ := slices.BinarySearchFunc(st.nodes, all.Top()-nearNode,
			func(k int, y float64) int { return cmp.Compare(r.d.Nodes[k].Bottom(), y) })
		for _, k := range st.nodes[first:] {
			n := &r.d.Nodes[k]
			if n.Top()-nearNode > all.Bottom() && !n.Init() {
				break
			}
			if few.beyond(before + cost) {
				return 0, false
			}
			cost += r.costBox(e, k, pts, all)
		}
	}
	for _, h := range r.titles {
		box := h.Grow(3)
		if !box.Overlaps(all) {
			continue
		}
		for i := 1; i < len(pts); i++ {
			if box.Cut(pts[i-1], pts[i]) {
				cost += costTitle
				break
			}
		}
	}
	return before + cost, true
}

// costBox is what a curve costs by a box that it hits or grazes.
func (r *router) costBox(e *Edge, k int, pts []geometry.Point, around geometry.Rect) float64 {
	n := &r.d.Nodes[k]
	near := n.Grow(nearNode)
	if !near.Overlaps(around) {
		return 0
	}
	box, own := n.Grow(2.5), k == e.from || k == e.to
	if own {
		box = n.Grow(-1) // its edges leave and enter it, but may not cross it
	}
	cost, hit := 0., false
	r.work += len(pts)
	for i := 1; i < len(pts); i++ {
		if !near.Cut(pts[i-1], pts[i]) {
			continue
		}
		if !own {
			cost += costNear * pts[i].Sub(pts[i-1]).Length()
		}
		hit = hit || box.Cut(pts[i-1], pts[i])
	}
	if hit {
		cost += costNode
	}
	return cost
}

// stack is a column of boxes, with the room they take and graze.
type stack struct {
	geometry.Rect
	nodes []int // downwards
}

// stack sorts the boxes into columns, so that most need no look.
func (r *router) stack() {
	r.boxes = make([]stack, len(r.d.Headers)+1)
	around := make([]extent, len(r.boxes))
	for k, n := range r.d.Nodes {
		c := n.col + 1
		r.boxes[c].nodes = append(r.boxes[c].nodes, k)
		around[c].rect(n.Grow(nearNode))
	}
	for c := range r.boxes {
		r.boxes[c].Rect = around[c].Rect()
		slices.SortFunc(r.boxes[c].nodes, func(a, b int) int { return cmp.Compare(r.d.Nodes[a].Y, r.d.Nodes[b].Y) })
	}
}

// costCrowd adds to a curve's cost what it costs among the edges that are placed. It is
// false of a curve that cannot be among the leading ones.
func (r *router) costCrowd(i int, samples []geometry.Sample, before float64, few *leading) (float64, bool) {
	cost := 0.
	r.work += len(r.d.Edges)
	var around extent
	for _, s := range samples {
		around.point(s.Point)
	}
	all := around.Rect()
	for k := range r.d.Edges {
		label := r.d.Edges[k].Label
		if r.placed[k] && label.Overlaps(all) &&
			slices.ContainsFunc(samples, func(s geometry.Sample) bool { return label.Has(s.Point) }) {
			cost += r.label
		}
	}
	first, last := samples[0].Point, samples[len(samples)-1].Point
	for k := range r.d.Edges {
		if e := &r.d.Edges[k]; r.placed[k] && k != i {
			for _, p := range [...]geometry.Point{e.samples[0].Point, e.samples[len(e.samples)-1].Point} {
				p, q := p.Sub(first), p.Sub(last)
				if near := min(p.Dot(p), q.Dot(q)); near < nearEnd*nearEnd {
					cost += costEnds * (1 - math.Sqrt(near)/nearEnd)
				}
			}
		}
	}
	if few.beyond(before + cost) {
		return 0, false
	}
	shared, crossed := r.crowd.Meet(i, samples)
	return before + (cost + costShared*float64(shared) + costCross*float64(crossed)), true
}
