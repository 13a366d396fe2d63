package code

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// part is a scalar, or a whole struct, that an initialiser gives a value to.
type part struct {
	offset int
	t      cc.Type
	e      cc.ExpressionNode
	char   int            // of a string, what is there; else -1
	bits   *read.BitField // of one: offset is its structure's
}

// parts are what an initialiser says, in its order.
func (l *lowerer) parts(n *cc.Initializer) []part {
	var out []part
	var visit func(n *cc.Initializer, shift int)
	visit = func(n *cc.Initializer, shift int) {
		if len(out) > maxScalars {
			l.failf(n, "this initialiser has more than %d parts", maxScalars)
		}
		if n.Case == cc.InitializerInitList {
			if s := l.braced(n.Type(), n.InitializerList); s != nil {
				a := n.Type().(*cc.ArrayType)
				if text, bits := charactersOf(s.Value()); bits > 8 && a.Len() == 1 && len(text) > 1 {
					l.failf(n, "a string of wide characters in braces: want the length of the array, %d", len(text))
				}
				out = append(out, l.characters(s, a, shift+int(n.Offset()))...)
				return
			}
			l.list(n.InitializerList, shift, visit)
			return
		}
		t, at := n.Type(), shift+int(n.Offset())
		a, ok := t.(*cc.ArrayType)
		if !ok {
			p := part{at, t, n.AssignmentExpression, -1, l.BitField(n.Field())}
			if p.bits != nil {
				p.offset, p.t = at-p.bits.At, n.Field().Type()
			}
			out = append(out, p)
			return
		}
		out = append(out, l.characters(n.AssignmentExpression, a, at)...)
	}
	visit(n, 0)
	return out
}

// braced is the string that stands alone in the braces of a compound literal of an array; nil where there is none.
func (l *lowerer) braced(t cc.Type, n *cc.InitializerList) cc.ExpressionNode {
	a, ok := t.(*cc.ArrayType)
	if !ok || n == nil || n.Initializer.Case != cc.InitializerExpr || n.Designation != nil || l.Unit.bits(a.Elem()) == 0 || a.Elem().Kind() == cc.Ptr {
		return nil
	}
	switch e := unwrap(n.Initializer.AssignmentExpression); e.Value().(type) {
	case cc.StringValue, cc.UTF16StringValue, cc.UTF32StringValue:
		return e
	}
	return nil
}

// completed is the type of a compound literal, whose length, where it is not written, is that of the string in it.
func (l *lowerer) completed(n *cc.PostfixExpression, t cc.Type) cc.Type {
	s := l.braced(t, n.InitializerList)
	if a := n.TypeName.AbstractDeclarator; s == nil || a == nil || a.DirectAbstractDeclarator == nil || a.DirectAbstractDeclarator.AssignmentExpression != nil {
		return t
	}
	return s.Type().Undecay()
}

// characters are the elements of an array, of so many bits each, that a string initialises.
func (l *lowerer) characters(e cc.ExpressionNode, a *cc.ArrayType, at int) (out []part) {
	text, bits := charactersOf(unwrap(e).Value())
	if size := int(a.Elem().Size()); bits == 0 || l.Unit.bits(a.Elem()) != bits {
		l.failf(e, "an array can be initialised by a string of its characters, or by values in braces, only")
	} else {
		for i := range min(len(text), max(int(a.Len()), 0)) {
			out = append(out, part{at + i*size, a.Elem(), nil, int(text[i]), nil})
		}
	}
	return out
}

// charactersOf are the characters of a string, with its end, and how many bits each has; 0 where it is none.
func charactersOf(v cc.Value) (text []rune, bits int) {
	switch s := v.(type) {
	case cc.StringValue:
		for i := range len(s) {
			text = append(text, rune(s[i]))
		}
		return text, 8
	case cc.UTF16StringValue:
		for _, u := range s {
			text = append(text, rune(u))
		}
		return text, 16
	case cc.UTF32StringValue:
		return s, 32
	}
	return nil, 0
}

// list visits what is in braces; [from ... to] stands for as many as that.
func (l *lowerer) list(n *cc.InitializerList, shift int, visit func(n *cc.Initializer, shift int)) {
	for ; n != nil; n = n.InitializerList {
		count := int(n.Initializer.Len())
		if count > 1 && n.Designation.DesignatorList.DesignatorList != nil {
			l.failf(n, "a range of elements can be designated alone only")
		}
		if count > maxScalars {
			l.failf(n, "this initialiser has more than %d parts", maxScalars)
		}
		for i := range count {
			visit(n.Initializer, shift+i*max(int(n.Initializer.Type().Size()), 0))
		}
	}
}

// initialise gives a local its first value. What the initialiser does not name is 0.
func (l *lowerer) initialise(o object, n *cc.Initializer) {
	plain := o
	plain.how = Access{Initial: true}
	if n.Case == cc.InitializerExpr && (o.reg >= 0 || aggregate(o.t) && aggregate(n.AssignmentExpression.Type())) {
		l.write(n, plain, l.expr(n.AssignmentExpression))
		return
	}
	parts := l.parts(n)
	if o.reg >= 0 {
		v := l.number(0, l.ast.Int)
		if len(parts) > 0 {
			v = l.expr(parts[0].e)
		}
		l.write(n, plain, v)
		return
	}
	l.store(n, plain, parts)
}

// store sets the parts of an object in memory, and what else there is to 0.
func (l *lowerer) store(n cc.Node, o object, parts []part) {
	at := func(offset int, t cc.Type) object {
		return object{t: t, reg: -1, addr: fold(ir.Add, o.addr, ir.Number(uint64(offset), l.Unit.Pointer)), how: o.how}
	}
	named := make([]bool, max(l.size(n, o.t), 1))
	for _, p := range parts {
		for i := range max(int(p.t.Size()), 0) {
			if p.offset+i < len(named) && p.bits == nil {
				named[p.offset+i] = true
			}
		}
	}
	for _, s := range l.scalars(n, o.t) {
		if !named[s.offset] {
			l.write(n, at(s.offset, s.t), operand{ir.Number(0, l.bits(n, s.t)), s.t})
		}
	}
	for _, p := range parts {
		var v operand
		if p.e != nil {
			v = l.converting(p.e)
		} else {
			v = operand{ir.Number(uint64(p.char), l.bits(n, p.t)), p.t}
		}
		to := at(p.offset, p.t)
		to.bits = p.bits
		l.write(n, to, v)
	}
}

// compound makes the object of a compound literal.
func (l *lowerer) compound(n *cc.PostfixExpression) object {
	t := n.TypeName.Type() // the expression's own may be a pointer to it
	if l.static {
		t = l.completed(n, t)
		v := &Variable{Pos: read.Place(n), Size: l.size(n, t), Align: t.Align(), Static: true, Init: l.literal(n), Layout: l.layout("", t)}
		return object{t: t, reg: -1, addr: l.locate(v)}
	}
	t = l.completed(n, t)
	v := l.hidden(n, t)
	o := object{t: t, reg: -1, addr: l.locate(v)}
	var parts []part
	if s := l.braced(t, n.InitializerList); s != nil {
		parts = l.characters(s, t.(*cc.ArrayType), 0)
		l.store(n, o, parts)
		return o
	}
	l.list(n.InitializerList, 0, func(n *cc.Initializer, shift int) {
		for _, p := range l.parts(n) {
			p.offset += shift
			parts = append(parts, p)
		}
	})
	l.store(n, o, parts)
	return o
}

// declaration lowers a declaration in a block.
func (l *lowerer) declaration(n *cc.Declaration) {
	if list := n.InitDeclaratorList; list == nil || list.InitDeclarator.Declarator.Name() != "__func__" { // which cc has put there
		l.at(n)
	}
	l.declared(n)
}

func (l *lowerer) declared(n *cc.Declaration) {
	switch n.Case {
	case cc.DeclarationAuto:
		l.initialise(l.declare(n.Declarator), n.Initializer)
		return
	case cc.DeclarationAssert:
		return
	}
	for list := n.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
		d, init := list.InitDeclarator.Declarator, list.InitDeclarator.Initializer
		if _, long := ofVariableLength(d.Type()); long && (d.IsTypename() || d.IsStatic() || init != nil) {
			l.failf(d, "%s has a length that is not constant: want an array of its own, without an initialiser", d.Name())
		}
		switch {
		case d.IsTypename() || d.Type().Kind() == cc.Function || d.IsExtern():
		case d.IsStatic():
			ast := l.ast
			if l.statics[d] == nil {
				l.statics[d] = l.newStatic(d, func() (*cc.AST, *cc.Initializer) { return ast, init })
			}
		default:
			o := l.declare(d)
			switch {
			case init != nil:
				l.initialise(o, init)
			case o.reg >= 0:
				l.emit(Choose{Dst: o.reg, First: d})
			case l.locals[d].of != nil:
				l.emit(Begin{l.locals[d].of})
			}
			if by := l.Cleanup[d]; by != nil {
				l.cleaned(d, o, by)
			}
		}
	}
}

// text is the variable of a string literal.
func (l *lowerer) text(n *cc.PrimaryExpression) *Variable {
	s, ok := n.Value().(cc.StringValue)
	if ok {
		return l.literalText(n, n.Token.SrcStr(), string(s))
	}
	text, bits := charactersOf(n.Value())
	if bits == 0 {
		l.failf(n, "this string is not supported")
	}
	key := fmt.Sprint(bits, text)
	if v, ok := l.strings[key]; ok {
		return v
	}
	v := &Variable{Name: n.Token.SrcStr(), Pos: read.Place(n), Size: len(text) * bits / 8, Align: bits / 8, Static: true}
	for i, ch := range text {
		v.Init = append(v.Init, Initial{Offset: i * bits / 8, Bits: bits, Value: uint64(ch)})
	}
	l.strings[key] = v
	return v
}

// literalText is the variable of a text, with its end, which is written so.
func (l *lowerer) literalText(n cc.Node, written, s string) *Variable {
	if v, ok := l.strings[s]; ok {
		return v
	}
	v := &Variable{Name: written, Pos: read.Place(n), Size: len(s), Align: 1, Static: true, ReadOnly: StringLiteral}
	for i, ch := range []byte(s) {
		v.Init = append(v.Init, Initial{Offset: i, Bits: 8, Value: uint64(ch)})
	}
	l.strings[s] = v
	return v
}

// initials evaluates the initialiser of a static variable, all of which is known before the program runs.
func (p *program) initials(ast *cc.AST, n *cc.Initializer) []Initial {
	l := &lowerer{program: p, ast: ast, static: true, f: &Function{}, locals: map[*cc.Declarator]binding{}}
	byOffset := map[int]Initial{}
	for _, part := range l.parts(n) {
		if part.e == nil {
			byOffset[part.offset] = Initial{Offset: part.offset, Bits: l.bits(n, part.t), Value: uint64(part.char)}
			continue
		}
		if aggregate(part.t) {
			for _, in := range l.literal(part.e) {
				in.Offset += part.offset
				byOffset[in.Offset] = in
			}
			continue
		}
		in := l.scalarInitial(part)
		if part.bits != nil {
			l.initialBits(part, in, byOffset)
			continue
		}
		byOffset[in.Offset] = in
	}
	return slices.SortedFunc(maps.Values(byOffset), func(a, b Initial) int { return a.Offset - b.Offset })
}

// literal is a struct in a static variable's initialiser: a compound literal.
func (l *lowerer) literal(e cc.ExpressionNode) []Initial {
	c, ok := unwrap(e).(*cc.PostfixExpression)
	if !ok || c.Case != cc.PostfixExpressionComplit {
		l.failf(e, "got %s, want what is known before the program runs", cc.NodeSource(e))
	}
	var out []Initial
	if t := l.completed(c, c.TypeName.Type()); l.braced(t, c.InitializerList) != nil {
		for _, p := range l.characters(l.braced(t, c.InitializerList), t.(*cc.ArrayType), 0) {
			out = append(out, Initial{Offset: p.offset, Bits: l.bits(e, p.t), Value: uint64(p.char)})
		}
		return out
	}
	l.list(c.InitializerList, 0, func(n *cc.Initializer, shift int) {
		for _, in := range l.initials(l.ast, n) {
			in.Offset += shift
			out = append(out, in)
		}
	})
	return out
}

// scalarInitial evaluates a scalar: a number, or an address with a number added.
func (l *lowerer) scalarInitial(p part) Initial {
	l.f.Code = nil
	v := l.convert(p.e, l.expr(p.e), p.t)
	in := Initial{Offset: p.offset, Bits: v.x.Width()}
	at := map[int]Locate{}
	for _, s := range l.f.Code {
		o, ok := s.Op.(Locate)
		if !ok {
			l.failf(p.e, "got %s, want what is known before the program runs", cc.NodeSource(p.e))
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
	if !sum(v.x) {
		l.failf(p.e, "got %s, want what is known before the program runs", cc.NodeSource(p.e))
	}
	return in
}
