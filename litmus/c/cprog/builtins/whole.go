package builtins

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// performWhole makes code for a callee that accesses a structure or a union.
func performWhole(k *Call, f c.Callee, o values.Object, how, failure c.Ordering) values.Operand {
	read, write := access(how, c.Ordering.Read, c.Update()...), access(how, c.Ordering.Write, c.Update()...)
	given := func() ir.Expr {
		i := f.At("&v")
		if i >= 0 {
			return k.pointee(i).Addr
		}
		if i = f.At("v"); i < 0 || k.Args[i].X == nil || !layout.IsAggregate(k.Args[i].Type) {
			syntax.Failf(k.Node, "got %s, want a value of type %s", k.Raw[max(i, 0)].Type, o.Type)
		}
		return k.Args[i].X
	}
	switch {
	case f.Effect == c.Load:
		o.How = access(how, c.Ordering.Read)
		return calleeResult(k, f, k.Memory.LoadWhole(k.Node, o))
	case f.Effect == c.Initialise:
		k.Memory.Copy(k.Node, o.Addr, given(), o.Type, code.Access{})
		return k.nothing()
	case f.Effect == c.Store:
		o.How = access(how, c.Ordering.Write)
		k.Memory.StoreWhole(k.Node, o, given())
		return k.nothing()
	case f.Effect == c.Modify && f.Op == "":
		return calleeResult(k, f, k.Memory.ExchangeWhole(k.Node, o, given(), read, write))
	case f.Effect == c.CompareExchange && f.At("&expected", "&old") >= 0:
		var weak ir.Expr
		if i := f.At("weak"); i >= 0 {
			weak = k.Build.Keep(k.Values.Truth(k.Node, k.Args[i]))
		} else if f.Weak {
			weak = ir.Number(1, 1)
		}
		expected := k.Build.Keep(k.pointee(f.At("&expected", "&old")).Addr)
		return k.Values.Boolean(k.Memory.CompareWhole(k.Node, o, expected, given(), read, write,
			access(failure, c.Ordering.Read, c.Update()...), weak))
	}
	syntax.Failf(k.Node, "%s of a structure is not supported: use an object of an integer type", k.Name)
	return k.nothing()
}
