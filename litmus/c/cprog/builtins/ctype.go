package builtins

import (
	"litmuscope/litmus/ir"

	"litmuscope/litmus/c/cprog/values"
)

// addCharacters enters the functions of <ctype.h>, in the locale "C" with ASCII.
func (all byName) addCharacters() {
	within := func(c ir.Expr, ranges ...[2]rune) ir.Expr {
		var in ir.Expr = ir.Number(0, 1)
		for _, r := range ranges {
			from := ir.Sub.Of(c, ir.Number(uint64(r[0]), 32))
			in = ir.BitOr.Of(in, ir.Ult.Of(from, ir.Number(uint64(r[1]-r[0]+1), 32)))
		}
		return in
	}
	lower, upper, digit := [2]rune{'a', 'z'}, [2]rune{'A', 'Z'}, [2]rune{'0', '9'}
	for name, of := range map[string]struct {
		what   string
		ranges [][2]rune
	}{
		"isalnum": {"a letter or digit", [][2]rune{lower, upper, digit}},
		"isalpha": {"a letter", [][2]rune{lower, upper}},
		"isblank": {"a space or tab", [][2]rune{{' ', ' '}, {'\t', '\t'}}},
		"iscntrl": {"a control character", [][2]rune{{0, 31}, {127, 127}}},
		"isdigit": {"a digit", [][2]rune{digit}},
		"isgraph": {"a printable character except space", [][2]rune{{'!', '~'}}},
		"islower": {"a lower-case letter", [][2]rune{lower}},
		"isprint": {"a printable character", [][2]rune{{' ', '~'}}},
		"ispunct": {
			"a printable character except space, letters and digits",
			[][2]rune{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}},
		},
		"isspace":  {"white space", [][2]rune{{' ', ' '}, {'\t', '\r'}}},
		"isupper":  {"an upper-case letter", [][2]rune{upper}},
		"isxdigit": {"a hexadecimal digit", [][2]rune{digit, {'a', 'f'}, {'A', 'F'}}},
	} {
		all.add(name, "c", "returns whether a character is "+of.what, func(k *Call) values.Operand {
			return k.Values.Boolean(within(k.Build.Keep(k.as(0, k.Types.AST.Int)), of.ranges...))
		})
	}
	for name, of := range map[string]struct {
		what string
		from [2]rune
	}{"toupper": {"the capital of a small letter", lower}, "tolower": {"the small letter of a capital", upper}} {
		all.add(name, "c", "gives "+of.what+", and all else as it is", func(k *Call) values.Operand {
			c := k.Build.Keep(k.as(0, k.Types.AST.Int))
			return values.Of(ir.Cond{If: within(c, of.from), Then: ir.BitXor.Of(c, ir.Number(0x20, 32)), Else: c},
				k.Types.AST.Int)
		})
	}
}
