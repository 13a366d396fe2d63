// Package vulkan lowers litmus tests for Vulkan's memory model, in the language of its published tests: loads, stores,
// atomic updates and barriers, whose mnemonics say order, scope, storage class and semantics
// ("st.atom.rel.dv.sc0.semsc0 x, 1", "ld.vis.wg.sc0 r0, x", "membar.acq.dv.semsc0.semvis", "cbar.wg 0"). [Dialect]
// implements lower.Dialect.
//
// Each thread is in a subgroup, a work group and a queue family (P0@sg 0, wg 0, qf 0). Registers and locations have 32
// bits. "y aliases x" gives x another name, and a block { ssw 0 1; } says which threads synchronize outside of the
// test. Tags are those of published models: ATOM, NONPRIV, AV, VIS, SC0 to SC3, SEMSC0 to SEMSC3, SEMAV, SEMVIS, the
// scopes SG, WG, QF and DV, and orders.
//
// It imports litmus, litmus/ir, litmus/lower and litmus/isa/gpuasm: no model and no solver.
package vulkan

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/gpuasm"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect for Vulkan.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"VULKAN"} }

const (
	tagAtom    ir.Tag = "ATOM"
	tagNonPriv ir.Tag = "NONPRIV"
	tagAV      ir.Tag = "AV"
	tagVIS     ir.Tag = "VIS"
	tagSemAV   ir.Tag = "SEMAV"
	tagSemVIS  ir.Tag = "SEMVIS"
	tagACQ     ir.Tag = "ACQ"
	tagREL     ir.Tag = "REL"
	tagRMW     ir.Tag = "RMW"
	tagCBar    ir.Tag = "CBAR"
	tagAVDev   ir.Tag = "AVDEVICE"
	tagVISDev  ir.Tag = "VISDEVICE"
)

var (
	scopeTags   = map[string]ir.Tag{"sg": "SG", "wg": "WG", "qf": "QF", "dv": "DV"}
	classTags   = map[string]ir.Tag{"sc0": "SC0", "sc1": "SC1", "sc2": "SC2", "sc3": "SC3"}
	semanticTag = map[string]ir.Tag{"semsc0": "SEMSC0", "semsc1": "SEMSC1", "semsc2": "SEMSC2", "semsc3": "SEMSC3"}
	orders      = []string{"acq", "rel", "acq_rel"}
	// meeting are the scopes of threads, by those of control barriers.
	meeting = map[ir.Tag]string{"SG": "sg", "WG": "wg", "QF": "qf"}
)

// Tags implements lower.Dialect.
func (Dialect) Tags() []ir.Tag {
	return []ir.Tag{
		tagAtom, tagNonPriv, tagAV, tagVIS, tagSemAV, tagSemVIS, tagACQ, tagREL, tagRMW, tagCBar, tagAVDev, tagVISDev,
		"SG", "WG", "QF", "DV", "SC0", "SC1", "SC2", "SC3", "SEMSC0", "SEMSC1", "SEMSC2", "SEMSC3",
	}
}

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	b := gpuasm.NewBuilder(Dialect{}, t)
	for _, item := range t.Init {
		if item.Aliases != "" && item.Proxy != litmus.DefaultProxy {
			b.Failf(item.Pos, "VULKAN: there are no proxies: want %s aliases %s", item.Target.Name, item.Aliases)
		}
	}
	b.Declare()
	computed := gpuasm.ComputesBarriers(t, "cbar")
	b.Lines(nil, func(cell litmus.Cell) {
		x := &instr{Instr: gpuasm.Read(b, cell)}
		x.Computed = computed
		name := x.Parts[0]
		if in, ok := own[name]; ok {
			if b.HasOperands(x.Name, in.least, in.most, len(x.Ops)) {
				x.readParts(in)
				in.lower(x)
			}
		} else if in, ok := gpuasm.Common[name]; !ok {
			b.Unknown(x.Name, "")
		} else if b.HasOperands(x.Name, in.Least, in.Most, len(x.Ops)) {
			in.Lower(x.Instr)
		}
	})
	return b.Finish()
}

// instr is one instruction being lowered, with the parts of its mnemonic.
type instr struct {
	*gpuasm.Instr
	atomic        bool
	order         string // acq, rel, acq_rel or ""
	nonpriv       bool
	av, vis       bool
	semav, semvis bool
	scope, class  ir.Tag // "" if the mnemonic says none
	semantics     ir.Tags
	op            string
}

// instruction is a kind of instruction: its numbers of operands, the parts that its mnemonic may have, and those that
// it must have. The parts have letters: a for atomic, o for an order, p for non-private, v for av, w for vis, s for a
// scope, c for a storage class, m for semantics, u for an operation.
type instruction struct {
	least, most int
	may, must   string
	lower       func(*instr)
}

var own = map[string]instruction{
	"ld":        {2, 2, "aopwscm", "c", (*instr).load},
	"st":        {2, 2, "aopvscm", "c", (*instr).store},
	"rmw":       {3, 4, "aoscmu", "asc", (*instr).update},
	"membar":    {0, 0, "osm", "osm", (*instr).fence},
	"cbar":      {1, 3, "osm", "s", (*instr).control},
	"avdevice":  {0, 0, "", "", func(x *instr) { x.Emit(ir.Fence{Tags: ir.Tags{tagAVDev}}) }},
	"visdevice": {0, 0, "", "", func(x *instr) { x.Emit(ir.Fence{Tags: ir.Tags{tagVISDev}}) }},
}

// readParts reads the parts of a mnemonic, in any order.
func (x *instr) readParts(in instruction) {
	has := ""
	note := func(letter, part string) {
		if !slices.Contains([]byte(in.may), letter[0]) {
			x.Fail(x.Name.Pos, "%s: %s cannot have .%s", x.Name.Text, x.Parts[0], part)
		}
		has += letter
	}
	for _, part := range x.Parts[1:] {
		switch {
		case part == "atom":
			note("a", part)
			x.atomic = true
		case slices.Contains(orders, part):
			note("o", part)
			x.order = part
		case part == "nonpriv":
			note("p", part)
			x.nonpriv = true
		case part == "av":
			note("v", part)
			x.av = true
		case part == "vis":
			note("w", part)
			x.vis = true
		case scopeTags[part] != "":
			note("s", part)
			x.scope = scopeTags[part]
		case classTags[part] != "":
			note("c", part)
			x.class = classTags[part]
		case semanticTag[part] != "":
			note("m", part)
			x.semantics = append(x.semantics, semanticTag[part])
		case part == "semav" || part == "semvis":
			note("m", part)
			x.semav, x.semvis = x.semav || part == "semav", x.semvis || part == "semvis"
		case part == compareExchange || gpuasm.Updates[part] != nil:
			note("u", part)
			x.op = part
		default:
			x.Unread([]string{part})
		}
	}
	x.checkParts(in, has)
}

// checkParts rejects parts that go only together.
func (x *instr) checkParts(in instruction, has string) {
	names := map[rune]string{
		'a': ".atom", 'o': "an order: .acq, .rel or .acq_rel", 's': "a scope: .sg, .wg, .qf or .dv",
		'c': "a storage class: .sc0 to .sc3", 'm': "storage class semantics: .semsc0 to .semsc3",
	}
	for _, letter := range in.must {
		if !slices.Contains([]rune(has), letter) {
			x.Fail(x.Name.Pos, "%s: want %s", x.Name.Text, names[letter])
		}
	}
	fence := in.must == "osm" || x.Parts[0] == "cbar"
	switch {
	case (x.atomic || x.av || x.vis) && x.scope == "":
		x.Fail(x.Name.Pos, "%s: want a scope: .sg, .wg, .qf or .dv", x.Name.Text)
	case x.order != "" && !x.atomic && !fence:
		x.Fail(x.Name.Pos, "%s: only atomic accesses have an order: want .atom", x.Name.Text)
	case x.order == "" && (x.semav || x.semvis || len(x.semantics) > 0):
		x.Fail(x.Name.Pos, "%s: semantics belong to an order: want .acq, .rel or .acq_rel", x.Name.Text)
	case x.order != "" && len(x.semantics) == 0:
		x.Fail(x.Name.Pos, "%s: want %s", x.Name.Text, names['m'])
	case x.semav && x.order == "acq":
		x.Fail(x.Name.Pos, "%s: .semav belongs to a release", x.Name.Text)
	case x.semvis && x.order == "rel":
		x.Fail(x.Name.Pos, "%s: .semvis belongs to an acquire", x.Name.Text)
	case x.Parts[0] == "ld" && x.order != "" && x.order != "acq":
		x.Fail(x.Name.Pos, "%s: a load is an acquire", x.Name.Text)
	case x.Parts[0] == "st" && x.order != "" && x.order != "rel":
		x.Fail(x.Name.Pos, "%s: a store is a release", x.Name.Text)
	}
}

// tags returns the tags of an access, a fence or a half of an update: acquire and release say which orders it may have.
// An atomic access makes its location available or visible to its own scope.
func (x *instr) tags(acquire, release bool) ir.Tags {
	writes := release && !acquire
	var out ir.Tags
	add := func(is bool, tags ...ir.Tag) {
		if is {
			out = append(out, tags...)
		}
	}
	add(x.atomic, tagAtom)
	add(x.nonpriv || x.atomic || x.av || x.vis, tagNonPriv)
	add(x.av || x.atomic && writes, tagAV)
	add(x.vis || x.atomic && !writes, tagVIS)
	add(x.scope != "", x.scope)
	add(x.class != "", x.class)
	acquire = acquire && (x.order == "acq" || x.order == "acq_rel")
	release = release && (x.order == "rel" || x.order == "acq_rel")
	add(acquire, tagACQ)
	add(release, tagREL)
	add(acquire || release, x.semantics...)
	add(release && x.semav, tagSemAV)
	add(acquire && x.semvis, tagSemVIS)
	return out
}

func (x *instr) load() {
	addr, _, name := x.Location(1)
	tags := append(x.tags(true, false), name...)
	if x.order != "" {
		tags = append(tags, ir.TagAcquire)
	}
	x.Emit(ir.Load{Dst: x.To(0), Addr: addr, Bits: gpuasm.Bits, Tags: tags})
}

func (x *instr) store() {
	addr, _, name := x.Location(0)
	tags := append(x.tags(false, true), name...)
	if x.order != "" {
		tags = append(tags, ir.TagRelease)
	}
	x.Emit(ir.Store{Addr: addr, Value: x.Get(1), Tags: tags})
}

// compareExchange is the operation that writes its last operand if it finds the one before that.
const compareExchange = "cas"

// update lowers an atomic update; without an operation, it is an exchange.
func (x *instr) update() {
	want := 3
	if x.op == compareExchange {
		want = 4
	}
	if len(x.Ops) != want {
		x.Fail(x.Name.Pos, "%s takes %d operands, got %d", x.Name.Text, want, len(x.Ops))
		return
	}
	addr, _, name := x.Location(1)
	read := append(append(x.tags(true, false), tagRMW, ir.TagLocked), name...)
	write := append(append(x.tags(false, true), tagRMW, ir.TagLocked), name...)
	if read.Has(tagACQ) {
		read = append(read, ir.TagAcquire)
	}
	if write.Has(tagREL) {
		write = append(write, ir.TagRelease)
	}
	next, old := x.Get(2), ir.Old{Bits: gpuasm.Bits}
	if x.op == compareExchange {
		x.Update(x.To(0), addr, x.Get(3), ir.Eq.Of(old, next), read, write)
		return
	}
	if x.op != "" {
		next = gpuasm.Updates[x.op](old, next)
	}
	x.Update(x.To(0), addr, next, nil, read, write)
}

// generic returns the generic tags of a fence with an order.
func (x *instr) generic() ir.Tags {
	switch x.order {
	case "acq":
		return ir.Tags{ir.TagRR, ir.TagRW}
	case "rel":
		return ir.Tags{ir.TagRW, ir.TagWW}
	}
	return ir.Tags{ir.TagRR, ir.TagRW, ir.TagWW}
}

func (x *instr) fence() { x.Emit(ir.Fence{Tags: append(x.tags(true, true), x.generic()...)}) }

// control lowers a control barrier. Its scope is that of the threads that meet, and of its memory semantics.
func (x *instr) control() {
	x.Control(ir.Barrier{Scope: meeting[x.scope]}, append(append(ir.Tags{tagCBar}, x.tags(true, true)...),
		ir.FullFence...))
}

// Words implements lower.Dialect.
func (Dialect) Words(string) lower.Words {
	return lower.Words{
		Forms: lower.Forms(slices.Concat(forms, gpuasm.Forms)), Register: gpuasm.Register,
		Registers: gpuasm.Registers(),
		Barriers: []string{
			"membar.acq_rel.dv.semsc0.semav.semvis", "membar.rel.dv.semsc0.semav", "membar.acq.dv.semsc0.semvis",
		},
		Scoped: scoped, Cycles: cycles,
	}
}

const scopeWords = "<wg=the work group|dv=the device>"

var forms = [][3]string{
	{"ld.sc0", "r0, x", "loads privately, from storage class 0"},
	{"st.sc0", "x, 1", "stores privately, to storage class 0"},
	{"ld.nonpriv.sc0", "r0, x", "loads; not private, but not atomic"},
	{"st.nonpriv.sc0", "x, 1", "stores; not private, but not atomic"},
	{"ld.vis." + scopeWords + ".sc0", "r0, x", "loads, after it makes the location visible to $1"},
	{"st.av." + scopeWords + ".sc0", "x, 1", "stores, and makes the location available to $1"},
	{"ld.atom." + scopeWords + ".sc0", "r0, x", "loads atomically, for the threads of $1"},
	{"st.atom." + scopeWords + ".sc0", "x, 1", "stores atomically, for the threads of $1"},
	{"ld.atom.acq." + scopeWords + ".sc0.semsc0", "r0, x", "loads as an acquire of storage class 0, for $1"},
	{"st.atom.rel." + scopeWords + ".sc0.semsc0", "x, 1", "stores as a release of storage class 0, for $1"},
	{
		"rmw.atom." + scopeWords + ".sc0.cas", "r0, x, 0, 1",
		"writes the last operand if memory has the one before, in one atomic step; returns the old value",
	},
	{
		"rmw.atom." + scopeWords + ".sc0<|.add=adds>", "r0, x, 1",
		"replaces memory in one atomic step; returns the old value",
	},
	{"rmw.atom.acq_rel." + scopeWords + ".sc0.semsc0.add", "r0, x, 1", "adds to memory in one atomic step, in order"},
	{"membar.acq." + scopeWords + ".semsc0.semvis", "", "acquires for $1, and makes storage class 0 visible"},
	{"membar.rel." + scopeWords + ".semsc0.semav", "", "releases for $1, and makes storage class 0 available"},
	{"membar.acq_rel." + scopeWords + ".semsc0.semav.semvis", "", "fence: release and acquire, for $1"},
	{"cbar." + scopeWords, "0", "waits until all threads of $1 that call it arrive; orders no memory"},
	{"cbar.acq_rel." + scopeWords + ".semsc0", "0", "waits until all threads of $1 arrive, and orders storage class 0"},
	{"avdevice", "", "makes all that is available available to the device"},
	{"visdevice", "", "makes all that is available to the device visible"},
}
