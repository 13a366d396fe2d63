package cat

import (
	"slices"
	"strings"

	"litmuscope/litmus"
)

// A bell file declares the tags of a language's events in enums, and which kinds of instructions may have them. The set
// of a tag's events has the tag's name with a capital. In this program, dialects tag events in their own spelling,
// which may differ from that of the file in upper and lower case. So 'rcu-lock is Rcu-lock in both, while 'acquire, a
// tag of reads, is Acquire in a file that names it so, and ACQUIRE in the dialect.

// Bell is what a model's bell file declares of tests in LISA.
type Bell struct {
	// Kinds has, by a kind of instruction, the lists of annotations that it may have: for each declaration, the tags at
	// each position.
	Kinds map[string][][][]string
	// Scopes and Regions are the tags of the enums of these names.
	Scopes, Regions []string
	// Narrower has, by a scope, those that can be directly within it; nil if the file does not define narrower.
	Narrower map[string][]string
}

// bell returns the model's bell, to which declarations add.
func (r *resolver) bell() *Bell {
	if r.model.Bell == nil {
		r.model.Bell = &Bell{Kinds: map[string][][][]string{}}
	}
	return r.model.Bell
}

// enum binds the tags of an enum. Those named scopes and regions are of the threads and of the locations of a test.
func (r *resolver) enum(d Enum) {
	all := value{}
	for _, t := range d.Tags {
		all.of = append(all.of, value{tag: t})
		r.scope = r.scope.bind("'"+t, value{tag: t})
	}
	r.scope = r.scope.bind(d.Name, all)
	switch d.Name {
	case "scopes":
		r.bell().Scopes = d.Tags
		for _, t := range d.Tags {
			r.scope = r.scope.bind("same-"+t, sharing(t))
			r.scope = r.scope.bind("ext-"+t, r.unary(Unary{Pos: d.Pos, Op: Complement}, sharing(t)))
		}
	case "regions":
		r.bell().Regions = d.Tags
		for _, t := range d.Tags {
			r.scope = r.scope.bind(capital(t), r.inRegion(d.Pos, t))
		}
	}
}

// sharing is the relation between the events of threads that share a scope.
func sharing(scope string) value {
	return value{expr: Base{litmus.ScopeRelation(scope), Relation}, kind: Relation, size: 1}
}

// inRegion is the set of the accesses of a region's locations, whose initial writes have the region's tag.
func (r *resolver) inRegion(pos litmus.Pos, region string) value {
	initial := r.binary(Binary{Pos: pos, Op: Inter}, baseOf("IW"), annotatedWith(region))
	at := r.binary(Binary{Pos: pos, Op: Seq}, r.unary(Unary{Pos: pos, Op: Identity}, initial), baseOf("loc"))
	return r.unary(Unary{Pos: pos, Op: Range}, at)
}

// annotatedWith is the set of the events of tests in LISA that have an annotation.
func annotatedWith(tag string) value { return setOfTag(litmus.BellTag(tag)) }

// tag2scope returns the relation between the events of threads that share a scope.
func tag2scope(r *resolver, pos litmus.Pos, t value) value {
	switch {
	case t.tag == "":
		return r.fail(pos, "want the tag of a scope, got a %s", t.what())
	case r.model.Bell == nil || !slices.Contains(r.model.Bell.Scopes, t.tag):
		return r.fail(pos, "'%s is no scope: want a tag of enum scopes", t.tag)
	}
	return sharing(t.tag)
}

// nested asks the model's own function narrower, if there is one, which scopes can be within which.
func (r *resolver) nested() {
	b := r.model.Bell
	if b == nil || len(b.Scopes) == 0 {
		return
	}
	f, ok := r.find("narrower", r.scope)
	if !ok || f.fn == nil {
		return
	}
	narrower := map[string][]string{}
	for _, s := range b.Scopes {
		r.guessing++ // a scope without a case has none within it
		v := r.applied(litmus.Pos{}, "narrower", f.fn, value{tag: s})
		r.guessing--
		if v.poison {
			continue
		}
		tags, ok := tagsOf(v)
		if !ok {
			return
		}
		for _, t := range tags {
			narrower[s] = append(narrower[s], t.tag)
		}
	}
	b.Narrower = narrower
}

// instructions binds the sets of tags that a kind of instruction may have.
func (r *resolver) instructions(d Instructions) {
	v := r.value(d.Tags, r.scope)
	sets := v.tuple // of tags, one for each position that may have them
	if sets == nil {
		sets = []value{v}
	}
	var positions [][]string
	for _, s := range sets {
		tags, ok := s.members()
		if s.tag != "" {
			tags, ok = []value{s}, true
		}
		if s.poison || !ok || slices.ContainsFunc(tags, func(t value) bool { return t.tag == "" }) {
			if !s.poison {
				r.fail(d.Pos, "want tags of an enum for the instructions %s, got a %s", d.Kind, s.what())
			}
			return
		}
		var names []string
		for _, t := range tags {
			names = append(names, t.tag)
			r.spend(1)
			if kinds := r.carried[t.tag]; !slices.Contains(kinds, d.Kind) {
				r.carried[t.tag] = append(kinds, d.Kind)
			}
			name := capital(t.tag)
			r.scope = r.scope.bind(name, r.tagged(d.Pos, t.tag, name))
		}
		positions = append(positions, names)
	}
	b := r.bell()
	b.Kinds[d.Kind] = append(b.Kinds[d.Kind], positions)
}

func capital(tag string) string { return strings.ToUpper(tag[:1]) + tag[1:] }

// tagged returns the set of the events with a tag, restricted to the kinds of instructions that may have it. A name in
// the dialect's own spelling stands for all events that the dialect tags so.
func (r *resolver) tagged(pos litmus.Pos, tag, name string) value {
	op := func(op BinaryOp, x, y value) value { return r.binary(Binary{Pos: pos, Op: op}, x, y) }
	own := annotatedWith(tag) // in tests in LISA
	i := slices.IndexFunc(r.tags, func(t string) bool { return t == name })
	if i >= 0 {
		return op(Union, setOfTag(r.tags[i]), own)
	}
	i = slices.IndexFunc(r.tags, func(t string) bool { return strings.EqualFold(t, tag) })
	if i < 0 { // unknown to all other dialects
		return own
	}
	all, kinds := setOfTag(r.tags[i]), value{expr: Nothing{pos}, kind: Set, size: 1}
	for _, k := range r.carried[tag] {
		switch k {
		case "R", "W", "F":
			kinds = op(Union, kinds, baseOf(k))
		case "RMW": // its halves are R and W
		default:
			return op(Union, all, own)
		}
	}
	set := op(Union, op(Inter, all, kinds), own)
	if !slices.Contains(r.carried[tag], "F") && slices.Contains(r.tags, "RMW") {
		// In files that distinguish reads and writes, an update that fails has no order.
		rmw := baseOf("rmw")
		halves := op(Union, r.unary(Unary{Pos: pos, Op: Domain}, rmw), r.unary(Unary{Pos: pos, Op: Range}, rmw))
		set = op(Diff, set, op(Diff, setOfTag("RMW"), halves))
	}
	if slices.Equal(r.carried[tag], []string{"F"}) {
		r.fencesOnly(pos, name, op(Inter, all, baseOf("M")))
	}
	return set
}

// fencesOnly adds an assertion that rejects tests in which an access has the tag of a fence. A file that knows the tag
// only for fences is for tools that put fences around such an access.
func (r *resolver) fencesOnly(pos litmus.Pos, name string, accesses value) {
	if accesses.poison || isNothing(accesses.expr) {
		return
	}
	r.build(accesses.size)
	r.model.Flags = append(r.model.Flags,
		Flag{
			pos, name + "-is-a-fence", Asserted,
			[]Axiom{{Name: name, Kind: Empty, Negated: true, Expr: accesses.expr}},
		})
}

func setOfTag(tag string) value { return value{expr: Base{tag, Set}, kind: Set, size: 1} }

// c11Orders are the sets whose names identify a model of C11: its memory orders.
var c11Orders = []string{"RLX", "CON", "ACQ", "REL", "ACQ_REL", "SC"}

// bindC binds the names that have another meaning in models of C11 than for AArch64 or the kernel. To such models, an
// atomic update is one event, both a read and a write.
func (r *resolver) bindC() {
	known := func(name, tag string) {
		if slices.Contains(r.tags, tag) {
			r.scope = r.scope.bind(name, setOfTag(tag))
		}
	}
	known("A", "ATOMIC")
	known("NAL", "NA")
	known("UL", "U")
	if slices.Contains(r.tags, "LS") && slices.Contains(r.tags, "LF") {
		r.scope = r.scope.bind("LK", r.binary(Binary{Op: Union}, setOfTag("LS"), setOfTag("LF")))
	}
}

// update handles R & W in a model of C11: the events of atomic updates.
func (r *resolver) update(e Binary, x, y value) bool {
	a, okA := x.expr.(Base)
	b, okB := y.expr.(Base)
	return r.of.c && e.Op == Inter && okA && okB &&
		(a.Name == "R" && b.Name == "W" || a.Name == "W" && b.Name == "R") &&
		slices.Contains(r.tags, "RMW")
}

// bindBPF binds the names of acquires and releases in models of BPF. RL is a set of the kernel's, too, and means that
// in a model that does not use AQ.
func (r *resolver) bindBPF() {
	annotated := func(tag string) value {
		set := value{expr: Nothing{}, kind: Set, size: 1}
		for _, t := range []string{tag, "AcqRel"} {
			if slices.Contains(r.tags, t) {
				set = r.binary(Binary{Op: Union}, set, setOfTag(t))
			}
		}
		return set
	}
	if acquires := annotated("Acq"); !isNothing(acquires.expr) {
		acquires.ofBPF = true
		r.scope = r.scope.bind("AQ", acquires)
	}
	if r.of.bpf {
		r.scope = r.scope.bind("RL", annotated("Rel"))
	}
}
