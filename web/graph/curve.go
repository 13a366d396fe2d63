package graph

import (
	"math"
	"slices"
)

// Point is a place in the drawing, in pixels; y grows downwards.
type Point struct{ X, Y float64 }

func (p Point) add(q Point) Point            { return Point{p.X + q.X, p.Y + q.Y} }
func (p Point) sub(q Point) Point            { return Point{p.X - q.X, p.Y - q.Y} }
func (p Point) mul(f float64) Point          { return Point{p.X * f, p.Y * f} }
func (p Point) mix(q Point, f float64) Point { return p.add(q.sub(p).mul(f)) }
func (p Point) dot(q Point) float64          { return p.X*q.X + p.Y*q.Y }
func (p Point) length() float64              { return math.Sqrt(p.X*p.X + p.Y*p.Y) }
func (p Point) normal() Point                { return Point{-p.Y, p.X} }
func (p Point) unit() Point {
	if l := p.length(); l > 1e-9 {
		return p.mul(1 / l)
	}
	return Point{0, 1}
}

// Rect is an upright rectangle about its centre.
type Rect struct{ X, Y, W, H float64 }

func (r Rect) left() float64   { return r.X - r.W/2 }
func (r Rect) right() float64  { return r.X + r.W/2 }
func (r Rect) top() float64    { return r.Y - r.H/2 }
func (r Rect) bottom() float64 { return r.Y + r.H/2 }
func (r Rect) centre() Point   { return Point{r.X, r.Y} }

// grow moves each side out by d.
func (r Rect) grow(d float64) Rect { return Rect{r.X, r.Y, r.W + 2*d, r.H + 2*d} }

func (r Rect) has(p Point) bool {
	return math.Abs(p.X-r.X) <= r.W/2 && math.Abs(p.Y-r.Y) <= r.H/2
}

func (r Rect) overlaps(s Rect) bool {
	return math.Abs(r.X-s.X)*2 < r.W+s.W && math.Abs(r.Y-s.Y)*2 < r.H+s.H
}

// Cubic is a cubic Bézier curve: start, two control points, end.
type Cubic [4]Point

func line(a, b Point) Cubic { return Cubic{a, a.mix(b, 1./3), a.mix(b, 2./3), b} }

func (c Cubic) at(t float64) Point {
	u := 1 - t
	return c[0].mul(u * u * u).add(c[1].mul(3 * u * u * t)).add(c[2].mul(3 * u * t * t)).add(c[3].mul(t * t * t))
}

func (c Cubic) direction(t float64) Point {
	u := 1 - t
	d := c[1].sub(c[0]).mul(u * u).add(c[2].sub(c[1]).mul(2 * u * t)).add(c[3].sub(c[2]).mul(t * t))
	if d.length() < 1e-9 {
		d = c[3].sub(c[0])
	}
	return d.unit()
}

// split cuts c at t (de Casteljau).
func (c Cubic) split(t float64) (before, after Cubic) {
	ab, bc, cd := c[0].mix(c[1], t), c[1].mix(c[2], t), c[2].mix(c[3], t)
	abc, bcd := ab.mix(bc, t), bc.mix(cd, t)
	m := abc.mix(bcd, t)
	return Cubic{c[0], ab, abc, m}, Cubic{m, bcd, cd, c[3]}
}

func (c Cubic) part(from, to float64) Cubic {
	_, c = c.split(from)
	if from < 1 {
		c, _ = c.split((to - from) / (1 - from))
	}
	return c
}

// clip keeps what runs between two boxes that the curve starts and ends in: from its first way out
// of a to its last way into b. It fails when nothing is left.
func (c Cubic) clip(a, b Rect) (Cubic, bool) {
	n := c.steps(8)
	leaves := func(box Rect, at func(float64) Point) (float64, bool) {
		for i := 1; i <= n; i++ {
			if t := float64(i) / float64(n); !box.has(at(t)) {
				return bisect(t-1/float64(n), t, func(t float64) bool { return !box.has(at(t)) }), true
			}
		}
		return 0, false
	}
	from, ok1 := leaves(a, c.at)
	to, ok2 := leaves(b, func(t float64) Point { return c.at(1 - t) })
	if to = 1 - to; !ok1 || !ok2 || to <= from {
		return c, false
	}
	return c.part(from, to), true
}

// bisect finds where cond turns from false at lo to true at hi.
func bisect(lo, hi float64, cond func(float64) bool) float64 {
	for range 12 {
		if m := (lo + hi) / 2; cond(m) {
			hi = m
		} else {
			lo = m
		}
	}
	return hi
}

// sample is a point on a curve, the direction there, and how far along it is.
type sample struct {
	Point
	dir  Point
	dist float64
}

const (
	sampleStep = 6.  // pixels between samples, about
	roughStep  = 11. // pixels between the points of a first look
)

// steps divides a curve evenly enough.
func (c Cubic) steps(size float64) int {
	rough := c[1].sub(c[0]).length() + c[2].sub(c[1]).length() + c[3].sub(c[2]).length()
	return max(2, min(400, int(math.Ceil(rough/size))))
}

// walk appends samples of a path to out, which is empty.
func walk(out []sample, path []Cubic) []sample {
	n := 1
	for _, c := range path {
		n += c.steps(sampleStep)
	}
	out = slices.Grow(out, n)
	dist := 0.
	for i, c := range path {
		n := c.steps(sampleStep)
		for k := min(i, 1); k <= n; k++ {
			t := float64(k) / float64(n)
			s := sample{c.at(t), c.direction(t), 0}
			if len(out) > 0 {
				dist += s.sub(out[len(out)-1].Point).length()
			}
			s.dist = dist
			out = append(out, s)
		}
	}
	return out
}

// outline appends points of a path to buf.
func outline(buf []Point, path []Cubic) []Point {
	for i, c := range path {
		n := c.steps(roughStep)
		for k := min(i, 1); k <= n; k++ {
			buf = append(buf, c.at(float64(k)/float64(n)))
		}
	}
	return buf
}

// cut tells whether the straight line from p to q touches r (Liang and Barsky).
func (r Rect) cut(p, q Point) bool {
	left, right, top, bottom := r.left(), r.right(), r.top(), r.bottom()
	if p.X < left && q.X < left || p.X > right && q.X > right || p.Y < top && q.Y < top || p.Y > bottom && q.Y > bottom {
		return false
	}
	from, to := 0., 1.
	d := q.sub(p)
	for _, side := range [...][2]float64{
		{-d.X, p.X - left}, {d.X, right - p.X}, {-d.Y, p.Y - top}, {d.Y, bottom - p.Y},
	} {
		switch way, room := side[0], side[1]; {
		case way == 0 && room < 0:
			return false
		case way < 0:
			from = max(from, room/way)
		case way > 0:
			to = min(to, room/way)
		}
	}
	return from <= to
}

// polyline appends a run of straight lines, its corners rounded, to a path.
func polyline(path []Cubic, radius float64, pts ...Point) []Cubic {
	at := pts[0]
	for i := 1; i < len(pts)-1; i++ {
		in, out := pts[i].sub(pts[i-1]), pts[i+1].sub(pts[i])
		r := min(radius, in.length()/2, out.length()/2)
		from, to := pts[i].sub(in.unit().mul(r)), pts[i].add(out.unit().mul(r))
		path = append(path, line(at, from), Cubic{from, from.mix(pts[i], .55), to.mix(pts[i], .55), to})
		at = to
	}
	return append(path, line(at, pts[len(pts)-1]))
}

// shorten cuts d pixels off the end of a path, to make room for an arrow head.
func shorten(path []Cubic, d float64) []Cubic {
	end := path[len(path)-1][3]
	for len(path) > 1 && path[len(path)-1][0].sub(end).length() < d {
		path = path[:len(path)-1]
	}
	last := path[len(path)-1]
	if last[0].sub(end).length() <= d {
		return path
	}
	t := bisect(0, 1, func(t float64) bool { return last.at(t).sub(end).length() <= d })
	before, _ := last.split(t)
	return append(append([]Cubic(nil), path[:len(path)-1]...), before)
}
