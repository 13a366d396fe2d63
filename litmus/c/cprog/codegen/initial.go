package codegen

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// initialisers reads initialisers (C17, 6.7.9).
type initialisers struct {
	program     *program
	build       *code.Builder
	types       *layout.Types
	values      *values.Arithmetic
	memory      *values.Memory
	expressions *expressions
}

// part is a scalar or a whole structure that an initialiser sets.
type part struct {
	offset int
	t      cc.Type
	e      cc.ExpressionNode
	char   int            // a character of a string; otherwise -1
	bits   *read.BitField // the bit-field, if it is one: offset is its structure's
}

// parts returns the parts that an initialiser sets, in order.
func (ini *initialisers) parts(n *cc.Initializer) []part {
	var out []part
	var visit func(n *cc.Initializer, shift int)
	visit = func(n *cc.Initializer, shift int) {
		if len(out) > layout.MaxScalars {
			syntax.Failf(n, "this initialiser has more than %d parts", layout.MaxScalars)
		}
		if n.Case == cc.InitializerInitList {
			if s := ini.braced(n.Type(), n.InitializerList); s != nil {
				a := n.Type().(*cc.ArrayType)
				if text, bits := values.CharactersOf(s.Value()); bits > 8 && a.Len() == 1 && len(text) > 1 {
					syntax.Failf(n, "a string of wide characters in braces is not supported without the length of "+
						"the array: write %d",
						len(text))
				}
				out = append(out, ini.characters(s, a, shift+int(n.Offset()))...)
				return
			}
			ini.list(n.InitializerList, shift, visit)
			return
		}
		t, at := n.Type(), shift+int(n.Offset())
		a, ok := t.(*cc.ArrayType)
		if !ok {
			p := part{at, t, n.AssignmentExpression, -1, ini.types.Qualifiers.BitField(n.Field())}
			if p.bits != nil {
				p.offset, p.t = at-p.bits.At, n.Field().Type()
			}
			out = append(out, p)
			return
		}
		out = append(out, ini.characters(n.AssignmentExpression, a, at)...)
	}
	visit(n, 0)
	return out
}

// braced returns the string that is the only initialiser in the braces of a compound literal of an array, or nil.
func (ini *initialisers) braced(t cc.Type, n *cc.InitializerList) cc.ExpressionNode {
	a, ok := t.(*cc.ArrayType)
	if !ok || n == nil || n.Initializer.Case != cc.InitializerExpr || n.Designation != nil ||
		ini.types.Width(a.Elem()) == 0 || a.Elem().Kind() == cc.Ptr {
		return nil
	}
	switch e := syntax.Unwrap(n.Initializer.AssignmentExpression); e.Value().(type) {
	case cc.StringValue, cc.UTF16StringValue, cc.UTF32StringValue:
		return e
	}
	return nil
}

// completed returns the type of a compound literal. An array without a length gets the length of the string in it.
func (ini *initialisers) completed(n *cc.PostfixExpression, t cc.Type) cc.Type {
	s := ini.braced(t, n.InitializerList)
	if a := n.TypeName.AbstractDeclarator; s == nil || a == nil || a.DirectAbstractDeclarator == nil ||
		a.DirectAbstractDeclarator.AssignmentExpression != nil {
		return t
	}
	return s.Type().Undecay()
}

// characters returns the elements of an array that a string initialises.
func (ini *initialisers) characters(e cc.ExpressionNode, a *cc.ArrayType, at int) (out []part) {
	text, bits := values.CharactersOf(syntax.Unwrap(e).Value())
	if size := int(a.Elem().Size()); bits == 0 || ini.types.Width(a.Elem()) != bits {
		syntax.Failf(e, "an array can only be initialised by a string of its character type or by values in braces")
	} else {
		for i := range min(len(text), max(int(a.Len()), 0)) {
			out = append(out, part{at + i*size, a.Elem(), nil, int(text[i]), nil})
		}
	}
	return out
}

// list visits the initialisers in braces. A range [from ... to] means each of its elements.
func (ini *initialisers) list(n *cc.InitializerList, shift int, visit func(n *cc.Initializer, shift int)) {
	for ; n != nil; n = n.InitializerList {
		count := int(n.Initializer.Len())
		if count > 1 && n.Designation.DesignatorList.DesignatorList != nil {
			syntax.Failf(n, "a range of elements must be the only designator")
		}
		if count > layout.MaxScalars {
			syntax.Failf(n, "this initialiser has more than %d parts", layout.MaxScalars)
		}
		for i := range count {
			visit(n.Initializer, shift+i*max(int(n.Initializer.Type().Size()), 0))
		}
	}
}

// initials evaluates the initialiser of a static variable. Its parts are constants or addresses.
func (p *program) initials(ast *cc.AST, n *cc.Initializer) []code.Initial {
	l := newLowerer(p, ast, &code.Function{}, nil)
	l.values.Static = true
	byOffset := map[int]code.Initial{}
	for _, part := range l.initialisers.parts(n) {
		if part.e == nil {
			byOffset[part.offset] = code.Initial{
				Offset: part.offset, Bits: l.types.Bits(n, part.t),
				Value: uint64(part.char),
			}
			continue
		}
		if layout.IsAggregate(part.t) {
			for _, in := range l.initialisers.literal(part.e) {
				in.Offset += part.offset
				byOffset[in.Offset] = in
			}
			continue
		}
		in := l.initialisers.scalarInitial(part)
		if part.bits != nil {
			l.initialisers.initialBits(part, in, byOffset)
			continue
		}
		byOffset[in.Offset] = in
	}
	return slices.SortedFunc(maps.Values(byOffset), func(a, b code.Initial) int { return a.Offset - b.Offset })
}

// literal returns the values of a compound literal in the initialiser of a static variable.
func (ini *initialisers) literal(e cc.ExpressionNode) []code.Initial {
	c, ok := syntax.Unwrap(e).(*cc.PostfixExpression)
	if !ok || c.Case != cc.PostfixExpressionComplit {
		syntax.Failf(e, "got %s, want a constant", cc.NodeSource(e))
	}
	var out []code.Initial
	if t := ini.completed(c, c.TypeName.Type()); ini.braced(t, c.InitializerList) != nil {
		for _, p := range ini.characters(ini.braced(t, c.InitializerList), t.(*cc.ArrayType), 0) {
			out = append(out, code.Initial{Offset: p.offset, Bits: ini.types.Bits(e, p.t), Value: uint64(p.char)})
		}
		return out
	}
	ini.list(c.InitializerList, 0, func(n *cc.Initializer, shift int) {
		for _, in := range ini.program.initials(ini.types.AST, n) {
			in.Offset += shift
			out = append(out, in)
		}
	})
	return out
}

// scalarInitial evaluates a scalar initialiser: a number, or an address plus a number.
func (ini *initialisers) scalarInitial(p part) code.Initial {
	ini.build.Function.Code = nil
	v := ini.values.Convert(p.e, ini.expressions.evaluate(p.e), p.t)
	in := code.Initial{Offset: p.offset, Bits: v.X.Width()}
	at := map[int]code.Locate{}
	for _, s := range ini.build.Function.Code {
		o, ok := s.Op.(code.Locate)
		if !ok {
			syntax.Failf(p.e, "got %s, want a constant", cc.NodeSource(p.e))
		}
		at[o.Dst] = o
	}
	var sum func(x ir.Expr) bool
	sum = func(x ir.Expr) bool {
		switch x := x.(type) {
		case ir.Const:
			in.Value = (in.Value + x.Value) & ir.Mask(in.Bits)
			return true
		case ir.Reg:
			o := at[x.Index]
			if in.Of != nil || in.Function != nil {
				return false
			}
			in.Of, in.Function = o.Of, o.Fn
			return o.Of != nil || o.Fn != nil
		case ir.Binary:
			y, known := x.Y.(ir.Const)
			switch {
			case x.Op == ir.Add:
				return sum(x.X) && sum(x.Y)
			case x.Op == ir.Sub && known:
				return sum(x.X) && sum(ir.Number(-y.Value, y.Bits))
			}
		}
		return false
	}
	if !sum(v.X) {
		syntax.Failf(p.e, "got %s, want a constant", cc.NodeSource(p.e))
	}
	return in
}

// initialBits adds the value of a bit-field to the initial value of the unit that contains it.
func (ini *initialisers) initialBits(p part, in code.Initial, byOffset map[int]code.Initial) {
	if in.Of != nil || in.Function != nil {
		syntax.Failf(p.e, "an address does not fit in a bit-field")
	}
	o := values.Object{Type: p.t, Bits: p.bits, Addr: ir.Number(0, ini.types.Pointer)}
	for i, at := range ini.memory.PiecesOf(o) {
		offset := p.offset + p.bits.Run.Pieces[i].Offset
		whole := code.Initial{Offset: offset, Bits: ini.types.Bits(p.e, at.Object.Type), Value: byOffset[offset].Value}
		mask := ir.Mask(at.Bits) << at.From
		if at.Bits == 0 {
			mask = 0
		}
		whole.Value = whole.Value&^mask | in.Value>>at.Lo<<at.From&mask
		byOffset[offset] = whole
	}
}
