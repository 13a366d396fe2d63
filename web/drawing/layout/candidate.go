package layout

import (
	"cmp"
	"math"
	"slices"

	"litmuscope/web/drawing/geometry"
)

// arcs are cubics from box to box, with growing bend on either side. They aim at
// the centres or a quarter to the side of them; a second kind rises more steeply.
// Sparse keeps to the centres.
func arcs(a, b geometry.Rect, sparse bool, add func(float64, []geometry.Cubic)) {
	path := make([]geometry.Cubic, 1)
	bends := [...]float64{0, .06, .12, .18, .26, .36, .48, .64, .84}
	aims := []float64{0, -.28, .28}
	if sparse {
		aims = aims[:1]
	}
	for _, pull := range [...]float64{1. / 3, .1} {
		for _, fa := range aims {
			for _, fb := range aims {
				p, q := geometry.At(a.X+fa*a.W, a.Y), geometry.At(b.X+fb*b.W, b.Y)
				d := q.Sub(p)
				for k, bend := range bends {
					for _, sign := range [...]float64{1, -1} {
						if k == 0 && sign < 0 {
							continue
						}
						off := d.Normal().Mul(sign * bend)
						c := geometry.Cubic{p, p.Mix(q, pull).Add(off), q.Mix(p, pull).Add(off), q}
						c, ok := c.Clip(a.Grow(endGap), b.Grow(endGap))
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
						path[0] = c
						add(cost, path)
					}
				}
			}
		}
	}
}

// beside are curves out of one side of a box and into the same side of the other,
// in lanes further and further out.
func beside(a, b geometry.Rect, add func(float64, []geometry.Cubic)) {
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
				p := geometry.At(a.X+sign*(a.W/2+endGap), a.Y+down*port*a.H)
				q := geometry.At(b.X+sign*(b.W/2+endGap), b.Y-down*port*b.H)
				x := sign*depth + (p.X+q.X)/2
				if sign*x < max(sign*p.X, sign*q.X)+10 {
					continue
				}
				add(costLane+float64(k)*1.5, []geometry.Cubic{{p, geometry.At(x, p.Y), geometry.At(x, q.Y), q}})
				if span > 220 {
					// Long ones run straight down their lane.
					turn := down * min(70, span/3)
					add(costLane+1+float64(k)*1.5, []geometry.Cubic{
						{p, geometry.At(p.X+(x-p.X)*.5, p.Y), geometry.At(x, p.Y+turn*.3), geometry.At(x, p.Y+turn)},
						geometry.Line(geometry.At(x, p.Y+turn), geometry.At(x, q.Y-turn)),
						{geometry.At(x, q.Y-turn), geometry.At(x, q.Y-turn*.3), geometry.At(q.X+(x-q.X)*.5, q.Y), q},
					})
				}
			}
		}
	}
}

// loops lead from an event to itself.
func loops(a geometry.Rect, add func(float64, []geometry.Cubic)) {
	for _, sign := range [...]float64{1, -1} {
		for k, depth := range [...]float64{34, 44, 56, 70} {
			x, dy := a.X+sign*(a.W/2+endGap), a.H*.28
			add(float64(k)*3, []geometry.Cubic{{
				geometry.At(x, a.Y-dy),
				geometry.At(x+sign*depth, a.Y-dy-depth/3),
				geometry.At(x+sign*depth, a.Y+dy+depth/3),
				geometry.At(x, a.Y+dy),
			}})
		}
	}
}

// channels finds the free lines between rows and between columns. Initial writes stand where they
// like, so that they have lanes of their own.
func (r *router) channels() {
	var initial, threads []Node
	for _, n := range r.d.Nodes {
		if n.Init() {
			initial = append(initial, n)
		} else {
			threads = append(threads, n)
		}
	}
	across := func(n Node) (float64, float64) { return n.Left(), n.Right() }
	r.rows = between(r.d.Nodes, func(n Node) (float64, float64) { return n.Top(), n.Bottom() })
	r.lanes[0], r.lanes[1] = between(threads, across), between(initial, across)
	slices.Sort(r.rows)
	slices.Sort(r.lanes[0])
	slices.Sort(r.lanes[1])
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

// way is a run of straight lines between two boxes.
type way struct {
	cost float64
	pts  [6]geometry.Point
	n    int
}

// alongChannels leads around boxes: out of a box at the side, or at the top or
// bottom, along a channel between two rows that is near to one of them, and into the other box
// likewise. The least costly ways come first, so that few are looked at.
func (r *router) alongChannels(e *Edge, add func(float64, []geometry.Cubic), hopeless func(float64) bool) {
	const radius = 18.
	a, b := &r.d.Nodes[e.from], &r.d.Nodes[e.to]
	ways, path := r.ways[:0], []geometry.Cubic(nil)
	for _, y := range r.rowsNear(a.Y, b.Y) {
		outs, ins := r.exits(a, y), r.exits(b, y)
		for _, out := range outs {
			for _, in := range ins {
				// Where both stand over the same place the channel is not used.
				if math.Abs(out[len(out)-1].X-in[len(in)-1].X) < 1 {
					continue
				}
				var w way
				w.n = copy(w.pts[:], out) + len(in)
				for i := range in {
					w.pts[w.n-1-i] = in[i]
				}
				for i := 1; i < w.n; i++ { // straight up, down, or across
					w.cost += math.Abs(w.pts[i].X-w.pts[i-1].X) + math.Abs(w.pts[i].Y-w.pts[i-1].Y)
				}
				w.cost = costCorner*float64(w.n-2) + costDetour*w.cost
				ways = append(ways, w)
			}
		}
	}
	r.ways = ways
	r.work += 4 * len(ways)
	slices.SortStableFunc(ways, func(v, w way) int { return cmp.Compare(quantum(v.cost), quantum(w.cost)) })
	for _, w := range ways {
		if hopeless(w.cost) {
			return
		}
		path = geometry.Polyline(path[:0], radius, w.pts[:w.n]...)
		add(w.cost, path)
	}
}

// rowsNear are the channels between rows on either side of two heights.
func (r *router) rowsNear(heights ...float64) []float64 {
	near := either(r.sparse, 4, 2)
	taken := map[int]bool{}
	for _, y := range heights {
		k, _ := slices.BinarySearch(r.rows, y)
		for i := max(0, k-near); i < min(len(r.rows), k+near); i++ {
			taken[i] = true
		}
	}
	var out []float64
	for i, y := range r.rows {
		if taken[i] {
			out = append(out, y)
		}
	}
	return out
}

// exits are the ways from a box to the channel at height y, as points.
func (r *router) exits(n *Node, y float64) [][]geometry.Point {
	edge := n.Bottom() + endGap
	if y < n.Y {
		edge = n.Top() - endGap
	}
	// The nearest lanes on either side.
	lanes := either(n.Init(), r.lanes[0], r.lanes[1])
	near := either(r.sparse, 3, 2)
	left, _ := slices.BinarySearch(lanes, n.Left())
	right, _ := slices.BinarySearch(lanes, n.Right())
	pts, out := make([]geometry.Point, 0, 3*9), make([][]geometry.Point, 0, 9)
	add := func(p ...geometry.Point) {
		pts = append(pts, p...)
		out = append(out, pts[len(pts)-len(p):])
	}
	for _, f := range [...]float64{0, -.28, .28} {
		x := n.X + f*n.W
		add(geometry.At(x, edge), geometry.At(x, y))
	}
	for _, x := range lanes[max(0, left-near):left] {
		add(geometry.At(n.Left()-endGap, n.Y), geometry.At(x, n.Y), geometry.At(x, y))
	}
	for _, x := range lanes[right:min(len(lanes), right+near)] {
		add(geometry.At(n.Right()+endGap, n.Y), geometry.At(x, n.Y), geometry.At(x, y))
	}
	return out
}
