package dialect_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
)

// hostile is a test of 250 KB, most of it one thing many times over.
func hostile(front, part, back string) string {
	return front + strings.Repeat(part, (250<<10-len(front)-len(back))/len(part)) + back
}

func numbered(front, part, back string) string {
	var b strings.Builder
	b.WriteString(front)
	for i := 0; b.Len() < 250<<10; i++ {
		fmt.Fprintf(&b, part, i)
	}
	return b.String() + back
}

// side writes rows of threads side by side, each with the same text.
func side(threads, rows int, text func(row int) string) string {
	var b strings.Builder
	for t := range threads {
		fmt.Fprintf(&b, "%sP%d", "|"[:min(t, 1)], t)
	}
	for row := range rows {
		b.WriteString(";\n")
		for t := range threads {
			b.WriteString("|"[:min(t, 1)] + text(row))
		}
	}
	return b.String() + ";\n"
}

func letters(i int) string {
	return string([]byte{byte('a' + i%26), byte('a' + i/26%26), byte('a' + i/676%26)})
}

// The parser rejects texts designed to take much time or memory at their place, or parses them with little work. The
// page's printer also prints those that parse.
func TestHostileTests(t *testing.T) {
	const (
		one   = "X86 T\n{}\nP0;\nMOV [x],$1;\n"
		two   = "AArch64 T\n{}\nP0;\nNOP;\n"
		asks  = "exists (x=1)\n"
		named = "test:%d:%d: the name \"%s…\" has %d bytes: want at most 256"
	)
	long := func(line, col int, letter string, bytes int) string {
		return fmt.Sprintf(named, line, col, strings.Repeat(letter, 60), bytes)
	}
	row := side(1000, 1, func(int) string { return "MOV [" + strings.Repeat("x", 50) + "],$1" })
	for name, c := range map[string]struct{ test, want string }{
		"megabytes": {
			hostile(one, "x", asks) + strings.Repeat("\nfoo", 10<<18),
			"test:1:1: the test is longer than 1024 KiB",
		},
		"name": {
			"X86 " + strings.Repeat("n", 400<<10) + "\n{}\nP0;\nNOP;\n" + asks,
			long(1, 5, "n", 400<<10),
		},
		"architecture": {strings.Repeat("X", 9999) + " T\n{}\nP0;\nNOP;\n" + asks, long(1, 1, "X", 9999)},
		"location": {
			"X86 T\n{}\nP0;\nMOV [" + strings.Repeat("y", 999) + "],$1;\n" + asks,
			long(4, 6, "y", 999),
		},
		"asked location":  {one + "exists (" + strings.Repeat("y", 999) + "=1)", long(5, 9, "y", 999)},
		"listed location": {one + "locations [" + strings.Repeat("y", 999) + "]", long(5, 12, "y", 999)},
		"init location":   {"X86 T\n{ " + strings.Repeat("y", 999) + "=1; }\nP0;\nNOP;\n" + asks, long(2, 3, "y", 999)},
		"register": {
			"AArch64 T\n{ 0:%" + strings.Repeat("y", 999) + "=1; }\nP0;\nNOP;\n" + asks,
			long(2, 6, "y", 999),
		},
		"used register": {
			"AArch64 T\n{}\nP0;\nMOV %" + strings.Repeat("y", 999) + ",#1;\n" + asks,
			long(4, 6, "y", 999),
		},
		"label":        {"X86 T\n{}\nP0;\n" + strings.Repeat("y", 999) + ":NOP;\n" + asks, long(4, 1, "y", 999)},
		"label behind": {"X86 T\n{}\nP0;\na: " + strings.Repeat("y", 999) + ":NOP;\n" + asks, long(4, 4, "y", 999)},
		"thread name": {
			"X86 T\n{}\nP" + strings.Repeat("1", 999) + ";\nNOP;\n" + asks,
			`has 1000 bytes: want at most 256`,
		},
		"instruction": {hostile("X86 T\n{}\nP0;\n", "MOV ", ";\n"+asks), `test:4:1: the instruction "MOV MOV `},
		"operands":    {hostile("X86 T\n{}\nP0;\nMOV ", "1,", "1;\n"+asks), "bytes: want at most 4096"},
		"bytes":       {hostile("X86 T\n{}\nP0;\n", "\xff\xfe", ";\n"+asks), "bytes: want at most 4096"},
		"threads":     {numbered("X86 T\n{}\nP0", "|P1%d", ";\n"+asks), "row has more than 1024 columns"},
		"thread numbers": {
			"X86 T\n{}\nP0|P1024;\nNOP|NOP;\n" + asks,
			`test:3:4: got "P1024", want a thread name such as P1`,
		},
		"columns": {
			hostile("X86 T\n{}\nP0;\n", "|", ";\n"+asks),
			"test:4:1025: row has more than 1024 columns",
		},
		"rows": {
			hostile("X86 T\n{}\nP0;\n", "NOP;", asks),
			"test:4:16385: thread P0 has more than 4096 instructions",
		},
		"empty rows": {hostile("X86 T\n{}\nP0;\n", ";", asks), ""},
		"a thousand": {"X86 T\n{}\n" + row + strings.Repeat("MOV [x],$1;\n", 60) + asks, ""},
		"grid": {
			"X86 T\n{}\n" + row + strings.Repeat("NOP;\n", 4000) + asks,
			"test:69:1: 1000 threads, the longest of 66 instructions: want a product of at most 65536",
		},
		"parentheses":  {hostile(one+"exists ", "(", "x=1"), "test:5:4008: the proposition nests too deeply"},
		"negations":    {hostile(one+"exists ", "~", "x=1"), "test:5:4008: the proposition nests too deeply"},
		"not":          {hostile(one+"exists ", "not ", "x=1"), "the proposition nests too deeply"},
		"implications": {hostile(one+"exists x=1", " => x=1", ""), "the proposition nests too deeply"},
		"high": {
			one + "exists " + strings.Repeat("~", 1500) + "x=1",
			"test:5:7: the proposition nests more than 1000 deep",
		},
		"wide and deep": {one + "exists " + strings.Repeat(strings.Repeat("x=1/\\", 50)+"x=1=>", 990) + "x=1", ""},
		"wide in deep": {one + "exists " + strings.Repeat(`(x=1 \/ x=2 /\ `, 495) +
			strings.Repeat(`x=1 /\ `, 33_000) + "x=1" + strings.Repeat(")", 495), ""},
		"conjunction": {hostile(one+"exists x=1", `/\x=1`, ""), ""},
		"asked registers": {
			numbered(two+"exists (0:X0=1", `/\0:%%a%d=1`, ")"),
			"the test asks about more than 4096 registers and locations",
		},
		"listed": {
			numbered(two+"locations [x;", "0:%%a%d;", "]"),
			"the test asks about more than 4096 registers and locations",
		},
		"asked array": {hostile(one+"exists (x={1", ",1", "})"), "test:5:2060: an array has more than 1024 values"},
		"array": {
			hostile("X86 T\n{ x={1", ",1", "}; }\nP0;\nNOP;\n"+asks),
			"an array has more than 1024 values",
		},
		"locations": {
			numbered("X86 T\n{", "x%d=1;", "}\nP0;\nNOP;\n"+asks),
			"the test has more than 4096 memory locations",
		},
		"arrays": {
			numbered("X86 T\n{", "int a%d[1024];", "}\nP0;\nNOP;\n"+asks),
			"the test has more than 4096 memory locations",
		},
		"values": {numbered("X86 T\n{", "x=%d;", "}\nP0;\nNOP;\n"+asks), "more errors from here on"},
		"type": {
			hostile("X86 T\n{", "int ", "x; }\nP0;\nNOP;\n"+asks),
			"test:2:70: the type has more than 16 words and stars",
		},
		"pointers": {
			hostile("X86 T\n{int", "*", "x; }\nP0;\nNOP;\n"+asks),
			"test:2:21: the type has more than 16 words and stars",
		},
		"braces":          {hostile("X86 T\n\"doc\"\na", "{", "\n{}\nP0;\nNOP;\n"+asks), ""},
		"braces in a doc": {hostile("X86 T\n(* *)\n\"a", "{", "\"\n{}\nP0;\nNOP;\n"+asks), ""},
		"docs":            {hostile("X86 T\n(* *)\n", "\"a\"\n", "{}\nP0;\nNOP;\n"+asks), ""},
		"open docs":       {hostile("X86 T\n", `"`, "\n{}\nP0;\nNOP;\n"+asks), ""},
		"docs and braces": {"X86 T\n(* *)\n" + strings.Repeat("\"a\"\n", 20_000) + "a" + strings.Repeat("{", 170_000) +
			"\n{}\nP0;\nNOP;\n" + asks, ""},
		"docs and blanks": {"X86 T\n(* *)\n" + strings.Repeat("\"a\"\n", 25_000) + "{}\nP0;\nNOP;\n" + asks +
			strings.Repeat(" ", 150_000), ""},
		"comments": {
			hostile("X86 T\n{}", "(*", "\nP0;\nNOP;\n"+asks),
			"test:2:3: comment is not closed: want *)",
		},
		"errors": {
			hostile("X86 T\n{}\n"+side(100, 0, nil), strings.Repeat("FOO|", 99)+"FOO;", asks),
			"more errors from here on",
		},
		"chains": { // of registers, each set once, and accesses through the last
			"AArch64 T\n{0:%aaa=x;}\n" + side(16, 1400, func(row int) string {
				if row < 700 {
					return "MOV %" + letters(row+1) + ",%" + letters(row)
				}
				return "LDR W1,[%" + letters(700) + "]"
			}) + asks, "",
		},
		"C statements": {hostile("C T\n{}\nP0() {", "x;", "}"), "thread P0 has more than 4096 instructions"},
		"C statement":  {hostile("C T\n{}\nP0() {", "x ", ";}"), `test:3:7: the instruction "x x x `},
		"C name":       {"C T\n{}\nP0() {" + strings.Repeat("x", 999) + ";}", "bytes: want at most 256"},
		"C parameters": {numbered("C T\n{}\nP0(int a", ", int x%d", ") {}"), "P0 has more than 1024 parameters"},
		"C type":       {hostile("C T\n{}\nP0(int ", "*", "x) {}"), "the type has more than 16 words and stars"},
		"C atomic type": {
			hostile("C T\n{ _Atomic(int", "*", ") x; }\nP0() {}"),
			"the type has more than 16 words and stars",
		},
		"C atomic": {
			hostile("C T\n{ ", "_Atomic(", "x; }\nP0() {}"),
			`test:2:18: got "(", want * or ) after the type in _Atomic(...)`,
		},
		"C threads": {
			numbered("C T\n{}\n", "P%d(){}", ""),
			`got "P1024", want a thread such as P1024(int *x) { ... } or the condition`,
		},
		"C blocks":       {hostile("C T\n{}\nP0() ", "{", "}"), "the statements nest more than 1000 deep"},
		"C parentheses":  {hostile("C T\n{}\nP0() {", "(", ";}"), "the statements nest more than 1000 deep"},
		"C initializers": {hostile("C T\n{}\nP0() { int x = ", "{", "1;}"), "the statements nest more than 1000 deep"},
		"C values":       {hostile("C T\n{ x = ", "(", "1;}"), "test:2:4007: the value nests too deeply"},
		"C casts":        {hostile("C T\n{ x = ", "(int)", "1;}"), "the value nests too deeply"},
		"C macros":       {hostile("C T\n{ x = ", "ATOMIC_INIT(", "1;}"), "the value nests too deeply"},
		"C copies": {
			numbered("C T\n{ x0=1;", "x%d=*(&x0);", "}\nP0(){}"),
			"the test has more than 4096 memory locations",
		},
		"C comments":     {hostile("C T\n{}\n", "/**/", "P0(){}"), ""},
		"C line ends":    {hostile("C T\n{}\n", "//\n", "P0(){}"), ""},
		"C open comment": {hostile("C T\n{}\n", "/* ", "P0(){}"), "test:3:1: comment is not closed: want */"},
		"C in front":     {hostile("", "(* /* // */ *)", "C T\n{}\nP0(){}"), ""},
		"jumps":          {"X86 T\n{}\nP0;\n" + strings.Repeat("JE a;\n", 4000) + "a: NOP;\n" + asks, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			test, err := litmus.Parse("test", c.test)
			if err == nil {
				_, err = dialect.Lower(test)
			}
			if err == nil {
				litmus.Print(test)
			}
			runtime.ReadMemStats(&after)
			if got := fmt.Sprint(err); (err == nil) != (c.want == "") || !strings.Contains(got, c.want) && err != nil {
				t.Errorf("got %.400s\nwant %s", got, c.want)
			}
			if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 64 {
				t.Errorf("%d MiB allocated", mb)
			}
			if after.StackSys > 64<<20 {
				t.Errorf("the stack is %d MiB", after.StackSys>>20)
			}
		})
	}
}
