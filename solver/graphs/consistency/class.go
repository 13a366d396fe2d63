package consistency

import (
	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// classes are the classes of events found so far. Events of one class have the same kind and are in the same tagged
// sets, so that formulas cannot distinguish them by sets alone. Answers about sets and races are therefore cached by
// class.
type classes struct {
	byTags map[tagsKey]graph.Class
	bySets map[setsKey]graph.Class
	all    []setsKey // by class
	// known caches, by class and set, whether events of the class are in a set whose membership depends on the event
	// alone.
	known [][]truth
	// racing[a][b] reports whether events of classes a and b may race.
	racing [][]bool
}

// tagsKey identifies the tags of an event by their address: events of one instruction share a slice. setsKey has what
// the formula sees of an event, so that several tagsKeys may have one class.
type tagsKey struct {
	kind  graph.Kind
	first *ir.Tag
	n     int
}

type setsKey struct {
	kind graph.Kind
	sets uint64
}

// truth is a cached answer: open if not computed yet.
type truth uint8

const (
	open truth = iota
	yes
	no
)

// Classify sets an event's class and its tagged sets from its kind and tags.
func (f *Formula) Classify(e *graph.Event) {
	key := tagsKey{kind: e.Kind, n: len(e.Tags)}
	if key.n > 0 {
		key.first = &e.Tags[0] // tags never change
	}
	c, ok := f.classes.byTags[key]
	if !ok {
		c = f.newClass(e.Kind, e.Tags)
		f.classes.byTags[key] = c
	}
	e.Class, e.Sets = c, f.classes.all[c].sets
}

// newClass returns the class of a kind and tags, and makes it if no event had the same tagged sets before. A new
// class gets its row and column in racing at once.
func (f *Formula) newClass(k graph.Kind, tags ir.Tags) graph.Class {
	s := &f.classes
	key := setsKey{kind: k}
	for i, t := range f.tags {
		if tags.Has(t) {
			key.sets |= 1 << i
		}
	}
	if c, ok := s.bySets[key]; ok {
		return c
	}
	c := graph.Class(len(s.all))
	s.bySets[key] = c
	s.all = append(s.all, key)
	s.known = append(s.known, make([]truth, len(f.nodes)))
	s.racing = append(s.racing, nil)
	for a := range s.all {
		for len(s.racing[a]) < len(s.all) {
			b := len(s.racing[a])
			s.racing[a] = append(s.racing[a], f.raced >= 0 &&
				f.MayRace(f.example(graph.Class(a)), f.example(graph.Class(b))))
		}
	}
	return c
}

// example returns an event of a class.
func (f *Formula) example(c graph.Class) *graph.Event {
	return &graph.Event{Kind: f.classes.all[c].kind, Sets: f.classes.all[c].sets}
}

// mayAnyRace reports whether the graph has two events whose classes may race. It compares at most eight classes; with
// more it answers true.
func (f *Formula) mayAnyRace(g *graph.Graph) bool {
	var seen [8]graph.Class
	n := 0
next:
	for i := range g.Events {
		c := g.Events[i].Class
		for _, other := range seen[:n] {
			if other == c {
				continue next
			}
		}
		if f.classes.racing[c][c] {
			return true
		}
		for _, other := range seen[:n] {
			if f.classes.racing[c][other] {
				return true
			}
		}
		if n == len(seen) {
			return true // too many classes to compare
		}
		seen[n] = c
		n++
	}
	return false
}
