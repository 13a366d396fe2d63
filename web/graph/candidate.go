package graph

import (
	"cmp"
	"math"
	"slices"
)

// arcs are cubics from box to box, with growing bend on either side. They aim at
// the centres or a quarter to the side of them; a second kind rises more steeply.
// Sparse keeps to the centres.
func arcs(a, b Rect, sparse bool, add func(float64, ...Cubic)) {
	bends := [...]float64{0, .06, .12, .18, .26, .36, .48, .64, .84}
	aims := []float64{0, -.28, .28}
	if sparse {
		aims = aims[:1]
	}
	for _, pull := range [...]float64{1. / 3, .1} {
		for _, fa := range aims {
			for _, fb := range aims {
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
			add(float64(k)*3, Cubic{
				{x, a.Y - dy},
				{x + sign*depth, a.Y - dy - depth/3},
				{x + sign*depth, a.Y + dy + depth/3},
				{x, a.Y + dy},
			})
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
	for k, y := range r.rows {
		if r.spent(less) {
			return
		}
		if r.sparse && k%2 == 1 {
			continue
		}
		for _, out := range r.exits(a, y) {
			for _, in := range r.exits(b, y) {
				slices.Reverse(in)
				pts := append(slices.Clone(out), in...)
				slices.Reverse(in)
				// Where both stand over the same place the channel is not used.
				if math.Abs(pts[len(out)-1].X-pts[len(out)].X) < 1 {
					continue
				}
				r.work += 16
				length := 0.
				for i := 1; i < len(pts); i++ {
					length += pts[i].sub(pts[i-1]).length()
				}
				add(costCorner*float64(len(pts)-2)+costDetour*length, polyline(radius, pts...)...)
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
