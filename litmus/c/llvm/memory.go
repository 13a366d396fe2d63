package llvm

import (
	"litmuscope/litmus/c"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/llvm/assembly"
	"litmuscope/litmus/ir"
)

// plus adds bytes to an address.
func plus(addr ir.Expr, bytes int) ir.Expr {
	return code.Fold(ir.Add, addr, ir.Number(uint64(bytes), addr.Width()))
}

// chunks splits a number of bytes into accesses of 8, 4, 2 and 1 bytes.
func chunks(bytes int) (out []int) {
	for n := 8; bytes > 0; {
		if n > bytes {
			n /= 2
			continue
		}
		out = append(out, n)
		bytes -= n
	}
	return out
}

// read loads a scalar.
func (l *lowering) read(addr ir.Expr, s scalar, how code.Access) ir.Expr {
	var out ir.Expr
	at := 0
	for _, n := range chunks(s.stored) {
		r := l.build.Temp(8 * n)
		l.build.Emit(code.Load{Dst: r, Addr: plus(addr, s.offset+at), How: how})
		x := l.build.Reg(r)
		if out == nil {
			out = x
		} else {
			high := ir.Shl.Of(code.Widen(x, 64, false), ir.Number(uint64(8*at), 64))
			out = ir.BitOr.Of(code.Widen(out, 64, false), high)
		}
		at += n
	}
	return code.Widen(out, s.bits, false)
}

// write stores a scalar.
func (l *lowering) write(addr ir.Expr, s scalar, v ir.Expr, how code.Access) {
	at := 0
	for _, n := range chunks(s.stored) {
		part := v
		if at > 0 {
			part = ir.Shr.Of(v, ir.Number(uint64(8*at), v.Width()))
		}
		l.build.Emit(code.Store{Addr: plus(addr, s.offset+at), Value: code.Widen(part, 8*n, false), How: how})
		at += n
	}
}

// store writes a value's scalars to memory.
func (l *lowering) store(addr ir.Expr, t *assembly.Type, values []ir.Expr, how code.Access) {
	for i, s := range l.layout.scalars(t) {
		l.write(addr, s, values[i], how)
	}
}

// whole reports whether values of a type can be in memory, and refuses the instruction if not.
func (l *lowering) whole(t *assembly.Type) bool {
	if l.layout.scalars(t) == nil || packed(t) {
		l.unsupported("a value of type %s in memory is not supported", t)
		return false
	}
	return true
}

// orders are C's memory orders by LLVM's words.
var orders = map[string]c.Order{
	"monotonic": c.Relaxed, "acquire": c.Acquire, "release": c.Release, "acq_rel": c.AcqRel, "seq_cst": c.SeqCst,
}

// access returns how an instruction accesses memory. ok is false if it is refused.
func (l *lowering) access(i *assembly.Instruction, order string) (how code.Access, ok bool) {
	how.Volatile = i.Flags["volatile"]
	if order == "" {
		return how, true
	}
	if how.Order, how.Atomic = orders[order]; !how.Atomic {
		l.unsupported("the memory order %s is not supported", order)
		return how, false
	}
	if i.Scope != "" {
		l.unsupported("an atomic access with scope %q is not supported", i.Scope)
		return how, false
	}
	return how, true
}

// word returns the scalar of a type that one atomic access reads or writes.
func (l *lowering) word(t *assembly.Type) (scalar, bool) {
	parts := l.layout.scalars(t)
	if len(parts) != 1 || len(chunks(parts[0].stored)) != 1 {
		l.unsupported("an atomic access of type %s is not supported", t)
		return scalar{}, false
	}
	return parts[0], true
}

func (l *lowering) load(i *assembly.Instruction) {
	how, ok := l.access(i, i.Order)
	if !ok || !l.whole(i.Type) {
		return
	}
	if how.Atomic {
		if _, ok := l.word(i.Type); !ok {
			return
		}
	}
	how.Copied = !how.Atomic && !l.decides(i)
	addr := l.one(i.Operands[0])
	var out []ir.Expr
	for _, s := range l.layout.scalars(i.Type) {
		out = append(out, l.read(addr, s, how))
	}
	l.set(i, out...)
}

// decides reports whether behaviour depends on a loaded value at once, so that an undefined value is undefined
// behaviour: a branch or a switch uses it, or a comparison that a branch uses, or it is an address. Other uses may
// ignore it.
//
// rustc's optimiser moves reads of parts of an enum before the test that says whether the enum has them, so that no use
// in a module of Rust shows a mistake of the program.
func (l *lowering) decides(i *assembly.Instruction) bool {
	if l.rust {
		return false
	}
	for _, use := range l.users[i.Result] {
		switch use.Op {
		case "br", "switch":
			return true
		case "load", "store", "atomicrmw", "cmpxchg":
			at := use.Operands[0]
			if use.Op == "store" {
				at = use.Operands[1]
			}
			if at.Kind == assembly.Local && at.Name == i.Result {
				return true
			}
		case "icmp", "trunc", "zext", "sext", "and", "getelementptr":
			if l.decides(use) {
				return true
			}
		}
	}
	return false
}

func (l *lowering) storeInstruction(i *assembly.Instruction) {
	how, ok := l.access(i, i.Order)
	if !ok || !l.whole(i.Type) {
		return
	}
	if how.Atomic {
		if _, ok := l.word(i.Type); !ok {
			return
		}
	}
	l.store(l.one(i.Operands[1]), i.Type, l.value(i.Operands[0]), how)
}

func (l *lowering) fence(i *assembly.Instruction) {
	switch {
	case i.Scope == "singlethread": // orders a thread and its signal handlers, of which there are none
	case i.Scope != "":
		l.unsupported("a fence with scope %q is not supported", i.Scope)
	default:
		l.build.Emit(code.Fence{Order: orders[i.Order]})
	}
}

func (l *lowering) cmpxchg(i *assembly.Instruction) {
	success, ok := l.access(i, i.Order)
	failed, ok2 := l.access(i, i.Failed)
	s, ok3 := l.word(i.Operands[1].Type)
	if !ok || !ok2 || !ok3 {
		return
	}
	width := 8 * s.stored
	addr := l.one(i.Operands[0])
	expected := l.build.Keep(code.Widen(l.one(i.Operands[1]), width, false))
	desired := l.build.Keep(code.Widen(l.one(i.Operands[2]), width, false))
	old, wrote := l.build.Temp(width), l.build.Temp(1)
	u := code.Update{
		Dst: old, Wrote: wrote, Addr: addr, Next: desired, When: ir.Eq.Of(ir.Old{Bits: width}, expected),
		Read: success, Write: success, Failed: failed,
	}
	if i.Flags["weak"] && !(l.rust && l.lines.inStandard(i)) { // all of those in std are in loops that only try again
		u.Weak = ir.Number(1, 1)
	}
	l.build.Emit(u)
	l.set(i, code.Widen(l.build.Reg(old), s.bits, false), l.build.Reg(wrote))
}

// next are the operations of atomicrmw, of the value read and the operand.
var next = map[string]func(old, v ir.Expr) ir.Expr{
	"xchg": func(_, v ir.Expr) ir.Expr { return v },
	"add":  func(old, v ir.Expr) ir.Expr { return ir.Add.Of(old, v) },
	"sub":  func(old, v ir.Expr) ir.Expr { return ir.Sub.Of(old, v) },
	"and":  func(old, v ir.Expr) ir.Expr { return ir.BitAnd.Of(old, v) },
	"nand": func(old, v ir.Expr) ir.Expr { return ir.Not(ir.BitAnd.Of(old, v)) },
	"or":   func(old, v ir.Expr) ir.Expr { return ir.BitOr.Of(old, v) },
	"xor":  func(old, v ir.Expr) ir.Expr { return ir.BitXor.Of(old, v) },
	"max":  func(old, v ir.Expr) ir.Expr { return ir.Cond{If: ir.Slt.Of(old, v), Then: v, Else: old} },
	"min":  func(old, v ir.Expr) ir.Expr { return ir.Cond{If: ir.Slt.Of(old, v), Then: old, Else: v} },
	"umax": func(old, v ir.Expr) ir.Expr { return ir.Cond{If: ir.Ult.Of(old, v), Then: v, Else: old} },
	"umin": func(old, v ir.Expr) ir.Expr { return ir.Cond{If: ir.Ult.Of(old, v), Then: old, Else: v} },
}

func (l *lowering) atomicrmw(i *assembly.Instruction) {
	how, ok := l.access(i, i.Order)
	s, ok2 := l.word(i.Type)
	if !ok || !ok2 {
		return
	}
	op := next[i.Kind]
	if op == nil || s.float && i.Kind != "xchg" || 8*s.stored != s.bits {
		l.unsupported("atomicrmw %s of type %s is not supported", i.Kind, i.Type)
		return
	}
	addr := l.one(i.Operands[0])
	v := l.build.Keep(l.one(i.Operands[1]))
	l.build.Emit(code.Update{
		Dst: l.registers(i.Result, i.Type)[0], Wrote: -1, Addr: addr, Next: op(ir.Old{Bits: s.bits}, v), Read: how,
		Write: how,
	})
}

// alloca makes a local variable. One of fixed size is made when the function is called; the entry block has those.
func (l *lowering) alloca(i *assembly.Instruction, first bool) {
	count := uint64(1)
	fixed := first
	if len(i.Operands) > 0 {
		n := i.Operands[0]
		if n.Kind != assembly.Int {
			fixed = false
		} else {
			values := l.unit.constant(i.Pos, n)
			count = values[0].value
			if len(values) > 1 && values[1].value > 0 {
				count = mostObject + 1
			}
		}
	}
	size := l.layout.size(i.Type)
	if count > mostObject || times(int(count), size) > mostObject {
		l.registers(i.Result, pointerType)
		l.unsupported("a local variable of more than %d bytes is not supported", mostObject)
		return
	}
	if size == 0 {
		size = 1
	}
	if !fixed {
		var n ir.Expr = ir.Number(count, 64)
		if len(i.Operands) > 0 {
			n = code.Widen(l.one(i.Operands[0]), l.layout.pointer*8, false)
		}
		l.build.Emit(code.Allocate{
			Dst:  l.registers(i.Result, pointerType)[0],
			Size: code.Fold(ir.Mul, n, ir.Number(uint64(size), n.Width())), Name: i.Result, Unit: size, Local: true,
		})
		return
	}
	v := l.local(i.Result, int(count)*size, max(i.Align, l.layout.align(i.Type)))
	l.statics[i.Result], l.types[i.Result] = v, i.Type
	v.Name, v.Layout = l.lines.local(l.f, i, l.layout)
	l.build.Emit(code.Locate{Dst: l.registers(i.Result, pointerType)[0], Of: v})
	l.build.Emit(code.Begin{Of: v})
}

// mostObject is the largest size of a variable, in bytes.
const mostObject = 1 << 30

// local adds a local variable to the function.
func (l *lowering) local(name string, size, align int) *code.Variable {
	v := &code.Variable{Name: name, Pos: l.lines.place(l.build.Line), Size: size, Align: align}
	l.build.Function.Locals = append(l.build.Function.Locals, v)
	return v
}

// object returns the type of the object that a pointer points to the beginning of, as far as the function shows it.
func (l *lowering) object(v *assembly.Value) *assembly.Type {
	for range 20 {
		v = stripCasts(v)
		switch v.Kind {
		case assembly.GlobalRef:
			if g := l.globals[v.Name]; g != nil && g.Alias == nil {
				return g.Type
			}
			return nil
		case assembly.Local:
			if t := l.types[v.Name]; t != nil {
				return t
			}
			from := l.froms[v.Name]
			if from == nil || from.Op != "bitcast" {
				return nil
			}
			if t := from.Operands[0].Type; t.Kind == assembly.Pointer && t.Elem != nil &&
				t.Elem.Kind == assembly.Struct {
				return t.Elem
			}
			v = from.Operands[0]
		default:
			return nil
		}
	}
	return nil
}

// pieces splits some bytes at an address into the scalars that accesses elsewhere probably have: those of the object's
// type, or words as wide as the alignment.
func (l *lowering) pieces(bytes, align int, pointers ...*assembly.Value) []scalar {
	for _, p := range pointers {
		t := l.object(p)
		if t == nil {
			continue
		}
		var out []scalar
		at := 0
		for _, s := range l.layout.scalars(t) {
			if s.offset+s.stored > bytes {
				break
			}
			if s.offset > at { // padding
				out = append(out, words(at, s.offset-at, 1)...)
			}
			for k, n := range chunks(s.stored) {
				_ = k
				out = append(out, scalar{s.offset, 8 * n, n, false})
				s.offset += n
			}
			at = s.offset
		}
		if len(out) > 0 && at > 0 {
			return append(out, words(at, bytes-at, 1)...)
		}
	}
	return words(0, bytes, max(1, align))
}

// words splits bytes into words of at most a size.
func words(at, bytes, size int) (out []scalar) {
	for n := min(8, size); bytes > 0; {
		if n > bytes {
			n /= 2
			continue
		}
		out = append(out, scalar{at, 8 * n, n, false})
		at, bytes = at+n, bytes-n
	}
	return out
}

// pointerType is the type of addresses.
var pointerType = &assembly.Type{Kind: assembly.Pointer}
