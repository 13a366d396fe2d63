package mips

import "litmuscope/litmus/ir"

// Tags of load-linked and store-conditional.
var (
	linked      = ir.Tags{tagX}
	conditional = ir.Tags{tagX, ir.TagLocked}
)

// defineMemory adds loads, stores, load-linked, store-conditional and sync.
func defineMemory() {
	for _, m := range []struct {
		name   string
		bits   int
		signed bool
	}{
		{"lb", 8, true},
		{"lbu", 8, false},
		{"lh", 16, true},
		{"lhu", 16, false},
		{"lw", 32, true},
		{"lwu", 32, false},
		{"ld", 64, true},
	} {
		define(m.name, "rm", func(x *instr) { x.load(m.bits, m.signed, nil) })
	}
	for name, bits := range map[string]int{"sb": 8, "sh": 16, "sw": 32, "sd": 64} {
		define(name, "rm", func(x *instr) {
			x.Emit(ir.Store{Addr: x.address(1), Value: ir.Resize(x.get(0), bits)})
		})
	}
	for d, bits := range map[string]int{"": 32, "d": 64} {
		define("ll"+d, "rm", func(x *instr) { x.load(bits, true, linked) })
		define("sc"+d, "rm", func(x *instr) {
			status := x.Temp(64)
			x.Emit(ir.StoreCond{
				Status: status, Ok: 1, Fail: 0, Addr: x.address(1), Value: ir.Resize(x.get(0), bits), Tags: conditional,
			})
			x.set(0, x.Value(status))
		})
	}
}

// address returns operand i, an address.
func (x *instr) address(i int) ir.Expr {
	if x.ops[i].Imm == 0 {
		return x.get(i)
	}
	return ir.Add.Of(x.get(i), x.immediate(i))
}

// load reads memory into operand 0. With tags, it is a load-linked.
func (x *instr) load(bits int, signed bool, tags ir.Tags) {
	v := x.Load(ir.Load{Addr: x.address(1), Bits: bits, Tags: tags, Reserve: tags != nil})
	x.set(0, ir.Widen(v, 64, signed))
}
