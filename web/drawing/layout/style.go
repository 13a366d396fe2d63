package layout

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/models"
	"litmuscope/models/display"
)

// Relation is what a legend shows of one relation of a drawing.
type Relation struct {
	Name  string // "po"
	Help  string // what it is, in a sentence; empty for a model's own without a comment
	Key   string // the name as classes carry it: hide-KEY, show-KEY, rel-KEY
	Tone  string // its look: class tone-TONE sets the colour, --rel-TONE changes it
	Light string // colour on white
	Dark  string // colour on a dark page
	Dash  string // stroke-dasharray; empty for a solid line
	Width float64
	Dot   string // the style that comes nearest in Graphviz
	Flag  bool   // it is what raises a flag: without arrow heads
	Mark  bool   // its name is the word of marks that set the drawing apart from another one
	Edges int    // edges in the graph,
	// of these in the default view, and with an initial write that it leaves out.
	Shown, Initial int
	On             bool // the default view shows some, or would with initial writes
}

// tone is how a relation is drawn. The hues are Okabe and Ito's ("Color Universal
// Design", 2008), darkened or lightened until small words in them can be read.
type tone struct {
	name        string
	light, dark string
	dash        string
	width       float64
	dot         string
}

var tones = []tone{
	{"po", "#3f3f46", "#c9cbd2", "", 1.5, "solid"},
	{"rf", "#00795a", "#35c99d", "12 2.5", 2, "bold"},
	{"co", "#0068a8", "#62bdf0", "6 4", 1.7, "dashed"},
	{"fr", "#b84a00", "#ff9248", "9 3.5 2 3.5", 1.7, "dashed,bold"},
	{"rmw", "#71717a", "#a1a1aa", "3 2", 2.2, "bold"},
	{"addr", "#9c3d78", "#e594c3", "1.8 3.6", 1.8, "dotted"},
	{"data", "#7c4d9e", "#c3a0e3", "1.8 3.2 5 3.2", 1.8, "dotted"},
	{"ctrl", "#8a5a00", "#e5b84c", "1.8 6", 1.8, "dotted"},
	flagTone,
}

// flagTone is for what raises a flag, whatever the model calls it.
var flagTone = tone{"flag", "#c2183c", "#ff7d92", "3 3", 2, "bold"}

// spares are for the relations that a model defines, in the order they come.
var spares = []tone{
	{"m1", "#4f46b8", "#aaa5ff", "7 2.5 2 2.5 2 2.5", 1.6, "dashed"},
	{"m2", "#8f3f2f", "#f0a08c", "10 4", 1.6, "dashed"},
	{"m3", "#0b7285", "#5fd0e0", "4 3", 1.6, "dashed"},
	{"m4", "#6a6a00", "#cfcf5a", "14 3 3 3", 1.6, "dashed"},
	{"m5", "#a02c5a", "#f58fb5", "2.5 2.5", 1.6, "dotted"},
	{"m6", "#4a5a6a", "#a8bacb", "8 2.5 4 2.5", 1.6, "dashed"},
}

// Ink is a colour of a page, in both themes.
type Ink struct{ Name, Light, Dark string }

// Inks are the colours of what is no relation.
var Inks = []Ink{
	{"paper", "#ffffff", "#16181d"},
	{"ink", "#18181b", "#eceef2"},
	{"muted", "#63636e", "#a6a8b4"},
	{"node", "#fafafa", "#20232a"},
	{"line", "#84848f", "#757b89"},
	{"hot", "#d55e00", "#ffb000"},
}

// Variables is every colour of a drawing, for both themes, as custom property declarations, for
// a page to put under a selector of its own.
func Variables() string {
	var b strings.Builder
	for _, i := range Inks {
		fmt.Fprintf(&b, "--graph-%s:light-dark(%s,%s);", i.Name, i.Light, i.Dark)
	}
	for _, t := range slices.Concat(tones, spares) {
		fmt.Fprintf(&b, "--rel-%s:light-dark(%s,%s);", t.name, t.light, t.dark)
	}
	return b.String()
}

// Tones are the colours that a relation may have, by the names of its looks.
func Tones() (out []Ink) {
	for _, t := range slices.Concat(tones, spares) {
		out = append(out, Ink{t.name, t.light, t.dark})
	}
	return out
}

// Light is a colour on white by its name: one of Inks, or a relation's.
func Light(name string) string {
	for _, i := range Inks {
		if i.Name == name {
			return i.Light
		}
	}
	if t, ok := toneOf(name); ok {
		return t.light
	}
	panic("BUG: no colour " + name)
}

// either is b if so, else a.
func either[T any](so bool, a, b T) T {
	if so {
		return b
	}
	return a
}

// relations gives each relation of g its key and its look, and says what key Initial has.
func relations(g *models.Graph) (out []Relation, initial string) {
	out, initial = make([]Relation, len(g.Relations)), key(Initial)
	taken := map[string]int{initial: 1, AllEventsKey: 1, PiecesKey: 1}
	spare := 0
	for i, r := range g.Relations {
		name := short(r.Name)
		t, known := toneOf(name)
		if r.Flag {
			t = flagTone
		} else if !known {
			t = spares[spare%len(spares)]
			spare++
		}
		key := key(name)
		for taken[key]++; taken[key] > 1; taken[key]++ {
			key = fmt.Sprintf("%s-%d", key, taken[key])
		}
		out[i] = Relation{
			Name: name, Help: cmp.Or(r.Help, display.Help(nil, name)), Key: key, Tone: t.name,
			Light: t.light, Dark: t.dark, Dash: t.dash, Width: t.width, Dot: t.dot, Flag: r.Flag,
		}
	}
	return out, initial
}

func toneOf(name string) (tone, bool) {
	for _, t := range tones {
		if t.name == name {
			return t, true
		}
	}
	return tone{}, false
}

// key makes a name fit for a class.
func key(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
}
