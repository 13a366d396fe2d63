package aarch64

import (
	"slices"

	"litmuscope/litmus/ir"
)

// order is the ordering that a mnemonic's letters give.
type order struct {
	letters          string
	acquire, release bool
}

var orders = []order{{"", false, false}, {"A", true, false}, {"L", false, true}, {"AL", true, true}}

// defineAtomics adds exclusive accesses, and the atomic instructions of LSE and LSE128, with each ordering and size.
func defineAtomics() {
	for name, tags := range exclusiveLoads {
		define("LD"+name+"P", 3, 3, loadExclusivePair(tags))
	}
	for name, tags := range exclusiveStores {
		define("ST"+name+"P", 4, 4, storeExclusivePair(tags))
	}
	for _, o := range orders {
		define("CASP"+o.letters, 5, 5, compareAndSwapPair(o))
		define("SWPP"+o.letters, 3, 3, fetchPair(o, nil))
		define("LDCLRP"+o.letters, 3, 3, fetchPair(o, updates["CLR"]))
		define("LDSETP"+o.letters, 3, 3, fetchPair(o, updates["SET"]))
	}
	for _, s := range sizes {
		for name, tags := range exclusiveLoads {
			define("LD"+name+"R"+s.suffix, 2, 2, loadExclusive(s.bits, tags))
		}
		for name, tags := range exclusiveStores {
			define("ST"+name+"R"+s.suffix, 3, 3, storeExclusive(s.bits, tags))
		}
		for _, o := range orders {
			define("SWP"+o.letters+s.suffix, 3, 3, fetch(s.bits, o, nil))
			define("CAS"+o.letters+s.suffix, 3, 3, compareAndSwap(s.bits, o))
			for name, f := range updates {
				define("LD"+name+o.letters+s.suffix, 3, 3, fetch(s.bits, o, f))
				if !o.acquire {
					define("ST"+name+o.letters+s.suffix, 2, 2, fetch(s.bits, o, f))
				}
			}
		}
	}
}

// The tags of exclusive accesses, by the letters of their mnemonics.
var (
	exclusiveLoads  = map[string]ir.Tags{"X": {tagX}, "AX": append(ir.Tags{tagX}, acquire...)}
	exclusiveStores = map[string]ir.Tags{
		"X":  {tagX, ir.TagLocked},
		"LX": append(append(ir.Tags{tagX}, release...), ir.TagLocked),
	}
)

// updates are the operations of LDADD, STADD and so on, on the old value.
var updates = map[string]func(old, v ir.Expr) ir.Expr{
	"ADD": ir.Add.Of,
	"CLR": func(old, v ir.Expr) ir.Expr { return ir.BitAnd.Of(old, ir.Not(v)) },
	"EOR": ir.BitXor.Of,
	"SET": ir.BitOr.Of,
	"SMAX": func(old, v ir.Expr) ir.Expr {
		return ir.Cond{If: ir.Slt.Of(old, v), Then: v, Else: old}
	},
	"SMIN": func(old, v ir.Expr) ir.Expr {
		return ir.Cond{If: ir.Slt.Of(v, old), Then: v, Else: old}
	},
	"UMAX": func(old, v ir.Expr) ir.Expr {
		return ir.Cond{If: ir.Ult.Of(old, v), Then: v, Else: old}
	},
	"UMIN": func(old, v ir.Expr) ir.Expr {
		return ir.Cond{If: ir.Ult.Of(v, old), Then: v, Else: old}
	},
}

func loadExclusive(bits int, tags ir.Tags) func(*instr) {
	return func(x *instr) {
		r := x.atomicReg(0, bits)
		x.write(r, x.Load(ir.Load{Addr: x.plainAddress(1), Bits: x.width(0, bits, r), Tags: tags, Reserve: true}))
	}
}

// atomicReg returns operand i, a register for an access of the given width in bits.
func (x *instr) atomicReg(i, bits int) reg {
	if bits == 0 {
		return x.reg(i)
	}
	return x.regOf(i, 32)
}

func storeExclusive(bits int, tags ir.Tags) func(*instr) {
	return func(x *instr) {
		r := x.atomicReg(1, bits)
		x.storeConditional(
			ir.StoreCond{Addr: x.plainAddress(2), Value: ir.Resize(x.read(r), x.width(1, bits, r)), Tags: tags})
	}
}

// storeConditional writes 0 to its status, the first operand, if it succeeds. What uses the status does not depend on
// the write.
func (x *instr) storeConditional(op ir.StoreCond) {
	op.Ok, op.Fail = 0, 1
	if status := x.regOf(0, 32); status.whole == zero {
		op.Status = x.Temp(64)
	} else {
		op.Status = x.Reg(status.whole)
	}
	x.Emit(op)
}

// tags returns the tags of the two halves of an atomic instruction. One that discards the old value is not an acquire.
// If it is both acquire and release, its write also comes before later accesses.
func (o order) tags(kind ir.Tags, discards bool) (read, write ir.Tags) {
	read, write = slices.Clone(kind), slices.Clone(kind)
	if discards {
		read = append(read, tagNoRet)
	} else if o.acquire {
		read = append(read, acquire...)
	}
	if o.release {
		write = append(write, release...)
	}
	if o.acquire && o.release && !discards {
		write = append(write, ir.TagAcquire)
	}
	return append(read, ir.TagLocked), append(write, ir.TagLocked)
}

// fetch lowers SWP (if f is nil), the LD instructions and, with two operands, the ST instructions, which return
// nothing.
func fetch(bits int, o order, f func(old, v ir.Expr) ir.Expr) func(*instr) {
	return func(x *instr) {
		source := x.atomicReg(0, bits)
		old := reg{zero, source.bits}
		if len(x.Ops) == 3 {
			old = x.regOf(1, source.bits)
		}
		n := x.width(0, bits, source)
		v := ir.Resize(x.read(source), n)
		op := ir.RMW{Dst: x.Temp(n), Addr: x.plainAddress(len(x.Ops) - 1), Bits: n, New: v}
		if f != nil {
			op.New, op.Carry = f(ir.Old{Bits: n}, v), true
		}
		op.Tags, op.WriteTags = o.tags(ir.Tags{tagAMO}, old.whole == zero)
		x.Emit(op)
		x.write(old, x.Value(op.Dst))
	}
}

// compareAndSwap lowers CAS Rs,Rt,[Xn].
func compareAndSwap(bits int, o order) func(*instr) {
	return func(x *instr) {
		rs := x.atomicReg(0, bits)
		rt := x.regOf(1, rs.bits)
		n := x.width(0, bits, rs)
		x.swapIfEqual(x.plainAddress(2), ir.Resize(x.read(rs), n), ir.Resize(x.read(rt), n), o, rs.whole == zero,
			func(v ir.Expr) { x.write(rs, v) })
	}
}

// swapIfEqual lowers a compare-and-swap; set receives the value for Rs unless it is discarded. The manual leaves two
// things open. An instruction that fails may write back the value that it has read, or not write. One that succeeds has
// found that Rs and memory are equal, so the value in Rs may depend on memory, or be the old one of Rs once the
// comparison is made. The comparison decides what is written.
func (x *instr) swapIfEqual(addr, expected, desired ir.Expr, o order, discards bool, set func(ir.Expr)) {
	n := expected.Width()
	at := x.Keep(addr)
	want, next := x.Keep(expected), x.Keep(desired)
	free := x.Temp(1)
	x.Emit(ir.Choose{Dst: free})
	either := x.Value(free)
	decided := x.pick(want)
	old := ir.Old{Bits: n}
	success := ir.Eq.Of(old, decided)
	if x.sys != nil && x.sys.signs != nil && n == 64 {
		success = x.samePointer(old, decided)
	}
	op := ir.RMW{
		Dst: x.Temp(n), Addr: at, Bits: n, Carry: true,
		New: ir.Select{If: success, Then: next, Else: old},
		If:  ir.BitOr.Of(success, either),
	}
	op.Tags, op.WriteTags = o.tags(ir.Tags{tagAMO, tagCAS}, discards)
	x.Emit(op)
	read := x.Value(op.Dst)
	if x.sys != nil && x.sys.signs != nil && n == 64 {
		x.equalPointers(read, want)
	}
	if discards {
		return
	}
	equal := x.Keep(ir.BitAnd.Of(either, ir.Eq.Of(read, want)))
	set(ir.Select{If: equal, Then: throughPick(x.pick(equal), want), Else: read})
}
