package litmus

import (
	"strings"
	"testing"
)

const hashedSB = `X86 SB
"Fre PodWR Fre PodWR"
Cycle=Fre PodWR Fre PodWR
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=0)
`

const hashedC = `C SB
{}
P0(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = *y - -1;
}
P1(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = *x;
}
exists (0:r0=1 /\ 1:r0=0)
`

// The hash ignores what a machine does not run, and nothing else.
func TestProgramHash(t *testing.T) {
	hash := func(source string) [32]byte {
		t.Helper()
		test, err := Parse("test", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		return ProgramHash(test)
	}
	for _, x := range []struct {
		source, from, to string
		same             bool
	}{
		{hashedSB, "X86 SB", "X86 other", true},
		{hashedSB, "\"Fre PodWR Fre PodWR\"\nCycle=Fre PodWR Fre PodWR\n", "", true},
		{hashedSB, "{ x=0; y=0; }", "{\n y = 0;\n x=0x0; (* zero *)\n}", true},
		{hashedSB, " MOV [x],$1  | MOV [y],$1  ;", "MOV  [x] , $1|MOV [ y ],$1; (* the stores *)", true},
		{hashedSB, "exists (0:EAX=0 /\\ 1:EAX=0)", "forall (1:EAX=7 \\/ ~(0:EAX=1))", true},
		{hashedSB, "exists", "locations [0:EAX;]\nexists", true},
		{hashedC, "int r0 = *x;", "int r0=*x ;", true},
		{hashedC, "  int r0 = *x;", "  // what the other has written\n  int r0 = *x;", true},

		{hashedSB, "X86 SB", "X86_64 SB", false},
		{hashedSB, "x=0;", "x=1;", false},
		{hashedSB, "MOV [x],$1 ", "MOV [x],$2 ", false},
		{hashedSB, " MOV EAX,[y] |", " MFENCE | ;\n MOV EAX,[y] |", false},
		{hashedSB, "exists", "locations [x;]\nexists", false},
		{hashedSB, "0:EAX=0", "x=0", false},
		{hashedSB, "exists", "filter (0:EAX=0)\nexists", false},
		{hashedC, "*y - -1", "*y - 1", false},
	} {
		changed := strings.Replace(x.source, x.from, x.to, 1)
		if changed == x.source {
			t.Fatalf("%q is not in the test", x.from)
		}
		test, err := Parse("test", changed)
		if err != nil {
			t.Fatalf("%q: %v", x.to, err)
		}
		if same := ProgramHash(test) == hash(x.source); same != x.same {
			t.Errorf("%q for %q: same hash %t, want %t", x.to, x.from, same, x.same)
		}
	}
	test, err := Parse("test", hashedSB)
	if err != nil {
		t.Fatal(err)
	}
	if hash(Print(test)) != hash(hashedSB) {
		t.Error("the canonical text has another hash")
	}
}
