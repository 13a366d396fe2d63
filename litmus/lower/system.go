package lower

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// System is what a dialect adds for a test of a system's side: locations with names of their own, such as tag(x),
// values that are no numbers, and the locations that instructions reach without naming them.
type System struct {
	// AddressMask has the bits of an address that say where it is. The others may carry a tag.
	AddressMask uint64
	// Locate returns a location with a name of its own, and declares it if it is new. ok is false for other names.
	Locate func(name string, pos litmus.Pos) (loc int, ok bool)
	// Value returns the number of a literal that only tests of a system's side have, which is that of a place or is
	// compared with it.
	Value func(l litmus.Literal, to litmus.Place) (v uint64, ok bool)

	hidden  map[[2]int]bool    // by thread and step: accesses that do not determine widths
	zeroes  [][2]int           // by thread and step: stores of 0 whose width is that of the locations
	virtual map[[2]int]ir.Expr // by thread and step: the address that an instruction names
	faults  map[faultPattern][]ir.Observable
	used    map[int]bool // registers of faults
}

// faultPattern is a pattern of faults that a test asks about, of the thread with an index.
type faultPattern struct {
	thread int
	litmus.FaultPattern
}

// SetSystem says that the test is one of a system's side. Call it before Declare.
func (b *Builder) SetSystem(s *System) {
	s.hidden, s.virtual = map[[2]int]bool{}, map[[2]int]ir.Expr{}
	s.faults, s.used = map[faultPattern][]ir.Observable{}, map[int]bool{}
	b.system = s
	b.Program.System = true
	note := func(o litmus.Place) {
		if t, ok := b.threads[o.Thread]; ok && o.Fault.Asked {
			p := faultPattern{t, o.Fault}
			if _, again := s.faults[p]; !again {
				s.faults[p] = []ir.Observable{b.faultRegister(p, "", "")}
			}
		}
	}
	atoms := func(a litmus.Atom) litmus.Prop { note(a.Left); return a }
	litmus.MapAtoms(b.Test.Condition.Prop, atoms)
	litmus.MapAtoms(b.Test.Filter, atoms)
	for _, o := range b.Test.Locations {
		note(o)
	}
}

// faultRegister allocates a register for the address of the first fault of a kind at a label.
func (b *Builder) faultRegister(p faultPattern, label, kind string) ir.Observable {
	id := b.Program.Threads[p.thread].ID
	reg := b.temp(p.thread, 64)
	at := "P" + strconv.Itoa(id)
	if label != "" {
		at += ":" + label
	}
	name := p.String(id)
	return ir.Observable{
		Name: name, Whole: name, Thread: p.thread, Index: reg, Bits: 64, Fault: ir.FaultSite{At: at, Kind: kind},
	}
}

// EmitHidden emits an access that does not determine the width of any location.
func (b *Builder) EmitHidden(op ir.Op) {
	b.system.hidden[[2]int{b.Thread, len(b.Program.Threads[b.Thread].Code)}] = true
	b.Emit(op)
}

// EmitTranslated emits an access whose address has been translated from a virtual one.
func (b *Builder) EmitTranslated(op ir.Op, virtual ir.Expr) {
	b.system.virtual[[2]int{b.Thread, len(b.Program.Threads[b.Thread].Code)}] = virtual
	b.Emit(op)
}

// EmitZero emits a store of 0 that has the width of the test's locations.
func (b *Builder) EmitZero(addr ir.Expr) {
	b.system.zeroes = append(b.system.zeroes, [2]int{b.Thread, len(b.Program.Threads[b.Thread].Code)})
	b.EmitHidden(ir.Store{Addr: addr, Value: ir.Number(0, b.WordBits)})
}

// settleZeroes gives the stores of EmitZero their width.
func (b *Builder) settleZeroes() {
	if b.system == nil || len(b.system.zeroes) == 0 {
		return
	}
	bits := 0
	for _, l := range b.Program.Locs {
		if strings.Contains(l.Name, "(") {
			continue
		}
		if bits != 0 && bits != l.Bits {
			z := b.system.zeroes[0]
			th := &b.Program.Threads[z[0]]
			b.Failf(th.Source[th.Code[z[1]].Source].Pos,
				"storing zeros to locations of several widths is not supported")
			return
		}
		bits = l.Bits
	}
	for _, z := range b.system.zeroes {
		step := &b.Program.Threads[z[0]].Code[z[1]]
		op := step.Op.(ir.Store)
		op.Value = ir.Number(0, bits)
		step.Op = op
	}
}

// RecordFault records a fault of an instruction for the patterns that it matches: its kind, the labels of the
// instruction, and its address, nil for a fault without one, if when (nil: always) is 1. The test's outcomes name the
// first fault of each kind at each label.
func (b *Builder) RecordFault(kind string, labels []string, addr, when ir.Expr) {
	label := ""
	if len(labels) > 0 {
		label = labels[len(labels)-1]
	}
	for _, p := range b.faultPatterns() {
		if p.Kind != "" && !matchesKind(p.Kind, kind) ||
			p.Label != "" && !slices.Contains(labels, p.Label) {
			continue
		}
		cond := ir.Expr(ir.Number(1, 1))
		if when != nil {
			cond = when
		}
		if p.Loc != "" {
			if addr == nil {
				continue
			}
			in, ok := b.within(addr, p.Loc)
			if !ok {
				continue
			}
			cond = ir.BitAnd.Of(cond, in)
		}
		reg := b.registerOfFault(p, cmp.Or(p.Label, label), kind)
		value := addr
		if value == nil {
			value = ir.Number(1, 64)
		}
		old := b.Value(reg)
		cond = ir.BitAnd.Of(cond, ir.Eq.Of(old, ir.Number(0, 64)))
		b.Assign(reg, ir.Cond{If: cond, Then: value, Else: old})
	}
}

// matchesKind reports whether a pattern's kind of fault includes a kind: MMU:Translation is also written
// D-MMU:Translation, and MMU means any of its kinds.
func matchesKind(pattern, kind string) bool {
	pattern = strings.TrimPrefix(pattern, "D-")
	kind, _, _ = strings.Cut(kind, ",")
	return pattern == kind || strings.HasPrefix(kind, pattern+":")
}

// faultPatterns lists the patterns of the current thread in a fixed order.
func (b *Builder) faultPatterns() (out []faultPattern) {
	for p := range b.system.faults {
		if p.thread == b.Thread {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(x, y faultPattern) int { return cmp.Compare(x.String(0), y.String(0)) })
	return out
}

func (b *Builder) registerOfFault(p faultPattern, label, kind string) int {
	o := b.faultRegister(p, label, kind)
	for _, known := range b.system.faults[p] {
		if known.Fault == o.Fault {
			return known.Index
		}
	}
	b.system.faults[p] = append(b.system.faults[p], o)
	return o.Index
}

// within returns whether an address is in a location, whose name may carry a tag.
func (b *Builder) within(addr ir.Expr, name string) (ir.Expr, bool) {
	name, tag, tagged := strings.Cut(name, ":")
	i, ok := b.locs[name]
	if !ok {
		return nil, false
	}
	want, mask := b.Program.Locs[i].Address, b.system.AddressMask
	if tagged {
		v, ok := b.system.Value(litmus.Literal{Tag: tag, Name: name}, litmus.Place{})
		if !ok {
			return nil, false
		}
		want, mask = v, ^uint64(0)
	}
	size := uint64(8)
	if n := b.arrays[name]; n > 0 {
		size = uint64(n * b.Program.Locs[i].Bits / 8)
	}
	offset := ir.Sub.Of(ir.BitAnd.Of(addr, ir.Number(mask, 64)), ir.Number(want, 64))
	return ir.Ult.Of(offset, ir.Number(max(size, 1), 64)), true
}

// faultsAt returns the observables of a pattern of faults.
func (b *Builder) faultsAt(o litmus.Place) []ir.Observable {
	t, ok := b.threads[o.Thread]
	if !ok {
		b.Failf(o.Pos, "there is no thread P%d", o.Thread)
		return nil
	}
	if o.Fault.Loc != "" {
		name, _, _ := strings.Cut(o.Fault.Loc, ":")
		if _, known := b.locs[name]; !known {
			b.Failf(o.Pos, "%s is not a location of the test", name)
			return nil
		}
	}
	if l := o.Fault.Label; l != "" && !slices.ContainsFunc(b.labels[t], func(k label) bool { return k.Text == l }) {
		b.Failf(o.Pos, "label %s is not in thread P%d", l, o.Thread)
		return nil
	}
	return b.system.faults[faultPattern{t, o.Fault}]
}

// systemValue returns the number of a literal that only tests of a system's side have.
func (b *Builder) systemValue(l litmus.Literal, to litmus.Place) (v uint64, ok bool) {
	if l.Tag == "" && l.Code == "" && l.Entry == "" && !strings.ContainsAny(l.Name, "([") {
		return 0, false
	}
	if b.system == nil && strings.Contains(l.Name, "[") {
		return 0, false
	}
	if b.system == nil {
		b.Failf(l.Pos, "%s: this value is not supported in %s tests", l, b.Test.Arch)
		return 0, true
	}
	return b.system.Value(l, to)
}

// LocationOf returns the location with a name, declared if it is new.
func (b *Builder) LocationOf(name string, pos litmus.Pos) int { return b.loc(name, pos) }

// AddLocation declares a location of a system's side: its name, its width and its address.
func (b *Builder) AddLocation(pos litmus.Pos, name string, bits int, address, init uint64) int {
	i := b.addLocation(pos, name, bits, false)
	loc := &b.Program.Locs[i]
	loc.Address, loc.Init = address, init
	b.typed[i] = true
	return i
}

// LabelsOf returns the labels of an instruction of a thread, by its number.
func (b *Builder) LabelsOf(t, at int) (names []string) {
	for _, l := range b.labels[t] {
		if l.at == at {
			names = append(names, l.Text)
		}
	}
	return names
}

// Labels returns the labels of an instruction of the current thread.
func (b *Builder) Labels(at int) []string { return b.LabelsOf(b.Thread, at) }

// Here returns the number of the current instruction in its thread.
func (b *Builder) Here() int { return b.here() }

// LengthOf returns the number of instructions of a thread.
func (b *Builder) LengthOf(t int) int { return b.lengths[t] }

// Length returns the number of instructions of the current thread.
func (b *Builder) Length() int { return b.LengthOf(b.Thread) }

// LabelAt returns the number of the instruction at a label of a thread.
func (b *Builder) LabelAt(id int, w litmus.Word) (thread, at int, ok bool) {
	t, ok := b.threads[id]
	if !ok {
		b.Failf(w.Pos, "there is no thread P%d", id)
		return 0, 0, false
	}
	at, ok = b.target(t, 0, w)
	return t, at, ok
}

// CodeAddress returns the address of an instruction of a thread. Jumps to addresses may reach it.
func (b *Builder) CodeAddress(t, at int) uint64 { return b.labelAddress(t, at) }

// JumpAmong appends a jump to one of some instructions of the thread, by their numbers, whose address is in v. Other
// addresses are an error of the execution.
func (b *Builder) JumpAmong(v ir.Expr, at []int, by litmus.Word) {
	for _, i := range at {
		b.jump(ir.Eq.Of(v, ir.Number(b.CodeAddress(b.Thread, i), v.Width())), by, i)
	}
	b.Emit(ir.Lost{To: v})
	b.End(nil)
}

// JumpToNumber appends a branch to an instruction of the thread, by its number.
func (b *Builder) JumpToNumber(cond ir.Expr, at int, by litmus.Word) {
	b.CodeAddress(b.Thread, at)
	b.jump(cond, by, at)
}

// AddThread adds a thread that the test does not have, such as what the hardware does by itself.
func (b *Builder) AddThread(name string, body func()) {
	p := b.Program
	id := 0
	for _, th := range p.Threads {
		id = max(id, th.ID+1)
	}
	pos := litmus.Pos{File: b.Test.File, Line: 1, Col: 1}
	p.Threads = append(p.Threads, ir.Thread{ID: id, Name: name, Source: []litmus.Cell{{Pos: pos, Text: name}}})
	b.regs, b.starts = append(b.regs, map[string]int{}), append(b.starts, nil)
	b.labels, b.lengths = append(b.labels, nil), append(b.lengths, 0)
	b.Thread, b.source = len(p.Threads)-1, 0
	body()
}

// PC returns the number of operations of the thread so far.
func (b *Builder) PC() int { return len(b.Program.Threads[b.Thread].Code) }

// SetTarget sets the target of the branch at an operation of the thread to another operation.
func (b *Builder) SetTarget(branch, target int) {
	step := &b.Program.Threads[b.Thread].Code[branch]
	br := step.Op.(ir.Branch)
	br.Target = target
	step.Op = br
}

// AddSource adds instructions to those that the thread shows, and returns the number of the first.
func (b *Builder) AddSource(cells []litmus.Cell) int {
	th := &b.Program.Threads[b.Thread]
	n := len(th.Source)
	for _, c := range cells {
		th.Source = append(th.Source, c.Flat())
	}
	return n
}

// isAdded reports whether a cell of a thread's source is one of AddSource, not of the thread's own code.
func (b *Builder) isAdded(t, cell int) bool {
	return b.system != nil && t < len(b.Test.Threads) && cell >= len(b.Test.Threads[t].Cells)
}

// Cell returns the cell of the thread that the current operations come from.
func (b *Builder) Cell() int { return b.source }

// Find returns a declared location by its name.
func (b *Builder) Find(name string) (loc int, ok bool) {
	loc, ok = b.locs[name]
	return loc, ok
}
