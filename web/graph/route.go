package graph

import (
	"cmp"
	"math"
	"slices"
)

// Routing. Each edge has a few hundred candidate curves: straight, bent ever more
// to either side, from other places of its boxes, out of the sides along a
// column, and, where all of those run through boxes, along the free channels
// between rows and columns. A candidate costs what it hits (boxes, then words,
// then other edges along the same path) and how far it strays from the straight
// line. The cheapest few are tried with their label, for which a slot is sought
// along the curve, and the best pair of curve and slot is taken.
//
// Edges of the default view go first, so that it does not depend on what it
// hides; within that, short ones go first. A second pass takes each edge up and
// routes it again, now that it knows all the others.
const (
	costNode   = 4000. // a box run through
	costNear   = 6.    // a sample close to a box
	costLabel  = 220.  // a word or a header run through
	costShared = 7.    // a sample along another edge
	costCross  = 5.    // another edge crossed
	costLength = .06   // a pixel beyond the straight distance
	costBend   = 55.   // times the bend's share of the distance
	costAnchor = 5.    // an end that does not point to the box's centre
	costLane   = 9.    // running beside a column
	costCorner = 16.   // a corner of a channel
	costBeyond = .5    // a sample's pixels outside the drawing's room

	nearNode = 7.
	nearEdge = 7.

	tryCrowd = 48 // candidates costed against other edges
	tryLabel = 10 // candidates costed with their label

	endGap   = 2.  // between a curve's ends and the boxes
	headLong = 8.5 // of an arrow head
	headWide = 3.6 // to either side
)

// router knows what is routed so far.
type router struct {
	d      *Drawing
	room   Rect
	crowd  *crowd
	placed []bool // edges that have a path
	rows   []float64
	lanes  []float64
}

// candidate is a curve, and what it costs so far.
type candidate struct {
	path    []Cubic
	samples []sample
	cost    float64
}

func route(d *Drawing, room Rect) {
	r := &router{d: d, room: room, crowd: newCrowd(room.grow(160)), placed: make([]bool, len(d.Edges))}
	r.channels()
	var shown, hidden []int
	for i := range d.Edges {
		if d.Edges[i].Default() {
			shown = append(shown, i)
		} else {
			hidden = append(hidden, i)
		}
	}
	for _, layer := range [][]int{shown, hidden} {
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(r.distance(a), r.distance(b)) })
		for range 2 {
			for _, i := range layer {
				r.unplace(i)
				r.route(i)
			}
		}
	}
}

func (r *router) distance(i int) float64 {
	e := &r.d.Edges[i]
	return r.d.Nodes[e.from].centre().sub(r.d.Nodes[e.to].centre()).length()
}

func (r *router) unplace(i int) {
	if r.placed[i] {
		r.crowd.remove(i)
		r.placed[i] = false
	}
}

// route gives edge i the best path and label there is.
func (r *router) route(i int) {
	e := &r.d.Edges[i]
	a, b := r.d.Nodes[e.from].Rect, r.d.Nodes[e.to].Rect
	var list []candidate
	add := func(cost float64, path ...Cubic) {
		c := candidate{path: path, samples: walk(path), cost: cost}
		c.cost += r.costAlone(e, c.samples)
		list = append(list, c)
	}
	switch {
	case e.from == e.to:
		loops(a, add)
	case r.neighbours(e):
		c, _ := line(a.centre(), b.centre()).clip(a.grow(endGap), b.grow(endGap))
		add(0, c)
	default:
		arcs(a, b, add)
		beside(a, b, add)
		if !slices.ContainsFunc(list, func(c candidate) bool { return c.cost < costNode }) {
			r.alongChannels(a, b, add)
		}
	}
	list = cheapest(list, tryCrowd)
	for k := range list {
		list[k].cost += r.costCrowd(i, list[k].samples)
	}
	list = cheapest(list, tryLabel)
	best, bestCost := -1, math.Inf(1)
	var slot Rect
	for k := range list {
		s, cost := r.slot(i, list[k].samples)
		if cost = quantum(cost + list[k].cost); cost < bestCost {
			best, bestCost, slot = k, cost, s
		}
	}
	e.samples = list[best].samples
	e.Label = slot
	e.Path = shorten(list[best].path, headLong*.7)
	tip := e.samples[len(e.samples)-1]
	// The head points along its own length of the curve, not along the tip's tangent.
	back := tip.sub(e.Path[len(e.Path)-1][3]).unit()
	foot := tip.sub(back.mul(headLong))
	e.Head = [3]Point{tip.Point, foot.add(back.normal().mul(headWide)), foot.sub(back.normal().mul(headWide))}
	r.crowd.add(i, e.samples)
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

// cheapest keeps the n cheapest candidates; the earlier wins a tie.
func cheapest(list []candidate, n int) []candidate {
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(quantum(a.cost), quantum(b.cost)) })
	return list[:min(n, len(list))]
}

// costAlone is what a curve costs by itself: boxes hit or grazed, length, room.
func (r *router) costAlone(e *Edge, samples []sample) float64 {
	cost := 0.
	for k := range r.d.Nodes {
		n := &r.d.Nodes[k]
		near, hit := n.grow(nearNode), false
		own := k == e.from || k == e.to
		for _, s := range samples {
			if !near.has(s.Point) {
				continue
			}
			if own {
				// Leaving and entering touch the edge's own boxes; they may not be crossed.
				hit = hit || n.grow(-1).has(s.Point)
				continue
			}
			cost += costNear
			hit = hit || n.grow(2).has(s.Point)
		}
		if hit {
			cost += costNode
		}
	}
	for _, h := range r.d.Headers {
		if slices.ContainsFunc(samples, func(s sample) bool { return h.has(s.Point) }) {
			cost += costLabel
		}
	}
	for _, s := range samples {
		dx := max(0, math.Abs(s.X-r.room.X)-r.room.W/2)
		dy := max(0, math.Abs(s.Y-r.room.Y)-r.room.H/2)
		cost += costBeyond * (dx + dy)
	}
	first, last := samples[0], samples[len(samples)-1]
	return cost + costLength*(last.dist-last.sub(first.Point).length())
}

// costCrowd is what a curve costs among the edges that are placed.
func (r *router) costCrowd(i int, samples []sample) float64 {
	cost := 0.
	for k := range r.d.Edges {
		label := r.d.Edges[k].Label
		if r.placed[k] && slices.ContainsFunc(samples, func(s sample) bool { return label.has(s.Point) }) {
			cost += costLabel
		}
	}
	shared, crossed := r.crowd.meet(i, samples)
	return cost + costShared*float64(shared) + costCross*float64(crossed)
}

// arcs are cubics from box to box, with growing bend on either side. They aim at
// the centres or a quarter to the side of them; a second kind rises more steeply.
func arcs(a, b Rect, add func(float64, ...Cubic)) {
	bends := [...]float64{0, .06, .12, .18, .26, .36, .48, .64, .84}
	for _, pull := range [...]float64{1. / 3, .1} {
		for _, fa := range [...]float64{0, -.28, .28} {
			for _, fb := range [...]float64{0, -.28, .28} {
				p, q := Point{a.X + fa*a.W, a.Y}, Point{b.X + fb*b.W, b.Y}
				d := q.sub(p)
				for k, bend := range bends {
					for _, sign := range [...]float64{1, -1} {
						if k == 0 && sign < 0 {
							continue
						}
						off := d.normal().mul(sign * bend)
						c := Cubic{p, p.mix(q, pull).add(off), q.mix(p, pull).add(off), q}
						c, ok := c.clip(a.grow(endGap), b.grow(endGap))
						if !ok {
							continue
						}
						cost := costBend * bend
						if fa != 0 {
							cost += costAnchor
						}
						if fb != 0 {
							cost += costAnchor
						}
						if pull < .3 {
							cost += 4
						}
						add(cost, c)
					}
				}
			}
		}
	}
}

// beside are curves out of one side of a box and into the same side of the other,
// in lanes further and further out.
func beside(a, b Rect, add func(float64, ...Cubic)) {
	if math.Abs(a.X-b.X) > (a.W+b.W)/2 || math.Abs(a.Y-b.Y) < (a.H+b.H)/2 {
		return
	}
	down := 1.
	if b.Y < a.Y {
		down = -1
	}
	span := math.Abs(b.Y - a.Y)
	for _, sign := range [...]float64{1, -1} {
		for k := range 7 {
			depth := 18 + .09*span + 15*float64(k)
			for _, port := range [...]float64{0, .25} {
				p := Point{a.X + sign*(a.W/2+endGap), a.Y + down*port*a.H}
				q := Point{b.X + sign*(b.W/2+endGap), b.Y - down*port*b.H}
				x := sign*depth + (p.X+q.X)/2
				if sign*x < max(sign*p.X, sign*q.X)+10 {
					continue
				}
				add(costLane+float64(k)*1.5, Cubic{p, {x, p.Y}, {x, q.Y}, q})
				if span > 220 {
					// Long ones run straight down their lane.
					turn := down * min(70, span/3)
					add(costLane+1+float64(k)*1.5,
						Cubic{p, {p.X + (x-p.X)*.5, p.Y}, {x, p.Y + turn*.3}, {x, p.Y + turn}},
						line(Point{x, p.Y + turn}, Point{x, q.Y - turn}),
						Cubic{{x, q.Y - turn}, {x, q.Y - turn*.3}, {q.X + (x-q.X)*.5, q.Y}, q})
				}
			}
		}
	}
}

// loops lead from an event to itself.
func loops(a Rect, add func(float64, ...Cubic)) {
	for _, sign := range [...]float64{1, -1} {
		for k, depth := range [...]float64{34, 44, 56, 70} {
			x, dy := a.X+sign*(a.W/2+endGap), a.H*.28
			add(float64(k)*3, Cubic{{x, a.Y - dy}, {x + sign*depth, a.Y - dy - depth/3},
				{x + sign*depth, a.Y + dy + depth/3}, {x, a.Y + dy}})
		}
	}
}

// channels finds the free lines between rows and between columns.
func (r *router) channels() {
	r.rows = between(r.d.Nodes, func(n Node) (float64, float64) { return n.top(), n.bottom() })
	r.lanes = between(r.d.Nodes, func(n Node) (float64, float64) { return n.left(), n.right() })
}

// between are places that no node covers in one dimension: three in each gap, and
// one beyond either end.
func between(nodes []Node, span func(Node) (lo, hi float64)) []float64 {
	var spans [][2]float64
	for _, n := range nodes {
		lo, hi := span(n)
		spans = append(spans, [2]float64{lo, hi})
	}
	slices.SortFunc(spans, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	if len(spans) == 0 {
		return nil
	}
	const beyond = 18.
	out := []float64{spans[0][0] - beyond}
	end := spans[0][1]
	for _, s := range spans[1:] {
		if gap := s[0] - end; gap >= 2*nearNode+2 {
			for _, f := range [...]float64{.5, .3, .7} {
				out = append(out, end+gap*f)
			}
		}
		end = max(end, s[1])
	}
	return append(out, end+beyond)
}

// alongChannels leads around boxes: out of a box at the side, or at the top or
// bottom, along a channel between two rows, and into the other box likewise.
func (r *router) alongChannels(a, b Rect, add func(float64, ...Cubic)) {
	const radius = 18.
	for _, y := range r.rows {
		for _, out := range r.exits(a, y) {
			for _, in := range r.exits(b, y) {
				slices.Reverse(in)
				pts := append(slices.Clone(out), in...)
				slices.Reverse(in)
				// Where both stand over the same place the channel is not used.
				if math.Abs(pts[len(out)-1].X-pts[len(out)].X) < 1 {
					continue
				}
				add(costCorner*float64(len(pts)-2), polyline(radius, pts...)...)
			}
		}
	}
}

// exits are the ways from a box to the channel at height y, as points.
func (r *router) exits(a Rect, y float64) [][]Point {
	edge := a.bottom() + endGap
	if y < a.Y {
		edge = a.top() - endGap
	}
	var out [][]Point
	for _, f := range [...]float64{0, -.28, .28} {
		x := a.X + f*a.W
		out = append(out, []Point{{x, edge}, {x, y}})
	}
	// The two nearest lanes on either side.
	left, right := []float64{}, []float64{}
	for _, x := range r.lanes {
		if x < a.left() {
			left = append(left, x)
		} else if x > a.right() {
			right = append(right, x)
		}
	}
	slices.Sort(left)
	slices.Sort(right)
	slices.Reverse(left)
	for _, x := range left[:min(3, len(left))] {
		out = append(out, []Point{{a.left() - endGap, a.Y}, {x, a.Y}, {x, y}})
	}
	for _, x := range right[:min(3, len(right))] {
		out = append(out, []Point{{a.right() + endGap, a.Y}, {x, a.Y}, {x, y}})
	}
	return out
}
