package aarch64

import (
	"litmuscope/litmus/ir"
)

// size is the width of an access according to the suffix of a mnemonic: 0 for the width of the register.
type size struct {
	suffix string
	bits   int
}

var sizes = []size{{"", 0}, {"B", 8}, {"H", 16}}

// The tags of ordered accesses. The read of LDAPR comes before all later accesses, but need not
// come after an earlier release.
var (
	acquire   = ir.Tags{tagA, ir.TagAcquire, ir.TagRCsc}
	acquirePC = ir.Tags{tagQ, ir.TagAcquire}
	release   = ir.Tags{tagL, ir.TagRelease, ir.TagRCsc}
)

// defineAccesses adds loads and stores, plain, acquire and release, of single registers and of pairs.
func defineAccesses() {
	for _, s := range sizes {
		define("LDR"+s.suffix, 2, 3, load(s.bits, false, nil))
		define("LDUR"+s.suffix, 2, 2, load(s.bits, false, nil))
		define("LDAPR"+s.suffix, 2, 3, load(s.bits, false, acquirePC))
		define("LDAPUR"+s.suffix, 2, 2, load(s.bits, false, acquirePC))
		define("LDAR"+s.suffix, 2, 2, func(x *instr) {
			r := x.atomicReg(0, s.bits)
			x.write(r, x.Load(ir.Load{Addr: x.plainAddress(1), Bits: x.width(0, s.bits, r), Tags: acquire}))
		})
		define("STR"+s.suffix, 2, 3, store(s.bits, nil))
		define("STUR"+s.suffix, 2, 2, store(s.bits, nil))
		define("STLR"+s.suffix, 2, 3, store(s.bits, release))
		define("STLUR"+s.suffix, 2, 2, store(s.bits, release))
	}
	for _, s := range []size{{"B", 8}, {"H", 16}, {"W", 32}} {
		define("LDRS"+s.suffix, 2, 3, load(s.bits, true, nil))
		define("LDURS"+s.suffix, 2, 2, load(s.bits, true, nil))
		define("LDAPURS"+s.suffix, 2, 2, load(s.bits, true, acquirePC))
	}
	// LSE2 does not apply to LDPSW and STNP (DDI 0487, B2.2.1).
	define("LDP", 3, 4, loadPair(0, true, nil))
	define("LDNP", 3, 3, loadPair(0, true, nil))
	define("LDPSW", 3, 4, loadPair(32, false, nil))
	define("LDIAPP", 3, 4, loadPair(0, true, acquirePC))
	define("STP", 3, 4, storePair(true, nil))
	define("STNP", 3, 3, storePair(false, nil))
	define("STILP", 3, 4, storePair(true, release))
}

// width returns the width of an access through register r: bits, or the register's own if bits is 0.
func (x *instr) width(i, bits int, r reg) int {
	if bits == 0 {
		return r.bits
	}
	if bits > r.bits {
		x.Fail(i, "%s has %d bits, want more", x.Ops[i].Text, r.bits)
	}
	return bits
}

// load lowers a load. Signed ones may have registers of either width; others of less than a word have a W register.
func load(bits int, signed bool, tags ir.Tags) func(*instr) {
	return func(x *instr) {
		r := x.reg(0)
		if bits != 0 && !signed || bits == 32 {
			r = x.regOf(0, map[bool]int{false: 32, true: 64}[signed])
		}
		a := x.address(1)
		v := x.Load(ir.Load{Addr: a.at, Bits: x.width(0, bits, r), Tags: tags})
		x.write(r, ir.Widen(v, r.bits, signed))
		x.advance(a)
	}
}

func store(bits int, tags ir.Tags) func(*instr) {
	return func(x *instr) {
		r := x.reg(0)
		if bits != 0 {
			r = x.regOf(0, 32)
		}
		a := x.address(1)
		x.Emit(ir.Store{Addr: a.at, Value: ir.Resize(x.read(r), x.width(0, bits, r)), Tags: tags})
		x.advance(a)
	}
}

// loadPair lowers the load of two adjacent locations: as two accesses or, with whole, as one if processors have LSE2.
// bits is the width for LDPSW, which sign-extends. The access of the first register comes first, as for LDIAPP, whose
// acquires order the two.
func loadPair(bits int, whole bool, tags ir.Tags) func(*instr) {
	return func(x *instr) {
		first := x.reg(0)
		second := x.regOf(1, first.bits)
		n := x.width(0, bits, first)
		a := x.address(2)
		at := x.Keep(a.at)
		switch {
		case whole && x.Test.LSE2 && n == doubleword:
			x.writeEach(pair{first, second}, x.LoadDouble(ir.Load{Addr: at, Tags: tags}))
		case whole && x.Test.LSE2:
			x.writeBoth(pair{first, second}, x.Load(ir.Load{Addr: at, Bits: 2 * n, Tags: tags}))
		default:
			low := x.Load(ir.Load{Addr: at, Bits: n, Tags: tags})
			high := x.Load(ir.Load{Addr: ir.Add.Of(at, ir.Number(uint64(n/8), 64)), Bits: n, Tags: tags})
			x.write(first, ir.Widen(low, first.bits, bits != 0))
			x.write(second, ir.Widen(high, first.bits, bits != 0))
		}
		x.advance(a)
	}
}

// storePair lowers the store to two adjacent locations: as two accesses or, with whole, as one if processors have LSE2.
// The releases of STILP order them: the first register's before the second's, and the other way round if it is
// pre-indexed.
func storePair(whole bool, tags ir.Tags) func(*instr) {
	return func(x *instr) {
		first := x.reg(0)
		second := x.regOf(1, first.bits)
		a := x.address(2)
		at := x.Keep(a.at)
		switch {
		case whole && x.Test.LSE2 && first.bits == doubleword:
			x.Emit(ir.Store{Addr: at, Value: x.read(first), Next: x.read(second), Tags: tags})
		case whole && x.Test.LSE2:
			x.Emit(ir.Store{Addr: at, Value: x.readBoth(pair{first, second}), Tags: tags})
		default:
			low := ir.Store{Addr: at, Value: x.read(first), Tags: tags}
			high := ir.Store{
				Addr:  ir.Add.Of(at, ir.Number(uint64(first.bits/8), 64)),
				Value: x.read(second), Tags: tags,
			}
			if a.pre {
				low, high = high, low
			}
			x.Emit(low)
			x.Emit(high)
		}
		x.advance(a)
	}
}
