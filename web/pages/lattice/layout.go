package lattice

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"litmuscope/solver/synth/distinguish"
)

// picture is a lattice in pixels, the strongest models at the top.
type picture struct {
	Width, Height int
	Boxes         []boxView
	Lines         []lineView
}

// boxView is a box of models that no test distinguishes.
type boxView struct {
	X, Y, W, H int // the top left corner, and the size
	Labels     []string
}

// lineView is a line from a box to one directly below it, with a test that distinguishes the two.
type lineView struct {
	Points [][2]int
	X, Y   int // the middle of its label
	cellView
}

// Sizes in pixels.
const (
	charWidth, lineHeight = 8, 18
	padding               = 10
	betweenBoxes          = 56
	betweenRanks          = 78
)

// draw lays a lattice out in ranks. A box's rank is the length of the longest path from a strongest model, so that
// every model is below all stronger ones. A line over several ranks gets an invisible node in each rank between, which
// keeps it away from the boxes. Eight sweeps, alternately downwards and upwards, then sort each rank by the mean
// position of its neighbours, which reduces crossings (the barycentre method of Sugiyama, Tagawa and Toda).
func draw(l *distinguish.Lattice, labels []string, cells [][]cellView) picture {
	classes := l.Classes()
	below := l.Below(classes)
	rank := make([]int, len(classes))
	for range classes { // the longest path from the top
		for a := range classes {
			for _, b := range below[a] {
				rank[b] = max(rank[b], rank[a]+1)
			}
		}
	}
	// A node is a box, or the point where a line passes through a rank.
	type node struct {
		class      int // -1: not a box
		rank, w, h int
		room       int // width reserved in the rank, with space for labels of lines
		x          int // middle
		up, down   []int
		at         float64
	}
	var nodes []node
	for c, members := range classes {
		n := node{class: c, rank: rank[c], h: len(members)*lineHeight + padding}
		for _, m := range members {
			n.w = max(n.w, utf8.RuneCountInString(labels[m])*charWidth+2*padding)
		}
		nodes = append(nodes, n)
	}
	type edge struct{ from, to int }
	var edges []edge
	above := make([]int, len(classes))
	for a := range classes {
		for _, b := range below[a] {
			above[b]++
		}
	}
	ways := map[int][]int{} // the nodes on the path of each edge
	join := func(a, b int) {
		nodes[a].down, nodes[b].up = append(nodes[a].down, b), append(nodes[b].up, a)
	}
	for a := range classes {
		for _, b := range below[a] {
			way := []int{a}
			for r := rank[a] + 1; r < rank[b]; r++ {
				nodes = append(nodes, node{class: -1, rank: r, w: 12})
				join(way[len(way)-1], len(nodes)-1)
				way = append(way, len(nodes)-1)
			}
			join(way[len(way)-1], b)
			told := utf8.RuneCountInString(cells[classes[a][0]][classes[b][0]].Name) * charWidth * 3 / 2
			if len(below[a]) > 1 {
				nodes[b].room = max(nodes[b].room, told)
			}
			if above[b] > 1 {
				nodes[a].room = max(nodes[a].room, told)
			}
			ways[len(edges)] = append(way, b)
			edges = append(edges, edge{from: a, to: b})
		}
	}
	ranks := make([][]int, slices.Max(append(slices.Clone(rank), 0))+1)
	for i, n := range nodes {
		ranks[n.rank] = append(ranks[n.rank], i)
	}
	place := func() (width int) {
		widths := make([]int, len(ranks))
		for r, row := range ranks {
			widths[r] = 0
			for _, i := range row {
				nodes[i].room = max(nodes[i].room, nodes[i].w+betweenBoxes)
				widths[r] += nodes[i].room
			}
			width = max(width, widths[r])
		}
		for r, row := range ranks {
			x := (width - widths[r]) / 2
			for _, i := range row {
				nodes[i].x = x + nodes[i].room/2
				x += nodes[i].room
			}
		}
		return width
	}
	width := place()
	for sweep := range 8 { // sort each rank by its neighbours
		for r := range ranks {
			if sweep%2 == 1 {
				r = len(ranks) - 1 - r
			}
			for _, i := range ranks[r] {
				next := nodes[i].up
				if sweep%2 == 1 {
					next = nodes[i].down
				}
				nodes[i].at = float64(nodes[i].x)
				if len(next) > 0 {
					nodes[i].at = 0
					for _, j := range next {
						nodes[i].at += float64(nodes[j].x) / float64(len(next))
					}
				}
			}
			slices.SortStableFunc(ranks[r], func(a, b int) int { return cmp.Compare(nodes[a].at, nodes[b].at) })
			width = place()
		}
	}
	tops := make([]int, len(ranks)+1)
	for r, row := range ranks {
		tall := 0
		for _, i := range row {
			tall = max(tall, nodes[i].h)
		}
		tops[r+1] = tops[r] + tall + betweenRanks
	}
	const margin = 30 // space for the labels of the outer lines
	p := picture{Width: width + 2*margin, Height: tops[len(ranks)] - betweenRanks + 2}
	for _, n := range nodes {
		if n.class < 0 {
			continue
		}
		b := boxView{X: margin + n.x - n.w/2, Y: tops[n.rank] + 1, W: n.w, H: n.h}
		for _, m := range classes[n.class] {
			b.Labels = append(b.Labels, labels[m])
		}
		p.Boxes = append(p.Boxes, b)
	}
	for e := range edges {
		var v lineView
		way := ways[e]
		for k, i := range way {
			n := nodes[i]
			y := tops[n.rank] + 1
			if k == 0 {
				y += n.h
			}
			v.Points = append(v.Points, [2]int{margin + n.x, y})
		}
		// Put the label nearer to the end where fewer lines meet.
		a, b := v.Points[0], v.Points[1]
		part := 50
		if ups, downs := len(nodes[way[len(way)-1]].up), len(nodes[way[0]].down); downs > ups {
			a, b = v.Points[len(v.Points)-2], v.Points[len(v.Points)-1]
			part = 66
		} else if ups > downs {
			part = 34
		}
		v.X, v.Y = a[0]+(b[0]-a[0])*part/100, a[1]+(b[1]-a[1])*part/100
		v.cellView = cells[classes[edges[e].from][0]][classes[edges[e].to][0]]
		p.Lines = append(p.Lines, v)
	}
	p.fit()
	return p
}

// fit widens the picture until it contains the labels of its lines.
func (p *picture) fit() {
	left, right := 0, p.Width
	for _, l := range p.Lines {
		half := utf8.RuneCountInString(l.Name) * charWidth / 2
		left, right = min(left, l.X-half), max(right, l.X+half)
	}
	p.Width = right - left
	for i := range p.Boxes {
		p.Boxes[i].X -= left
	}
	for i := range p.Lines {
		p.Lines[i].X -= left
		for k := range p.Lines[i].Points {
			p.Lines[i].Points[k][0] -= left
		}
	}
}
