package cycle

import (
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
)

// ringOfSix has six threads in a ring, of which two only read: no cycle passes all of them.
const ringOfSix = `X86 ring
{}
 P0          | P1          | P2          | P3          | P4          | P5          ;
 MOV [a],$1  | MOV EAX,[a] | MOV [b],$1  | MOV [c],$1  | MOV [d],$1  | MOV [e],$1  ;
             | MOV EBX,[b] | MOV EAX,[c] | MOV EAX,[d] | MOV EAX,[e] | MOV EAX,[a] ;
             | MOV ECX,[e] |             |             |             |             ;
exists (1:EAX=1 /\ 1:EBX=0 /\ 2:EAX=0 /\ 3:EAX=0 /\ 4:EAX=0 /\ 5:EAX=0)`

func TestIsOf(t *testing.T) {
	mp := func(fence, load string) string {
		return "AArch64 mine\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 ;\n MOV W0,#1 | " + load +
			" W0,[X1] ;\n STR W0,[X1] | LDR W2,[X3] ;\n " +
			fence + " | ;\n MOV W2,#1 | ;\n STR W2,[X3] | ;\nexists (1:X0=1 /\\ 1:X2=0)"
	}
	sb := func(left, right, condition string) string {
		return "X86 mine\n{}\n P0 | P1 ;\n " + left + " | MOV [y],$1 ;\n " + right + " | MOV EAX,[x] ;\n" + condition
	}
	compared := func(call, failed string) string {
		return "C mine\n{}\nP0(int *x, atomic_int *y) { *x = 1; atomic_store_explicit(y, 1, memory_order_release); " +
			"}\n" +
			"P1(int *x, atomic_int *y) { int old = 1; int won = atomic_compare_exchange_" + call +
			"_explicit(y, &old, 2, memory_order_acq_rel, memory_order_" + failed + "); int r = *x; }\n" +
			`exists (y=2 /\ 1:won=1 /\ 1:r=0)`
	}
	for _, test := range []struct {
		what, source string
		is           bool
	}{
		{"MP+ponarel+cmp.exchacqrel-porelna", compared("strong", "acquire"), true},
		{"another order where the exchange fails", compared("strong", "relaxed"), false},
		{"an exchange that may fail for no reason", compared("weak", "acquire"), false},
		{"MP+dmb.sy+poap", mp("DMB SY", "LDAR"), true},
		{"MP+dmb.ishst+poap", mp("DMB ISHST", "LDAR"), true},
		{"MP+dmb.ish+poap", mp("DMB ISH", "LDAR"), true},
		{"MP+po+poap", mp("NOP", "LDAR"), true},
		{"two fences in a row", mp("DMB ST | ;\n DMB LD", "LDAR"), false},
		{"SB", sb("MOV [x],$1", "MOV EAX,[y]", `exists (0:EAX=0 /\ 1:EAX=0)`), true},
		{"other values", sb("MOV [x],$7", "MOV EAX,[y]", `exists (0:EAX=0 /\ 1:EAX=0)`), true},
		{
			"the value from a register",
			sb("MOV EBX,$1 | ;\n MOV [x],EBX", "MOV EAX,[y]", `exists (0:EAX=0 /\ 1:EAX=0)`),
			true,
		},
		{"what violates a forall", sb("MOV [x],$1", "MOV EAX,[y]", `forall (0:EAX=1 \/ 1:EAX=1)`), true},
		{
			"what is always so is asked, too", sb("MOV [x],$1", "MOV EAX,[y]", `exists (0:EAX=0 /\ 1:EAX=0 /\ x=1)`),
			true,
		},
		{"more outcomes are asked for", sb("MOV [x],$1", "MOV EAX,[y]", `exists (0:EAX=0 /\ 1:EAX=0 \/ x=2)`), true},
		{"any outcome is asked for", sb("MOV [x],$1", "MOV EAX,[y]", `exists (0:EAX=0)`), false},
		{"one more read", sb("MOV [x],$1", "MOV EAX,[y] | ;\n MOV EBX,[y]", `exists (0:EAX=0 /\ 1:EAX=0)`), false},
		{
			"an exchange for a write",
			sb("MOV EBX,$1 | ;\n XCHG [x],EBX", "MOV EAX,[y]", `exists (0:EAX=0 /\ 1:EAX=0)`),
			false,
		},
		{
			"a loop",
			sb("MOV [x],$1 | ;\n L:", "MOV EAX,[y] | ;\n CMP EAX,$0 | ;\n JNE L", `exists (0:EAX=0 /\ 1:EAX=0)`),
			false,
		},
		{"a ring of six", ringOfSix, false},
	} {
		parsed, err := litmus.Parse(test.what, test.source)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Of(parsed)
		if strings.HasPrefix(test.what, "MP+") && c.Name() != test.what {
			t.Errorf("%s is called %s", test.what, c.Name())
		}
		if err == nil && c.IsOf(parsed) != test.is || err != nil && test.is {
			t.Errorf("%s: %v %s: want %t\n%s", test.what, err, c, test.is, test.source)
		}
	}
}

// Every barrier and every atomic instruction that a dialect has words for comes back from a test of it.
func TestEveryWordReturns(t *testing.T) {
	for _, v := range vocabularies() {
		words := []string{}
		for _, f := range v.Fences {
			words = append(words, "PodWW Rfe "+f.Name+"dRR Fre", f.Name+"dWR Fre PodWR Fre")
		}
		for _, a := range v.Atomics {
			words = append(words, "PodWW Rfe "+a.Name+" PodWR Fre", a.Name+" PodWW Rfe "+a.Name+" PodWW Rfe")
		}
		for _, text := range words {
			c, err := ParseCycle(v.arch, text)
			if err != nil {
				if !strings.Contains(err.Error(), "mark") {
					t.Errorf("%s %s: %v", v.arch, text, err)
				}
				continue
			}
			source, err := Generate(v.arch, c, "")
			if err != nil {
				t.Errorf("%s %s: %v", v.arch, text, err)
				continue
			}
			parsed, err := litmus.Parse("test", source)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Of(parsed); err != nil || !got.IsOf(parsed) {
				t.Errorf("%s %s: got %s, %v\n%s", v.arch, text, got, err, source)
			}
		}
	}
}

// The protocols of the catalogue are not the tests of the cycles in them.
func TestClassicsAreOfTheirCycles(t *testing.T) {
	for _, e := range catalogue.All() {
		parsed, err := litmus.Parse(e.Name, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := Of(parsed); err == nil && e.Cycle == "" && c.IsOf(parsed) {
			t.Errorf("%s (%s) is taken for %s", e.Name, e.Arch, c.Name())
		}
	}
}
