package aarch64

import (
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Tests of Arm's system side. An access becomes several operations: what it does implicitly, such as the read of a tag
// or of an entry of a page table, the branch on that, the fault, and the access itself. Implicit accesses have the tag
// Implicit, and all accesses of tags, of entries of page tables and of instructions have a tag of their own, so that a
// model tells them apart. A fault is an event too: a fence with the tag FAULT. What an option of a test changes is in
// tags of the events, so that one model is for all options.

// The tags of a system's side.
const (
	tagImplicit        = ir.TagImplicit
	tagTagged   ir.Tag = "TAGMEM"    // an access of a memory tag
	tagAsync    ir.Tag = "ASYNC"     // the read of a tag whose check does not hold back the access
	tagFetch    ir.Tag = "IFETCH"    // the fetch of an instruction
	tagIDC      ir.Tag = "IDC"       // a fetch that needs no cleaning of data caches
	tagDIC      ir.Tag = "DIC"       // a fetch that needs no invalidation of instruction caches
	tagClean    ir.Tag = "DCCVAU"    // DC CVAU
	tagLine     ir.Tag = "ICLINE"    // IC IVAU, one line for all threads
	tagWhole    ir.Tag = "ICWHOLE"   // IC IALLUIS
	tagOwn      ir.Tag = "ICOWN"     // IC IALLU
	tagDrop     ir.Tag = "ICIVAU"    // invalidation of instruction caches
	tagEntry    ir.Tag = "PTEMEM"    // an access of an entry of a page table
	tagFault    ir.Tag = "FAULTED"   // a fault
	tagEnter    ir.Tag = "EXCENTRY"  // the entry of an exception
	tagReturn   ir.Tag = "EXCRETURN" // the return from an exception
	tagContext  ir.Tag = "CONTEXT"   // an exception or a return that synchronises the context
	tagMMU      ir.Tag = "MMUFAULT"  // a fault of address translation
	tagTagCheck ir.Tag = "TAGFAULT"  // a fault of a tag check
	tagNoTLB    ir.Tag = "UNCACHED"  // a fault whose translation no TLB keeps
	tagETS2     ir.Tag = "ETS2"      // a fault of address translation under ETS2
	tagETS3     ir.Tag = "ETS3"      // the read of an entry under ETS3
	tagTLBI     ir.Tag = "TLBMAINT"  // maintenance of TLBs
	tagTLBOwn   ir.Tag = "TLBIOWN"   // for the TLBs of its own thread
	tagTLBAll   ir.Tag = "TLBIALL"   // for all addresses
	tagWriting  ir.Tag = "WRITING"   // a fault of a write
	tagHU       ir.Tag = "HWUPDATE"  // an update of an entry by hardware
	tagSpurious ir.Tag = "HWALONE"   // an update of an entry that no access of a thread causes
	tagAside    ir.Tag = "ASIDE"     // the read of an entry for a tag check, and its fault
	tagForFetch ir.Tag = "FETCHWALK" // the read of an entry to fetch an instruction, and its fault
)

var systemTags = []ir.Tag{
	tagImplicit, tagTagged, tagAsync, tagFetch, tagIDC, tagDIC, tagClean, tagLine, tagWhole, tagOwn, tagDrop, tagEntry,
	tagFault, tagEnter, tagReturn, tagContext, tagMMU, tagTagCheck, tagNoTLB, tagETS2, tagETS3, tagTLBI, tagTLBOwn,
	tagTLBAll, tagWriting, tagHU, tagSpurious, tagForFetch, tagAside,
}

// system is what a test uses of a system's side.
type system struct {
	memtag, fetches, translates bool

	asyncReads, asyncWrites bool // tag checks of reads and writes do not hold back the access
	idc, dic                bool
	entrySyncs, returnSyncs bool // exceptions and returns synchronise the context
	ets2, ets3              bool
	skip                    bool // the thread goes on behind a fault
	retry                   bool // the thread executes an instruction with a fault again
	pages                   codePages
	asks                    bool              // address translation instructions
	results                 map[int]atResults // by index of the thread
	attributes              []string          // of memory in entries: sets of words, each with a comma between
	el0                     map[int]bool      // by index of the thread: it runs at EL0
	hardware                map[int]hwUpdates

	asksMMU  bool                   // about faults of address translation
	guards   bool                   // guarded control stacks
	signs    *signing               // nil without pointer authentication
	codes    []code                 // the instructions that are values
	encoding map[string]uint64      // by text
	sites    map[[2]int]int         // by thread and number of an instruction: its location
	handlers map[int]*litmus.Thread // by index of the thread
	at       map[int]int            // registers of ELR_EL1 by thread
	shown    map[int]int            // by thread: the first cell of its handler in its source
	landings map[int][]landing      // by index of the thread: branches to copies of other threads' code
}

// variants are the options of a test's header that are heeded. Those of other features are rejected by name.
var variants = map[string]func(*system){
	"memtag":      func(s *system) { s.memtag = true },
	"mte":         func(s *system) { s.memtag = true },
	"sync":        func(s *system) { s.asyncReads, s.asyncWrites = false, false },
	"precise":     func(s *system) { s.retry = false },
	"async":       func(s *system) { s.memtag, s.asyncReads, s.asyncWrites = true, true, true },
	"asym":        func(s *system) { s.asyncWrites = true },
	"asymm":       func(s *system) { s.asyncWrites = true },
	"skip":        func(s *system) { s.skip = true },
	"faulttonext": func(s *system) { s.skip = true },
	"fatal":       func(s *system) { s.retry = false },
	"handled":     func(s *system) { s.retry = true },
	"imprecise":   func(s *system) { s.retry = true },
	"ifetch":      func(s *system) { s.fetches = true },
	"self":        func(s *system) { s.fetches = true },
	"vmsa":        func(s *system) { s.translates = true },
	"kvm":         func(s *system) { s.translates = true },
	"exs":         func(s *system) { s.entrySyncs, s.returnSyncs = false, false },
	"eis":         func(s *system) { s.entrySyncs = true },
	"eos":         func(s *system) { s.returnSyncs = true },
	"ets2":        func(s *system) { s.ets2 = true },
	"ets3":        func(s *system) { s.ets2, s.ets3 = true, true },
	"shadowstack": func(s *system) { s.guards = true },
	"mixed":       func(*system) {},
}

// systemOf returns what a test uses of a system's side, or nil. Options that litmuscope does not know are errors.
func systemOf(b *lower.Builder, pages codePages) *system {
	t := b.Test
	s := &system{
		entrySyncs: true, returnSyncs: true, encoding: map[string]uint64{}, sites: map[[2]int]int{},
		handlers: map[int]*litmus.Thread{}, at: map[int]int{}, shown: map[int]int{}, el0: map[int]bool{},
		hardware: map[int]hwUpdates{}, landings: map[int][]landing{}, pages: pages, attributes: []string{""},
		results: map[int]atResults{},
	}
	head := litmus.Pos{File: t.File, Line: 1, Col: 1}
	excepts, asksFaults := s.find(t)
	var unknown, named []string
	words := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ',' || r == ' ' })
	}
	for _, i := range t.Info {
		switch {
		case strings.EqualFold(i.Key, "variant"):
			for _, w := range words(i.Value) {
				if _, length := scalableOption(w); length {
					continue
				}
				if s.setSigning(w) {
					continue
				}
				named = append(named, w)
				if f := variants[w]; f != nil {
					f(s)
				} else {
					unknown = append(unknown, w)
				}
			}
		case strings.EqualFold(i.Key, "CacheType"):
			for _, w := range words(i.Value) {
				s.idc, s.dic, s.fetches = s.idc || w == "idc", s.dic || w == "dic", true
			}
		case strings.EqualFold(i.Key, "EL0"):
			for _, w := range words(i.Value) {
				for k, th := range t.Threads {
					if strings.EqualFold(w, th.Title()) {
						s.el0[k] = true
					}
				}
			}
		case strings.EqualFold(i.Key, "TTHM"):
			s.setUpdates(b, head, words(i.Value))
		}
	}
	s.translates = s.translates || s.asksMMU && s.signs == nil
	if !s.memtag && !s.fetches && !s.translates && s.signs == nil && !s.guards &&
		len(t.Handlers) == 0 && !excepts && !asksFaults {
		return nil
	}
	if has := func(w string) bool { return slices.Contains(named, w) }; s.translates && !has("vmsa") && !has("kvm") &&
		(has("ifetch") || has("self") || has("memtag") || has("mte")) {
		b.Failf(head, "%s: the test uses page tables, but its line Variant= has %s without vmsa: add vmsa", t.Arch,
			strings.Join(named, ","))
	}
	for _, w := range unknown {
		b.Failf(head, "%s: the option %s of the line Variant= is not supported", t.Arch, w)
	}
	if s.signs != nil && s.signs.faults && asksFaults {
		b.Failf(head, "%s: faults in conditions together with the option fpac are not supported", t.Arch)
	}
	if s.signs != nil {
		s.signs.tags = s.memtag
	}
	for i := range t.Handlers {
		h := &t.Handlers[i]
		for k, th := range t.Threads {
			if th.ID == h.ID {
				s.handlers[k] = h
			}
		}
	}
	return s
}

// part is a part of a system's side.
type part uint8

const (
	tagPart part = 1 << iota
	fetchPart
	exceptionPart
	tablePart
	questionPart // to tables, with AT
)

// partOf has the mnemonics that show what a test is about.
var partOf = map[string]part{
	"STG": tagPart, "LDG": tagPart, "STZG": tagPart, "ST2G": tagPart, "STZ2G": tagPart, "STGP": tagPart, "IRG": tagPart,
	"GMI": tagPart, "ADDG": tagPart, "SUBG": tagPart, "SUBP": tagPart,
	"IC": fetchPart, "DC": fetchPart,
	"SVC": exceptionPart, "UDF": exceptionPart, "ERET": exceptionPart, "MRS": exceptionPart, "MSR": exceptionPart,
	"TLBI": tablePart, "AT": tablePart | questionPart,
}

// partsOf returns what a test is about by its instructions. Each test is asked, so it looks at each instruction once.
func partsOf(t *litmus.Test) (parts part) {
	for _, th := range t.Threads {
		for _, c := range th.Cells {
			_, rest := c.Labels()
			name := rest.Text
			if end := strings.IndexAny(name, " \t\r\n"); end >= 0 {
				name = name[:end]
			}
			parts |= partOf[strings.ToUpper(name)]
		}
	}
	return parts
}

// eachPlace calls place and value on what the init block, the condition, the filter and the locations block name.
func eachPlace(t *litmus.Test, place func(litmus.Place), value func(litmus.Literal)) {
	for _, item := range t.Init {
		place(item.Target)
		for _, v := range item.Values {
			value(v)
		}
	}
	atom := func(a litmus.Atom) litmus.Prop {
		place(a.Left)
		value(a.Literal)
		return a
	}
	litmus.MapAtoms(t.Condition.Prop, atom)
	litmus.MapAtoms(t.Filter, atom)
	for _, o := range t.Locations {
		place(o)
	}
}

// find finds out which features a test uses from its names, values and instructions, whether it has
// instructions of exceptions, and whether it asks about faults.
func (s *system) find(t *litmus.Test) (excepts, asks bool) {
	name := func(n string) {
		s.memtag = s.memtag || strings.HasPrefix(n, "tag(")
		s.translates = s.translates || strings.HasPrefix(n, "PTE(") || strings.HasPrefix(n, "PA(")
	}
	eachPlace(t, func(o litmus.Place) {
		name(o.Name)
		asks = asks || o.Fault.Asked
		s.asksMMU = s.asksMMU || strings.HasPrefix(strings.TrimPrefix(o.Fault.Kind, "D-"), "MMU")
	}, func(l litmus.Literal) {
		name(l.Name)
		s.memtag = s.memtag || l.Tag != ""
		s.fetches = s.fetches || l.Code != ""
		s.translates = s.translates || l.Entry != ""
	})
	parts := partsOf(t)
	s.memtag = s.memtag || parts&tagPart != 0
	s.fetches = s.fetches || parts&fetchPart != 0 || usesForeignCode(t)
	s.translates = s.translates || parts&tablePart != 0
	s.asks = parts&questionPart != 0
	return parts&exceptionPart != 0, asks
}

// tagNames are the names of tags, by number.
var tagNames = []string{"green", "red", "blue", "black", "white", "cyan", "yellow", "magenta"}

// tagAt is the lowest bit of the tag in an address, and tagBits its width.
const (
	tagAt   = 56
	tagBits = 4
)

// locations of a system's side are in the memory of the location that they belong to, far behind its values.
const (
	entryOffset = 0x10_0000 // of the entry of the page table
	tagOffset   = 0x20_0000 // of the tags
	granule     = 16        // bytes with one tag
)

const addressMask = 1<<48 - 1

// begin prepares the test for its system's side. Call it before the init block is declared.
func (s *system) begin(b *lower.Builder) {
	b.SetSystem(&lower.System{
		AddressMask: addressMask,
		Locate:      func(name string, pos litmus.Pos) (int, bool) { return s.locate(b, name, pos) },
		Value:       func(l litmus.Literal, to litmus.Place) (uint64, bool) { return s.value(b, l, to) },
	})
	b.Program.Addresses = names{b.Program, s}
	if s.translates {
		s.pages.place(b)
	}
	if s.fetches {
		s.findCode(b)
	}
}

// returnPoints lists, by thread, the instructions behind calls.
func returnPoints(t *litmus.Test) map[int][]int {
	out := map[int][]int{}
	for i, th := range t.Threads {
		n := 0
		for _, c := range th.Cells {
			_, rest := c.Labels()
			if rest.Text == "" {
				continue
			}
			n++
			if name, _ := rest.Split(); strings.EqualFold(name.Text, "BL") ||
				strings.HasPrefix(strings.ToUpper(name.Text), "BLR") {
				out[i] = append(out[i], n)
			}
		}
	}
	return out
}

// locate returns the location with a name such as tag(x).
func (s *system) locate(b *lower.Builder, name string, pos litmus.Pos) (int, bool) {
	kind, inner, ok := strings.Cut(name, "(")
	if !ok {
		return 0, false
	}
	inner = strings.TrimSuffix(inner, ")")
	if kind == "PTE" && strings.Contains(inner, ":") {
		return s.codeEntry(b, name, inner, pos)
	}
	if strings.Contains(inner, "(") {
		b.Failf(pos, "%s: %s is not supported: want the name of a location in the parentheses", b.Test.Arch, name)
		inner = "x"
	}
	if i, again := b.Find(name); again {
		return i, true
	}
	of := b.Program.Locs[b.LocationOf(inner, pos)].Address
	switch kind {
	case "tag":
		return b.AddLocation(pos, name, 8, of+tagOffset, 0), true
	case "PTE":
		return b.AddLocation(pos, name, 64, of+entryOffset, defaultEntry(of)), true
	}
	b.Failf(pos, "%s: %s is not supported", b.Test.Arch, name)
	return b.LocationOf(inner, pos), true
}

// value returns the number of a value that is a tag, an address with a tag, an instruction or an entry.
func (s *system) value(b *lower.Builder, l litmus.Literal, to litmus.Place) (uint64, bool) {
	switch {
	case l.Tag != "":
		tag := slices.Index(tagNames, l.Tag)
		if tag < 0 {
			b.Failf(l.Pos, "%s: unknown tag %s%s", b.Test.Arch, l.Tag, litmus.DidYouMean(l.Tag, tagNames))
			tag = 0
		}
		if l.Name == "" {
			return uint64(tag), true
		}
		return b.Program.Locs[b.LocationOf(l.Name, l.Pos)].Address + l.Bits | uint64(tag)<<tagAt, true
	case l.Code != "":
		return s.codeValue(b, l), true
	case l.Entry != "" && l.Name != "":
		return s.resultValue(b, l), true
	case l.Entry != "":
		return s.entryValue(b, l, to), true
	}
	if strings.Contains(l.Name, "[") {
		return behindStack(b, l)
	}
	if named, ok := parseSignature(l.Name); ok {
		if s.signs == nil {
			b.Failf(l.Pos, "%s: %s: add the line Variant=pauth2 to use signed pointers", b.Test.Arch, l.Name)
			return 0, true
		}
		return s.signs.value(b, named, l.Pos), true
	}
	if name, ok := strings.CutPrefix(l.Name, "PA("); ok {
		return s.physicalOf(b, strings.TrimSuffix(name, ")"), l.Pos), true
	}
	if strings.HasPrefix(l.Name, "tag(") {
		b.Failf(l.Pos, "%s: %s has no address: a tag is stored by STG and loaded by LDG", b.Test.Arch, l.Name)
		return 0, true
	}
	if strings.Contains(l.Name, "(") {
		return b.Program.Locs[b.LocationOf(l.Name, l.Pos)].Address + l.Bits, true
	}
	return 0, false
}

// names names addresses with tags, entries of page tables and instructions in outcomes. It implements ir.AddressNames.
type names struct {
	program *ir.Program
	system  *system
}

// Name implements ir.AddressNames.
func (n names) Name(v uint64, bits int) string {
	if bits < 32 {
		return n.tag(v, bits)
	}
	for _, c := range n.system.codes {
		if c.value == v {
			return litmus.Literal{Code: c.text}.String()
		}
	}
	if bits < 64 {
		return ""
	}
	if n.system.signs != nil {
		if text := n.signedName(v); text != "" {
			return text
		}
	}
	if n.system.translates {
		if text, ok := n.entry(v); ok {
			return text
		}
		if text, ok := n.result(v); ok {
			return text
		}
	}
	tag := v >> tagAt
	if tag>>tagBits != 0 || tag != 0 && !n.system.memtag {
		return ""
	}
	name, ok := n.place(v & addressMask)
	if ok && n.system.memtag {
		name += ":" + tagName(tag)
	}
	return name
}

// tag names the tag in a cell of its width.
func (n names) tag(v uint64, bits int) string {
	if !n.system.memtag || bits != 8 {
		return ""
	}
	return ":" + tagName(v)
}

func tagName(tag uint64) string {
	if tag < uint64(len(tagNames)) {
		return tagNames[tag]
	}
	return strconv.FormatUint(tag, 10)
}

// place names an address without a tag.
func (n names) place(v uint64) (string, bool) {
	best := -1
	for i, l := range n.program.Locs {
		if l.Address <= v && v-l.Address <= litmus.MaxBehind &&
			(best < 0 || l.Address > n.program.Locs[best].Address) {
			best = i
		}
	}
	if best < 0 {
		return "", false
	}
	name := strings.TrimSuffix(n.program.Locs[best].Name, "[0]")
	if behind := v - n.program.Locs[best].Address; behind > 0 {
		name += "+" + strconv.FormatUint(behind, 10)
	}
	return name, true
}

// Find implements ir.AddressNames.
func (n names) Find(text string) (uint64, bool) {
	for _, c := range n.system.codes {
		if (litmus.Literal{Code: c.text}).String() == text {
			return c.value, true
		}
	}
	if v, ok := n.findResult(text); ok {
		return v, true
	}
	if v, ok := n.findEntry(text); ok {
		return v, true
	}
	if n.system.signs != nil {
		if v, ok := n.findSigned(text); ok {
			return v, true
		}
	}
	name, tag, tagged := strings.Cut(text, ":")
	number := uint64(max(slices.Index(tagNames, tag), 0))
	if tagged && name == "" {
		return number, true
	}
	for _, l := range n.program.Locs {
		if strings.TrimSuffix(l.Name, "[0]") == name {
			return l.Address | number<<tagAt, true
		}
	}
	return 0, false
}

// Emit appends an operation of the instruction, with what an access does implicitly around it.
func (x *instr) Emit(op ir.Op) {
	addr, bits := ir.Access(op)
	if x.sys != nil && x.sys.guards && addr != nil && writes(op) {
		x.outsideStacks(physical(x.Keep(addr)))
	}
	if x.sys == nil || addr == nil || !x.sys.memtag && !x.sys.translates && x.sys.signs == nil {
		x.Builder.Emit(op)
		return
	}
	if bits > 64 {
		x.Fail(0, "accesses of 128 bits are not supported in tests with memory tags, page tables or signed pointers")
		return
	}
	x.access(op, x.Keep(addr), x.checked)
}

// place is where an access goes.
type place struct {
	physical ir.Expr
	at       ir.Expr // the address that the instruction names, perhaps with a tag
	tagged   ir.Expr // whether the page has memory tags; nil: it has
}

// access emits an access through a pointer: its authentication and its translation, if the test has such, and then what
// emit emits.
func (x *instr) access(op ir.Op, at ir.Expr, emit func(ir.Op, place)) {
	if x.sys.signs != nil {
		at = x.canonical(at)
	}
	if x.sys.translates {
		x.translated(op, at, emit)
		return
	}
	emit(op, place{physical: physical(at), at: at})
}

// Load emits a load into a temporary that otherwise is as op says.
func (x *instr) Load(op ir.Load) ir.Expr {
	op.Dst = x.Temp(op.Bits)
	x.Emit(op)
	return x.Value(op.Dst)
}

// LoadDouble emits a load of 128 bits that otherwise is as op says.
func (x *instr) LoadDouble(op ir.Load) lower.Double {
	if x.sys != nil && (x.sys.memtag || x.sys.translates || x.sys.signs != nil) {
		x.Fail(0, "accesses of 128 bits are not supported in tests with memory tags, page tables or signed pointers")
	}
	return x.Builder.LoadDouble(op)
}

// UpdateDouble reads and writes 128 bits in one atomic step.
func (x *instr) UpdateDouble(
	at ir.Expr, read, write ir.Tags, next func(old lower.Double) (v lower.Double, only ir.Expr),
) lower.Double {
	if x.sys != nil && (x.sys.memtag || x.sys.translates || x.sys.signs != nil) {
		x.Fail(0, "accesses of 128 bits are not supported in tests with memory tags, page tables or signed pointers")
	}
	return x.Builder.UpdateDouble(at, read, write, next)
}

// withAddress returns an access at another address.
func withAddress(op ir.Op, addr ir.Expr) ir.Op {
	switch op := op.(type) {
	case ir.Load:
		op.Addr = addr
		return op
	case ir.Store:
		op.Addr = addr
		return op
	case ir.RMW:
		op.Addr = addr
		return op
	case ir.StoreCond:
		op.Addr = addr
		return op
	}
	panic("BUG: not an access")
}

// writes reports whether an access writes.
func writes(op ir.Op) bool {
	_, load := op.(ir.Load)
	return !load
}
