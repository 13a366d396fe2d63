package read

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// Declared is an object that threads can share, as its declarations have it: a static variable or a field of a
// structure.
type Declared struct {
	Name string
	At   []litmus.Pos // of the name, in each declaration
	Why  string       // the object cannot be declared _Atomic; "" where it can
}

// DeclaredBy lists the objects of a name that accesses without a lock or an atomic function may race on: scalars, and
// arrays of scalars, which are not _Atomic yet. A structure, whose fields races may leave
// unnamed, stands for its fields.
func DeclaredBy(units []*cc.AST, pointer int, name string) []Declared {
	q := NewQualifiers(units, pointer)
	s := sharedObjects{q: q, name: name, objects: map[string]*Declared{}}
	var fields []Declared
	for d := range q.specifiers {
		if d.Name() != name {
			continue
		}
		if t, ok := d.Type().(fielded); ok && s.key(d) != "" {
			for i := 0; t.FieldByIndex(i) != nil; i++ {
				if f := t.FieldByIndex(i).Name(); f != name {
					fields = append(fields, DeclaredBy(units, pointer, f)...)
				}
			}
			if len(fields) > 0 {
				return fields
			}
		}
		s.add(d)
	}
	for _, ast := range units {
		for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
			s.uses(u.ExternalDeclaration)
		}
	}
	var out []Declared
	for _, o := range s.objects {
		slices.SortFunc(o.At, comparePositions)
		o.At = slices.Compact(o.At)
		out = append(out, *o)
	}
	slices.SortFunc(out, func(a, b Declared) int { return comparePositions(a.At[0], b.At[0]) })
	return out
}

func comparePositions(a, b litmus.Pos) int {
	return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
}

// sharedObjects collects the objects of one name.
type sharedObjects struct {
	q       *Qualifiers
	name    string
	objects map[string]*Declared // by linkage: the external one by its name, others by their place
}

// key identifies the object that d declares; "" for a local, a parameter, a type or a function.
func (s *sharedObjects) key(d *cc.Declarator) string {
	t := d.Type()
	if d.IsTypename() || d.IsParam() || t == nil || t.Kind() == cc.Function ||
		strings.HasPrefix(d.Position().Filename, BuiltIn) {
		return ""
	}
	if _, field := s.q.specifiers[d].(*cc.SpecifierQualifierList); field {
		return d.Position().String()
	}
	switch {
	case d.Linkage() == cc.External:
		return d.Name()
	case d.Linkage() == cc.Internal, d.IsStatic():
		return d.Position().String()
	}
	return ""
}

// add notes a declaration, and why it could not say _Atomic.
func (s *sharedObjects) add(d *cc.Declarator) {
	key := s.key(d)
	if key == "" {
		return
	}
	t := d.Type().Undecay()
	q := s.q.declarator(d)
	array := false
	for t.Kind() == cc.Array {
		t, array, q = t.(*cc.ArrayType).Elem(), true, q.below()
	}
	if q.atomic {
		return
	}
	o := s.objects[key]
	if o == nil {
		o = &Declared{Name: d.Name()}
		s.objects[key] = o
	}
	pos := d.NameTok().Position()
	at := litmus.Pos{File: pos.Filename, Line: pos.Line, Col: pos.Column}
	o.At = append(o.At, at)
	switch {
	case s.q.fields[d] != nil:
		s.refuse(key, "it is a bit-field")
	case t.Kind() == cc.Struct || t.Kind() == cc.Union:
		what := "a structure"
		if t.Kind() == cc.Union {
			what = "a union"
		}
		s.refuse(key, "it is "+what)
	case array && d.Type().Undecay().Kind() != cc.Array:
		s.refuse(key, "its type is an array")
	}
}

func (s *sharedObjects) refuse(key, why string) {
	if o := s.objects[key]; o != nil {
		o.Why = cmp.Or(o.Why, why)
	}
}

// designated is the key of the object that an lvalue designates, or an element of it.
func (s *sharedObjects) designated(e cc.Node) string {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionExpr {
			return s.designated(n.ExpressionList)
		}
		if d, ok := n.ResolvedTo().(*cc.Declarator); ok && n.Case == cc.PrimaryExpressionIdent && d.Name() == s.name {
			return s.key(d)
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			return s.designated(n.PostfixExpression)
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			if f := selected(n); f != nil && f.Declarator() != nil && f.Declarator().Name() == s.name {
				return s.key(f.Declarator())
			}
		}
	}
	return ""
}

// uses refuses what has its address taken: a pointer to a plain object may not point to an atomic one.
func (s *sharedObjects) uses(n cc.Node) {
	if v := reflect.ValueOf(n); v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	switch n := n.(type) {
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionAddrof:
			s.pointed(n, s.designated(n.CastExpression))
		case cc.UnaryExpressionSizeofExpr:
			return
		}
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionIndex && s.designated(n.PostfixExpression) != "" {
			s.uses(n.ExpressionList) // an element of the array
			return
		}
		if k := s.designated(n); k != "" && isArray(n) {
			s.pointed(n, k)
		}
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionIdent && isArray(n) {
			s.pointed(n, s.designated(n))
		}
	}
	for child := range children(n) {
		s.uses(child)
	}
}

func isArray(e cc.ExpressionNode) bool {
	return e.Type() != nil && e.Type().Undecay().Kind() == cc.Array
}

func (s *sharedObjects) pointed(n cc.Node, key string) {
	if key != "" {
		at := Place(n)
		s.refuse(key, fmt.Sprintf("its address is taken in line %d of %s", at.Line, at.File))
	}
}
