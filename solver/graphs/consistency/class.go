package consistency

import (
	"litmuscope/litmus/ir"
	"litmuscope/solver/graphs/graph"
)

// classes are those that have come up.
type classes struct {
	byTags map[tagsKey]graph.Class
	bySets map[setsKey]graph.Class
	all    []setsKey // by class
	// known, by class and set, is whether events of the class are in it, where that is known from each event alone.
	known [][]truth
	// racing, by class, are those that may race with the class; what race is empty if no pair is.
	racing [][]bool
}

type tagsKey struct {
	kind  graph.Kind
	first *ir.Tag
	n     int
}

type setsKey struct {
	kind graph.Kind
	sets uint64
}

// truth is what is known of something.
type truth uint8

const (
	open truth = iota
	yes
	no
)

// Classify gives an event its class, and the tagged sets that it is in, by its kind and tags.
func (f *Formula) Classify(e *graph.Event) {
	key := tagsKey{kind: e.Kind, n: len(e.Tags)}
	if key.n > 0 {
		key.first = &e.Tags[0] // tags are never changed
	}
	c, ok := f.classes.byTags[key]
	if !ok {
		c = f.newClass(e.Kind, e.Tags)
		f.classes.byTags[key] = c
	}
	e.Class, e.Sets = c, f.classes.all[c].sets
}

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

// example is an event of a class.
func (f *Formula) example(c graph.Class) *graph.Event {
	return &graph.Event{Kind: f.classes.all[c].kind, Sets: f.classes.all[c].sets}
}

// mayAnyRace reports whether events are of classes that may race.
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
			return true // who knows
		}
		seen[n] = c
		n++
	}
	return false
}
