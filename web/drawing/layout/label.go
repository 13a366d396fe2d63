package layout

import (
	"math"

	"litmuscope/web/drawing/geometry"
)

// What a label costs by where it is.
const (
	labelNode   = 5000. // on a box
	labelLabel  = 700.  // on another label
	labelClose  = 30.   // not apart from another label
	labelHeader = 400.
	labelEdge   = 26. // on another edge, at first; see stern
	labelMiddle = 30. // at an end rather than in the middle
	labelBeside = 14. // beside the curve rather than on it
	labelHead   = 60. // on the edge's own arrow head, or on its root
	labelBeyond = .3  // a pixel outside the drawing's room

	longLabel = 96. // beyond it words that are not seen at first claim no room
)

// slot finds the best place for the label of edge i along a curve: on it, or
// right beside it, at one of a dozen distances from the middle, or of many once faults are mended. Places that cost
// more than most are passed over; where all do, the cost is infinite.
func (r *router) slot(i int, samples []geometry.Sample, most float64) (geometry.Rect, float64) {
	e := &r.d.Edges[i]
	size := e.Label
	claim := r.claim(e)
	var best geometry.Rect
	bestCost := infinite
	for _, f := range r.shares(samples[len(samples)-1].Dist) {
		s := along(samples, f)
		n := s.Dir.Normal()
		beside := math.Abs(n.X)*claim.W/2 + math.Abs(n.Y)*claim.H/2 + 3
		for _, off := range [...]float64{0, beside, -beside} {
			at := s.Add(n.Mul(off))
			box := geometry.Box(at.X, at.Y, claim.W, claim.H)
			cost := labelMiddle * math.Abs(f-.5)
			if off != 0 {
				cost += labelBeside
			}
			cost = r.costSlot(i, box, samples, cost, min(most, bestCost)+1./64)
			if cost = quantum(cost); cost < bestCost {
				best, bestCost = geometry.Box(at.X, at.Y, size.W, size.H), cost
			}
		}
	}
	return best, bestCost
}

// claim is the room that must be free for the label of e, where it is now: for the words that the
// default view has, if any, so that they are at their curve.
func (r *router) claim(e *Edge) geometry.Rect {
	c := e.Label
	if e.Default() {
		c.W = min(e.core, c.W)
	} else {
		c.W = min(c.W, longLabel)
	}
	return c
}

var infinite = math.Inf(1)

// shares are the distances along a curve of this length at which a label is tried, as shares of it,
// from the middle outwards.
func (r *router) shares(length float64) []float64 {
	if !r.mending {
		return []float64{.5, .44, .56, .38, .62, .32, .68, .26, .74, .2, .8, .14, .86}
	}
	out := []float64{.5}
	for f, step := 0., max(7/length, .01); f < .42; {
		f += step
		out = append(out, .5-f, .5+f)
	}
	return out
}

// costSlot adds to a slot's cost what it costs by its place, or gives up where that is
// more than most.
func (r *router) costSlot(i int, box geometry.Rect, samples []geometry.Sample, before, most float64) float64 {
	cost := 0.
	r.work += len(r.d.Nodes) + len(r.titles)
	for k := range r.d.Nodes {
		if r.d.Nodes[k].Grow(2).Overlaps(box) {
			cost += labelNode
		}
	}
	for _, h := range r.titles {
		if h.Overlaps(box) {
			cost += labelHeader
		}
	}
	for k := range r.d.Edges {
		if before+cost > most {
			return infinite
		}
		r.work++
		if !r.placed[k] || k == i {
			continue
		}
		if l := r.d.Edges[k].Label; l.Overlaps(box.Grow(1)) {
			cost += labelLabel
		} else if l.Overlaps(box.Grow(LabelSize / 2)) {
			cost += labelClose
		}
	}
	r.crowd.Under(box.Grow(2), i, func(int) { cost += r.struck })
	first, last := samples[0], samples[len(samples)-1]
	head := last.Sub(last.Dir.Mul(headLong / 2))
	if box.Grow(headLong/2).Has(head) || box.Has(first.Point) {
		cost += labelHead
	}
	dx := max(0, math.Abs(box.X-r.room.X)+(box.W-r.room.W)/2)
	dy := max(0, math.Abs(box.Y-r.room.Y)+(box.H-r.room.H)/2)
	return before + (cost + labelBeyond*(dx+dy))
}

// along is the sample that lies the share f of the way along the curve.
func along(samples []geometry.Sample, f float64) geometry.Sample {
	want := samples[len(samples)-1].Dist * f
	for k := 1; k < len(samples); k++ {
		if b := samples[k]; b.Dist >= want {
			a := samples[k-1]
			share := 0.
			if b.Dist > a.Dist {
				share = (want - a.Dist) / (b.Dist - a.Dist)
			}
			return geometry.Sample{Point: a.Mix(b.Point, share), Dir: b.Dir, Dist: want}
		}
	}
	return samples[len(samples)-1]
}
