package aarch64

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Memory tags (DDI 0487, chapter D10, "The Memory Tagging Extension"). An address has a tag in bits 56 to 59, and each
// granule of 16 bytes has one in memory, which is a location of its own here. A checked access reads the granule's tag
// and compares it. If they differ, the check of a synchronous mode is a fault in place of the access; that of an
// asynchronous mode leaves the access as it is, and only records the fault.

// physical returns an address without its tag.
func physical(at ir.Expr) ir.Expr { return ir.BitAnd.Of(at, ir.Number(addressMask, 64)) }

// tagOf returns the tag of an address as the value of a granule's tag.
func tagOf(at ir.Expr) ir.Expr {
	return ir.Resize(ir.Extract{X: at, Lo: tagAt, Bits: tagBits}, 8)
}

// withTag returns an address with another tag.
func withTag(at, tag ir.Expr) ir.Expr {
	clear := ir.BitAnd.Of(at, ir.Number(^uint64(0xf<<tagAt), 64))
	moved := ir.Shl.Of(ir.Resize(ir.BitAnd.Of(tag, ir.Number(0xf, tag.Width())), 64), ir.Number(tagAt, 64))
	return ir.BitOr.Of(clear, moved)
}

// tagAddress returns the address of the tag of the granule at an address.
func tagAddress(at ir.Expr) ir.Expr {
	first := ir.BitAnd.Of(at, ir.Number(addressMask&^(granule-1), 64))
	return ir.BitOr.Of(first, ir.Number(tagOffset, 64))
}

// declareTags declares the tags of all granules, so that no access is outside of them.
func (s *system) declareTags(x *instr) {
	for _, l := range x.Program.Locs {
		first := l.Address&^(granule-1) | tagOffset
		if l.Address&(tagOffset|entryOffset) != 0 || x.hasAddress(first) {
			continue
		}
		name := l.Name
		if i := strings.IndexByte(name, '['); i >= 0 && !strings.HasSuffix(name, "[0]") {
			object := x.Program.Locs[x.LocationOf(name[:i], litmus.Pos{})].Address
			label := fmt.Sprintf("tag(%s+%d)", name[:i], l.Address&^(granule-1)-object)
			x.AddLocation(litmus.Pos{File: x.Test.File}, label, 8, first, 0)
			continue
		}
		x.LocationOf("tag("+strings.TrimSuffix(name, "[0]")+")", litmus.Pos{File: x.Test.File})
	}
}

func (x *instr) hasAddress(v uint64) bool {
	for _, l := range x.Program.Locs {
		if l.Address == v {
			return true
		}
	}
	return false
}

// checked emits an access with its tag check, if the test and the page have tags.
func (x *instr) checked(op ir.Op, to place) {
	here := withAddress(op, to.physical)
	if !x.sys.memtag {
		x.EmitTranslated(here, to.at)
		return
	}
	if x.sys.translates {
		x.checkTranslated(op, to)
		x.EmitTranslated(here, physical(to.at))
	} else {
		x.checkTag(op, to)
		x.Builder.Emit(here)
	}
}

// checkTranslated emits the tag check of an access with a translation of its own, as that of a read. The access may use
// another entry: it has been translated itself.
func (x *instr) checkTranslated(op ir.Op, to place) {
	more := ir.Tags{tagAside}
	if x.isAsync(op) {
		more = append(more, tagAsync)
	}
	tag := x.walk(to.at, false, more...)
	if tag.tagged == nil {
		x.checkTag(op, tag)
	} else {
		x.When(tag.tagged, func() { x.checkTag(op, tag) })
	}
}

// isAsync reports whether the tag check of an access does not hold it back.
func (x *instr) isAsync(op ir.Op) bool {
	if writes(op) {
		return x.sys.asyncWrites
	}
	return x.sys.asyncReads
}

// checkTag emits the read of a tag for an access, and what follows if it is not that of the address.
func (x *instr) checkTag(op ir.Op, to place) {
	tags := ir.Tags{tagImplicit, tagTagged}
	async := x.isAsync(op)
	if async {
		tags = append(tags, tagAsync)
	}
	read := ir.Load{Dst: x.Temp(8), Addr: tagAddress(to.physical), Bits: 8, Tags: tags}
	x.EmitHidden(read)
	equal := x.Keep(ir.Eq.Of(x.Value(read.Dst), tagOf(to.at)))
	if async {
		x.RecordFault("TagCheck", nil, nil, ir.Not(equal))
		status := x.Reg(tagStatus)
		x.Assign(status, ir.Cond{If: equal, Then: x.Value(status), Else: ir.Number(1, 64)})
		return
	}
	x.When(ir.Not(equal), func() { x.fault("TagCheck", to.at, ir.Tags{tagTagCheck}) })
}

// accessTag emits an access of the tag at an address. A page without tags has none to change, and loads
// of them give 0 (DDI 0487, D10.4).
func (x *instr) accessTag(op ir.Op, at ir.Expr) {
	x.access(op, x.Keep(at), func(op ir.Op, to place) {
		there := func() { x.EmitHidden(withAddress(op, tagAddress(to.physical))) }
		if to.tagged == nil {
			there()
		} else {
			if load, ok := op.(ir.Load); ok {
				x.Assign(load.Dst, ir.Number(0, load.Bits))
			}
			x.When(to.tagged, there)
		}
	})
}

// defineTags adds the instructions of memory tags.
func defineTags() {
	define("STG", 2, 3, storeTag(1, false))
	define("ST2G", 2, 3, storeTag(2, false))
	define("STZG", 2, 3, storeTag(1, true))
	define("STZ2G", 2, 3, storeTag(2, true))
	define("LDG", 2, 2, func(x *instr) {
		x.needs("memory tags", x.sys != nil && x.sys.memtag)
		r, a := x.regOf(0, 64), x.address(1)
		v := x.Temp(8)
		x.accessTag(ir.Load{Dst: v, Bits: 8, Tags: ir.Tags{tagTagged}}, a.at)
		x.write(r, withTag(x.read(r), x.Value(v)))
	})
	define("IRG", 2, 3, insertRandomTag)
	define("GMI", 3, 3, func(x *instr) {
		x.needs("memory tags", x.sys != nil && x.sys.memtag)
		tag := ir.Resize(tagOf(x.Keep(x.read(x.regOf(1, 64)))), 64)
		x.write(x.regOf(0, 64), ir.BitOr.Of(x.read(x.regOf(2, 64)), ir.Shl.Of(ir.Number(1, 64), tag)))
	})
	for name, op := range map[string]ir.BinaryOp{"ADDG": ir.Add, "SUBG": ir.Sub} {
		define(name, 4, 4, func(x *instr) {
			x.needs("memory tags", x.sys != nil && x.sys.memtag)
			from := x.Keep(x.read(x.regOf(1, 64)))
			offset, tag := x.numberBelow(2, 1024), x.numberBelow(3, 16)
			if offset%granule != 0 {
				x.Fail(2, "%s is no multiple of 16", x.Ops[2].Text)
			}
			moved := op.Of(from, ir.Number(uint64(offset), 64))
			next := ir.BitAnd.Of(op.Of(tagOf(from), ir.Number(uint64(tag), 8)), ir.Number(0xf, 8))
			x.write(x.regOf(0, 64), withTag(moved, next))
		})
	}
}

// needs reports an instruction in a test without the feature that it belongs to.
func (x *instr) needs(feature string, ok bool) {
	if !ok {
		x.Fail(0, "the test does not use %s", feature)
	}
}

// storeTag lowers the stores of a tag to granules, with zeros for their values if zeroes says so.
func storeTag(granules int, zeroes bool) func(*instr) {
	return func(x *instr) {
		if x.sys == nil || !x.sys.memtag {
			x.needs("memory tags", false)
			return
		}
		from, a := x.regOf(0, 64), x.address(1)
		tag := x.Keep(tagOf(x.read(from)))
		at := x.Keep(a.at)
		for i := range granules {
			here := ir.Add.Of(at, ir.Number(uint64(i*granule), 64))
			x.storeGranule(here, tag, zeroes)
		}
		x.advance(a)
	}
}

// storeGranule stores the tag of a granule, and zeros to its values if zeroes says so. With page tables, the two are
// translated each by itself: if one faults, the other may have been stored or not.
func (x *instr) storeGranule(at, tag ir.Expr, zeroes bool) {
	op := ir.Store{Addr: at, Value: tag, Tags: ir.Tags{tagTagged}}
	clear := func() {
		x.access(op, x.Keep(at), func(_ ir.Op, to place) { x.zeroGranule(to.physical) })
	}
	switch {
	case !zeroes:
		x.accessTag(op, at)
	case !x.sys.translates:
		x.accessTag(op, at)
		clear()
	default:
		first := x.Temp(1)
		x.Builder.Emit(ir.Choose{Dst: first})
		x.When(x.Value(first), func() { // without a fault, the order says nothing
			x.accessTag(op, at)
			clear()
			x.Builder.Emit(ir.Assume{Cond: ir.Number(0, 1)})
		})
		clear()
		x.accessTag(op, at)
	}
}

// zeroGranule stores zeros to the values of a granule, all of one width.
func (x *instr) zeroGranule(at ir.Expr) {
	bits := 0
	for _, l := range x.Program.Locs {
		if strings.Contains(l.Name, "[") {
			bits = l.Bits
		}
	}
	first := ir.BitAnd.Of(at, ir.Number(^uint64(granule-1), 64))
	if bits == 0 {
		x.EmitZero(first)
		return
	}
	for i := 0; i < granule*8; i += bits {
		x.EmitHidden(ir.Store{Addr: ir.Add.Of(first, ir.Number(uint64(i/8), 64)), Value: ir.Number(0, bits)})
	}
}

// insertRandomTag lowers IRG: any tag with a name, except those that the mask excludes. If it excludes all, the tag is
// 0.
func insertRandomTag(x *instr) {
	if x.sys == nil || !x.sys.memtag {
		x.needs("memory tags", false)
		return
	}
	from := x.Keep(x.read(x.regOf(1, 64)))
	mask := ir.Expr(ir.Number(0, 64))
	if len(x.Ops) == 3 {
		mask = x.Keep(x.read(x.regOf(2, 64)))
	}
	tag := ir.Expr(ir.Number(0, 8))
	for i := range 3 {
		bit := x.Temp(1)
		x.Emit(ir.Choose{Dst: bit})
		tag = ir.BitOr.Of(tag, ir.Shl.Of(ir.Resize(x.Value(bit), 8), ir.Number(uint64(i), 8)))
	}
	tag = x.Keep(tag)
	named := uint64(1)<<len(tagNames) - 1
	all := x.Keep(ir.Eq.Of(ir.BitAnd.Of(mask, ir.Number(named, 64)), ir.Number(named, 64)))
	excluded := ir.Eq.Of(ir.BitAnd.Of(ir.Shr.Of(mask, ir.Resize(tag, 64)), ir.Number(1, 64)), ir.Number(1, 64))
	x.Emit(ir.Assume{Cond: ir.BitOr.Of(ir.Not(excluded), ir.BitAnd.Of(all, ir.Eq.Of(tag, ir.Number(0, 8))))})
	x.write(x.regOf(0, 64), ir.Cond{If: all, Then: withTag(from, ir.Number(0, 8)), Else: withTag(from, tag)})
}
