package arm

import (
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// defineAccesses adds loads and stores: plain, exclusive, Armv8's ordered ones, pairs, and multiple registers.
func defineAccesses() {
	define := func(name string, least, most int, lower func(*instr)) {
		instructions[name] = instruction{least: least, most: most, accesses: true, lower: lower}
	}
	for suffix, bits := range map[string]int{"": word, "B": 8, "H": 16} {
		define("LDR"+suffix, 2, 4, load(bits, false))
		define("STR"+suffix, 2, 4, store(bits))
		define("LDREX"+suffix, 2, 2, loadExclusive(bits))
		define("STREX"+suffix, 3, 3, storeExclusive(bits, nil))
		define("LDA"+suffix, 2, 2, ordered(loadAcquire(bits)))
		define("STL"+suffix, 2, 2, ordered(storeRelease(bits)))
		define("LDAEX"+suffix, 2, 2, ordered(loadExclusive(bits, acquire...)))
		define("STLEX"+suffix, 3, 3, ordered(storeExclusive(bits, release)))
		if bits < word {
			define("LDRS"+suffix, 2, 4, load(bits, true))
		}
	}
	define("LDREXD", 3, 3, loadExclusivePair())
	define("STREXD", 4, 4, storeExclusivePair(nil))
	define("LDAEXD", 3, 3, ordered(loadExclusivePair(acquire...)))
	define("STLEXD", 4, 4, ordered(storeExclusivePair(release)))
	define("LDRD", 2, 3, pair(true))
	define("STRD", 2, 3, pair(false))
	for suffix, up := range map[string]stack{"": {}, "IA": {}, "IB": {before: true}, "DB": {before: true, down: true}} {
		define("LDM"+suffix, 2, 2, multiple(true, up))
		define("STM"+suffix, 2, 2, multiple(false, up))
	}
	for name, loads := range map[string]bool{"PUSH": false, "POP": true} {
		define(name, 1, 1, func(x *instr) {
			x.Ops = append([]litmus.Word{{Pos: x.Name.Pos, Text: "SP!"}}, x.Ops...)
			multiple(loads, stack{before: !loads, down: !loads})(x)
		})
	}
}

// stack is the direction of an access to several registers: whether it goes downwards from the base, and whether the
// base changes before each access.
type stack struct{ before, down bool }

func load(bits int, signed bool) func(*instr) {
	return func(x *instr) {
		a := x.address(1)
		x.set(x.reg(0), ir.Widen(x.Load(ir.Load{Addr: a.at, Bits: bits}), word, signed))
		x.advance(a)
	}
}

func store(bits int) func(*instr) {
	return func(x *instr) {
		a := x.address(1)
		x.Emit(ir.Store{Addr: a.at, Value: ir.Resize(x.read(0), bits)})
		x.advance(a)
	}
}

// The tags of Armv8's ordered accesses (DDI 0487, E2.3 and F5.1) are those of AArch64.
var (
	acquire = ir.Tags{tagA, ir.TagAcquire, ir.TagRCsc}
	release = ir.Tags{tagL, ir.TagRelease, ir.TagRCsc}
)

// ordered lowers an access that is new in Armv8, with a remark on the models that define it.
func ordered(access func(*instr)) func(*instr) {
	return func(x *instr) {
		x.Remarkf(x.Name.Pos,
			"%s is an Armv8 instruction, and the memory model of Armv8 is that of AArch64, even for 32-bit code: "+
				"the model arm is Armv7's",
			x.Name.Text)
		access(x)
	}
}

// plainAddress returns operand i, an address in a register without offset.
func (x *instr) plainAddress(i int) ir.Expr {
	if strings.ContainsAny(x.Ops[i].Text, ",!") {
		x.Fail(i, "got operand %q, want an address such as [R1]", x.Ops[i].Text)
		return constant(0)
	}
	return x.address(i).at
}

func loadAcquire(bits int) func(*instr) {
	return func(x *instr) {
		x.set(x.reg(0), ir.Resize(x.Load(ir.Load{Addr: x.plainAddress(1), Bits: bits, Tags: acquire}), word))
	}
}

func storeRelease(bits int) func(*instr) {
	return func(x *instr) {
		x.Emit(ir.Store{Addr: x.plainAddress(1), Value: ir.Resize(x.read(0), bits), Tags: release})
	}
}

func loadExclusive(bits int, order ...ir.Tag) func(*instr) {
	return func(x *instr) {
		v := x.Load(ir.Load{Addr: x.address(1).at, Bits: bits, Tags: append(ir.Tags{tagX}, order...), Reserve: true})
		x.set(x.reg(0), ir.Resize(v, word))
	}
}

func storeExclusive(bits int, order ir.Tags) func(*instr) {
	return func(x *instr) { x.conditional(x.address(2).at, ir.Resize(x.read(1), bits), order) }
}

// conditional writes 0 to its status, the first operand, if it succeeds. What uses the status does not depend on the
// write.
func (x *instr) conditional(at, v ir.Expr, order ir.Tags) {
	x.Emit(ir.StoreCond{
		Status: x.reg(0), Ok: 0, Fail: 1, Addr: at, Value: v,
		Tags: slices.Concat(ir.Tags{tagX}, order, ir.Tags{ir.TagLocked}),
	})
}

// loadExclusivePair and storeExclusivePair access 64 bits at once (DDI 0406, A3.5.3). The first register has the lower
// half.
func loadExclusivePair(order ...ir.Tag) func(*instr) {
	return func(x *instr) {
		low, high := x.reg(0), x.reg(1)
		if low == high {
			x.Fail(1, "%s: a load of a pair needs two different registers", x.Ops[1].Text)
		}
		tags := append(ir.Tags{tagX}, order...)
		v := x.Load(ir.Load{Addr: x.plainAddress(2), Bits: 2 * word, Tags: tags, Reserve: true})
		x.set(low, ir.Resize(v, word))
		x.set(high, ir.Extract{X: v, Lo: word, Bits: word})
	}
}

func storeExclusivePair(order ir.Tags) func(*instr) {
	return func(x *instr) {
		value := ir.BitOr.Of(ir.Widen(x.read(1), 2*word, false),
			ir.Shl.Of(ir.Widen(x.read(2), 2*word, false), ir.Number(word, 2*word)))
		x.conditional(x.plainAddress(3), value, order)
	}
}

// pair lowers LDRD and STRD, which access two adjacent words. The second register may be omitted, and is then the one
// after the first.
func pair(loads bool) func(*instr) {
	return func(x *instr) {
		regs, last := []int{x.reg(0), 0}, 2
		if len(x.Ops) == 2 {
			v, _ := x.FindRegister(x.Ops[0].Text)
			next, ok := x.index(after(v.Whole))
			if !ok {
				x.Fail(0, "no register follows %s", x.Ops[0].Text)
			}
			regs[1], last = next, 1
		} else {
			regs[1] = x.reg(1)
		}
		x.transfer(loads, regs, x.address(last).at)
	}
}

// after returns the register with the next number; the program counter does not count.
func after(whole string) string {
	for n := range 14 {
		if whole == numbered(n) {
			return numbered(n + 1)
		}
	}
	return ""
}

func numbered(n int) string { return "R" + strconv.Itoa(n) }

// transfer loads or stores registers, from an address upwards, with one access for each register.
func (x *instr) transfer(loads bool, regs []int, at ir.Expr) {
	at = x.Keep(at)
	var values []ir.Expr
	for i, r := range regs {
		place := at
		if i > 0 {
			place = ir.Add.Of(at, constant(uint64(4*i)))
		}
		if loads {
			values = append(values, x.Load(ir.Load{Addr: place, Bits: word}))
		} else {
			x.Emit(ir.Store{Addr: place, Value: x.Value(r)})
		}
	}
	for i, v := range values {
		x.Assign(regs[i], v)
	}
}

// multiple lowers LDM and STM: registers in braces, the lowest at the lowest address. With ! the base is updated.
func multiple(loads bool, to stack) func(*instr) {
	return func(x *instr) {
		name, moves := strings.CutSuffix(x.Ops[0].Text, "!")
		base, ok := x.index(strings.TrimSpace(name))
		list, opened := strings.CutPrefix(x.Ops[1].Text, "{")
		list, closed := strings.CutSuffix(list, "}")
		if !ok || !opened || !closed {
			x.Fail(1, "got operands %q and %q, want a register and a list such as {R1,R2}", x.Ops[0].Text,
				x.Ops[1].Text)
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
				x.Fail(1, "got %q, want R0 to R14 in rising order", x.Ops[1].Text)
				return
			}
			last = n
			regs = append(regs, x.Reg(v.Whole))
		}
		from := x.Keep(x.Value(base))
		size := uint64(4 * len(regs))
		first, next := uint64(0), size // from the base, to the lowest address and to the new base
		if to.down {
			first, next = -size, -size
		}
		if to.before != to.down {
			first += 4
		}
		x.transfer(loads, regs, ir.Add.Of(from, constant(first&ir.Mask(word))))
		if moves {
			x.Assign(base, ir.Add.Of(from, constant(next&ir.Mask(word))))
		}
	}
}
