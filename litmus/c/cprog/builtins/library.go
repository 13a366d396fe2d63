package builtins

import (
	"litmuscope/litmus/ir"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
)

// addLibrary enters what libraryText defines, and what is like it.
func (all known) addLibrary() {
	all.written("pthread_key_create tss_create", "key, destructor", "makes a key, under which each thread keeps a "+
		"pointer of its own; what is not null when a thread ends is given to the destructor")
	all.written("pthread_key_delete tss_delete", "key", "forgets a key's destructor")
	all.written("pthread_getspecific tss_get", "key", "gives what the thread keeps under a key")
	all.written("pthread_setspecific tss_set", "key, value", "keeps a pointer under a key")

	all.written("atexit", "function", "has a function called when the program ends")
	all.written("on_exit", "function, argument",
		"has a function called, with the status and the argument, when the program ends")
	all.written("at_quick_exit", "function", "has a function called when the program ends by quick_exit")

	all.written("qsort", "array, count, size, compare",
		"sorts an array; elements that compare as equal come in any order")
	all.written("bsearch", "key, array, count, size, compare",
		"finds an element in a sorted array, or null; of several, any")

	all.written("memchr __builtin_memchr", "memory, byte, size", "finds the first such byte of so many, or null")
	all.written("memrchr", "memory, byte, size", "finds the last such byte of so many, or null")
	all.written("mempcpy", "to, from, size", "copies so many bytes, and gives where they end")
	all.written("strdup __builtin_strdup", "text", "gives new memory with a text in it")
	all.written("strndup __builtin_strndup", "text, most", "gives new memory with the beginning of a text in it")
	all.written("strnlen", "text, most", "counts the bytes of a text, so many at most")
	all.written("stpcpy", "to, from", "copies a text, and gives where it ends")
	all.written("strncat", "to, from, most", "copies a text behind another, so many bytes at most")
	all.written("strstr", "text, part", "finds a text in another, or null")
	all.written("strspn", "text, set", "counts the bytes that a text begins with and that are in a set")
	all.written("strcspn", "text, set", "counts the bytes that a text begins with and that are not in a set")
	all.written("strpbrk", "text, set", "finds the first byte of a text that is in a set, or null")
	all.written("strcasecmp", "a, b", "compares two texts, whatever the case of letters: 0 where they are equal")
	all.written("strncasecmp", "a, b, most",
		"compares two texts, whatever the case of letters, so many bytes at most: 0 where they are equal")

	for _, name := range []string{"atoi", "atol", "atoll"} {
		all.written(name, "text", "gives the number that a text begins with")
	}
	for _, name := range []string{"strtol", "strtoul", "strtoll", "strtoull"} {
		all.written(name, "text, end, base",
			"gives the number that a text begins with, and where it ends; errno tells whether it fits")
	}

	all.add("strerror", "number", "gives a text that says what an error is", func(k *Call) values.Operand {
		return values.Of(k.Memory.Locate(k.Literals.Add(k.Node, `"error"`, "error\x00")), k.Types.AST.Char.Pointer())
	})
	all.add("write", "file, from, size", "writes bytes: all, fewer, or none, which is -1",
		func(k *Call) values.Operand {
			n := k.Build.Keep(k.as(2, k.Types.AST.SizeT))
			at := k.Build.Temp(k.Types.Pointer)
			k.Build.Emit(code.Assign{Dst: at, Value: ir.Number(0, k.Types.Pointer)})
			k.repeat(func() ir.Expr { return ir.Ult.Of(k.Build.Reg(at), n) }, func() {
				k.loadFrom(k.char(1, k.Build.Reg(at)), code.Access{Copied: true})
				k.Build.Emit(code.Assign{Dst: at, Value: ir.Add.Of(k.Build.Reg(at), ir.Number(1, k.Types.Pointer))})
			})
			return upTo(k, n)
		})
}

// upTo is any number from -1 to n, of the type that the function gives.
func upTo(k *Call, n ir.Expr) values.Operand {
	t := k.Types.AST.Long
	r := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Choose{Dst: r})
	k.Build.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(n, k.Build.Reg(r)))})
	k.Build.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(k.Build.Reg(r), ir.Number(^uint64(0), k.Types.Pointer)))})
	return k.answer(k.Build.Reg(r), t)
}
