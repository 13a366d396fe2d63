package layout

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"litmuscope/web/drawing/geometry"

	"litmuscope/models"
)

// Drawing is an execution laid out. Lengths are in pixels.
type Drawing struct {
	Width, Height float64
	Headers       []Header // one for each thread
	Boxes         []Box    // around threads, the outer ones first
	Sections      []Section
	Nodes         []Node // in the order of the graph's events
	Edges         []Edge
	Relations     []Relation // in the order of the graph's relations
	Thinned       bool       // the default view leaves out more than usual, for there is too much
	// Cycle are the edges to be made out from all others; see the package comment.
	Cycle []models.Pair

	Folded     bool   // some events stand for several
	InitialKey string // the key of Initial

	shared *Shared       // what it shows of a graph that it shares; nil for all
	both   *Drawing      // with what only the other one shows
	graph  *models.Graph // what is drawn
	whole  *models.Whole // the same with what is known of pieces; nil where each event is drawn that there is
	room   geometry.Rect // that events, headers and sections take
	spare  float64       // room that is kept for edges on either side
	over   float64       // how much less its rows are to take than they would
	effort int           // that routing took
}

// Header is the name over a thread's column. Rect is the room it takes.
type Header struct {
	geometry.Rect
	Name string
}

// Node is an event's box.
type Node struct {
	geometry.Rect
	Event models.GraphEvent
	Name  string   // "a:"
	Text  string   // "W x=1", or a fence's name
	Lines []string // the text as it is set
	Tags  string   // shown small below; often empty
	Title string   // in words, with the instruction
	Start bool     // a read of an initial value
	Run   []*Node  // what it stands for, of a folded drawing
	IDs   []int    // its event's or, of an access of several pieces, those of all
	row   int      // from the top: each thread's events
	line  int      // that of these that stand for themselves; it is the same at one height in all threads
	col   int      // the thread; -1 for an initial write
	told  bool     // an initial write that the cycle leads through
}

// Init tells whether the node is an initial write.
func (n Node) Init() bool { return n.col < 0 }

// Implicit reports whether the node is an access that no instruction names. Drawings show those lighter than others:
// the text in the colour muted, and a thinner frame of width [ImplicitFrame] on the colour paper.
func (n Node) Implicit() bool { return n.Event.Implicit() }

// Widths of the frames of events and of the bars of writes, in pixels.
const (
	Frame         = 1.2
	ImplicitFrame = .6
	FullBar       = 4.
	ImplicitBar   = 2.
)

// Bar returns the width of the bar at the side of a write.
func (n Node) Bar() float64 { return either(n.Implicit(), FullBar, ImplicitBar) }

// Edge is all that is related in one direction between two events.
type Edge struct {
	From, To int    // IDs of events
	Parts    []Part // in the order of the relations; never empty
	Path     []geometry.Cubic
	Head     [3]geometry.Point // the arrow head, tip first
	Label    geometry.Rect     // the room for the names of all parts

	from, to int // indexes into Nodes
	samples  []geometry.Sample
	core     float64 // width of the names that the default view shows
}

// Part is one relation of an edge.
type Part struct {
	Relation int  // index into Drawing.Relations
	Default  bool // the default view shows it

	cyclic bool // it lies on a cycle
}

// Default tells whether the default view shows any part of the edge.
func (e Edge) Default() bool {
	return slices.ContainsFunc(e.Parts, func(p Part) bool { return p.Default })
}

// Initial is the name by which a [View] shows the initial writes and what leads to and from them: it is
// no relation's, for there is a space in it.
const Initial = "initial writes"

// AllEvents is the name by which a page remembers whether all events are shown though fewer would do, and AllEventsKey
// its key. It is no relation's, either.
const (
	AllEvents    = "all events"
	AllEventsKey = "all_events"
)

// Pieces is the name by which a [View] shows each piece of an access as an event, and PiecesKey its key. It is no
// relation's, either.
const (
	Pieces    = "access pieces"
	PiecesKey = "access_pieces"
)

// LeastScale is what a page shrinks a drawing to by itself, at most: its texts stay at 11 pixels.
const LeastScale = .85

// The pane of a small laptop's page.
const paneWidth, paneHeight = 640., 480.

// What is seen of a drawing there at that scale, in whole pixels.
const seenWidth, seenHeight = 752., 564.

// Sizes in pixels. Fixed-width type is 0.6 em wide in the pages' typeface for code, and in every usual one besides.
const (
	EventSize = 14.
	TagSize   = 13.
	LabelSize = 13.
	monoWidth = .605

	boxHeight   = 28.
	LineHeight  = 17. // of the second line of a text
	TagHeight   = 16.
	boxPad      = 9.
	boxMin      = 58.
	rowGap      = 48.
	rowTight    = 27. // between the rows of long threads
	initGap     = 34. // between rows of initial writes
	headGap     = 60. // between the initial writes and the threads, the header within
	headSize    = 16.
	columnGap   = 66.
	columnsGap  = 54. // between four and more
	columnMax   = 130.
	columnTight = 45. // between columns, where that lets all of them be seen; less where few edges are
	roomMax     = 72. // more between long columns
	initSep     = 26.
	margin      = 12.
	maxLabel    = 800. // words beyond it stick out
	side        = 26.  // kept free beside the outer columns, for edges that run there
)

// Request is an execution, and what of it is to be seen.
type Request struct {
	Graph *models.Graph `json:"graph"`
	// Cycle is what a model forbids of the execution: it is made out from all else, and what the
	// model defines is shown on no other. Story is made out, too; without either it is a cycle that SC forbids.
	Cycle []models.Pair `json:"cycle,omitempty"`
	Story []models.Pair `json:"story,omitempty"`
	// Shared says what one of two drawings shows of Graph, whose Cycle is then that of both; nil for a drawing by
	// itself.
	Shared *Shared `json:"shared,omitempty"`
	View
}

// Layout places the events of a graph and routes all its relations. Edges between
// events that it does not have are left out. Long texts are shortened, and the more there
// is to route, the less pains are taken with it, so that no graph takes long; see [effort].
func Layout(r Request) *Drawing {
	var whole *models.Whole
	if !slices.Contains(r.Show, Pieces) {
		whole = r.Graph.Whole()
	}
	if whole != nil {
		r.Shared = r.Shared.lifted(r.Graph, whole)
		r.Graph, r.Cycle, r.Story = whole.Graph, whole.Lift(r.Cycle), whole.Lift(r.Story)
	}
	d := begin(r.Graph, nil, whole)
	d.shared = r.Shared
	d.highlight(r)
	d.defaults(r.Cycle)
	d.placeAll(r)
	return d
}

// begin takes on what a graph has, of which some events stand for several.
func begin(g *models.Graph, runs map[int][]*Node, whole *models.Whole) *Drawing {
	d := &Drawing{graph: g, whole: whole, Folded: len(runs) > 0, spare: detours}
	d.Relations, d.InitialKey = relations(g)
	d.addNodes(g, runs)
	d.addSections(g)
	d.addEdges(g)
	return d
}

// placeAll places events and edges, once the highlighted edges are chosen.
func (d *Drawing) placeAll(r Request) {
	d.try().rest()
	d.frame(r.View)
	d.drop()
}

// try finds the places of what the default view shows, and how much room it takes.
func (d *Drawing) try() *router {
	d.measureLabels()
	for tries := 1; ; tries++ {
		size := d.place(d.graph)
		r := route(d)
		d.measure(View{})
		over := d.Width - seenWidth
		if over <= 0 || d.Height > seenHeight || !size.fits(d) || tries == 3 || r.spent(utmost) {
			return r
		}
		d.spare += over / 2 // edges run farther out than was thought
	}
}

// addNodes adds a node for each event of the graph, with its column, its row and its text. runs has the nodes that an
// event stands for when it is folded.
func (d *Drawing) addNodes(g *models.Graph, runs map[int][]*Node) {
	rows, lines := make([]int, len(g.Threads)), make([]int, len(g.Threads))
	initial := map[int]bool{}
	for _, e := range g.Events {
		initial[e.ID] = e.Thread < 0
		n := Node{Event: e, IDs: d.pieces(e.ID), col: -1}
		n.Event.Name = short(e.Name)
		n.Name = n.Event.Name + ":"
		if e.Thread >= 0 && e.Thread < len(g.Threads) {
			n.col, n.row, n.line = e.Thread, rows[e.Thread], lines[e.Thread]
			rows[e.Thread]++
			if n.Run = runs[e.ID]; n.Run == nil {
				lines[e.Thread]++
			}
		}
		if n.Run != nil {
			n.writeRun(g)
			d.Nodes = append(d.Nodes, n)
			continue
		}
		n.write(g, e)
		n.Lines = []string{n.Text}
		n.size()
		d.Nodes = append(d.Nodes, n)
	}
	d.addStarts(g, initial)
}

// addStarts marks the reads of initial values.
func (d *Drawing) addStarts(g *models.Graph, initial map[int]bool) {
	starts, others := map[int]bool{}, map[int]bool{}
	for _, r := range g.Relations {
		if r.Name != "rf" || r.Shown {
			continue
		}
		for _, p := range r.Edges {
			if initial[p[0]] {
				starts[p[1]] = true
			} else {
				others[p[1]] = true
			}
		}
	}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if n.Start = starts[n.Event.ID]; !n.Start {
			continue
		}
		n.Title += ", "
		if others[n.Event.ID] { // of an access of several pieces
			n.Title += "in part "
		}
		n.Title += "the initial value"
	}
}

// write puts the event in the field's notation and in words.
func (n *Node) write(g *models.Graph, e models.GraphEvent) {
	words := map[string]string{"R": "read", "W": "write", "F": "fence"}[e.Kind]
	if n.Implicit() {
		words = "implicit " + words
	}
	all := ""
	if drawn, told, ok := notation(e); ok {
		n.Text, words = drawn, told
	} else if e.Kind == "F" {
		name := fenceName(e)
		n.Text = short(name)
		words += " " + full(name)
		if name == "choice" || name == "fence" {
			words = name
		}
	} else {
		n.Text = e.Letter() + " " + short(e.Loc) + "=" + short(e.Shown())
		switch {
		case e.Bytes == 1:
			words += " of a byte,"
		case e.Bytes > 0:
			words += fmt.Sprintf(" of %d bytes,", e.Bytes)
		}
		words += " " + full(e.Loc) + "=" + full(e.Shown())
		all = inWords(e)
		n.Tags = all
	}
	n.Title = full(e.Name) + ": " + words
	if all != "" {
		n.Title += " (" + all + ")"
	}
	if n.col < 0 {
		n.Title += ", initial"
		return
	}
	t := g.Threads[n.col]
	n.Title += ", " + full(t.Name)
	if e.Source >= 0 && e.Source < len(t.Source) {
		n.Title += ": " + full(t.Source[e.Source])
	}
}

// Bounds on texts, in characters: those that are drawn, and those that tell the same in
// full.
const (
	maxDrawn = 40
	maxTold  = 500
)

func short(s string) string { return cut(s, maxDrawn) }

func full(s string) string { return cut(s, maxTold) }

// cut keeps the beginning and the end of a text that is too long, and nothing that cannot
// be printed.
func cut(s string, most int) string {
	if len(s) > most && utf8.RuneCountInString(s) > most {
		front, back := 0, len(s)
		for range most - 1 - most/3 {
			_, n := utf8.DecodeRuneInString(s[front:])
			front += n
		}
		for range most / 3 {
			_, n := utf8.DecodeLastRuneInString(s[:back])
			back -= n
		}
		s = s[:front] + "…" + s[back:]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, s)
}

// addEdges merges the relations into edges, and says what the default view shows.
func (d *Drawing) addEdges(g *models.Graph) {
	index := map[int]int{}
	for i, n := range d.Nodes {
		index[n.Event.ID] = i
	}
	seen := map[models.Pair]int{}
	for r, rel := range g.Relations {
		cyclic := map[models.Pair]bool{}
		for _, p := range rel.Cyclic {
			cyclic[p] = true
		}
		for _, p := range slices.Concat(rel.Edges, rel.Cyclic) {
			from, ok1 := index[p[0]]
			to, ok2 := index[p[1]]
			if !ok1 || !ok2 {
				continue
			}
			k, merged := seen[p]
			if !merged {
				k = len(d.Edges)
				seen[p] = k
				d.Edges = append(d.Edges, Edge{From: p[0], To: p[1], from: from, to: to})
			}
			e := &d.Edges[k]
			if n := len(e.Parts); n > 0 && e.Parts[n-1].Relation == r {
				continue
			}
			part := Part{Relation: r, cyclic: cyclic[p]}
			e.Parts = append(e.Parts, part)
		}
	}
}

// measureLabels finds the room for names.
func (d *Drawing) measureLabels() {
	for i := range d.Edges {
		e := &d.Edges[i]
		var all, core []string
		for _, p := range e.Parts {
			words := d.Words(e, p)
			all = append(all, words)
			if p.Default {
				core = append(core, words)
			}
		}
		e.Label = geometry.Rect{W: min(sans(strings.Join(all, ", "), LabelSize)+6, maxLabel), H: LabelSize + 4}
		e.core = min(sans(strings.Join(core, ", "), LabelSize)+6, maxLabel)
		if d.Stub(e) {
			e.Label, e.core = geometry.Rect{}, 0
		}
	}
}

// pieces are the events that one stands for.
func (d *Drawing) pieces(event int) []int {
	if d.whole == nil {
		return []int{event}
	}
	return d.whole.Pieces(event)
}

// Bytes says which bytes a part of an edge is about, where these are some only; see [models.Whole].
func (d *Drawing) Bytes(e *Edge, p Part) string {
	if d.whole == nil || d.Nodes[e.from].Run != nil || d.Nodes[e.to].Run != nil {
		return ""
	}
	return d.whole.Part(d.graph.Relations[p.Relation].Name, models.Pair{e.From, e.To})
}

// Words are the name of a part of an edge, and the bytes that it is about: "rf [0..1]".
func (d *Drawing) Words(e *Edge, p Part) string {
	words := d.Relations[p.Relation].Name
	if bytes := d.Bytes(e, p); bytes != "" {
		words += " " + bytes
	}
	return words
}

// place puts events and headers where they go, and notes the room they take.
func (d *Drawing) place(g *models.Graph) *grid {
	size := d.arrange(len(g.Threads))
	var initial []*Node
	for i := range d.Nodes {
		if n := &d.Nodes[i]; n.Init() {
			initial = append(initial, n)
		}
	}
	above, _ := d.boxRoom()
	top := d.placeInitial(g, initial, size.slots, size.width()) + above
	gap := size.rowGap(d)
	middles := make([][]float64, len(size.bands))
	d.Headers = nil
	for i, b := range size.bands {
		x := -size.width() / 2
		for slot, w := range size.slots {
			if t := i*size.across + slot; t < len(g.Threads) {
				name := short(g.Threads[t].Name)
				hw := sans(name, LabelSize) + 8
				// On the outer shoulder, where edges from the initial writes rarely come by.
				hx := w/2 - hw/2 + 2
				if x+w/2 <= 0 {
					hx = -hx
				}
				hy := top - headSize/2 - 3
				if d.beginsAtTop(t) {
					hy -= sectionPad + titleSize/2 // over the box
				}
				d.Headers = append(d.Headers, Header{geometry.Box(x+w/2+hx, hy, hw, headSize), name})
			}
			x += w + size.gaps[slot]
		}
		y := top + b.lead
		for _, h := range b.tall {
			middles[i] = append(middles[i], y+h/2)
			y += h + gap
		}
		for k := range d.Nodes {
			switch n := &d.Nodes[k]; {
			case n.Init() || n.col/size.across != i:
			case n.Run == nil:
				n.X, n.Y, n.W = size.centre(n.col), middles[i][n.line], size.columns[n.col%size.across]
			default:
				n.X, n.Y = size.centre(n.col), d.placeRun(n, top, middles[i], b.tall)
			}
		}
		if len(b.tall) == 0 {
			y += RunHeight + gap
		}
		top = y - gap + size.between(d)
	}
	d.placeSections(size)
	d.placeBoxes(size)
	d.room = d.bounds(View{Show: []string{Initial}})
	d.room.W += 2 * side
	return size
}

// placeInitial spreads the initial writes over the width of the columns, those of
// locations that the left threads write to the left, in several rows when they
// are many. It returns where the threads begin.
func (d *Drawing) placeInitial(g *models.Graph, nodes []*Node, columns []float64, width float64) float64 {
	if len(nodes) == 0 {
		return headSize + 6
	}
	type use struct{ sum, n float64 } // of thread indexes
	writes, reads := map[string]use{}, map[string]use{}
	for _, e := range g.Events {
		if e.Thread < 0 {
			continue
		}
		if m := map[string]map[string]use{"W": writes, "R": reads}[e.Kind]; m != nil {
			u := m[e.Loc]
			m[e.Loc] = use{u.sum + float64(e.Thread), u.n + 1}
		}
	}
	mean := func(n *Node) float64 {
		u, ok := writes[n.Event.Loc]
		if !ok {
			u = reads[n.Event.Loc]
		}
		return u.sum / max(1, u.n)
	}
	slices.SortStableFunc(nodes, func(a, b *Node) int { return cmp.Compare(mean(a), mean(b)) })
	w, h := 0., boxHeight
	for _, n := range nodes {
		w, h = max(w, n.W), max(h, n.H)
	}
	perRow := max(4, int((width+initSep)/(w+initSep)))
	lines := (len(nodes) + perRow - 1) / perRow
	perRow = (len(nodes) + lines - 1) / lines
	pitch := width / float64(perRow)
	if n := len(columns); perRow > 1 && perRow >= n && n > 0 {
		// As many as columns: the outer ones right over the outer columns.
		pitch = (width - columns[0]/2 - columns[n-1]/2) / float64(perRow-1)
	}
	pitch = max(pitch, w+initSep)
	y := h / 2
	for len(nodes) > 0 {
		line := nodes[:min(perRow, len(nodes))]
		nodes = nodes[len(line):]
		for i, n := range line {
			n.X, n.Y = pitch*(float64(i)-float64(len(line)-1)/2), y
		}
		y += h + initGap
	}
	return y - h/2 - initGap + headGap
}

func sum(list []float64) (all float64) {
	for _, v := range list {
		all += v
	}
	return all
}

// bounds is the room that headers, sections and what is seen of the events take.
func (d *Drawing) bounds(v View) geometry.Rect {
	var b extent
	for _, n := range d.Nodes {
		if v.Sees(n) {
			b.rect(n.Rect)
		}
	}
	for _, h := range d.Headers {
		b.rect(h.Rect)
	}
	for _, s := range d.Sections {
		b.rect(s.Rect)
		b.rect(s.Title)
	}
	for _, x := range d.Boxes {
		b.rect(x.Rect)
		b.rect(x.Title)
	}
	return b.Rect()
}

// measure says how large a drawing is of which that much is seen, and where that is.
func (d *Drawing) measure(v View) geometry.Rect {
	var b extent
	b.rect(d.bounds(v))
	d.Visible(v, func(e *Edge, _ []Part) {
		for _, s := range e.samples {
			b.point(s.Point)
		}
		b.rect(e.Label)
	})
	r := b.Rect()
	d.Width, d.Height = math.Ceil(r.W+2*margin), math.Ceil(r.H+2*margin)
	return r
}

// frame moves the drawing so that what is seen of it begins at the margin.
func (d *Drawing) frame(v View) {
	r := d.measure(v)
	by := geometry.At(margin-r.Left(), margin-r.Top())
	for i := range d.Nodes {
		d.Nodes[i].Move(by)
	}
	for i := range d.Headers {
		d.Headers[i].Move(by)
	}
	for i := range d.Sections {
		d.Sections[i].Rect.Move(by)
		d.Sections[i].Title.Move(by)
	}
	for i := range d.Boxes {
		d.Boxes[i].Rect.Move(by)
		d.Boxes[i].Title.Move(by)
	}
	for i := range d.Edges {
		e := &d.Edges[i]
		e.Label.Move(by)
		for k := range e.Path {
			for j := range e.Path[k] {
				e.Path[k][j] = e.Path[k][j].Add(by)
			}
		}
		for k := range e.Head {
			e.Head[k] = e.Head[k].Add(by)
		}
		for k := range e.samples {
			e.samples[k].Point = e.samples[k].Add(by)
		}
	}
}

// extent grows around what is put in it.
type extent struct {
	lo, hi geometry.Point
	any    bool
}

func (b *extent) point(p geometry.Point) {
	if !b.any {
		*b = extent{p, p, true}
	}
	b.lo = geometry.At(min(b.lo.X, p.X), min(b.lo.Y, p.Y))
	b.hi = geometry.At(max(b.hi.X, p.X), max(b.hi.Y, p.Y))
}

func (b *extent) rect(r geometry.Rect) {
	b.point(geometry.At(r.Left(), r.Top()))
	b.point(geometry.At(r.Right(), r.Bottom()))
}

// Rect returns the smallest rectangle around all points.
func (b *extent) Rect() geometry.Rect {
	return geometry.Box((b.lo.X+b.hi.X)/2, (b.lo.Y+b.hi.Y)/2, b.hi.X-b.lo.X, b.hi.Y-b.lo.Y)
}

// mono and sans are the widths of text in code's typeface and in that of words.
func mono(s string, size float64) float64 {
	return float64(utf8.RuneCountInString(s)) * monoWidth * size
}

func sans(s string, size float64) float64 {
	em := 0.
	for _, r := range s {
		em += Advance(r)
	}
	return em * size
}
