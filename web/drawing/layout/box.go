package layout

import (
	"slices"
	"strings"

	"litmuscope/web/drawing/geometry"

	"litmuscope/models"
)

// Box is the box around the threads of a scope, of a test for GPUs. Boxes nest as scopes do; edges run over them. If
// threads of one scope do not stand next to each other, each group of them has a box.
type Box struct {
	geometry.Rect
	Name  string        // "cta 0"
	Title geometry.Rect // the room for the name, on the upper side
	Words string        // in full: "cta 0: P0, P1"
	First int           // the first of its threads
	Last  int
	Level int // how many boxes are within it, one in the other
}

// Sizes in pixels.
const (
	boxInner  = 10. // between a column and the innermost box around it
	boxStep   = 11. // between a box and the one around it, at the sides
	boxAbove  = 19. // the same, above, with the name
	boxBelow  = 8.  // the same, below
	boxesSkip = 8.  // at least between two boxes side by side
)

// levels is the number of boxes around each thread.
func levels(g *models.Graph) int {
	if len(g.Threads) == 0 {
		return 0
	}
	return len(g.Threads[0].Scopes)
}

// share reports whether two threads share the scope of a level, which is within those of all higher levels.
func share(g *models.Graph, a, b, level int) bool {
	x, y := g.Threads[a].Scopes, g.Threads[b].Scopes
	return len(x) > level && len(x) == len(y) && slices.Equal(x[level:], y[level:])
}

// boxAround is the room that boxes up to a level take beside the outer of their columns.
func boxAround(level int) float64 { return boxInner + boxStep*float64(level) }

// boxRoom is the room that boxes take above threads and below them.
func (d *Drawing) boxRoom() (above, below float64) {
	if n := float64(levels(d.graph)); n > 0 {
		return boxAbove * n, boxInner + boxBelow*n
	}
	return 0, 0
}

// boxGap is the least distance between the columns of two threads side by side, for the boxes that end between them.
func (d *Drawing) boxGap(left, right int) float64 {
	for level := levels(d.graph) - 1; level >= 0; level-- {
		if right < len(d.graph.Threads) && !share(d.graph, left, right, level) {
			return 2*boxAround(level) + boxesSkip
		}
	}
	return 0
}

// placeBoxes draws the boxes around threads that have their places, the outer ones first. Those of one band have equal
// heights.
func (d *Drawing) placeBoxes(size *grid) {
	d.Boxes = nil
	g := d.graph
	for level := levels(g) - 1; level >= 0; level-- {
		for first := 0; first < len(g.Threads); {
			last := first
			for last+1 < len(g.Threads) && (last+1)%size.across != 0 && share(g, first, last+1, level) {
				last++
			}
			d.Boxes = append(d.Boxes, d.box(size, first, last, level))
			first = last + 1
		}
	}
}

// box is the box around some threads of one band.
func (d *Drawing) box(size *grid, first, last, level int) Box {
	band := first / size.across
	top, bottom := d.Headers[first].Top(), d.Headers[first].Bottom()
	for _, n := range d.Nodes {
		if !n.Init() && n.col/size.across == band {
			bottom = max(bottom, n.Bottom())
		}
	}
	for _, s := range d.Sections {
		if d.Nodes[s.first].col/size.across == band {
			bottom = max(bottom, s.Bottom())
		}
	}
	left := size.centre(first) - size.slots[first%size.across]/2 - boxAround(level)
	right := size.centre(last) + size.slots[last%size.across]/2 + boxAround(level)
	top -= boxInner + boxAbove*float64(level)
	bottom += boxInner + boxBelow*float64(level)
	name := short(d.graph.Threads[first].Scopes[level])
	var names []string
	for t := first; t <= last; t++ {
		names = append(names, full(d.graph.Threads[t].Name))
	}
	w := min(sans(name, TagSize)+6, right-left-16)
	return Box{
		Rect: geometry.Box((left+right)/2, (top+bottom)/2, right-left, bottom-top),
		Name: name, Title: geometry.Box(left+8+w/2, top, w, titleSize),
		Words: name + ": " + strings.Join(names, ", "), First: first, Last: last, Level: level,
	}
}
