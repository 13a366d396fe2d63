package geometry

import (
	"math"
	"slices"
)

// Point is a place in the drawing, in pixels; y grows downwards.
type Point struct{ X, Y float64 }

// At returns the point with some coordinates.
func At(x, y float64) Point { return Point{x, y} }

// Add returns p + q.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Sub returns p - q, the vector from q to p.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Mul returns p scaled by f.
func (p Point) Mul(f float64) Point { return Point{p.X * f, p.Y * f} }

// Mix returns the point between p (f = 0) and q (f = 1).
func (p Point) Mix(q Point, f float64) Point { return p.Add(q.Sub(p).Mul(f)) }

// Dot returns the scalar product.
func (p Point) Dot(q Point) float64 { return p.X*q.X + p.Y*q.Y }

// Length returns the length of the vector.
func (p Point) Length() float64 { return math.Sqrt(p.X*p.X + p.Y*p.Y) }

// Normal returns the vector turned by a quarter.
func (p Point) Normal() Point { return Point{-p.Y, p.X} }

// Unit returns the vector with length 1, or a unit vector down for a vector of length 0.
func (p Point) Unit() Point {
	if l := p.Length(); l > 1e-9 {
		return p.Mul(1 / l)
	}
	return Point{0, 1}
}

// Rect is an axis-parallel rectangle: its centre, width and height, in pixels.
type Rect struct{ X, Y, W, H float64 }

// Box returns the rectangle with centre (x, y), width w and height h.
func Box(x, y, w, h float64) Rect { return Rect{x, y, w, h} }

// Left returns the x coordinate of the left side.
func (r Rect) Left() float64 { return r.X - r.W/2 }

// Right returns the x coordinate of the right side.
func (r Rect) Right() float64 { return r.X + r.W/2 }

// Top returns the y coordinate of the upper side.
func (r Rect) Top() float64 { return r.Y - r.H/2 }

// Bottom returns the y coordinate of the lower side.
func (r Rect) Bottom() float64 { return r.Y + r.H/2 }

// Centre returns the middle of the rectangle.
func (r Rect) Centre() Point { return Point{r.X, r.Y} }

// Grow moves each side out by d.
func (r Rect) Grow(d float64) Rect { return Rect{r.X, r.Y, r.W + 2*d, r.H + 2*d} }

// Has reports whether a point is in the rectangle or on its border.
func (r Rect) Has(p Point) bool {
	return math.Abs(p.X-r.X) <= r.W/2 && math.Abs(p.Y-r.Y) <= r.H/2
}

// Overlaps reports whether two rectangles have common inner points.
func (r Rect) Overlaps(s Rect) bool {
	return math.Abs(r.X-s.X)*2 < r.W+s.W && math.Abs(r.Y-s.Y)*2 < r.H+s.H
}

// Move shifts a box.
func (r *Rect) Move(by Point) { r.X, r.Y = r.X+by.X, r.Y+by.Y }

// Cubic is a cubic Bézier curve: start, two control points, end.
type Cubic [4]Point

// Line returns a straight line as a curve.
func Line(a, b Point) Cubic { return Cubic{a, a.Mix(b, 1./3), a.Mix(b, 2./3), b} }

// At returns the point at parameter t, from 0 to 1.
func (c Cubic) At(t float64) Point {
	u := 1 - t
	return c[0].Mul(u * u * u).Add(c[1].Mul(3 * u * u * t)).Add(c[2].Mul(3 * u * t * t)).Add(c[3].Mul(t * t * t))
}

// Direction returns the unit tangent at t, or the direction of the chord if the tangent is 0.
func (c Cubic) Direction(t float64) Point {
	u := 1 - t
	d := c[1].Sub(c[0]).Mul(u * u).Add(c[2].Sub(c[1]).Mul(2 * u * t)).Add(c[3].Sub(c[2]).Mul(t * t))
	if d.Length() < 1e-9 {
		d = c[3].Sub(c[0])
	}
	return d.Unit()
}

// Split cuts c at t (de Casteljau).
func (c Cubic) Split(t float64) (before, after Cubic) {
	ab, bc, cd := c[0].Mix(c[1], t), c[1].Mix(c[2], t), c[2].Mix(c[3], t)
	abc, bcd := ab.Mix(bc, t), bc.Mix(cd, t)
	m := abc.Mix(bcd, t)
	return Cubic{c[0], ab, abc, m}, Cubic{m, bcd, cd, c[3]}
}

// Part returns the curve between two parameters.
func (c Cubic) Part(from, to float64) Cubic {
	_, c = c.Split(from)
	if from < 1 {
		c, _ = c.Split((to - from) / (1 - from))
	}
	return c
}

// Clip returns the part of a curve from box a, in which it starts, to box b, in which it ends: from where it first
// leaves a to where it last enters b. It returns false if nothing is left.
func (c Cubic) Clip(a, b Rect) (Cubic, bool) {
	n := c.Steps(8)
	leaves := func(box Rect, at func(float64) Point) (float64, bool) {
		for i := 1; i <= n; i++ {
			if t := float64(i) / float64(n); !box.Has(at(t)) {
				return Bisect(t-1/float64(n), t, func(t float64) bool { return !box.Has(at(t)) }), true
			}
		}
		return 0, false
	}
	from, ok1 := leaves(a, c.At)
	to, ok2 := leaves(b, func(t float64) Point { return c.At(1 - t) })
	if to = 1 - to; !ok1 || !ok2 || to <= from {
		return c, false
	}
	return c.Part(from, to), true
}

// Bisect finds where cond turns from false at lo to true at hi.
func Bisect(lo, hi float64, cond func(float64) bool) float64 {
	for range 12 {
		if m := (lo + hi) / 2; cond(m) {
			hi = m
		} else {
			lo = m
		}
	}
	return hi
}

// Sample is a point on a curve, the direction there, and how far along it is.
type Sample struct {
	Point
	Dir  Point
	Dist float64
}

const (
	SampleStep = 6.  // pixels between samples, about
	RoughStep  = 11. // pixels between the points of a first look
)

// Steps returns the number of segments, from 2 to 400, that divide a curve into pieces of about size pixels.
func (c Cubic) Steps(size float64) int {
	rough := c[1].Sub(c[0]).Length() + c[2].Sub(c[1]).Length() + c[3].Sub(c[2]).Length()
	return max(2, min(400, int(math.Ceil(rough/size))))
}

// Walk appends samples of a path to out, which is empty.
func Walk(out []Sample, path []Cubic) []Sample {
	n := 1
	for _, c := range path {
		n += c.Steps(SampleStep)
	}
	out = slices.Grow(out, n)
	dist := 0.
	for i, c := range path {
		n := c.Steps(SampleStep)
		for k := min(i, 1); k <= n; k++ {
			t := float64(k) / float64(n)
			s := Sample{c.At(t), c.Direction(t), 0}
			if len(out) > 0 {
				dist += s.Sub(out[len(out)-1].Point).Length()
			}
			s.Dist = dist
			out = append(out, s)
		}
	}
	return out
}

// Outline appends points of a path to buf.
func Outline(buf []Point, path []Cubic) []Point {
	for i, c := range path {
		n := c.Steps(RoughStep)
		for k := min(i, 1); k <= n; k++ {
			buf = append(buf, c.At(float64(k)/float64(n)))
		}
	}
	return buf
}

// Cut reports whether the straight line from p to q touches r (Liang and Barsky).
func (r Rect) Cut(p, q Point) bool {
	left, right, top, bottom := r.Left(), r.Right(), r.Top(), r.Bottom()
	if p.X < left && q.X < left || p.X > right && q.X > right || p.Y < top && q.Y < top || p.Y > bottom &&
		q.Y > bottom {
		return false
	}
	from, to := 0., 1.
	d := q.Sub(p)
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

// Polyline appends a run of straight lines, its corners rounded, to a path.
func Polyline(path []Cubic, radius float64, pts ...Point) []Cubic {
	at := pts[0]
	for i := 1; i < len(pts)-1; i++ {
		in, out := pts[i].Sub(pts[i-1]), pts[i+1].Sub(pts[i])
		r := min(radius, in.Length()/2, out.Length()/2)
		from, to := pts[i].Sub(in.Unit().Mul(r)), pts[i].Add(out.Unit().Mul(r))
		path = append(path, Line(at, from), Cubic{from, from.Mix(pts[i], .55), to.Mix(pts[i], .55), to})
		at = to
	}
	return append(path, Line(at, pts[len(pts)-1]))
}

// Shorten cuts d pixels off the end of a path, to make room for an arrow head.
func Shorten(path []Cubic, d float64) []Cubic {
	end := path[len(path)-1][3]
	for len(path) > 1 && path[len(path)-1][0].Sub(end).Length() < d {
		path = path[:len(path)-1]
	}
	last := path[len(path)-1]
	if last[0].Sub(end).Length() <= d {
		return path
	}
	t := Bisect(0, 1, func(t float64) bool { return last.At(t).Sub(end).Length() <= d })
	before, _ := last.Split(t)
	return append(append([]Cubic(nil), path[:len(path)-1]...), before)
}
