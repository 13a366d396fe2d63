package codegen

import (
	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// binding is the storage of a local variable: a register, memory of the call, a static variable, or, for a structure
// that the caller has copied, an address.
type binding struct {
	reg int
	of  *code.Variable
	by  ir.Expr
	// size is the size of an array of variable length, in bytes.
	size ir.Expr
}

// declarations makes code for declarations in blocks, and for parameters.
type declarations struct {
	program      *program
	build        *code.Builder
	types        *layout.Types
	values       *values.Arithmetic
	memory       *values.Memory
	symbols      *symbols
	locals       *locals
	flow         *flow
	position     *position
	expressions  *expressions
	initialisers *initialisers
}

// cleaned registers the clean-up function of a variable for the end of the current scope.
func (ds *declarations) cleaned(d *cc.Declarator, o values.Object, by cc.ExpressionNode) {
	f := syntax.FunctionNamed(by)
	if f == nil || ds.symbols.functionOf(f) == nil {
		syntax.Failf(by, "attribute cleanup needs a function that the program defines, got %s", cc.NodeSource(by))
	}
	fn := ds.symbols.functionOf(f)
	if t := ds.symbols.find(f).declared.Type().(*cc.FunctionType); len(t.Parameters()) != 1 {
		syntax.Failf(by, "%s has %d parameters, want one", f.Name(), len(t.Parameters()))
	}
	c := code.Call{Dst: -1, Fn: fn, Args: []ir.Expr{o.Addr}}
	s := ds.flow.scopes[len(ds.flow.scopes)-1]
	s.calls, s.lines = append(s.calls, c), append(s.lines, ds.build.Line)
	ds.flow.cleans = append(ds.flow.cleans, d)
}

// pointed adds to taken the locals of a function whose address is taken, except by builtins that only write them during
// the call.
func (ds *declarations) pointed(body cc.Node, taken map[*cc.Declarator]bool) {
	out := map[cc.Node]bool{}
	read.Walk(body, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.InitDeclarator:
			if ds.types.Qualifiers.Cleanup[n.Declarator] != nil {
				taken[n.Declarator] = true
			}
		case *cc.PostfixExpression:
			for _, a := range ds.symbols.outArguments(n) {
				e := syntax.Unwrap(a)
				for c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast; c,
					ok = e.(*cc.CastExpression) {
					e = syntax.Unwrap(c.CastExpression)
				}
				out[e] = true
			}
		case *cc.UnaryExpression:
			if n.Case != cc.UnaryExpressionAddrof || out[n] {
				return true
			}
			if d := syntax.Root(n.CastExpression); d != nil {
				taken[d] = true
			}
		}
		return true
	})
}

// declare creates a local variable, in a register if possible.
func (ds *declarations) declare(d *cc.Declarator) values.Object {
	t := d.Type()
	ds.measure(d, t)
	if a, ok := layout.OfVariableLength(t); ok {
		return ds.declareLong(d, a)
	}
	if !layout.IsAggregate(t) && t.Kind() != cc.Array && !ds.locals.inMemory[d] {
		r := ds.build.Temp(ds.types.Bits(d, t))
		ds.build.Function.Regs[r].Name = d.Name()
		ds.locals.bindings[d] = binding{reg: r}
		return values.Object{Type: t, Reg: r}
	}
	v := ds.memory.Hidden(d, t)
	v.Name, v.Align, v.Layout = d.Name(), max(v.Align, d.Alignas()), ds.types.Layout(d.Name(), t)
	if layout.IsConst(t) {
		v.ReadOnly = code.ConstObject
	}
	ds.locals.bindings[d] = binding{of: v}
	if in := len(ds.flow.scopes) - 1; in > 0 && !ds.flow.scopes[in].lasts { // otherwise it ends with the call
		ds.flow.scopes[in].locals = append(ds.flow.scopes[in].locals, v)
		ds.build.Emit(code.Life{Of: v})
	}
	return values.At(t, ds.memory.Locate(v))
}

// measure evaluates, at the declaration, the array lengths in a type that are not constant.
func (ds *declarations) measure(n cc.Node, t cc.Type) {
	switch t := t.(type) {
	case *cc.PointerType:
		if _, function := t.Elem().(*cc.FunctionType); !function && !layout.IsAggregate(t.Elem()) {
			ds.measure(n, t.Elem())
		}
	case *cc.ArrayType:
		ds.measure(n, t.Elem())
		if e := t.SizeExpression(); t.IsVLA() && e != nil {
			if ds.values.Lengths == nil {
				ds.values.Lengths = map[cc.ExpressionNode]ir.Expr{}
			}
			ds.values.Lengths[e] = ds.build.Keep(ds.values.Convert(n, ds.expressions.evaluate(e), ds.types.AST.SizeT).X)
		}
	}
}

// declareLong creates an array of variable length: memory that is allocated when control reaches the declaration.
func (ds *declarations) declareLong(d *cc.Declarator, a *cc.ArrayType) values.Object {
	size := ds.values.Bytes(d, a)
	dst := ds.build.Temp(ds.types.Pointer)
	ds.build.Emit(code.Allocate{
		Dst: dst, Size: size, Name: d.Name(), Layout: ds.types.Layout("", a),
		Unit: int(max(a.Elem().Size(), 1)), Local: true,
	})
	if in := len(ds.flow.scopes) - 1; in > 0 && !ds.flow.scopes[in].lasts { // otherwise it ends with the call
		ds.flow.scopes[in].arrays = append(ds.flow.scopes[in].arrays, ds.build.Reg(dst).(ir.Reg))
	}
	ds.locals.bindings[d] = binding{by: ds.build.Reg(dst), size: size}
	return values.At(a, ds.build.Reg(dst))
}

// initialise sets a local variable's first value. Parts without an initialiser become 0.
func (ds *declarations) initialise(o values.Object, n *cc.Initializer) {
	plain := o
	plain.How = code.Access{Initial: true}
	if n.Case == cc.InitializerExpr &&
		(o.Reg >= 0 || layout.IsAggregate(o.Type) && layout.IsAggregate(n.AssignmentExpression.Type())) {
		ds.memory.Write(n, plain, ds.expressions.evaluate(n.AssignmentExpression))
		return
	}
	parts := ds.initialisers.parts(n)
	if o.Reg >= 0 {
		v := ds.values.Number(0, ds.types.AST.Int)
		if len(parts) > 0 {
			v = ds.expressions.evaluate(parts[0].e)
		}
		ds.memory.Write(n, plain, v)
		return
	}
	ds.store(n, plain, parts)
}

// store sets the given parts of an object in memory, and all other parts to 0.
func (ds *declarations) store(n cc.Node, o values.Object, parts []part) {
	at := func(offset int, t cc.Type) values.Object {
		return values.Object{
			Type: t, Reg: -1, Addr: code.Fold(ir.Add, o.Addr, ir.Number(uint64(offset), ds.types.Pointer)), How: o.How,
		}
	}
	named := make([]bool, max(ds.types.Size(n, o.Type), 1))
	for _, p := range parts {
		for i := range max(int(p.t.Size()), 0) {
			if p.offset+i < len(named) && p.bits == nil {
				named[p.offset+i] = true
			}
		}
	}
	for _, s := range ds.types.Scalars(n, o.Type) {
		if !named[s.Offset] {
			ds.memory.Write(n, at(s.Offset, s.Type), values.Of(ir.Number(0, ds.types.Bits(n, s.Type)), s.Type))
		}
	}
	for _, p := range parts {
		var v values.Operand
		if p.e != nil {
			v = ds.expressions.converting(p.e)
		} else {
			v = values.Of(ir.Number(uint64(p.char), ds.types.Bits(n, p.t)), p.t)
		}
		to := at(p.offset, p.t)
		to.Bits = p.bits
		ds.memory.Write(n, to, v)
	}
}

// compound creates the object of a compound literal.
func (ds *declarations) compound(n *cc.PostfixExpression) values.Object {
	t := n.TypeName.Type() // the expression's type may be a pointer to it
	if ds.values.Static {
		t = ds.initialisers.completed(n, t)
		v := &code.Variable{
			Pos: read.Place(n), Size: ds.types.Size(n, t), Align: t.Align(), Static: true,
			Init:   ds.initialisers.literal(n),
			Layout: ds.types.Layout("", t),
		}
		return values.At(t, ds.memory.Locate(v))
	}
	t = ds.initialisers.completed(n, t)
	v := ds.memory.Hidden(n, t)
	o := values.At(t, ds.memory.Locate(v))
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

// declaration makes code for a declaration in a block.
func (ds *declarations) declaration(n *cc.Declaration) {
	if list := n.InitDeclaratorList; list == nil ||
		list.InitDeclarator.Declarator.Name() != "__func__" { // the C parser adds it
		ds.position.at(n)
	}
	ds.declared(n)
}

// declared makes code for one declarator of a declaration and its initialiser. Static variables and functions need
// none.
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
		if _, long := layout.OfVariableLength(d.Type()); long && (d.IsTypename() || d.IsStatic() || init != nil) {
			syntax.Failf(d, "%s has a length that is not constant: declare it separately, without an initialiser",
				d.Name())
		}
		switch {
		case d.IsTypename() || d.Type().Kind() == cc.Function || d.IsExtern():
		case d.IsStatic():
			ast := ds.types.AST
			if ds.program.statics[d] == nil {
				ds.program.statics[d] = ds.symbols.newStatic(d, func() (*cc.AST, *cc.Initializer) { return ast, init })
			}
		default:
			o := ds.declare(d)
			switch {
			case init != nil:
				ds.initialise(o, init)
			case o.Reg >= 0:
				ds.build.Emit(code.Choose{Dst: o.Reg, First: d})
			case ds.locals.bindings[d].of != nil:
				ds.build.Emit(code.Begin{Of: ds.locals.bindings[d].of})
			}
			if by := ds.types.Qualifiers.Cleanup[d]; by != nil {
				ds.cleaned(d, o, by)
			}
		}
	}
}
