package relaxed

import (
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/evaluation"
	"litmuscope/models/relation"
)

// Why a model allows what SC forbids.
//
// SC forbids an execution that has a cycle of po, rf, co and fr. A model that allows the execution leaves some step of
// each such cycle out of every order of its own. Its orders are the axioms that say acyclic, and those that say
// irreflexive of a relation that is transitive here. An order preserves a pair if a chain of the axiom's relation leads
// from the pair's first event to its second. Since the execution is allowed, no order preserves all steps of a cycle.
// If an order also preserved the steps that it lacks, its axiom would fail.
//
// Most often, all relaxed steps are within threads. Some order, such as that in which accesses reach the one memory,
// preserves all steps between threads and lacks some within. To make sure that these are the reason, this package asks
// the model: it tightens them, by a dependency and a branch with a fence after a read, or by a fence after a write,
// which order nothing for other threads if possible. The model must forbid the result. Steps that no axiom preserves
// are tried first.
//
// In other models, a write reaches threads one after another, and no order alone says enough. If the model allows the
// execution even when tightened, steps between threads are a reason as well: those that the order which then preserves
// the most lacks.

// Relaxed says why a model allows an execution, compared with SC.
type Relaxed struct {
	// Cycle is a shortest cycle that SC forbids; empty for an execution of SC.
	Cycle []RelaxedStep `json:"cycle,omitempty"`
	// Axiom names the model's axiom that preserves most of the cycle; "" if no axiom is an order. Would means that it
	// preserves the other steps only if these are preserved too. Then this axiom would forbid the execution.
	Axiom string `json:"axiom,omitempty"`
	Would bool   `json:"would,omitempty"`
	// Source is that axiom in the model's text. Definitions are those that the preserved steps come from; the Uses of
	// their edges are indices into them.
	Source      *evaluation.Definition  `json:"source,omitempty"`
	Definitions []evaluation.Definition `json:"definitions,omitempty"`
	// Sentence gives the reason in general, the Words of the cycle's steps in detail.
	Sentence string `json:"sentence"`
	// Remedy says what would forbid the execution; "" if that is not known.
	Remedy string `json:"remedy,omitempty"`
}

// RelaxedStep is a step of the cycle.
type RelaxedStep struct {
	From     int    `json:"from"`
	To       int    `json:"to"`
	Relation string `json:"relation"` // po, rf, co or fr; rmw^-1 closes an update with a write in it
	// Relaxed: the model does not preserve the step. Words then say how it happens.
	Relaxed bool   `json:"relaxed,omitempty"`
	Words   string `json:"words,omitempty"`
	// Kept are the model's names for the step, if the model preserves it.
	Kept []evaluation.Edge `json:"kept,omitempty"`
}

// Relax compares a model that allows an execution with SC. Its sentences call the model by label. It fails if the graph
// is not a complete execution.
func Relax(m *models.Model, label string, g *models.Graph) (*Relaxed, error) {
	x, err := executionOf(g)
	if err != nil {
		return nil, err
	}
	if w := g.Whole(); w != nil {
		if m, err = m.Mixed(); err != nil {
			return nil, err
		}
		g = w.Overlaid(g)
	}
	r := &relaxer{model: m, x: x, e: evaluation.NewEvaluator(x)}
	r.prepare()
	out := r.find()
	(&describer{r, g, label}).describe(out)
	return out, nil
}

// relaxer examines one execution.
type relaxer struct {
	model          *models.Model
	x              *models.Execution
	e              *evaluation.Evaluator
	po, rf, co, fr relation.Relation
	orders         []order
	sm             relation.Relation // between the pieces of one access
	to             []int             // by ID of an event of the previous execution: the event here
	needed         neededOrders
}

// order is the relation that an axiom preserves.
type order struct {
	axiom    cat.Axiom
	kept     relation.Relation // of accesses, where these consist of pieces
	ofEvents relation.Relation // of events
}

// prepare evaluates the relations of SC's cycle and the model's orders. If accesses consist of pieces, the relations
// are lifted to accesses: they hold between two if they do between any of their pieces.
func (r *relaxer) prepare() {
	base := func(name string) relation.Relation { return r.e.Eval(cat.Base{Name: name, Kind: cat.Relation}) }
	r.po, r.rf, r.co = base("po"), base("rf"), base("co")
	r.fr = r.rf.Inverse().Then(r.co)
	r.orders = ordersOf(r.model, r.x, r.e)
	if !mixed(r.x) {
		return
	}
	r.sm = base("sm")
	for _, lifted := range []*relation.Relation{&r.po, &r.rf, &r.co, &r.fr} {
		*lifted = r.sm.Then(*lifted).Then(r.sm)
	}
}

// mixed reports whether some access consists of pieces. A cycle then consists of accesses: a step leads from one access
// to the next if it does so between any of their pieces.
func mixed(x *models.Execution) bool {
	return slices.ContainsFunc(x.Events, func(e models.Event) bool { return e.Piece > 0 })
}

// pieces returns the events of an access, given its first.
func pieces(x *models.Execution, first int) []int {
	out := []int{first}
	for i := first + 1; i < len(x.Events) && x.Events[i].Piece == i-first; i++ {
		out = append(out, i)
	}
	return out
}

// lastPiece returns the last event of an access.
func lastPiece(x *models.Execution, first int) int {
	all := pieces(x, first)
	return all[len(all)-1]
}

// ordersOf returns the orders of a model on an execution.
//
// An irreflexive relation is an order only if it is transitive on this execution. Negated axioms and those that want a
// relation empty preserve nothing.
func ordersOf(m *models.Model, x *models.Execution, e *evaluation.Evaluator) []order {
	var out []order
	for _, a := range m.Axioms {
		if a.Negated || a.Kind == cat.Empty {
			continue
		}
		v := e.Eval(a.Expr)
		kept := v.Closure()
		if a.Kind == cat.Irreflexive && !kept.Equal(v) {
			continue
		}
		ofEvents := kept
		if mixed(x) {
			sm := e.Eval(cat.Base{Name: "sm", Kind: cat.Relation})
			kept = sm.Then(kept).Then(sm)
		}
		out = append(out, order{a, kept, ofEvents})
	}
	return out
}

// find looks for a cycle and for its relaxed steps.
//
// The cycle is a shortest one of memory accesses. Memory orders of C are tried first (orders.go), because in a C11
// model the lack of them is the reason, and not the relaxed steps themselves.
func (r *relaxer) find() *Relaxed {
	memory := r.e.Set(func(v *models.Event) bool { return v.Kind != models.Fence && v.Piece == 0 })
	within := r.po.Like()
	memory.Each(0, func(a int) { copy(within.Row(a), memory.Bits) })
	out := &Relaxed{}
	cycle := r.po.Union(r.rf).Union(r.co).Union(r.fr).Inter(within).Cycle()
	if cycle == nil {
		out.Cycle = r.brokenUpdate()
		return out
	}
	for i, a := range cycle {
		b := cycle[(i+1)%len(cycle)]
		out.Cycle = append(out.Cycle, RelaxedStep{From: a, To: b, Relation: r.name(a, b)})
	}
	r.examine(out)
	return out
}

// examine finds the steps of a cycle that the model does not preserve, and its names for the others.
func (r *relaxer) examine(out *Relaxed) {
	if r.needed = r.findNeeded(out.Cycle); r.needed != nil {
		r.needed.relax(r, out.Cycle)
		out.Axiom = r.ordered(r.needed).broken()[0]
	} else {
		r.findRelaxed(out)
	}
	d := evaluation.NewDeriver(r.e)
	var all evaluation.Usage
	for i := range out.Cycle {
		if s := &out.Cycle[i]; !s.Relaxed {
			s.Kept = r.kept(d, out.Axiom, *s)
			all.Add(s.Kept)
		}
	}
	out.Definitions = all.Definitions()
	for _, a := range r.model.Axioms {
		if a.Name == out.Axiom && r.needed == nil { // which is no order then of all that it orders
			source := evaluation.DefinitionOf(a.Name, a.Source)
			out.Source = &source
		}
	}
}

// findRelaxed finds the relaxed steps of a cycle, as described above.
//
// It tries explanations from the simplest to the most general, and takes the first that the model confirms. First, if
// some order preserves all steps between threads: the steps within threads that no axiom preserves, tightened by the
// least ordering and then by full fences. Then all steps that such an order lacks. Then steps between threads as well
// (between).
func (r *relaxer) findRelaxed(out *Relaxed) {
	relax := func(which func(s RelaxedStep) bool) {
		for i := range out.Cycle {
			out.Cycle[i].Relaxed = which(out.Cycle[i])
		}
	}
	inNone := func(s RelaxedStep) bool { return r.internal(s) && !r.isKept(s) }
	best := r.best(r.orders, out.Cycle)
	if best == nil {
		return
	}
	// The orders that preserve all steps between threads.
	whole := slices.DeleteFunc(slices.Clone(r.orders), func(o order) bool {
		return slices.ContainsFunc(out.Cycle,
			func(s RelaxedStep) bool { return !r.internal(s) && !o.kept.Has(s.From, s.To) })
	})
	relax(inNone)
	loose := out.relaxedPairs()
	if len(whole) > 0 {
		for _, full := range []bool{false, true} {
			broken := r.tighten(loose, full).broken()
			if len(broken) == 0 {
				continue
			}
			missed := slices.DeleteFunc(slices.Clone(whole),
				func(o order) bool { return !slices.Contains(broken, o.axiom.Name) })
			if out.Would = len(missed) == 0; out.Would {
				out.Axiom = broken[0]
			} else {
				out.Axiom = r.best(missed, out.Cycle).axiom.Name
			}
			return
		}
	}
	by := func(o *order) {
		out.Axiom = o.axiom.Name
		relax(func(s RelaxedStep) bool { return !o.kept.Has(s.From, s.To) })
	}
	for i := range whole {
		if by(&whole[i]); r.tighten(out.relaxedPairs(), false).forbids() {
			r.dropPreserved(out)
			return
		}
	}
	if o := r.best(whole, out.Cycle); o != nil && best.within(r, out.Cycle) <= o.within(r, out.Cycle) {
		by(o) // no fence orders anything in this model
		return
	}
	relax(inNone)
	r.between(out, r.tighten(loose, false))
}

// dropPreserved removes relaxed steps that some axiom preserves, as long as the model still forbids the execution with
// the remaining ones tightened.
func (r *relaxer) dropPreserved(out *Relaxed) {
	for i := range out.Cycle {
		s := &out.Cycle[i]
		if !s.Relaxed || !r.isKept(*s) {
			continue
		}
		s.Relaxed = false
		s.Relaxed = !r.tighten(out.relaxedPairs(), false).forbids()
	}
}

// isKept reports whether any axiom preserves a step.
func (r *relaxer) isKept(s RelaxedStep) bool {
	return slices.ContainsFunc(r.orders, func(o order) bool { return o.kept.Has(s.From, s.To) })
}

// between adds steps between threads to those within threads that no axiom preserves and that have been tightened.
func (r *relaxer) between(out *Relaxed, tried *relaxer) {
	tried.orders = ordersOf(r.model, tried.x, tried.e)
	moved := slices.Clone(out.Cycle)
	for i := range moved {
		moved[i].From, moved[i].To = tried.to[moved[i].From], tried.to[moved[i].To]
	}
	best := tried.best(tried.orders, moved)
	if best == nil { // some axioms were orders by coincidence
		out.Axiom = ""
		return
	}
	out.Axiom = best.axiom.Name
	missing := func(internal bool) (some bool) {
		for i := range out.Cycle {
			if s := &out.Cycle[i]; r.internal(*s) == internal && !best.kept.Has(moved[i].From, moved[i].To) {
				s.Relaxed, some = true, true
			}
		}
		return some
	}
	if !missing(false) {
		missing(true) // preserved, but in another order
	}
}

// relaxedPairs returns the relaxed steps as pairs.
func (out *Relaxed) relaxedPairs() []models.Pair {
	var pairs []models.Pair
	for _, s := range out.Cycle {
		if s.Relaxed {
			pairs = append(pairs, models.Pair{s.From, s.To})
		}
	}
	return pairs
}

// within counts the steps within threads that an order preserves.
func (o *order) within(r *relaxer, cycle []RelaxedStep) int {
	n := 0
	for _, s := range cycle {
		if r.internal(s) && o.kept.Has(s.From, s.To) {
			n++
		}
	}
	return n
}

// brokenUpdate returns an atomic update with another thread's write between its halves. SC forbids that too, although
// it makes no cycle.
func (r *relaxer) brokenUpdate() []RelaxedStep {
	ext := r.e.Eval(cat.Base{Name: "ext", Kind: cat.Relation})
	fre, coe := r.fr.Inter(ext), r.co.Inter(ext)
	for _, u := range r.x.RMW {
		for w := range r.x.Events {
			if fre.Has(u[0], w) && coe.Has(w, u[1]) {
				return []RelaxedStep{
					{From: u[0], To: w, Relation: "fr"},
					{From: w, To: u[1], Relation: "co"},
					{From: u[1], To: u[0], Relation: "rmw^-1", Relaxed: true},
				}
			}
		}
	}
	return nil
}

// name returns the relation of a step: within a thread, po or rf.
func (r *relaxer) name(a, b int) string {
	switch {
	case r.rf.Has(a, b):
		return "rf"
	case r.po.Has(a, b):
		return "po"
	case r.co.Has(a, b):
		return "co"
	}
	return "fr"
}

// internal reports whether a step is within a thread.
func (r *relaxer) internal(s RelaxedStep) bool {
	return r.x.Events[s.From].SameThread(&r.x.Events[s.To])
}

// best returns the order that preserves the most of a cycle: first of its program order, which the threads require;
// then of all its steps; and among equals, the order with the most pairs.
//
// Program order counts first because a reader looks at what a thread may reorder.
func (r *relaxer) best(orders []order, cycle []RelaxedStep) *order {
	var best *order
	score := func(o *order) [3]int {
		var n [3]int
		for _, s := range cycle {
			if o.kept.Has(s.From, s.To) {
				n[1]++
				if s.Relation == "po" {
					n[0]++
				}
			}
		}
		for a := range o.kept.N {
			o.kept.Each(a, func(int) { n[2]++ })
		}
		return n
	}
	var most [3]int
	for i := range orders {
		if n := score(&orders[i]); best == nil || slices.Compare(n[:], most[:]) > 0 {
			best, most = &orders[i], n
		}
	}
	return best
}

// forbids reports whether the model forbids the execution.
func (r *relaxer) forbids() bool { return len(r.broken()) > 0 }

// broken returns the names of the axioms that forbid the execution.
func (r *relaxer) broken() []string {
	c := evaluation.NewChecker(r.model)
	var names []string
	for _, v := range c.Check(r.x) {
		names = append(names, v.Axiom)
	}
	return names
}

// kept returns the model's names for a step that it preserves: in the order of an axiom if possible, else in any.
func (r *relaxer) kept(d *evaluation.Deriver, first string, s RelaxedStep) []evaluation.Edge {
	for _, any := range []bool{false, true} {
		for _, o := range r.orders {
			if !any && o.axiom.Name != first || !o.kept.Has(s.From, s.To) {
				continue
			}
			expr := o.axiom.Expr
			if o.axiom.Kind == cat.Acyclic {
				expr = cat.Unary{Op: cat.Plus, X: o.axiom.Expr}
			}
			for _, a := range pieces(r.x, s.From) {
				for _, b := range pieces(r.x, s.To) {
					if o.ofEvents.Has(a, b) {
						return d.Edges(expr, a, b)
					}
				}
			}
		}
	}
	return nil
}

// tighten returns the execution with the given pairs within threads preserved by dependencies and fences. With full,
// the fences are full ones, which order the most after a write.
//
// After a read, the pair gets an address dependency, and a branch with a fence behind it (such as isync). Unlike a full
// fence, these do not make the write that was read visible to other threads. So if the model then forbids the
// execution, the pair itself was the reason, and not what a stronger fence does besides.
func (r *relaxer) tighten(pairs []models.Pair, full bool) *relaxer {
	var fences []fenceAfter
	x := *r.x
	x.Addr, x.Ctrl = slices.Clone(x.Addr), slices.Clone(x.Ctrl)
	for _, p := range pairs {
		tags := fullFence()
		switch {
		case x.Events[p[0]].Kind == models.Read:
			for _, a := range pieces(&x, p[0]) {
				for _, b := range pieces(&x, p[1]) {
					x.Addr, x.Ctrl = append(x.Addr, models.Pair{a, b}), append(x.Ctrl, models.Pair{a, b})
				}
			}
			tags = dialect.BehindBranch()
		case x.Events[p[1]].Kind == models.Write && !full:
			tags = dialect.Light()
		}
		fences = append(fences, fenceAfter{lastPiece(&x, p[0]), tags})
	}
	out := &relaxer{model: r.model}
	out.x, out.to = withFences(&x, fences)
	out.e = evaluation.NewEvaluator(out.x)
	for _, c := range out.x.Ctrl { // accesses after the branch, above all the fence
		for f := c[0] + 1; f < c[1]; f++ {
			if p := (models.Pair{c[0], f}); !slices.Contains(out.x.Ctrl, p) &&
				slices.Equal(out.x.Events[f].Tags, dialect.BehindBranch()) {
				out.x.Ctrl = append(out.x.Ctrl, p)
			}
		}
	}
	return out
}

// fullFence returns the tags of a fence that is a full fence in every architecture and language.
func fullFence() ir.Tags { return append(slices.Clip(dialect.Strongest()), "SC") }

// fenceAfter is a fence to add after an event.
type fenceAfter struct {
	behind int
	tags   ir.Tags
}

// withFences returns the execution with additional fences, and the new IDs of its events, by old ID.
func withFences(x *models.Execution, fences []fenceAfter) (out *models.Execution, to []int) {
	out = &models.Execution{Program: x.Program, Regs: x.Regs}
	to = make([]int, len(x.Events))
	for _, e := range x.Events {
		to[e.ID] = out.Add(e)
		for _, f := range fences {
			if f.behind == e.ID {
				out.Add(models.Event{Thread: e.Thread, Step: e.Step, Kind: models.Fence, Loc: -1, Tags: f.tags})
			}
		}
	}
	out.RF = make([]int, len(out.Events))
	for i := range out.RF {
		out.RF[i] = -1
	}
	for read, w := range x.RF {
		if w >= 0 {
			out.RF[to[read]] = to[w]
		}
	}
	for _, writes := range x.CO {
		var moved []int
		for _, w := range writes {
			moved = append(moved, to[w])
		}
		out.CO = append(out.CO, moved)
	}
	for _, p := range []struct {
		from []models.Pair
		to   *[]models.Pair
	}{
		{x.Addr, &out.Addr},
		{x.Data, &out.Data},
		{x.Ctrl, &out.Ctrl},
		{x.RMW, &out.RMW},
		{x.Spawns, &out.Spawns},
		{x.Joins, &out.Joins},
	} {
		for _, pair := range p.from {
			*p.to = append(*p.to, models.Pair{to[pair[0]], to[pair[1]]})
		}
	}
	return out, to
}
