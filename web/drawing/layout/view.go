package layout

import (
	"slices"

	"litmuscope/models"
)

// The default view shows po, rf, co and rmw as the graph lists them (po and co between neighbours), fr between threads,
// and of every relation the edges on a cycle; fewer if they would be too many to read. It shows no initial writes and
// no edges to or from them, unless they are on the cycle: a read of an initial value has a dot at its side instead.
// Initial writes stand above the threads, and [Initial] shows them.

// View names relations of which all or nothing is seen, rather than what the default view, which is the zero value,
// has of them; and [Initial].
type View struct {
	Show []string `json:"show,omitempty"`
	Hide []string `json:"hide,omitempty"`
}

// Shows tells whether a part of an edge is seen.
func (v View) Shows(relation string, p Part) bool {
	return (p.Default || slices.Contains(v.Show, relation)) && !slices.Contains(v.Hide, relation)
}

// Sees tells whether an event is seen.
func (v View) Sees(n Node) bool { return !n.Hidden() || v.begins() }

// begins tells whether the initial writes are seen.
func (v View) begins() bool { return slices.Contains(v.Show, Initial) }

// Starts tells whether a read has the mark of those that read an initial value.
func (v View) Starts(n Node) bool { return n.Start && !v.begins() }

// Lights tells whether an event is part of the cycle that is made out, Lit whether an edge is.
func (d *Drawing) Lights(event int) bool {
	return slices.ContainsFunc(d.Cycle, func(p models.Pair) bool { return p[0] == event || p[1] == event })
}

// Lit is [Drawing.Lights] of an edge.
func (d *Drawing) Lit(e *Edge) bool { return slices.Contains(d.Cycle, models.Pair{e.From, e.To}) }

// Ends are the events of an edge.
func (d *Drawing) Ends(e *Edge) (from, to Node) { return d.Nodes[e.from], d.Nodes[e.to] }

// Between tells whether a view sees both.
func (d *Drawing) Between(v View, e *Edge) bool {
	from, to := d.Ends(e)
	return v.Sees(from) && v.Sees(to)
}

// Visible gives the edges of which anything is seen, with what is.
func (d *Drawing) Visible(v View, f func(e *Edge, parts []Part)) {
	for i := range d.Edges {
		e := &d.Edges[i]
		if !d.Between(v, e) {
			continue
		}
		var parts []Part
		for _, p := range e.Parts {
			if v.Shows(d.Relations[p.Relation].Name, p) {
				parts = append(parts, p)
			}
		}
		if len(parts) > 0 {
			f(e, parts)
		}
	}
}

// manyShown are the edges beyond which the default view leaves out more: nobody follows so many.
const manyShown = 160

// defaults says what the default view shows: of po, rf, co, rmw, spawn and join all, of fr what leads to another
// thread, and of dependencies and of what a model defines what lies on a cycle; beside a story no more of the latter
// than is part of it. Where that is too much to be read, it shows of po and co what does not follow from the rest, and
// of fr what lies on a cycle; and where that is still too much, because nearly everything lies on one, neither fr nor
// what a model defines. The story is shown in any case; one that was asked for may be of any relations, and goes
// without dependencies beside it.
func (d *Drawing) defaults(cycle []models.Pair) {
	told := map[models.Pair]bool{}
	for _, p := range d.Cycle {
		told[p] = true
	}
	long, po := map[int]bool{}, d.leads([]string{"po"})
	for i := range d.Edges {
		e := &d.Edges[i]
		long[i] = d.long(e) && walkTo(po, e.From, e.To) != nil
	}
	for strictness := range 3 {
		d.Thinned = strictness > 0
		implied := map[string]map[models.Pair]bool{}
		if strictness > 0 {
			implied = map[string]map[models.Pair]bool{"po": d.implied("po"), "co": d.implied("co")}
		}
		shown := 0
		for i := range d.Edges {
			e := &d.Edges[i]
			pair := models.Pair{e.From, e.To}
			for k := range e.Parts {
				p := &e.Parts[k]
				p.Default = p.cyclic && strictness < 2 && len(told) == 0
				switch name := d.Relations[p.Relation].Name; name {
				case "po", "co":
					p.Default = !implied[name][pair] && !(name == "po" && long[i])
				case "rf", "rmw", "spawn", "join":
					p.Default = true
				case "addr", "data", "ctrl":
					p.Default = p.cyclic && strictness < 2 && len(cycle) == 0
				case "fr":
					p.Default = p.cyclic && strictness < 2 || strictness == 0 &&
						d.Nodes[e.from].col != d.Nodes[e.to].col
				}
				p.Default = p.Default || p.cyclic && told[pair]
			}
			if e.Default() && !d.Beginning(e) {
				shown++
			}
		}
		if shown <= manyShown {
			break
		}
	}
	for _, e := range d.Edges {
		if d.Lit(&e) && !e.Default() {
			e.Parts[0].Default = true
		}
		d.count(&e)
	}
}

// count adds an edge to the numbers of its relations.
func (d *Drawing) count(e *Edge) {
	for _, p := range e.Parts {
		r := &d.Relations[p.Relation]
		r.Edges++
		r.On = r.On || p.Default
		if d.Beginning(e) {
			r.Initial++
		} else if p.Default {
			r.Shown++
		}
	}
}

// Beginning tells whether an edge leads from or to an initial write that is drawn only where one asks
// for it.
func (d *Drawing) Beginning(e *Edge) bool {
	return !d.Between(View{}, e)
}

// Hidden tells whether a node is drawn only with Initial.
func (n Node) Hidden() bool { return n.Init() && !n.told }

// implied are the edges of a relation that two others of its edges amount to.
func (d *Drawing) implied(name string) map[models.Pair]bool {
	next := map[int][]int{}
	for _, e := range d.Edges {
		for _, p := range e.Parts {
			if d.Relations[p.Relation].Name == name {
				next[e.From] = append(next[e.From], e.To)
			}
		}
	}
	out := map[models.Pair]bool{}
	for a, list := range next {
		if len(list) < 2 {
			continue
		}
		for _, b := range list {
			for _, c := range next[b] {
				if a != b && b != c {
					out[models.Pair{a, c}] = true
				}
			}
		}
	}
	return out
}
