package read

import "modernc.org/cc/v4"

// Member returns the member that an expression selects, and its offset in bytes from the object it is selected from, or
// nil. The C parser also searches named members for the name, and may find it there before it finds it in an unnamed
// structure or in the wrapper of bit-fields.
func Member(n *cc.PostfixExpression) (f *cc.Field, at int64) {
	if n.Field() == nil {
		return nil, 0
	}
	t := n.PostfixExpression.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	if s, ok := t.(fielded); ok {
		return memberOf(s, n.Field().Name(), 0)
	}
	return nil, 0
}

// selected returns the member that the parser has found, right or wrong.
func selected(n *cc.PostfixExpression) *cc.Field {
	if f, _ := Member(n); f != nil {
		return f
	}
	return n.Field()
}

// memberOf searches as C does: the members of the structure itself first, then those of its unnamed members.
func memberOf(t fielded, name string, at int64) (*cc.Field, int64) {
	for i := 0; t.FieldByIndex(i) != nil; i++ {
		if f := t.FieldByIndex(i); f.Name() == name {
			return f, at + f.Offset()
		}
	}
	for i := 0; t.FieldByIndex(i) != nil; i++ {
		f := t.FieldByIndex(i)
		if inner, ok := f.Type().(fielded); ok && f.Name() == "" {
			if found, at := memberOf(inner, name, at+f.Offset()); found != nil {
				return found, at
			}
		}
	}
	return nil, 0
}

// Mistaken returns a member in an expression for which the parser finds another one, so that the expression may have a
// wrong type, or nil.
func Mistaken(e cc.Node) *cc.Field {
	var out *cc.Field
	Walk(e, func(n cc.Node) bool {
		if n, ok := n.(*cc.PostfixExpression); ok && n.Field() != nil && out == nil {
			if f, _ := Member(n); f == nil || f.Declarator() != n.Field().Declarator() {
				out = n.Field()
			}
		}
		return out == nil
	})
	return out
}
