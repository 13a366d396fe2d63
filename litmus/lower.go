package litmus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Dialect lowers the tests of one assembly language.
type Dialect interface {
	// Archs are the header words it answers to, such as X86.
	Archs() []string
	// Lower reads the instructions of a test. Errors are an ErrorList.
	Lower(t *Test) (*Program, error)
}

// RegisterView is a register as a test names it: the low Bits bits from bit Lo up
// of the register Whole. Print is the name in final states.
type RegisterView struct {
	Whole string
	Print string
	Lo    int
	Bits  int
}

// Builder is the part of lowering that all dialects share: locations and their
// addresses, registers and their initial values, labels, and the condition.
type Builder struct {
	Program *Program
	Errors  ErrorList

	// PointerBits is the width of an address, WordBits of a location that neither
	// a type nor an access gives another.
	PointerBits, WordBits int
	// Register reads a register's name; ok is false for what is none.
	Register func(name string) (v RegisterView, ok bool)
	// RegisterBits is the width of a whole register.
	RegisterBits func(whole string) int

	locs    map[string]int // by name; an array's by its own name too
	arrays  map[string]int // element counts
	typed   map[int]bool   // locations whose width is settled
	regs    []map[string]int
	signs   map[[2]int]bool // declared signedness of registers: thread, register
	names   []map[string]label
	jumps   []jump
	threads map[int]int // thread number → index
}

type label struct {
	pc  int
	pos Pos
}

type jump struct {
	thread, pc int
	label      string
	pos        Pos
}

// NewBuilder starts lowering t. The caller sets the fields that describe the
// dialect before anything else.
func NewBuilder(t *Test) *Builder {
	b := &Builder{
		Program: &Program{Test: t}, locs: map[string]int{}, arrays: map[string]int{}, typed: map[int]bool{},
		signs: map[[2]int]bool{}, threads: map[int]int{},
	}
	for i, c := range t.Threads {
		b.Program.Threads = append(b.Program.Threads, Thread{ID: c.ID, Source: c.Cells})
		b.regs = append(b.regs, map[string]int{})
		b.names = append(b.names, map[string]label{})
		b.threads[c.ID] = i
	}
	return b
}

// Failf records an error.
func (b *Builder) Failf(pos Pos, format string, args ...any) {
	b.Errors = append(b.Errors, Errorf(pos, format, args...))
}

// Declare reads the init block: call it before lowering instructions.
func (b *Builder) Declare() {
	for _, item := range b.Program.Test.Init {
		if !item.Target.IsRegister() && !strings.HasPrefix(item.Target.Name, "%") {
			b.declareLocation(item)
		}
	}
	for _, item := range b.Program.Test.Init {
		if item.Target.IsRegister() {
			b.declareRegister(item)
		} else if strings.HasPrefix(item.Target.Name, "%") {
			b.Failf(item.Pos, "%s: symbolic registers are not supported in %s tests", item.Target.Name, b.Program.Test.Arch)
		}
	}
	for _, item := range b.Program.Test.Init {
		if !item.Target.IsRegister() {
			b.initLocation(item)
		}
	}
}

func (b *Builder) declareLocation(item Init) {
	name := item.Target.Name
	if _, again := b.locs[name]; again && item.Target.Index < 0 {
		return // a second item for the same location gives it a value or a type
	}
	bits, signed, ok := b.typeBits(item.Type)
	if !ok {
		b.Failf(item.Pos, "type %q is not known: want int, intN_t, uintN_t, char, short, long or a pointer", item.Type)
		return
	}
	first := b.addLocation(name, bits, signed)
	b.typed[first] = item.Type != ""
	if item.Count == 0 {
		return
	}
	// The elements of an array lie next to one another, and have its width.
	b.arrays[name] = item.Count
	b.locs[name+"[0]"] = first
	b.Program.Locs[first].Name = name + "[0]"
	for i := range item.Count {
		if i > 0 {
			b.addLocation(fmt.Sprintf("%s[%d]", name, i), bits, signed)
		}
		b.typed[first+i] = true
		b.Program.Locs[first+i].Address = b.Program.Locs[first].Address + uint64(i*bits/8)
	}
}

// addLocation adds a location at an address of its own: high enough not to be met
// by chance, aligned, with room for an array behind it.
func (b *Builder) addLocation(name string, bits int, signed bool) int {
	i := len(b.Program.Locs)
	address := 0x5d00_0000 + uint64(i)*0x1_0000
	if b.PointerBits == 64 {
		address = 0x5d7a_0000_0000 + uint64(i)*0x40_0000
	}
	b.Program.Locs = append(b.Program.Locs, Location{Name: name, Bits: bits, Signed: signed, Address: address})
	b.locs[name] = i
	return i
}

// typeBits is the width and signedness of a C type; "" is the default word.
func (b *Builder) typeBits(name string) (bits int, signed, ok bool) {
	if strings.HasSuffix(name, "*") {
		return b.PointerBits, false, true
	}
	signed = !strings.HasPrefix(name, "u") || name == ""
	switch strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "volatile "), "unsigned "), "signed ") {
	case "":
		return b.WordBits, true, true
	case "int", "int32_t", "uint32_t", "unsigned":
		return 32, signed, true
	case "int64_t", "uint64_t", "long", "long long", "intptr_t", "uintptr_t":
		return 64, signed, true
	case "int16_t", "uint16_t", "short":
		return 16, signed, true
	case "int8_t", "uint8_t", "char":
		return 8, signed, true
	}
	return 0, false, false
}

func (b *Builder) declareRegister(item Init) {
	t, v, ok := b.observedRegister(item.Target)
	if !ok {
		return
	}
	reg := b.Reg(t, v.Whole)
	if item.Type != "" {
		_, signed, known := b.typeBits(item.Type)
		if !known {
			b.Failf(item.Pos, "type %q is not known", item.Type)
		}
		b.signs[[2]int{t, reg}] = signed
	}
	if item.Count > 0 {
		b.Failf(item.Pos, "a register cannot hold an array")
		return
	}
	if len(item.Values) == 1 {
		r := &b.Program.Threads[t].Regs[reg]
		mask := Mask(v.Bits) << v.Lo
		r.Init = r.Init&^mask | b.value(item.Values[0])<<v.Lo&mask
	}
}

func (b *Builder) initLocation(item Init) {
	i, ok := b.element(item.Target)
	if !ok {
		return
	}
	for k, v := range item.Values {
		if v.Name != "" && !b.typed[i+k] {
			b.Program.Locs[i+k].Bits = b.PointerBits
		}
		b.Program.Locs[i+k].Init = b.value(v)
	}
}

// element finds the location that o names, declaring it when it is new.
func (b *Builder) element(o Observed) (int, bool) {
	if o.Index < 0 {
		return b.Loc(o.Name), true
	}
	i, ok := b.locs[fmt.Sprintf("%s[%d]", o.Name, o.Index)]
	if !ok {
		b.Failf(o.Pos, "%s has no element %d: declare it in the init block as \"int %s[%d]\"", o.Name, o.Index, o.Name, o.Index+1)
	}
	return i, ok
}

// value is a literal's number; a location's name stands for its address.
func (b *Builder) value(l Literal) uint64 {
	if l.Name == "" {
		return l.Bits
	}
	return b.Program.Locs[b.Loc(l.Name)].Address
}

// Loc finds a location by name, declaring it when it is new.
func (b *Builder) Loc(name string) int {
	if i, ok := b.locs[name]; ok {
		return i
	}
	return b.addLocation(name, b.WordBits, true)
}

// Accessed notes that an instruction accesses bits bits of location i by name,
// which settles the width of a location without a type.
func (b *Builder) Accessed(i, bits int, pos Pos) {
	loc := &b.Program.Locs[i]
	if !b.typed[i] {
		loc.Bits, b.typed[i] = bits, true
	}
	if loc.Bits != bits {
		b.Failf(pos, "access of %d bits to %s, which has %d: accesses of mixed size are not supported", bits, loc.Name, loc.Bits)
	}
}

// Reg is the index of a register of thread t, by the name of the whole register.
func (b *Builder) Reg(t int, whole string) int {
	if i, ok := b.regs[t][whole]; ok {
		return i
	}
	i := b.Temp(t, b.RegisterBits(whole))
	b.Program.Threads[t].Regs[i].Name = whole
	b.regs[t][whole] = i
	return i
}

// Temp is a new register of thread t that no test can name.
func (b *Builder) Temp(t, bits int) int {
	th := &b.Program.Threads[t]
	th.Regs = append(th.Regs, Register{Bits: bits})
	return len(th.Regs) - 1
}

// Emit appends an operation of the instruction number source to thread t.
func (b *Builder) Emit(t, source int, op Op) {
	th := &b.Program.Threads[t]
	th.Code = append(th.Code, Step{Op: op, Source: source})
}

// Jump appends a branch to a label, which may come later; the empty label is the
// end of the thread.
func (b *Builder) Jump(t, source int, cond Expr, name string, pos Pos) {
	b.jumps = append(b.jumps, jump{t, len(b.Program.Threads[t].Code), name, pos})
	b.Emit(t, source, Branch{Cond: cond})
}

// Label puts a label here in thread t.
func (b *Builder) Label(t int, name string, pos Pos) {
	if old, again := b.names[t][name]; again {
		b.Failf(pos, "label %s is already on line %d", name, old.pos.Line)
		return
	}
	b.names[t][name] = label{len(b.Program.Threads[t].Code), pos}
}

// Finish resolves labels and the condition and returns the program, or all errors.
func (b *Builder) Finish() (*Program, error) {
	for _, j := range b.jumps {
		l, ok := b.names[j.thread][j.label]
		if j.label == "" {
			l, ok = label{pc: len(b.Program.Threads[j.thread].Code)}, true
		}
		if !ok {
			b.Failf(j.pos, "label %s is not in thread P%d", j.label, b.Program.Threads[j.thread].ID)
			continue
		}
		step := &b.Program.Threads[j.thread].Code[j.pc]
		br := step.Op.(Branch)
		br.Target = l.pc
		step.Op = br
	}
	b.observe()
	for i := range b.Program.Locs {
		b.Program.Locs[i].Init &= Mask(b.Program.Locs[i].Bits)
	}
	if err := b.Errors.Err(); err != nil {
		slices.SortStableFunc(b.Errors, func(x, y *Error) int {
			return cmp.Or(cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Col, y.Pos.Col))
		})
		return nil, b.Errors
	}
	return b.Program, nil
}

// observe resolves the condition, the filter and the locations block.
func (b *Builder) observe() {
	t := b.Program.Test
	seen := map[Observable]bool{}
	note := func(o Observed) {
		if v, ok := b.observable(o); ok && !seen[v] {
			seen[v] = true
			b.Program.Observed = append(b.Program.Observed, v)
		}
	}
	atoms := func(a Atom) Prop {
		note(a.Left)
		if a.Other != nil {
			note(*a.Other)
		}
		return a
	}
	MapAtoms(t.Condition.Prop, atoms)
	for _, o := range t.Locations {
		note(o)
	}
	b.Program.Shown = len(b.Program.Observed)
	slices.SortFunc(b.Program.Observed, compareObservables)
	MapAtoms(t.Filter, atoms)
	resolve := func(a Atom) Prop { return b.compare(a) }
	b.Program.Condition = t.Condition
	b.Program.Condition.Prop = MapAtoms(t.Condition.Prop, resolve)
	b.Program.Filter = MapAtoms(t.Filter, resolve)
}

// compareObservables puts registers first, by thread and name, then locations.
func compareObservables(x, y Observable) int {
	rank := func(o Observable) int {
		if o.Thread < 0 {
			return 1 << 30
		}
		return o.Thread
	}
	return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x.Name, y.Name))
}

func (b *Builder) observable(o Observed) (Observable, bool) {
	if o.IsRegister() {
		t, v, ok := b.observedRegister(o)
		if !ok {
			return Observable{}, false
		}
		reg := b.Reg(t, v.Whole)
		signed, declared := b.signs[[2]int{t, reg}]
		return Observable{
			Name: fmt.Sprintf("%d:%s", b.Program.Threads[t].ID, v.Print), Thread: t, Index: reg,
			Bits: v.Bits, Signed: signed || !declared,
		}, true
	}
	if n := b.arrays[o.Name]; n > 0 && o.Index < 0 {
		b.Failf(o.Pos, "%s is an array: name its elements, %s[0] to %s[%d]", o.Name, o.Name, o.Name, n-1)
		return Observable{}, false
	}
	i, ok := b.element(o)
	if !ok {
		return Observable{}, false
	}
	loc := b.Program.Locs[i]
	return Observable{Name: loc.Name, Thread: -1, Index: i, Bits: loc.Bits, Signed: loc.Signed}, true
}

func (b *Builder) observedRegister(o Observed) (thread int, v RegisterView, ok bool) {
	t, ok := b.threads[o.Thread]
	if !ok {
		b.Failf(o.Pos, "there is no thread P%d", o.Thread)
		return 0, v, false
	}
	v, ok = b.Register(o.Name)
	if !ok {
		b.Failf(o.Pos, "%s: unknown register %s", b.Program.Test.Arch, o.Name)
	}
	if ok && v.Lo != 0 {
		b.Failf(o.Pos, "%s: %s is not the low part of its register, and cannot be observed", b.Program.Test.Arch, o.Name)
		ok = false
	}
	return t, v, ok
}

// compare resolves an atom over Observed.
func (b *Builder) compare(a Atom) Prop {
	find := func(o Observed) int {
		v, ok := b.observable(o)
		if !ok {
			return -1
		}
		return slices.Index(b.Program.Observed, v)
	}
	c := Compare{Obs: find(a.Left), NotEqual: a.NotEqual, Other: -1}
	if c.Obs < 0 {
		return Bool(false) // reported already
	}
	if a.Other != nil {
		c.Other = find(*a.Other)
		return c
	}
	v := a.Literal
	if v.Name != "" {
		if _, known := b.locs[v.Name]; !known {
			b.Failf(v.Pos, "%s is no location of the test", v.Name)
			return Bool(false)
		}
	}
	c.Value = b.value(v) & Mask(b.Program.Observed[c.Obs].Bits)
	return c
}
