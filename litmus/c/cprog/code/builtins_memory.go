package code

import (
	"slices"

	"modernc.org/cc/v4"

	"litmuscope/litmus/ir"
)

func (all known) addMemory() {
	all.add("malloc __builtin_malloc __VERIFIER_malloc __VERIFIER_palloc valloc", "size", "gives memory of so many bytes, with anything in it", func(k *calling) operand {
		return k.allocate(k.as(0, k.types.ast.SizeT), false, true)
	})
	all.add("alloca __builtin_alloca", "size", "gives memory of so many bytes, with anything in it, that ends with the call", func(k *calling) operand {
		dst := k.build.temp(k.types.pointer)
		size := k.as(0, k.types.ast.SizeT)
		k.build.emit(Allocate{Dst: dst, Size: size, Unit: k.unitOf(size), Local: true})
		return operand{k.build.reg(dst), k.types.ast.PVoid}
	})
	all.add("calloc __builtin_calloc", "count, size", "gives memory for so many objects of a size, with zeros in it", func(k *calling) operand {
		return k.allocate(fold(ir.Mul, k.as(0, k.types.ast.SizeT), k.as(1, k.types.ast.SizeT)), true, true)
	})
	all.add("aligned_alloc memalign __VERIFIER_malloc_aligned", "alignment, size", "gives memory of so many bytes, with anything in it",
		func(k *calling) operand { return k.allocate(k.as(1, k.types.ast.SizeT), false, true) })
	all.add("posix_memalign", "&memory, alignment, size", "sets *memory to memory of so many bytes", func(k *calling) operand {
		k.memory.write(k.node, k.pointee(0), k.allocate(k.as(2, k.types.ast.SizeT), false, true))
		return k.success()
	})
	all.add("realloc __builtin_realloc", "memory, size", "gives memory of so many bytes, with what *memory has as far as there is room, and gives that back", (*calling).reallocate)
	all.add("reallocarray", "memory, count, size", "gives memory for so many objects of a size, with what *memory has as far as there is room, and gives that back", func(k *calling) operand {
		k.args[1] = operand{fold(ir.Mul, k.as(1, k.types.ast.SizeT), k.as(2, k.types.ast.SizeT)), k.types.ast.SizeT}
		return k.reallocate()
	})
	all.add("free __builtin_free __VERIFIER_free", "memory", "gives memory back", emits(func(k *calling) Op { return Free{k.address(0)} }))
	all.add("memcpy __builtin_memcpy", "to, from, size", "copies so many bytes, which do not overlap", func(k *calling) operand { return k.copyBytes(0, 1, 2) })
	all.add("memmove __builtin_memmove", "to, from, size", "copies so many bytes, which may overlap", func(k *calling) operand { return k.moveBytes(0, 1, 2) })
	// C17, K.3.7: what does not fit is not copied, and what it would not fit in is cleared.
	all.add("memcpy_s", "to, size_of_to, from, size", "copies so many bytes, which do not overlap, if they fit: 0, or an error", func(k *calling) operand {
		return k.fitting(3, func() { k.copyBytes(0, 2, 3) }, func() { k.fill(ir.Number(0, 8), 1) })
	})
	all.add("memmove_s", "to, size_of_to, from, size", "copies so many bytes, which may overlap, if they fit: 0, or an error", func(k *calling) operand {
		return k.fitting(3, func() { k.moveBytes(0, 2, 3) }, func() { k.fill(ir.Number(0, 8), 1) })
	})
	all.add("memset_s", "to, size_of_to, byte, size", "sets so many bytes if they fit: 0, or an error", func(k *calling) operand {
		b := k.build.keep(k.as(2, k.types.ast.UChar))
		return k.fitting(3, func() { k.fill(b, 3) }, func() { k.fill(b, 1) })
	})
	all.add("memset __builtin_memset", "to, byte, size", "sets so many bytes", func(k *calling) operand { return k.fill(k.as(1, k.types.ast.UChar), 2) })
	all.add("bzero", "to, size", "sets so many bytes to 0", func(k *calling) operand {
		k.fill(ir.Number(0, 8), 1)
		return k.nothing()
	})
	all.add("memcmp __builtin_memcmp", "a, b, size", "compares so many bytes: 0 where they are equal", func(k *calling) operand { return k.compareText(2, true) })
	all.add("strcmp", "a, b", "compares two texts: 0 where they are equal", func(k *calling) operand { return k.compareText(-1, false) })
	all.add("strncmp", "a, b, size", "compares two texts, so many bytes at most: 0 where they are equal", func(k *calling) operand { return k.compareText(2, false) })
	all.add("strlen __builtin_strlen", "text", "counts the bytes of a text", func(k *calling) operand { return operand{k.length(0), k.types.ast.SizeT} })
	all.add("strcpy __builtin_strcpy", "to, from", "copies a text", func(k *calling) operand { return k.copyText(k.values.number(0, k.types.ast.SizeT).x) })
	all.add("strcat", "to, from", "copies a text behind another", func(k *calling) operand { return k.copyText(k.length(0)) })
	all.add("strncpy", "to, from, size", "copies so many bytes of a text, and zeros behind it", func(k *calling) operand {
		most, n, v := k.build.keep(k.as(2, k.types.ast.SizeT)), k.build.temp(k.types.pointer), k.build.temp(8)
		k.build.emit(Assign{n, ir.Number(0, k.types.pointer)})
		k.build.emit(Assign{v, ir.Number(1, 8)})
		k.repeat(func() ir.Expr { return ir.Ult.Of(k.build.reg(n), most) }, func() {
			ended := k.build.jump(not(nonzero(k.build.reg(v))))
			k.build.emit(Assign{v, k.loadFrom(k.char(1, k.build.reg(n)), Access{}).x})
			k.build.land(ended)
			k.storeTo(k.char(0, k.build.reg(n)), k.build.reg(v), Access{})
			k.build.emit(Assign{n, ir.Add.Of(k.build.reg(n), ir.Number(1, k.types.pointer))})
		})
		return k.args[0]
	})
	all.add("strchr", "text, byte", "finds a byte in a text: a pointer to the first, or null", func(k *calling) operand { return k.findByte(false) })
	all.add("strrchr", "text, byte", "finds a byte in a text: a pointer to the last, or null", func(k *calling) operand { return k.findByte(true) })
}

// length counts the bytes of the text that argument i points to.
func (k *calling) length(i int) ir.Expr {
	n := k.build.temp(k.types.pointer)
	k.build.emit(Assign{n, ir.Number(0, k.types.pointer)})
	k.repeat(func() ir.Expr {
		return nonzero(k.loadFrom(k.char(i, k.build.reg(n)), Access{}).x)
	}, func() { k.build.emit(Assign{n, ir.Add.Of(k.build.reg(n), ir.Number(1, k.types.pointer))}) })
	return k.build.reg(n)
}

// readText reads the text that argument i points to, to its end, or so many bytes at most (nil: any number). What a
// literal says nobody writes.
func (k *calling) readText(i int, most ir.Expr) {
	if _, literal := arguments(k.node)[i].Value().(cc.StringValue); literal {
		return
	}
	if most == nil {
		k.length(i)
		return
	}
	n := k.build.temp(k.types.pointer)
	k.build.emit(Assign{n, ir.Number(0, k.types.pointer)})
	head := len(k.build.function.Code)
	full := k.build.jump(not(ir.Ult.Of(k.build.reg(n), most)))
	ended := k.build.jump(not(nonzero(k.loadFrom(k.char(i, k.build.reg(n)), Access{}).x)))
	k.build.emit(Assign{n, ir.Add.Of(k.build.reg(n), ir.Number(1, k.types.pointer))})
	k.build.emit(Branch{nil, head})
	k.build.land(full, ended)
}

// copyText copies the text that argument 1 points to so many bytes behind where argument 0 points: that.
func (k *calling) copyText(behind ir.Expr) operand {
	to := k.build.keep(fold(ir.Add, k.address(0), behind))
	n, v := k.build.temp(k.types.pointer), k.build.temp(8)
	k.build.emit(Assign{n, ir.Number(0, k.types.pointer)})
	k.repeat(func() ir.Expr {
		k.build.emit(Assign{v, k.loadFrom(k.char(1, k.build.reg(n)), Access{}).x})
		at := fold(ir.Add, to, k.build.reg(n))
		// Where the texts overlap, one of them begins at a byte of the other that is copied.
		apart := ir.BitAnd.Of(not(ir.Eq.Of(at, k.address(1))), not(ir.Eq.Of(k.char(1, k.build.reg(n)).addr, to)))
		k.build.emit(Assert{apart, ir.Memory, k.name + " copies between texts that overlap (C17, 7.24.2.3p2)"})
		k.storeTo(object{t: k.types.ast.Char, reg: -1, addr: at}, k.build.reg(v), Access{})
		return nonzero(k.build.reg(v))
	}, func() { k.build.emit(Assign{n, ir.Add.Of(k.build.reg(n), ir.Number(1, k.types.pointer))}) })
	return k.args[0]
}

// findByte finds the byte that argument 1 is in the text that argument 0 points to, whose end is one of its bytes: the
// first, or the last.
func (k *calling) findByte(last bool) operand {
	at, v, found := k.build.temp(k.types.pointer), k.build.temp(8), k.build.temp(k.types.pointer)
	b := k.build.keep(k.as(1, k.types.ast.Char))
	k.build.emit(Assign{at, k.address(0)})
	k.build.emit(Assign{found, ir.Number(0, k.types.pointer)})
	head := len(k.build.function.Code)
	k.build.emit(Assign{v, k.loadFrom(object{t: k.types.ast.Char, reg: -1, addr: k.build.reg(at)}, Access{}).x})
	other := k.build.jump(not(ir.Eq.Of(k.build.reg(v), b)))
	k.build.emit(Assign{found, k.build.reg(at)})
	var ends []int
	if !last {
		ends = append(ends, k.build.jump(nil))
	}
	k.build.land(other)
	ends = append(ends, k.build.jump(not(nonzero(k.build.reg(v)))))
	k.build.emit(Assign{at, ir.Add.Of(k.build.reg(at), ir.Number(1, k.types.pointer))})
	k.build.emit(Branch{nil, head})
	k.build.land(ends...)
	return operand{k.build.reg(found), k.types.ast.Char.Pointer()}
}

// allocate is new memory of a number of bytes, which is to be freed where it is owed.
func (k *calling) allocate(size ir.Expr, zero, owed bool) operand {
	dst := k.build.temp(k.types.pointer)
	k.build.emit(Allocate{Dst: dst, Size: size, Zero: zero, Unit: k.unitOf(size), Owed: owed})
	return operand{k.build.reg(dst), k.types.ast.PVoid}
}

// reallocate gives new memory of as many bytes as argument 1 says, in which there is what argument 0 points to, and frees that. Of
// no bytes it is as glibc has it, and C17 leaves it open: null, and argument 0 is freed.
func (k *calling) reallocate() operand {
	old, size, t := k.build.keep(k.address(0)), k.build.keep(k.as(1, k.types.ast.SizeT)), k.element(0)
	result := k.build.temp(k.types.pointer)
	was := k.build.temp(k.types.pointer)
	first := k.build.jump(nonzero(old))
	k.build.emit(Assign{result, k.allocate(size, false, true).x})
	done := []int{k.build.jump(nil)}
	k.build.land(first)
	k.build.emit(Extent{was, old})
	some := k.build.jump(nonzero(size))
	k.build.emit(Assign{result, ir.Number(0, k.types.pointer)})
	gone := k.build.jump(nil)
	k.build.land(some)
	k.build.emit(Assign{result, k.allocate(size, false, true).x})
	least := k.build.keep(ir.Cond{If: ir.Ult.Of(k.build.reg(was), size), Then: k.build.reg(was), Else: size})
	k.copyElements(t, k.build.reg(result), old, least, false)
	k.build.land(gone)
	k.build.emit(Free{old})
	k.build.land(done...)
	return operand{k.build.reg(result), k.types.ast.PVoid}
}

// unitOf is the constant that a number is a multiple of, as a size is of an element's; 0 where none is seen.
func (k *calling) unitOf(x ir.Expr) int {
	switch x := x.(type) {
	case ir.Reg:
		return k.unitOf(k.assigned(x))
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

// char is the byte at an index of the text that argument i points to.
func (k *calling) char(i int, index ir.Expr) object {
	return object{t: k.types.ast.Char, reg: -1, addr: fold(ir.Add, k.address(i), index)}
}

// repeat is a loop: body while cond.
func (k *calling) repeat(cond func() ir.Expr, body func()) {
	head := len(k.build.function.Code)
	end := k.build.jump(not(cond()))
	body()
	k.build.emit(Branch{nil, head})
	k.build.land(end)
}

// element is the type of what pointers to be copied or filled point to: the first of those given
// that says more than a byte does, where all are seen to be aligned as that is, or not seen to be otherwise.
func (k *calling) element(args ...int) cc.Type {
	for _, i := range args {
		if p, ok := k.raw[i].t.(*cc.PointerType); ok {
			if t := p.Elem(); t.Kind() != cc.Void && t.Kind() != cc.Function && !t.IsIncomplete() && t.Size() > 1 {
				if slices.ContainsFunc(args, func(j int) bool { return k.beyond(k.address(j), 4)%uint64(t.Align()) != 0 }) {
					return k.types.ast.UChar
				}
				return t
			}
		}
	}
	return k.types.ast.UChar
}

// beyond is how many bytes an address is seen to be beyond another one, by way of so many registers.
func (k *calling) beyond(x ir.Expr, registers int) uint64 {
	switch x := x.(type) {
	case ir.Const:
		return x.Value
	case ir.Reg:
		if registers > 0 {
			return k.beyond(k.assigned(x), registers-1)
		}
	case ir.Binary:
		switch x.Op {
		case ir.Add:
			return k.beyond(x.X, registers) + k.beyond(x.Y, registers)
		case ir.Sub:
			return k.beyond(x.X, registers) - k.beyond(x.Y, registers)
		}
	}
	return 0
}

// assigned is what a register was set to last, as code stands; nil where that is not by an assignment.
func (k *calling) assigned(r ir.Reg) ir.Expr {
	for _, s := range slices.Backward(k.build.function.Code) {
		if a, ok := s.Op.(Assign); ok && a.Dst == r.Index {
			return a.Value
		}
	}
	return nil
}

// maxCopied bounds the elements that are copied one by one: more are by a loop.
const maxCopied = 64

// elements does something to each element of a type that the number of bytes, argument n, has, and to each byte that is left.
func (k *calling) elements(t cc.Type, n int, do func(t cc.Type, offset ir.Expr)) {
	k.elementsOf(t, k.as(n, k.types.ast.SizeT), k.multiple(n, uint64(k.types.size(k.node, t))), do)
}

// elementsOf is elements of a number of bytes; whole: there is nothing left.
func (k *calling) elementsOf(t cc.Type, bytes ir.Expr, whole bool, do func(t cc.Type, offset ir.Expr)) {
	size := uint64(k.types.size(k.node, t))
	number := func(n uint64) ir.Expr { return ir.Number(n, k.types.pointer) }
	if c, ok := bytes.(ir.Const); ok && c.Value/size+c.Value%size <= maxCopied {
		for i := uint64(0); i+size <= c.Value; i += size {
			do(t, number(i))
		}
		for i := c.Value - c.Value%size; i < c.Value; i++ {
			do(k.types.ast.UChar, number(i))
		}
		return
	}
	i := k.build.temp(k.types.pointer)
	k.build.emit(Assign{i, number(0)})
	bytes = k.build.keep(bytes)
	each := func(t cc.Type, size uint64) {
		k.repeat(func() ir.Expr { return not(ir.Ult.Of(ir.Sub.Of(bytes, k.build.reg(i)), number(size))) }, func() {
			do(t, k.build.reg(i))
			k.build.emit(Assign{i, ir.Add.Of(k.build.reg(i), number(size))})
		})
	}
	each(t, size)
	if !whole {
		each(k.types.ast.UChar, 1)
	}
}

// multiple tells whether argument n is seen to be a multiple of a size.
func (k *calling) multiple(n int, size uint64) bool {
	bytes := k.as(n, k.types.ast.SizeT)
	if c, ok := bytes.(ir.Const); ok {
		return c.Value%size == 0
	}
	product, ok := bytes.(ir.Binary)
	return size == 1 || ok && uint64(k.unitOf(product))%size == 0 && k.unitOf(product) > 0
}

// fitting does something with as many bytes as argument n says, if argument 1 is no less, else what else there is to do: 0, or ERANGE.
func (k *calling) fitting(n int, does, otherwise func()) operand {
	result := k.build.temp(32)
	tooMany := k.build.jump(ir.Ult.Of(k.as(1, k.types.ast.SizeT), k.as(n, k.types.ast.SizeT)))
	does()
	k.build.emit(Assign{result, ir.Number(0, 32)})
	end := k.build.jump(nil)
	k.build.land(tooMany)
	otherwise()
	k.build.emit(Assign{result, ir.Number(34, 32)})
	k.build.land(end)
	return operand{k.build.reg(result), k.types.ast.Int}
}

// copyBytes copies as many bytes as argument n says. Where they overlap, C leaves it undefined (C17, 7.24.2.1p2).
func (k *calling) copyBytes(into, of, n int) operand {
	to, from, t := k.build.keep(k.address(into)), k.build.keep(k.address(of)), k.element(into, of)
	bytes := k.as(n, k.types.ast.SizeT)
	apart := func(distance ir.Expr) ir.Expr { return not(ir.Ult.Of(distance, bytes)) }
	k.build.emit(Assert{
		ir.BitAnd.Of(apart(ir.Sub.Of(to, from)), apart(ir.Sub.Of(from, to))), ir.Memory,
		k.name + " copies between bytes that overlap (C17, 7.24.2.1p2): want memmove",
	})
	k.copyElements(t, to, from, bytes, k.multiple(n, uint64(k.types.size(k.node, t))))
	return operand{to, k.types.ast.PVoid}
}

// copyElements copies a number of bytes by elements of a type; whole: there is nothing left.
func (k *calling) copyElements(t cc.Type, to, from, bytes ir.Expr, whole bool) {
	k.elementsOf(t, bytes, whole, func(t cc.Type, offset ir.Expr) { k.writeBytes(to, k.readBytes(from, t, offset)) })
}

// moveBytes copies as many bytes as argument n says, as if it read all of them before it writes any (C17, 7.24.2.2p2): few
// bytes it does read first; of many it begins at the end that it does not write to before it reads there.
func (k *calling) moveBytes(into, of, n int) operand {
	to, from, t := k.build.keep(k.address(into)), k.build.keep(k.address(of)), k.element(into, of)
	result := operand{to, k.types.ast.PVoid}
	bytes, size := k.as(n, k.types.ast.SizeT), uint64(k.types.size(k.node, t))
	if c, ok := bytes.(ir.Const); ok && c.Value/size+c.Value%size <= maxCopied {
		var all []copied
		k.elements(t, n, func(t cc.Type, offset ir.Expr) { all = append(all, k.readBytes(from, t, offset)...) })
		k.writeBytes(to, all)
		return result
	}
	bytes = k.build.keep(bytes)
	within := k.build.jump(ir.Ult.Of(ir.Sub.Of(to, from), bytes))
	k.elements(t, n, func(t cc.Type, offset ir.Expr) { k.writeBytes(to, k.readBytes(from, t, offset)) })
	end := k.build.jump(nil)
	k.build.land(within)
	if !k.multiple(n, size) {
		t, size = k.types.ast.UChar, 1
	}
	i := k.build.temp(k.types.pointer)
	k.build.emit(Assign{i, bytes})
	k.repeat(func() ir.Expr { return nonzero(k.build.reg(i)) }, func() {
		k.build.emit(Assign{i, ir.Sub.Of(k.build.reg(i), ir.Number(size, k.types.pointer))})
		k.writeBytes(to, k.readBytes(from, t, k.build.reg(i)))
	})
	k.build.land(end)
	return result
}

// copied is a scalar that has been read, to be written so far behind another address.
type copied struct {
	t      cc.Type
	offset ir.Expr
	x      ir.Expr
}

// readBytes reads an element of type t, with what is between its fields.
func (k *calling) readBytes(from ir.Expr, t cc.Type, offset ir.Expr) (all []copied) {
	for _, s := range k.types.whole(k.node, t) {
		at := fold(ir.Add, offset, ir.Number(uint64(s.offset), k.types.pointer))
		v := k.loadFrom(object{t: s.t, reg: -1, addr: fold(ir.Add, from, at)}, Access{Copied: true})
		all = append(all, copied{s.t, at, v.x})
	}
	return all
}

// writeBytes writes what has been read.
func (k *calling) writeBytes(to ir.Expr, all []copied) {
	for _, c := range all {
		k.storeTo(object{t: c.t, reg: -1, addr: fold(ir.Add, to, c.offset)}, c.x, Access{})
	}
}

// fill sets memory to a byte.
func (k *calling) fill(b ir.Expr, n int) operand {
	to, t := k.build.keep(k.address(0)), k.element(0)
	b = k.build.keep(b)
	k.elements(t, n, func(t cc.Type, offset ir.Expr) {
		for _, s := range k.types.whole(k.node, t) {
			bits := k.types.bits(k.node, s.t)
			v := fold(ir.Mul, widen(b, bits, false), ir.Number(0x0101010101010101, bits))
			k.storeTo(object{t: s.t, reg: -1, addr: fold(ir.Add, to, fold(ir.Add, offset, ir.Number(uint64(s.offset), k.types.pointer)))}, v, Access{})
		}
	})
	return operand{to, k.types.ast.PVoid}
}

// compareText compares bytes, as many as argument n says (-1: any number) or, of texts, until one ends: the sign of the
// first difference. Memory is compared by its elements, of which the lowest byte that differs says which is less.
func (k *calling) compareText(n int, memory bool) operand {
	t := k.types.ast.UChar
	if of := k.element(0, 1); memory && k.multiple(n, uint64(k.types.size(k.node, of))) {
		for t = of; t.Kind() == cc.Array; {
			t = t.(*cc.ArrayType).Elem()
		}
		if aggregate(t) { // with what is between its fields
			t = k.types.ast.UChar
		}
	}
	size, bits := uint64(k.types.size(k.node, t)), k.types.bits(k.node, t)
	i, result := k.build.temp(k.types.pointer), k.build.temp(32)
	k.build.emit(Assign{i, ir.Number(0, k.types.pointer)})
	k.build.emit(Assign{result, ir.Number(0, 32)})
	x, y := k.build.temp(bits), k.build.temp(bits)
	var ends []int
	head := len(k.build.function.Code)
	if n >= 0 {
		ends = append(ends, k.build.jump(not(ir.Ult.Of(k.build.reg(i), k.as(n, k.types.ast.SizeT)))))
	}
	for arg, r := range []int{x, y} {
		o := object{t: t, reg: -1, addr: fold(ir.Add, k.address(arg), k.build.reg(i))}
		k.build.emit(Assign{r, k.loadFrom(o, Access{}).x})
	}
	same := k.build.jump(ir.Eq.Of(k.build.reg(x), k.build.reg(y)))
	less := ir.Ult.Of(turned(k.build.reg(x)), turned(k.build.reg(y)))
	k.build.emit(Assign{result, ir.Cond{If: less, Then: ir.Number(^uint64(0), 32), Else: ir.Number(1, 32)}})
	ends = append(ends, k.build.jump(nil))
	k.build.land(same)
	if !memory {
		ends = append(ends, k.build.jump(not(nonzero(k.build.reg(x)))))
	}
	k.build.emit(Assign{i, ir.Add.Of(k.build.reg(i), ir.Number(size, k.types.pointer))})
	k.build.emit(Branch{nil, head})
	k.build.land(ends...)
	return operand{k.build.reg(result), k.types.ast.Int}
}
