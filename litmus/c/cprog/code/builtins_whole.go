package code

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/ir"
)

// performWhole is what a callee does to a structure or a union.
func (k *calling) performWhole(f c.Callee, o object, how, failure c.Ordering) operand {
	read, write := access(how, c.Ordering.Read, c.Update()...), access(how, c.Ordering.Write, c.Update()...)
	given := func() ir.Expr {
		i := f.At("&v")
		if i >= 0 {
			return k.pointee(i).addr
		}
		if i = f.At("v"); i < 0 || k.args[i].x == nil || !aggregate(k.args[i].t) {
			failf(k.node, "got %s, want a value of type %s", k.raw[max(i, 0)].t, o.t)
		}
		return k.args[i].x
	}
	switch {
	case f.Does == c.Load:
		o.how = access(how, c.Ordering.Read)
		return k.result(f, k.memory.loadWhole(k.node, o))
	case f.Does == c.Initialise:
		k.memory.copy(k.node, o.addr, given(), o.t, Access{})
		return k.nothing()
	case f.Does == c.Store:
		o.how = access(how, c.Ordering.Write)
		k.memory.storeWhole(k.node, o, given())
		return k.nothing()
	case f.Does == c.Modify && f.Op == "":
		return k.result(f, k.memory.exchangeWhole(k.node, o, given(), read, write))
	case f.Does == c.CompareExchange && f.At("&expected", "&old") >= 0:
		var weak ir.Expr
		if i := f.At("weak"); i >= 0 {
			weak = k.build.keep(k.values.truth(k.node, k.args[i]))
		} else if f.Weak {
			weak = ir.Number(1, 1)
		}
		expected := k.build.keep(k.pointee(f.At("&expected", "&old")).addr)
		return k.values.boolean(k.memory.compareWhole(k.node, o, expected, given(), read, write, access(failure, c.Ordering.Read, c.Update()...), weak))
	}
	failf(k.node, "%s of a structure is not supported: want an object of an integer type", k.name)
	return k.nothing()
}
