package relaxed

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
)

// How two models differ on one execution.
//
// If one model forbids the execution and the other allows it, the difference is in the cycle that the first forbids.
// Its steps are those between accesses: what leads through a thread is one step of program order. No order of the
// second model preserves all of them, and the search for relaxed steps (relaxed.go) finds the ones that it gives up,
// in this cycle instead of SC's.
//
// If both allow it, both give up steps of the cycle that SC forbids, and the difference is between these steps. If both
// forbid it, the difference is between the cycles. A cycle counts as a cycle of the other model as well if some order
// of that model preserves all of its steps, whatever cycle its checker has found.

// Comparison says how two models differ on one execution.
type Comparison struct {
	Sides [2]Side `json:"sides"`
	// Sentence says what differs, or that nothing does.
	Sentence string `json:"sentence"`
}

// Side is an execution under one of two compared models.
type Side struct {
	Allowed bool `json:"allowed"`
	// Broken is the axiom that forbids the execution, and Also names the others; nil if the model allows it.
	Broken *Broken  `json:"broken,omitempty"`
	Also   []string `json:"also,omitempty"`
	// Steps are the edges to highlight: those of the model's cycle or, if it allows the execution, of the cycle in
	// which it gives up some.
	Steps []models.Pair `json:"steps,omitempty"`
	Marks []Mark        `json:"marks,omitempty"`
	// Shown are the relations that the model shows on the execution.
	Shown []models.GraphEdges `json:"shown,omitempty"`
}

// Broken is an axiom that an execution breaks, with the cycle that the axiom forbids.
type Broken struct {
	Axiom       string                  `json:"axiom"`
	Kind        string                  `json:"kind"` // with ~ in front of a negated one
	Sentence    string                  `json:"sentence"`
	Source      *evaluation.Definition  `json:"source,omitempty"`
	Definitions []evaluation.Definition `json:"definitions,omitempty"`
	Cycle       []evaluation.Edge       `json:"cycle,omitempty"`
}

// Mark is a step about which the models differ, with what one of them does about it.
type Mark struct {
	Pair models.Pair `json:"pair"`
	Word string      `json:"word"` // Kept, GivenUp or OnlyHere
}

// The words of marks.
const (
	Kept     = "kept"
	GivenUp  = "given up"
	OnlyHere = "only here"
)

// Compare compares two models, which sentences call by the labels, on an execution. It fails if the graph is not a
// complete execution.
func Compare(m [2]*models.Model, labels [2]string, g *models.Graph) (*Comparison, error) {
	c := &comparer{labels: labels, g: g}
	for i := range m {
		x, err := executionOf(g)
		if err != nil {
			return nil, err
		}
		model := m[i]
		if w := g.Whole(); w != nil {
			if model, err = model.Mixed(); err != nil {
				return nil, err
			}
			c.g = w.Overlaid(g)
		}
		x.Program = nameLocations(g)
		r := &relaxer{model: model, x: x, e: evaluation.NewEvaluator(x)}
		r.prepare()
		c.of[i] = r
		c.out.Sides[i].Shown = display.Shown(r.e, m[i])
		c.violated(i)
	}
	a, b := &c.out.Sides[0], &c.out.Sides[1]
	switch {
	case a.Allowed && b.Allowed:
		c.bothAllow()
	case a.Allowed:
		c.oneForbids(1)
	case b.Allowed:
		c.oneForbids(0)
	default:
		c.bothForbid()
	}
	for _, side := range c.out.Sides {
		slices.SortFunc(side.Marks, func(m, n Mark) int { return slices.Compare(m.Pair[:], n.Pair[:]) })
	}
	return &c.out, nil
}

// nameLocations returns a program without code that has the graph's locations, which sentences name.
func nameLocations(g *models.Graph) *ir.Program {
	p, seen := &ir.Program{}, map[string]bool{}
	for _, e := range g.Events {
		if e.Loc != "" && !seen[e.Loc] {
			seen[e.Loc] = true
			p.Locs = append(p.Locs, ir.Location{Name: e.Loc})
		}
	}
	return p
}

// comparer compares two models on one execution.
type comparer struct {
	of     [2]*relaxer
	labels [2]string
	g      *models.Graph
	cycle  [2][]RelaxedStep // that each model forbids; nil if it is no cycle of accesses
	out    Comparison
}

// violated checks the execution under one model, and takes the violation with the fewest base edges.
func (c *comparer) violated(i int) {
	r, side := c.of[i], &c.out.Sides[i]
	broken := evaluation.NewChecker(r.model).Derive(r.x)
	if side.Allowed = len(broken) == 0; side.Allowed {
		return
	}
	length := func(v evaluation.Violation) (n int) {
		for _, e := range v.Edges {
			n += len(e.Path)
		}
		return n
	}
	slices.SortStableFunc(broken, func(v, w evaluation.Violation) int {
		return cmp.Or(cmp.Compare(length(v), length(w)), cmp.Compare(len(w.Edges), len(v.Edges)))
	})
	v := &broken[0]
	side.Broken = &Broken{
		Axiom: v.Axiom, Kind: v.Kind.String(), Sentence: v.Sentence(r.x), Source: v.Source(),
		Definitions: v.Definitions(),
		Cycle:       v.Edges,
	}
	if v.Events == nil {
		side.Broken.Kind = "~" + side.Broken.Kind
	}
	for _, other := range broken[1:] {
		side.Also = append(side.Also, other.Axiom)
	}
	var path []models.BaseEdge
	for _, e := range v.Edges {
		path = append(path, e.Path...)
	}
	for _, e := range path {
		side.Steps = append(side.Steps, drawnPair(e))
	}
	c.cycle[i] = r.stepsOf(path)
}

// drawnPair returns the edge of a drawing for a base edge: an inverse one is turned around.
func drawnPair(e models.BaseEdge) models.Pair {
	if strings.HasSuffix(e.Relation, "^-1") {
		return models.Pair{e.To, e.From}
	}
	return models.Pair{e.From, e.To}
}

// stepsOf turns a cycle of base edges into steps between accesses. It returns nil if the path is not a cycle, goes
// against some relation, or has a step without an access at an end.
func (r *relaxer) stepsOf(path []models.BaseEdge) []RelaxedStep {
	n := len(path)
	if n == 0 || path[n-1].To != path[0].From {
		return nil
	}
	first := func(event int) int { return r.x.Events[event].FirstPiece() }
	internal := func(e models.BaseEdge) bool { return r.x.Events[e.From].SameThread(&r.x.Events[e.To]) }
	start := max(0, slices.IndexFunc(path, func(e models.BaseEdge) bool { return !internal(e) }))
	path = slices.Concat(path[start:], path[:start]) // no run within a thread goes around the end
	var out []RelaxedStep
	for i := 0; i < n; i++ {
		e := path[i]
		from := first(e.From)
		if strings.HasSuffix(e.Relation, "^-1") {
			return nil
		}
		for internal(e) && i+1 < n && internal(path[i+1]) && !strings.HasSuffix(path[i+1].Relation, "^-1") &&
			(r.x.Events[path[i].To].Kind == models.Fence || r.po.Has(from, first(path[i+1].To))) {
			i++
		}
		to := first(path[i].To)
		if from == to { // pieces of one access
			continue
		}
		if r.x.Events[from].Kind == models.Fence || r.x.Events[to].Kind == models.Fence {
			return nil
		}
		out = append(out, RelaxedStep{From: from, To: to, Relation: r.name(from, to)})
	}
	return out
}

// bothAllow compares the steps of SC's cycle that the models give up.
func (c *comparer) bothAllow() {
	var found [2]*Relaxed
	for i, r := range c.of {
		found[i] = r.find()
		for _, s := range found[i].Cycle {
			c.out.Sides[i].Steps = append(c.out.Sides[i].Steps, models.Pair{s.From, s.To})
		}
	}
	const both = "Both models allow this execution"
	if len(found[0].Cycle) == 0 {
		c.out.Sentence = both + ". SC would allow it too, so neither model gives up any order: nothing in it differs."
		return
	}
	var differ [2][]RelaxedStep // that each gives up and the other keeps
	var shared []RelaxedStep
	theirs := byEvent(found[1].Cycle)
	for k, s := range byEvent(found[0].Cycle) {
		t := theirs[k]
		switch {
		case s.Relaxed && t.Relaxed:
			shared = append(shared, s)
		case s.Relaxed && len(t.Kept) > 0:
			differ[0] = append(differ[0], s)
		case t.Relaxed && len(s.Kept) > 0:
			differ[1] = append(differ[1], t)
		}
	}
	var parts []string
	for i, steps := range differ {
		if len(steps) == 0 {
			continue
		}
		c.mark(i, steps)
		also := ""
		if len(shared) > 0 {
			also = "also "
		}
		parts = append(parts, fmt.Sprintf("%s %sgives up %s, which %s keeps.", c.labels[i], also, c.orders(steps),
			c.labels[1-i]))
	}
	switch {
	case len(parts) > 0:
		c.out.Sentence = both + ". " + strings.Join(parts, " ")
	case len(shared) > 0:
		c.out.Sentence = both + " and give up " + c.orders(shared) + ": nothing in it differs."
	default:
		c.out.Sentence = both + ". Neither puts all steps of the cycle that SC forbids into one order: no step differs."
	}
}

// mark marks steps that model i gives up and the other keeps.
func (c *comparer) mark(i int, steps []RelaxedStep) {
	for _, s := range steps {
		p := models.Pair{s.From, s.To}
		c.out.Sides[i].Marks = append(c.out.Sides[i].Marks, Mark{p, GivenUp})
		c.out.Sides[1-i].Marks = append(c.out.Sides[1-i].Marks, Mark{p, Kept})
	}
}

// oneForbids finds the steps of model i's cycle that the other model gives up.
func (c *comparer) oneForbids(i int) {
	strict, loose, axiom := c.labels[i], c.labels[1-i], c.out.Sides[i].Broken.Axiom
	other := c.of[1-i]
	c.out.Sides[1-i].Steps = c.out.Sides[i].Steps
	if len(c.cycle[i]) == 0 {
		c.out.Sentence = fmt.Sprintf(
			"%s forbids this execution by its axiom %s. No axiom of %s does.",
			strict,
			axiom,
			loose,
		)
		return
	}
	out := &Relaxed{Cycle: slices.Clone(c.cycle[i])}
	other.examine(out)
	given := byEvent(slices.DeleteFunc(out.Cycle, func(s RelaxedStep) bool { return !s.Relaxed }))
	if len(given) == 0 {
		c.out.Sentence = fmt.Sprintf(
			"%s keeps each step of the cycle that %s forbids, but not all of them in one order; "+
				"so the cycle is no cycle in %s.",
			loose,
			strict,
			loose,
		)
		return
	}
	c.mark(1-i, given)
	c.out.Sentence = fmt.Sprintf("%s gives up %s, which %s keeps; so the cycle is no cycle in %s.", loose,
		c.orders(given), strict, loose)
}

// bothForbid compares the cycles of the models.
func (c *comparer) bothForbid() {
	const both = "Both models forbid this execution"
	sides := &c.out.Sides
	for i := range sides {
		if c.of[1-i].preservesAll(c.cycle[i]) {
			sides[1-i].Steps = sides[i].Steps
			c.out.Sentence = both + " by the same cycle: nothing in it differs."
			return
		}
	}
	var parts []string
	for i := range sides {
		if len(c.cycle[0]) == 0 || len(c.cycle[1]) == 0 {
			break
		}
		var only []RelaxedStep
		for _, s := range byEvent(c.cycle[i]) {
			same := func(o RelaxedStep) bool { return o.From == s.From && o.To == s.To }
			if !slices.ContainsFunc(c.cycle[1-i], same) {
				only = append(only, s)
				sides[i].Marks = append(sides[i].Marks, Mark{models.Pair{s.From, s.To}, OnlyHere})
			}
		}
		if len(only) > 0 {
			parts = append(parts, fmt.Sprintf("only the cycle of %s has %s", c.labels[i], c.orders(only)))
		}
	}
	switch {
	case len(parts) > 0:
		c.out.Sentence = both + ", by different cycles: " + strings.Join(parts, "; ") + "."
	case slices.Equal(sides[0].Steps, sides[1].Steps):
		c.out.Sentence = both + " by the same cycle: nothing in it differs."
	default:
		c.out.Sentence = fmt.Sprintf("%s, %s by its axiom %s and %s by %s.", both, c.labels[0], sides[0].Broken.Axiom,
			c.labels[1], sides[1].Broken.Axiom)
	}
}

// preservesAll reports whether some order of the model preserves all steps of a cycle, so that it forbids the cycle.
func (r *relaxer) preservesAll(cycle []RelaxedStep) bool {
	return len(cycle) > 0 && slices.ContainsFunc(r.orders, func(o order) bool {
		return o.axiom.Kind != cat.Empty && !slices.ContainsFunc(cycle,
			func(s RelaxedStep) bool { return !o.kept.Has(s.From, s.To) })
	})
}

// byEvent sorts steps by the events that they start from, which is by threads.
func byEvent(steps []RelaxedStep) []RelaxedStep {
	return slices.SortedFunc(slices.Values(steps), func(s, t RelaxedStep) int { return cmp.Compare(s.From, t.From) })
}

// orders names steps: "the order from Wx to Ry on P0 and from Wy to Rx on P1".
func (c *comparer) orders(steps []RelaxedStep) string {
	name := func(id int) string {
		e := c.g.Events[id]
		if len(e.Loc) > 1 {
			return e.Kind + " " + e.Loc
		}
		return e.Kind + e.Loc
	}
	thread := func(id int) string {
		if t := c.g.Events[id].Thread; t >= 0 {
			return " on " + c.g.Threads[t].Name
		}
		return " at the start"
	}
	var texts, threads []string // steps alike within several threads are named once
	for _, s := range steps {
		text, on := "from "+name(s.From), thread(s.To)
		if !c.of[0].internal(s) {
			text += thread(s.From)
		}
		text += " to " + name(s.To)
		if i := slices.Index(texts, text); i >= 0 {
			threads[i] += " and" + strings.TrimPrefix(on, " on")
			continue
		}
		texts, threads = append(texts, text), append(threads, on)
	}
	for i := range texts {
		texts[i] += threads[i]
	}
	last := len(texts) - 1
	if last == 0 {
		return "the order " + texts[0]
	}
	return "the order " + strings.Join(texts[:last], ", ") + " and " + texts[last]
}
