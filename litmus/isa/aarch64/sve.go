package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/isa/armasm"
	"litmuscope/litmus/lower"
)

// Scalable vectors (DDI 0487, chapters A1.3.2 and C8). A scalable register Zn has as many bits as the option sve:BITS
// or sme:BITS of the line Variant= says, or 128. It is several registers of 64 bits here; the lowest two are those of
// Vn. A predicate Pn has a bit for each byte of a vector; the lowest bit of an element's bits says whether the element
// is active. Loads and stores make one access for each active element.

// maxVector is the greatest length of vectors, in bits: a predicate has to fit in 64 bits.
const maxVector = 512

// scalableOption returns the length of vectors that an option of the line Variant= gives.
func scalableOption(option string) (bits int, ok bool) {
	name, length, given := strings.Cut(strings.ToLower(option), ":")
	if name != "sve" && name != "sme" {
		return 0, false
	}
	if !given {
		return 128, true
	}
	n, err := strconv.Atoi(length)
	if err != nil {
		return 0, true
	}
	return n, true
}

// options calls f on each option of the lines Variant=.
func options(t *litmus.Test, f func(option string)) {
	for _, i := range t.Info {
		if strings.EqualFold(i.Key, "variant") {
			for _, w := range strings.FieldsFunc(i.Value, func(r rune) bool { return r == ',' || r == ' ' }) {
				f(w)
			}
		}
	}
}

// vectorBits returns the length of scalable vectors in a test.
func vectorBits(t *litmus.Test) int {
	bits := 128
	options(t, func(option string) {
		if n, ok := scalableOption(option); ok && validVector(n) {
			bits = n
		}
	})
	return bits
}

// validVector reports whether vectors can have a length: Arm requires a power of 2.
func validVector(bits int) bool { return bits >= 128 && bits <= maxVector && bits&(bits-1) == 0 }

// checkVectorOptions rejects lengths of vectors that are not supported.
func checkVectorOptions(b *lower.Builder) {
	seen := 0
	options(b.Test, func(option string) {
		head := litmus.Pos{File: b.Test.File, Line: 1, Col: 1}
		n, ok := scalableOption(option)
		switch {
		case !ok:
			return
		case !validVector(n):
			b.Failf(head, "%s: the option %s of the line Variant= is not supported: want a "+
				"length of 128, 256 or %d bits",
				b.Test.Arch, option, maxVector)
		case seen != 0 && seen != n:
			b.Failf(head, "%s: vectors of two lengths in one test are not supported", b.Test.Arch)
		}
		seen = n
	})
}

// scalable is a scalable vector operand: a register with the width of its elements, 0 if the operand does not say it.
type scalable struct {
	number int
	bits   int
	lane   int // of Z0.S[1], -1 for all elements
}

// parseScalable parses Z0, Z0.S or Z0.S[1].
func parseScalable(text string) (z scalable, ok bool) {
	text, z.lane = strings.ToUpper(strings.TrimSpace(text)), -1
	if head, index, cut := strings.Cut(text, "["); cut {
		n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if err != nil || n < 0 || !strings.HasSuffix(index, "]") {
			return z, false
		}
		text, z.lane = head, n
	}
	name, shape, shaped := strings.Cut(text, ".")
	n, ok := numbered(name, "Z", 32)
	if z.number = n; !ok || !shaped {
		return z, ok && z.lane < 0
	}
	if len(shape) == 1 {
		z.bits = lanes[shape[0]]
	}
	return z, z.bits > 0
}

// numbered parses a name such as Z0: a prefix, and a number less than limit.
func numbered(name, prefix string, limit int) (n int, ok bool) {
	digits, ok := strings.CutPrefix(name, prefix)
	if !ok || digits == "" || digits[0] < '0' || digits[0] > '9' || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n < limit
}

// predicate is a predicate operand: P0.S, P0/Z, P0/M or P0.
type predicate struct {
	number           int
	bits             int // the width of the elements that P0.S names, or 0
	zeroing, merging bool
}

func parsePredicate(text string) (p predicate, ok bool) {
	text = strings.ToUpper(strings.TrimSpace(text))
	name, mode, moded := strings.Cut(text, "/")
	name, shape, shaped := strings.Cut(name, ".")
	p.zeroing, p.merging = mode == "Z", mode == "M"
	if shaped {
		if len(shape) == 1 {
			p.bits = lanes[shape[0]]
		}
		if p.bits == 0 || p.bits == 128 || moded {
			return p, false
		}
	}
	p.number, ok = numbered(name, "P", 16)
	return p, ok && (!moded || p.zeroing || p.merging)
}

// isScalable reports whether an operand names a scalable register, a predicate or the matrix of SME.
func isScalable(text string) bool {
	text = strings.ToUpper(strings.TrimLeft(text, "{ "))
	if _, ok := parsePredicate(text); ok {
		return true
	}
	return len(text) > 1 && text[0] == 'Z' && (text[1] >= '0' && text[1] <= '9' || text[1] == 'A')
}

// scalableForm adds a form of an instruction for scalable registers, beside the other forms if there are any.
func scalableForm(name string, least, most int, lower func(*instr)) {
	old, had := instructions[name]
	if !had {
		define(name, least, most, lower)
		return
	}
	define(name, min(least, old.least), max(most, old.most), func(x *instr) {
		in := old
		for _, op := range x.Ops {
			if isScalable(op.Text) {
				in = instruction{least, most, lower}
			}
		}
		if x.HasOperands(x.Name, in.least, in.most, len(x.Ops)) {
			in.lower(x)
		}
	})
}

// scalable returns operand i, a scalable register with elements of the given width; 0 for any width up to 64.
func (x *instr) scalable(i, bits int) scalable {
	z, ok := scalable{}, false
	if i < len(x.Ops) {
		z, ok = parseScalable(x.Ops[i].Text)
	}
	switch {
	case !ok || z.bits == 0 || z.lane >= 0:
		x.Fail(i, "got operand %q, want a scalable register such as Z0.S", x.operand(i))
	case z.bits > 64:
		x.Fail(i, "got operand %q: elements of 128 bits are not supported", x.operand(i))
	case bits != 0 && z.bits != bits:
		x.Fail(i, "got operand %q, want elements of %d bits", x.operand(i), bits)
	default:
		return z
	}
	return scalable{bits: max(bits, 8), lane: -1}
}

// operand returns the text of an operand, or "" if there are not so many.
func (x *instr) operand(i int) string {
	if i < len(x.Ops) {
		return x.Ops[i].Text
	}
	return ""
}

// predicate returns operand i, a predicate with elements of a width, 0 if the operand has to be without a width.
func (x *instr) predicate(i, bits int) predicate {
	p, ok := parsePredicate(x.operand(i))
	if !ok || p.bits != bits || p.merging || p.zeroing {
		want := "P0"
		for letter, n := range lanes {
			if n == bits {
				want = "P0." + string(letter)
			}
		}
		x.Fail(i, "got operand %q, want a predicate such as %s", x.operand(i), want)
	}
	return p
}

// shaped returns operand i, a predicate such as P0.S.
func (x *instr) shaped(i int) predicate {
	p, ok := parsePredicate(x.operand(i))
	if !ok || p.bits == 0 {
		x.Fail(i, "got operand %q, want a predicate such as P0.S", x.operand(i))
		p.bits = 8
	}
	return p
}

// governing returns operand i, the predicate that says which elements are active. modes has the letters that may stand
// behind its slash.
func (x *instr) governing(i int, modes string) predicate {
	p, ok := parsePredicate(x.operand(i))
	switch {
	case !ok || p.bits != 0 || p.merging && !strings.Contains(modes, "M") ||
		p.zeroing && !strings.Contains(modes, "Z") ||
		modes != "" && !p.merging && !p.zeroing:
		want := "P0"
		if modes != "" {
			want += "/" + modes[:1]
		}
		x.Fail(i, "got operand %q, want a predicate such as %s", x.operand(i), want)
	case p.number > 7:
		x.Fail(i, "got operand %q, want P0 to P7", x.operand(i))
	}
	return p
}

// elements returns the number of elements of a width in a vector.
func (x *instr) elements(bits int) int { return vectorBits(x.Test) / bits }

// word returns the register of 64 bits that is a part of a scalable register.
func (x *instr) word(number, part int) int {
	switch part {
	case 0:
		return x.half(vector{number: number}, false)
	case 1:
		return x.half(vector{number: number}, true)
	}
	return x.Reg("V" + strconv.Itoa(number) + "." + strconv.Itoa(part))
}

// zElement returns element i of a scalable register.
func (x *instr) zElement(z scalable, i int) ir.Expr {
	at := i * z.bits
	return ir.Extract{X: x.Value(x.word(z.number, at/64)), Lo: at % 64, Bits: z.bits}
}

// zAll returns the elements of a scalable register.
func (x *instr) zAll(z scalable) (list []ir.Expr) {
	for i := range x.elements(z.bits) {
		list = append(list, x.zElement(z, i))
	}
	return list
}

// zSet sets a scalable register to its elements. They may use the register.
func (x *instr) zSet(z scalable, list []ir.Expr) {
	list = x.kept(list)
	for part := range vectorBits(x.Test) / 64 {
		x.Assign(x.word(z.number, part), packed(list, z.bits, part))
	}
}

// packed returns a part of 64 bits of a vector with some elements.
func packed(list []ir.Expr, bits, part int) ir.Expr {
	if bits == 64 {
		return list[part]
	}
	sum := ir.Expr(ir.Number(0, 64))
	for k := range 64 / bits {
		e := ir.Resize(list[part*64/bits+k], 64)
		sum = ir.BitOr.Of(sum, shiftBy(ir.Shl, e, uint64(k*bits)))
	}
	return sum
}

// clearAbove clears what a scalable register has beyond its vector register, which an instruction without scalable
// registers writes.
func (x *instr) clearAbove(number int) {
	for part := 2; part < vectorBits(x.Test)/64; part++ {
		x.Assign(x.word(number, part), ir.Number(0, 64))
	}
}

// mask returns the register with the bits of a predicate.
func (x *instr) mask(p predicate) int { return x.Reg("P" + strconv.Itoa(p.number)) }

// active returns whether element i, of a width, is active.
func (x *instr) active(p predicate, bits, i int) ir.Expr { return ir.Bit(x.Value(x.mask(p)), i*bits/8) }

// allActive returns for each element of a width whether it is active.
func (x *instr) allActive(p predicate, bits int) (list []ir.Expr) {
	for i := range x.elements(bits) {
		list = append(list, x.active(p, bits, i))
	}
	return list
}

// setMask sets a predicate to the elements of a width that are active.
func (x *instr) setMask(p predicate, bits int, active []ir.Expr) {
	sum := ir.Expr(ir.Number(0, 64))
	for i, a := range active {
		sum = ir.BitOr.Of(sum, shiftBy(ir.Shl, ir.Resize(a, 64), uint64(i*bits/8)))
	}
	x.Assign(x.mask(p), sum)
}

// testMask sets the flags to what a predicate has among the elements that another one governs: N for the first, Z for
// none, C for not the last.
func (x *instr) testMask(governing, result []ir.Expr) {
	zero := ir.Expr(ir.Number(0, 1))
	first, any, last, seen := zero, zero, zero, zero
	for i, g := range governing {
		here := ir.BitAnd.Of(g, result[i])
		first = ir.BitOr.Of(first, ir.BitAnd.Of(here, ir.Not(seen)))
		any = ir.BitOr.Of(any, here)
		last = ir.Cond{If: g, Then: result[i], Else: last}
		seen = ir.BitOr.Of(seen, g)
	}
	x.setFlags(first, ir.Not(any), ir.Not(last), zero)
}

// setFlags sets the flags N, Z, C and V.
func (x *instr) setFlags(n, z, c, v ir.Expr) {
	sum := ir.Expr(ir.Number(0, armasm.FlagBits))
	for i, f := range []ir.Expr{v, c, z, n} {
		sum = ir.BitOr.Of(sum, shiftBy(ir.Shl, ir.Resize(f, armasm.FlagBits), uint64(i)))
	}
	x.Assign(x.flags, sum)
}

// pattern returns how many of some elements a pattern such as VL4 or ALL means (DDI 0487, DecodePredCount).
func pattern(text string, elements int) (n int, ok bool) {
	text = strings.ToUpper(text)
	switch text {
	case "ALL":
		return elements, true
	case "POW2":
		return elements, true // all supported lengths are powers of 2
	case "MUL3":
		return elements - elements%3, true
	case "MUL4":
		return elements - elements%4, true
	}
	for _, limit := range []int{1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256} {
		if text == "VL"+strconv.Itoa(limit) {
			if limit > elements {
				return 0, true
			}
			return limit, true
		}
	}
	return 0, false
}

// pattern returns how many of some elements operand i means; all if the instruction does not have the operand.
func (x *instr) pattern(i, elements int) int {
	if i >= len(x.Ops) {
		return elements
	}
	n, ok := pattern(x.Ops[i].Text, elements)
	if !ok {
		x.Fail(i, "got operand %q, want a pattern such as ALL, POW2 or VL4", x.Ops[i].Text)
	}
	return n
}

// checkPredicates rejects predicates that depend on memory: Arm's model has no word for what such a predicate orders.
func checkPredicates(b *lower.Builder) {
	for t := range b.Program.Threads {
		th := &b.Program.Threads[t]
		if !usesPredicates(th) {
			continue
		}
		loaded := loadedRegisters(th)
		for _, s := range th.Code {
			br, ok := s.Op.(ir.Branch)
			if !ok || br.Cond == nil {
				continue
			}
			bad := false
			ir.Registers(br.Cond, func(r int) { bad = bad || loaded[r] && isMask(th.Regs[r].Name) })
			if bad {
				b.Failf(th.Source[s.Source].Pos,
					"%s: a predicate that depends on a load, for an access, is not supported",
					b.Test.Arch)
				break
			}
		}
	}
}

func isMask(name string) bool {
	_, ok := numbered(name, "P", 16)
	return ok
}

func usesPredicates(th *ir.Thread) bool {
	for _, r := range th.Regs {
		if isMask(r.Name) {
			return true
		}
	}
	return false
}

// loadedRegisters returns the registers of a thread whose values may depend on memory.
func loadedRegisters(th *ir.Thread) map[int]bool {
	loaded := map[int]bool{}
	for changed := true; changed; {
		changed = false
		mark := func(r int) { changed, loaded[r] = changed || !loaded[r], true }
		from := func(dst int, v ir.Expr) {
			ir.Registers(v, func(r int) {
				if loaded[r] {
					mark(dst)
				}
			})
		}
		for _, s := range th.Code {
			switch op := s.Op.(type) {
			case ir.Load:
				mark(op.Dst)
			case ir.Take:
				mark(op.Dst)
			case ir.RMW:
				mark(op.Dst)
			case ir.StoreCond:
				mark(op.Status)
			case ir.Assign:
				from(op.Dst, op.Value)
			case ir.Pick:
				from(op.Dst, op.Value)
			}
		}
	}
	return loaded
}
