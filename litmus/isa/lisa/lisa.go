// Package lisa lowers litmus tests in LISA, the generic instructions of models with bell files: "r[acquire] r1 x",
// "w[once] x 1", "f[mb]", "rmw[once] r1 (add r1 1) x", "mov r2 (eq r1 1)", "b[] r2 L0". The language is that of Alglave
// and Cousot, Syntax and analytic semantics of LISA (2016), and of Alglave, McKenney, Maranget, Parri and Stern, A
// formal kernel memory-ordering model (LWN, 2017). [Dialect] implements lower.Dialect.
//
// What stands in brackets are annotations, whose meaning is a model's. Each event has a tag for each annotation
// (ir.BellTag), which the sets of bell files contain. The annotations of the Linux kernel also have the tags of the
// kernel's primitives in C, so that its model, and all others, answer tests with them without a bell file. All
// annotations, scopes and regions of a test are in ir.Annotated.
//
// Registers r0, r1 and so on, locations and addresses have 32 bits. Numbers are signed.
//
// It imports litmus, litmus/ir and litmus/lower: no model and no solver.
package lisa

import (
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Dialect implements lower.Dialect for LISA.
type Dialect struct{}

// Archs implements lower.Dialect.
func (Dialect) Archs() []string { return []string{"LISA"} }

// word is the width of registers, locations and addresses.
const word = 32

// Lower implements lower.Dialect.
func (Dialect) Lower(t *litmus.Test) (*ir.Program, error) {
	l := &lowerer{Builder: lower.NewBuilder(Dialect{}, t)}
	l.PointerBits, l.WordBits = word, word
	l.Register = register
	l.RegisterBits = func(string) int { return word }
	l.Program.Annotated = &ir.Annotated{}
	l.Declare()
	for _, item := range t.Init {
		if l.idle() {
			break
		}
		if i, ok := l.Find(item.Target.Name); ok && !item.Target.IsRegister() && l.Program.Locs[i].Bits != word {
			l.Failf(item.Pos, "LISA: %s has the type %s: locations have 32 bits", item.Target.Name, item.Type)
		}
	}
	l.Lines(nil, func(cell litmus.Cell) {
		defer func() {
			if bad := recover(); bad != nil {
				e, ok := bad.(*litmus.Error)
				if !ok {
					panic(bad)
				}
				l.Errors = append(l.Errors, e)
			}
		}()
		(&instr{lowerer: l, tokens: scan(cell)}).lower()
	})
	l.regions()
	l.scopes()
	return l.Finish()
}

type lowerer struct{ *lower.Builder }

// idle reports whether no thread has an instruction.
func (l *lowerer) idle() bool {
	return !slices.ContainsFunc(l.Test.Threads, func(t litmus.Thread) bool { return len(t.Cells) > 0 })
}

// register parses a register: r0, r1 and so on.
func register(name string) (lower.RegisterView, bool) {
	digits, ok := strings.CutPrefix(name, "r")
	if n, err := strconv.Atoi(digits); !ok || err != nil || n < 0 || strconv.Itoa(n) != digits {
		return lower.RegisterView{}, false
	}
	return lower.RegisterView{Whole: name, Print: name, Bits: word}, true
}

// regions tags the initial writes of locations with their regions. A model finds the accesses of a region by them.
func (l *lowerer) regions() {
	for _, r := range l.Test.Regions {
		l.Program.Annotated.Regions = append(l.Program.Annotated.Regions, r.Name)
		l.foreign(r.Name, "region "+litmus.Shorten(r.Name.Text))
		if _, ok := l.Find(r.Location.Text); !ok {
			l.Failf(r.Location.Pos, "LISA: the test has no location %s", r.Location.Text)
			continue
		}
		for i := range l.Program.Locs {
			loc := &l.Program.Locs[i]
			if array, _, _ := strings.Cut(loc.Name, "["); array == r.Location.Text {
				loc.Tags = append(loc.Tags, ir.BellTag(r.Name.Text))
			}
		}
	}
}

// scopes lists the scopes of the test.
func (l *lowerer) scopes() {
	a := l.Program.Annotated
	var walk func(s litmus.Scope)
	walk = func(s litmus.Scope) {
		a.Scopes = append(a.Scopes, s.Word)
		for _, in := range s.Inner {
			a.Nested = append(a.Nested, [2]litmus.Word{s.Word, in.Word})
			walk(in)
		}
	}
	for _, s := range l.Test.Trees {
		walk(s)
	}
}

// foreign records a word that only a bell file can declare: what is "annotation strange of f", for example.
func (l *lowerer) foreign(w litmus.Word, what string) {
	a := l.Program.Annotated
	a.Foreign = append(a.Foreign,
		litmus.Errorf(w.Pos, "no built-in model knows the %s: choose a model with a bell file that declares it", what))
}
