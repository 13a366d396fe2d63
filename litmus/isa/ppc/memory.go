package ppc

import "litmuscope/litmus/ir"

// Tags of accesses with a reservation.
var (
	reserving   = ir.Tags{tagX}
	conditional = ir.Tags{tagX, ir.TagLocked}
)

// displaced returns operand i, an address of the form displacement(base). A base of r0 means 0.
func (x *instr) displaced(i int) ir.Expr { return plus(x.getBase(i), x.ops[i].Imm) }

func plus(base ir.Expr, displacement uint64) ir.Expr {
	if displacement == 0 {
		return base
	}
	return ir.Add.Of(base, number(displacement))
}

// indexed returns the sum of operands 1 and 2, registers. r0 as the first one means 0.
func (x *instr) indexed() ir.Expr { return ir.Add.Of(x.getBase(1), x.get(2)) }

// defineMemory adds loads and stores of every width, with displacement, index and update, and those with a reservation.
func defineMemory() {
	for _, m := range []struct {
		load   string
		bits   int
		signed bool
		store  string // "" if another entry has it
		exact  string // the suffix of the load and store with a reservation
	}{
		{"lbz", 8, false, "stb", "b"},
		{"lhz", 16, false, "sth", "h"},
		{"lha", 16, true, "", ""},
		{"lwz", 32, false, "stw", "w"},
		{"lwa", 32, true, "", ""},
		{"ld", 64, false, "std", "d"},
	} {
		define(m.load, "rm", func(x *instr) { x.load(x.displaced(1), m.bits, m.signed, nil) })
		define(m.load+"x", "rbr", func(x *instr) { x.load(x.indexed(), m.bits, m.signed, nil) })
		if m.load != "lwa" { // it has no such form
			define(m.load+"u", "rm",
				func(x *instr) { x.update(func(a ir.Expr) { x.load(a, m.bits, m.signed, nil) }, true) })
		}
		if m.store == "" {
			continue
		}
		define(m.store, "rm", func(x *instr) { x.store(x.displaced(1), m.bits) })
		define(m.store+"x", "rbr", func(x *instr) { x.store(x.indexed(), m.bits) })
		define(m.store+"u", "rm", func(x *instr) { x.update(func(a ir.Expr) { x.store(a, m.bits) }, false) })
		define("l"+m.exact+"arx", "rbr", func(x *instr) { x.load(x.indexed(), m.bits, false, reserving) })
		define("st"+m.exact+"cx.", "rbr", func(x *instr) { x.storeConditional(m.bits) })
	}
}

// load reads memory into operand 0. With tags, it also reserves.
func (x *instr) load(addr ir.Expr, bits int, signed bool, tags ir.Tags) {
	v := x.Load(ir.Load{Addr: addr, Bits: bits, Tags: tags, Reserve: tags != nil})
	x.set(0, ir.Widen(v, 64, signed))
}

func (x *instr) store(addr ir.Expr, bits int) {
	x.Emit(ir.Store{Addr: addr, Value: ir.Resize(x.get(0), bits)})
}

// update accesses memory at operand 1, an address, and writes the address to its base register.
func (x *instr) update(access func(addr ir.Expr), load bool) {
	if base := x.ops[1].Reg; base == "r0" || load && base == x.ops[0].Reg {
		x.Failf(x.ops[1].Pos, "PPC: %s cannot write the address back to %s", x.name.Text, base)
		return
	}
	addr := x.Keep(x.displaced(1))
	access(addr)
	x.set(1, addr)
}

// storeConditional lowers stwcx. and the like, which sets cr0 to say whether it has written. As for every instruction
// that sets cr0, that value depends on the registers it reads, and not on the write.
func (x *instr) storeConditional(bits int) {
	addr, value := x.indexed(), x.get(0)
	status := x.Temp(1)
	reads := x.Keep(ir.Extract{X: ir.BitXor.Of(addr, value), Bits: 1})
	x.Emit(ir.StoreCond{
		Status: status, Ok: 1, Fail: 0, Addr: addr, Value: ir.Resize(value, bits), Tags: conditional,
	})
	never := ir.Const{Bits: 1}
	x.setField(0, never, never, ir.BitOr.Of(x.Value(status), ir.BitAnd.Of(reads, never)))
}
