package graph

// crowd knows which routed edges pass a place: a grid of cells with the samples
// of curves in them.
type crowd struct {
	origin     Point
	size       float64 // of a cell; no less than nearEdge
	cols, rows int
	cells      [][]passer
	used       [][]int // for each edge, the cells it has samples in
	seen       []int   // for each edge, the last meeting that counted it
	meeting    int
	looked     int // at samples, so far
}

type passer struct {
	edge int
	at   Point
	dir  Point
}

// maxCells bounds the grid: that of a larger room is coarser.
const maxCells = 1 << 18

func newCrowd(room Rect) *crowd {
	c := &crowd{origin: Point{room.left(), room.top()}, size: nearEdge}
	for (room.W/c.size+1)*(room.H/c.size+1) > maxCells {
		c.size *= 2
	}
	c.cols, c.rows = int(room.W/c.size)+1, int(room.H/c.size)+1
	c.cells = make([][]passer, c.cols*c.rows)
	return c
}

// cell is the column and row of p, drawn to the border when p lies outside.
func (c *crowd) cell(p Point) (x, y int) {
	x, y = int((p.X-c.origin.X)/c.size), int((p.Y-c.origin.Y)/c.size)
	return min(max(x, 0), c.cols-1), min(max(y, 0), c.rows-1)
}

func (c *crowd) add(edge int, samples []sample) {
	for len(c.used) <= edge {
		c.used = append(c.used, nil)
		c.seen = append(c.seen, 0)
	}
	for _, s := range samples {
		x, y := c.cell(s.Point)
		k := y*c.cols + x
		c.cells[k] = append(c.cells[k], passer{edge, s.Point, s.dir})
		c.used[edge] = append(c.used[edge], k)
	}
}

func (c *crowd) remove(edge int) {
	for _, k := range c.used[edge] {
		kept := c.cells[k][:0]
		for _, p := range c.cells[k] {
			if p.edge != edge {
				kept = append(kept, p)
			}
		}
		c.cells[k] = kept
	}
	c.used[edge] = nil
}

// meet counts the samples that run along another edge, and the edges crossed.
func (c *crowd) meet(edge int, samples []sample) (shared, crossed int) {
	c.meeting++
	for _, s := range samples {
		along := false
		c.near(s.Point, func(p passer) {
			if p.edge == edge {
				return
			}
			if cos := p.dir.dot(s.dir); cos > .9 || cos < -.9 {
				along = true
			} else if c.seen[p.edge] != c.meeting {
				c.seen[p.edge] = c.meeting
				crossed++
			}
		})
		if along {
			shared++
		}
	}
	return shared, crossed
}

// near calls f for every sample within nearEdge of p.
func (c *crowd) near(p Point, f func(passer)) {
	x, y := c.cell(p)
	for j := max(0, y-1); j <= min(c.rows-1, y+1); j++ {
		for i := max(0, x-1); i <= min(c.cols-1, x+1); i++ {
			c.looked += len(c.cells[j*c.cols+i])
			for _, q := range c.cells[j*c.cols+i] {
				if d := q.at.sub(p); d.dot(d) < nearEdge*nearEdge {
					f(q)
				}
			}
		}
	}
}

// under calls f for every sample inside r.
func (c *crowd) under(r Rect, f func(passer)) {
	x0, y0 := c.cell(Point{r.left(), r.top()})
	x1, y1 := c.cell(Point{r.right(), r.bottom()})
	for j := y0; j <= y1; j++ {
		for i := x0; i <= x1; i++ {
			c.looked += len(c.cells[j*c.cols+i])
			for _, q := range c.cells[j*c.cols+i] {
				if r.has(q.at) {
					f(q)
				}
			}
		}
	}
}
