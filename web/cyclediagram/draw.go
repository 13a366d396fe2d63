package cyclediagram

import (
	"fmt"
	"math"
	"strings"

	"litmuscope/litmus/cycle"
)

// Drawing is a cycle as a ring: coordinates, in pixels from the middle. Event i is where
// edge i starts.
type Drawing struct {
	Width, Height float64
	Radius        float64
	Events        []Event
	Edges         []Line
	Threads       []Arc
}

// Event is an access on the ring.
type Event struct {
	X, Y          float64
	Width, Height float64
	Label         string // "W x = 1"
	Mark          string
	Thread        int
	Words         string // for those who listen
}

// Line is an edge: a path with an arrow's tip, and its word in a box.
type Line struct {
	Path, Tip     string
	X, Y          float64
	Width, Height float64
	Label         string
	Tone          string // the colour that drawings of executions have it in
	Words         string
}

// Arc is the part of the ring that a thread has.
type Arc struct {
	Path   string
	Label  string
	X, Y   float64 // of the label
	Thread int
}

const (
	charWidth  = 7.3 // of the label's font
	boxHeight  = 32.0
	gap        = 9.0 // between what is on the ring
	least      = 128.0
	edgeHeight = 30.0
)

// box is where something is drawn, about its middle.
type box struct{ x, y, w, h float64 }

func (a box) meets(b box) bool {
	return math.Abs(a.x-b.x) < (a.w+b.w)/2+gap && math.Abs(a.y-b.y) < (a.h+b.h)/2+gap/2
}

// Draw lays a cycle out. The first thread is at the top, and the edges go round clockwise;
// the ring is as small as its words let it be.
func Draw(c cycle.Cycle) Drawing {
	places := c.Places()
	n := len(c)
	d := Drawing{Events: make([]Event, n), Edges: make([]Line, n)}
	for i, p := range places {
		letter := "R"
		if p.Write {
			letter = "W"
		}
		label := fmt.Sprintf("%s %s=%d", letter, p.Location, p.Value)
		d.Events[i] = Event{Label: label, Mark: p.Mark, Thread: p.Thread, Height: boxHeight}
		d.Events[i].Words = fmt.Sprintf("%s: %s, thread %d", strings.TrimSpace(label+" "+p.Mark), access(p), p.Thread)
		d.Events[i].Width = width(label) + 10
		if p.Mark != "" {
			d.Events[i].Width += width(p.Mark)
		}
	}
	for i, e := range c {
		d.Edges[i] = Line{
			Label: e.String(), Width: width(e.String()), Height: edgeHeight, Tone: tone(e),
			Words: Word(e, places[i], places[(i+1)%n]),
		}
	}
	turn := topmost(places)
	for d.Radius = least; ; d.Radius += 4 {
		d.place(turn)
		if d.Radius > 40*float64(n)+400 || d.fits() {
			break
		}
	}
	d.paths()
	d.threads(turn)
	return d
}

func width(label string) float64 { return charWidth*float64(len([]rune(label))) + 14 }

// tone is what an edge is drawn like.
func tone(e cycle.Edge) string {
	switch e.Kind {
	case cycle.Rf, cycle.Hat:
		return "rf"
	case cycle.Fr:
		return "fr"
	case cycle.Co:
		return "co"
	case cycle.Detour:
		return "m2"
	case cycle.Dp:
		switch e.Name {
		case "Addr", "Data":
			return map[string]string{"Addr": "addr", "Data": "data"}[e.Name]
		}
		return "ctrl"
	case cycle.Fence:
		return "m1"
	case cycle.Rmw:
		return "m3"
	}
	return "po"
}

// topmost is the angle of event 0, such that thread 0 has its middle at the top.
func topmost(places []cycle.Place) float64 {
	n := len(places)
	first := 0
	for i, p := range places {
		if p.Thread == 0 && places[(i+n-1)%n].Thread != 0 {
			first = i
			break
		}
	}
	count := 0
	for count < n && places[(first+count)%n].Thread == 0 {
		count++
	}
	step := 2 * math.Pi / float64(n)
	return -math.Pi/2 - step*(float64(first)+float64(count-1)/2)
}

// place puts events and words on the ring, words halfway between events.
func (d *Drawing) place(turn float64) {
	step := 2 * math.Pi / float64(len(d.Events))
	for i := range d.Events {
		at := turn + step*float64(i)
		d.Events[i].X, d.Events[i].Y = d.Radius*math.Cos(at), d.Radius*math.Sin(at)
		at += step / 2
		d.Edges[i].X, d.Edges[i].Y = d.Radius*math.Cos(at), d.Radius*math.Sin(at)
	}
}

func (d *Drawing) boxes() []box {
	var out []box
	for i, e := range d.Events {
		l := d.Edges[i]
		out = append(out, box{e.X, e.Y, e.Width, e.Height}, box{l.X, l.Y, l.Width, l.Height})
	}
	return out
}

// fits tells that nothing is drawn over anything else.
func (d *Drawing) fits() bool {
	boxes := d.boxes()
	for i, a := range boxes {
		for _, b := range boxes[i+1:] {
			if a.meets(b) {
				return false
			}
		}
	}
	return true
}

// paths draws the edges along the ring, from the border of one event to that of the next.
func (d *Drawing) paths() {
	const margin = 6
	for i := range d.Edges {
		from, to := d.Events[i], d.Events[(i+1)%len(d.Events)]
		begin, end := math.Atan2(from.Y, from.X), math.Atan2(to.Y, to.X)
		if end <= begin {
			end += 2 * math.Pi
		}
		begin = d.leaves(from, begin, 1, margin)
		end = d.leaves(to, end, -1, margin+4) // the tip's length
		large := 0
		if end-begin > math.Pi {
			large = 1
		}
		d.Edges[i].Path = fmt.Sprintf("M%.1f %.1fA%.1f %.1f 0 %d 1 %.1f %.1f", d.Radius*math.Cos(begin), d.Radius*math.Sin(begin),
			d.Radius, d.Radius, large, d.Radius*math.Cos(end), d.Radius*math.Sin(end))
		x, y := d.Radius*math.Cos(end), d.Radius*math.Sin(end)
		along := end + math.Pi/2 + 4/d.Radius
		dx, dy := math.Cos(along), math.Sin(along)
		d.Edges[i].Tip = fmt.Sprintf("M%.1f %.1fL%.1f %.1fL%.1f %.1fZ", x+8*dx, y+8*dy, x-4.5*dy, y+4.5*dx, x+4.5*dy, y-4.5*dx)
	}
	for _, b := range d.boxes() {
		d.Width = max(d.Width, 2*(math.Abs(b.x)+b.w/2))
		d.Height = max(d.Height, 2*(math.Abs(b.y)+b.h/2))
	}
	const border = 16 // the arcs of threads
	d.Width, d.Height = d.Width+2*border, d.Height+2*border
}

// leaves is the angle at which the ring leaves an event's box, going round one way.
func (d *Drawing) leaves(e Event, angle, way, margin float64) float64 {
	for range 400 {
		x, y := d.Radius*math.Cos(angle), d.Radius*math.Sin(angle)
		if math.Abs(x-e.X) > e.Width/2+margin || math.Abs(y-e.Y) > e.Height/2+margin {
			return angle
		}
		angle += way / d.Radius
	}
	return angle
}

// threads draws a band behind each run of events of a thread.
func (d *Drawing) threads(turn float64) {
	n := len(d.Events)
	step := 2 * math.Pi / float64(n)
	for i, e := range d.Events {
		if n > 1 && d.Events[(i+n-1)%n].Thread == e.Thread {
			continue
		}
		last := i
		for d.Events[(last+1)%n].Thread == e.Thread && last-i < n-1 {
			last++
		}
		begin, end := turn+step*float64(i), turn+step*float64(last)
		if begin == end { // a dot
			end += 0.001
		}
		large := 0
		if end-begin > math.Pi {
			large = 1
		}
		middle := (begin + end) / 2
		inner := d.Radius - 46
		d.Threads = append(d.Threads, Arc{
			Path: fmt.Sprintf("M%.1f %.1fA%.1f %.1f 0 %d 1 %.1f %.1f", d.Radius*math.Cos(begin), d.Radius*math.Sin(begin),
				d.Radius, d.Radius, large, d.Radius*math.Cos(end), d.Radius*math.Sin(end)),
			Label: fmt.Sprintf("P%d", e.Thread), Thread: e.Thread, X: inner * math.Cos(middle), Y: inner * math.Sin(middle),
		})
	}
}
