package c

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Widths of locations. By default, locations are cells of 64 bits whatever their types are. So int does not wrap, and a
// location can contain a pointer without a declared type. If a test accesses a location through types of several
// widths, it is lowered again with each location as wide as its type in C, little-endian. An int then has 32 bits.

// widths collects, while a test is lowered with cells, which widths its accesses would need.
type widths struct {
	of    map[int]bool // the widths of all accesses
	mixed bool         // a pointer to a type of one width or sign is used as a pointer to another
	// address: an address is assigned to a type that is too narrow for it
	address bool
	lost    bool // a number or a void * is used as a pointer to a type
}

// both reports whether the test needs locations as wide as their types. p and err are the result of lowering it that
// way.
func (w *widths) both(p *ir.Program, err error) bool {
	switch {
	case w.mixed:
		return true
	case err != nil:
		return w.lost
	}
	return p.Split
}

// size returns the width of the type in C, in bits.
func (t Type) size() int {
	switch {
	case t.stars > 0 || t.named():
		return bits
	case t.kernel && !strings.Contains(t.name, "long") && !strings.Contains(t.name, "64"):
		return 32
	}
	return t.width
}

// named reports whether t is a structure or a union. Tests do not declare their members.
func (t Type) named() bool {
	return strings.HasPrefix(t.name, "struct ") || strings.HasPrefix(t.name, "union ")
}

// any reports whether t says nothing about the width of the object: void, structures, unions, and the kernel's own
// types.
func (t Type) any() bool { return t.stars == 0 && (t.kernel || t.name == "void" || t.named()) }

// unlike reports whether pointers of types t and u lead to objects of different widths or signs. It is false if one of
// them is not a pointer, because tests often use numbers as pointers.
func (t Type) unlike(u Type) bool {
	if t.stars == 0 || u.stars == 0 {
		return false
	}
	t, u = t.pointee(), u.pointee()
	if u.stars > 0 {
		return t.unlike(u)
	}
	return !t.any() && !u.any() && (t.size() != u.size() || t.stars == 0 && t.size() < bits && t.signed != u.signed)
}

// width returns the width in bits of a type in memory.
func (l *lowerer) width(t Type) int {
	if !l.sized {
		return bits
	}
	return t.size()
}

// access records an access to an object of a type and returns its width in bits.
func (l *lowerer) access(t Type) int {
	l.of[t.size()] = true
	return l.width(t)
}

// extended extends the value read from an object of type t to 64 bits.
func (l *lowerer) extended(x ir.Expr, t Type) value { return value{ir.Widen(x, bits, t.signed), t} }

// stepOf returns the distance in bytes between the elements that a pointer of type t leads to.
func (l *lowerer) stepOf(t Type) uint64 {
	if t = t.pointee(); l.sized && t.stars == 0 && t.name == "void" {
		return 1
	}
	return uint64(l.width(t) / 8)
}

// findObjects determines the types of locations: those of the init block or, without one, the widest type that threads
// give them. A location that the init block sets to an address is a pointer.
func (l *lowerer) findObjects(u *Unit) {
	l.objects = map[string]Type{}
	told := map[string]bool{}
	for _, item := range l.Test.Init {
		if t, ok := TypeOf(item.Type); ok && item.Type != "" && !item.Target.IsRegister() {
			l.objects[item.Target.Name], told[item.Target.Name] = t, true
		}
	}
	for i := range u.Threads {
		for _, p := range u.Threads[i].Params {
			typ, ok := TypeOf(p.Type)
			t, had := l.objects[p.Name]
			typ = pointerType(typ).pointee()
			switch {
			case !ok:
			case !had, t.any() && !told[p.Name]:
				l.objects[p.Name] = typ
			case typ.any():
			case t.stars == 0 && typ.stars == 0:
				l.mixed = l.mixed || typ.pointer().unlike(t.pointer())
				if !told[p.Name] && typ.size() > t.size() {
					l.objects[p.Name] = typ
				}
			case t.stars < typ.stars && !told[p.Name]:
				l.objects[p.Name] = typ
			}
		}
	}
	for _, item := range l.Test.Init {
		for _, v := range item.Values {
			if v.Name == "" || item.Target.IsRegister() {
				continue
			}
			t := l.objects[item.Target.Name]
			to, known := l.objects[arrayOf(v.Name)]
			if t.stars == 0 && item.Type == "" {
				t.stars = 1
				l.objects[item.Target.Name] = t
			}
			l.mixed = l.mixed || known && to.pointer().unlike(t)
		}
	}
}

// arrayOf returns the name of the array that an element belongs to.
func arrayOf(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// parameter declares the location of a parameter and returns the parameter's type.
func (l *lowerer) parameter(p litmus.Param, typ Type) Type {
	i, of := l.Loc(p.Name), l.objects[p.Name]
	if !l.sized {
		return typ
	}
	if strings.Contains(of.name, "int128") {
		l.Failf(p.Pos, "C: %s: 128-bit accesses are not supported in a test with accesses of several widths",
			p.Name)
	}
	if !of.any() {
		l.Typed(i, of.size(), of.signed)
	}
	if of.stars > 0 && typ.stars < 2 {
		return of.pointer()
	}
	return typ
}
