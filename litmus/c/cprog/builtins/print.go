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

// addPrint enters the functions that print into a string by a constant format.
func (all byName) addPrint() {
	all.add("snprintf __builtin_snprintf", "to, room, format, ...",
		"prints at most room bytes into a string", func(k *Call) values.Operand {
			return printInto(k, k.Build.Keep(k.as(1, k.Types.AST.SizeT)), 2)
		})
	all.add("sprintf __builtin_sprintf", "to, format, ...", "prints into a string", func(k *Call) values.Operand {
		return printInto(k, ir.Number(ir.Mask(k.Types.Pointer), k.Types.Pointer), 1)
	})
	for _, name := range strings.Fields("snprintf __builtin_snprintf sprintf __builtin_sprintf") {
		all[name].library = true
	}
}

// specification matches a conversion of a format: flags, width, precision, length and conversion.
var specification = litmus.Pattern(`%([-+ #0']*)(\*|\d*)(?:(\.)(\*|-?\d*))?(hh?|ll?|[jztLq])?(.)`)

// flagsOf has the numbers of a conversion's flags in the library.
var flagsOf = map[rune]uint64{'-': 1, '+': 2, ' ': 4, '#': 8, '0': 16}

const (
	upperFlag    = 32
	negativeFlag = 64
)

// printInto prints into the string that argument 0 points to, with the format that is argument format. It calls a
// library function for each part of the format.
func printInto(k *Call, room ir.Expr, format int) values.Operand {
	if _, ok := syntax.Arguments(k.Node)[format].Value().(cc.StringValue); !ok {
		syntax.Failf(k.Node, "%s with a format that is not constant is not supported: use a string literal",
			k.Name)
	}
	to, at := k.Build.Keep(k.address(0)), ir.Expr(ir.Number(0, k.Types.Pointer))
	text := k.text(format)
	literal := func(s string) {
		for i := range len(s) {
			at = k.Caller.CallLibrary(InLibrary+"put", to, room, at, ir.Number(uint64(s[i]), 8)).X
		}
	}
	next, last := format+1, 0
	argument := func(t cc.Type) ir.Expr {
		if next >= len(k.Args) {
			syntax.Failf(k.Node, "the format of %s has more conversions than the call has arguments", k.Name)
		}
		next++
		return k.as(next-1, t)
	}
	for _, m := range specification().FindAllStringSubmatchIndex(text, -1) {
		part := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		literal(text[last:m[0]])
		last = m[1]
		flags := uint64(0)
		for _, f := range part(1) {
			flags |= flagsOf[f]
		}
		number := func(s string, otherwise int64) ir.Expr {
			if s == "*" {
				return k.Build.Keep(argument(k.Types.AST.Int))
			}
			if n, err := strconv.ParseInt(s, 10, 32); err == nil {
				otherwise = n
			}
			return ir.Number(uint64(otherwise), 32)
		}
		width := number(part(2), 0)
		precision := ir.Expr(ir.Number(failed, 32))
		if part(3) != "" {
			precision = number(part(4), 0)
		}
		switch c := part(6); c {
		case "%":
			literal("%")
		case "d", "i", "u", "x", "X", "o":
			at = putNumber(k, to, room, at, lengthenedArgument(k, part(5), c, argument), c, flags, width, precision)
		case "p":
			at = putNumber(k, to, room, at, code.Widen(argument(k.Types.AST.PVoid), 64, false), "x",
				flags|flagsOf['#'], width,
				precision)
		case "c":
			c := k.Build.Keep(argument(k.Types.AST.Char))
			blanks := code.Fold(ir.Sub, width, ir.Number(1, 32))
			at = k.Caller.CallLibrary(InLibrary+"put_char", to, room, at, c, ir.Number(flags, 32), blanks).X
		case "s":
			at = k.Caller.CallLibrary(InLibrary+"put_text", to, room, at, argument(k.Types.AST.PVoid),
				ir.Number(flags, 32),
				width, precision).X
		default:
			syntax.Failf(k.Node, "%%%s in %s is not supported: want d, i, u, x, X, o, c, s or p", c, k.Name)
		}
	}
	literal(text[last:])
	return k.answer(k.Caller.CallLibrary(InLibrary+"put_end", to, room, at).X, k.Types.AST.Int)
}

// lengthenedArgument returns an integer argument of the type that a conversion's length says, extended to long long.
func lengthenedArgument(k *Call, length, conversion string, argument func(cc.Type) ir.Expr) ir.Expr {
	isSigned := conversion == "d" || conversion == "i"
	t := map[string]cc.Type{
		"": k.Types.AST.Int, "h": k.Types.AST.Short, "hh": k.Types.AST.SChar, "l": k.Types.AST.Long,
		"ll": k.Types.AST.LongLong, "q": k.Types.AST.LongLong,
		"j": k.Types.AST.LongLong, "z": k.Types.AST.Long, "t": k.Types.AST.Long,
	}[length]
	if t == nil {
		syntax.Failf(k.Node, "%%%s%s in %s is not supported: use a length of an integer type, such as l or z", length,
			conversion, k.Name)
	}
	return k.Build.Keep(code.Widen(argument(t), 64, isSigned))
}

// putNumber prints an integer.
func putNumber(k *Call, to, room, at, n ir.Expr, conversion string, flags uint64, width, precision ir.Expr) ir.Expr {
	base := uint64(10)
	all := ir.Expr(ir.Number(flags, 32))
	switch conversion {
	case "d", "i":
		negative := k.Build.Keep(code.Fold(ir.Slt, n, ir.Number(0, 64)))
		n = k.Build.Keep(ir.Cond{If: negative, Then: ir.Neg.Of(n), Else: n})
		all = k.Build.Keep(ir.Cond{If: negative, Then: ir.Number(flags|negativeFlag, 32), Else: all})
	case "x", "X":
		base = 16
		if conversion == "X" {
			all = ir.Number(flags|upperFlag, 32)
		}
	case "o":
		base = 8
	}
	if conversion != "d" && conversion != "i" {
		all = ir.Number(all.(ir.Const).Value&^(flagsOf['+']|flagsOf[' ']), 32)
	}
	return k.Caller.CallLibrary(InLibrary+"put_number", to, room, at, n, ir.Number(base, 32), all, width, precision).X
}
