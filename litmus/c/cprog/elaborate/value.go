package elaborate

import (
	"slices"

	"litmuscope/litmus/ir"
)

// value is the set of numbers that an expression may have, as far as it is known before execution: a few numbers, or
// any number with certain properties. Values are immutable, and two registers with the same *value have the same
// number.
//
// The domain combines small sets with congruences (Granger, “Static analysis of arithmetical congruences”, 1989), and
// with one congruence for each block that a pointer may point into. Sets are exact while they have at most
// elaboration.most numbers. Congruences are what arrays need: the addresses a + 4*i for unknown i are those that are a
// modulo 4. Every operation is sound: its result contains the results for all numbers of its operands. A value can grow
// only finitely often: elaboration.most limits its set, and a modulus is replaced by its divisors only.
//
// A value distinguishes what may be computed in advance (pure) from what has only one possible number. The second kind
// still depends on a read, and models see that.
type value struct {
	set []uint64 // in ascending order; nil if it can be any number
	// If it can be any number: it is rem modulo mod. With spans, only addresses are restricted: if it is an address,
	// it is in one of the spans.
	mod, rem uint64
	spans    []span
	// pure: it depends on no read and no choice, so it is known when the program is generated.
	pure bool
	// unset: it is the value of uninitialised memory. loose: it may be such a value, and then
	// also any number.
	unset, loose bool
	// plain: it depends on no address, so it cannot be a pointer.
	plain bool
	// of is the same number, before it was refined.
	of *value
	// late: it is one number that has not been written to its register, because no step needs to read that.
	late bool
}

// maxSet is the maximum size of a value's set, maxPairs the maximum number of pairs for which a binary operation is
// computed, and maxSpan the maximum number of addresses in one block.
const (
	maxSet   = 32
	maxPairs = 1024
	maxSpan  = 16
)

func exactly(v uint64) *value { return &value{set: []uint64{v}, pure: true, plain: true} }

// garbage returns the value of uninitialised memory.
func garbage() *value { return &value{set: []uint64{0}, loose: true, plain: true} }

// at returns the value that is one address.
func at(addr uint64) *value { return &value{set: []uint64{addr}, pure: true} }

func anything() *value { return &value{mod: 1} }

// constant returns the only number that a value can be, if no read can change it.
func (v *value) constant() (n uint64, ok bool) {
	if v.pure && len(v.set) == 1 {
		return v.set[0], true
	}
	return 0, false
}

// same reports whether two values are identical, or the same single number.
func (v *value) same(w *value) bool {
	m, is := v.constant()
	n, one := w.constant()
	return v == w || is && one && m == n
}

// root returns the value that identifies a number before it was refined. Two registers with the same root have the same
// number.
func (v *value) root() *value {
	for v.of != nil {
		v = v.of
	}
	return v
}

// equal reports whether two values certainly are the same number.
func (v *value) equal(w *value) bool {
	x, okX := v.constant()
	y, okY := w.constant()
	return okX && okY && x == y
}

func (v *value) may(n uint64) bool {
	if v.set == nil {
		return v.spans != nil || n%v.mod == v.rem
	}
	return v.loose || slices.Contains(v.set, n)
}

// impure returns the same value without the property pure.
func (v *value) impure() *value {
	if !v.pure {
		return v
	}
	w := *v
	w.pure = false
	return &w
}

// residue returns the modulus and the residue of a value; mod is 0 for a single number.
func (v *value) residue() (mod, rem uint64) {
	switch {
	case v.loose:
		return 1, 0
	case v.set == nil:
		return v.mod, v.rem
	}
	for _, n := range v.set[1:] {
		mod, _ = congruence(mod, 0, n-v.set[0], 0, false)
	}
	if mod > 0 {
		return mod, v.set[0] % mod
	}
	return 0, v.set[0]
}

func gcd(a, b uint64) uint64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// reduced returns r modulo mod, where r may have wrapped below 0.
func reduced(r, mod uint64) uint64 {
	if int64(r) < 0 {
		return (mod - -r%mod) % mod
	}
	return r % mod
}

// congruence returns the residue that holds for two residues: for either value, or for their sum.
func congruence(m1, r1, m2, r2 uint64, sum bool) (mod, rem uint64) {
	mod = gcd(m1, m2)
	if sum {
		if mod == 0 {
			return 0, r1 + r2
		}
		return mod, (reduced(r1, mod) + reduced(r2, mod)) % mod
	}
	mod = gcd(mod, max(r1, r2)-min(r1, r2))
	if mod == 0 {
		return 0, r1
	}
	return mod, reduced(r1, mod)
}

// numbers returns a value of some numbers, in any order.
func (e *elaboration) numbers(set []uint64, pure, plain bool) *value {
	slices.Sort(set)
	set = slices.Compact(set)
	out := &value{set: set, pure: pure, plain: plain}
	if len(set) <= e.most || e.functions(out) == len(set) {
		return out
	}
	if spans := e.pointed(out); spans != nil {
		return &value{mod: 1, spans: spans, pure: pure}
	}
	mod, rem := out.residue()
	return &value{mod: mod, rem: rem, pure: pure, plain: plain}
}

// functions counts the functions that a value may point to. Arithmetic does not add more.
func (e *elaboration) functions(v *value) (n int) {
	if !v.plain {
		for _, a := range v.set {
			if e.functionAt(a) != nil {
				n++
			}
		}
	}
	return n
}

// join returns the union of two values.
func (e *elaboration) join(a, b *value) *value {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	if a.equal(b) && a.unset == b.unset && a.plain == b.plain {
		if b.late {
			return b
		}
		return a
	}
	const pure = false // values that were read decide which one it is
	var out *value
	if a.set != nil && b.set != nil {
		out = e.numbers(slices.Concat(a.set, b.set), pure, a.plain && b.plain)
	} else {
		if spans := union(e.pointed(a), e.pointed(b)); spans != nil {
			out = &value{mod: 1, spans: spans}
		} else {
			m1, r1 := a.residue()
			m2, r2 := b.residue()
			out = &value{plain: a.plain && b.plain}
			out.mod, out.rem = congruence(m1, r1, m2, r2, false)
		}
	}
	if a.root() == b.root() {
		out.of = a.root()
	}
	out.unset = a.unset && b.unset
	out.loose = a.loose || b.loose || a.unset != b.unset
	return out
}

// within reports whether all of a's numbers are among b's.
func (e *elaboration) within(a, b *value) bool {
	if a.loose && !b.loose || b.plain && !a.plain {
		return false
	}
	if b.set != nil {
		return a.set != nil && subset(a.set, b.set)
	}
	in := e.pointed(a)
	if b.spans != nil || in != nil {
		return within(in, b.spans)
	}
	m, r := a.residue()
	return m%b.mod == 0 && r%b.mod == b.rem
}

func (e *elaboration) unary(op ir.UnaryOp, x *value, bits int) *value {
	return e.mapped(x, func(n uint64) uint64 { return ir.EvalUnary(op, n, bits) }, false)
}

// binary returns the possible results of a binary operation. It computes all pairs of numbers if there are at most
// maxPairs; otherwise it uses residues, and moves addresses within their blocks.
func (e *elaboration) binary(op ir.BinaryOp, x, y *value, bits int) *value {
	pure, plain := x.pure && y.pure, x.plain && y.plain || op >= ir.Eq
	if x.set != nil && y.set != nil && len(x.set)*len(y.set) <= maxPairs {
		out := make([]uint64, 0, len(x.set)*len(y.set))
		for _, a := range x.set {
			for _, b := range y.set {
				out = append(out, ir.EvalBinary(op, a, b, bits))
			}
		}
		if v := e.numbers(out, pure, plain); op < ir.Eq || !x.loose && !y.loose {
			v.loose = x.loose || y.loose
			return v
		}
	}
	if op >= ir.Eq {
		return &value{set: []uint64{0, 1}, pure: pure, plain: true}
	}
	out := &value{mod: 1, pure: pure, plain: plain}
	m1, r1 := x.residue()
	m2, r2 := y.residue()
	inX, inY := e.pointed(x), e.pointed(y)
	eval := func(a, b uint64) uint64 { return ir.EvalBinary(op, a, b, bits) }
	switch op {
	case ir.Sub:
		if m2 == 0 {
			r2 = -r2
		} else {
			r2 = (m2 - r2) % m2
		}
		if inY != nil {
			inX, inY = nil, nil // the result is a distance
			break
		}
		fallthrough
	case ir.Add:
		out.mod, out.rem = congruence(m1, r1, m2, r2, true)
		switch {
		case inX != nil && inY == nil:
			out.spans = moved(inX, y, m2, r2, eval)
		case inY != nil && inX == nil:
			out.spans = moved(inY, x, m1, r1, eval)
		}
	case ir.Mul:
		if m1 == 0 {
			m1, r1, m2, r2 = m2, r2, m1, r1
		}
		if bits < e.unit.Pointer { // it may have wrapped
			r2 &= -r2
			r1 = 0
		}
		if m2 == 0 && r2 > 0 && r2 < 1<<31 {
			out.mod, out.rem = m1*r2, r1*r2
		}
	case ir.Shl:
		if m2 == 0 && r2 < 31 {
			out.mod, out.rem = m1<<r2, r1<<r2
		}
	case ir.BitAnd, ir.BitOr, ir.BitXor: // an address with tags in its low bits
		if inX == nil {
			y = x
		}
		if inX != nil && inY != nil {
			y = anything()
		}
		out.spans = moved(union(inX, inY), y, 1, 0, eval)
	}
	if inX != nil || inY != nil || out.mod == 0 {
		out.mod, out.rem = 1, 0
	}
	return out
}

// mapped applies a function to each number.
func (e *elaboration) mapped(x *value, f func(uint64) uint64, keep bool) *value {
	if x.set == nil {
		out := &value{mod: 1, pure: x.pure, plain: x.plain}
		if keep {
			out.mod, out.rem, out.spans = x.mod, x.rem, x.spans
		}
		return out
	}
	out := make([]uint64, len(x.set))
	for i, n := range x.set {
		out[i] = f(n)
	}
	v := e.numbers(out, x.pure, x.plain)
	v.loose = x.loose
	return v
}

// maxRefined is the maximum number of numbers that a condition is evaluated on.
const maxRefined = 64

// refine uses a condition whose value is now known: if it depends on one register, the register's possible numbers are
// reduced to those for which the condition has that value.
//
// For example, a branch on r == 0 leaves only 0 on one path and removes 0 on the other. The refined value remembers the
// value it comes from (value.of), because the register still has the same number.
func (tr *threadRegisters) refine(st *state, cond ir.Expr, is uint64) {
	r, one := -1, true
	ir.Registers(cond, func(i int) {
		one = one && (r < 0 || r == i)
		r = i
	})
	if r < 0 || !one {
		return
	}
	v := tr.get(st, r)
	if v.set == nil || v.loose || len(v.set) > maxRefined {
		return
	}
	left := make([]uint64, 0, len(v.set))
	for _, n := range v.set {
		if got, ok := noProgram.EvalKnown(cond, facts{r: n}); !ok || got == is {
			left = append(left, n)
		}
	}
	if len(left) > 0 && len(left) < len(v.set) {
		w := *v
		w.set, w.of, w.pure = left, v, false
		st.set(r, &w)
	}
}
