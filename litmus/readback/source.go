package readback

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
)

// Program is a C test as a C file, and what it takes to read a listing of it.
type Program struct {
	// Text is the C file.
	Text string
	// Functions are the functions of the threads in listings of other C files, in order; nil for P0, P1 and so on.
	Functions []string

	test    *litmus.Test
	objects []*object
	threads []threadSource
	// symbols maps the names of the C file's objects to locations.
	symbols  map[string]string
	unsigned map[string]bool // observed locals of type uint32_t, by observedName
}

// isLocation says whether the test has a location of that name.
func (p *Program) isLocation(name string) bool {
	return slices.ContainsFunc(p.objects, func(o *object) bool { return o.name == name && !o.observed })
}

// threadSource is a thread of the test.
type threadSource struct {
	id       int
	params   []litmus.Param
	observed []litmus.Place
}

// function is the function of thread i in listings.
func (p *Program) function(i int) string {
	if p.Functions != nil {
		return p.Functions[i]
	}
	return fmt.Sprintf("P%d", p.threads[i].id)
}

// object is an object of the C file: a location, or where a thread stores a local at its end.
type object struct {
	name   string // in the test that Read returns
	symbol string // in the C file
	typ    ctype
	init   *litmus.Init
	length int // of an array, or 0
	// observed: it is not a location, but contains a local at the thread's end.
	observed bool
}

// ctype is a type of C: a number or a pointer.
type ctype struct {
	bits     int
	signed   bool
	truth    bool // _Bool
	flag     bool // atomic_flag
	stars    int
	atomic   bool // what the stars lead to
	volatile bool
}

var intType = ctype{bits: 32, signed: true}

// typeOf reads a type as the test writes it.
func typeOf(pos litmus.Pos, text string) ctype {
	t, ok := c.TypeOf(text)
	name := t.String()
	if !ok || strings.HasPrefix(name, "struct ") || strings.HasPrefix(name, "union ") {
		panic(litmus.Errorf(pos, "cannot write the type %q in C: want a number or a pointer", text))
	}
	if strings.Contains(name, "int128") {
		panic(litmus.Errorf(pos, "cannot compile %q: listings with numbers of 128 bits are not read back", text))
	}
	bits, signed := t.Width()
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" *()", r) })
	out := ctype{
		bits: bits, signed: signed, stars: t.Stars(), atomic: t.IsAtomic(), volatile: slices.Contains(words,
			"volatile"),
		flag: slices.Contains(words, "atomic_flag"),
	}
	for _, w := range words {
		out.truth = out.truth || w == "bool" || w == "_Bool" || w == "atomic_bool"
	}
	for _, w := range []string{"mtx_t", "pthread_mutex_t", "mutex"} {
		if slices.Contains(words, w) {
			panic(litmus.Errorf(pos, "cannot compile a %s: mutexes are calls of the C library", w))
		}
	}
	if out.flag {
		out.bits, out.signed = 8, false
	}
	return out
}

// String returns the type in C.
func (t ctype) String() string {
	var s string
	switch {
	case t.flag:
		s = "atomic_flag"
	case t.truth:
		s = "_Bool"
	case t.bits == 32 && t.signed:
		s = "int"
	case t.signed:
		s = fmt.Sprintf("int%d_t", t.bits)
	default:
		s = fmt.Sprintf("uint%d_t", t.bits)
	}
	if t.atomic && !t.flag {
		s = "_Atomic(" + s + ")"
	}
	if t.volatile {
		s = "volatile " + s
	}
	if t.stars > 0 {
		s += " " + strings.Repeat("*", t.stars)
	}
	return s
}

// declared returns the type as the init block of an architecture's test has it.
func (t ctype) declared() string {
	switch {
	case t.stars > 0:
		return "int *"
	case t.bits == 32 && t.signed:
		return "int"
	case t.signed:
		return fmt.Sprintf("int%d_t", t.bits)
	}
	return fmt.Sprintf("uint%d_t", t.bits)
}

func (t ctype) pointee() ctype { t.stars--; return t }
func (t ctype) pointer() ctype { t.stars++; return t }

// plain returns the type without _Atomic and volatile.
func (t ctype) plain() ctype {
	t.atomic, t.volatile = false, false
	return t
}

// declared returns the object's item in the init block of the architecture's test.
func (o *object) declared() (item litmus.Init, ok bool) {
	item = litmus.Init{
		Type: o.typ.declared(), Count: o.length, Target: litmus.Place{Thread: -1, Name: o.name, Index: -1},
	}
	if o.init != nil {
		item.Values = o.init.Values
		if item.Type == "int" && o.length == 0 && len(item.Values) > 0 {
			item.Type = ""
		}
	}
	return item, true
}

// Source returns a C11 test as a C file. Errors have their places in the test.
func Source(t *litmus.Test) (p *Program, err error) {
	start := litmus.Pos{File: t.File, Line: 1, Col: 1}
	switch {
	case t.Arch != "C":
		return nil, litmus.Errorf(start, "got a header of %s, want a test in C", t.Arch)
	case c.IsKernel(t.Source):
		return nil, litmus.Errorf(
			start,
			"cannot compile %s: it uses primitives of the Linux kernel, which C compilers "+
				"do not have",
			t.Name,
		)
	}
	if _, err := (c.Dialect{}).Lower(t); err != nil {
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
			p, err = nil, e
		}
	}()
	p = &Program{test: t, symbols: map[string]string{}, unsigned: map[string]bool{}}
	w := &writer{Program: p, unit: unit}
	w.locations()
	for i := range unit.Threads {
		w.thread(&unit.Threads[i])
	}
	w.checkNames()
	p.Text = w.text()
	return p, nil
}

// writer writes the C file.
type writer struct {
	*Program
	unit   *c.Unit
	bodies strings.Builder
	params map[string]ctype // of the current thread; those that it assigns to are locals
	locals map[string]ctype
	names  []string // the locals, in order
	line   int      // of the test, for the last line written
	leaves bool     // the thread has a return
}

// locations finds the objects of the test's locations and their types: those in the init block, or else those of the
// threads' parameters.
func (w *writer) locations() {
	known := map[string]*object{}
	typed := map[string]bool{}
	object := func(name string) *object {
		o, ok := known[name]
		if !ok {
			o = &object{name: name, symbol: w.symbolFor(name), typ: intType}
			known[name], w.objects = o, append(w.objects, o)
			w.symbols[o.symbol] = name
		}
		return o
	}
	for i := range w.test.Init {
		item := &w.test.Init[i]
		if item.Target.IsRegister() {
			continue
		}
		if item.Target.Index >= 0 {
			panic(
				litmus.Errorf(item.Pos, "cannot write the initial value of one element of %s in C: declare the array "+
					"with all values", item.Target.Name),
			)
		}
		o := object(item.Target.Name)
		if o.init == nil || len(item.Values) > 0 {
			o.init = item
		}
		o.length = max(o.length, item.Count)
		if item.Type != "" {
			o.typ, typed[o.name] = typeOf(item.Pos, item.Type), true
		}
	}
	for i := range w.unit.Threads {
		for _, q := range w.unit.Threads[i].Params {
			of := typeOf(q.Pos, q.Type)
			of.stars = max(of.stars, 1)
			of = of.pointee()
			of.volatile = false
			o := object(q.Name)
			switch {
			case !typed[o.name]:
				o.typ, typed[o.name] = of, true
			case o.typ.stars == of.stars:
				o.typ.atomic = o.typ.atomic || of.atomic
			case o.typ.stars < of.stars:
				o.typ = of
			}
		}
	}
	for _, o := range w.objects {
		if o.init == nil {
			continue
		}
		for _, v := range o.init.Values {
			if v.Label || v.Name != "" && o.typ.stars == 0 {
				panic(
					litmus.Errorf(
						v.Pos,
						"%s contains an address: declare it as a pointer, as in int *%s",
						o.name,
						o.name,
					),
				)
			}
			if v.Name != "" {
				name, _, _ := strings.Cut(v.Name, "[")
				object(name)
			}
		}
	}
}

// register matches names that some assembler reads as a register.
var register = lazily(
	`(?i)^([a-z]{1,3}[0-9]+[a-z]?|sp|lr|pc|fp|ip|ra|gp|tp|cr|ctr|xer|zero|[er]?[abcd]x|` +
		`[er]?[sd]i|[er]?[sb]p|[abcd][lh]|[sd]il|[sb]pl|[cdefgs]s|[er]?ip|st|wsp|[wx]zr|p[0-9]+(_.*)?)$`,
)

// keywords are words that C, or an assembler in one of its syntaxes, reads otherwise.
var keywords = strings.Fields(`auto break case char const continue default do double else enum extern float for goto if
	inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void
	volatile while main and or not eq ne lt gt le ge shl shr mod offset ptr byte word dword qword lo hi done`)

// symbolFor returns the name of a location's object in C. A name that assemblers or C read otherwise gets a prefix.
func (w *writer) symbolFor(name string) string {
	if register().MatchString(name) || slices.Contains(keywords, strings.ToLower(name)) ||
		strings.HasPrefix(name, "_") {
		return "loc_" + name
	}
	return name
}

// checkNames refuses two objects of one name in C, such as a location P1_r0 beside where P1 stores its local r0, and an
// object with the name of a thread's function.
func (w *writer) checkNames() {
	functions := map[string]bool{}
	for i := range w.threads {
		functions[w.function(i)] = true
	}
	seen := map[string]bool{}
	for _, o := range w.objects {
		if seen[o.symbol] || seen[o.name] || functions[o.symbol] {
			panic(litmus.Errorf(litmus.Pos{File: w.test.File, Line: 1, Col: 1},
				"two things are %s in C: rename the location %s", o.name, o.name))
		}
		seen[o.symbol], seen[o.name] = true, true
	}
}

// text assembles the file.
func (w *writer) text() string {
	var b strings.Builder
	b.WriteString("#include <stdatomic.h>\n#include <stdint.h>\n\n")
	for _, o := range w.objects {
		length := ""
		if o.length > 0 {
			length = fmt.Sprintf("[%d]", o.length)
		}
		typ := o.typ.String()
		if o.typ.stars == 0 {
			typ += " "
		}
		fmt.Fprintf(&b, "extern %s%s%s;\n", typ, o.symbol, length)
	}
	b.WriteString(w.bodies.String())
	return b.String()
}

// at writes a #line directive unless the next line of the file is that line of the test already.
func (w *writer) at(line int) {
	if line != w.line {
		fmt.Fprintf(&w.bodies, "#line %d %q\n", line, w.test.File)
		w.line = line
	}
}

func (w *writer) put(depth int, format string, args ...any) {
	w.bodies.WriteString(strings.Repeat("  ", depth+1) + fmt.Sprintf(format, args...) + "\n")
	w.line++
}

// thread writes a thread's function.
func (w *writer) thread(th *c.Thread) {
	source := threadSource{id: th.ID, params: th.Params}
	w.params, w.locals, w.names, w.leaves = map[string]ctype{}, map[string]ctype{}, nil, false
	for _, q := range th.Params {
		typ := typeOf(q.Pos, q.Type)
		typ.stars = max(typ.stars, 1)
		w.params[q.Name] = typ
	}
	initial := map[string]string{}
	w.assigned(th, initial)
	w.declare(th.Body)
	note := func(o litmus.Place) {
		if o.Thread == th.ID &&
			!slices.ContainsFunc(source.observed, func(p litmus.Place) bool { return p.Name == o.Name }) {
			source.observed = append(source.observed, o)
			w.local(o.Name)
		}
	}
	atom := func(a litmus.Atom) litmus.Prop {
		note(a.Left)
		if a.Other != nil {
			note(*a.Other)
		}
		return a
	}
	litmus.MapAtoms(w.test.Condition.Prop, atom)
	litmus.MapAtoms(w.test.Filter, atom)
	for _, o := range w.test.Locations {
		note(o)
	}
	c.Walk(th.Body, func(x c.Expr) {
		if name, ok := x.(*c.Name); ok && w.isLocal(name.Text) {
			w.local(name.Text)
		}
	})
	for _, item := range w.test.Init {
		if item.Target.Thread == th.ID && len(item.Values) > 0 {
			v := item.Values[0]
			w.local(item.Target.Name)
			initial[item.Target.Name] = v.String()
			if v.Name != "" {
				initial[item.Target.Name] = "(void *)&" + w.symbolFor(v.Name)
			}
		}
	}
	slices.SortStableFunc(source.observed, ordered)
	w.line = 0
	w.bodies.WriteString("\n")
	for _, o := range source.observed {
		typ := w.locals[o.Name].plain()
		name := observedName(o)
		w.objects = append(w.objects, &object{name: name, symbol: name, typ: typ, observed: true})
		w.symbols[name] = name
		w.unsigned[name] = typ.stars == 0 && !typ.signed && typ.bits == 32
	}
	w.at(w.lineOf(th))
	w.put(-1, "void P%d(void) {", th.ID)
	for _, name := range w.names {
		typ := w.locals[name]
		blank := ""
		if typ.stars == 0 {
			blank = " "
		}
		value := initial[name]
		if value == "" {
			value = "0"
		}
		w.at(w.lineOf(th))
		w.put(0, "%s%s%s = %s;", typ, blank, localName(name), value)
	}
	w.block(0, th.Body)
	if w.leaves {
		w.put(-1, "done:;")
	}
	for _, o := range source.observed {
		w.at(max(1, w.test.Condition.Pos.Line))
		w.put(0, "%s = %s;", observedName(o), localName(o.Name))
	}
	w.put(-1, "}")
	w.threads = append(w.threads, source)
}

// lineOf returns the line of a thread's header in the test.
func (w *writer) lineOf(th *c.Thread) int {
	for _, t := range w.test.Threads {
		if t.ID == th.ID {
			return max(1, t.Pos.Line)
		}
	}
	return 1
}

// localName returns the C name of a local. It may shadow an object that the thread does not name.
func localName(name string) string {
	if slices.Contains(keywords, name) {
		return name + "_"
	}
	return name
}

// assigned makes locals of the parameters that a thread assigns to. They begin as the address of their location.
func (w *writer) assigned(th *c.Thread, initial map[string]string) {
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
		}
		if name, ok := to.(*c.Name); ok {
			if typ, param := w.params[name.Text]; param {
				panic(
					litmus.Errorf(
						name.Pos,
						"cannot compile an assignment to the parameter %s of type %s: use a local "+
							"variable",
						name.Text,
						typ,
					),
				)
			}
		}
	})
}

// declare finds the declarations among some statements.
func (w *writer) declare(body []c.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *c.Declare:
			typ := typeOf(s.Pos, s.Type.String())
			typ.atomic = s.Type.IsAtomic()
			if old, again := w.locals[s.Name]; again && old != typ {
				panic(litmus.Errorf(s.Pos, "%s is declared with two types, %s and %s: use two names", s.Name, old, typ))
			} else if !again {
				w.locals[s.Name], w.names = typ, append(w.names, s.Name)
			}
		case *c.If:
			w.declare(s.Then)
			w.declare(s.Else)
		case *c.While:
			w.declare(s.Body)
		case *c.For:
			w.declare(s.Init)
			w.declare(s.Body)
		case *c.Block:
			w.declare(s.Body)
		}
	}
}

func (w *writer) isLocal(name string) bool {
	_, param := w.params[name]
	_, order := c.Orders[name]
	return !param && !order && name != "true" && name != "false" && name != "NULL"
}

// local declares a local that has no declaration as an int.
func (w *writer) local(name string) {
	if _, ok := w.locals[name]; !ok {
		w.locals[name], w.names = intType, append(w.names, name)
	}
}

func (w *writer) block(depth int, body []c.Stmt) {
	for _, s := range body {
		w.statement(depth, s)
	}
}

// statement writes a statement. Declarations are assignments, because the function's first lines declare all locals.
func (w *writer) statement(depth int, s c.Stmt) {
	switch s := s.(type) {
	case *c.Declare:
		w.at(s.Pos.Line)
		if s.Value != nil {
			w.put(depth, "%s = %s;", localName(s.Name), w.expr(s.Value))
		} else {
			w.put(depth, ";")
		}
	case *c.Do:
		w.at(s.Pos.Line)
		w.put(depth, "%s;", w.expr(s.X))
	case *c.If:
		w.at(s.Pos.Line)
		w.put(depth, "if (%s) {", w.expr(s.Cond))
		w.block(depth+1, s.Then)
		if len(s.Else) > 0 {
			w.put(depth, "} else {")
			w.block(depth+1, s.Else)
		}
		w.put(depth, "}")
	case *c.While:
		w.at(s.Pos.Line)
		if s.Post {
			w.put(depth, "do {")
			w.block(depth+1, s.Body)
			w.at(s.Pos.Line)
			w.put(depth, "} while (%s);", w.expr(s.Cond))
			return
		}
		w.put(depth, "while (%s) {", w.expr(s.Cond))
		w.block(depth+1, s.Body)
		w.put(depth, "}")
	case *c.For:
		w.block(depth, s.Init)
		cond, step := "", ""
		if s.Cond != nil {
			cond = w.expr(s.Cond)
		}
		if s.Step != nil {
			step = w.expr(s.Step)
		}
		w.at(s.Pos.Line)
		w.put(depth, "for (; %s; %s) {", cond, step)
		w.block(depth+1, s.Body)
		w.put(depth, "}")
	case *c.Break:
		w.put(depth, "break;")
	case *c.Continue:
		w.put(depth, "continue;")
	case *c.Return:
		w.at(s.Pos.Line)
		if s.X != nil && c.Acts(s.X) {
			w.put(depth, "%s;", w.expr(s.X))
		}
		w.put(depth, "goto done;")
		w.leaves = true
	case *c.Block:
		w.put(depth, "{")
		w.block(depth+1, s.Body)
		w.put(depth, "}")
	default:
		panic(fmt.Sprintf("BUG: unknown statement %T", s))
	}
}

// expr returns an expression in C.
func (w *writer) expr(x c.Expr) string {
	switch x := x.(type) {
	case *c.Number:
		return number(x)
	case *c.Name:
		return w.name(x)
	case *c.Unary:
		return w.unary(x)
	case *c.Postfix:
		return w.operand(x.X) + x.Op
	case *c.Binary:
		return w.operand(x.X) + " " + x.Op + " " + w.operand(x.Y)
	case *c.Assign:
		return w.operand(x.To) + " " + x.Op + "= " + w.operand(x.X)
	case *c.Cast:
		typ := typeOf(x.Pos, x.Type.String())
		typ.atomic = x.Type.IsAtomic() && typ.stars > 0
		return "(" + typ.String() + ")" + w.operand(x.X)
	case *c.Call:
		return w.call(x)
	case *c.Index:
		return w.operand(x.X) + "[" + w.expr(x.At) + "]"
	case *c.Ternary:
		return w.operand(x.If) + " ? " + w.operand(x.Then) + " : " + w.operand(x.Else)
	}
	at := x.Where()
	panic(litmus.Errorf(at.Pos, "cannot write this in C: structures are not supported"))
}

// operand returns an expression in parentheses if it has operators.
func (w *writer) operand(x c.Expr) string {
	text := w.expr(x)
	switch x := x.(type) {
	case *c.Number, *c.Call, *c.Index, *c.Postfix:
		return text
	case *c.Name:
		return text
	case *c.Unary:
		if x.Op == "*" && !strings.HasPrefix(text, "*") {
			return text
		}
	}
	return "(" + text + ")"
}

func number(x *c.Number) string {
	text := strconv.FormatUint(x.Value, 10)
	if x.Unsigned {
		text += "u"
	}
	if x.Value > 1<<31-1 {
		text += "ll"
	}
	return text
}

// name returns a local, a constant, or the address of a location.
func (w *writer) name(x *c.Name) string {
	typ, param := w.params[x.Text]
	if !param {
		switch x.Text {
		case "true":
			return "1"
		case "false", "NULL":
			return "0"
		}
		if _, order := c.Orders[x.Text]; order {
			return x.Text
		}
		return localName(x.Text)
	}
	o := w.object(x.Text)
	if o.typ == typ.pointee() {
		if o.length > 0 {
			return o.symbol
		}
		return "&" + o.symbol
	}
	amp := "&"
	if o.length > 0 {
		amp = ""
	}
	return "((" + typ.String() + ")" + amp + o.symbol + ")"
}

func (w *writer) object(name string) *object {
	i := slices.IndexFunc(w.objects, func(o *object) bool { return o.name == name })
	return w.objects[i]
}

func (w *writer) unary(x *c.Unary) string {
	if name, ok := x.X.(*c.Name); ok && !w.isLocal(name.Text) {
		text := w.expr(name)
		switch {
		case x.Op == "*":
			if o, whole := strings.CutPrefix(text, "&"); whole {
				return o
			}
		case x.Op == "&": // the dialect reads &x as x
			return text
		}
	}
	return x.Op + w.operand(x.X)
}

// call writes a call of <stdatomic.h>. Arguments get the casts that C wants and tests leave out.
func (w *writer) call(x *c.Call) string {
	f, ok := c.Callees()[c.C11][x.Func]
	if !ok || !strings.HasPrefix(x.Func, "atomic_") {
		panic(litmus.Errorf(x.Pos, "cannot compile %s: only the functions of <stdatomic.h> can be", x.Func))
	}
	args := make([]string, len(x.Args))
	for i, a := range x.Args {
		args[i] = w.expr(a)
		typ := w.typeOf(a)
		switch {
		case i == f.Object() && typ.stars > 0 && !typ.atomic:
			typ.atomic = true
			args[i] = "(" + typ.String() + ")" + w.operand(a)
		case i == f.At("&expected") && typ.stars > 0 && (typ.atomic || typ.volatile):
			args[i] = "(" + typ.plain().String() + ")" + w.operand(a)
		}
	}
	return x.Func + "(" + strings.Join(args, ", ") + ")"
}

// typeOf returns the type of an expression, as far as casts of arguments need it.
func (w *writer) typeOf(x c.Expr) ctype {
	switch x := x.(type) {
	case *c.Name:
		if typ, param := w.params[x.Text]; param {
			return typ
		}
		if typ, local := w.locals[x.Text]; local {
			return typ
		}
	case *c.Unary:
		typ := w.typeOf(x.X)
		switch name, isName := x.X.(*c.Name); {
		case x.Op == "*" && typ.stars > 0:
			return typ.pointee()
		case x.Op == "&" && isName && !w.isLocal(name.Text):
			return typ
		case x.Op == "&":
			return typ.pointer()
		}
	case *c.Cast:
		typ := typeOf(x.Pos, x.Type.String())
		typ.atomic = x.Type.IsAtomic()
		return typ
	case *c.Binary:
		if a := w.typeOf(x.X); a.stars > 0 {
			return a
		}
		return w.typeOf(x.Y)
	case *c.Index:
		if a := w.typeOf(x.X); a.stars > 0 {
			return a.pointee()
		}
	case *c.Assign:
		return w.typeOf(x.To)
	case *c.Ternary:
		return w.typeOf(x.Then)
	case *c.Call:
		f := c.Callees()[c.C11][x.Func]
		if (f.Effect == c.Load || f.Effect == c.Modify) && f.Object() >= 0 {
			if a := w.typeOf(x.Args[f.Object()]); a.stars > 0 {
				return a.pointee().plain()
			}
		}
	}
	return intType
}
