package syntax

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
)

// IsLast reports whether a member is the last of its structure.
func IsLast(n *cc.PostfixExpression) bool {
	t := n.PostfixExpression.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	s, ok := t.(*cc.StructType)
	if !ok {
		return true // all members of a union are last
	}
	f, _ := read.Member(n)
	return f == nil || s.NumFields() > 0 && s.FieldByIndex(s.NumFields()-1).Name() == f.Name()
}

// IsOdd reports whether a member of a packed structure may be misaligned when it is accessed through the structure.
// Objects themselves are aligned to eight bytes.
func IsOdd(n *cc.PostfixExpression, f *cc.Field) bool {
	size := f.Type().Size()
	if size < 2 || size > 8 || f.Type().Align() >= int(size) || !cc.IsScalarType(f.Type()) {
		return false
	}
	at, strides := reach(n)
	odd := at%size != 0
	for _, s := range strides {
		odd = odd || s%size != 0
	}
	return odd
}

// reach returns the offset of an lvalue from the beginning of an object, or from where a pointer points: a number of
// bytes, plus multiples of strides.
func reach(e cc.ExpressionNode) (at int64, strides []int64) {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionExpr {
			return reach(n.ExpressionList)
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			_, offset := read.Member(n)
			if n.Case == cc.PostfixExpressionSelect {
				at, strides = reach(n.PostfixExpression)
			} else if p, ok := n.PostfixExpression.Type().(*cc.PointerType); ok && p.Elem().Align() == 1 {
				strides = []int64{p.Elem().Size()} // it may be an element of an array
			}
			return at + offset, strides
		case cc.PostfixExpressionIndex:
			if n.PostfixExpression.Type().Undecay().Kind() == cc.Array {
				at, strides = reach(n.PostfixExpression)
			}
			return at, append(strides, n.Type().Size())
		}
	}
	return 0, nil
}
