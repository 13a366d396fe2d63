package bpf

import (
	"strings"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// operators are the arithmetic operators, as written before "=".
var operators = map[string]ir.BinaryOp{
	"+": ir.Add, "-": ir.Sub, "*": ir.Mul, "&": ir.BitAnd, "|": ir.BitOr, "^": ir.BitXor, "<<": ir.Shl, ">>": ir.Shr,
	"s>>": ir.Sar,
}

// comparisons are those of jumps. turned swaps the numbers, negated inverts the result.
var comparisons = map[string]struct {
	op              ir.BinaryOp
	turned, negated bool
}{
	"==": {op: ir.Eq}, "!=": {op: ir.Eq, negated: true},
	"<": {op: ir.Ult}, ">": {op: ir.Ult, turned: true}, "<=": {op: ir.Ult, turned: true, negated: true},
	">=": {op: ir.Ult, negated: true},
	"s<": {op: ir.Slt}, "s>": {op: ir.Slt, turned: true}, "s<=": {op: ir.Slt, turned: true, negated: true},
	"s>=": {op: ir.Slt, negated: true},
}

// instructions are made when the first BPF test is lowered, because no other test needs their patterns.
var instructions = sync.OnceValue(func() (all []instruction) {
	define := func(pattern string, lower func(*instr)) { all = append(all, instruction{compile(pattern), lower}) }
	define(`exit`, func(x *instr) { x.End(nil) })
	define(`goto\s LBL`, func(x *instr) { x.Jump(nil, x.parts["l"]) })
	define(`if\s DST (?P<c>==|!=|s?<=|s?>=|s?<|s?>|&) SRC goto\s LBL`, jump)
	define(`DST = MEM`, func(x *instr) { x.load(nil) })
	define(`DST = load_acquire \( PTR \)`, func(x *instr) { x.load(acquire) })
	define(`MEM = SRC`, func(x *instr) { x.store(nil) })
	define(`store_release \( PTR , REG \)`, func(x *instr) { x.store(release) })
	define(`lock\s MEM (?P<c>[+&^|])= REG`, func(x *instr) { x.update("", tagAMO) })
	define(`DST = atomic(?:64)?_fetch_(?P<c>add|and|or|xor) \( PTR , REG \)`,
		func(x *instr) { x.update(x.parts["s"].Text, tagSC) })
	define(`DST = atomic(?:64)?_xchg \( PTR , REG \)`, func(x *instr) { x.update(x.parts["s"].Text, tagSC) })
	define(`DST = atomic(?:64)?_cmpxchg \( PTR , (?P<r>[rw]0) , REG \)`, compareAndExchange)
	define(`DST = xchg_?(?P<b>32_32|32|64) \( ADR , REG \)`, func(x *instr) { x.update(x.parts["s"].Text, tagSC) })
	define(`DST = cmpxchg_?(?P<b>32_32|32|64) \( ADR , (?P<r>[rw]0) , REG \)`, compareAndExchange)
	define(`DST (?P<c>s?>>|<<|[-+*&^|])= SRC`, func(x *instr) {
		x.set(operators[x.parts["c"].Text].Of(x.get("d"), x.shifted()))
	})
	define(`DST = - REG`, func(x *instr) { x.set(ir.Sub.Of(ir.Number(0, x.bits("d")), x.get("s"))) })
	define(`DST = SRC(?: ll)?`, func(x *instr) { x.set(x.get("s")) })
	return all
})

// Tags of accesses. An atomic that returns the old value is a full barrier.
var (
	acquire = ir.Tags{tagAcq, ir.TagAcquire}
	release = ir.Tags{tagRel, ir.TagRelease}
)

// bits returns the width of a register.
func (x *instr) bits(part string) int {
	if strings.HasPrefix(x.parts[part].Text, "w") {
		return 32
	}
	return 64
}

// reg returns a register of the thread, with its full width.
func (x *instr) reg(w litmus.Word) int {
	v, ok := x.FindRegister(w.Text)
	if !ok {
		x.FailRegister(w.Pos, w.Text)
		v.Whole = "r0"
	}
	return x.Reg(v.Whole)
}

// get returns the value of a register or of a number, with the width of the destination.
func (x *instr) get(part string) ir.Expr {
	w := x.parts[part]
	if w.Text[0] == 'r' || w.Text[0] == 'w' {
		return ir.Resize(x.Value(x.reg(w)), x.bits(part))
	}
	return ir.Number(x.number(w), x.bits("d"))
}

// number parses a number of 32 bits, with or without a sign, or one of 64 bits with ll.
func (x *instr) number(w litmus.Word) uint64 {
	v, err := litmus.ParseNumber(strings.TrimPrefix(strings.ReplaceAll(w.Text, " ", ""), "+"))
	if err != nil {
		x.Failf(w.Pos, "BPF: %s: %v", w.Text, err)
	}
	return v
}

// shifted returns the operand of arithmetic. For shifts, only the low bits count.
func (x *instr) shifted() ir.Expr {
	v := ir.Resize(x.get("s"), x.bits("d"))
	if strings.ContainsAny(x.parts["c"].Text, "<>") {
		v = ir.BitAnd.Of(v, ir.Number(uint64(x.bits("d")-1), x.bits("d")))
	}
	return v
}

// set writes the destination register.
func (x *instr) set(v ir.Expr) {
	x.Assign(x.reg(x.parts["d"]), ir.Resize(ir.Resize(v, x.bits("d")), 64))
}

func jump(x *instr) {
	a, b := x.get("d"), ir.Resize(x.get("s"), x.bits("d"))
	c := comparisons[x.parts["c"].Text]
	if x.parts["c"].Text == "&" {
		b, a, c.op, c.negated = ir.Number(0, x.bits("d")), ir.BitAnd.Of(a, b), ir.Eq, true
	}
	if c.turned {
		a, b = b, a
	}
	cond := c.op.Of(a, b)
	if c.negated {
		cond = ir.Not(cond)
	}
	x.Jump(cond, x.parts["l"])
}

// width returns the width of an access, and whether its sign is extended.
func (x *instr) width() (bits int, signed bool) {
	text := x.parts["t"].Text
	if b, ok := x.parts["b"]; ok {
		text = "u" + strings.TrimPrefix(b.Text, "32_")
	}
	return map[string]int{"8": 8, "16": 16, "32": 32, "64": 64}[text[1:]], text[0] == 's'
}

// address returns the address of an access.
func (x *instr) address() ir.Expr {
	base := x.Value(x.reg(x.parts["a"]))
	if o, ok := x.parts["o"]; ok {
		if n := x.number(o); n != 0 {
			return ir.Add.Of(base, ir.Number(n, 64))
		}
	}
	return base
}

func (x *instr) load(tags ir.Tags) {
	bits, signed := x.width()
	v := x.Load(ir.Load{Addr: x.address(), Bits: bits, Tags: tags})
	x.set(ir.Widen(v, 64, signed))
}

func (x *instr) store(tags ir.Tags) {
	bits, _ := x.width()
	var value ir.Expr
	if s := x.parts["s"]; strings.HasPrefix(s.Text, "r") || strings.HasPrefix(s.Text, "w") {
		value = ir.Resize(x.get("s"), bits)
	} else {
		value = ir.Number(x.number(s), bits)
	}
	x.Emit(ir.Store{Addr: x.address(), Value: value, Tags: tags})
}

// halves returns the tags of both halves of an atomic.
func halves(tag ir.Tag) (read, write ir.Tags) {
	read, write = ir.Tags{tag, ir.TagLocked}, ir.Tags{tag, ir.TagLocked}
	if tag == tagSC {
		return append(read, ir.TagFull), append(write, ir.TagFull)
	}
	return read, write
}

// update lowers a read-modify-write. One that returns the old value writes it to the register of its operand or, only
// in tests, to another one.
func (x *instr) update(back string, tag ir.Tag) {
	if back != "" && x.parts["d"].Text != back {
		x.Remarkf(x.parts["d"].Pos,
			"BPF's instruction returns the old value in the register of its operand, %s: no assembler accepts %s", back,
			x.parts["d"].Text)
	}
	bits, _ := x.width()
	if bits < 32 {
		x.Failf(x.parts["t"].Pos, "BPF: atomic instructions are of 32 or 64 bits, got %s", x.parts["t"].Text)
		return
	}
	operand := ir.Resize(x.get("s"), bits)
	value := operand
	if c, ok := x.parts["c"]; ok {
		sign := map[string]string{"add": "+", "and": "&", "or": "|", "xor": "^"}[c.Text]
		if sign == "" {
			sign = c.Text
		}
		value = operators[sign].Of(ir.Old{Bits: bits}, operand)
	}
	read, write := halves(tag)
	old := x.Temp(bits)
	x.Emit(ir.RMW{Dst: old, Addr: x.address(), Bits: bits, New: value, Tags: read, WriteTags: write})
	if back != "" {
		x.set(x.Value(old))
	}
}

// compareAndExchange compares with r0, and writes the old value there. If it fails, it only reads and orders nothing.
func compareAndExchange(x *instr) {
	bits, _ := x.width()
	for _, part := range []string{"d", "r"} {
		if w := x.parts[part]; w.Text[1:] != "0" {
			x.Failf(w.Pos, "BPF: cmpxchg compares with r0, and returns the old value in it: got %s", w.Text)
		}
	}
	old := x.Temp(bits)
	same := ir.Eq.Of(ir.Old{Bits: bits}, ir.Resize(x.get("r"), bits))
	read, write := halves(tagSC)
	read = read[:len(read)-1] // if it writes, the write's order is that of the read, too
	x.Emit(ir.RMW{
		Dst: old, Addr: x.address(), Bits: bits, New: ir.Resize(x.get("s"), bits), If: same,
		Tags: read, WriteTags: write,
	})
	x.set(x.Value(old))
}
