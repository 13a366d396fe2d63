package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
)

// elementSizes are the widths in memory that the names of loads and stores of elements end in.
var elementSizes = map[string]int{"B": 8, "H": 16, "W": 32, "D": 64}

// defineScalableAccesses adds loads and stores of the active elements of scalable vectors.
func defineScalableAccesses() {
	for letter, bits := range elementSizes {
		for n := 1; n <= 4; n++ {
			define("LD"+strconv.Itoa(n)+letter, 3, 3, loadActive(n, bits, false))
			define("ST"+strconv.Itoa(n)+letter, 3, 3, storeActive(n, bits))
		}
		define("LD1R"+letter, 3, 3, loadSame(bits, false))
		if bits < 64 {
			define("LD1S"+letter, 3, 3, loadActive(1, bits, true))
			define("LD1RS"+letter, 3, 3, loadSame(bits, true))
		}
	}
	for _, name := range []string{"LDR", "STR"} {
		scalableForm(name, 2, 3, func(x *instr) {
			x.Fail(0, "loading or storing whole scalable registers is not supported: use LD1D or ST1D with PTRUE")
		})
	}
}

// registers returns the n scalable registers of operand 0, one after another and of one shape, such as {Z0.S,Z1.S}.
func (x *instr) registers(n int) (list []scalable, ok bool) {
	text := x.Ops[0].Text
	inside, open := strings.CutPrefix(text, "{")
	inside, closed := strings.CutSuffix(strings.TrimSpace(inside), "}")
	parts := strings.Split(inside, ",")
	if first, last, ranged := strings.Cut(inside, "-"); ranged {
		a, okA := parseScalable(first)
		b, okB := parseScalable(last)
		parts = []string{first}
		for k := 1; okA && okB && len(parts) < 4 && (a.number+k-1)%32 != b.number; k++ {
			_, shape, _ := strings.Cut(strings.TrimSpace(first), ".")
			parts = append(parts, "Z"+strconv.Itoa((a.number+k)%32)+"."+shape)
		}
	}
	for k, part := range parts {
		z, parsed := parseScalable(part)
		if !parsed || z.bits == 0 || z.lane >= 0 || z.bits > 64 ||
			k > 0 && (z.bits != list[0].bits || z.number != (list[0].number+k)%32) {
			open = false
			break
		}
		list = append(list, z)
	}
	if !open || !closed || len(list) != n {
		x.Fail(0, "got operand %q, want a list of %d scalable registers, one after another, such as {Z0.S}", text, n)
		return nil, false
	}
	return list, true
}

// elementAddress returns the address of each element that an access of n registers begins with, for elements of some
// bits in memory and of others in the registers.
func (x *instr) elementAddress(n, bits, inRegister int) (at func(i int) ir.Expr, ok bool) {
	text := x.Ops[2].Text
	bad := func() (func(int) ir.Expr, bool) {
		x.Fail(2, "got operand %q, want an address such as [X0], [X0,#1,MUL VL], [X0,X1,LSL #2] or [X0,Z1.S,UXTW]",
			text)
		return nil, false
	}
	parts, pre, bracketed := armasm.Brackets(text)
	if !bracketed || pre {
		return bad()
	}
	z, gather := parseScalable(parts[0])
	if !gather && len(parts) > 1 {
		_, gather = parseScalable(parts[1])
	}
	if gather && x.streaming() {
		x.Fail(2, "gathering and scattering are not defined between SMSTART and SMSTOP")
		return nil, false
	}
	if _, vector := parseScalable(parts[0]); vector {
		return x.gathered(z, parts[1:], bits, inRegister, bad)
	}
	base, isReg := x.parseReg(parts[0])
	if !isReg || base.bits != 64 || base.whole == zero {
		return bad()
	}
	from := ir.Expr(x.Keep(x.read(base)))
	inMemory := uint64(n * bits / 8)
	consecutive := func(i int) ir.Expr { return displaced(from, i*n*bits) }
	switch {
	case len(parts) == 1:
		return consecutive, true
	case strings.HasPrefix(parts[1], "#"):
		v, number := armasm.ParseNumber(parts[1])
		if !number || len(parts) != 3 && v != 0 ||
			len(parts) == 3 && strings.Join(strings.Fields(strings.ToUpper(parts[2])), " ") != "MUL VL" ||
			int64(v)%int64(n) != 0 {
			return bad()
		}
		step := v / uint64(n) * inMemory * uint64(x.elements(inRegister))
		if int64(v) < 0 {
			step = -(-v / uint64(n) * inMemory * uint64(x.elements(inRegister)))
		}
		from = x.Keep(ir.Add.Of(from, ir.Number(step, 64)))
		return consecutive, true
	}
	if z, vector := parseScalable(parts[1]); vector {
		if n != 1 {
			return bad()
		}
		return x.scattered(from, z, parts[2:], bits, inRegister, bad)
	}
	offset, isReg := x.parseReg(parts[1])
	if !isReg || offset.bits != 64 {
		return bad()
	}
	shift := uint64(0)
	if len(parts) == 3 {
		amount, lsl := strings.CutPrefix(strings.ToUpper(parts[2]), "LSL")
		v, number := armasm.ParseNumber(strings.TrimSpace(amount))
		if shift = v; !lsl || !number {
			return bad()
		}
	}
	if 8<<shift != bits {
		return bad()
	}
	from = x.Keep(ir.Add.Of(from, shiftBy(ir.Shl, x.read(offset), shift)))
	return consecutive, true
}

// gathered returns the addresses of elements that are in a vector, with a number to add: [Z1.D,#8].
func (x *instr) gathered(
	z scalable, rest []string, bits, inRegister int, bad func() (func(int) ir.Expr, bool),
) (func(i int) ir.Expr, bool) {
	v := uint64(0)
	if len(rest) == 1 {
		n, number := armasm.ParseNumber(rest[0])
		if v = n; !number || n%uint64(bits/8) != 0 || n/uint64(bits/8) > 31 {
			return bad()
		}
	}
	if len(rest) > 1 || z.bits != inRegister || z.bits < 32 || z.lane >= 0 {
		return bad()
	}
	list := x.kept(x.zAll(z))
	return func(i int) ir.Expr { return displaced(ir.Resize(list[i], 64), int(v)*8) }, true
}

// scattered returns the addresses of elements whose distances from a base are in a vector: [X0,Z1.S,UXTW #2].
func (x *instr) scattered(
	base ir.Expr, z scalable, rest []string, bits, inRegister int, bad func() (func(int) ir.Expr, bool),
) (func(i int) ir.Expr, bool) {
	if z.bits != inRegister || z.bits < 32 || z.lane >= 0 || len(rest) > 1 || len(rest) == 0 && z.bits != 64 {
		return bad()
	}
	how, shift := "LSL", uint64(0)
	if len(rest) == 1 {
		name, amount, _ := strings.Cut(strings.ToUpper(strings.ReplaceAll(rest[0], "#", " #")), " ")
		how = strings.TrimSpace(name)
		if amount = strings.TrimSpace(amount); amount != "" {
			v, number := armasm.ParseNumber(amount)
			if shift = v; !number {
				return bad()
			}
		}
	}
	if how != "UXTW" && how != "SXTW" && (how != "LSL" || z.bits != 64) || shift != 0 && 8<<shift != bits ||
		how == "LSL" && len(rest) == 1 && 8<<shift != bits {
		return bad()
	}
	list := x.zAll(z)
	for i, e := range list {
		if how != "LSL" {
			e = ir.Widen(ir.Resize(e, 32), 64, how == "SXTW")
		}
		list[i] = x.Keep(ir.Add.Of(base, shiftBy(ir.Shl, e, shift)))
	}
	return func(i int) ir.Expr { return list[i] }, true
}

// fits reports whether elements of a width in memory fit in those of registers; several registers have just them.
func (x *instr) fits(n, bits int, z scalable) bool {
	if bits <= z.bits && (n == 1 || bits == z.bits) {
		return true
	}
	x.Fail(0, "got operand %q, but the instruction is for elements of %d bits", x.Ops[0].Text, bits)
	return false
}

// loadActive lowers LD1W and its like: the active elements of n registers, those of one number one after another in
// memory. Others become 0.
func loadActive(n, bits int, signed bool) func(*instr) {
	return func(x *instr) {
		if strings.HasPrefix(strings.ToUpper(x.Ops[0].Text), "{ZA") {
			x.loadSlice(n, bits, signed)
			return
		}
		list, ok := x.registers(n)
		if !ok || !x.fits(n, bits, list[0]) || signed && bits == list[0].bits {
			x.Fail(0, "got operand %q, want wider elements", x.Ops[0].Text)
			return
		}
		p := x.governing(1, "Z")
		at, ok := x.elementAddress(n, bits, list[0].bits)
		if !ok {
			return
		}
		out := make([][]ir.Expr, n)
		for i := range x.elements(list[0].bits) {
			for k := range out {
				out[k] = append(out[k], x.loadIf(x.active(p, list[0].bits, i), displaced(at(i), k*bits), bits,
					list[0].bits, signed))
			}
		}
		for k, z := range list {
			x.zSet(z, out[k])
		}
	}
}

// loadIf loads an element if it is active, and widens it. Otherwise it is 0.
func (x *instr) loadIf(active, at ir.Expr, bits, to int, signed bool) ir.Expr {
	tmp := x.Temp(to)
	x.Assign(tmp, ir.Number(0, to))
	x.When(active, func() {
		x.Assign(tmp, ir.Widen(x.Load(ir.Load{Addr: at, Bits: bits}), to, signed))
	})
	return x.Value(tmp)
}

// storeActive lowers ST1W and its like.
func storeActive(n, bits int) func(*instr) {
	return func(x *instr) {
		if strings.HasPrefix(strings.ToUpper(x.Ops[0].Text), "{ZA") {
			x.storeSlice(n, bits)
			return
		}
		list, ok := x.registers(n)
		if !ok || !x.fits(n, bits, list[0]) {
			return
		}
		p := x.governing(1, "")
		at, ok := x.elementAddress(n, bits, list[0].bits)
		if !ok {
			return
		}
		for i := range x.elements(list[0].bits) {
			for k, z := range list {
				x.When(x.active(p, z.bits, i), func() {
					x.Emit(ir.Store{Addr: displaced(at(i), k*bits), Value: ir.Resize(x.zElement(z, i), bits)})
				})
			}
		}
	}
}

// loadSame lowers LD1RW and its like: one load, if any element is active, for all active elements.
func loadSame(bits int, signed bool) func(*instr) {
	return func(x *instr) {
		list, ok := x.registers(1)
		if !ok || !x.fits(1, bits, list[0]) || signed && bits == list[0].bits {
			x.Fail(0, "got operand %q, want wider elements", x.Ops[0].Text)
			return
		}
		z, p := list[0], x.governing(1, "Z")
		if !strings.HasSuffix(x.Ops[2].Text, "]") {
			x.Fail(2, "got operand %q, want an address such as [X0] or [X0,#4]", x.Ops[2].Text)
			return
		}
		a := x.address(2)
		active := x.kept(x.allActive(p, z.bits))
		some := ir.Expr(ir.Number(0, 1))
		for _, e := range active {
			some = ir.BitOr.Of(some, e)
		}
		v := x.loadIf(some, x.Keep(a.at), bits, z.bits, signed)
		var out []ir.Expr
		for _, e := range active {
			out = append(out, ir.Cond{If: e, Then: v, Else: ir.Number(0, z.bits)})
		}
		x.zSet(z, out)
	}
}
