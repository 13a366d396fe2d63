package code

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

// binding is where a local is: in a register, in memory of the call's or a static's own, or, a struct that the caller
// has made a copy of, at an address.
type binding struct {
	reg int
	of  *Variable
	by  ir.Expr
	// size is that of an array of variable length, in bytes.
	size ir.Expr
}

// pointed adds the locals of a function whose address is taken, other than for a builtin to write
// them while it is called.
func (l *lowerer) pointed(body cc.Node, taken map[*cc.Declarator]bool) {
	out := map[cc.Node]bool{}
	read.Walk(body, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.InitDeclarator:
			if l.Cleanup[n.Declarator] != nil {
				taken[n.Declarator] = true
			}
		case *cc.PostfixExpression:
			for _, a := range l.outArguments(n) {
				e := unwrap(a)
				for c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast; c, ok = e.(*cc.CastExpression) {
					e = unwrap(c.CastExpression)
				}
				out[e] = true
			}
		case *cc.UnaryExpression:
			if n.Case != cc.UnaryExpressionAddrof || out[n] {
				return true
			}
			if d := root(n.CastExpression); d != nil {
				taken[d] = true
			}
		}
		return true
	})
}

// root is the local that an lvalue is, or is a part of.
func root(e cc.ExpressionNode) *cc.Declarator {
	switch n := unwrap(e).(type) {
	case *cc.PrimaryExpression:
		d, _ := n.ResolvedTo().(*cc.Declarator)
		return d
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionSelect || n.Case == cc.PostfixExpressionIndex {
			return root(n.PostfixExpression)
		}
	}
	return nil
}

// unwrap takes parentheses off.
func unwrap(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		n, ok := e.(*cc.PrimaryExpression)
		if !ok || n.Case != cc.PrimaryExpressionExpr {
			return e
		}
		if _, comma := n.ExpressionList.(*cc.ExpressionList); comma {
			return e
		}
		e = n.ExpressionList
	}
}

// functionNamed is the function that an expression names, if it does only that.
func functionNamed(e cc.ExpressionNode) *cc.Declarator {
	switch n := unwrap(e).(type) {
	case *cc.PrimaryExpression:
		if d, ok := n.ResolvedTo().(*cc.Declarator); ok && n.Case == cc.PrimaryExpressionIdent && d.Type().Kind() == cc.Function {
			return d
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionAddrof || n.Case == cc.UnaryExpressionDeref {
			return functionNamed(n.CastExpression)
		}
	}
	return nil
}

// declare makes a local of a declarator, in a register where it can be.
func (l *lowerer) declare(d *cc.Declarator) object {
	t := d.Type()
	l.measure(d, t)
	if a, ok := ofVariableLength(t); ok {
		return l.declareLong(d, a)
	}
	if !aggregate(t) && t.Kind() != cc.Array && !l.inMemory[d] {
		r := l.temp(l.bits(d, t))
		l.f.Regs[r].Name = d.Name()
		l.locals[d] = binding{reg: r}
		return object{t: t, reg: r}
	}
	v := l.hidden(d, t)
	v.Name, v.Align, v.Layout = d.Name(), max(v.Align, d.Alignas()), l.layout(d.Name(), t)
	if constant(t) {
		v.ReadOnly = ConstObject
	}
	l.locals[d] = binding{of: v}
	if in := len(l.scopes) - 1; in > 0 && !l.scopes[in].lasts { // else it ends with the call
		l.scopes[in].locals = append(l.scopes[in].locals, v)
		l.emit(Life{Of: v})
	}
	return object{t: t, reg: -1, addr: l.locate(v)}
}

// ofVariableLength is t as an array of a length that is not constant.
func ofVariableLength(t cc.Type) (*cc.ArrayType, bool) {
	a, ok := t.(*cc.ArrayType)
	return a, ok && a.IsVLA()
}

// bytes is the size of an array of variable length.
func (l *lowerer) bytes(n cc.Node, a *cc.ArrayType) ir.Expr {
	length, ok := l.lengths[a.SizeExpression()]
	if !ok {
		l.failf(n, "the length of %s is not known here: want an array that is declared with it", a)
	}
	if inner, long := ofVariableLength(a.Elem()); long {
		return l.keep(fold(ir.Mul, length, l.bytes(n, inner)))
	}
	return l.keep(fold(ir.Mul, length, ir.Number(uint64(l.size(n, a.Elem())), l.Unit.Pointer)))
}

// measure evaluates the lengths that are not constant in a type where it is declared.
func (l *lowerer) measure(n cc.Node, t cc.Type) {
	switch t := t.(type) {
	case *cc.PointerType:
		if _, function := t.Elem().(*cc.FunctionType); !function && !aggregate(t.Elem()) {
			l.measure(n, t.Elem())
		}
	case *cc.ArrayType:
		l.measure(n, t.Elem())
		if e := t.SizeExpression(); t.IsVLA() && e != nil {
			if l.lengths == nil {
				l.lengths = map[cc.ExpressionNode]ir.Expr{}
			}
			l.lengths[e] = l.keep(l.convert(n, l.expr(e), l.ast.SizeT).x)
		}
	}
}

// declareLong makes an array of variable length: memory that is made where control comes by.
func (l *lowerer) declareLong(d *cc.Declarator, a *cc.ArrayType) object {
	size := l.bytes(d, a)
	dst := l.temp(l.Unit.Pointer)
	l.emit(Allocate{Dst: dst, Size: size, Name: d.Name(), Layout: l.layout("", a), Unit: int(max(a.Elem().Size(), 1)), Local: true})
	if in := len(l.scopes) - 1; in > 0 && !l.scopes[in].lasts { // else it ends with the call
		l.scopes[in].arrays = append(l.scopes[in].arrays, l.reg(dst).(ir.Reg))
	}
	l.locals[d] = binding{by: l.reg(dst), size: size}
	return object{t: a, reg: -1, addr: l.reg(dst)}
}
