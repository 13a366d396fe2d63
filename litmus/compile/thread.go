package compile

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
)

// thread is a thread being compiled. Its registers are allocated in order: for addresses of locations, for locals, and
// for temporary values of a statement.
type thread struct {
	*compiler
	to        target
	id        int
	at        litmus.Pos // of the current expression or statement
	lines     []string
	from      []int // by instruction: the line of the source
	addresses map[string]register
	reached   []string // the locations of addresses, in order
	params    map[string]ctype
	moved     map[string]bool // parameters that the thread assigns to
	locals    map[string]*local
	order     []string // the locals' names
	next      register // the first free one
	most      register
	loops     []loop
	end       string     // the label at the end of the thread
	scope     string     // of the current operation, in the architecture's word
	operation litmus.Pos // of the current call; the zero position outside of one
	// released are the locations on which the thread has an operation that releases; "" is an unknown location.
	released map[string]bool
	made     Listing
}

// local is a variable of a thread. It has its own register.
type local struct {
	r   register
	typ ctype
	cut bool // it was set to a value of another width
}

// loop has the targets of break and continue.
type loop struct{ breaks, continues string }

// thread compiles a thread: it first allocates registers, then loads the addresses of parameters that the thread
// assigns to, then compiles the body. At the end, locals whose register states would show with the wrong width are
// extended.
func (k *compiler) thread(th *c.Thread) {
	t := &thread{
		compiler: k, to: k.m.to, id: th.ID, addresses: map[string]register{},
		params: map[string]ctype{}, moved: map[string]bool{}, locals: map[string]*local{}, scope: k.m.scopes[""],
		released: releases(th.Body),
	}
	k.threads = append(k.threads, t)
	for _, p := range th.Params {
		t.params[p.Name] = k.plain(p.Pos, p.Type)
		if o := k.objects[p.Name]; o.typ.stars+1 > t.params[p.Name].stars {
			t.params[p.Name] = o.typ.pointer()
		}
	}
	t.allocate(th)
	for _, p := range th.Params {
		if t.moved[p.Name] {
			t.point(t.locals[p.Name].r, p.Name)
		}
	}
	t.end = t.label()
	t.block(th.Body)
	t.mark(t.end)
	for _, name := range t.order {
		if l := t.locals[name]; l.cut && l.typ.bits(t.m) == 32 {
			t.to.show(t, l.r)
		}
	}
}

// allocate allocates the registers of locals and addresses, in the order of the text.
func (t *thread) allocate(th *c.Thread) {
	var locals []string
	c.Walk(th.Body, func(x c.Expr) {
		var to c.Expr
		switch x := x.(type) {
		case *c.Assign:
			to = x.To
		case *c.Postfix:
			to = x.X
		case *c.Unary:
			if x.Op != "++" && x.Op != "--" {
				return
			}
			to = x.X
		default:
			return
		}
		if name, ok := to.(*c.Name); ok {
			t.moved[name.Text] = true
		}
	})
	c.Walk(th.Body, func(x c.Expr) {
		name, ok := x.(*c.Name)
		if !ok {
			return
		}
		if _, param := t.params[name.Text]; !param {
			return
		}
		if _, again := t.addresses[name.Text]; !again && !t.to.absolute() {
			t.addresses[name.Text] = t.temp()
			t.reached = append(t.reached, name.Text)
		}
		if t.moved[name.Text] {
			locals = append(locals, name.Text)
		}
	})
	for _, name := range locals {
		t.local(name).typ = t.params[name]
	}
	t.declare(th.Body)
	c.Walk(th.Body, func(x c.Expr) {
		if name, ok := x.(*c.Name); ok && t.isLocal(name) && !constant(name.Text) {
			t.local(name.Text)
		}
	})
	for _, o := range observed(t.source) { // including locals that the thread does not have
		if o.Thread != t.id {
			continue
		}
		if _, param := t.params[o.Name]; param && t.source.Arch == "OPENCL" {
			t.failf(o.Pos, "cannot compile a condition about the address %s", o)
		}
		t.local(o.Name)
	}
}

// observed lists the registers that a test's condition and locations name.
func observed(t *litmus.Test) (out []litmus.Place) {
	note := func(p litmus.Place) {
		if p.IsRegister() {
			out = append(out, p)
		}
	}
	atom := func(a litmus.Atom) litmus.Prop {
		note(a.Left)
		if a.Other != nil {
			note(*a.Other)
		}
		return a
	}
	litmus.MapAtoms(t.Condition.Prop, atom)
	litmus.MapAtoms(t.Filter, atom)
	for _, p := range t.Locations {
		note(p)
	}
	return out
}

// declare finds the declarations among some statements.
func (t *thread) declare(body []c.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *c.Declare:
			typ := typeOf(s.Type)
			if typ.width > t.to.pointerBits() {
				t.check(s.Pos, s.Type.String(), typ)
			}
			t.local(s.Name).typ = typ
		case *c.If:
			t.declare(s.Then)
			t.declare(s.Else)
		case *c.While:
			t.declare(s.Body)
		case *c.For:
			t.declare(s.Init)
			t.declare(s.Body)
		case *c.Block:
			t.declare(s.Body)
		}
	}
}

// constant reports whether a name is a constant.
func constant(name string) bool {
	_, order := c.Orders[name]
	return order || name == "true" || name == "false" || name == "NULL" || c.IsOpenCLConstant(name)
}

// isLocal reports whether a name is that of a variable, and not of a location.
func (t *thread) isLocal(name *c.Name) bool {
	_, param := t.params[name.Text]
	return !param || t.moved[name.Text]
}

// local returns the local with a name, and creates it if necessary.
func (t *thread) local(name string) *local {
	l, ok := t.locals[name]
	if !ok {
		l = &local{r: t.temp(), typ: intType}
		t.locals[name], t.order = l, append(t.order, name)
	}
	return l
}

// temp allocates the next register.
func (t *thread) temp() register {
	t.next++
	t.most = max(t.most, t.next)
	return t.next - 1
}

// label returns a label that is new in the test.
func (t *thread) label() string {
	t.labels++
	return fmt.Sprintf("L%02d", t.labels-1)
}

func (t *thread) mark(label string) { t.emit("%s:", label) }

func (t *thread) failf(pos litmus.Pos, format string, args ...any) {
	panic(litmus.Errorf(pos, format, args...))
}

// point sets a register to a location's address.
func (t *thread) point(dst register, loc string) {
	if t.to.absolute() {
		t.to.point(t, dst, loc)
	} else {
		t.to.move(t, dst, t.addresses[loc], t.to.pointerBits())
	}
}

// finish adds the thread, and the initial values of its registers, to a test.
func (t *thread) finish(out *litmus.Test) {
	if n := t.to.registers(); int(t.most) > n {
		t.failf(t.at, "P%d needs %d registers, and %s has only %d: shorten the thread", t.id, t.most, t.arch, n)
	}
	register := func(r register, bits int, v litmus.Literal) {
		out.Init = append(out.Init, litmus.Init{
			Target: litmus.Place{Thread: t.id, Name: t.to.shown(r, bits), Index: -1}, Values: []litmus.Literal{v},
		})
	}
	for _, loc := range t.reached {
		register(t.addresses[loc], t.to.pointerBits(), litmus.Literal{Name: loc})
	}
	for _, item := range t.source.Init {
		if item.Target.Thread != t.id || len(item.Values) == 0 {
			continue
		}
		l := t.local(item.Target.Name)
		v := item.Values[0]
		if v.Name == "" {
			v.Bits = l.constant(v.Bits, t.m)
		} else if l.typ.bits(t.m) < t.to.pointerBits() {
			t.failf(item.Pos, "%s is too narrow for an address: declare it as a pointer", item.Target)
		}
		register(l.r, l.typ.bits(t.m), v)
	}
	th := litmus.Thread{ID: t.id, Place: t.place(len(out.Threads))}
	t.made.ID = t.id
	for i, l := range t.lines {
		if label, ok := strings.CutSuffix(l, ":"); ok && !t.leads(label) {
			continue
		}
		th.Cells = append(th.Cells, litmus.Cell{Text: t.lines[i]})
		t.made.Lines = append(t.made.Lines, Line{Text: l, From: t.from[i]})
	}
	out.Threads = append(out.Threads, th)
}

// place returns where the nth thread is in the scopes of the architecture: where the source has it, or else in groups
// of its own, and in the outermost scope with all others. It is nil without scopes.
func (t *thread) place(n int) []int {
	scopes := litmus.Scopes(t.arch)
	if scopes == nil {
		return nil
	}
	if from := t.source.Threads[n]; from.Place != nil {
		return t.to.(gpu).placed(t, n, from)
	}
	out := make([]int, len(scopes))
	if len(out) > 1 {
		out[len(out)-2] = n
	}
	return out
}

// leads reports whether an instruction jumps to a label.
func (t *thread) leads(label string) bool {
	for _, l := range t.lines {
		if strings.HasSuffix(l, " "+label) || strings.HasSuffix(l, ","+label) {
			return true
		}
	}
	return false
}

// constant returns a number as the local's register has it.
func (l *local) constant(v uint64, m *mapping) uint64 {
	if n := int64(v); l.typ.bits(m) == 32 && (n == int64(int32(n)) || n == int64(uint32(n))) {
		return uint64(int64(int32(n)))
	}
	return v
}
