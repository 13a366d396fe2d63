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
func (ds *declarations) pointed(body cc.Node, taken map[*cc.Declarator]bool) {
	out := map[cc.Node]bool{}
	read.Walk(body, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.InitDeclarator:
			if ds.types.qualifiers.Cleanup[n.Declarator] != nil {
				taken[n.Declarator] = true
			}
		case *cc.PostfixExpression:
			for _, a := range ds.symbols.outArguments(n) {
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
func (ds *declarations) declare(d *cc.Declarator) object {
	t := d.Type()
	ds.measure(d, t)
	if a, ok := ofVariableLength(t); ok {
		return ds.declareLong(d, a)
	}
	if !aggregate(t) && t.Kind() != cc.Array && !ds.locals.inMemory[d] {
		r := ds.build.temp(ds.types.bits(d, t))
		ds.build.function.Regs[r].Name = d.Name()
		ds.locals.bindings[d] = binding{reg: r}
		return object{t: t, reg: r}
	}
	v := ds.memory.hidden(d, t)
	v.Name, v.Align, v.Layout = d.Name(), max(v.Align, d.Alignas()), ds.types.layout(d.Name(), t)
	if constant(t) {
		v.ReadOnly = ConstObject
	}
	ds.locals.bindings[d] = binding{of: v}
	if in := len(ds.flow.scopes) - 1; in > 0 && !ds.flow.scopes[in].lasts { // else it ends with the call
		ds.flow.scopes[in].locals = append(ds.flow.scopes[in].locals, v)
		ds.build.emit(Life{Of: v})
	}
	return object{t: t, reg: -1, addr: ds.memory.locate(v)}
}

// ofVariableLength is t as an array of a length that is not constant.
func ofVariableLength(t cc.Type) (*cc.ArrayType, bool) {
	a, ok := t.(*cc.ArrayType)
	return a, ok && a.IsVLA()
}

// bytes is the size of an array of variable length.
func (vs *values) bytes(n cc.Node, a *cc.ArrayType) ir.Expr {
	length, ok := vs.lengths[a.SizeExpression()]
	if !ok {
		failf(n, "the length of %s is not known here: want an array that is declared with it", a)
	}
	if inner, long := ofVariableLength(a.Elem()); long {
		return vs.build.keep(fold(ir.Mul, length, vs.bytes(n, inner)))
	}
	return vs.build.keep(fold(ir.Mul, length, ir.Number(uint64(vs.types.size(n, a.Elem())), vs.types.pointer)))
}

// measure evaluates the lengths that are not constant in a type where it is declared.
func (ds *declarations) measure(n cc.Node, t cc.Type) {
	switch t := t.(type) {
	case *cc.PointerType:
		if _, function := t.Elem().(*cc.FunctionType); !function && !aggregate(t.Elem()) {
			ds.measure(n, t.Elem())
		}
	case *cc.ArrayType:
		ds.measure(n, t.Elem())
		if e := t.SizeExpression(); t.IsVLA() && e != nil {
			if ds.values.lengths == nil {
				ds.values.lengths = map[cc.ExpressionNode]ir.Expr{}
			}
			ds.values.lengths[e] = ds.build.keep(ds.values.convert(n, ds.expressions.evaluate(e), ds.types.ast.SizeT).x)
		}
	}
}

// declareLong makes an array of variable length: memory that is made where control comes by.
func (ds *declarations) declareLong(d *cc.Declarator, a *cc.ArrayType) object {
	size := ds.values.bytes(d, a)
	dst := ds.build.temp(ds.types.pointer)
	ds.build.emit(Allocate{Dst: dst, Size: size, Name: d.Name(), Layout: ds.types.layout("", a), Unit: int(max(a.Elem().Size(), 1)), Local: true})
	if in := len(ds.flow.scopes) - 1; in > 0 && !ds.flow.scopes[in].lasts { // else it ends with the call
		ds.flow.scopes[in].arrays = append(ds.flow.scopes[in].arrays, ds.build.reg(dst).(ir.Reg))
	}
	ds.locals.bindings[d] = binding{by: ds.build.reg(dst), size: size}
	return object{t: a, reg: -1, addr: ds.build.reg(dst)}
}
