package x86

import (
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// instruction describes a mnemonic.
type instruction struct {
	operands int  // their number; -1 for any number of ignored operands
	least    int  // the least number, if fewer are allowed, or 0
	bits     int  // operand width if the mnemonic fixes it
	from     int  // width of the second operand, the source, if it differs; -1: findSourceWidth finds it
	suffix   bool // may carry AT&T's b, w, l or q
	lockable bool
	jump     bool // its operand is a label
	lower    func(*instr)
}

// instr is one instruction being lowered.
type instr struct {
	*lowerer
	name   litmus.Word // the mnemonic as written
	base   string      // … as in the table
	ops    []operand   // destination first
	locked bool
	bits   int // operand width
	from   int // the source's width if it differs, or 0
}

var instructions = map[string]instruction{}

func define(name string, operands int, lower func(*instr)) {
	instructions[name] = instruction{operands: operands, suffix: operands > 0, lower: lower}
}

func defineWidths(name string, bits, from int, lower func(*instr)) {
	instructions[name] = instruction{operands: 2, bits: bits, from: from, suffix: bits == 0 && from > 0, lower: lower}
}

// find returns the instruction with a name. The table is made on the first call.
func find(name string) (in instruction, ok bool) {
	tabulated.Do(tabulate)
	in, ok = instructions[name]
	return in, ok
}

var tabulated sync.Once

// tabulate fills the table with the instructions of both syntaxes: moves, arithmetic, logic, shifts, atomic
// instructions, fences and jumps. Other files add extensions, conditionals and operations on bits.
func tabulate() {
	for _, name := range []string{"NOP", "NOPW", "NOPL", "NOPQ", "ENDBR64", "ENDBR32"} {
		define(name, -1, func(*instr) {})
	}
	define("PAUSE", 0, func(*instr) {})
	define("RET", 0, func(x *instr) { x.End(nil) })
	define("RETQ", 0, func(x *instr) { x.End(nil) })
	define("MFENCE", 0, fence(tagMFENCE, ir.FullFence...))
	define("SFENCE", 0, fence(tagSFENCE, ir.TagWW))
	define("LFENCE", 0, fence(tagLFENCE, ir.TagRR, ir.TagRW))
	define("MOV", 2, mov)
	define("MOVABS", 2, mov)
	define("LEA", 2, lea)
	define("XCHG", 2, xchg)
	define("CMPXCHG", 2, cmpxchg)
	for name, bits := range map[string]int{"CMPXCHG8B": 32, "CMPXCHG16B": 64} {
		instructions[name] = instruction{operands: 1, bits: bits, lockable: true, lower: cmpxchgPair}
	}
	define("XADD", 2, xadd)
	define("ADD", 2, arithmetic(ir.Add, true))
	define("SUB", 2, arithmetic(ir.Sub, true))
	define("CMP", 2, arithmetic(ir.Sub, false))
	define("AND", 2, arithmetic(ir.BitAnd, true))
	define("TEST", 2, arithmetic(ir.BitAnd, false))
	define("OR", 2, arithmetic(ir.BitOr, true))
	define("XOR", 2, arithmetic(ir.BitXor, true))
	define("ADC", 2, withCarry(ir.Add))
	define("SBB", 2, withCarry(ir.Sub))
	instructions["IMUL"] = instruction{operands: 3, least: 2, suffix: true, lower: imul}
	define("INC", 1, step(ir.Add))
	define("DEC", 1, step(ir.Sub))
	define("NEG", 1, negate)
	define("NOT", 1, complement)
	for name, lower := range map[string]func(*instr){
		"SHL": shift(ir.Shl), "SAL": shift(ir.Shl), "SHR": shift(ir.Shr), "SAR": shift(ir.Sar), "ROL": rotate(true),
		"ROR": rotate(false),
	} {
		instructions[name] = instruction{operands: 2, least: 1, from: 8, suffix: true, lower: lower}
	}
	for _, w := range [][4]string{
		{"CWTL", "CWDE", "AX", "EAX"},
		{"CLTQ", "CDQE", "EAX", "RAX"},
		{"CLTD", "CDQ", "EAX", "EDX"},
		{"CQTO", "CQO", "RAX", "RDX"},
	} {
		define(w[0], 0, widenAccumulator(w[2], w[3]))
		define(w[1], 0, widenAccumulator(w[2], w[3]))
	}
	defineBits()
	defineExtensions()
	for _, name := range []string{
		"XCHG", "CMPXCHG", "XADD", "ADD", "ADC", "SUB", "SBB", "AND", "OR", "XOR", "INC",
		"DEC", "NEG", "NOT", "BTS", "BTR", "BTC",
	} {
		in := instructions[name]
		in.lockable = true
		instructions[name] = in
	}
	instructions["JMP"] = instruction{operands: 1, jump: true, suffix: true, lower: func(x *instr) {
		switch o := x.ops[0]; {
		case o.kind == labelOperand:
			x.Jump(nil, o.Word)
		case o.reg.Bits != x.PointerBits:
			x.Failf(o.Pos, "%s: %s has %d bits, too few for an address, which takes %d", x.arch, o.Text, o.reg.Bits,
				x.PointerBits)
		default:
			x.JumpTo(x.read(o.reg), x.name, false)
		}
	}}
	defineConditionals()
}

// defineExtensions adds the moves that extend: Intel's MOVZX, whose operand gives the width of the source, and AT&T's
// MOVZBL, which names both widths.
func defineExtensions() {
	defineWidths("MOVZX", 0, -1, extend(false))
	defineWidths("MOVSX", 0, -1, extend(true))
	defineWidths("MOVSXD", 64, 32, extend(true))
	for from, f := range suffixes {
		for to, t := range suffixes {
			if f >= t {
				continue
			}
			if f < 32 { // 32-bit moves zero-extend anyway
				defineWidths("MOVZ"+string(from)+string(to), t, f, extend(false))
			}
			defineWidths("MOVS"+string(from)+string(to), t, f, extend(true))
		}
	}
}

// defineConditionals adds Jcc, CMOVcc and SETcc.
func defineConditionals() {
	for code, holds := range conditions {
		instructions["J"+code] = instruction{operands: 1, jump: true, lower: func(x *instr) {
			if o := x.ops[0]; o.kind != labelOperand {
				x.Failf(o.Pos, "%s: %s wants a label here, got %q", x.arch, x.name.Text, o.Text)
				return
			}
			x.Jump(holds(x.flag()), x.ops[0].Word)
		}}
		define("CMOV"+code, 2, func(x *instr) {
			if !x.wantRegister(0) || !x.wantWide() || !x.wantNoNumber(1) {
				return
			}
			v := x.get(1) // the source is read in any case
			x.set(0, ir.Cond{If: holds(x.flag()), Then: v, Else: x.get(0)})
		})
		instructions["SET"+code] = instruction{operands: 1, bits: 8, lower: func(x *instr) {
			x.set(0, ir.Extend{X: holds(x.flag()), Bits: 8})
		}}
	}
}

// findWidth finds the operands' width: that of the mnemonic, of its suffix, of a register, or of a location, or else
// 32 bits.
func (x *instr) findWidth() bool {
	if len(x.ops) == 0 || x.ops[0].kind == labelOperand {
		return true
	}
	for i, o := range x.ops {
		if i == 1 && x.from != 0 {
			continue
		}
		if o.kind == registerOperand && x.bits == 0 {
			x.bits = o.reg.Bits
		}
	}
	for i, o := range x.ops {
		if x.bits == 0 && (i != 1 || x.from == 0) {
			x.bits = o.ptr
		}
	}
	if x.bits == 0 {
		x.bits = x.memoryBits(0, 32)
		if len(x.ops) > 1 && x.from == 0 {
			x.bits = x.memoryBits(1, x.bits)
		}
	}
	if x.bits > x.PointerBits {
		x.Failf(x.name.Pos, "%s: %s works on %d bits, but registers have %d", x.arch, x.name.Text, x.bits,
			x.PointerBits)
		return false
	}
	if x.from < 0 && !x.findSourceWidth() {
		return false
	}
	for i, o := range x.ops {
		bits := x.width(i)
		access := bits
		if in, _ := find(x.base); in.bits > 0 && in.lockable { // CMPXCHG8B and CMPXCHG16B: a pair
			access *= 2
		}
		switch {
		case o.ptr != 0 && o.ptr != access && x.base != "LEA":
			x.Failf(o.Pos, "%s: %s has %d bits, but %s works on %d here", x.arch, o.Text, o.ptr, x.name.Text, access)
			return false
		case o.kind == registerOperand && o.reg.Bits != bits:
			x.Failf(o.Pos, "%s: %s has %d bits, but %s works on %d here", x.arch, o.Text, o.reg.Bits, x.name.Text, bits)
			return false
		case o.kind == immediate && o.sym != "" && bits < x.PointerBits:
			x.Failf(o.Pos, "%s: the address of %s takes %d bits, but %s works on %d here", x.arch, o.sym, x.PointerBits,
				x.name.Text, bits)
			return false
		case o.kind == immediate && o.imm&^ir.Mask(bits) != 0 && ir.SignExtend(o.imm, bits) != o.imm:
			x.Failf(o.Pos, "%s: %s does not fit in the %d bits that %s works on here", x.arch,
				o.Text, bits, x.name.Text)
			return false
		}
	}
	return true
}

// memoryBits returns the width of the location in operand i, or otherwise.
func (x *instr) memoryBits(i, otherwise int) int {
	if o := x.ops[i]; o.kind == memory && o.direct() {
		return x.Program.Locs[x.Loc(o.sym)].Bits
	}
	return otherwise
}

// findSourceWidth finds the width of MOVZX's source.
func (x *instr) findSourceWidth() bool {
	o := x.ops[1]
	if o.kind == registerOperand {
		x.from = o.reg.Bits
	} else if o.ptr != 0 {
		x.from = o.ptr
	} else {
		x.from = x.memoryBits(1, x.bits)
	}
	if x.from >= x.bits || x.from > 16 {
		x.Failf(o.Pos, "%s: %s needs a source of 8 or 16 bits, narrower than the %d of its result: declare the "+
			"location's type in the init block",
			x.arch, x.name.Text, x.bits)
		return false
	}
	return true
}

// width returns the width of operand i.
func (x *instr) width(i int) int {
	if i == 1 && x.from != 0 {
		return x.from
	}
	return x.bits
}

// wantRegister reports an error unless operand i is a register.
func (x *instr) wantRegister(i int) bool {
	if x.ops[i].kind == registerOperand {
		return true
	}
	x.Failf(x.ops[i].Pos, "%s: %s wants a register here, got %q", x.arch, x.name.Text, x.ops[i].Text)
	return false
}

// wantNoNumber reports an error if operand i is a number.
func (x *instr) wantNoNumber(i int) bool {
	if x.ops[i].kind != immediate {
		return true
	}
	x.Failf(x.ops[i].Pos, "%s: %s wants a register or an address here, got %q", x.arch, x.name.Text, x.ops[i].Text)
	return false
}

// wantWide reports an error for 8 bits if the instruction has no such form.
func (x *instr) wantWide() bool {
	if x.bits > 8 {
		return true
	}
	x.Failf(x.ops[0].Pos, "%s: %s has no form for 8 bits", x.arch, x.name.Text)
	return false
}

// wantOneMemory reports an error if two operands are in memory.
func (x *instr) wantOneMemory() bool {
	if x.ops[0].kind != memory || x.ops[1].kind != memory {
		return true
	}
	x.Failf(x.ops[1].Pos, "%s: %s cannot take two operands in memory", x.arch, x.name.Text)
	return false
}

func fence(tag ir.Tag, generic ...ir.Tag) func(*instr) {
	tags := append(ir.Tags{tag}, generic...)
	return func(x *instr) { x.Emit(ir.Fence{Tags: tags}) }
}

func (x *instr) regIndex(v lower.RegisterView) int { return x.Reg(v.Whole) }

// read returns a register's value, with the width of its view.
func (x *instr) read(v lower.RegisterView) ir.Expr {
	whole := ir.Reg{Index: x.regIndex(v), Bits: x.PointerBits}
	if v.Bits == x.PointerBits {
		return whole
	}
	return ir.Extract{X: whole, Lo: v.Lo, Bits: v.Bits}
}

// write sets a register. Writing 32 bits of a 64-bit register clears the rest; writing 8 or 16 bits leaves it
// unchanged.
func (x *instr) write(v lower.RegisterView, value ir.Expr) {
	i := x.regIndex(v)
	if v.Bits == x.PointerBits || v.Bits == 32 {
		x.Assign(i, ir.Resize(value, x.PointerBits))
		return
	}
	n := x.PointerBits
	keep := ir.BitAnd.Of(ir.Reg{Index: i, Bits: n}, ir.Number(^(ir.Mask(v.Bits)<<v.Lo), n))
	moved := ir.Shl.Of(ir.Resize(value, n), ir.Number(uint64(v.Lo), n))
	x.Assign(i, ir.BitOr.Of(keep, moved))
}

// address returns the address of a memory operand. In 64-bit code, an address of 32-bit registers wraps at 32 bits.
func (x *instr) address(o operand) ir.Expr {
	n := x.PointerBits
	for _, r := range []*lower.RegisterView{o.base, o.index} {
		if r != nil && r.Bits == 32 {
			n = 32
		}
	}
	for _, r := range []*lower.RegisterView{o.base, o.index} {
		if r != nil && r.Bits != n {
			x.Failf(o.Pos, "%s: got address %q, want registers of %d bits", x.arch, o.Text, x.PointerBits)
			n = x.PointerBits
			break
		}
	}
	switch o.scale {
	case 1, 2, 4, 8:
	default:
		x.Failf(o.Pos, "%s: got address %q, want a scale of 1, 2, 4 or 8", x.arch, o.Text)
	}
	var sum ir.Expr
	add := func(e ir.Expr) {
		if sum == nil {
			sum = e
		} else {
			sum = ir.Add.Of(sum, e)
		}
	}
	if o.sym != "" {
		add(ir.Addr{Loc: x.Loc(o.sym), Bits: n})
	}
	if o.base != nil {
		add(ir.Resize(x.read(*o.base), n))
	}
	if o.index != nil {
		i := ir.Resize(x.read(*o.index), n)
		if o.scale != 1 {
			i = ir.Mul.Of(i, ir.Number(o.scale, n))
		}
		add(i)
	}
	if o.disp != 0 || sum == nil {
		add(ir.Number(o.disp&ir.Mask(n), n))
	}
	return ir.Resize(sum, x.PointerBits)
}

// pointer returns the address of memory operand o, for an access of the given width in bits.
func (x *instr) pointer(o operand, bits int) ir.Expr {
	a := x.address(o)
	if o.direct() {
		x.Accessed(x.Loc(o.sym), bits)
	}
	return a
}

// get returns the value of operand i; it loads memory.
func (x *instr) get(i int) ir.Expr {
	o := x.ops[i]
	switch o.kind {
	case registerOperand:
		return x.read(o.reg)
	case immediate:
		if o.sym != "" && x.HasLabel(o.sym) {
			return x.label(o)
		}
		if o.sym != "" {
			return ir.Addr{Loc: x.Loc(o.sym), Bits: x.PointerBits}
		}
		return ir.Number(o.imm&ir.Mask(x.width(i)), x.width(i))
	}
	bits := x.width(i)
	return x.Load(ir.Load{Addr: x.pointer(o, bits), Bits: bits})
}

// label returns the address of the label that an operand names.
func (x *instr) label(o operand) ir.Expr {
	return x.LabelAddress(litmus.Word{Pos: o.Pos, Text: o.sym})
}

// set writes operand i.
func (x *instr) set(i int, v ir.Expr) {
	o := x.ops[i]
	switch o.kind {
	case registerOperand:
		x.write(o.reg, v)
	case memory:
		x.Emit(ir.Store{Addr: x.pointer(o, x.bits), Value: v})
	default:
		order := "first"
		if x.att {
			order = "last"
		}
		x.Failf(o.Pos, "%s: %s cannot write to %q: the destination comes %s", x.arch, x.name.Text, o.Text, order)
	}
}

// modify replaces operand 0 by f of its old value, atomically under LOCK, and passes the old value and the result to
// flags.
func (x *instr) modify(f func(old ir.Expr) ir.Expr, flags func(old, result ir.Expr)) {
	var old ir.Expr
	if x.locked {
		old = x.atomic(f(ir.Old{Bits: x.bits}), nil)
	} else {
		old = x.Keep(x.get(0))
		x.set(0, f(old))
	}
	if flags != nil {
		flags(old, x.Keep(f(old)))
	}
}

// locked returns the tags of both halves of a locked instruction.
var locked = ir.Tags{ir.TagLocked, ir.TagFull}

// atomic is a locked read-modify-write of operand 0, and returns the old value.
func (x *instr) atomic(new, cond ir.Expr) ir.Expr {
	tmp := x.Temp(x.bits)
	x.Emit(
		ir.RMW{
			Dst: tmp, Addr: x.pointer(x.ops[0], x.bits), Bits: x.bits, New: new, If: cond, Tags: locked,
			WriteTags: locked,
		})
	return x.Value(tmp)
}
