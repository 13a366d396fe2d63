package consistency

import (
	"fmt"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver"
	"litmuscope/solver/graphs/graph"
)

// Compilation turns a model into a list of nodes, each an operation on earlier nodes, so that evaluation is one pass
// without recursion. Three kinds of rewriting make the list short:
//
// 1. What no event of the program can be part of is empty, and folds: a union drops it, an intersection or a sequence
// becomes empty. A model with dozens of tags has few nodes for a program that uses three of them.
// 2. Restrictions replace matrices: [A] ; r, r ; [B] and r & (A*B) become opRestrict, which masks rows and columns of
// r. inverse(rf) ; co becomes fr, which the graph gives directly.
// 3. Equal nodes are made once (add), so that happens-before is evaluated once although several axioms use it.
//
// Recursive definitions become knots, whose nodes the evaluation repeats until nothing changes. Compile rejects
// operators whose meaning depends on values, on the end of the execution or on an order that the model chooses: a
// partial execution does not have these yet.

// op is the operation of a node.
type op uint8

const (
	opNothing op = iota // the empty set or relation
	// Sets.
	opTagged // the events with a tag: bit x of Event.Sets
	opAll
	opReads
	opWrites
	opFences
	opInitial
	opDomain
	opRange
	// Relations.
	opPO
	opInt
	opExt
	opID
	opLoc
	opRF
	opCO
	opFR
	opAddr
	opData
	opCtrl
	opRMW
	opAccess   // events of the same access (sm)
	opSiblings // the same without id
	opOverlap  // of accesses with a common location
	opInverse
	opPlus
	opSeq
	opRestrict // the pairs of x from set y to set z; -1 means any event
	opIdentity // of set x
	opCartesian
	// Sets or relations.
	opUnion
	opInter
	opDiff
	opKnot // definition y of the recursive group x
)

// node is an operation on earlier nodes. Equal nodes are one node, so that axioms share subexpressions.
type node struct {
	op      op
	set     bool
	x, y, z int
}

// Formula is a compiled model: its axioms as operations on sets and relations, in an order where operands come first.
// Compile removes subexpressions that are empty for the program because no event has the tags they need.
type Formula struct {
	nodes  []node
	index  map[node]int
	axioms []axiom
	tags   []ir.Tag // tags of opTagged nodes
	knots  []knot
	// raced is the relation that raises the flag for data races; -1 without a race check.
	raced int
	// Deps: some node uses dependencies.
	Deps bool
	// total: one acyclic axiom contains po, rf, co and fr. orders: further relations that are acyclic together with
	// coherence order, between accesses to one location.
	total  bool
	orders []int
	// Extends: the model always allows one more event of a thread. Ahead: threads run ahead of their reads' values,
	// because Extends is not known or because the model lets program order and reads-from have cycles.
	Extends, Ahead bool
	// Atomic: the model lets no write come between the read and the write of an update.
	Atomic bool
	// Sections: the program has atomic sections. Mixed: accesses consist of pieces.
	Sections, Mixed bool
	// Coherent: the model orders all accesses of a thread to one location.
	Coherent bool
	// later is not nil if programs run in program order although the model lets threads run ahead.
	later *later

	defs    map[*cat.Def]int
	classes classes
	has     Presence
}

type axiom struct {
	name string
	kind cat.CheckKind
	root int
	// the members of the union that root is; root alone if it is no union
	members []int
}

// knot is a group of mutually recursive definitions.
type knot struct {
	vars, bodies []int
	inside       []int // nodes that depend on the group, operands first
	before       []int // nodes after the variables that do not depend on the group, but that its bodies may need
}

// refusal is the panic of refuse: why the method does not support a model.
type refusal struct{ error }

func refuse(format string, args ...any) { panic(refusal{fmt.Errorf(format, args...)}) }

// Presence reports which tags a program's events may have, and which its fences may have.
type Presence struct{ Tag, Fence func(ir.Tag) bool }

// Anything is the presence of a program whose events may have any tag.
func Anything() Presence {
	all := func(ir.Tag) bool { return true }
	return Presence{all, all}
}

// Compile compiles a model's axioms for programs whose events have at most the tags in has. It returns an error if the
// method does not support the model. The method needs two properties (Kokologiannakis, Marmanis, Gladstein, Vafeiadis,
// “Truly Stateless, Optimal Dynamic Partial Order Reduction”, POPL 2022, section 2): the model allows an allowed
// execution without its last events (prefix closure), and an allowed execution with one more event that is last in
// coherence order or reads from the last write (extensibility). Without the second, threads run ahead of their reads
// (Formula.Ahead).
func Compile(m *models.Model, has Presence) (f *Formula, err error) {
	defer refused(&err)
	if len(m.Orders) > 0 {
		refuse("%s chooses an order (%s), which this engine does not support", models.Label(m.Name), m.Orders[0].Name)
	}
	f = &Formula{
		index: map[node]int{}, defs: map[*cat.Def]int{},
		classes: classes{byTags: map[tagsKey]graph.Class{}, bySets: map[setsKey]graph.Class{}}, has: has, Extends: true,
		raced: -1, Coherent: m.Coherent(),
	}
	for _, a := range m.Axioms {
		root := f.expr(a.Expr)
		if f.nodes[root].op == opNothing && !a.Negated {
			continue
		}
		f.admit(m, a, root)
		f.axioms = append(f.axioms, axiom{a.Name, a.Kind, root, f.members(root, nil)})
	}
	f.Ahead = !f.Extends || !m.ForbidsThinAir()
	var roots []int
	for _, a := range f.axioms {
		roots = append(roots, a.root)
		f.learn(a)
	}
	f.depend(roots)
	return f, nil
}

// Mix declares that accesses consist of pieces. An event that precedes one piece of an access need not precede the
// others, so the checker cannot assume a total order.
func (f *Formula) Mix() { f.Mixed, f.total = true, false }

// refused converts a panic of refuse to an error.
func refused(err *error) {
	if r := recover(); r != nil {
		why, ok := r.(refusal)
		if !ok {
			panic(r)
		}
		*err = why.error
	}
}

// depend sets Deps if the roots use dependencies.
func (f *Formula) depend(roots []int) {
	for _, i := range f.needed(roots) {
		switch f.nodes[i].op {
		case opAddr, opData, opCtrl:
			f.Deps = true
		}
	}
}

// learn records what an axiom says about updates (Atomic) and about coherence order (total, orders).
func (f *Formula) learn(a axiom) {
	if a.kind == cat.Empty {
		for _, m := range a.members {
			n := f.nodes[m]
			if n.op == opInter && (f.nodes[n.x].op == opRMW || f.nodes[n.y].op == opRMW) {
				f.Atomic = true
			}
		}
		return
	}
	has := map[op]bool{}
	for _, m := range a.members {
		has[f.nodes[m].op] = true
	}
	if a.kind != cat.Acyclic || !has[opRF] || !has[opCO] || !has[opFR] {
		return
	}
	f.total = f.total || has[opPO]
	for _, m := range a.members {
		n := f.nodes[m]
		if n.op != opInter {
			continue
		}
		for _, of := range [][2]int{{n.x, n.y}, {n.y, n.x}} {
			if f.nodes[of[0]].op == opLoc && f.nodes[of[1]].op != opPO {
				f.orders = append(f.orders, of[1])
			}
		}
	}
}

// Watch adds the relation that raises a flag for data races to the formula.
func (f *Formula) Watch(r solver.RaceFlag) (err error) {
	defer refused(&err)
	flag := r.Model.Flags[r.Index]
	root := f.nothing(false)
	for _, a := range flag.Checks {
		if a.Kind != cat.Empty || !a.Negated {
			refuse("%s: the flag %s must be raised by a nonempty relation",
				models.Label(r.Model.Name), flag.Name)
		}
		root = f.union(root, f.expr(a.Expr))
	}
	f.raced = root
	f.depend([]int{root})
	return nil
}

// MayRace reports whether two events may race, judged by their kinds and tags alone.
func (f *Formula) MayRace(a, b *graph.Event) bool {
	return f.raced >= 0 && (f.may(f.raced, a, b) || f.may(f.raced, b, a))
}

// may over-approximates whether node i can relate a to b.
func (f *Formula) may(i int, a, b *graph.Event) bool {
	switch n := f.nodes[i]; n.op {
	case opNothing:
		return false
	case opUnion:
		return f.may(n.x, a, b) || f.may(n.y, a, b)
	case opInter:
		return f.may(n.x, a, b) && f.may(n.y, a, b)
	case opDiff:
		return f.may(n.x, a, b)
	case opRestrict:
		return f.may(n.x, a, b) && (n.y < 0 || f.mayBe(n.y, a)) && (n.z < 0 || f.mayBe(n.z, b))
	case opCartesian:
		return f.mayBe(n.x, a) && f.mayBe(n.y, b)
	}
	return true
}

// mayBe over-approximates whether an event is in a set.
func (f *Formula) mayBe(i int, e *graph.Event) bool {
	if e.Kind == graph.Choice {
		return false
	}
	switch n := f.nodes[i]; n.op {
	case opNothing, opInitial:
		return false
	case opFences:
		return e.Kind != graph.Read && e.Kind != graph.Write
	case opReads:
		return e.Kind == graph.Read
	case opWrites:
		return e.Kind == graph.Write
	case opTagged:
		return e.Sets>>n.x&1 == 1
	case opUnion:
		return f.mayBe(n.x, e) || f.mayBe(n.y, e)
	case opInter:
		return f.mayBe(n.x, e) && f.mayBe(n.y, e)
	case opDiff:
		return f.mayBe(n.x, e) && !(f.settled(n.y) && f.mayBe(n.y, e))
	}
	return true
}

// members appends the members of a union, including those of nested unions, to out.
func (f *Formula) members(root int, out []int) []int {
	if n := f.nodes[root]; n.op == opUnion {
		return f.members(n.y, f.members(n.x, out))
	}
	return append(out, root)
}

// add returns the node n, and makes it if there is none.
func (f *Formula) add(n node) int {
	if i, ok := f.index[n]; ok {
		return i
	}
	f.nodes = append(f.nodes, n)
	f.index[n] = len(f.nodes) - 1
	return len(f.nodes) - 1
}

func (f *Formula) nothing(set bool) int { return f.add(node{op: opNothing, set: set}) }

func (f *Formula) empty(i int) bool { return f.nodes[i].op == opNothing }

var baseOps = map[string]op{
	"_": opAll, "R": opReads, "W": opWrites, "F": opFences, "IW": opInitial,
	"po": opPO, "int": opInt, "ext": opExt, "id": opID, "loc": opLoc, "rf": opRF, "co": opCO,
	"addr": opAddr, "data": opData, "ctrl": opCtrl, "rmw": opRMW, "sm": opAccess,
}

func (f *Formula) expr(e cat.Expr) int {
	switch e := e.(type) {
	case cat.Base:
		return f.base(e)
	case cat.Ref:
		return f.ref(e.Def)
	case cat.Unary:
		return f.unary(e)
	case cat.Binary:
		return f.binary(e)
	case cat.Nothing:
		return f.nothing(false)
	case cat.Chosen:
		refuse("the model chooses an order")
	}
	panic("BUG: unknown expression")
}

// base compiles a base relation, set or tag. A tag that no event of the program has is the empty set, so that what
// depends on it folds away.
func (f *Formula) base(e cat.Base) int {
	set := e.Kind == cat.Set
	switch {
	case e.Name == "M":
		return f.add(
			node{
				op: opUnion, set: true, x: f.add(node{op: opReads, set: true}),
				y: f.add(node{op: opWrites, set: true}),
			})
	case e.Name == "FW":
		refuse("the final writes (FW) are not known before the execution ends")
	}
	if o, ok := baseOps[e.Name]; ok {
		return f.add(node{op: o, set: set})
	}
	if ir.OfScopes(e.Name) {
		refuse("the model uses the scopes of threads (%s)", e.Name)
	}
	tag := ir.Tag(e.Name)
	if !f.has.Tag(tag) { // among them sets and relations of the system side, which these programs do not have
		return f.nothing(set)
	}
	for i, t := range f.tags {
		if t == tag {
			return f.add(node{op: opTagged, set: true, x: i})
		}
	}
	if len(f.tags) == 64 {
		refuse("the model uses more than 64 sets of events")
	}
	f.tags = append(f.tags, tag)
	return f.add(node{op: opTagged, set: true, x: len(f.tags) - 1})
}

// ref compiles a definition once. A group of recursive definitions becomes a knot: the variables, their bodies, the
// nodes inside the recursion, in order, and those to evaluate before it.
func (f *Formula) ref(d *cat.Def) int {
	if i, ok := f.defs[d]; ok {
		return i
	}
	if d.Group == nil {
		i := f.expr(d.Body)
		if d.Kind == cat.Set && f.empty(i) {
			i = f.nothing(true)
		}
		f.defs[d] = i
		return i
	}
	k := knot{}
	f.knots = append(f.knots, knot{})
	number := len(f.knots) - 1
	for i, g := range d.Group {
		v := f.add(node{op: opKnot, set: g.Kind == cat.Set, x: number, y: i})
		f.defs[g] = v
		k.vars = append(k.vars, v)
	}
	for _, g := range d.Group {
		k.bodies = append(k.bodies, f.expr(g.Body))
	}
	rests := map[int]bool{}
	for _, v := range k.vars {
		rests[v] = true
	}
	for i := k.vars[0]; i < len(f.nodes); i++ {
		if f.restsOn(f.nodes[i], rests) {
			rests[i] = true
			k.inside = append(k.inside, i)
		}
	}
	for _, i := range f.needed(k.bodies) {
		if i > k.vars[0] && !rests[i] {
			k.before = append(k.before, i)
		}
	}
	f.knots[number] = k
	return f.defs[d]
}

// operands are the nodes that a node rests on.
func (n node) operands() []int {
	switch n.op {
	case opDomain, opRange, opInverse, opPlus, opIdentity:
		return []int{n.x}
	case opSeq, opCartesian, opUnion, opInter, opDiff:
		return []int{n.x, n.y}
	case opRestrict:
		out := []int{n.x}
		if n.y >= 0 {
			out = append(out, n.y)
		}
		if n.z >= 0 {
			out = append(out, n.z)
		}
		return out
	}
	return nil
}

func (f *Formula) restsOn(n node, on map[int]bool) bool {
	for _, i := range n.operands() {
		if on[i] {
			return true
		}
	}
	return false
}

// unary compiles an operator of one operand. It panics with a refusal where the method does not support the operator.
func (f *Formula) unary(e cat.Unary) int {
	x := f.expr(e.X)
	set := f.nodes[x].set
	id := node{op: opID}
	switch e.Op {
	case cat.Inverse:
		if f.empty(x) {
			return x
		}
		return f.add(node{op: opInverse, x: x})
	case cat.Plus:
		return f.plus(x)
	case cat.Star:
		return f.union(f.plus(x), f.add(id))
	case cat.Optional:
		return f.union(x, f.add(id))
	case cat.Complement:
		if !set {
			refuse("the model uses the complement of a relation")
		}
		return f.diff(f.add(node{op: opAll, set: true}), x)
	case cat.Identity:
		if f.empty(x) {
			return f.nothing(false)
		}
		return f.add(node{op: opIdentity, x: x})
	case cat.Domain, cat.Range:
		if f.empty(x) {
			return f.nothing(true)
		}
		o := opDomain
		if e.Op == cat.Range {
			o = opRange
		}
		return f.add(node{op: o, set: true, x: x})
	case cat.Differing:
		refuse("the model uses different-values, which depends on values")
	}
	panic("BUG: unknown operator")
}

// plus compiles a closure. Relations that are transitive already stay as they are.
func (f *Formula) plus(x int) int {
	switch f.nodes[x].op {
	case opNothing, opPlus, opPO, opCO, opIdentity, opID:
		return x
	}
	return f.add(node{op: opPlus, x: x})
}

func (f *Formula) binary(e cat.Binary) int {
	x, y := f.expr(e.X), f.expr(e.Y)
	switch e.Op {
	case cat.Union:
		return f.union(x, y)
	case cat.Inter:
		return f.inter(x, y)
	case cat.Diff:
		return f.diff(x, y)
	case cat.Seq:
		return f.seq(x, y)
	case cat.Cartesian:
		if f.empty(x) || f.empty(y) {
			return f.nothing(false)
		}
		return f.add(node{op: opCartesian, x: x, y: y})
	}
	panic("BUG: unknown operator")
}

func (f *Formula) union(x, y int) int {
	switch {
	case f.empty(x):
		return y
	case f.empty(y), x == y:
		return x
	}
	return f.add(node{op: opUnion, set: f.nodes[x].set, x: x, y: y})
}

// inter compiles an intersection. It folds what is empty or equal, makes x & (A*B) a restriction, and distributes over
// unions of products, so that most intersections need no matrix of their own.
func (f *Formula) inter(x, y int) int {
	switch {
	case f.empty(x):
		return x
	case f.empty(y), x == y:
		return y
	case f.nodes[x].op == opCartesian:
		x, y = y, x
	}
	if n := f.nodes[y]; n.op == opCartesian {
		return f.restrict(x, n.x, n.y)
	}
	if f.nodes[x].op == opUnion && !f.nodes[x].set && f.cartesians(y) {
		x, y = y, x
	}
	if n := f.nodes[y]; n.op == opUnion && !n.set && f.cartesians(y) {
		return f.union(f.inter(x, n.x), f.inter(x, n.y))
	}
	if x > y {
		x, y = y, x
	}
	if a, b := f.nodes[x], f.nodes[y]; a.op == opFences && f.untagged(b) || b.op == opFences && f.untagged(a) {
		return f.nothing(true)
	}
	return f.add(node{op: opInter, set: f.nodes[x].set, x: x, y: y})
}

// untagged reports whether a set has only events with a tag that no fence of the program has.
func (f *Formula) untagged(n node) bool { return n.op == opTagged && !f.has.Fence(f.tags[n.x]) }

// cartesians reports whether a relation is a union of products of sets.
func (f *Formula) cartesians(i int) bool {
	switch n := f.nodes[i]; n.op {
	case opCartesian:
		return true
	case opUnion:
		return f.cartesians(n.x) && f.cartesians(n.y)
	}
	return false
}

// diff compiles a difference. The pieces of an access other than the event itself (sm \ id) have their own operation.
func (f *Formula) diff(x, y int) int {
	if f.empty(x) || f.empty(y) {
		return x
	}
	if f.nodes[x].op == opAccess && f.nodes[y].op == opID {
		return f.add(node{op: opSiblings})
	}
	return f.add(node{op: opDiff, set: f.nodes[x].set, x: x, y: y})
}

// seq compiles a sequence. It folds empty operands and identities, makes tests of sets restrictions, and recognises
// fr and sm ; loc ; sm.
func (f *Formula) seq(x, y int) int {
	switch a, b := f.nodes[x], f.nodes[y]; {
	case a.op == opNothing, b.op == opID:
		return x
	case b.op == opNothing, a.op == opID:
		return y
	case a.op == opIdentity:
		return f.restrict(y, a.x, -1)
	case b.op == opIdentity:
		return f.restrict(x, -1, b.x)
	case a.op == opInverse && f.nodes[a.x].op == opRF && b.op == opCO:
		return f.add(node{op: opFR})
	}
	if f.overlap(x, y) {
		return f.add(node{op: opOverlap})
	}
	return f.add(node{op: opSeq, x: x, y: y})
}

// overlap recognises sm ; loc ; sm.
func (f *Formula) overlap(x, y int) bool {
	is := func(i int, first, second op) bool {
		n := f.nodes[i]
		return n.op == opSeq && f.nodes[n.x].op == first && f.nodes[n.y].op == second
	}
	return f.nodes[x].op == opAccess && is(y, opLoc, opAccess) || is(x, opAccess, opLoc) && f.nodes[y].op == opAccess
}

// restrict returns the pairs of r from one set to another; -1 means any event. It merges nested restrictions.
func (f *Formula) restrict(r, from, to int) int {
	if f.empty(r) || from >= 0 && f.empty(from) || to >= 0 && f.empty(to) {
		return f.nothing(false)
	}
	any := f.add(node{op: opAll, set: true})
	if from == any {
		from = -1
	}
	if to == any {
		to = -1
	}
	if n := f.nodes[r]; n.op == opRestrict {
		both := func(a, b int) int {
			if a < 0 || b < 0 {
				return max(a, b)
			}
			return f.inter(a, b)
		}
		return f.restrict(n.x, both(n.y, from), both(n.z, to))
	}
	if from < 0 && to < 0 {
		return r
	}
	return f.add(node{op: opRestrict, x: r, y: from, z: to})
}
