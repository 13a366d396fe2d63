package cyclediagram

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"litmuscope/litmus/cycle"
	"litmuscope/litmus/lower"
)

// Drawing is a cycle as a ring: coordinates, in pixels from the middle. Event i is where
// edge i starts.
type Drawing struct {
	Width, Height float64
	RX, RY        float64 // the ring's; they are one unless it is drawn for a narrow page
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
	border     = 16.0 // the arcs of threads
)

// box is where something is drawn, about its middle.
type box struct{ x, y, w, h float64 }

func (a box) meets(b box) bool {
	return math.Abs(a.x-b.x) < (a.w+b.w)/2+gap && math.Abs(a.y-b.y) < (a.h+b.h)/2+gap/2
}

// Narrow is how wide a drawing may be for a phone, where its words have 11 pixels.
const Narrow = 344.

// Draw lays a cycle out. The first thread is at the top, and the edges run clockwise. Where that is too wide for a
// phone, tall is another drawing for one; nil where its words are too long for that, too.
func Draw(arch string, c cycle.Cycle) (round Drawing, tall *Drawing) {
	d, turn := begin(arch, c)
	round = d.circle(turn)
	if round.Width > Narrow {
		if t := d.tall(turn); t.fits() && t.Width <= Narrow {
			tall = &t
		}
	}
	return round, tall
}

// begin puts a cycle into words, and says at which angle event 0 is.
func begin(arch string, c cycle.Cycle) (Drawing, float64) {
	places := c.Places(arch)
	n := len(c)
	d := Drawing{Events: make([]Event, n), Edges: make([]Line, n)}
	for i, p := range places {
		letter := "R"
		if p.Write {
			letter = "W"
		}
		label := fmt.Sprintf("%s %s=%s", letter, p.Location, lower.Spell(p.Value, c.Sized()))
		d.Events[i] = Event{Label: label, Mark: p.Mark + p.Part.String(), Thread: p.Thread, Height: boxHeight}
		d.Events[i].Words = fmt.Sprintf("%s: %s, thread %d", strings.TrimSpace(label+" "+d.Events[i].Mark),
			access(p), p.Thread)
		d.Events[i].Width = width(label) + 10
		if d.Events[i].Mark != "" {
			d.Events[i].Width += width(d.Events[i].Mark)
		}
	}
	for i, e := range c {
		d.Edges[i] = Line{
			Label: e.String(), Width: width(e.String()), Height: edgeHeight, Tone: tone(e),
			Words: Word(e, places[i], places[(i+1)%n]),
		}
	}
	return d, topmost(places)
}

// circle sets the ring out as a circle that is as small as its words let it be.
func (d Drawing) circle(turn float64) Drawing {
	for r := least; ; r += 4 {
		d.RX, d.RY = r, r
		if d.place(turn); r > 40*float64(len(d.Events))+400 || d.fits() {
			break
		}
	}
	return d.finished(turn)
}

// tall sets the ring out as an ellipse that is no wider than a phone, with words that can be read.
func (d Drawing) tall(turn float64) Drawing {
	widest := 0.
	for _, b := range d.boxes() {
		widest = max(widest, b.w)
	}
	// The widest words need not be at a side, which leaves room for a wider ring.
	for d.RX = max((Narrow-widest)/2-border, widest/2); ; d.RX += 4 {
		for d.RY = max(least, d.RX) + 4; d.RY <= 60*float64(len(d.Events))+400; d.RY += 4 {
			// Turned a little, other words are beside each other.
			for _, words := range []float64{0, 0.5, -0.5, 1, -1, 1.5, -1.5, 2, -2} {
				turned := turn + words*math.Pi/float64(len(d.Events))
				if d.place(turned); d.fits() {
					return d.finished(turned)
				}
			}
		}
		if d.RX+4 > Narrow/2 {
			return d.finished(turn)
		}
	}
}

func (d Drawing) finished(turn float64) Drawing {
	d.Events, d.Edges = slices.Clone(d.Events), slices.Clone(d.Edges)
	d.paths(turn)
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

// place puts events and words on the ring, words halfway between events, and the threads' names inside.
func (d *Drawing) place(turn float64) {
	at := d.angles(turn)
	for i := range d.Events {
		d.Events[i].X, d.Events[i].Y = d.on(at[2*i])
		d.Edges[i].X, d.Edges[i].Y = d.on(at[2*i+1])
	}
	d.threads(at)
}

// on is where the ring is at an angle, that of a circle which is made narrower or taller.
func (d *Drawing) on(angle float64) (x, y float64) {
	return d.RX * math.Cos(angle), d.RY * math.Sin(angle)
}

// angles are those of the events and of the edges between them, which are as far from each other along the ring;
// the last is the first once more.
func (d *Drawing) angles(turn float64) []float64 {
	n := 2 * len(d.Events)
	out := make([]float64, n+1)
	for i := range out {
		out[i] = turn + 2*math.Pi*float64(i)/float64(n)
	}
	if d.RX == d.RY {
		return out
	}
	const fine = 720
	length := make([]float64, fine+1)
	angle := func(k float64) float64 { return -math.Pi/2 + 2*math.Pi*k/fine }
	for k := range fine {
		x, y := d.on(angle(float64(k)))
		u, v := d.on(angle(float64(k + 1)))
		length[k+1] = length[k] + math.Hypot(u-x, v-y)
	}
	for i, a := range out {
		rounds, part := math.Modf((a + math.Pi/2) / (2 * math.Pi))
		if part < 0 {
			rounds, part = rounds-1, part+1
		}
		want := part * length[fine]
		k, _ := slices.BinarySearch(length, want)
		at := float64(k)
		if k > 0 {
			at -= (length[k] - want) / (length[k] - length[k-1])
		}
		out[i] = angle(at) + 2*math.Pi*rounds
	}
	return out
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
	for i, name := range d.Threads {
		over := nameBox(name.X, name.Y).over
		if slices.ContainsFunc(boxes, over) ||
			slices.ContainsFunc(d.Threads[i+1:], func(a Arc) bool { return over(nameBox(a.X, a.Y)) }) {
			return false
		}
	}
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
func (d *Drawing) paths(turn float64) {
	const margin = 6
	at := d.angles(turn)
	for i := range d.Edges {
		begin := d.leaves(d.Events[i], at[2*i], 1, margin)
		end := d.leaves(d.Events[(i+1)%len(d.Events)], at[2*i+2], -1, margin+4) // the tip's length
		d.Edges[i].Path = d.arc(begin, end)
		x, y := d.on(end)
		along := end + 4/d.RX
		dx, dy := -d.RX*math.Sin(along), d.RY*math.Cos(along)
		dx, dy = dx/math.Hypot(dx, dy), dy/math.Hypot(dx, dy)
		d.Edges[i].Tip = fmt.Sprintf("M%.1f %.1fL%.1f %.1fL%.1f %.1fZ", x+8*dx, y+8*dy, x-4.5*dy, y+4.5*dx,
			x+4.5*dy, y-4.5*dx)
	}
	for _, b := range d.boxes() {
		d.Width = max(d.Width, 2*(math.Abs(b.x)+b.w/2))
		d.Height = max(d.Height, 2*(math.Abs(b.y)+b.h/2))
	}
	d.Width, d.Height = d.Width+2*border, d.Height+2*border
}

// arc is the ring from one angle to another.
func (d *Drawing) arc(begin, end float64) string {
	large := 0
	if end-begin > math.Pi {
		large = 1
	}
	x, y := d.on(begin)
	u, v := d.on(end)
	return fmt.Sprintf("M%.1f %.1fA%.1f %.1f 0 %d 1 %.1f %.1f", x, y, d.RX, d.RY, large, u, v)
}

// leaves is the angle at which the ring leaves an event's box, in one direction.
func (d *Drawing) leaves(e Event, angle, way, margin float64) float64 {
	for range 2000 {
		x, y := d.on(angle)
		if math.Abs(x-e.X) > e.Width/2+margin || math.Abs(y-e.Y) > e.Height/2+margin {
			return angle
		}
		angle += way / max(d.RX, d.RY)
	}
	return angle
}

// nameBox is where a thread's name is.
func nameBox(x, y float64) box { return box{x, y, 20, 15} }

func (a box) over(b box) bool {
	return math.Abs(a.x-b.x) < (a.w+b.w)/2 && math.Abs(a.y-b.y) < (a.h+b.h)/2
}

// threads draws a band behind each run of events of a thread. The angles are those of events and edges.
func (d *Drawing) threads(at []float64) {
	n, boxes := len(d.Events), d.boxes()
	d.Threads = nil
	for i, e := range d.Events {
		if n > 1 && d.Events[(i+n-1)%n].Thread == e.Thread {
			continue
		}
		last := i
		for d.Events[(last+1)%n].Thread == e.Thread && last-i < n-1 {
			last++
		}
		begin, end := at[2*i], at[2*(last%n)]
		if last >= n {
			end += 2 * math.Pi
		}
		middle := (begin + end) / 2
		if begin == end { // a dot
			end += 0.001
		}
		x, y := d.free(middle, (end-begin)/2, boxes)
		boxes = append(boxes, nameBox(x, y))
		d.Threads = append(d.Threads,
			Arc{Path: d.arc(begin, end), Label: fmt.Sprintf("P%d", e.Thread), Thread: e.Thread, X: x, Y: y})
	}
}

// free is a place for a thread's name inside of the ring, beside the words there: at the middle of its events if
// there is one, else a little to a side.
func (d *Drawing) free(middle, half float64, boxes []box) (x, y float64) {
	for aside := 0.; aside <= half+0.4; aside += 0.05 {
		for _, angle := range []float64{middle + aside, middle - aside} {
			for in := 46.0; in < d.RX; in += 4 {
				inner := Drawing{RX: d.RX - in, RY: d.RY - in}
				if x, y = inner.on(angle); !slices.ContainsFunc(boxes, nameBox(x, y).over) {
					return x, y
				}
			}
		}
	}
	return x, y
}
