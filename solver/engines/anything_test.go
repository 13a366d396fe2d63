package engines_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
)

// drawAnything draws a program that looks at numbers that may be anything.
func drawAnything(r *rapid.T) string {
	number := func() int { return rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8, 100, -1, -7}).Draw(r, "number") }
	small := func() int { return rapid.IntRange(1, 9).Draw(r, "small") }
	var step func(depth int) string
	step = func(depth int) string {
		kinds := 18
		if depth == 0 {
			kinds = 15
		}
		switch rapid.IntRange(0, kinds).Draw(r, "step") {
		case 0:
			return fmt.Sprintf("a = __VERIFIER_nondet_%s();",
				rapid.SampledFrom([]string{"int", "short", "char", "bool", "uint"}).Draw(r, "type"))
		case 1:
			return "u = a;"
		case 2:
			return fmt.Sprintf("u ^= u %s %d;", rapid.SampledFrom([]string{"<<", ">>"}).Draw(r, "shift"), small())
		case 3:
			return fmt.Sprintf("a %s= %d;",
				rapid.SampledFrom([]string{"+", "-", "^", "|", "&", "*"}).Draw(r, "operator"), number())
		case 4:
			return fmt.Sprintf("u %s= %d;", rapid.SampledFrom([]string{"%", "/"}).Draw(r, "division"), small())
		case 5:
			return "if (a < 0) a = -a;"
		case 6:
			return fmt.Sprintf("b = get(a, %d);", number())
		case 7:
			return "t[1] = a;"
		case 8:
			return "a = t[1];"
		case 9:
			return fmt.Sprintf("*((unsigned char *)t + %d) = u & 3;", rapid.IntRange(2, 8).Draw(r, "byte"))
		case 10:
			return fmt.Sprintf("atomic_store_explicit(&x, %s, memory_order_relaxed);",
				rapid.SampledFrom([]string{"u & 3", "b", "a == 1", "a"}).Draw(r, "stored"))
		case 11:
			return fmt.Sprintf("__VERIFIER_assume(%s);",
				rapid.SampledFrom([]string{"a > 2", "u < 4", "(u & 5) == 1", "a != b"}).Draw(r, "assumed"))
		case 12:
			return fmt.Sprintf("assert(%s);",
				rapid.SampledFrom(
					[]string{"a != 77", "(u & 7) != 5 || b", "u >= 2 || a < 5", "a == t[1] || a != 3"}).Draw(r,
					"asserted"))
		case 13:
			return "b = u & 3;"
		case 14:
			return "local = a;"
		case 15:
			return "u = local;"
		case 16:
			return "if (" + rapid.SampledFrom([]string{"a < 3", "u & 0x81", "a == b", "u > 7"}).Draw(r, "condition") +
				") { " + step(depth-1) + " } else { " + step(depth-1) + " }"
		case 17:
			return "for (int i = 0; i < 2; i++) { " + step(depth-1) + " }"
		default:
			return "do { " + step(depth-1) + " u >>= 1; } while (u & " + fmt.Sprint(small()) + ");"
		}
	}
	steps := func(most int) string {
		var out []string
		for range rapid.IntRange(1, most).Draw(r, "steps") {
			out = append(out, step(2))
		}
		return strings.Join(out, "\n\t")
	}
	head := `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void); short __VERIFIER_nondet_short(void); char __VERIFIER_nondet_char(void); _Bool __VERIFIER_nondet_bool(void); unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
atomic_int x, y;
_Thread_local int local;
int get(short v, int than) { return v < than ? 2 : v & 1; }
void *f(void *q) {
	int a = 1, b = 0, t[3] = {0}; unsigned u = 6;
	if (atomic_load_explicit(&x, memory_order_relaxed) == 2) atomic_store_explicit(&y, 1, memory_order_relaxed);
`
	text := head + "\t" + steps(2) + "\n\treturn 0;\n}\nint main(void) {\n\tpthread_t p;\n" +
		"\tint a = __VERIFIER_nondet_int(), b = 1, t[3] = {0}; unsigned u = a;\n\t"
	return text + steps(4) + "\n\tpthread_create(&p, 0, f, 0);\n\t" + steps(3) +
		"\n\tassert(atomic_load_explicit(&y, memory_order_relaxed) == 0);\n\treturn 0;\n}\n"
}

// Programs with numbers that may be anything, which the formula has as they are. Of loops that end for some of them,
// and not for others, it alone finds the latter: they are cut.
func TestEnginesAgreeOnRandomNumbers(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.text = drawAnything(r)
		c.draw(r, []ir.Property{ir.Assertion}, []ir.Property{ir.Assertion}, []ir.Property{ir.Overflow})
		c.model = rapid.SampledFrom([]string{"sc", "tso", "rc11", "imm"}).Draw(r, "model")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}
