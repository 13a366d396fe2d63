package display

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/models"
)

// An event of a C test has tags for what the source says: a memory order, or its part in a lock or in RCU. These tables
// give both the names that papers and the kernel use. The first matching row of a table counts.
var (
	cOrders = []tagName{
		{"NA", "na"},
		{"RLX", "rlx"},
		{"CON", "con"},
		{"ACQ_REL", "acq_rel"},
		{"ACQ", "acq"},
		{"REL", "rel"},
		{"SC", "sc"},
		{"ONCE", "once"},
		{"NORETURN", "noreturn"},
		{"MB", "mb"},
		{"Rmb", "rmb"},
		{"Wmb", "wmb"},
		{"Barrier", "barrier"},
		{"Before-atomic", "before-atomic"},
		{"After-atomic", "after-atomic"},
		{"After-spinlock", "after-spinlock"},
		{"After-unlock-lock", "after-unlock-lock"},
		{"After-srcu-read-unlock", "after-srcu-read-unlock"},
		{ir.TagAcquire, "acquire"},
		{ir.TagRelease, "release"}, // which C11's own accesses have too
	}
	cDeeds = []tagName{
		{"Rcu-lock", "rcu_read_lock"},
		{"Rcu-unlock", "rcu_read_unlock"},
		{"Sync-rcu", "synchronize_rcu"},
		{"Srcu-lock", "srcu_read_lock"},
		{"Srcu-unlock", "srcu_read_unlock"},
		{"Sync-srcu", "synchronize_srcu"},
		{"LKR", "lock"},
		{"LKW", "lock"},
		{"LS", "lock"},
		{"UL", "unlock"},
		{"U", "unlock"},
		{"LF", "trylock fails"},
		{"RL", "is_locked"},
		{"RU", "is_locked"},
	}
)

type tagName struct {
	tag  ir.Tag
	name string
}

// nameOf returns the name of the first tag of a table that an event has, or "".
func nameOf(table []tagName, tags ir.Tags) string {
	for _, n := range table {
		if tags.Has(n.tag) {
			return n.name
		}
	}
	return ""
}

// SyncStep names the operation of a C test to which an event with such tags belongs: "lock", "synchronize_rcu". It
// returns "" for other events.
func SyncStep(p *ir.Program, tags ir.Tags) string {
	if p.Arch != "C" {
		return ""
	}
	return nameOf(cDeeds, tags)
}

// Tests for GPUs have tags for orders, scopes and proxies. The names are those that mnemonics have.
var (
	gpuOrders = []tagName{
		{"CBAR", "barrier"},
		{"PROXY", "proxy"},
		{"SC", "sc"},
		{"ACQ_REL", "acq_rel"},
		{"ACQ", "acq"},
		{"REL", "rel"},
		{"RLX", "rlx"},
		{"ATOM", "atom"},
		{"WEAK", "weak"},
		{"NA", "na"},
	}
	gpuScopes = []tagName{
		{"CTA", "cta"},
		{"GPU", "gpu"},
		{"SYS", "sys"},
		{"SG", "sg"},
		{"WG", "wg"},
		{"QF", "qf"},
		{"DV", "dv"},
		{"WI", "wi"},
		{"ALL", "all"},
	}
	gpuProxies = []tagName{
		{"ALIAS", "alias"},
		{"TEX", "tex"},
		{"SUR", "sur"},
		{"CON", "con"},
	}
)

// gpuOrder is the order of an event of a test for GPUs, its scope, and its proxy unless that is the generic one:
// "rel, gpu".
func gpuOrder(tags ir.Tags) string {
	var parts []string
	for _, table := range [][]tagName{gpuOrders, gpuScopes, gpuProxies} {
		if name := nameOf(table, tags); name != "" {
			parts = append(parts, name)
		}
	}
	if tags.Has("ACQ") && tags.Has("REL") {
		parts[0] = "acq_rel"
	}
	return strings.Join(parts, ", ")
}

// isC reports whether the execution is of a C test, whose tags the tables above read.
func isC(x *models.Execution) bool { return x.Program.Arch == "C" }

// annotate sets the order or the operation of an event of a C test.
func annotate(x *models.Execution, g *models.GraphEvent) {
	if g.Thread == models.InitThread || g.Tags.Has(ir.TagPick) {
		return
	}
	if x.Program.Annotated != nil {
		g.Order = cmp.Or(strings.Join(annotations(g.Tags), ", "), "plain")
		return
	}
	if len(x.Program.Scopes) > 0 {
		g.Order = gpuOrder(g.Tags)
		return
	}
	if !isC(x) {
		return
	}
	if g.Does = SyncStep(x.Program, g.Tags); g.Does == "" {
		g.Order = nameOf(cOrders, g.Tags)
	}
	if c11 := func(e models.Event) bool { return e.Tags.Has("ATOMIC") || e.Tags.Has("LS") }; g.Order == "na" &&
		!slices.ContainsFunc(x.Events, c11) {
		g.Order = "plain" // as those who write for the kernel say
	}
}

// noFence has the first tags of events that have the kind Fence but are no fences.
var noFence = ir.Tags{ir.TagPick, ir.TagSpawn, ir.TagJoin, ir.TagSection}

// fenceKinds returns the kinds of fences in an execution: a tag, and the name of the relation that such fences make.
//
// Two fences with the same tag are of one kind, so a drawing has one relation for both.
func fenceKinds(x *models.Execution) []tagName {
	var out []tagName
	for _, e := range x.Events {
		if e.Kind != models.Fence || len(e.Tags) == 0 || slices.Contains(noFence, e.Tags[0]) {
			continue
		}
		kind := tagName{e.Tags[0], strings.ToLower(string(e.Tags[0]))}
		switch {
		case x.Program.Annotated != nil:
			kind = annotatedFence(e.Tags)
		case len(x.Program.Scopes) > 0:
			kind = gpuFence(e.Tags)
		case isC(x):
			kind = cFence(e.Tags)
		}
		if kind.tag != "" && !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// annotations lists the annotations of an event of a test in LISA.
func annotations(tags ir.Tags) (words []string) {
	for _, t := range tags {
		if t.OfBell() {
			words = append(words, t.Annotation())
		}
	}
	return words
}

// annotatedFence returns the kind of a fence of a test in LISA: its first annotation. The beginning or end of a
// critical section is none.
func annotatedFence(tags ir.Tags) tagName {
	if words := annotations(tags); len(words) > 0 && !tags.Has("Rcu-lock") && !tags.Has("Rcu-unlock") {
		return tagName{ir.BellTag(words[0]), words[0]}
	}
	return tagName{}
}

// gpuFence returns the kind of a fence of a test for GPUs: that of its order.
func gpuFence(tags ir.Tags) tagName {
	for _, n := range gpuOrders {
		if tags.Has(n.tag) {
			return tagName{n.tag, "F[" + n.name + "]"}
		}
	}
	return tagName{}
}

// cFence returns the kind of a C test's fence. The beginning or end of a critical section is none.
func cFence(tags ir.Tags) tagName {
	for _, n := range slices.Concat(cDeeds, cOrders) {
		switch {
		case !tags.Has(n.tag):
		case n.tag == "Rcu-lock" || n.tag == "Rcu-unlock":
			return tagName{}
		case strings.ToUpper(string(n.tag)) == string(n.tag) && n.tag != "MB":
			return tagName{n.tag, "F[" + n.name + "]"} // C11's: an order alone is no name
		default:
			return tagName{n.tag, strings.ToLower(string(n.tag))}
		}
	}
	return tagName{tags[0], strings.ToLower(string(tags[0]))}
}
