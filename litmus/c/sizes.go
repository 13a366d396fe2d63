package c

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Locations are cells of 64 bits as a rule, whatever their types: so int does not wrap, and a location may hold a
// pointer whose type nobody has said. A test that accesses one of them as of several types is lowered again, with each
// as wide as its type is in C, the byte at its address the lowest. Then an int is one of 32 bits.

// widths are what a test that is lowered with cells tells of those that its accesses should have.
type widths struct {
	of    map[int]bool // those of all accesses
	mixed bool         // a pointer to something of one width, or sign, is used as one of another
	// address: one is put where its type has no room for it
	address bool
	lost    bool // a number, or a void *, is used as a pointer to something
}

// both tells whether it is to be lowered with each location as wide as its type, given what comes of that.
func (w *widths) both(p *ir.Program, err error) bool {
	switch {
	case w.mixed:
		return true
	case err != nil:
		return w.lost
	}
	return p.Split
}

// size is the width in C of an object of a type.
func (t Type) size() int {
	switch {
	case t.stars > 0 || t.named():
		return bits
	case t.kernel && !strings.Contains(t.name, "long") && !strings.Contains(t.name, "64"):
		return 32
	}
	return t.width
}

// named tells whether it is a structure or a union, of which tests do not say what is in it.
func (t Type) named() bool {
	return strings.HasPrefix(t.name, "struct ") || strings.HasPrefix(t.name, "union ")
}

// any tells whether it is a type that says nothing of what is there: what the kernel has types of its own for stands
// for any width.
func (t Type) any() bool { return t.stars == 0 && (t.kernel || t.name == "void" || t.named()) }

// unlike tells whether a pointer leads to what has another width than what a pointer of type u would lead to, or is
// negative where that is not. A number that is used as a pointer is taken for one: tests do not always say so.
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

// width is that of a type in memory.
func (l *lowerer) width(t Type) int {
	if !l.sized {
		return bits
	}
	return t.size()
}

// access is the width of an access to an object of a type.
func (l *lowerer) access(t Type) int {
	l.of[t.size()] = true
	return l.width(t)
}

// extended is what was read of an object of a type, as the value that it has.
func (l *lowerer) extended(x ir.Expr, t Type) value { return value{ir.Widen(x, bits, t.signed), t} }

// stepOf is how far apart the elements are that a pointer of a type leads to, in bytes.
func (l *lowerer) stepOf(t Type) uint64 {
	if t = t.pointee(); l.sized && t.stars == 0 && t.name == "void" {
		return 1
	}
	return uint64(l.width(t) / 8)
}

// findObjects finds the types of locations: the init block's, or the widest that threads give them. Where one begins
// with an address, it is a pointer's.
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

// arrayOf is the array that an element is of.
func arrayOf(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// parameter declares the location of a parameter, and gives its type.
func (l *lowerer) parameter(p litmus.Param, typ Type) Type {
	i, of := l.Loc(p.Name), l.objects[p.Name]
	if !l.sized {
		return typ
	}
	if strings.Contains(of.name, "int128") {
		l.Failf(p.Pos, "C: %s: accesses of 128 bits are not supported in a test whose accesses are of several widths",
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
