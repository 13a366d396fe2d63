package litmus

import (
	"cmp"
	"slices"
	"strconv"
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
	// Hint, unless nil, says more of a name that Register does not know, or "".
	Hint func(name string) string

	locs    map[string]int // by name; an array's by its own name too
	arrays  map[string]int // element counts
	typed   map[int]bool   // locations whose width is settled
	regs    []map[string]int
	signs   map[[2]int]bool // declared signedness of registers: thread, register
	names   []map[string]label
	jumps   []jump
	threads map[int]int // thread number → index
	inits   map[int]Pos // locations that have got a value
	full    bool        // more locations than a test may have
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
		signs: map[[2]int]bool{}, threads: map[int]int{}, inits: map[int]Pos{},
	}
	for i, c := range t.Threads {
		b.Program.Threads = append(b.Program.Threads, Thread{ID: c.ID, Source: c.Cells})
		b.regs = append(b.regs, map[string]int{})
		b.names = append(b.names, map[string]label{})
		b.threads[c.ID] = i
	}
	return b
}

// Failf records an error. What it quotes is kept short.
func (b *Builder) Failf(pos Pos, format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = shorten(text)
		}
	}
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
	if item.Target.Index >= 0 {
		return // an element, of an array that another item declares
	}
	name := item.Target.Name
	bits, signed, ok := b.typeBits(item.Type)
	if !ok {
		b.failType(item)
		return
	}
	if first, again := b.locs[name]; again {
		b.declareAgain(item, first, bits, signed)
		return
	}
	first := b.addLocation(item.Pos, name, bits, signed)
	b.typed[first] = item.Type != ""
	if item.Count == 0 {
		return
	}
	// The elements of an array lie next to one another, and have its width.
	b.arrays[name] = item.Count
	b.locs[name+"[0]"] = first
	b.Program.Locs[first].Name = name + "[0]"
	for i := range item.Count {
		at := first
		if i > 0 {
			at = b.addLocation(item.Pos, name+"["+strconv.Itoa(i)+"]", bits, signed)
			b.Program.Locs[at].Address = b.Program.Locs[first].Address + uint64(i*bits/8)
		}
		b.typed[at] = true
	}
}

// declareAgain takes a further item for a location, which may add a type or a
// value that it lacks.
func (b *Builder) declareAgain(item Init, i, bits int, signed bool) {
	loc := &b.Program.Locs[i]
	switch {
	case item.Count != b.arrays[item.Target.Name]:
		b.Failf(item.Pos, "%s is already declared with another number of elements", item.Target.Name)
	case item.Type == "":
	case item.Count == 0 && !b.typed[i]:
		loc.Bits, loc.Signed, b.typed[i] = bits, signed, true
	case loc.Bits != bits || loc.Signed != signed:
		b.Failf(item.Pos, "%s is already declared with another type", item.Target.Name)
	}
}

func (b *Builder) failType(item Init) {
	b.Failf(item.Pos, "type %q is not known: want int, intN_t, uintN_t, char, short, long or a pointer", item.Type)
}

// maxLocations bounds the memory of a test, so that addresses stay in 32 bits.
const maxLocations = 4096

// addLocation adds a location at an address of its own: high enough not to be met
// by chance, aligned, with room for an array behind it.
func (b *Builder) addLocation(pos Pos, name string, bits int, signed bool) int {
	i := len(b.Program.Locs)
	if i == maxLocations {
		if !b.full {
			b.Failf(pos, "the test has more than %d memory locations", maxLocations)
		}
		b.full = true
		return i - 1
	}
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
	if name == "" {
		return b.WordBits, true, true
	}
	signed = true
	var words []string
	for _, w := range strings.Split(name, " ") {
		switch w {
		case "volatile", "const", "signed":
		case "unsigned":
			signed = false
		default:
			words = append(words, w)
		}
	}
	base := strings.Join(words, " ")
	if strings.HasPrefix(base, "uint") {
		signed, base = false, base[1:]
	}
	switch base {
	case "", "int", "int32_t": // "unsigned" alone is an int too
		return 32, signed, true
	case "int64_t", "long long", "long long int":
		return 64, signed, true
	case "long", "long int", "intptr_t":
		return b.PointerBits, signed, true
	case "int16_t", "short", "short int":
		return 16, signed, true
	case "int8_t", "char":
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
			b.failType(item)
		}
		b.signs[[2]int{t, reg}] = signed
	}
	if item.Count > 0 {
		b.Failf(item.Pos, "%s: a register cannot hold an array", item.Target)
		return
	}
	if len(item.Values) == 1 {
		r := &b.Program.Threads[t].Regs[reg]
		mask := Mask(v.Bits) << v.Lo
		r.Init = r.Init&^mask | b.value(item.Values[0], item.Target, v.Bits)<<v.Lo&mask
	}
}

func (b *Builder) initLocation(item Init) {
	i, ok := b.element(item.Target)
	if !ok {
		return
	}
	for k, v := range item.Values {
		if i+k >= len(b.Program.Locs) {
			return // too many: reported
		}
		if v.Name != "" && !b.typed[i+k] { // an address makes it a pointer
			b.Program.Locs[i+k].Bits, b.typed[i+k] = b.PointerBits, true
		}
		loc := &b.Program.Locs[i+k]
		value := b.value(v, item.Target, loc.Bits) // Finish cuts it to the final width
		loc = &b.Program.Locs[i+k]                 // the value may have added a location
		if first, again := b.inits[i+k]; again && (loc.Init^value)&Mask(loc.Bits) != 0 && !b.full {
			b.Failf(v.Pos, "%s has got another initial value on line %d", loc.Name, first.Line)
		}
		loc.Init, b.inits[i+k] = value, v.Pos
	}
}

// element finds the location that o names, declaring it when it is new.
func (b *Builder) element(o Observed) (int, bool) {
	if o.Index < 0 {
		return b.loc(o.Name, o.Pos), true
	}
	i, ok := b.locs[o.String()]
	if !ok {
		b.failElement(o.Pos, o.Name, o.Index)
	}
	return i, ok
}

func (b *Builder) failElement(pos Pos, array string, index int) {
	if b.full {
		return // the array may be what did not fit
	}
	if n := b.arrays[array]; n > 0 {
		b.Failf(pos, "%s has no element %d: its last is %s[%d]", array, index, array, n-1)
		return
	}
	b.Failf(pos, "%s is not declared as an array: write \"int %s[%d]\" in the init block", array, array, index+1)
}

// value is a literal's number; a location's name stands for its address. It goes
// into bits bits of to.
func (b *Builder) value(l Literal, to Observed, bits int) uint64 {
	if l.Name == "" {
		return l.Bits
	}
	i, ok := b.locs[l.Name]
	if !ok {
		if array, rest, isElement := strings.Cut(l.Name, "["); isElement {
			index, _ := strconv.Atoi(strings.TrimSuffix(rest, "]"))
			b.failElement(l.Pos, array, index)
			return 0
		}
		i = b.loc(l.Name, l.Pos)
	}
	if bits < b.PointerBits {
		b.Failf(l.Pos, "%s has %d bits, too few for the address of %s, which takes %d", to, bits, l.Name, b.PointerBits)
	}
	return b.Program.Locs[i].Address
}

// Loc finds a location by name, declaring it when it is new.
func (b *Builder) Loc(name string) int { return b.loc(name, Pos{File: b.Program.Test.File}) }

func (b *Builder) loc(name string, pos Pos) int {
	if i, ok := b.locs[name]; ok {
		return i
	}
	return b.addLocation(pos, name, b.WordBits, true)
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

// maxErrors bounds how many errors of one test are told.
const maxErrors = 20

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
	b.settleWidths()
	b.observe()
	for i := range b.Program.Locs {
		b.Program.Locs[i].Init &= Mask(b.Program.Locs[i].Bits)
	}
	if err := b.Errors.Err(); err != nil {
		slices.SortStableFunc(b.Errors, func(x, y *Error) int {
			return cmp.Or(cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Col, y.Pos.Col))
		})
		// A condition's names are looked up more than once.
		b.Errors = slices.CompactFunc(b.Errors, func(x, y *Error) bool { return *x == *y })
		if n := len(b.Errors) - maxErrors; n > 0 {
			b.Errors = append(b.Errors[:maxErrors], Errorf(b.Errors[maxErrors].Pos, "and %d more errors from here on", n))
		}
		return nil, b.Errors
	}
	for i := range b.Program.Threads {
		b.Program.prune(i)
	}
	return b.Program, nil
}

// settleWidths gives locations that are only reached through registers, and have
// no type, the width of the program's accesses if they all have the same.
func (b *Builder) settleWidths() {
	width := 0
	for _, t := range b.Program.Threads {
		for _, s := range t.Code {
			var bits int
			switch op := s.Op.(type) {
			case Load:
				bits = op.Bits
			case Store:
				bits = op.Value.Width()
			case RMW:
				bits = op.Bits
			default:
				continue
			}
			if width != 0 && width != bits {
				return
			}
			width = bits
		}
	}
	for i := range b.Program.Locs {
		if width != 0 && !b.typed[i] {
			b.Program.Locs[i].Bits = width
		}
	}
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
	slices.SortFunc(b.Program.Observed, b.compareObservables)
	MapAtoms(t.Filter, atoms)
	resolve := func(a Atom) Prop { return b.compare(a) }
	b.Program.Condition = t.Condition
	b.Program.Condition.Prop = MapAtoms(t.Condition.Prop, resolve)
	b.Program.Filter = MapAtoms(t.Filter, resolve)
}

// compareObservables puts registers first, by the thread's number and name, then
// locations.
func (b *Builder) compareObservables(x, y Observable) int {
	rank := func(o Observable) int {
		if o.Thread < 0 {
			return maxThreads
		}
		return b.Program.Threads[o.Thread].ID
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
			Name: strconv.Itoa(b.Program.Threads[t].ID) + ":" + v.Print, Thread: t, Index: reg,
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
		b.FailRegister(o.Pos, o.Name)
	}
	if ok && v.Lo != 0 {
		b.Failf(o.Pos, "%s: %s is not the low part of its register, and cannot be observed", b.Program.Test.Arch, o.Name)
		ok = false
	}
	return t, v, ok
}

// FailRegister reports a name that is no register.
func (b *Builder) FailRegister(pos Pos, name string) {
	hint := ""
	if b.Hint != nil {
		hint = b.Hint(name)
	}
	if hint != "" {
		hint = ": " + hint
	}
	b.Failf(pos, "%s: unknown register %s%s", b.Program.Test.Arch, name, hint)
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
	v, bits := a.Literal, b.Program.Observed[c.Obs].Bits
	if v.Name != "" {
		i, known := b.locs[v.Name]
		if !known {
			b.Failf(v.Pos, "%s is no location of the test", v.Name)
			return Bool(false)
		}
		v.Bits = b.Program.Locs[i].Address
	}
	c.Value = v.Bits & Mask(bits)
	if c.Value != v.Bits && SignExtend(c.Value, bits) != v.Bits {
		return Bool(a.NotEqual) // more than the register or location can hold
	}
	return c
}
