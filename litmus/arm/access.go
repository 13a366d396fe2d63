package arm

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
)

func defineAccesses() {
	for suffix, bits := range map[string]int{"": word, "B": 8, "H": 16} {
		define("LDR"+suffix, 2, 4, false, load(bits, false))
		define("STR"+suffix, 2, 4, false, store(bits))
		define("LDREX"+suffix, 2, 2, false, loadExclusive(bits))
		define("STREX"+suffix, 3, 3, false, storeExclusive(bits))
		if bits < word {
			define("LDRS"+suffix, 2, 4, false, load(bits, true))
		}
	}
	define("LDRD", 2, 3, false, pair(true))
	define("STRD", 2, 3, false, pair(false))
	for suffix, first := range map[string]int{"": 0, "IA": 0, "IB": 1} {
		define("LDM"+suffix, 2, 2, false, multiple(true, first))
		define("STM"+suffix, 2, 2, false, multiple(false, first))
	}
}

// loadFrom emits a load, otherwise as described, and gives what it reads.
func (x *instr) loadFrom(at ir.Expr, bits int, op ir.Load) ir.Expr {
	op.Dst, op.Addr, op.Bits = x.Temp(x.t, bits), at, bits
	x.emit(op)
	return ir.Reg{Index: op.Dst, Bits: bits}
}

func load(bits int, signed bool) func(*instr) {
	return func(x *instr) {
		a := x.address(1)
		v := x.loadFrom(a.at, bits, ir.Load{})
		if bits < word {
			v = ir.Extend{X: v, Bits: word, Signed: signed}
		}
		x.set(x.reg(0), v)
		x.advance(a)
	}
}

func store(bits int) func(*instr) {
	return func(x *instr) {
		a := x.address(1)
		x.emit(ir.Store{Addr: a.at, Value: ir.Resize(x.read(0), bits)})
		x.advance(a)
	}
}

func loadExclusive(bits int) func(*instr) {
	return func(x *instr) {
		v := x.loadFrom(x.address(1).at, bits, ir.Load{Tags: ir.Tags{tagX}, Reserve: true})
		x.set(x.reg(0), ir.Resize(v, word))
	}
}

// storeExclusive writes 0 to its status where it succeeds. What uses the status does
// not depend on the write.
func storeExclusive(bits int) func(*instr) {
	return func(x *instr) {
		x.emit(ir.StoreCond{
			Status: x.reg(0), Ok: 0, Fail: 1, Addr: x.address(2).at,
			Value: ir.Resize(x.read(1), bits), Tags: ir.Tags{tagX, ir.TagLocked},
		})
	}
}

// pair lowers LDRD and STRD, which access two neighbours; the second register may be
// left out, and is then the one after the first.
func pair(loads bool) func(*instr) {
	return func(x *instr) {
		regs, last := []int{x.reg(0), 0}, 2
		if len(x.ops) == 2 {
			v, _ := x.FindRegister(x.ops[0].Text)
			next, ok := x.index(after(v.Whole))
			if !ok {
				x.fail(0, "no register follows %s", x.ops[0].Text)
			}
			regs[1], last = next, 1
		} else {
			regs[1] = x.reg(1)
		}
		x.transfer(loads, regs, x.address(last).at)
	}
}

// after is the register that follows another by number, the program counter apart.
func after(whole string) string {
	for n := range 14 {
		if whole == numbered(n) {
			return numbered(n + 1)
		}
	}
	return ""
}

func numbered(n int) string { return "R" + strconv.Itoa(n) }

// transfer loads or stores registers, from an address upwards, one access each.
func (x *instr) transfer(loads bool, regs []int, at ir.Expr) {
	at = x.keep(at)
	var values []ir.Expr
	for i, r := range regs {
		place := at
		if i > 0 {
			place = binary(ir.Add, at, constant(uint64(4*i)))
		}
		if loads {
			values = append(values, x.loadFrom(place, word, ir.Load{}))
		} else {
			x.emit(ir.Store{Addr: place, Value: ir.Reg{Index: r, Bits: word}})
		}
	}
	for i, v := range values {
		x.emit(ir.Assign{Dst: regs[i], Value: v})
	}
}

// multiple lowers LDM and STM: registers in braces, the lowest at the lowest address,
// from the base's or, where first is 1, one word above. With ! the base moves along.
func multiple(loads bool, first int) func(*instr) {
	return func(x *instr) {
		name, moves := strings.CutSuffix(x.ops[0].Text, "!")
		base, ok := x.index(strings.TrimSpace(name))
		list, opened := strings.CutPrefix(x.ops[1].Text, "{")
		list, closed := strings.CutSuffix(list, "}")
		if !ok || !opened || !closed {
			x.fail(1, "got operands %q and %q, want a register and a list such as {R1,R2}", x.ops[0].Text, x.ops[1].Text)
			return
		}
		var regs []int
		last := -1
		for _, item := range strings.Split(list, ",") {
			v, ok := x.FindRegister(strings.TrimSpace(item))
			n := -1
			for k := range 15 {
				if v.Whole == numbered(k) {
					n = k
				}
			}
			if !ok || n <= last {
				x.fail(1, "got %q, want R0 to R14 in rising order", x.ops[1].Text)
				return
			}
			last = n
			regs = append(regs, x.Reg(x.t, v.Whole))
		}
		from := x.keep(ir.Reg{Index: base, Bits: word})
		x.transfer(loads, regs, binary(ir.Add, from, constant(uint64(4*first))))
		if moves {
			x.emit(ir.Assign{Dst: base, Value: binary(ir.Add, from, constant(uint64(4*len(regs))))})
		}
	}
}
