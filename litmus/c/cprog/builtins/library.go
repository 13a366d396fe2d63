package builtins

import (
	"litmuscope/litmus/ir"

	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/values"
)

// addLibrary enters the functions that libraryText defines, and strerror and write.
func (all byName) addLibrary() {
	all.written("pthread_key_create tss_create", "key, destructor", "makes a key for thread-specific data; when "+
		"a thread ends, the destructor is called with its value unless that is null")
	all.written("pthread_key_delete tss_delete", "key", "deletes a key; its destructor is not called any more")
	all.written("pthread_getspecific tss_get", "key", "returns the thread's value of a key")
	all.written("pthread_setspecific tss_set", "key, value", "sets the thread's value of a key")

	all.written("atexit", "function", "registers a function to call when the program ends")
	all.written("on_exit", "function, argument",
		"registers a function to call with the status and the argument when the program ends")
	all.written("at_quick_exit", "function", "registers a function to call when the program ends by quick_exit")

	all.written("qsort", "array, count, size, compare",
		"sorts an array; equal elements end in any order")
	all.written("bsearch", "key, array, count, size, compare",
		"returns an equal element of a sorted array, any if there are several, or null")

	all.written("memchr __builtin_memchr", "memory, byte, size", "returns the first equal byte of size bytes, or null")
	all.written("memrchr", "memory, byte, size", "returns the last equal byte of size bytes, or null")
	all.written("mempcpy", "to, from, size", "copies size bytes, returns the end of the copy")
	all.written("strdup __builtin_strdup", "text", "allocates a copy of a string")
	all.written("strndup __builtin_strndup", "text, most", "allocates a copy of the first bytes of a string")
	all.written("strnlen", "text, most", "returns the length of a string, at most most")
	all.written("stpcpy", "to, from", "copies a string, returns its end")
	all.written("strncat", "to, from, most", "appends at most most bytes of a string to another")
	all.written("strstr", "text, part", "returns the first occurrence of part in text, or null")
	all.written("strspn", "text, set", "returns the length of the prefix of text with only bytes of set")
	all.written("strcspn", "text, set", "returns the length of the prefix of text without bytes of set")
	all.written("strpbrk", "text, set", "returns the first byte of text that is in set, or null")
	all.written("strcasecmp", "a, b", "compares two strings, ignoring case; returns 0 if they are equal")
	all.written("strncasecmp", "a, b, most",
		"compares at most most bytes of two strings, ignoring case; returns 0 if they are equal")

	for _, name := range []string{"atoi", "atol", "atoll"} {
		all.written(name, "text", "returns the number at the beginning of a string")
	}
	for _, name := range []string{"strtol", "strtoul", "strtoll", "strtoull"} {
		all.written(name, "text, end, base",
			"returns the number at the beginning of a string, sets *end to its end, and errno if it does not fit")
	}

	all.add("strerror", "number", "returns a description of an error", func(k *Call) values.Operand {
		return values.Of(k.Memory.Locate(k.Literals.Add(k.Node, `"error"`, "error\x00")), k.Types.AST.Char.Pointer())
	})
	all.add("write", "file, from, size", "writes bytes; returns any number up to size, or -1",
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

// upTo returns any number from -1 to n, as a long converted to the type that the function is declared with.
func upTo(k *Call, n ir.Expr) values.Operand {
	t := k.Types.AST.Long
	r := k.Build.Temp(k.Types.Pointer)
	k.Build.Emit(code.Choose{Dst: r})
	k.Build.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(n, k.Build.Reg(r)))})
	k.Build.Emit(code.Assume{Cond: code.Not(ir.Slt.Of(k.Build.Reg(r), ir.Number(^uint64(0), k.Types.Pointer)))})
	return k.answer(k.Build.Reg(r), t)
}
