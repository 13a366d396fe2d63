package builtins

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/layout"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// addMemory enters the functions that allocate, copy, compare and search memory and strings.
func (all byName) addMemory() {
	all.add("malloc __builtin_malloc __VERIFIER_malloc __VERIFIER_palloc valloc", "size",
		"allocates size bytes with any content", func(k *Call) values.Operand {
			return k.allocate(k.as(0, k.Types.AST.SizeT), false, true)
		})
	all.add("alloca __builtin_alloca", "size",
		"allocates size bytes with any content until the calling function returns", func(k *Call) values.Operand {
			dst := k.Build.Temp(k.Types.Pointer)
			size := k.as(0, k.Types.AST.SizeT)
			k.Build.Emit(code.Allocate{Dst: dst, Size: size, Unit: unitOf(k, size), Local: true})
			return values.Of(k.Build.Reg(dst), k.Types.AST.PVoid)
		})
	all.add("calloc __builtin_calloc", "count, size", "allocates count objects of a size, all zero",
		func(k *Call) values.Operand {
			return k.allocate(code.Fold(ir.Mul, k.as(0, k.Types.AST.SizeT), k.as(1, k.Types.AST.SizeT)), true, true)
		})
	all.add("aligned_alloc memalign __VERIFIER_malloc_aligned", "alignment, size",
		"allocates size bytes with any content",
		func(k *Call) values.Operand { return k.allocate(k.as(1, k.Types.AST.SizeT), false, true) })
	all.add("posix_memalign", "&memory, alignment, size", "allocates size bytes and sets *memory to their address",
		func(k *Call) values.Operand {
			k.Memory.Write(k.Node, k.pointee(0), k.allocate(k.as(2, k.Types.AST.SizeT), false, true))
			return k.success()
		})
	all.add("realloc __builtin_realloc", "memory, size",
		"allocates size bytes, copies what fits of *memory, and frees memory", reallocate)
	all.add("reallocarray", "memory, count, size", "allocates count objects of a size, copies what fits of "+
		"*memory, and frees memory", func(k *Call) values.Operand {
		k.Args[1] = values.Of(code.Fold(ir.Mul, k.as(1, k.Types.AST.SizeT), k.as(2, k.Types.AST.SizeT)),
			k.Types.AST.SizeT)
		return reallocate(k)
	})
	all.add("free __builtin_free __VERIFIER_free", "memory", "frees memory",
		emits(func(k *Call) code.Op { return code.Free{Addr: k.address(0)} }))
	all.add("memcpy __builtin_memcpy", "to, from, size", "copies size bytes between objects that do not overlap",
		func(k *Call) values.Operand { return copyBytes(k, 0, 1, 2) })
	all.add("memmove __builtin_memmove", "to, from, size", "copies size bytes between objects that may overlap",
		func(k *Call) values.Operand { return moveBytes(k, 0, 1, 2) })
	// C17, K.3.7: if the bytes do not fit, nothing is copied and the destination is cleared.
	all.add("memcpy_s", "to, size_of_to, from, size",
		"copies size bytes between objects that do not overlap if they fit; returns 0 or an error",
		func(k *Call) values.Operand {
			return ifFitting(k, 3, func() { copyBytes(k, 0, 2, 3) }, func() { fillBytes(k, ir.Number(0, 8), 1) })
		})
	all.add("memmove_s", "to, size_of_to, from, size",
		"copies size bytes between objects that may overlap if they fit; returns 0 or an error",
		func(k *Call) values.Operand {
			return ifFitting(k, 3, func() { moveBytes(k, 0, 2, 3) }, func() { fillBytes(k, ir.Number(0, 8), 1) })
		})
	all.add("memset_s", "to, size_of_to, byte, size", "sets size bytes if they fit; returns 0 or an error",
		func(k *Call) values.Operand {
			b := k.Build.Keep(k.as(2, k.Types.AST.UChar))
			return ifFitting(k, 3, func() { fillBytes(k, b, 3) }, func() { fillBytes(k, b, 1) })
		})
	all.add("memset __builtin_memset", "to, byte, size", "sets size bytes",
		func(k *Call) values.Operand { return fillBytes(k, k.as(1, k.Types.AST.UChar), 2) })
	all.add("bzero", "to, size", "sets size bytes to 0", func(k *Call) values.Operand {
		fillBytes(k, ir.Number(0, 8), 1)
		return k.nothing()
	})
	all.add("memcmp __builtin_memcmp", "a, b, size", "compares size bytes; returns 0 if they are equal",
		func(k *Call) values.Operand { return compareText(k, 2, true) })
	all.add("strcmp", "a, b", "compares two strings; returns 0 if they are equal",
		func(k *Call) values.Operand { return compareText(k, -1, false) })
	all.add("strncmp", "a, b, size", "compares at most size bytes of two strings; returns 0 if they are equal",
		func(k *Call) values.Operand { return compareText(k, 2, false) })
	all.add("strlen __builtin_strlen", "text", "returns the length of a string",
		func(k *Call) values.Operand { return values.Of(textLength(k, 0), k.Types.AST.SizeT) })
	all.add("strcpy __builtin_strcpy", "to, from", "copies a string",
		func(k *Call) values.Operand { return copyText(k, k.Values.Number(0, k.Types.AST.SizeT).X) })
	all.add("strcat", "to, from", "appends a string to another",
		func(k *Call) values.Operand { return copyText(k, textLength(k, 0)) })
	all.add("strncpy", "to, from, size", "copies at most size bytes of a string, and fills the rest with zeros",
		func(k *Call) values.Operand {
			most, n, v := k.Build.Keep(k.as(2, k.Types.AST.SizeT)), k.Build.Temp(k.Types.Pointer), k.Build.Temp(8)
			k.Build.Emit(code.Assign{Dst: n, Value: ir.Number(0, k.Types.Pointer)})
			k.Build.Emit(code.Assign{Dst: v, Value: ir.Number(1, 8)})
			k.repeat(func() ir.Expr { return ir.Ult.Of(k.Build.Reg(n), most) }, func() {
				ended := k.Build.Jump(code.Not(code.Nonzero(k.Build.Reg(v))))
				k.Build.Emit(code.Assign{Dst: v, Value: k.loadFrom(k.char(1, k.Build.Reg(n)), code.Access{}).X})
				k.Build.Land(ended)
				k.storeTo(k.char(0, k.Build.Reg(n)), k.Build.Reg(v), code.Access{})
				k.Build.Emit(code.Assign{Dst: n, Value: ir.Add.Of(k.Build.Reg(n), ir.Number(1, k.Types.Pointer))})
			})
			return k.Args[0]
		})
	all.add("strchr", "text, byte", "returns a pointer to the first equal byte of a string, or null",
		func(k *Call) values.Operand { return findByte(k, false) })
	all.add("strrchr", "text, byte", "returns a pointer to the last equal byte of a string, or null",
		func(k *Call) values.Operand { return findByte(k, true) })
}

// textLength computes the length of the string that argument i points to.
func textLength(k *Call, i int) ir.Expr {
	n := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Assign{Dst: n, Value: ir.Number(0, k.Types.Pointer)})
	k.repeat(func() ir.Expr {
		return code.Nonzero(k.loadFrom(k.char(i, k.Build.Reg(n)), code.Access{}).X)
	}, func() {
		k.Build.Emit(code.Assign{Dst: n, Value: ir.Add.Of(k.Build.Reg(n), ir.Number(1, k.Types.Pointer))})
	})
	return k.Build.Reg(n)
}

// readText reads the string that argument i points to, up to its end or at most most bytes (nil: no limit). It skips
// string literals, which no thread writes.
func readText(k *Call, i int, most ir.Expr) {
	if _, literal := syntax.Arguments(k.Node)[i].Value().(cc.StringValue); literal {
		return
	}
	if most == nil {
		textLength(k, i)
		return
	}
	n := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Assign{Dst: n, Value: ir.Number(0, k.Types.Pointer)})
	head := len(k.Build.Function.Code)
	full := k.Build.Jump(code.Not(ir.Ult.Of(k.Build.Reg(n), most)))
	ended := k.Build.Jump(code.Not(code.Nonzero(k.loadFrom(k.char(i, k.Build.Reg(n)), code.Access{}).X)))
	k.Build.Emit(code.Assign{Dst: n, Value: ir.Add.Of(k.Build.Reg(n), ir.Number(1, k.Types.Pointer))})
	k.Build.Emit(code.Branch{Cond: nil, Target: head})
	k.Build.Land(full, ended)
}

// copyText copies the string that argument 1 points to, to the address in argument 0 plus behind, and returns argument
// 0.
func copyText(k *Call, behind ir.Expr) values.Operand {
	to := k.Build.Keep(code.Fold(ir.Add, k.address(0), behind))
	n, v := k.Build.Temp(k.Types.Pointer), k.Build.Temp(8)
	k.Build.Emit(code.Assign{Dst: n, Value: ir.Number(0, k.Types.Pointer)})
	k.repeat(func() ir.Expr {
		k.Build.Emit(code.Assign{Dst: v, Value: k.loadFrom(k.char(1, k.Build.Reg(n)), code.Access{}).X})
		at := code.Fold(ir.Add, to, k.Build.Reg(n))
		// If the strings overlap, one of them begins at a copied byte of the other.
		apart := ir.BitAnd.Of(code.Not(ir.Eq.Of(at, k.address(1))),
			code.Not(ir.Eq.Of(k.char(1, k.Build.Reg(n)).Addr, to)))
		k.Build.Emit(code.Assert{
			Cond: apart, Property: ir.Memory, Text: k.Name + " copies between strings that overlap (C17, 7.24.2.3p2)",
		})
		k.storeTo(values.At(k.Types.AST.Char, at), k.Build.Reg(v), code.Access{})
		return code.Nonzero(k.Build.Reg(v))
	}, func() {
		k.Build.Emit(code.Assign{Dst: n, Value: ir.Add.Of(k.Build.Reg(n), ir.Number(1, k.Types.Pointer))})
	})
	return k.Args[0]
}

// findByte finds the first or the last byte equal to argument 1 in the string that argument 0 points to. The
// terminating 0 is part of the string.
func findByte(k *Call, last bool) values.Operand {
	at, v, found := k.Build.Temp(k.Types.Pointer), k.Build.Temp(8), k.Build.Temp(k.Types.Pointer)
	b := k.Build.Keep(k.as(1, k.Types.AST.Char))
	k.Build.Emit(code.Assign{Dst: at, Value: k.address(0)})
	k.Build.Emit(code.Assign{Dst: found, Value: ir.Number(0, k.Types.Pointer)})
	head := len(k.Build.Function.Code)
	k.Build.Emit(code.Assign{Dst: v, Value: k.loadFrom(values.At(k.Types.AST.Char, k.Build.Reg(at)), code.Access{}).X})
	other := k.Build.Jump(code.Not(ir.Eq.Of(k.Build.Reg(v), b)))
	k.Build.Emit(code.Assign{Dst: found, Value: k.Build.Reg(at)})
	var ends []int
	if !last {
		ends = append(ends, k.Build.Jump(nil))
	}
	k.Build.Land(other)
	ends = append(ends, k.Build.Jump(code.Not(code.Nonzero(k.Build.Reg(v)))))
	k.Build.Emit(code.Assign{Dst: at, Value: ir.Add.Of(k.Build.Reg(at), ir.Number(1, k.Types.Pointer))})
	k.Build.Emit(code.Branch{Cond: nil, Target: head})
	k.Build.Land(ends...)
	return values.Of(k.Build.Reg(found), k.Types.AST.Char.Pointer())
}

// allocate allocates size bytes. If owed, the program leaks the memory unless it frees it.
func (k *Call) allocate(size ir.Expr, zero, owed bool) values.Operand {
	dst := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Allocate{Dst: dst, Size: size, Zero: zero, Unit: unitOf(k, size), Owed: owed})
	return values.Of(k.Build.Reg(dst), k.Types.AST.PVoid)
}

// reallocate allocates as many bytes as argument 1 says, copies what fits of the object that argument 0 points to, and
// frees that object. For size 0, which C17 leaves to the implementation, it does as glibc: it frees argument 0 and
// returns null.
func reallocate(k *Call) values.Operand {
	old, size, t := k.Build.Keep(k.address(0)), k.Build.Keep(k.as(1, k.Types.AST.SizeT)), elementType(k, 0)
	result := k.Build.Temp(k.Types.Pointer)
	was := k.Build.Temp(k.Types.Pointer)
	first := k.Build.Jump(code.Nonzero(old))
	k.Build.Emit(code.Assign{Dst: result, Value: k.allocate(size, false, true).X})
	done := []int{k.Build.Jump(nil)}
	k.Build.Land(first)
	k.Build.Emit(code.Extent{Dst: was, Addr: old})
	some := k.Build.Jump(code.Nonzero(size))
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(0, k.Types.Pointer)})
	gone := k.Build.Jump(nil)
	k.Build.Land(some)
	k.Build.Emit(code.Assign{Dst: result, Value: k.allocate(size, false, true).X})
	least := k.Build.Keep(ir.Cond{If: ir.Ult.Of(k.Build.Reg(was), size), Then: k.Build.Reg(was), Else: size})
	copyElements(k, t, k.Build.Reg(result), old, least, false)
	k.Build.Land(gone)
	k.Build.Emit(code.Free{Addr: old})
	k.Build.Land(done...)
	return values.Of(k.Build.Reg(result), k.Types.AST.PVoid)
}

// unitOf returns a constant factor of x, as the element size in the size of an array, or 0 if none is visible.
func unitOf(k *Call, x ir.Expr) int {
	switch x := x.(type) {
	case ir.Reg:
		return unitOf(k, assignedTo(k, x))
	case ir.Binary:
		for _, factor := range []ir.Expr{x.X, x.Y} {
			if n, ok := factor.(ir.Const); ok && x.Op == ir.Mul {
				return int(n.Value)
			}
		}
		if n, ok := x.Y.(ir.Const); ok && x.Op == ir.Shl && n.Value < 16 {
			return 1 << n.Value
		}
	}
	return 0
}

// char is the byte at an index of the string that argument i points to.
func (k *Call) char(i int, index ir.Expr) values.Object {
	return values.At(k.Types.AST.Char, code.Fold(ir.Add, k.address(i), index))
}

// repeat emits the loop "while cond, body".
func (k *Call) repeat(cond func() ir.Expr, body func()) {
	head := len(k.Build.Function.Code)
	end := k.Build.Jump(code.Not(cond()))
	body()
	k.Build.Emit(code.Branch{Cond: nil, Target: head})
	k.Build.Land(end)
}

// elementType returns the type of the elements in which memory is copied or filled: the first pointee type among the
// arguments that is larger than a byte. It is unsigned char if an address is visibly not aligned for that type.
func elementType(k *Call, args ...int) cc.Type {
	for _, i := range args {
		if p, ok := k.Raw[i].Type.(*cc.PointerType); ok {
			if t := p.Elem(); t.Kind() != cc.Void && t.Kind() != cc.Function && !t.IsIncomplete() && t.Size() > 1 {
				if slices.ContainsFunc(args,
					func(j int) bool { return bytesBeyond(k, k.address(j), 4)%uint64(t.Align()) != 0 }) {
					return k.Types.AST.UChar
				}
				return t
			}
		}
	}
	return k.Types.AST.UChar
}

// bytesBeyond returns the constant part of an address. It follows assignments of at most so many registers.
func bytesBeyond(k *Call, x ir.Expr, registers int) uint64 {
	switch x := x.(type) {
	case ir.Const:
		return x.Value
	case ir.Reg:
		if registers > 0 {
			return bytesBeyond(k, assignedTo(k, x), registers-1)
		}
	case ir.Binary:
		switch x.Op {
		case ir.Add:
			return bytesBeyond(k, x.X, registers) + bytesBeyond(k, x.Y, registers)
		case ir.Sub:
			return bytesBeyond(k, x.X, registers) - bytesBeyond(k, x.Y, registers)
		}
	}
	return 0
}

// assignedTo returns the last value that the code so far assigns to a register, or nil.
func assignedTo(k *Call, r ir.Reg) ir.Expr {
	for _, s := range slices.Backward(k.Build.Function.Code) {
		if a, ok := s.Op.(code.Assign); ok && a.Dst == r.Index {
			return a.Value
		}
	}
	return nil
}

// maxCopied is the maximum number of elements that are copied by straight-line code; more are copied by a loop.
const maxCopied = 64

// eachElement calls do for each element of type t in the number of bytes that argument n is, and then for each
// remaining byte.
func eachElement(k *Call, t cc.Type, n int, do func(t cc.Type, offset ir.Expr)) {
	elementsOf(k, t, k.as(n, k.Types.AST.SizeT), multiple(k, n, uint64(k.Types.Size(k.Node, t))), do)
}

// elementsOf implements eachElement for a number of bytes. If whole is true, no bytes remain.
func elementsOf(k *Call, t cc.Type, bytes ir.Expr, whole bool, do func(t cc.Type, offset ir.Expr)) {
	size := uint64(k.Types.Size(k.Node, t))
	number := func(n uint64) ir.Expr { return ir.Number(n, k.Types.Pointer) }
	if c, ok := bytes.(ir.Const); ok && c.Value/size+c.Value%size <= maxCopied {
		for i := uint64(0); i+size <= c.Value; i += size {
			do(t, number(i))
		}
		for i := c.Value - c.Value%size; i < c.Value; i++ {
			do(k.Types.AST.UChar, number(i))
		}
		return
	}
	i := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Assign{Dst: i, Value: number(0)})
	bytes = k.Build.Keep(bytes)
	each := func(t cc.Type, size uint64) {
		k.repeat(func() ir.Expr { return code.Not(ir.Ult.Of(ir.Sub.Of(bytes, k.Build.Reg(i)), number(size))) }, func() {
			do(t, k.Build.Reg(i))
			k.Build.Emit(code.Assign{Dst: i, Value: ir.Add.Of(k.Build.Reg(i), number(size))})
		})
	}
	each(t, size)
	if !whole {
		each(k.Types.AST.UChar, 1)
	}
}

// multiple reports whether argument n is visibly a multiple of a size.
func multiple(k *Call, n int, size uint64) bool {
	bytes := k.as(n, k.Types.AST.SizeT)
	if c, ok := bytes.(ir.Const); ok {
		return c.Value%size == 0
	}
	product, ok := bytes.(ir.Binary)
	return size == 1 || ok && uint64(unitOf(k, product))%size == 0 && unitOf(k, product) > 0
}

// ifFitting calls does if argument n, a number of bytes, is at most argument 1, and otherwise the other function. The
// result is 0 or ERANGE.
func ifFitting(k *Call, n int, does, otherwise func()) values.Operand {
	result := k.Build.Temp(32)
	tooMany := k.Build.Jump(ir.Ult.Of(k.as(1, k.Types.AST.SizeT), k.as(n, k.Types.AST.SizeT)))
	does()
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(0, 32)})
	end := k.Build.Jump(nil)
	k.Build.Land(tooMany)
	otherwise()
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(34, 32)})
	k.Build.Land(end)
	return values.Of(k.Build.Reg(result), k.Types.AST.Int)
}

// copyBytes copies as many bytes as argument n says. If the objects overlap, the behaviour is undefined (C17,
// 7.24.2.1p2).
func copyBytes(k *Call, into, of, n int) values.Operand {
	to, from, t := k.Build.Keep(k.address(into)), k.Build.Keep(k.address(of)), elementType(k, into, of)
	bytes := k.as(n, k.Types.AST.SizeT)
	apart := func(distance ir.Expr) ir.Expr { return code.Not(ir.Ult.Of(distance, bytes)) }
	k.Build.Emit(code.Assert{
		Cond: ir.BitAnd.Of(apart(ir.Sub.Of(to, from)), apart(ir.Sub.Of(from, to))), Property: ir.Memory,
		Text: k.Name + " copies between objects that overlap (C17, 7.24.2.1p2): use memmove",
	})
	copyElements(k, t, to, from, bytes, multiple(k, n, uint64(k.Types.Size(k.Node, t))))
	return values.Of(to, k.Types.AST.PVoid)
}

// copyElements copies a number of bytes by elements of a type. If whole is true, no bytes remain.
func copyElements(k *Call, t cc.Type, to, from, bytes ir.Expr, whole bool) {
	elementsOf(k, t, bytes, whole, func(t cc.Type, offset ir.Expr) { writeBytes(k, to, readBytes(k, from, t, offset)) })
}

// moveBytes copies as many bytes as argument n says, as if it read all of them before it writes any (C17, 7.24.2.2p2).
// It reads a small constant number of bytes first. Otherwise it copies backwards if the destination begins inside the
// source.
func moveBytes(k *Call, into, of, n int) values.Operand {
	to, from, t := k.Build.Keep(k.address(into)), k.Build.Keep(k.address(of)), elementType(k, into, of)
	result := values.Of(to, k.Types.AST.PVoid)
	bytes, size := k.as(n, k.Types.AST.SizeT), uint64(k.Types.Size(k.Node, t))
	if c, ok := bytes.(ir.Const); ok && c.Value/size+c.Value%size <= maxCopied {
		var all []copied
		eachElement(k, t, n, func(t cc.Type, offset ir.Expr) { all = append(all, readBytes(k, from, t, offset)...) })
		writeBytes(k, to, all)
		return result
	}
	bytes = k.Build.Keep(bytes)
	within := k.Build.Jump(ir.Ult.Of(ir.Sub.Of(to, from), bytes))
	eachElement(k, t, n, func(t cc.Type, offset ir.Expr) { writeBytes(k, to, readBytes(k, from, t, offset)) })
	end := k.Build.Jump(nil)
	k.Build.Land(within)
	if !multiple(k, n, size) {
		t, size = k.Types.AST.UChar, 1
	}
	i := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Assign{Dst: i, Value: bytes})
	k.repeat(func() ir.Expr { return code.Nonzero(k.Build.Reg(i)) }, func() {
		k.Build.Emit(code.Assign{Dst: i, Value: ir.Sub.Of(k.Build.Reg(i), ir.Number(size, k.Types.Pointer))})
		writeBytes(k, to, readBytes(k, from, t, k.Build.Reg(i)))
	})
	k.Build.Land(end)
	return result
}

// copied is a scalar that has been read, to be written at an offset from another address.
type copied struct {
	t      cc.Type
	offset ir.Expr
	x      ir.Expr
}

// readBytes reads an element of type t, including its padding.
func readBytes(k *Call, from ir.Expr, t cc.Type, offset ir.Expr) (all []copied) {
	for _, s := range k.Types.Whole(k.Node, t) {
		at := code.Fold(ir.Add, offset, ir.Number(uint64(s.Offset), k.Types.Pointer))
		v := k.loadFrom(values.At(s.Type, code.Fold(ir.Add, from, at)), code.Access{Copied: true})
		all = append(all, copied{s.Type, at, v.X})
	}
	return all
}

// writeBytes writes the scalars that readBytes has read.
func writeBytes(k *Call, to ir.Expr, all []copied) {
	for _, c := range all {
		k.storeTo(values.At(c.t, code.Fold(ir.Add, to, c.offset)), c.x, code.Access{})
	}
}

// fillBytes sets as many bytes as argument n says to b.
func fillBytes(k *Call, b ir.Expr, n int) values.Operand {
	to, t := k.Build.Keep(k.address(0)), elementType(k, 0)
	b = k.Build.Keep(b)
	eachElement(k, t, n, func(t cc.Type, offset ir.Expr) {
		for _, s := range k.Types.Whole(k.Node, t) {
			bits := k.Types.Bits(k.Node, s.Type)
			v := code.Fold(ir.Mul, code.Widen(b, bits, false), ir.Number(0x0101010101010101, bits))
			k.storeTo(values.At(s.Type,
				code.Fold(ir.Add, to, code.Fold(ir.Add, offset, ir.Number(uint64(s.Offset), k.Types.Pointer)))), v,
				code.Access{})
		}
	})
	return values.Of(to, k.Types.AST.PVoid)
}

// compareText compares memory or strings and returns the sign of the first difference. It compares at most as many
// bytes as argument n says (-1: no limit); a string also ends at its terminating 0. Memory is compared by elements: the
// lowest byte that differs decides.
func compareText(k *Call, n int, memory bool) values.Operand {
	t := k.Types.AST.UChar
	if of := elementType(k, 0, 1); memory && multiple(k, n, uint64(k.Types.Size(k.Node, of))) {
		for t = of; t.Kind() == cc.Array; {
			t = t.(*cc.ArrayType).Elem()
		}
		if layout.IsAggregate(t) { // because of the padding between its fields
			t = k.Types.AST.UChar
		}
	}
	size, bits := uint64(k.Types.Size(k.Node, t)), k.Types.Bits(k.Node, t)
	i, result := k.Build.Temp(k.Types.Pointer), k.Build.Temp(32)
	k.Build.Emit(code.Assign{Dst: i, Value: ir.Number(0, k.Types.Pointer)})
	k.Build.Emit(code.Assign{Dst: result, Value: ir.Number(0, 32)})
	x, y := k.Build.Temp(bits), k.Build.Temp(bits)
	var ends []int
	head := len(k.Build.Function.Code)
	if n >= 0 {
		ends = append(ends, k.Build.Jump(code.Not(ir.Ult.Of(k.Build.Reg(i), k.as(n, k.Types.AST.SizeT)))))
	}
	for arg, r := range []int{x, y} {
		o := values.At(t, code.Fold(ir.Add, k.address(arg), k.Build.Reg(i)))
		k.Build.Emit(code.Assign{Dst: r, Value: k.loadFrom(o, code.Access{}).X})
	}
	same := k.Build.Jump(ir.Eq.Of(k.Build.Reg(x), k.Build.Reg(y)))
	less := ir.Ult.Of(turned(k.Build.Reg(x)), turned(k.Build.Reg(y)))
	k.Build.Emit(code.Assign{
		Dst: result, Value: ir.Cond{If: less, Then: ir.Number(^uint64(0), 32), Else: ir.Number(1, 32)},
	})
	ends = append(ends, k.Build.Jump(nil))
	k.Build.Land(same)
	if !memory {
		ends = append(ends, k.Build.Jump(code.Not(code.Nonzero(k.Build.Reg(x)))))
	}
	k.Build.Emit(code.Assign{Dst: i, Value: ir.Add.Of(k.Build.Reg(i), ir.Number(size, k.Types.Pointer))})
	k.Build.Emit(code.Branch{Cond: nil, Target: head})
	k.Build.Land(ends...)
	return values.Of(k.Build.Reg(result), k.Types.AST.Int)
}
