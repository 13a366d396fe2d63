package builtins

import (
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/c/cprog/values"
	"litmuscope/litmus/ir"
)

// addOther enters functions for input and output, time, random numbers and bits, and GCC's other builtins.
func (all byName) addOther() {
	// Output and sleeping do not affect the properties that can be checked.
	all.add("printf __builtin_printf", "format, ...", "prints; output is not modelled",
		func(k *Call) values.Operand { return readPrinted(k, 0) })
	all.add("fprintf", "file, format, ...", "prints; output is not modelled",
		func(k *Call) values.Operand { return readPrinted(k, 1) })
	all.add("putchar putc fputc fflush fclose setvbuf __builtin_putchar vprintf vfprintf", "...",
		"prints; output is not modelled", (*Call).success)
	all.add("puts fputs __builtin_puts", "text, ...", "prints a string; output is not modelled",
		func(k *Call) values.Operand {
			readText(k, 0, nil)
			return k.success()
		})
	all.add("perror srand srandom __builtin_prefetch", "...", "has no effect here", (*Call).nothing)
	all.add("sleep usleep nanosleep thrd_sleep", "time, ...", "has no effect here: threads can be delayed at any time",
		(*Call).success)
	all.add("__builtin_expect __builtin_expect_with_probability __builtin_assume_aligned", "value, ...",
		"returns the value",
		func(k *Call) values.Operand { return k.Args[0] })
	all.add("__litmus_arguments", "", "returns the address of the variable arguments",
		func(k *Call) values.Operand {
			if k.Caller.VariableArguments() == nil {
				syntax.Failf(k.Node, "va_start is in a function without variable arguments")
			}
			return values.Of(k.Caller.VariableArguments(), k.Types.AST.PVoid)
		})
	all.add("rand_r getpid clock", "&seed?", "returns any number that is not negative", (*Call).natural)
	all.add("time", "&time", "returns any time, and writes it to *time", func(k *Call) values.Operand {
		v := k.anything()
		if !k.null(0) {
			k.Memory.Write(k.Node, k.pointee(0), v)
		}
		return v
	})
	// Input can have any value.
	input := func(names, params string) {
		first := strings.Count(params, ",")
		all.add(names, params, "reads any values", func(k *Call) values.Operand {
			for i := first; i < len(k.Args); i++ {
				o := k.pointee(i)
				if bits := k.Types.Bits(k.Node, o.Type); bits > 8 {
					r := k.Build.Temp(bits)
					k.Build.Emit(code.Choose{Dst: r})
					k.storeTo(o, k.Build.Reg(r), code.Access{})
					continue
				}
				syntax.Failf(k.Node, "%s of strings and characters is not supported: read numbers", k.Name)
			}
			return k.anything()
		})
	}
	input("scanf", "format, ...")
	input("sscanf fscanf", "from, format, ...")
	all.add("getrandom", "to, size, flags", "sets memory to any values", func(k *Call) values.Operand {
		randomise(k)
		n := k.Build.Keep(k.as(1, k.Types.AST.SizeT))
		r := k.Build.Temp(k.Types.Bits(k.Node, k.Node.Type())) // fewer, or -1
		k.Build.Emit(code.Choose{Dst: r})
		k.Build.Emit(
			code.Assume{Cond: code.Not(ir.Slt.Of(ir.Resize(n, k.Build.Function.Regs[r].Bits), k.Build.Reg(r)))})
		k.Build.Emit(code.Assume{
			Cond: code.Not(ir.Slt.Of(k.Build.Reg(r), ir.Number(^uint64(0), k.Build.Function.Regs[r].Bits))),
		})
		return values.Of(k.Build.Reg(r), k.Node.Type())
	})
	all.add("getentropy", "to, size", "sets memory to any values, or fails", func(k *Call) values.Operand {
		randomise(k)
		return k.either(k.Types.AST.Int, func() ir.Expr { return ir.Number(0, 32) },
			func() ir.Expr { return ir.Number(failed, 32) })
	})
	all.add("__VERIFIER_nondet_memory", "to, size", "sets memory to any values", func(k *Call) values.Operand {
		randomise(k)
		return k.nothing()
	})
	all.add("gettimeofday", "time, zone", "sets *time to any time",
		func(k *Call) values.Operand { return anyTime(k, 0) })
	all.add("clock_gettime", "clock, time", "sets *time to any time",
		func(k *Call) values.Operand { return anyTime(k, 1) })
	all.add("timespec_get", "time, base", "sets *time to any time", func(k *Call) values.Operand {
		anyTime(k, 0)
		return values.Of(k.as(1, k.Types.AST.Int), k.Types.AST.Int)
	})

	for _, f := range []struct{ suffix, abs string }{{"", ""}, {"l", "l"}, {"ll", "ll"}} {
		// The type is that of the whole family: int, long, long long.
		type1 := func(k *Call) cc.Type {
			switch f.suffix {
			case "l":
				return k.Types.AST.Long
			case "ll":
				return k.Types.AST.LongLong
			}
			return k.Types.AST.Int
		}
		bits := func(name, help string, do func(x ir.Expr) ir.Expr) {
			all.add(name, "n", help,
				func(k *Call) values.Operand { return values.Of(do(k.Build.Keep(k.as(0, type1(k)))), k.Types.AST.Int) })
		}
		zeros := func(name, help string, do func(x ir.Expr) ir.Expr) {
			all.add(name, "n", help+"; undefined for 0", func(k *Call) values.Operand {
				x := k.Build.Keep(k.as(0, type1(k)))
				k.Build.Emit(code.Assert{
					Cond: code.Nonzero(x), Property: ir.Undefined,
					Text: "the argument of " + k.Name + " is 0, for which its result is undefined",
				})
				return values.Of(do(x), k.Types.AST.Int)
			})
		}
		zeros("__builtin_ctz"+f.suffix, "counts the zero bits below the lowest 1", trailing)
		zeros("__builtin_clz"+f.suffix, "counts the zero bits above the highest 1", leading)
		bits("__builtin_popcount"+f.suffix, "counts the 1 bits", ones)
		bits("__builtin_parity"+f.suffix, "returns whether the number of 1 bits is odd",
			func(x ir.Expr) ir.Expr { return ir.BitAnd.Of(ones(x), ir.Number(1, 32)) })
		for _, name := range []string{"ffs", "__builtin_ffs"} {
			bits(name+f.suffix, "returns the position of the lowest 1 bit, from 1, or 0", func(x ir.Expr) ir.Expr {
				return ir.Cond{
					If: code.Nonzero(x), Then: ir.Add.Of(trailing(x), ir.Number(1, 32)),
					Else: ir.Number(0, 32),
				}
			})
		}
		all.add(f.abs+"abs __builtin_"+f.abs+"abs", "n", "returns the absolute value of n",
			func(k *Call) values.Operand {
				x := k.Build.Keep(k.as(0, type1(k)))
				if k.Values.Overflow {
					least := ir.Number(1<<(x.Width()-1), x.Width())
					k.Build.Emit(code.Assert{
						Cond: code.Not(ir.Eq.Of(x, least)), Property: ir.Overflow,
						Text: syntax.SourceOf(k.Node) + " overflows: the argument is the smallest number of its type " +
							"(C17, 7.22.6.1p2)",
					})
				}
				negative := ir.Slt.Of(x, ir.Number(0, x.Width()))
				return values.Of(ir.Cond{If: negative, Then: ir.Neg.Of(x), Else: x}, type1(k))
			})
	}
	for name, bytes := range map[string]int{"__builtin_bswap16": 2, "__builtin_bswap32": 4, "__builtin_bswap64": 8} {
		all.add(name, "n", "reverses the bytes", func(k *Call) values.Operand {
			return values.Of(turned(k.Build.Keep(code.Widen(k.Args[0].X, 8*bytes, false))), k.Node.Type())
		})
	}
}

// turned reverses the bytes of x.
func turned(x ir.Expr) ir.Expr {
	w := x.Width()
	if w == 8 {
		return x
	}
	var sum ir.Expr = ir.Number(0, w)
	for i := 0; i < w; i += 8 {
		b := ir.BitAnd.Of(ir.Shr.Of(x, ir.Number(uint64(i), w)), ir.Number(255, w))
		sum = ir.BitOr.Of(sum, ir.Shl.Of(b, ir.Number(uint64(w-8-i), w)))
	}
	return sum
}

// randomise sets the memory that argument 0 points to, as many bytes as argument 1 says, to any values.
func randomise(k *Call) {
	to, t := k.Build.Keep(k.address(0)), elementType(k, 0)
	eachElement(k, t, 1, func(t cc.Type, offset ir.Expr) {
		for _, s := range k.Types.Whole(k.Node, t) {
			r := k.Build.Temp(k.Types.Bits(k.Node, s.Type))
			k.Build.Emit(code.Choose{Dst: r})
			k.storeTo(values.At(
				s.Type, code.Fold(ir.Add, to, code.Fold(ir.Add, offset, ir.Number(uint64(s.Offset), k.Types.Pointer))),
			), k.Build.Reg(r), code.Access{})
		}
	})
}

// anyTime sets the structure that argument i points to to any time.
func anyTime(k *Call, i int) values.Operand {
	o := k.pointee(i)
	for _, s := range k.Types.Scalars(k.Node, o.Type) {
		r := k.Build.Temp(k.Types.Bits(k.Node, s.Type))
		k.Build.Emit(code.Choose{Dst: r})
		k.storeTo(values.At(s.Type, k.Memory.Offset(o.Addr, s.Offset)), k.Build.Reg(r), code.Access{})
	}
	return k.success()
}

// trailing counts the zero bits below the lowest 1; for 0, it is the width.
func trailing(x ir.Expr) ir.Expr {
	var n ir.Expr = ir.Number(uint64(x.Width()), 32)
	for i := x.Width() - 1; i >= 0; i-- {
		n = ir.Cond{If: ir.Bit(x, i), Then: ir.Number(uint64(i), 32), Else: n}
	}
	return n
}

// leading counts the zero bits above the highest 1; for 0, it is the width.
func leading(x ir.Expr) ir.Expr {
	var n ir.Expr = ir.Number(uint64(x.Width()), 32)
	for i := range x.Width() {
		n = ir.Cond{If: ir.Bit(x, i), Then: ir.Number(uint64(x.Width()-1-i), 32), Else: n}
	}
	return n
}

// ones counts the 1 bits.
func ones(x ir.Expr) ir.Expr {
	var n ir.Expr = ir.Number(0, 32)
	for i := range x.Width() {
		n = ir.Add.Of(n, code.Widen(ir.Bit(x, i), 32, false))
	}
	return n
}

// conversion matches a conversion of a format. Its width and precision may be arguments, too.
var conversion = litmus.Pattern(`%[-+ #0']*(\*|\d*)(?:\.(\*|-?\d*))?(?:hh?|ll?|[jztLq])?(.)`)

// readPrinted reads the strings that a call prints, which other threads may write. format is the index of the format.
func readPrinted(k *Call, format int) values.Operand {
	if _, ok := syntax.Arguments(k.Node)[format].Value().(cc.StringValue); !ok {
		return k.success()
	}
	next := format + 1
	for _, c := range conversion().FindAllStringSubmatch(k.text(format), -1) {
		if c[1] == "*" {
			next++
		}
		var most ir.Expr
		switch precision := c[2]; {
		case precision == "*" && next < len(k.Args):
			given := k.Build.Keep(code.Widen(k.as(next, k.Types.AST.Int), k.Types.Pointer, true))
			none := ir.Slt.Of(given, ir.Number(0, k.Types.Pointer))
			most = k.Build.Keep(ir.Cond{If: none, Then: ir.Number(^uint64(0), k.Types.Pointer), Else: given})
			next++
		case precision != "" || strings.Contains(c[0], "."):
			n, _ := strconv.ParseInt(precision, 10, 32) // without digits it is 0; a negative one counts as no precision
			most = ir.Number(uint64(n), k.Types.Pointer)
		}
		if c[3] == "s" && next < len(k.Args) && k.Raw[next].Type.Kind() == cc.Ptr {
			readText(k, next, most)
		}
		if c[3] != "%" {
			next++
		}
	}
	return k.success()
}
