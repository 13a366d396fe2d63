package encode

import (
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver/axiomatic/plan"
	"litmuscope/solver/axiomatic/relation"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// Relations evaluates cat expressions on an encoding, and asserts axioms.
type Relations struct {
	*Encoding
	bases           map[string]*relation.Matrix
	values          map[value]*known
	empty, emptySet *relation.Matrix
	plan            *plan.Plan
	known           []estimate // by term
	settling        *settling
	groups          map[*plan.Term]*group // by the first member
	// WellFounded: assert that no value comes from thin air, because no axiom of the model says so.
	WellFounded bool
	Ringed      bool              // assert that some value does
	OnPart      func(what string) // receives the name of the part to encode next
	// Ordered, unless nil, reports whether happens-before is known to order two events, so that they do not race.
	Ordered func(a, b *Event) bool

	of     *models.Model
	racing *Relations // the relations of the model that defines data races, if it is another one
}

// NewRelations returns the relations of the model whose axioms define the allowed executions.
func NewRelations(e *Encoding) *Relations { return relationsOf(e, e.model) }

// relationsOf returns the relations of any model on an encoding.
func relationsOf(e *Encoding, m *models.Model) *Relations {
	p := plan.Of(m)
	return &Relations{
		OnPart: func(string) {}, Encoding: e, plan: p, known: make([]estimate, p.Terms),
		bases: map[string]*relation.Matrix{}, values: map[value]*known{},
		groups: map[*plan.Term]*group{}, of: m,
	}
}

// fill makes a relation whose literal for each pair of events is the value of f.
func (r *Relations) fill(f func(a, b *Event, i, j int) sat.Lit) *relation.Matrix {
	m := r.NewMatrix(len(r.Events), len(r.Events))
	for i := range r.Events {
		for j := range r.Events {
			m.Set(i, j, f(&r.Events[i], &r.Events[j], i, j))
		}
	}
	return m
}

// members makes the set of the events for which in is true, as far as they execute.
func (r *Relations) members(in func(*Event) bool) *relation.Matrix {
	m := r.NewMatrix(len(r.Events), 1)
	for i := range r.Events {
		if in(&r.Events[i]) {
			m.Set(0, i, r.Events[i].Guard)
		}
	}
	return m
}

// A literal of a relation says that both events execute and that the relation has the pair; a literal of a set says
// that the event executes and is a member. So no operator has to mention guards again, except the complement, which
// adds pairs. Pairs that no execution relates have the literal false.

// base returns a base relation or set, and caches it.
func (r *Relations) base(name string) *relation.Matrix {
	if m, ok := r.bases[name]; ok {
		return m
	}
	m := r.compute(name)
	r.bases[name] = m
	return m
}

// compute encodes a base relation or set by its name in cat; a name that cat does not predeclare is a tag. A pair's
// literal includes that both events execute.
func (r *Relations) compute(name string) *relation.Matrix {
	own := func(a, b *Event) bool { return a.Thread == b.Thread && a.Thread != models.InitThread }
	both := func(in bool, i, j int) sat.Lit {
		if !in {
			return sat.False
		}
		return r.both(i, j)
	}
	switch name {
	case "_":
		return r.members(func(*Event) bool { return true })
	case "R":
		return r.members(func(e *Event) bool { return e.Kind == models.Read })
	case "W":
		return r.members(func(e *Event) bool { return e.Kind == models.Write })
	case "M":
		return r.members(func(e *Event) bool { return e.Kind != models.Fence })
	case "F":
		return r.members(func(e *Event) bool { return e.Kind == models.Fence })
	case "IW":
		return r.members(func(e *Event) bool { return e.Thread == models.InitThread })
	case "FW":
		return r.finalWrites()
	case "po":
		return r.programOrder()
	case "int":
		return r.fill(func(a, b *Event, i, j int) sat.Lit { return both(own(a, b), i, j) })
	case "ext":
		return r.fill(func(a, b *Event, i, j int) sat.Lit { return both(i != j && !own(a, b), i, j) })
	case "id":
		return r.fill(func(a, _ *Event, i, j int) sat.Lit {
			if i != j {
				return sat.False
			}
			return a.Guard
		})
	case "loc":
		return r.fill(func(a, b *Event, i, j int) sat.Lit {
			if !overlap(a.Locs, b.Locs) {
				return sat.False
			}
			return r.And(r.both(i, j), r.sameLocation(i, j))
		})
	case "rf":
		m := r.NewMatrix(len(r.Events), len(r.Events))
		for _, rf := range r.reads {
			for k, w := range rf.writes {
				m.Set(w, rf.read, r.And(r.Events[rf.read].Guard, rf.choice[k]))
			}
		}
		return m
	case "co":
		return r.fill(func(a, b *Event, i, j int) sat.Lit {
			if r.co[i] == nil || r.co[i][j] == 0 {
				return sat.False
			}
			return r.And(r.both(i, j), r.sameLocation(i, j), r.co[i][j])
		})
	case "sm":
		return r.fill(
			func(a, b *Event, i, j int) sat.Lit { return both(i-a.Piece == j-b.Piece && a.Half == b.Half, i, j) })
	case "rmw":
		return r.updates()
	case "addr":
		return r.dependency(func(e *Event) []symbolic.Source[sat.Vec] { return e.addr })
	case "data":
		return r.dependency(func(e *Event) []symbolic.Source[sat.Vec] { return e.data })
	case "ctrl":
		return r.dependency(func(e *Event) []symbolic.Source[sat.Vec] { return e.ctrl })
	case "vloc":
		return r.fill(func(a, b *Event, i, j int) sat.Lit {
			if a.Tags.Name() != b.Tags.Name() || !overlap(a.Locs, b.Locs) {
				return sat.False
			}
			return r.And(r.both(i, j), r.sameLocation(i, j))
		})
	case "LIVE":
		m := r.NewMatrix(len(r.Events), 1)
		for i := range r.Events {
			m.Set(0, i, r.liveEntry(&r.Events[i]))
		}
		return m
	case "remaps":
		return r.fill(r.remaps)
	case "ssw":
		return r.fill(func(a, b *Event, i, j int) sat.Lit { return both(r.Program.Meets(a.Thread, b.Thread), i, j) })
	case "syncbar":
		return r.fill(func(_, _ *Event, i, j int) sat.Lit { return r.opens(i, j) })
	}
	if scope := ir.ScopeOf(name); scope != "" {
		return r.fill(func(a, b *Event, i, j int) sat.Lit {
			return both(r.Program.Share(scope, a.Thread, b.Thread), i, j)
		})
	}
	return r.members(func(e *Event) bool { return e.Tags.Has(ir.Tag(name)) })
}

// programOrder encodes program order of each thread, and its extension by spawn and join.
func (r *Relations) programOrder() *relation.Matrix {
	order := r.order
	if r.Prefix != nil {
		order = r.Prefix.Order
	}
	return r.fill(func(_, _ *Event, i, j int) sat.Lit {
		l := order.Before(i, j)
		if l == sat.False {
			return l
		}
		return r.And(l, r.both(i, j))
	})
}

// finalWrites encodes FW: writes to observed locations that no other write follows.
func (r *Relations) finalWrites() *relation.Matrix {
	co := r.base("co")
	m := r.NewMatrix(len(r.Events), 1)
	for i := range r.Events {
		w := &r.Events[i]
		var asked []sat.Lit
		for k, l := range w.Locs {
			if w.Kind == models.Write &&
				slices.ContainsFunc(r.Program.Observed, func(o ir.Observable) bool { return r.Program.Shows(o, l) }) {
				asked = append(asked, w.at[k])
			}
		}
		last := []sat.Lit{w.Guard, r.Or(asked...)}
		for j := range r.Events {
			last = append(last, co.Get(i, j).Not())
		}
		m.Set(0, i, r.And(last...))
	}
	return m
}

// liveEntry returns a literal that is true if an event writes an entry of a page table that a TLB may keep.
func (r *Relations) liveEntry(w *Event) sat.Lit {
	if r.Program.EntryBits == nil || w.Kind != models.Write {
		return sat.False
	}
	var entry []sat.Lit
	for k, l := range w.Locs {
		if r.Program.IsEntry(l) {
			entry = append(entry, w.at[k])
		}
	}
	all := []sat.Lit{w.Guard, r.Or(entry...)}
	for bit, l := range w.value {
		if r.Program.EntryBits.Live>>bit&1 == 1 {
			all = append(all, l)
		}
	}
	return r.And(all...)
}

// remaps returns a literal that is true if two events write entries of one location that a TLB may keep, and that map
// it to different memory.
func (r *Relations) remaps(a, b *Event, i, j int) sat.Lit {
	if a.Kind != models.Write || b.Kind != models.Write || !overlap(a.Locs, b.Locs) {
		return sat.False
	}
	before, after := r.liveEntry(a), r.liveEntry(b)
	if before == sat.False || after == sat.False || len(a.value) != len(b.value) {
		return sat.False
	}
	bits := r.Program.EntryBits
	var other []sat.Lit
	for bit := range a.value {
		if bits.Output>>bit&1 == 1 {
			other = append(other, r.Xor(a.value[bit], b.value[bit]))
		}
	}
	for n := range bits.Memory {
		for m := range bits.Memory {
			if bits.Memory[n] != bits.Memory[m] {
				other = append(other, r.And(r.hasAttributes(a, n), r.hasAttributes(b, m)))
			}
		}
	}
	return r.And(before, after, r.sameLocation(i, j), r.Or(other...))
}

// hasAttributes returns a literal that is true if an entry has a set of memory attributes.
func (r *Relations) hasAttributes(w *Event, set int) sat.Lit {
	var all []sat.Lit
	rest := uint64(set)
	for bit, l := range w.value {
		if r.Program.EntryBits.Attributes>>bit&1 == 1 {
			if rest&1 == 0 {
				l = l.Not()
			}
			all, rest = append(all, l), rest>>1
		}
	}
	return r.And(all...)
}

// differ returns a literal that is true if both events have values and these differ.
func (r *Relations) differ(a, b *Event) sat.Lit {
	if a.Kind == models.Fence || b.Kind == models.Fence {
		return sat.False
	}
	x, y := a.value, b.value
	for len(x) < len(y) {
		x = append(x[:len(x):len(x)], sat.False)
	}
	for len(y) < len(x) {
		y = append(y[:len(y):len(y)], sat.False)
	}
	return r.EqualVec(x, y).Not()
}

// dependency makes the relation from the reads in of(e) to e, within a thread.
func (r *Relations) dependency(of func(*Event) []symbolic.Source[sat.Vec]) *relation.Matrix {
	m := r.NewMatrix(len(r.Events), len(r.Events))
	for j := range r.Events {
		if r.Events[j].Tags.Has(ir.TagSpawn) {
			continue // program order already orders the arguments of a thread
		}
		for _, s := range of(&r.Events[j]) {
			// A store-conditional without a matching exclusive load never succeeds and has no event.
			if i := r.first[s.Read.Thread][s.Read.Step]; i >= 0 && s.Read.Thread == r.Events[j].Thread {
				for k := range r.sources(i) {
					m.Set(k, j, r.And(r.Events[i].Guard, r.Events[j].Guard, s.Cond[0]))
				}
			}
		}
	}
	return m
}

// updates encodes rmw: from each piece of a read to the same piece of the write that forms one atomic access with it.
func (r *Relations) updates() *relation.Matrix {
	m := r.NewMatrix(len(r.Events), len(r.Events))
	for j := range r.Events {
		for _, s := range r.Events[j].pairs {
			i := r.first[s.Read.Thread][s.Read.Step] + r.Events[j].Piece
			m.Set(i, j, r.And(r.Events[i].Guard, r.Events[j].Guard, s.Cond[0]))
		}
	}
	return m
}

// ofAccesses reduces a relation that leads to all pieces of an access or to none to the first pieces of accesses.
func (r *Relations) ofAccesses(m *relation.Matrix) *relation.Matrix {
	first := make([]int, len(r.Events))
	for i := range r.Events {
		if e := &r.Events[i]; e.Piece > 0 && e.Half == r.Events[i-1].Half {
			first[i] = first[i-1]
		} else {
			first[i] = i
		}
	}
	out := r.NewMatrix(m.N, m.N)
	for i, a := range first {
		for j, b := range first {
			if l := m.Get(i, j); j == b && l != sat.False {
				out.Set(a, b, r.Or(out.Get(a, b), l))
			}
		}
	}
	return out
}
