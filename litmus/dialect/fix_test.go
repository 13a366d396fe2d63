package dialect_test

import (
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
)

// The suggested fix of an error mends it: read again, the text has one error less, and the others as they were.
func TestFixes(t *testing.T) {
	const (
		mp = "AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0          | P1          ;\n" +
			" MOV W0,#1   | LDR W0,[X1] ;\n STR W0,[X1] | LDR W2,[X3] ;\n STR W0,[X3] |             ;\n" +
			"exists (1:X0=1 /\\ 1:X2=0)\n"
		sb = "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
			"exists (0:EAX=0 /\\ 1:EAX=0)\n"
		inC = "C SB\n{ }\nP0 (atomic_int* x) {\n  atomic_store_explicit(x,1,memory_order_relaxed);\n" +
			"  int r0 = atomic_load(x);\n}\nexists (0:r0=0)\n"
	)
	for _, test := range []struct{ name, of, is, wrong, fix string }{
		{"mnemonic", mp, "LDR W0", "LDARR W0", "Replace LDARR by LDAR"},
		{"mnemonic in small letters", mp, "LDR W0", "ldarr W0", "Replace ldarr by ldar"},
		{"mnemonic of x86", sb, "MOV [x]", "MOVE [x]", "Replace MOVE by MOV"},
		{"register", mp, "MOV W0", "MOV WO", "Replace WO by W0"},
		{"register of an address", mp, "LDR W0,[X1]", "LDR W0,[XY1]", "Replace XY1 by X1"},
		{"register of a condition", sb, "1:EAX", "1:EAXX", "Replace EAXX by EAX"},
		{"initial value", mp, " 1:X3=x;", "", "Add 1:X3=x;"},
		{"initial values, all of them", mp, "{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }", "{}", "Add 1:X1=x;"},
		{"end of a row", mp, "LDR W2,[X3] ;", "LDR W2,[X3]", "Add ;"},
		{"end of the last row", sb, "MOV EAX,[x] ;", "MOV EAX,[x]", "Add ;"},
		{"word of the condition", sb, "exists", "exist", "Replace exist by exists"},
		{"word of the condition in C", inC, "exists", "exsits", "Replace exsits by exists"},
		{"no word of the condition", sb, "exists (", "(", "Add exists"},
		{"no word of the condition in C", inC, "exists (", "(", "Add exists"},
		{"semicolon in C", inC, "relaxed);", "relaxed)", "Add ;"},
		{
			"memory order", inC, "memory_order_relaxed", "memory_order_relaxd",
			"Replace memory_order_relaxd by memory_order_relaxed",
		},
		{"function", inC, "atomic_load(", "atomic_laod(", "Replace atomic_laod by atomic_load"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if errs := dialect.Errors("t", test.of); len(errs) > 0 {
				t.Fatalf("the text is wrong from the first: %v", errs)
			}
			text := strings.Replace(test.of, test.is, test.wrong, 1)
			if text == test.of {
				t.Fatalf("%q is not in the text", test.is)
			}
			for errs, n := dialect.Errors("t", text), 0; ; n++ {
				if len(errs) == 0 || errs[0].Fix == (litmus.Fix{}) {
					t.Fatalf("nothing is offered for %v", errs)
				}
				if got := errs[0].Fix.String(); n == 0 && got != test.fix {
					t.Errorf("offered is %q, want %q", got, test.fix)
				}
				mended, ok := errs[0].Fix.Apply(text)
				left := dialect.Errors("t", mended)
				if !ok || len(left) >= len(errs) {
					t.Fatalf("%v\nis not mended by %q:\n%s\n%v", errs[0], errs[0].Fix, mended, left)
				}
				if text, errs = mended, left; len(errs) == 0 {
					return
				}
			}
		})
	}
}

// A fix whose old text has changed does nothing.
func TestFixOfAnotherText(t *testing.T) {
	f := litmus.Fix{Pos: litmus.Pos{Line: 2, Col: 3}, Was: "LDARR", Text: "LDAR"}
	for text, want := range map[string]bool{
		"a\n  LDARR W0\n": true, "a\n LDARR W0\n": false, "a\n": false,
		"LDARR": false, "": false,
	} {
		if got, ok := f.Apply(text); ok != want || (got != text) != want {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}
