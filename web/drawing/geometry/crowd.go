package geometry

// Crowd knows which routed edges pass a place: a grid of cells with the samples
// of curves in them.
type Crowd struct {
	origin     Point
	near       float64 // pixels
	size       float64 // of a cell; no less than near
	cols, rows int
	cells      [][]Passer
	used       [][]int // for each edge, the cells it has samples in
	seen       []int   // for each edge, the last meeting that counted it
	meeting    int
	looked     int // at samples, so far
}

// Passer is a sample of an edge.
type Passer struct {
	Edge int
	At   Point
	Dir  Point
}

// maxCells bounds the grid: that of a larger room is coarser.
const maxCells = 1 << 18

// NewCrowd is of nobody yet, in a room; what is within so many pixels is near.
func NewCrowd(room Rect, near float64) *Crowd {
	c := &Crowd{origin: Point{room.Left(), room.Top()}, near: near, size: near}
	for (room.W/c.size+1)*(room.H/c.size+1) > maxCells {
		c.size *= 2
	}
	c.cols, c.rows = int(room.W/c.size)+1, int(room.H/c.size)+1
	c.cells = make([][]Passer, c.cols*c.rows)
	return c
}

// cell is the column and row of p, drawn to the border when p lies outside.
func (c *Crowd) cell(p Point) (x, y int) {
	x, y = int((p.X-c.origin.X)/c.size), int((p.Y-c.origin.Y)/c.size)
	return min(max(x, 0), c.cols-1), min(max(y, 0), c.rows-1)
}

// Add has an edge pass.
func (c *Crowd) Add(edge int, samples []Sample) {
	for len(c.used) <= edge {
		c.used = append(c.used, nil)
		c.seen = append(c.seen, 0)
	}
	for _, s := range samples {
		x, y := c.cell(s.Point)
		k := y*c.cols + x
		c.cells[k] = append(c.cells[k], Passer{edge, s.Point, s.Dir})
		c.used[edge] = append(c.used[edge], k)
	}
}

// Remove takes an edge away.
func (c *Crowd) Remove(edge int) {
	for _, k := range c.used[edge] {
		kept := c.cells[k][:0]
		for _, p := range c.cells[k] {
			if p.Edge != edge {
				kept = append(kept, p)
			}
		}
		c.cells[k] = kept
	}
	c.used[edge] = nil
}

// Meet counts the samples that run along another edge, and the edges crossed.
func (c *Crowd) Meet(edge int, samples []Sample) (shared, crossed int) {
	c.meeting++
	for _, s := range samples {
		along := false
		c.Near(s.Point, func(p Passer) {
			if p.Edge == edge {
				return
			}
			if cos := p.Dir.Dot(s.Dir); cos > .9 || cos < -.9 {
				along = true
			} else if c.seen[p.Edge] != c.meeting {
				c.seen[p.Edge] = c.meeting
				crossed++
			}
		})
		if along {
			shared++
		}
	}
	return shared, crossed
}

// Near calls f for every sample that is near p.
func (c *Crowd) Near(p Point, f func(Passer)) {
	x, y := c.cell(p)
	for j := max(0, y-1); j <= min(c.rows-1, y+1); j++ {
		for i := max(0, x-1); i <= min(c.cols-1, x+1); i++ {
			c.looked += len(c.cells[j*c.cols+i])
			for _, q := range c.cells[j*c.cols+i] {
				if d := q.At.Sub(p); d.Dot(d) < c.near*c.near {
					f(q)
				}
			}
		}
	}
}

// Under calls f for every edge but one that has a sample inside r, once for each.
func (c *Crowd) Under(r Rect, but int, f func(edge int)) {
	c.meeting++
	x0, y0 := c.cell(Point{r.Left(), r.Top()})
	x1, y1 := c.cell(Point{r.Right(), r.Bottom()})
	for j := y0; j <= y1; j++ {
		for i := x0; i <= x1; i++ {
			c.looked += len(c.cells[j*c.cols+i])
			for _, q := range c.cells[j*c.cols+i] {
				if q.Edge != but && c.seen[q.Edge] != c.meeting && r.Has(q.At) {
					c.seen[q.Edge] = c.meeting
					f(q.Edge)
				}
			}
		}
	}
}

// Looked is at how many samples was looked so far.
func (c *Crowd) Looked() int { return c.looked }
