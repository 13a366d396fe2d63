package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Vector registers (DDI 0487, chapters C3.2.9 and C7). A register of 128 bits is two registers of 64 bits here, Vn and
// its upper half. Loads and stores make one access for each element (B2.2.1), an access of 128 bits makes one for each
// half. A load or an operation of fewer than 128 bits clears the rest of its destination.

// vector is a vector operand: a register, with the width of its elements and their number, or one element.
type vector struct {
	number int
	bits   int // of an element
	count  int // of elements; 1 for a scalar
	lane   int // the element, -1 for all
	scalar bool
}

// lanes are the widths of elements by letter.
var lanes = map[byte]int{'B': 8, 'H': 16, 'S': 32, 'D': 64, 'Q': 128}

// parseVector parses D0, V0.4S, V0.S[1] or V0.S.
func parseVector(text string) (v vector, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	v.lane = -1
	if i := strings.IndexByte(text, '['); i > 0 {
		n, err := strconv.Atoi(strings.TrimSuffix(text[i+1:], "]"))
		if err != nil || !strings.HasSuffix(text, "]") {
			return v, false
		}
		v.lane, text = n, text[:i]
	}
	name, shape, shaped := strings.Cut(text, ".")
	if len(name) < 2 {
		return v, false
	}
	n, err := strconv.Atoi(name[1:])
	if err != nil || n < 0 || n > 31 || name[1] == '+' {
		return v, false
	}
	v.number = n
	if !shaped {
		v.bits, v.count, v.scalar = lanes[name[0]], 1, true
		return v, v.bits > 0 && v.lane < 0
	}
	if name[0] != 'V' || shape == "" {
		return v, false
	}
	v.bits = lanes[shape[len(shape)-1]]
	if v.bits == 0 || v.bits == 128 {
		return v, false
	}
	if shape = shape[:len(shape)-1]; shape == "" {
		v.count = 128 / v.bits
		return v, v.lane < v.count
	}
	v.count, err = strconv.Atoi(shape)
	return v, err == nil && (v.count*v.bits == 64 || v.count*v.bits == 128) && v.lane < 128/v.bits
}

// isVector reports whether operand i is a vector register, an element of one or a list of them.
func (x *instr) isVector(i int) bool {
	if i >= len(x.Ops) {
		return false
	}
	_, ok := parseVector(x.Ops[i].Text)
	return ok || strings.HasPrefix(x.Ops[i].Text, "{")
}

// vector returns operand i, a vector register or an element of one.
func (x *instr) vector(i int) vector {
	v, ok := parseVector(x.Ops[i].Text)
	if !ok {
		x.Fail(i, "got operand %q, want a vector register such as V0.4S or D0", x.Ops[i].Text)
		return vector{bits: 64, count: 1, lane: -1, scalar: true}
	}
	return v
}

// vectors returns the registers of operand i, a list such as {V0.4S,V1.4S} or {V0.S}[1], all with one shape.
func (x *instr) vectors(i int) (list []vector) {
	text := x.Ops[i].Text
	if x.streaming() {
		x.Fail(i, "the instruction is not defined between SMSTART and SMSTOP")
		return nil
	}
	inside, lane, ok := strings.Cut(strings.TrimPrefix(text, "{"), "}")
	if !ok || !strings.HasPrefix(text, "{") {
		x.Fail(i, "got operand %q, want a list of vector registers such as {V0.4S}", text)
		return nil
	}
	parts := strings.Split(inside, ",")
	if first, last, ranged := strings.Cut(inside, "-"); ranged {
		a, okA := parseVector(first)
		b, okB := parseVector(last)
		parts = []string{first}
		for n := a.number; okA && okB && n != b.number && len(parts) < 4; {
			n = (n + 1) % 32
			_, shape, _ := strings.Cut(strings.TrimSpace(first), ".")
			parts = append(parts, "V"+strconv.Itoa(n)+"."+shape)
		}
	}
	for k, part := range parts {
		v, ok := parseVector(strings.TrimSpace(part) + strings.TrimSpace(lane))
		if !ok || v.scalar || k > 0 && (v.bits != list[0].bits || v.count != list[0].count ||
			v.number != (list[0].number+k)%32) {
			x.Fail(i, "got operand %q, want vector registers one after another and of one shape, such as {V0.4S,V1.4S}",
				text)
			return nil
		}
		list = append(list, v)
	}
	return list
}

// half returns a register of 64 bits that is a half of a vector register.
func (x *instr) half(v vector, upper bool) int {
	name := "V" + strconv.Itoa(v.number)
	if upper {
		name += ".upper"
	}
	return x.Reg(name)
}

// element returns element i of a vector register.
func (x *instr) element(v vector, i int) ir.Expr {
	at := i * v.bits
	return ir.Extract{X: x.Value(x.half(v, at >= 64)), Lo: at % 64, Bits: min(v.bits, 64)}
}

// setElement sets element i of a vector register and leaves the others as they are.
func (x *instr) setElement(v vector, i int, e ir.Expr) {
	at := i * v.bits
	reg := x.half(v, at >= 64)
	defer x.clearAbove(v.number)
	if v.bits == 64 {
		x.Assign(reg, e)
		return
	}
	mask := ir.Mask(v.bits) << (at % 64)
	rest := ir.BitAnd.Of(x.Value(reg), ir.Number(^mask, 64))
	x.Assign(reg, ir.BitOr.Of(rest, ir.Shl.Of(ir.Resize(e, 64), ir.Number(uint64(at%64), 64))))
}

// setAll sets a vector register to its elements; the rest of it becomes 0.
func (x *instr) setAll(v vector, elements []ir.Expr) {
	for upper := range 2 {
		sum := ir.Expr(ir.Number(0, 64))
		for i, e := range elements {
			if at := i * v.bits; at/64 == upper {
				sum = ir.BitOr.Of(sum, ir.Shl.Of(ir.Resize(e, 64), ir.Number(uint64(at%64), 64)))
			}
		}
		x.Assign(x.half(v, upper == 1), sum)
	}
	x.clearAbove(v.number)
}

// all returns the elements of a vector register.
func (x *instr) all(v vector) (elements []ir.Expr) {
	for i := range v.count {
		elements = append(elements, x.element(v, i))
	}
	return elements
}

// vectorForm adds a form of an instruction for vector registers, beside the one for other registers if there is one.
func vectorForm(name string, least, most int, lower func(*instr)) {
	old, had := instructions[name]
	if !had {
		define(name, least, most, lower)
		return
	}
	define(name, min(least, old.least), max(most, old.most), func(x *instr) {
		in := old
		if x.isVector(0) || (name == "MOV" || name == "FMOV") && x.isVector(1) {
			in = instruction{least, most, lower}
		}
		if x.HasOperands(x.Name, in.least, in.most, len(x.Ops)) {
			in.lower(x)
		}
	})
}

// defineVectors adds the instructions of vector registers: loads, stores, moves and some arithmetic.
func defineVectors() {
	for n := 1; n <= 4; n++ {
		digit := strconv.Itoa(n)
		define("LD"+digit, 2, 3, loadElements(n, nil))
		define("ST"+digit, 2, 3, storeElements(n, nil))
		define("LD"+digit+"R", 2, 3, loadReplicated(n))
	}
	define("LDAP1", 2, 2, loadElements(1, acquirePC))
	define("STL1", 2, 2, storeElements(1, release))
	for name, tags := range map[string]ir.Tags{"LDR": nil, "LDUR": nil, "LDAPUR": acquirePC} {
		vectorForm(name, 2, 3, func(x *instr) { x.loadVectors(1, tags) })
	}
	for name, tags := range map[string]ir.Tags{"STR": nil, "STUR": nil, "STLUR": release} {
		vectorForm(name, 2, 3, func(x *instr) { x.storeVectors(1, tags) })
	}
	vectorForm("LDP", 3, 4, func(x *instr) { x.loadVectors(2, nil) })
	vectorForm("LDNP", 3, 3, func(x *instr) { x.loadVectors(2, nil) })
	vectorForm("STP", 3, 4, func(x *instr) { x.storeVectors(2, nil) })
	vectorForm("STNP", 3, 3, func(x *instr) { x.storeVectors(2, nil) })
	define("MOVI", 2, 3, moveNumber)
	vectorForm("MOV", 2, 2, moveVector)
	define("FMOV", 2, 2, moveVector)
	for _, name := range []string{"DUP", "UMOV", "INS"} {
		define(name, 2, 2, moveVector)
	}
	for name, op := range map[string]ir.BinaryOp{
		"ADD": ir.Add, "SUB": ir.Sub, "AND": ir.BitAnd, "ORR": ir.BitOr, "EOR": ir.BitXor,
	} {
		vectorForm(name, 3, 3, func(x *instr) {
			to, a, b := x.vector(0), x.vector(1), x.vector(2)
			if to.bits != a.bits || a.bits != b.bits || to.count != a.count || a.count != b.count || to.lane >= 0 ||
				a.lane >= 0 || b.lane >= 0 || to.bits > 64 {
				x.Fail(0, "want three vector registers of one shape")
				return
			}
			var out []ir.Expr
			for i := range to.count {
				out = append(out, x.Keep(op.Of(x.element(a, i), x.element(b, i))))
			}
			x.setAll(to, out)
		})
	}
	define("ADDV", 2, 2, func(x *instr) {
		to, from := x.vector(0), x.vector(1)
		if to.bits != from.bits || !to.scalar || from.scalar {
			x.Fail(0, "want a scalar and a vector of elements of its width")
			return
		}
		sum := x.element(from, 0)
		for i := 1; i < from.count; i++ {
			sum = ir.Add.Of(sum, x.element(from, i))
		}
		x.setAll(to, []ir.Expr{x.Keep(sum)})
	})
}

// list returns the n registers of operand 0 and the address of operand 1.
func (x *instr) list(n int) (list []vector, a address, ok bool) {
	list = x.vectors(0)
	if list == nil {
		return nil, address{}, false
	}
	several := n == 1 && len(list) <= 4 && list[0].lane < 0 && !strings.HasSuffix(strings.ToUpper(x.Name.Text), "R")
	if len(list) != n && !several {
		x.Fail(0, "got %d registers, want %d", len(list), n)
		return nil, address{}, false
	}
	a = x.address(1)
	a.at = x.Keep(a.at)
	return list, a, true
}

func displaced(at ir.Expr, bits int) ir.Expr {
	if bits == 0 {
		return at
	}
	return ir.Add.Of(at, ir.Number(uint64(bits/8), 64))
}

// loadElements lowers LD1 to LD4: of n registers, element 0 of each comes first in memory, and so on. Only LD1 can have
// several registers that are one after another in memory.
func loadElements(n int, tags ir.Tags) func(*instr) {
	return func(x *instr) {
		list, a, ok := x.list(n)
		if !ok {
			return
		}
		v := list[0]
		load := func(at int) ir.Expr {
			return x.Load(ir.Load{Addr: displaced(a.at, at), Bits: v.bits, Tags: tags})
		}
		if v.lane >= 0 {
			for k, v := range list {
				x.setElement(v, v.lane, load(k*v.bits))
			}
			x.advance(a)
			return
		}
		out := make([][]ir.Expr, len(list))
		for i := range v.count * len(list) {
			k := i % len(list)
			if n == 1 {
				k = i / v.count
			}
			out[k] = append(out[k], load(i*v.bits))
		}
		for k, v := range list {
			x.setAll(v, out[k])
		}
		x.advance(a)
	}
}

// storeElements lowers ST1 to ST4.
func storeElements(n int, tags ir.Tags) func(*instr) {
	return func(x *instr) {
		list, a, ok := x.list(n)
		if !ok {
			return
		}
		v := list[0]
		store := func(at int, e ir.Expr) {
			x.Emit(ir.Store{Addr: displaced(a.at, at), Value: e, Tags: tags})
		}
		if v.lane >= 0 {
			for k, v := range list {
				store(k*v.bits, x.element(v, v.lane))
			}
			x.advance(a)
			return
		}
		for i := range v.count * len(list) {
			k, at := i%len(list), i/len(list)
			if n == 1 {
				k, at = i/v.count, i%v.count
			}
			store(i*v.bits, x.element(list[k], at))
		}
		x.advance(a)
	}
}

// loadReplicated lowers LD1R to LD4R: one element for all elements of each register.
func loadReplicated(n int) func(*instr) {
	return func(x *instr) {
		list, a, ok := x.list(n)
		if !ok {
			return
		}
		var values []ir.Expr
		for k, v := range list {
			values = append(values, x.Load(ir.Load{Addr: displaced(a.at, k*v.bits), Bits: v.bits}))
		}
		for k, v := range list {
			out := make([]ir.Expr, v.count)
			for i := range out {
				out[i] = values[k]
			}
			x.setAll(v, out)
		}
		x.advance(a)
	}
}

// scalars returns the first n operands, scalars of one width, and the address behind them.
func (x *instr) scalars(n int) (list []vector, a address, ok bool) {
	for i := range n {
		v := x.vector(i)
		if !v.scalar || v.bits != x.vector(0).bits {
			x.Fail(i, "got operand %q, want a register such as D0", x.Ops[i].Text)
			return nil, address{}, false
		}
		list = append(list, v)
	}
	if n+2 < len(x.Ops) {
		x.HasOperands(x.Name, n+1, n+2, len(x.Ops))
		return nil, address{}, false
	}
	a = x.address(n)
	a.at = x.Keep(a.at)
	return list, a, true
}

// loadVectors lowers LDR, LDP and their like for scalars.
func (x *instr) loadVectors(n int, tags ir.Tags) {
	list, a, ok := x.scalars(n)
	if !ok {
		return
	}
	out := make([][]ir.Expr, n)
	for k, v := range list {
		for at := 0; at < v.bits; at += 64 {
			out[k] = append(out[k],
				x.Load(ir.Load{Addr: displaced(a.at, k*v.bits+at), Bits: min(v.bits, 64), Tags: tags}))
		}
	}
	for k, v := range list {
		v.bits = min(v.bits, 64)
		x.setAll(v, out[k])
	}
	x.advance(a)
}

// storeVectors lowers STR, STP and their like for scalars.
func (x *instr) storeVectors(n int, tags ir.Tags) {
	list, a, ok := x.scalars(n)
	if !ok {
		return
	}
	for k, v := range list {
		for at := 0; at < v.bits; at += 64 {
			part := vector{number: v.number, bits: min(v.bits, 64), count: 1, lane: -1}
			x.Emit(ir.Store{Addr: displaced(a.at, k*v.bits+at), Value: x.element(part, at/64), Tags: tags})
		}
	}
	x.advance(a)
}

// moveNumber lowers MOVI.
func moveNumber(x *instr) {
	v := x.vector(0)
	n := x.Number(1)
	if v.lane >= 0 || v.bits > 64 {
		x.Fail(0, "got operand %q, want a vector register such as V0.4S", x.Ops[0].Text)
		return
	}
	if len(x.Ops) == 3 {
		n <<= x.leftShift(2, 32)
	}
	out := make([]ir.Expr, v.count)
	for i := range out {
		out[i] = ir.Number(n, v.bits)
	}
	x.setAll(v, out)
}

// moveVector lowers moves between vector registers, their elements and general registers: MOV, FMOV, DUP, UMOV and INS.
func moveVector(x *instr) {
	name := strings.ToUpper(x.Name.Text)
	if !x.isVector(0) && !x.isVector(1) {
		x.Fail(0, "want a vector register such as V0.4S or D0")
		return
	}
	if !x.isVector(0) { // to a general register
		r, from := x.reg(0), x.vector(1)
		at := max(from.lane, 0)
		if from.bits > r.bits || from.lane < 0 && !from.scalar {
			x.Fail(1, "got operand %q, want an element of at most %d bits", x.Ops[1].Text, r.bits)
			return
		}
		x.write(r, ir.Resize(x.element(from, at), r.bits))
		return
	}
	to := x.vector(0)
	if !x.isVector(1) {
		if _, number := x.numberAt(1); number {
			x.Fail(1, "got operand %q, want a register", x.Ops[1].Text)
			return
		}
		r := x.reg(1)
		if r.bits < to.bits {
			x.Fail(1, "%s has %d bits, want %d", x.Ops[1].Text, r.bits, to.bits)
			return
		}
		x.spread(name, to, ir.Resize(x.read(r), to.bits))
		return
	}
	from := x.vector(1)
	switch {
	case to.scalar && from.scalar || to.lane < 0 && from.lane < 0 && to.count == from.count:
		if to.bits != from.bits || to.bits > 64 {
			x.Fail(1, "got operand %q, want one of the width of %s", x.Ops[1].Text, x.Ops[0].Text)
			return
		}
		x.setAll(to, x.kept(x.all(from)))
	case from.lane >= 0 && to.bits == from.bits:
		x.spread(name, to, x.Keep(x.element(from, from.lane)))
	default:
		x.Fail(1, "got operand %q, which does not fit %s", x.Ops[1].Text, x.Ops[0].Text)
	}
}

func (x *instr) kept(list []ir.Expr) []ir.Expr {
	for i, e := range list {
		list[i] = x.Keep(e)
	}
	return list
}

// numberAt reports whether operand i is a number such as #1.
func (x *instr) numberAt(i int) (litmus.Word, bool) {
	return x.Ops[i], strings.HasPrefix(x.Ops[i].Text, "#")
}

// spread sets an element, a scalar or, for DUP, all elements.
func (x *instr) spread(name string, to vector, e ir.Expr) {
	switch {
	case to.lane >= 0:
		x.setElement(to, to.lane, e)
	case to.scalar:
		x.setAll(to, []ir.Expr{e})
	case name == "DUP":
		out := make([]ir.Expr, to.count)
		for i := range out {
			out[i] = e
		}
		x.setAll(to, out)
	default:
		x.Fail(0, "got operand %q, want an element such as V0.S[1]", x.Ops[0].Text)
	}
}
