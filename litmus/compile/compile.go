// Package compile compiles C11 tests, and those of OpenCL, to tests of an architecture by a published mapping. Each
// atomic access, fence and read-modify-write becomes the instructions of the mapping's table, everything else plain
// instructions, without optimisation. Dependencies stay those of the source, and so do the places of threads. If the
// architecture's model allows an outcome that the language forbids, the mapping or a model is wrong
// (solver/mappingcheck).
//
//	made, err := compile.Compile(test, "aarch64", "llsc")
//	made.Text     // the test
//	made.Names    // 0:X2 for the source's 0:r0
//
// [Architectures] lists the mappings. [Target] gives a [Mapping] as models see it, for packages that compile whole
// programs. Local variables become registers. Numbers have up to 64 bits. The package rejects, with its place, what a
// mapping does not define, such as mutexes, and what the architecture has no instruction for.
//
// It imports litmus, litmus/ir, litmus/lower, litmus/c and litmus/dialect: no model and no solver.
package compile

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/dialect"
)

// Test is a compiled test.
type Test struct {
	Text    string `json:"text"` // the text of the test
	Arch    string `json:"arch"`
	Variant string `json:"variant,omitempty"` // as requested
	// Names maps the registers in states, such as 0:X2, to the source's locals.
	Names   map[string]Local `json:"names,omitempty"`
	Threads []Listing        `json:"threads,omitempty"`
}

// Listing is the compiled code of a thread.
type Listing struct {
	ID    int    `json:"id"`
	Lines []Line `json:"lines"`
}

// Line is an instruction or a label, with the line of the source that it comes from.
type Line struct {
	Text string `json:"text"`
	From int    `json:"from"`
	// Was is the instruction of the listing, if the line was read from one and says it in other words.
	Was string `json:"was,omitempty"`
}

// Local is a local variable of the source.
type Local struct {
	Name     string `json:"name"`               // 0:r0
	Unsigned bool   `json:"unsigned,omitempty"` // of 32 bits
}

// Value returns the local's value as states of the source print it, given the value of its register.
func (l Local) Value(printed string) string {
	if n, err := litmus.ParseNumber(printed); err == nil && l.Unsigned {
		return fmt.Sprint(uint32(n))
	}
	return printed
}

// Compile compiles a test to an architecture, with optional variants, whose names are joined by +. Errors have their
// places in the test, except those in the names.
func Compile(t *litmus.Test, arch, variant string) (made *Test, err error) {
	a, err := Find(arch)
	if err != nil {
		return nil, err
	}
	chosen, err := a.choose(variant)
	if err != nil {
		return nil, err
	}
	if err := a.accepts(t); err != nil {
		return nil, err
	}
	p, err := dialect.Lower(t)
	if err != nil {
		return nil, err
	}
	unit, err := c.Parse(t)
	if err != nil {
		return nil, err
	}
	defer func() { // functions of the package panic only with an *litmus.Error
		if r := recover(); r != nil {
			e, ok := r.(*litmus.Error)
			if !ok {
				panic(r)
			}
			made, err = nil, e
		}
	}()
	k := &compiler{
		m: a.with(chosen), arch: a.Arch, source: t, objects: map[string]*object{}, inLocal: unit.Local, mixed: p.Split,
	}
	k.declare(unit)
	for i := range unit.Threads {
		k.thread(&unit.Threads[i])
	}
	made = &Test{Arch: a.Arch, Variant: variant, Names: map[string]Local{}}
	out := k.test(a, variant, made.Names)
	made.Text = litmus.Print(out)
	for _, th := range k.threads {
		made.Threads = append(made.Threads, th.made)
	}
	if err := check(made.Text); err != nil {
		return nil, fmt.Errorf("BUG: cannot parse the compiled form of %s: %w", t.Name, err)
	}
	return made, nil
}

// accepts returns an error if tests of a language are not compiled to the architecture.
func (a Architecture) accepts(t *litmus.Test) error {
	at := litmus.Pos{File: t.File, Line: 1, Col: 1}
	switch {
	case t.Arch != "C" && t.Arch != "OPENCL":
		return litmus.Errorf(at, "got a header of %s, want a test in C or OPENCL", t.Arch)
	case t.Arch == "OPENCL" && !a.Scoped:
		return litmus.Errorf(at, "cannot compile OpenCL to %s, whose threads are in no scopes: want ptx or vulkan",
			a.Arch)
	}
	return nil
}

// check parses the compiled test as its readers will.
func check(text string) error {
	t, err := litmus.Parse("", text)
	if err != nil {
		return err
	}
	_, err = dialect.Lower(t)
	return err
}

// compiler compiles one test.
type compiler struct {
	m       *mapping
	arch    string
	source  *litmus.Test
	objects map[string]*object // the locations, by name
	names   []string           // their names, in order
	inLocal map[string]bool    // those in OpenCL's local memory
	mixed   bool               // some object is accessed with several widths
	threads []*thread
	labels  int
	calls   map[string]int // of control barriers: their instances, by label
}

// object is a location, or an array of them.
type object struct {
	typ  ctype // of an element
	pos  litmus.Pos
	init *litmus.Init // nil if the init block does not mention it
	// typed: some declaration gives the type; settled: the init block does.
	typed, fromInit bool
}

// declare finds the types of locations: those in the init block, or else those of the threads' parameters.
func (k *compiler) declare(unit *c.Unit) {
	for i := range k.source.Init {
		item := &k.source.Init[i]
		if item.Target.IsRegister() || item.Target.Index >= 0 {
			continue
		}
		o := k.object(item.Target.Name, item.Pos)
		if o.init == nil || len(item.Values) > 0 {
			o.init = item
		}
		if item.Type != "" {
			o.typ, o.typed, o.fromInit = k.typed(item.Pos, item.Type), true, true
		}
	}
	for i := range unit.Threads {
		for _, p := range unit.Threads[i].Params {
			typ, _ := c.TypeOf(p.Type)
			if strings.HasPrefix(typ.String(), "struct ") || strings.HasPrefix(typ.String(), "union ") {
				panic(litmus.Errorf(p.Pos, "%s: cannot compile structures", p.Name))
			}
			o, to := k.object(p.Name, p.Pos), k.plain(p.Pos, p.Type).pointee()
			numbers := o.typed && o.typ.stars == 0 && to.stars == 0
			k.mixed = k.mixed || numbers && o.typ.width != to.width
			if !o.typed || o.typ.stars < to.stars || numbers && !o.fromInit && o.typ.width < to.width {
				o.typ, o.typed = to, true
			}
		}
	}
	if k.mixed && k.m.to.bigEndian() {
		at := litmus.Pos{File: k.source.File, Line: 1, Col: 1}
		panic(litmus.Errorf(at, "cannot compile accesses of mixed size to %s: it stores the highest byte of an "+
			"object first, and C tests the lowest", k.arch))
	}
	for _, name := range k.names {
		o := k.objects[name]
		if o.init == nil {
			continue
		}
		for _, v := range o.init.Values {
			if v.Name != "" {
				o.typ.stars = max(o.typ.stars, 1)
				if k.objects[baseName(v.Name)] == nil {
					k.object(baseName(v.Name), v.Pos)
				}
			}
		}
	}
}

func baseName(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

func (k *compiler) object(name string, pos litmus.Pos) *object {
	o, ok := k.objects[name]
	if !ok {
		o = &object{typ: intType, pos: pos}
		k.objects[name], k.names = o, append(k.names, name)
	}
	return o
}

// test assembles the threads, and makes the condition ask about registers instead of locals.
func (k *compiler) test(a Architecture, variant string, names map[string]Local) *litmus.Test {
	t := k.source
	out := &litmus.Test{Arch: a.Arch, Name: t.Name, Doc: t.Doc, Info: t.Info, Condition: t.Condition}
	from := strings.TrimSpace("from " + t.Arch + " " + strings.ReplaceAll(variant, "+", " "))
	out.Info = append(out.Info[:len(out.Info):len(out.Info)], litmus.Info{Key: "Compiled", Value: from})
	for _, name := range k.names {
		if item, ok := k.objects[name].item(name, k.m, k.mixed); ok {
			out.Init = append(out.Init, item)
		}
	}
	for _, item := range t.Init {
		if !item.Target.IsRegister() && item.Target.Index >= 0 { // an element of an array
			item.Type = ""
			out.Init = append(out.Init, item)
		}
	}
	place := func(p litmus.Place) litmus.Place {
		if p.IsRegister() {
			p.Name = k.shown(p, names)
		}
		return p
	}
	atom := func(a litmus.Atom) litmus.Prop {
		if a.Left.IsRegister() && a.Literal.Name == "" {
			a.Literal.Bits = k.variable(a.Left).constant(a.Literal.Bits, k.m)
		}
		a.Left = place(a.Left)
		if a.Other != nil {
			other := place(*a.Other)
			a.Other = &other
		}
		return a
	}
	out.Condition.Prop = litmus.MapAtoms(t.Condition.Prop, atom)
	if t.Filter != nil {
		out.Filter = litmus.MapAtoms(t.Filter, atom)
	}
	for _, p := range t.Locations {
		out.Locations = append(out.Locations, place(p))
	}
	var locals []string
	for _, th := range k.threads {
		th.finish(out)
		for _, name := range th.order {
			locals = append(locals,
				fmt.Sprintf("%d:%s is %d:%s", th.id, name, th.id,
					th.to.shown(th.locals[name].r, th.locals[name].typ.bits(k.m))))
		}
	}
	if len(locals) > 0 {
		out.Info = append(out.Info, litmus.Info{Key: "Locals", Value: strings.Join(locals, ", ")})
	}
	return out
}

// variable returns the local that a condition names. A local that its thread does not have is 0.
func (k *compiler) variable(p litmus.Place) *local {
	for _, th := range k.threads {
		if th.id == p.Thread {
			return th.local(p.Name)
		}
	}
	panic(litmus.Errorf(p.Pos, "there is no thread P%d", p.Thread))
}

// shown returns the register of a local that the condition names.
func (k *compiler) shown(p litmus.Place, names map[string]Local) string {
	l := k.variable(p)
	register := k.m.to.shown(l.r, l.typ.bits(k.m))
	names[fmt.Sprintf("%d:%s", p.Thread, register)] = Local{p.String(), !l.typ.signed && l.typ.stars == 0 &&
		l.typ.width == 32}
	return register
}

// item returns the location's item in the init block. ok is false if neither the location nor its type needs to be
// there.
func (o *object) item(name string, m *mapping, mixed bool) (item litmus.Init, ok bool) {
	item = litmus.Init{Pos: o.pos, Target: litmus.Place{Thread: -1, Name: name, Index: -1}}
	if o.init != nil {
		item = *o.init
	}
	item.Type = o.typ.declared(m)
	switch plain := item.Type == "int" && item.Count == 0 && !mixed; {
	case plain && o.init == nil:
		return item, false
	case plain && len(item.Values) > 0:
		item.Type = ""
	}
	return item, true
}
