package layout

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/web/drawing/geometry"

	"litmuscope/models"
)

// Section is the box around a critical section, in the column of its thread. The events of what lies
// within it are within it; edges run over it.
type Section struct {
	geometry.Rect
	Section models.GraphSection
	Name    string        // "RCU", "lock s", as it is drawn
	Title   geometry.Rect // the room for the name, on the upper side
	Words   string        // in full
	level   int           // how many boxes are within it, one in the other

	first, last int // indexes into Nodes
}

// Sizes in pixels.
const (
	sectionPad  = 9. // between an event and the innermost box around it
	sectionStep = 7. // between a box and one around it
	titleSize   = 14.
	maxLevel    = 5 // beyond it boxes lie on one another
)

// addSections takes on the sections whose events are in the graph, in one column and in order.
func (d *Drawing) addSections(g *models.Graph) {
	index := map[int]int{}
	for i, n := range d.Nodes {
		index[n.Event.ID] = i
	}
	for _, s := range g.Sections {
		first, ok1 := index[s.First]
		last, ok2 := index[s.Last]
		if !ok1 || !ok2 || d.Nodes[first].Init() || d.Nodes[first].col != d.Nodes[last].col ||
			d.Nodes[first].row > d.Nodes[last].row {
			continue
		}
		a, b := &d.Nodes[first], &d.Nodes[last]
		words := map[string]string{
			models.SectionRCU:  "RCU read-side critical section",
			models.SectionSRCU: "SRCU read-side critical section of " + full(s.Loc),
			models.SectionLock: "critical section under lock " + full(s.Loc), models.SectionAtomic: "atomic section",
		}[s.Kind]
		words = cmp.Or(words, "critical section") + ", " + full(g.Threads[a.col].Name) + ": from " + a.Event.Name +
			" to " + b.Event.Name
		d.Sections = append(d.Sections,
			Section{
				Section: s, Name: strings.TrimSpace(short(s.Kind) + " " + short(s.Loc)), Words: words,
				first: first, last: last,
			})
	}
	rows := func(s Section) (int, int) { return d.Nodes[s.first].row, d.Nodes[s.last].row }
	slices.SortStableFunc(d.Sections, func(a, b Section) int {
		a1, a2 := rows(a)
		b1, b2 := rows(b)
		return cmp.Or(cmp.Compare(d.Nodes[a.first].col, d.Nodes[b.first].col), cmp.Compare(a1, b1), cmp.Compare(b2, a2))
	})
	for i := len(d.Sections) - 1; i >= 0; i-- {
		s := &d.Sections[i]
		_, end := rows(*s)
		for _, t := range d.Sections[i+1:] {
			if begin, _ := rows(t); d.Nodes[t.first].col != d.Nodes[s.first].col || begin > end || s.level == maxLevel {
				break
			}
			s.level = max(s.level, min(t.level+1, maxLevel))
		}
	}
}

// around is the room that boxes take on either side of a thread's events.
func (d *Drawing) around(thread int) float64 {
	room := 0.
	for _, s := range d.Sections {
		if d.Nodes[s.first].col == thread {
			room = max(room, s.beside())
		}
	}
	return room
}

func (s Section) beside() float64 { return sectionPad + sectionStep*float64(s.level) }

// beginsAtTop tells whether a section begins with its thread's first event.
func (d *Drawing) beginsAtTop(thread int) bool {
	return slices.ContainsFunc(d.Sections,
		func(s Section) bool { return d.Nodes[s.first].col == thread && d.Nodes[s.first].row == 0 })
}

// placeSections draws the boxes around events that have their places, in such columns. Names end before the middle,
// where program order comes down.
func (d *Drawing) placeSections(size *grid) {
	for i := range d.Sections {
		s := &d.Sections[i]
		a, b := &d.Nodes[s.first], &d.Nodes[s.last]
		top, bottom := a.Top()-sectionPad, b.Bottom()+sectionPad
		s.Rect = geometry.Box(a.X, (top+bottom)/2, size.columns[a.col%size.across]+2*s.beside(), bottom-top)
		const indent = 8
		room := s.W/2 - indent - 10
		name, all := s.Name, []rune(s.Name)
		for n := len(all) - 1; n > 3 && sans(name, TagSize) > room; n-- {
			name = string(all[:n-1]) + "…"
		}
		s.Name = name
		w := sans(name, TagSize) + 6
		s.Title = geometry.Box(s.Left()+indent+w/2, top, w, titleSize)
	}
}
