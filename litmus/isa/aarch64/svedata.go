package aarch64

import (
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
)

// letterOf returns the letter of the elements that the name of an instruction ends in: CNTW, LD1W.
func letterOf(name string) int { return lanes[strings.Replace(name, "W", "S", 1)[len(name)-1]] }

// defineScalable adds predicates, moves, arithmetic and counts of scalable vectors.
func defineScalable() {
	definePredicates()
	defineElementCounts()
	scalableForm("MOV", 2, 3, moveScalable)
	scalableForm("DUP", 2, 2, moveScalable)
	define("CPY", 3, 3, copyActive)
	define("SEL", 4, 4, func(x *instr) {
		to := x.scalable(0, 0)
		p, a, b := x.selecting(1), x.scalable(2, to.bits), x.scalable(3, to.bits)
		x.merge(to, p, x.zAll(a), x.zAll(b))
	})
	define("INDEX", 3, 3, func(x *instr) {
		to := x.scalable(0, 0)
		start, step := x.scalarOrNumber(1, to.bits), x.scalarOrNumber(2, to.bits)
		out, at := []ir.Expr{}, start
		for range x.elements(to.bits) {
			out = append(out, at)
			at = x.Keep(ir.Add.Of(at, step))
		}
		x.zSet(to, out)
	})
	define("MOVPRFX", 2, 3, func(x *instr) {
		if len(x.Ops) == 2 {
			a, okA := parseScalable(x.Ops[0].Text)
			b, okB := parseScalable(x.Ops[1].Text)
			if !okA || !okB || a.bits != 0 || b.bits != 0 {
				x.Fail(0, "want two scalable registers such as Z0")
				return
			}
			a.bits, b.bits = 64, 64
			x.zSet(a, x.zAll(b))
			return
		}
		to := x.scalable(0, 0)
		from, p := x.scalable(2, to.bits), x.governing(1, "ZM")
		x.merge(to, p, x.zAll(from), x.inactive(to, p))
	})
	for name, op := range scalableOps {
		scalableForm(name, 3, 4, binaryScalable(op))
	}
	for name, f := range map[string]func(ir.Expr) ir.Expr{
		"NEG": ir.Neg.Of, "NOT": ir.BitNot.Of,
		"ABS": func(v ir.Expr) ir.Expr {
			negative := ir.Slt.Of(v, ir.Number(0, v.Width()))
			return ir.Cond{If: negative, Then: ir.Neg.Of(v), Else: v}
		},
	} {
		scalableForm(name, 3, 3, func(x *instr) {
			to := x.scalable(0, 0)
			p, from := x.governing(1, "M"), x.scalable(2, to.bits)
			out := x.zAll(from)
			for i, e := range out {
				out[i] = f(e)
			}
			x.merge(to, p, out, x.zAll(to))
		})
	}
	defineReductions()
}

// scalableOps are the operations on two vectors.
var scalableOps = map[string]func(a, b ir.Expr) ir.Expr{
	"ADD": ir.Add.Of, "SUB": ir.Sub.Of, "MUL": ir.Mul.Of, "AND": ir.BitAnd.Of, "ORR": ir.BitOr.Of, "EOR": ir.BitXor.Of,
	"BIC":  func(a, b ir.Expr) ir.Expr { return ir.BitAnd.Of(a, ir.BitNot.Of(b)) },
	"SMAX": func(a, b ir.Expr) ir.Expr { return ir.Cond{If: ir.Slt.Of(a, b), Then: b, Else: a} },
	"SMIN": func(a, b ir.Expr) ir.Expr { return ir.Cond{If: ir.Slt.Of(a, b), Then: a, Else: b} },
	"UMAX": func(a, b ir.Expr) ir.Expr { return ir.Cond{If: ir.Ult.Of(a, b), Then: b, Else: a} },
	"UMIN": func(a, b ir.Expr) ir.Expr { return ir.Cond{If: ir.Ult.Of(a, b), Then: a, Else: b} },
}

// binaryScalable lowers Zd.T,Zn.T,Zm.T, Zd.T,Zd.T,#1 and Zd.T,Pg/M,Zd.T,Zm.T.
func binaryScalable(op func(a, b ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		if p, ok := parsePredicate(x.Ops[0].Text); ok && p.bits > 0 {
			x.Fail(0, "operations on predicates are not supported")
			return
		}
		to := x.scalable(0, 0)
		last := len(x.Ops) - 1
		a := x.scalable(last-1, to.bits)
		var right []ir.Expr
		if strings.HasPrefix(x.Ops[last].Text, "#") {
			if a.number != to.number {
				x.Fail(last-1, "got operand %q, want %s", x.Ops[last-1].Text, x.Ops[0].Text)
			}
			n := ir.Number(x.Number(last), to.bits)
			for range x.elements(to.bits) {
				right = append(right, n)
			}
		} else {
			right = x.zAll(x.scalable(last, to.bits))
		}
		out := x.zAll(a)
		for i, e := range out {
			out[i] = op(e, right[i])
		}
		if last == 2 {
			x.zSet(to, out)
			return
		}
		if a.number != to.number {
			x.Fail(2, "got operand %q, want %s", x.Ops[2].Text, x.Ops[0].Text)
		}
		x.merge(to, x.governing(1, "M"), out, x.zAll(to))
	}
}

// merge sets the elements of a register to those of one list if they are active, and otherwise to those of another.
func (x *instr) merge(to scalable, p predicate, active, others []ir.Expr) {
	out := make([]ir.Expr, len(active))
	for i, e := range active {
		out[i] = ir.Cond{If: x.active(p, to.bits, i), Then: e, Else: others[i]}
	}
	x.zSet(to, out)
}

// inactive returns what inactive elements of a register become: their old values, or 0 with /Z.
func (x *instr) inactive(to scalable, p predicate) []ir.Expr {
	out := x.zAll(to)
	for i := range out {
		if p.zeroing {
			out[i] = ir.Number(0, to.bits)
		}
	}
	return out
}

// selecting returns operand i, a predicate without /M or /Z, any of the 16.
func (x *instr) selecting(i int) predicate { return x.predicate(i, 0) }

// scalarOrNumber returns operand i, a number or a general register, with a width.
func (x *instr) scalarOrNumber(i, bits int) ir.Expr {
	if !x.isReg(i) {
		return ir.Number(x.Number(i), bits)
	}
	want := 32
	if bits == 64 {
		want = 64
	}
	return x.Keep(ir.Resize(x.read(x.regOf(i, want)), bits))
}

// moveScalable lowers MOV and DUP for scalable registers and predicates.
func moveScalable(x *instr) {
	if p, ok := parsePredicate(x.Ops[0].Text); ok {
		if len(x.Ops) != 2 || p.bits != 8 {
			x.Fail(0, "want two predicates such as P0.B")
			return
		}
		from := x.predicate(1, 8)
		x.Assign(x.mask(p), x.Value(x.mask(from)))
		return
	}
	if strings.HasPrefix(strings.ToUpper(x.Ops[0].Text), "ZA") || len(x.Ops) == 3 {
		copyActive(x)
		return
	}
	to := x.scalable(0, 0)
	from, isZ := parseScalable(x.Ops[1].Text)
	switch {
	case isZ && from.lane >= 0:
		if from.bits != to.bits || from.lane >= 512/to.bits {
			x.Fail(1, "got operand %q, which does not fit %s", x.Ops[1].Text, x.Ops[0].Text)
			return
		}
		e := ir.Expr(ir.Number(0, to.bits))
		if from.lane < x.elements(to.bits) {
			e = x.zElement(from, from.lane)
		}
		x.fill(to, e)
	case isZ:
		from = x.scalable(1, to.bits)
		x.zSet(to, x.zAll(from))
	case x.isVector(1):
		v := x.vector(1)
		if !v.scalar || v.bits != to.bits {
			x.Fail(1, "got operand %q, which does not fit %s", x.Ops[1].Text, x.Ops[0].Text)
			return
		}
		x.fill(to, x.element(v, 0))
	case x.isReg(1):
		x.fill(to, x.scalarOrNumber(1, to.bits))
	default:
		x.fill(to, x.shiftedNumber(1, to.bits))
	}
}

// shiftedNumber returns operand i, a number that fits in a byte, or in two of which the lower one is 0.
func (x *instr) shiftedNumber(i, bits int) ir.Expr {
	n := int64(x.Number(i))
	if n < -128 || n > 255 {
		if n%256 != 0 || n < -128*256 || n > 127*256 || bits == 8 {
			x.Fail(i, "%s is out of range: want -128 to 127, or such a number times 256", x.Ops[i].Text)
		}
	} else if n > 127 && bits > 8 {
		x.Fail(i, "%s is out of range: want -128 to 127, or such a number times 256", x.Ops[i].Text)
	}
	return ir.Number(uint64(n), bits)
}

// fill sets all elements of a register.
func (x *instr) fill(to scalable, e ir.Expr) {
	e = x.Keep(e)
	out := make([]ir.Expr, x.elements(to.bits))
	for i := range out {
		out[i] = e
	}
	x.zSet(to, out)
}

// copyActive lowers CPY, and MOV with a predicate: to active elements, from a number, a register or a vector. MOV also
// moves slices of the matrix.
func copyActive(x *instr) {
	if strings.HasPrefix(strings.ToUpper(x.operand(0)), "ZA") ||
		strings.HasPrefix(strings.ToUpper(x.operand(2)), "ZA") {
		if instructions["MOVA"].lower(x); strings.ToUpper(x.Name.Text) == "CPY" {
			x.Fail(0, "got operand %q, want a scalable register such as Z0.S", x.Ops[0].Text)
		}
		return
	}
	to := x.scalable(0, 0)
	var p predicate
	var e ir.Expr
	_, isZ := parseScalable(x.Ops[2].Text)
	switch {
	case isZ:
		p = x.governingAny(1, "M")
		x.merge(to, p, x.zAll(x.scalable(2, to.bits)), x.inactive(to, p))
		return
	case x.isReg(2):
		p, e = x.governing(1, "M"), x.scalarOrNumber(2, to.bits)
	case x.isVector(2):
		v := x.vector(2)
		if !v.scalar || v.bits != to.bits {
			x.Fail(2, "got operand %q, which does not fit %s", x.Ops[2].Text, x.Ops[0].Text)
			return
		}
		p, e = x.governing(1, "M"), x.Keep(x.element(v, 0))
	default:
		p, e = x.governingAny(1, "MZ"), x.shiftedNumber(2, to.bits)
	}
	out := make([]ir.Expr, x.elements(to.bits))
	for i := range out {
		out[i] = e
	}
	x.merge(to, p, out, x.inactive(to, p))
}

// governingAny returns operand i, a predicate with /M or /Z, any of the 16.
func (x *instr) governingAny(i int, modes string) predicate {
	p, ok := parsePredicate(x.operand(i))
	if !ok || p.bits != 0 || !(p.merging && strings.Contains(modes, "M") || p.zeroing && strings.Contains(modes, "Z")) {
		x.Fail(i, "got operand %q, want a predicate such as P0/%s", x.operand(i), modes[:1])
	}
	return p
}

// defineReductions adds instructions that make one number of the active elements.
func defineReductions() {
	for name, signed := range map[string]bool{"UADDV": false, "SADDV": true} {
		define(name, 3, 3, func(x *instr) {
			to, p, from := x.vector(0), x.governing(1, ""), x.scalable(2, 0)
			if !to.scalar || to.bits != 64 || signed && from.bits == 64 {
				x.Fail(0, "want a register such as D0, and elements that are narrower for SADDV")
				return
			}
			sum := ir.Expr(ir.Number(0, 64))
			for i := range x.elements(from.bits) {
				e := ir.Widen(x.zElement(from, i), 64, signed)
				sum = ir.Add.Of(sum, ir.Cond{If: x.active(p, from.bits, i), Then: e, Else: ir.Number(0, 64)})
			}
			x.setAll(to, []ir.Expr{x.Keep(sum)})
		})
	}
	for name, op := range map[string]string{
		"ANDV": "AND", "ORV": "ORR", "EORV": "EOR", "SMAXV": "SMAX", "SMINV": "SMIN", "UMAXV": "UMAX", "UMINV": "UMIN",
	} {
		scalableForm(name, 3, 3, func(x *instr) {
			to, p, from := x.vector(0), x.governing(1, ""), x.scalable(2, 0)
			if !to.scalar || to.bits != from.bits {
				x.Fail(0, "got operand %q, want a scalar of the width of the elements", x.Ops[0].Text)
				return
			}
			neutral := ir.Number(0, from.bits)
			switch name {
			case "ANDV", "UMINV":
				neutral = ir.Number(ir.Mask(from.bits), from.bits)
			case "SMAXV":
				neutral = ir.Number(1<<(from.bits-1), from.bits)
			case "SMINV":
				neutral = ir.Number(ir.Mask(from.bits-1), from.bits)
			}
			all := ir.Expr(neutral)
			for i := range x.elements(from.bits) {
				e := ir.Cond{If: x.active(p, from.bits, i), Then: x.zElement(from, i), Else: neutral}
				all = x.Keep(scalableOps[op](all, e))
			}
			x.setAll(to, []ir.Expr{all})
		})
	}
}

// definePredicates adds instructions that set or test predicates, and the branches that have names for them.
func definePredicates() {
	for name, flags := range map[string]bool{"PTRUE": false, "PTRUES": true} {
		define(name, 1, 2, func(x *instr) {
			p := x.shaped(0)
			n := x.pattern(1, x.elements(p.bits))
			var all []ir.Expr
			for i := range x.elements(p.bits) {
				all = append(all, ir.Number(uint64(map[bool]int{true: 1}[i < n]), 1))
			}
			x.setMask(p, p.bits, all)
			if flags { // the predicate governs the test of itself
				x.testMask(all, all)
			}
		})
	}
	define("PFALSE", 1, 1, func(x *instr) {
		p := x.predicate(0, 8)
		x.Assign(x.mask(p), ir.Number(0, 64))
	})
	define("PTEST", 2, 2, func(x *instr) {
		g, p := x.selecting(0), x.predicate(1, 8)
		x.testMask(x.kept(x.allActive(g, 8)), x.kept(x.allActive(p, 8)))
	})
	for name, less := range comparisons {
		if name != "EQ" && name != "NE" {
			define("WHILE"+name, 3, 3, whileLess(name, less))
		}
	}
	for name, holds := range comparisons {
		define("CMP"+name, 4, 4, compareScalable(holds))
	}
	define("CNTP", 3, 3, func(x *instr) {
		to, g, p := x.regOf(0, 64), x.selecting(1), x.shaped(2)
		sum := ir.Expr(ir.Number(0, 64))
		for i := range x.elements(p.bits) {
			both := ir.BitAnd.Of(x.active(g, p.bits, i), x.active(p, p.bits, i))
			sum = ir.Add.Of(sum, ir.Resize(both, 64))
		}
		x.write(to, sum)
	})
	for alias, code := range map[string]string{
		"NONE": "EQ", "ANY": "NE", "NLAST": "CS", "LAST": "CC", "FIRST": "MI", "NFRST": "PL", "PMORE": "HI",
		"PLAST": "LS",
		"TCONT": "GE", "TSTOP": "LT",
	} {
		define("B."+alias, 1, 1, func(x *instr) { x.Branch(0, x.conditionValue(armasm.Conditions[code])) })
	}
	for name, want := range map[string]uint64{"CTERMEQ": 1, "CTERMNE": 0} {
		define(name, 2, 2, func(x *instr) {
			a := x.reg(0)
			equal := ir.Eq.Of(x.read(a), x.read(x.regOf(1, a.bits)))
			ends := x.Keep(ir.Eq.Of(equal, ir.Number(want, 1)))
			flags := x.Value(x.flags)
			clear := ir.Not(ends)
			v := ir.BitAnd.Of(clear, ir.Not(armasm.Carry(flags)))
			x.setFlags(ends, ir.Bit(flags, 2), armasm.Carry(flags), v)
		})
	}
	defineFlagMoves()
}

// defineFlagMoves adds MRS and MSR of the flags.
func defineFlagMoves() {
	for name, at := range map[string]int{"MRS": 1, "MSR": 0} {
		old := instructions[name]
		define(name, 2, 2, func(x *instr) {
			switch {
			case !strings.EqualFold(x.Ops[at].Text, "NZCV"):
				old.lower(x)
			case name == "MRS":
				flags := ir.Resize(x.Value(x.flags), 64)
				x.write(x.regOf(0, 64), shiftBy(ir.Shl, flags, 28))
			default:
				x.Assign(x.flags, ir.Extract{X: x.read(x.regOf(1, 64)), Lo: 28, Bits: armasm.FlagBits})
			}
		})
	}
}

// comparisons are the relations of two numbers, by the letters that instructions have for them.
var comparisons = map[string]func(a, b ir.Expr) ir.Expr{
	"EQ": ir.Eq.Of, "NE": func(a, b ir.Expr) ir.Expr { return ir.Not(ir.Eq.Of(a, b)) },
	"LT": ir.Slt.Of, "LO": ir.Ult.Of,
	"LE": func(a, b ir.Expr) ir.Expr { return ir.Not(ir.Slt.Of(b, a)) },
	"LS": func(a, b ir.Expr) ir.Expr { return ir.Not(ir.Ult.Of(b, a)) },
	"GT": func(a, b ir.Expr) ir.Expr { return ir.Slt.Of(b, a) },
	"HI": func(a, b ir.Expr) ir.Expr { return ir.Ult.Of(b, a) },
	"GE": func(a, b ir.Expr) ir.Expr { return ir.Not(ir.Slt.Of(a, b)) },
	"HS": func(a, b ir.Expr) ir.Expr { return ir.Not(ir.Ult.Of(a, b)) },
}

// whileLess lowers WHILELT and its like: elements are active as long as a number that grows by 1 is less than another.
// Those that count down begin at the last element.
func whileLess(name string, holds func(a, b ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		p, from := x.shaped(0), x.reg(1)
		at, limit := x.Keep(x.read(from)), x.Keep(x.read(x.regOf(2, from.bits)))
		down := name[0] == 'G' || name[0] == 'H'
		n := x.elements(p.bits)
		all, ones := make([]ir.Expr, n), make([]ir.Expr, n)
		last := ir.Expr(ir.Number(1, 1))
		for k := range n {
			i, op := k, ir.Add
			if down {
				i, op = n-1-k, ir.Sub
			}
			last = x.Keep(ir.BitAnd.Of(last, holds(op.Of(at, ir.Number(uint64(k), from.bits)), limit)))
			all[i], ones[i] = last, ir.Number(1, 1)
		}
		x.setMask(p, p.bits, all)
		x.testMask(ones, all)
	}
}

// compareScalable lowers CMPEQ and its like of elements of one width.
func compareScalable(holds func(a, b ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		p, g := x.shaped(0), x.governing(1, "Z")
		a := x.scalable(2, p.bits)
		var right []ir.Expr
		if strings.HasPrefix(x.Ops[3].Text, "#") {
			for range x.elements(p.bits) {
				right = append(right, ir.Number(x.Number(3), p.bits))
			}
		} else {
			right = x.zAll(x.scalable(3, p.bits))
		}
		active := x.kept(x.allActive(g, p.bits))
		var out []ir.Expr
		for i, e := range x.zAll(a) {
			out = append(out, x.Keep(ir.BitAnd.Of(active[i], holds(e, right[i]))))
		}
		x.setMask(p, p.bits, out)
		x.testMask(active, out)
	}
}

// defineElementCounts adds the numbers of elements, and addresses that are counted in vectors.
func defineElementCounts() {
	for _, letter := range []string{"B", "H", "W", "D"} {
		define("CNT"+letter, 1, 3, func(x *instr) { x.write(x.regOf(0, 64), ir.Number(x.count(), 64)) })
		for name, op := range map[string]ir.BinaryOp{"INC": ir.Add, "DEC": ir.Sub} {
			define(name+letter, 1, 3, func(x *instr) {
				if isScalable(x.Ops[0].Text) {
					x.Fail(0, "counting in the elements of a vector is not supported")
					return
				}
				r := x.regOf(0, 64)
				x.write(r, op.Of(x.read(r), ir.Number(x.count(), 64)))
			})
		}
	}
	for name, unit := range map[string]int{"RDVL": 8, "RDSVL": 8} {
		define(name, 2, 2, func(x *instr) {
			x.write(x.regOf(0, 64), ir.Number(x.Number(1)*uint64(vectorBits(x.Test)/unit), 64))
		})
	}
	for name, unit := range map[string]int{"ADDVL": 8, "ADDPL": 64} {
		define(name, 3, 3, func(x *instr) {
			n := x.Number(2) * uint64(vectorBits(x.Test)/unit)
			x.write(x.regOf(0, 64), ir.Add.Of(x.read(x.regOf(1, 64)), ir.Number(n, 64)))
		})
	}
}

// count returns the number that the operands of CNTW and its like say: those of a pattern, times a number.
func (x *instr) count() uint64 {
	name := strings.ToUpper(x.Name.Text)
	n := x.pattern(1, x.elements(letterOf(name)))
	if len(x.Ops) < 3 {
		return uint64(n)
	}
	text, ok := strings.CutPrefix(strings.ToUpper(x.Ops[2].Text), "MUL")
	times, number := armasm.ParseNumber(strings.TrimSpace(text))
	if !ok || !number || times < 1 || times > 16 {
		x.Fail(2, "got operand %q, want a factor such as MUL #4, of at most 16", x.Ops[2].Text)
	}
	return uint64(n) * times
}
