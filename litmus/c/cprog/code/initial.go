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
func (ini *initialisers) parts(n *cc.Initializer) []part {
	var out []part
	var visit func(n *cc.Initializer, shift int)
	visit = func(n *cc.Initializer, shift int) {
		if len(out) > maxScalars {
			failf(n, "this initialiser has more than %d parts", maxScalars)
		}
		if n.Case == cc.InitializerInitList {
			if s := ini.braced(n.Type(), n.InitializerList); s != nil {
				a := n.Type().(*cc.ArrayType)
				if text, bits := charactersOf(s.Value()); bits > 8 && a.Len() == 1 && len(text) > 1 {
					failf(n, "a string of wide characters in braces: want the length of the array, %d", len(text))
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
			p := part{at, t, n.AssignmentExpression, -1, ini.types.qualifiers.BitField(n.Field())}
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

// braced is the string that stands alone in the braces of a compound literal of an array; nil where there is none.
func (ini *initialisers) braced(t cc.Type, n *cc.InitializerList) cc.ExpressionNode {
	a, ok := t.(*cc.ArrayType)
	if !ok || n == nil || n.Initializer.Case != cc.InitializerExpr || n.Designation != nil || ini.types.width(a.Elem()) == 0 || a.Elem().Kind() == cc.Ptr {
		return nil
	}
	switch e := unwrap(n.Initializer.AssignmentExpression); e.Value().(type) {
	case cc.StringValue, cc.UTF16StringValue, cc.UTF32StringValue:
		return e
	}
	return nil
}

// completed is the type of a compound literal, whose length, where it is not written, is that of the string in it.
func (ini *initialisers) completed(n *cc.PostfixExpression, t cc.Type) cc.Type {
	s := ini.braced(t, n.InitializerList)
	if a := n.TypeName.AbstractDeclarator; s == nil || a == nil || a.DirectAbstractDeclarator == nil || a.DirectAbstractDeclarator.AssignmentExpression != nil {
		return t
	}
	return s.Type().Undecay()
}

// characters are the elements of an array, of so many bits each, that a string initialises.
func (ini *initialisers) characters(e cc.ExpressionNode, a *cc.ArrayType, at int) (out []part) {
	text, bits := charactersOf(unwrap(e).Value())
	if size := int(a.Elem().Size()); bits == 0 || ini.types.width(a.Elem()) != bits {
		failf(e, "an array can be initialised by a string of its characters, or by values in braces, only")
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
func (ini *initialisers) list(n *cc.InitializerList, shift int, visit func(n *cc.Initializer, shift int)) {
	for ; n != nil; n = n.InitializerList {
		count := int(n.Initializer.Len())
		if count > 1 && n.Designation.DesignatorList.DesignatorList != nil {
			failf(n, "a range of elements can be designated alone only")
		}
		if count > maxScalars {
			failf(n, "this initialiser has more than %d parts", maxScalars)
		}
		for i := range count {
			visit(n.Initializer, shift+i*max(int(n.Initializer.Type().Size()), 0))
		}
	}
}

// initialise gives a local its first value. What the initialiser does not name is 0.
func (ds *declarations) initialise(o object, n *cc.Initializer) {
	plain := o
	plain.how = Access{Initial: true}
	if n.Case == cc.InitializerExpr && (o.reg >= 0 || aggregate(o.t) && aggregate(n.AssignmentExpression.Type())) {
		ds.memory.write(n, plain, ds.expressions.evaluate(n.AssignmentExpression))
		return
	}
	parts := ds.initialisers.parts(n)
	if o.reg >= 0 {
		v := ds.values.number(0, ds.types.ast.Int)
		if len(parts) > 0 {
			v = ds.expressions.evaluate(parts[0].e)
		}
		ds.memory.write(n, plain, v)
		return
	}
	ds.store(n, plain, parts)
}

// store sets the parts of an object in memory, and what else there is to 0.
func (ds *declarations) store(n cc.Node, o object, parts []part) {
	at := func(offset int, t cc.Type) object {
		return object{t: t, reg: -1, addr: fold(ir.Add, o.addr, ir.Number(uint64(offset), ds.types.pointer)), how: o.how}
	}
	named := make([]bool, max(ds.types.size(n, o.t), 1))
	for _, p := range parts {
		for i := range max(int(p.t.Size()), 0) {
			if p.offset+i < len(named) && p.bits == nil {
				named[p.offset+i] = true
			}
		}
	}
	for _, s := range ds.types.scalars(n, o.t) {
		if !named[s.offset] {
			ds.memory.write(n, at(s.offset, s.t), operand{ir.Number(0, ds.types.bits(n, s.t)), s.t})
		}
	}
	for _, p := range parts {
		var v operand
		if p.e != nil {
			v = ds.expressions.converting(p.e)
		} else {
			v = operand{ir.Number(uint64(p.char), ds.types.bits(n, p.t)), p.t}
		}
		to := at(p.offset, p.t)
		to.bits = p.bits
		ds.memory.write(n, to, v)
	}
}

// compound makes the object of a compound literal.
func (ds *declarations) compound(n *cc.PostfixExpression) object {
	t := n.TypeName.Type() // the expression's own may be a pointer to it
	if ds.values.static {
		t = ds.initialisers.completed(n, t)
		v := &Variable{Pos: read.Place(n), Size: ds.types.size(n, t), Align: t.Align(), Static: true, Init: ds.initialisers.literal(n), Layout: ds.types.layout("", t)}
		return object{t: t, reg: -1, addr: ds.memory.locate(v)}
	}
	t = ds.initialisers.completed(n, t)
	v := ds.memory.hidden(n, t)
	o := object{t: t, reg: -1, addr: ds.memory.locate(v)}
	var parts []part
	if s := ds.initialisers.braced(t, n.InitializerList); s != nil {
		parts = ds.initialisers.characters(s, t.(*cc.ArrayType), 0)
		ds.store(n, o, parts)
		return o
	}
	ds.initialisers.list(n.InitializerList, 0, func(n *cc.Initializer, shift int) {
		for _, p := range ds.initialisers.parts(n) {
			p.offset += shift
			parts = append(parts, p)
		}
	})
	ds.store(n, o, parts)
	return o
}

// declaration lowers a declaration in a block.
func (ds *declarations) declaration(n *cc.Declaration) {
	if list := n.InitDeclaratorList; list == nil || list.InitDeclarator.Declarator.Name() != "__func__" { // which cc has put there
		ds.position.at(n)
	}
	ds.declared(n)
}

func (ds *declarations) declared(n *cc.Declaration) {
	switch n.Case {
	case cc.DeclarationAuto:
		ds.initialise(ds.declare(n.Declarator), n.Initializer)
		return
	case cc.DeclarationAssert:
		return
	}
	for list := n.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
		d, init := list.InitDeclarator.Declarator, list.InitDeclarator.Initializer
		if _, long := ofVariableLength(d.Type()); long && (d.IsTypename() || d.IsStatic() || init != nil) {
			failf(d, "%s has a length that is not constant: want an array of its own, without an initialiser", d.Name())
		}
		switch {
		case d.IsTypename() || d.Type().Kind() == cc.Function || d.IsExtern():
		case d.IsStatic():
			ast := ds.types.ast
			if ds.program.statics[d] == nil {
				ds.program.statics[d] = ds.symbols.newStatic(d, func() (*cc.AST, *cc.Initializer) { return ast, init })
			}
		default:
			o := ds.declare(d)
			switch {
			case init != nil:
				ds.initialise(o, init)
			case o.reg >= 0:
				ds.build.emit(Choose{Dst: o.reg, First: d})
			case ds.locals.bindings[d].of != nil:
				ds.build.emit(Begin{ds.locals.bindings[d].of})
			}
			if by := ds.types.qualifiers.Cleanup[d]; by != nil {
				ds.cleaned(d, o, by)
			}
		}
	}
}

// text is the variable of a string literal.
func (ls *literals) of(n *cc.PrimaryExpression) *Variable {
	s, ok := n.Value().(cc.StringValue)
	if ok {
		return ls.add(n, n.Token.SrcStr(), string(s))
	}
	text, bits := charactersOf(n.Value())
	if bits == 0 {
		failf(n, "this string is not supported")
	}
	key := fmt.Sprint(bits, text)
	if v, ok := ls.strings[key]; ok {
		return v
	}
	v := &Variable{Name: n.Token.SrcStr(), Pos: read.Place(n), Size: len(text) * bits / 8, Align: bits / 8, Static: true}
	for i, ch := range text {
		v.Init = append(v.Init, Initial{Offset: i * bits / 8, Bits: bits, Value: uint64(ch)})
	}
	ls.strings[key] = v
	return v
}

// literalText is the variable of a text, with its end, which is written so.
func (ls *literals) add(n cc.Node, written, s string) *Variable {
	if v, ok := ls.strings[s]; ok {
		return v
	}
	v := &Variable{Name: written, Pos: read.Place(n), Size: len(s), Align: 1, Static: true, ReadOnly: StringLiteral}
	for i, ch := range []byte(s) {
		v.Init = append(v.Init, Initial{Offset: i, Bits: 8, Value: uint64(ch)})
	}
	ls.strings[s] = v
	return v
}

// initials evaluates the initialiser of a static variable, all of which is known before the program runs.
func (p *program) initials(ast *cc.AST, n *cc.Initializer) []Initial {
	l := newLowerer(p, ast, &Function{}, nil)
	l.values.static = true
	byOffset := map[int]Initial{}
	for _, part := range l.initialisers.parts(n) {
		if part.e == nil {
			byOffset[part.offset] = Initial{Offset: part.offset, Bits: l.types.bits(n, part.t), Value: uint64(part.char)}
			continue
		}
		if aggregate(part.t) {
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
	return slices.SortedFunc(maps.Values(byOffset), func(a, b Initial) int { return a.Offset - b.Offset })
}

// literal is a struct in a static variable's initialiser: a compound literal.
func (ini *initialisers) literal(e cc.ExpressionNode) []Initial {
	c, ok := unwrap(e).(*cc.PostfixExpression)
	if !ok || c.Case != cc.PostfixExpressionComplit {
		failf(e, "got %s, want what is known before the program runs", cc.NodeSource(e))
	}
	var out []Initial
	if t := ini.completed(c, c.TypeName.Type()); ini.braced(t, c.InitializerList) != nil {
		for _, p := range ini.characters(ini.braced(t, c.InitializerList), t.(*cc.ArrayType), 0) {
			out = append(out, Initial{Offset: p.offset, Bits: ini.types.bits(e, p.t), Value: uint64(p.char)})
		}
		return out
	}
	ini.list(c.InitializerList, 0, func(n *cc.Initializer, shift int) {
		for _, in := range ini.program.initials(ini.types.ast, n) {
			in.Offset += shift
			out = append(out, in)
		}
	})
	return out
}

// scalarInitial evaluates a scalar: a number, or an address with a number added.
func (ini *initialisers) scalarInitial(p part) Initial {
	ini.build.function.Code = nil
	v := ini.values.convert(p.e, ini.expressions.evaluate(p.e), p.t)
	in := Initial{Offset: p.offset, Bits: v.x.Width()}
	at := map[int]Locate{}
	for _, s := range ini.build.function.Code {
		o, ok := s.Op.(Locate)
		if !ok {
			failf(p.e, "got %s, want what is known before the program runs", cc.NodeSource(p.e))
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
		failf(p.e, "got %s, want what is known before the program runs", cc.NodeSource(p.e))
	}
	return in
}
