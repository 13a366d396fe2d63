package aarch64

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Page tables (DDI 0487, chapters D8 and B2.3). Each location x is in a page of its own, whose entry is the location
// PTE(x). The entry has the format of a page descriptor of stage 1. An access of x reads the entry, faults if that does
// not permit the access, and accesses the physical address that the entry gives. The number of a physical address is
// that of the virtual address that is mapped to it at first. Entries are memory that is always accessible at EL1 and
// translated without a walk.

// The bits of an entry.
const (
	entryValid  = 1 << 0
	entryPage   = 1 << 1                              // an entry for a page, always set
	entryEL0    = 1 << 6                              // AP[1]: EL0 has access
	entryRead   = 1 << 7                              // AP[2]: no writes
	entryAF     = 1 << 10                             // access flag
	entryDBM    = 1 << 51                             // hardware may permit writes
	entryNX     = 1 << 54                             // no execution
	noOutput    = entryOutput >> 1 &^ (pageBytes - 1) // of entries without one, which map to nothing
	entryAttrAt = 2                                   // AttrIndx: the index of the set of memory attributes, 3 bits
	entryAttr   = 7 << entryAttrAt
	pageBytes   = 1 << 12
	entryOutput = 1<<48 - pageBytes // the output address
	entryFields = entryValid | entryEL0 | entryRead | entryAF | entryDBM | entryNX | entryAttr
)

// field is a field of an entry as tests name it.
type field struct {
	name     string
	bit      uint64
	inverted bool
}

// fields are in the order in which outcomes print them; each is 1 by default except dbm.
var fields = []field{
	{"af", entryAF, false},
	{"db", entryRead, true},
	{"dbm", entryDBM, false},
	{"valid", entryValid, false},
	{"el0", entryEL0, false},
	{"x", entryNX, true},
}

// defaultEntry is the entry that maps to a physical address.
func defaultEntry(to uint64) uint64 { return to | entryValid | entryPage | entryEL0 | entryAF }

// entryBits returns what the bits of entries mean for break-before-make (DDI 0487, D8.16.1). A TLB keeps no entry that
// is not valid or has no access flag.
func (s *system) entryBits() *ir.EntryBits {
	return &ir.EntryBits{
		Live: entryValid | entryAF, Output: entryOutput, Attributes: entryAttr, Memory: s.memoryKinds(),
	}
}

// entryValue returns the number of an entry of a page table. to is the place that has it, for an entry without oa.
func (s *system) entryValue(x *lower.Builder, l litmus.Literal, to litmus.Place) uint64 {
	v := defaultEntry(0)
	for _, part := range entryParts(l.Entry) {
		name, value, ok := strings.Cut(part, ":")
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
		switch {
		case ok && name == "oa":
			inside, isPA := strings.CutPrefix(value, "PA(")
			old, isOld := strings.CutPrefix(value, "phy_")
			of := strings.TrimSuffix(inside, ")")
			if isOld {
				of = old
			}
			if !isPA && !isOld || !litmus.IsLabel(strings.Replace(of, ":", "", 1)) {
				x.Failf(l.Pos, "%s: got output address %s, want one such as PA(x)", x.Test.Arch, value)
				return v
			}
			v |= s.physicalOf(x, of, l.Pos)
		case ok && name == "attrs":
			v |= s.attributesValue(x, l.Pos, value)
		case ok && i >= 0 && (value == "0" || value == "1"):
			if v &^= fields[i].bit; (value == "1") != fields[i].inverted {
				v |= fields[i].bit
			}
		default:
			x.Failf(l.Pos, "%s: got %s in an entry of a page table, want oa:PA(x), or valid, af, db, dbm, el0 or x "+
				"with 0 or 1", x.Test.Arch, part)
			return v
		}
	}
	if v&entryOutput == 0 {
		name, ok := strings.CutPrefix(to.Name, "PTE(")
		if !ok || to.IsRegister() {
			if v&entryValid == 0 {
				return v | noOutput
			}
			x.Failf(l.Pos, "%s: the entry has no output address: write it, as in (oa:PA(x),valid:0)", x.Test.Arch)
			return v
		}
		v |= s.physicalOf(x, strings.TrimSuffix(name, ")"), l.Pos)
	}
	return v
}

// entry names a number that is an entry.
func (n names) entry(v uint64) (string, bool) {
	named, ok := n.partsOf(v)
	if !ok {
		return "", false
	}
	var parts []string
	if named.output != "" {
		parts = append(parts, "oa:PA("+named.output+")")
	}
	for _, f := range fields {
		on := f.isSet(v)
		if on == (f.name == "dbm") {
			parts = append(parts, fmt.Sprintf("%s:%d", f.name, map[bool]int{true: 1}[on]))
		}
	}
	if named.attributes != "" {
		parts = append(parts, "attrs:("+named.attributes+")")
	}
	return "(" + strings.Join(parts, ", ") + ")", true
}

// output names what is at a physical page, which is "" for that of an entry without one.
func (n names) output(page uint64) (string, bool) {
	if page == noOutput {
		return "", true
	}
	if name, ok := n.system.pages.name(page); ok {
		return name, true
	}
	for _, l := range n.program.Locs {
		if l.Address == page && !strings.Contains(l.Name, "(") {
			return strings.TrimSuffix(l.Name, "[0]"), true
		}
	}
	return "", false
}

// findEntry is the inverse of entry.
func (n names) findEntry(text string) (uint64, bool) {
	inside, ok := strings.CutPrefix(text, "(")
	if !ok || !strings.HasSuffix(inside, ")") || !strings.Contains(inside, ":") {
		return 0, false
	}
	v := defaultEntry(0)
	if !strings.Contains(inside, "oa:") {
		v |= noOutput
	}
	for _, part := range entryParts(strings.TrimSuffix(inside, ")")) {
		name, value, _ := strings.Cut(strings.TrimSpace(part), ":")
		if name == "oa" {
			of := strings.TrimSuffix(strings.TrimPrefix(value, "PA("), ")")
			for _, l := range n.program.Locs {
				if strings.TrimSuffix(l.Name, "[0]") == of {
					v |= l.Address
				}
			}
			v |= n.system.pages.find(of)
		}
		if i := slices.Index(n.system.attributes, strings.Trim(value, "()")); name == "attrs" && i > 0 {
			v |= uint64(i) << entryAttrAt
		}
		for _, f := range fields {
			if f.name == name {
				if v &^= f.bit; (value == "1") != f.inverted {
					v |= f.bit
				}
			}
		}
	}
	return v, true
}

// entryParts splits an entry at its commas, except those inside parentheses.
func entryParts(text string) (parts []string) {
	depth, from := 0, 0
	for i, r := range text + "," {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return parts
}

// declareEntries declares the entries of all pages, so that no translation is outside of them.
func (s *system) declareEntries(x *instr) {
	for _, l := range slices.Clone(x.Program.Locs) {
		if strings.Contains(l.Name, "(") {
			continue
		}
		name := strings.TrimSuffix(l.Name, "[0]")
		if strings.Contains(name, "[") || strings.Contains(name, ":") {
			continue
		}
		x.LocationOf("PTE("+name+")", litmus.Pos{File: x.Test.File})
	}
}

func bitOf(v ir.Expr, bit uint64) ir.Expr {
	return ir.Eq.Of(ir.BitAnd.Of(v, ir.Number(bit, 64)), ir.Number(bit, 64))
}

// translated emits the translation of an access, and what emit emits.
func (x *instr) translated(op ir.Op, at ir.Expr, emit func(ir.Op, place)) {
	at = x.Keep(at)
	isEntry := x.Keep(bitOf(at, entryOffset))
	if _, bits := ir.Access(op); bits == 64 && !ir.AccessTags(op).Has(tagShadow) {
		// The address may be that of an entry. Both ways give the access the same number of operations.
		skip := x.PC()
		x.Builder.Emit(ir.Branch{Cond: ir.Not(isEntry)})
		x.accessEntry(op, physical(at))
		over := x.PC()
		x.Builder.Emit(ir.Branch{})
		x.SetTarget(skip, x.PC())
		emit(op, x.walk(at, writes(op)))
		x.SetTarget(over, x.PC())
		return
	}
	x.When(isEntry, func() { // entries are accessed as a whole
		x.lost("accesses an entry of a page table with another width than 64 bits, which is not supported")
	})
	emit(op, x.walk(at, writes(op)))
}

// atEL0 reports whether the instruction runs at EL0. Handlers run at EL1.
func (x *instr) atEL0() bool { return x.sys.el0[x.Thread] && x.handling == nil }

// accessEntry emits an access of an entry, which EL0 may not make.
func (x *instr) accessEntry(op ir.Op, at ir.Expr) {
	if x.atEL0() {
		x.fault("MMU:Permission,EL0", at, ir.Tags{tagMMU})
		return
	}
	x.EmitTranslated(withTags(withAddress(op, at), tagEntry), at)
}

// walk emits the read of the entry for an access and its faults, with more tags, and returns the physical address.
func (x *instr) walk(at ir.Expr, writes bool, more ...ir.Tag) place {
	page := ir.BitAnd.Of(at, ir.Number(addressMask&^(pageBytes-1), 64))
	entry := ir.BitOr.Of(page, ir.Number(entryOffset, 64))
	tags := append(ir.Tags{tagImplicit, tagEntry}, more...)
	if x.sys.ets2 {
		tags = append(tags, tagETS2)
	}
	denied := func(v ir.Expr) ir.Expr { return entryDenies(v, writes, x.atEL0()) }
	v := x.readEntry(entry, tags, writes, denied)
	faultTags := func(why ...ir.Tag) ir.Tags {
		tags := append(append(ir.Tags{tagMMU}, more...), why...)
		if x.sys.ets2 {
			tags = append(tags, tagETS2)
		}
		if x.sys.ets3 {
			tags = append(tags, tagETS3)
		}
		if writes {
			tags = append(tags, tagWriting)
		}
		return tags
	}
	x.entryFaults("MMU", v, at, denied(v), faultTags)
	return place{
		physical: ir.BitOr.Of(ir.BitAnd.Of(v, ir.Number(entryOutput, 64)), offsetIn(at)), at: at,
		tagged: x.sys.isTagged(v),
	}
}

// offsetIn returns the offset of an address in its page.
func offsetIn(at ir.Expr) ir.Expr { return ir.BitAnd.Of(at, ir.Number(pageBytes-1, 64)) }

// entryFaults emits the faults of a translation by an entry: for data (MMU) or for a fetch (I-MMU).
func (x *instr) entryFaults(unit string, v, at, denied ir.Expr, tags func(...ir.Tag) ir.Tags) {
	x.When(ir.Not(bitOf(v, entryValid)), func() { x.fault(unit+":Translation", at, tags(tagNoTLB)) })
	if !x.sys.hardware[x.Thread].access {
		x.When(ir.Not(bitOf(v, entryAF)), func() { x.fault(unit+":AccessFlag", at, tags(tagNoTLB)) })
	}
	if c, constant := denied.(ir.Const); !constant || c.Value != 0 {
		x.When(denied, func() { x.fault(unit+":Permission", at, tags()) })
	}
}

// entryDenies returns whether an entry does not permit an access at EL0 or EL1.
func entryDenies(v ir.Expr, writes, el0 bool) ir.Expr {
	denied := ir.Expr(ir.Number(0, 1))
	if writes {
		denied = bitOf(v, entryRead)
	}
	if el0 {
		denied = ir.BitOr.Of(denied, ir.Not(bitOf(v, entryEL0)))
	}
	return denied
}

// withTags adds a tag to both sides of an access.
func withTags(op ir.Op, tag ir.Tag) ir.Op {
	add := func(tags ir.Tags) ir.Tags { return append(slices.Clone(tags), tag) }
	switch op := op.(type) {
	case ir.Load:
		op.Tags = add(op.Tags)
		return op
	case ir.Store:
		op.Tags = add(op.Tags)
		return op
	case ir.RMW:
		op.Tags, op.WriteTags = add(op.Tags), add(op.WriteTags)
		return op
	case ir.StoreCond:
		op.Tags = add(op.Tags)
		return op
	}
	return op
}

// defineTranslation adds maintenance of TLBs.
func defineTranslation() {
	define("TLBI", 1, 2, func(x *instr) {
		if x.sys == nil || !x.sys.translates {
			x.needs("page tables", false)
			return
		}
		what := strings.ToUpper(x.Ops[0].Text)
		name, domain := what, "own"
		for _, suffix := range []string{"IS", "OS"} {
			if short, ok := strings.CutSuffix(what, suffix); ok {
				name, domain = short, suffix
			}
		}
		tags := ir.Tags{tagTLBI}
		if domain == "own" {
			tags = append(tags, tagTLBOwn)
		}
		switch {
		case (name == "VMALLE1" || name == "ALLE1" || name == "VMALLS12E1") && len(x.Ops) == 1:
			x.Builder.Emit(ir.Fence{Tags: append(tags, tagTLBAll)})
		case (name == "VAE1" || name == "VAAE1" || name == "VALE1" || name == "VAALE1") && len(x.Ops) == 2:
			page := ir.Shl.Of(x.read(x.regOf(1, 64)), ir.Number(12, 64))
			page = ir.BitAnd.Of(page, ir.Number(addressMask, 64))
			x.Builder.Emit(ir.Fence{Tags: tags, Addr: x.knownAddress(ir.BitOr.Of(page, ir.Number(entryOffset, 64)))})
		default:
			x.Fail(0, "%s is not supported: want VMALLE1, VAE1 or VAAE1, with IS or without", x.Ops[0].Text)
		}
	})
}

// knownAddress returns an address, or that of no location if it is outside all locations.
func (x *instr) knownAddress(at ir.Expr) ir.Expr {
	at = x.Keep(at)
	known := ir.Expr(ir.Number(0, 1))
	for i := range x.Program.Locs {
		known = ir.BitOr.Of(known, ir.Eq.Of(at, ir.Addr{Loc: i, Bits: 64}))
	}
	none, ok := x.Find(nowhere)
	if !ok {
		none = x.AddLocation(x.Name.Pos, nowhere, 32, nowhereAt, 0)
	}
	return ir.Cond{If: known, Then: at, Else: ir.Addr{Loc: none, Bits: 64}}
}

// hwUpdates are the updates of entries that the hardware makes for a thread: of the access flag, and of the permission
// to write (the line TTHM= of a test: HA, HD).
type hwUpdates struct{ access, dirty bool }

// setUpdates reads the words of a line such as TTHM=HA HD or TTHM=P0:HA.
func (s *system) setUpdates(b *lower.Builder, pos litmus.Pos, words []string) {
	for _, w := range words {
		thread, what, single := strings.Cut(w, ":")
		if !single {
			what = w
		}
		if what != "ha" && what != "hd" {
			b.Failf(pos, "%s: got %s in the line TTHM=, want HA or HD, or such as P0:HA", b.Test.Arch, w)
		}
		for k, th := range b.Test.Threads {
			if !single || strings.EqualFold(thread, th.Title()) {
				u := s.hardware[k]
				// HD has no effect without HA.
				u.access, u.dirty = true, u.dirty || what == "hd"
				s.hardware[k] = u
			}
		}
	}
}

// readEntry emits the read of an entry, with the update that the hardware makes of it unless the entry then still
// denies the access, and returns the entry as it is then.
func (x *instr) readEntry(entry ir.Expr, tags ir.Tags, writes bool, denied func(ir.Expr) ir.Expr) ir.Expr {
	u := x.sys.hardware[x.Thread]
	if !u.access && (!u.dirty || !writes) {
		read := ir.Load{Dst: x.Temp(64), Addr: entry, Bits: 64, Tags: tags}
		x.EmitHidden(read)
		return x.Value(read.Dst)
	}
	// An access that is denied updates nothing.
	update := func(old ir.Expr) (next, when ir.Expr) {
		next, when = old, ir.Number(0, 1)
		accessed := bitOf(old, entryAF)
		if u.access {
			next, when = ir.BitOr.Of(next, ir.Number(entryAF, 64)), ir.Not(accessed)
			accessed = ir.Number(1, 1)
		}
		if u.dirty && writes {
			dirty := ir.BitAnd.Of(ir.BitAnd.Of(bitOf(old, entryDBM), bitOf(old, entryRead)), accessed)
			writable := ir.BitAnd.Of(next, ir.Number(^uint64(entryRead), 64))
			next, when = ir.Cond{If: dirty, Then: writable, Else: next}, ir.BitOr.Of(when, dirty)
		}
		permitted := ir.BitAnd.Of(bitOf(old, entryValid), ir.Not(denied(next)))
		return next, ir.BitAnd.Of(when, permitted)
	}
	next, when := update(ir.Old{Bits: 64})
	op := ir.RMW{
		Dst: x.Temp(64), Addr: entry, Bits: 64, New: next, If: when, Tags: tags,
		WriteTags: append(slices.Clone(tags), tagHU),
	}
	x.EmitHidden(op)
	old := x.Value(op.Dst)
	next, when = update(old)
	return x.Keep(ir.Cond{If: when, Then: next, Else: old})
}

// emitSpurious adds a thread for the updates of access flags that the hardware may make at any time, where it makes
// any: as many for an entry as writes may clear the flag.
func (s *system) emitSpurious(b *lower.Builder) {
	enabled := false
	for _, u := range s.hardware {
		enabled = enabled || u.access
	}
	if !enabled || !s.translates {
		return
	}
	clears := s.clearing(b)
	most := map[int]int{}
	for i, l := range b.Program.Locs {
		if !strings.HasPrefix(l.Name, "PTE(") {
			continue
		}
		if most[i] = clears; l.Init&entryAF == 0 {
			most[i]++
		}
	}
	b.AddThread("hardware", func() {
		for i := range b.Program.Locs {
			if most[i] > 0 {
				emitFlags(b, i, most[i])
			}
		}
	})
}

// clearing counts the instructions that may clear an access flag: those that store 64 bits, in a test that has an entry
// with a clear flag or computes with numbers of 64 bits. No loop may repeat them.
func (s *system) clearing(b *lower.Builder) (n int) {
	clear := false
	for _, item := range b.Test.Init {
		for _, v := range item.Values {
			clear = clear || strings.Contains(v.Entry, "af:0")
		}
	}
	for _, th := range append(slices.Clone(b.Test.Threads), b.Test.Handlers...) {
		for _, c := range th.Cells {
			_, rest := c.Labels()
			name, ops := rest.Split()
			up := strings.ToUpper(name.Text)
			wide := slices.ContainsFunc(ops, func(o litmus.Word) bool {
				return o.Text != "" && (o.Text[0] == 'X' || o.Text[0] == 'x')
			})
			stores := strings.HasPrefix(up, "ST") || strings.HasPrefix(up, "SWP") || strings.HasPrefix(up, "CAS") ||
				strings.HasPrefix(up, "LD") && len(ops) == 3
			if stores && wide {
				n++
			}
			computes := slices.Contains(clearers, up) || strings.Contains(up, "CLR") || strings.Contains(up, "EOR") ||
				strings.HasPrefix(up, "LDADD") || strings.HasPrefix(up, "STADD") || strings.Contains(up, "MIN")
			clear = clear || wide && computes
		}
	}
	if !clear {
		return 0
	}
	if pos, loops := loopOf(b.Test); loops && n > 0 {
		b.Failf(pos, "updates of access flags by hardware (TTHM=) are not supported in a test with loops that may "+
			"clear them")
	}
	return n
}

// clearers are operations whose result may have a clear access flag where their operands do not.
var clearers = []string{"AND", "ANDS", "BIC", "BICS", "SUB", "SUBS", "ADD", "ADDS", "BFI", "BFC", "UBFX", "LSL", "LSR"}

// loopOf returns the place of a branch that leads back, or of a handler that may return to its instruction.
func loopOf(t *litmus.Test) (pos litmus.Pos, loops bool) {
	for _, th := range append(slices.Clone(t.Threads), t.Handlers...) {
		var seen []string
		sets := false // the address to return to
		for _, c := range th.Cells {
			labels, rest := c.Labels()
			for _, l := range labels {
				seen = append(seen, l.Text)
			}
			name, ops := rest.Split()
			sets = sets || strings.EqualFold(name.Text, "MSR")
			if strings.EqualFold(name.Text, "ERET") && !sets {
				return name.Pos, true
			}
			for _, o := range ops {
				if slices.Contains(seen, o.Text) || strings.HasPrefix(o.Text, ".-") ||
					strings.EqualFold(name.Text, "BR") {
					return name.Pos, true
				}
			}
		}
	}
	return pos, false
}

// emitFlags emits up to n updates of the access flag of an entry, each if the one before it was made.
func emitFlags(b *lower.Builder, loc, n int) {
	var skips []int
	for range n {
		chosen := b.Temp(1)
		b.Emit(ir.Choose{Dst: chosen})
		skips = append(skips, b.PC())
		b.Emit(ir.Branch{Cond: ir.Not(b.Value(chosen))})
		tags := ir.Tags{tagImplicit, tagEntry, tagSpurious}
		op := ir.RMW{
			Dst: b.Temp(64), Addr: ir.Addr{Loc: loc, Bits: 64}, Bits: 64, Tags: tags,
			New: ir.BitOr.Of(ir.Old{Bits: 64}, ir.Number(entryAF, 64)), WriteTags: append(slices.Clone(tags), tagHU),
			At: ir.Locs{loc},
		}
		b.EmitHidden(op)
		old := b.Value(op.Dst)
		b.Emit(ir.Assume{Cond: ir.BitAnd.Of(bitOf(old, entryValid), ir.Not(bitOf(old, entryAF)))})
	}
	for _, pc := range skips {
		b.SetTarget(pc, b.PC())
	}
}
