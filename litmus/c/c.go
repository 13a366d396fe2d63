// Package c lowers herd's C tests to the IR. Threads are C functions, P0(atomic_int *x, int *y) { … }, whose parameters
// are addresses of locations and whose local variables are registers. [Dialect] implements lower.Dialect; [Parse] makes
// the syntax tree, a [Unit].
//
// It reads two vocabularies: C11's <stdatomic.h> with mutexes, and the primitives of the Linux kernel that its memory
// model covers. [Callees] (calls.go) lists the functions, what each does and how its events are tagged. Whole programs
// (litmus/c/cprog) and the compiler of tests (litmus/compile) use the same table.
//
// Dependencies are the source's: address and data dependencies go through local variables, and a control dependency
// ends with the statement whose condition it is (ir.Scope). Locations are cells of 64 bits and contain pointers too:
// int does not wrap, unsigned types wrap at their own width. If a test accesses an object at several widths, each
// location is as wide as its type (sizes.go).
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
package c

import (
	"maps"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect for C.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"C"} }

// IsKernel reports whether a test's text uses the kernel's vocabulary: after its header, it calls a kernel primitive or
// names a kernel type. Some functions have the same name in C11; such a call is the kernel's if its first argument is
// not a pointer.
func IsKernel(source string) bool {
	toks := lexAll(litmus.Cell{Text: source[max(strings.Index(source, "\n{"), 0):]})
	pointers := map[string]bool{"&": true, "*": true, "(": true}
	for i, t := range toks[:max(len(toks)-1, 0)] {
		if t.text == "*" {
			pointers[toks[i+1].text] = true
		}
	}
	for i, t := range toks {
		switch {
		case t.kind != wordToken:
		case scalars()[t.text].kernel, t.text == "srcu_struct":
			return true
		case i+2 < len(toks) && toks[i+1].text == "(":
			_, kernel := Callees()[Kernel][t.text]
			if _, both := Callees()[C11][t.text]; kernel && (!both || !pointers[toks[i+2].text]) {
				return true
			}
		}
	}
	return false
}

// Lower implements lower.Dialect. It lowers the test with a cell of 64 bits for each location. If accesses have several
// widths, it also lowers the test with each location as wide as its type, and decides between the two results
// (sizes.go).
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	u, bad := Parse(t)
	p, w, err := lowerUnit(t, u, bad, false)
	if err != nil || !w.mixed && len(w.of) < 2 {
		return p, err
	}
	q, w2, err := lowerUnit(t, u, nil, true)
	switch {
	case !w.both(q, err):
	case err != nil && w2.address && IsKernel(t.Source):
		// Kernel tests use types loosely: an int may contain an address, and as a cell it can.
	default:
		return q, err
	}
	return p, nil
}

// lowerUnit lowers the functions of a test. Each location is a cell of 64 bits or, if sized, as wide as its type. bad
// is the error of the parser, which lowerUnit returns together with its own.
func lowerUnit(t *litmus.Test, u *Unit, bad error, sized bool) (*ir.Program, *widths, error) {
	var d lower.Dialect = Dialect{}
	if t.Arch == "OPENCL" {
		d = OpenCL{}
	}
	l := &lowerer{Builder: lower.NewBuilder(d, t), widths: widths{of: map[int]bool{}}, sized: sized}
	l.PointerBits, l.WordBits = bits, bits
	l.Register = func(name string) (lower.RegisterView, bool) {
		return lower.RegisterView{Whole: name, Print: name, Bits: bits}, true
	}
	l.RegisterBits = func(string) int { return bits }
	l.TypeBits = func(name string) (int, bool, bool) {
		typ, ok := TypeOf(name)
		return l.width(typ), typ.signed || typ.stars > 0, ok
	}
	l.TypeOf = func(location string) (int, bool) {
		t, known := l.objects[location]
		if !known || t.any() || t.keepsNumbers(l.sized) {
			return bits, true
		}
		if t.truth() {
			return 1, false
		}
		return t.width, t.signed
	}
	l.findObjects(u)
	l.layOut(u)
	l.Declare()
	for i := range u.Threads {
		l.thread(i, &u.Threads[i])
	}
	if bad != nil { // report the other errors together with those of the syntax
		return nil, nil, append(litmus.Errors(bad), l.Errors...).Sorted()
	}
	p, err := l.Finish()
	return p, &l.widths, err
}

// bits is the width of every register and of every location that is a cell.
const bits = 64

// lowerer lowers one test.
type lowerer struct {
	*lower.Builder
	widths
	sized   bool            // each location is as wide as its type
	objects map[string]Type // the locations
	at      litmus.Pos      // of the current expression
	params  map[string]Type // of the current thread
	locals  map[string]Type
	moved   map[string]bool // parameters that the thread assigns to
	fields  map[string]int  // offsets of structures' fields, in bytes
	done    map[Expr]value  // values of those parts of the current full expression that are evaluated already
	depth   int             // number of conditional statements around the current one
	loops   []loop
	labels  map[string]int // of control barriers in OpenCL: their instances
}

// loop collects the branches of break and continue in the current loop, whose targets are set at its end.
type loop struct{ breaks, continues []int }

// thread lowers thread i. A parameter that the thread assigns to becomes a register; other parameters are addresses.
func (l *lowerer) thread(i int, th *Thread) {
	l.Thread, l.depth, l.loops = i, 0, nil
	l.params, l.locals, l.moved = map[string]Type{}, map[string]Type{}, map[string]bool{}
	for _, p := range th.Params {
		typ, ok := TypeOf(p.Type)
		if !ok {
			l.Failf(p.Pos, "unknown type %q: want int, intN_t, an atomic type, a kernel type or a structure, with "+
				"stars "+
				"for pointers", p.Type)
		}
		l.params[p.Name] = l.parameter(p, typ)
	}
	Walk(th.Body, func(x Expr) {
		if name, ok := target(x).(*Name); ok {
			l.moved[name.Text] = true
		}
	})
	for _, p := range th.Params {
		if l.moved[p.Name] || l.Test.Arch == "OPENCL" && l.observes(th.ID, p.Name) {
			l.Assign(l.Reg(p.Name), l.address(p.Name))
		}
	}
	l.block(th.Body)
}

// observes reports whether the condition or the filter names a thread's variable.
func (l *lowerer) observes(thread int, name string) (found bool) {
	for _, prop := range []litmus.Prop{l.Test.Condition.Prop, l.Test.Filter} {
		litmus.MapAtoms(prop, func(a litmus.Atom) litmus.Prop {
			found = found || a.Left.Thread == thread && a.Left.Name == name
			return a
		})
	}
	return found
}

// target returns the expression that x assigns to, or nil.
func target(x Expr) Expr {
	switch x := x.(type) {
	case *Assign:
		return x.To
	case *Postfix:
		return x.X
	case *Unary:
		if x.Op == "++" || x.Op == "--" {
			return x.X
		}
	}
	return nil
}

// layOut places the fields that threads name behind the objects that have them: p->f is the location p.f, and every
// structure has every field that the test names.
func (l *lowerer) layOut(u *Unit) {
	l.fields = map[string]int{}
	for i := range u.Threads {
		Walk(u.Threads[i].Body, func(x Expr) {
			if m, ok := x.(*Member); ok && l.fields[m.Field] == 0 {
				l.fields[m.Field] = (len(l.fields) + 1) * bits / 8
			}
		})
	}
	if len(l.fields) == 0 {
		return
	}
	objects := map[string]bool{}
	for i := range u.Threads {
		structs := map[string]bool{}
		for _, p := range u.Threads[i].Params {
			typ, _ := TypeOf(p.Type)
			structs[p.Name] = strings.HasPrefix(typ.name, "struct ") && typ.stars == 1
			if structs[p.Name] {
				objects[p.Name] = true
			}
		}
		Walk(u.Threads[i].Body, func(x Expr) {
			m, ok := x.(*Member)
			if !ok {
				return
			}
			if name, ok := m.X.(*Name); ok {
				if _, isParam := structs[name.Text]; isParam {
					objects[name.Text] = true
				}
			}
		})
	}
	l.Members(slices.Sorted(maps.Keys(objects)), l.fields)
}
