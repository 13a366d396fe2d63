package cycle

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	families "litmuscope/litmus/family"
)

// returns holds a cycle against that of its test.
func returns(t rapid.TB, arch string, c Cycle) {
	oneLocation := !slices.ContainsFunc(c, func(e Edge) bool { return !e.Same })
	if oneLocation && slices.ContainsFunc(c, func(e Edge) bool { return e.Kind == Detour || e.Turn == Leave }) {
		return // what observers see is a cycle, too
	}
	source, err := Generate(arch, c, "")
	if err != nil {
		if strings.Contains(err.Error(), "registers") {
			return
		}
		t.Fatalf("%s: %v", c, err)
	}
	test, err := litmus.Parse("test.litmus", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	got, err := Of(test)
	if err != nil || !slices.Equal(plainly(arch, got), plainly(arch, c)) {
		t.Fatalf("%s %s: the test of %s has %s: %v\n%s", arch, c.Name(), c, got, err, source)
	}
}

// TestCyclesReturn goes from cycles to tests and back, for each dialect's own family.
func TestCyclesReturn(t *testing.T) {
	for _, arch := range Archs() {
		for _, c := range familyOf(t, arch, Standard(arch), 3, 5) {
			returns(t, arch, c)
		}
	}
}

// TestRandomCyclesReturn does so for families of relaxations drawn at random.
func TestRandomCyclesReturn(t *testing.T) {
	enough := errors.New("enough")
	for _, arch := range Archs() {
		words, _ := Vocabulary(arch)
		var within []Edge
		for _, e := range words.Entries {
			if e.Edge.inOrder() {
				within = append(within, e.Edge)
			}
		}
		t.Run(arch, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				list, err := ParseRelaxations(arch, "Rfe Fre Wse Rfi [FrLeave,RfBack]")
				if err != nil {
					t.Fatal(err)
				}
				for range rapid.IntRange(2, 6).Draw(t, "edges") {
					e := rapid.SampledFrom(within).Draw(t, "edge")
					for _, end := range []*Access{&e.From, &e.To} {
						fit := []string{"", ""}
						for _, m := range words.Marks {
							if end.Write && m.Writes || !end.Write && m.Reads {
								fit = append(fit, m.Mark)
							}
						}
						end.Mark = rapid.SampledFrom(fit).Draw(t, "mark")
					}
					list = append(list, []Edge{e})
				}
				size := rapid.IntRange(4, 7).Draw(t, "size")
				left := rapid.IntRange(1, 20).Draw(t, "cycles")
				err = Family(context.Background(), list, 3, size, func(c Cycle) error {
					if left--; left < 0 {
						return enough
					}
					returns(t, arch, c)
					return nil
				})
				if err != nil && !errors.Is(err, enough) {
					t.Fatal(err)
				}
			})
		})
	}
}

func TestOf(t *testing.T) {
	for _, test := range []struct{ what, name, source string }{
		{"the same, whatever its threads and locations are called, and in whatever order", "WRC+mfence+po", `X86 mine
{ ebx=0; flag=0; }
 P2             | P7            | P5           ;
 MOV ECX,[flag] | MOV [data],$7 | MOV ESI,[data] ;
 MOV EDX,[data] |               | MFENCE       ;
                |               | MOV [flag],$3 ;
exists (2:EDX=0 /\ 5:ESI=7 /\ 2:ECX=3)`},
		{"reads on the side have no part in it", "MP+sync+addr", `PPC mine
{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; 1:r9=z; }
 P0           | P1            ;
 li r1,1      | lwz r1,0(r2)  ;
 stw r1,0(r2) | xor r3,r1,r1  ;
 sync         | lwz r8,0(r9)  ;
 li r3,1      | lwzx r5,r3,r4 ;
 stw r3,0(r4) |               ;
exists (1:r1=1 /\ 1:r5=0)`},
		{"a forall asks for what violates it", "SB", `X86 mine
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
forall (0:EAX=1 \/ 1:EAX=1)`},
		{"a value that is written twice is read from either", "LB+po+data-wsi", `AArch64 mine
{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }
 P0          | P1          ;
 LDR W0,[X1] | LDR W0,[X1] ;
 MOV W2,#1   | STR W0,[X3] ;
 STR W2,[X3] | MOV W4,#1   ;
             | STR W4,[X3] ;
exists (0:X0=1 /\ 1:X0=1)`},
		{"both ways of a branch are gone", "MP+dmb+ctrl", `ARM mine
{ %x0=x; %y0=y; %x1=x; %y1=y; }
 P0            | P1            ;
 MOV R0,#1     | LDR R0,[%y1]  ;
 STR R0,[%x0]  | CMP R0,#1     ;
 DMB           | BNE end       ;
 MOV R1,#1     | LDR R1,[%x1]  ;
 STR R1,[%y0]  | end:          ;
exists (1:R0=1 /\ 1:R1=0)`},
		{"an exchange reads, then writes", "RR+RR+rmw-pos", `X86 mine
{ 0:EAX=1; 1:EAX=1; }
 P0           | P1           ;
 XCHG [x],EAX | XCHG [y],EAX ;
 MOV EBX,[y]  | MOV EBX,[x]  ;
exists (0:EBX=0 /\ 1:EBX=0)`},
		{"threads take turns", "SC allows the outcome", `X86 mine
{}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=1)`},
		{"a value is not written", "no execution has the outcome", `X86 mine
{}
 P0          | P1          ;
 MOV [x],$1  | MOV EAX,[x] ;
exists (1:EAX=3)`},
		{"a lost update", "break the atomicity", `X86 mine
{}
 P0           | P1           ;
 LOCK INC [x] | LOCK INC [x] ;
exists (x=1)`},
		{"too many ways", "too many ways", `X86 mine
{}
 P0         | P1         | P2         ;
 L: INC [x] | L: INC [x] | L: INC [x] ;
 INC [x]    | INC [x]    | INC [x]    ;
 INC [x]    | INC [x]    | INC [x]    ;
 INC [x]    | INC [x]    | INC [x]    ;
 JNE L      | JNE L      | JNE L      ;
exists (x=40)`},
	} {
		parsed, err := litmus.Parse("test.litmus", test.source)
		if err != nil {
			t.Errorf("%s: %v", test.what, err)
			continue
		}
		c, err := Of(parsed)
		switch {
		case err != nil &&
			(!strings.Contains(err.Error(), test.name) || !strings.HasPrefix(err.Error(), "test.litmus:")):
			t.Errorf("%s: %v, want %s", test.what, err, test.name)
		case err == nil && c.Name() != test.name:
			t.Errorf("%s: %s, %s, want %s", test.what, c.Name(), c, test.name)
		}
	}
}

// TestCatalogueCycles finds the cycles of the classic tests, and names them as the catalogue does
// where that follows the convention.
func TestCatalogueCycles(t *testing.T) {
	named := 0
	conventions := map[string]*regexp.Regexp{}
	for _, arch := range Archs() {
		conventions[arch] = conventional(t, arch)
	}
	for _, e := range catalogue.All() {
		test, err := litmus.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		if !conventions[e.Arch].MatchString(e.Name) {
			continue
		}
		c, err := Of(test)
		if err != nil || c.Name() != e.Name {
			t.Errorf("%s: %s, %v", e.ID(), c, err)
			continue
		}
		named++
	}
	if named < 150 {
		t.Errorf("%d of the classic tests follow the convention", named)
	}
	t.Logf("%d classic tests are named as they are", named)
}

// TestOfIsBounded has Of look at tests that are too large for it. It could not try all.
func TestOfIsBounded(t *testing.T) {
	for _, f := range families.All {
		for _, n := range []int{5, 12, 40, min(300, f.Max)} {
			test, err := litmus.Parse(f.Name, f.Test(n))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = Of(test)
		}
	}
}

// What an update gives back, the old value or the new one, is nothing to its cycle.
func TestUpdatesThatReturn(t *testing.T) {
	for call, want := range map[string]string{
		"int r0 = atomic_add_return(1, y)": "PodWROnceMb Atomic.Fetch-addMbMb RfeMbAcquire " +
			"PodRRAcquireOnce FreOnceOnce",
		"int r0 = atomic_fetch_andnot_release(1, y)": "PodWROnceOnce Atomic.Fetch-andnotOnceRelease " +
			"RfeReleaseAcquire PodRRAcquireOnce FreOnceOnce",
		"atomic_add(1, y)": "PodWROnceOnce Atomic.AddOnceOnce RfeOnceAcquire " +
			"PodRRAcquireOnce FreOnceOnce",
	} {
		init := ""
		if strings.Contains(call, "andnot") {
			init = "y=3;"
		}
		parsed, err := litmus.Parse("t", "C t\n{ "+init+" }\nP0(int *x, int *y) { WRITE_ONCE(*x, 1); "+call+
			"; }\nP1(int *x, int *y) { int r0 = smp_load_acquire(y); int r1 = READ_ONCE(*x); }\nexists (1:r0="+
			map[bool]string{true: "2", false: "1"}[init != ""]+" /\\ 1:r1=0)\n")
		if err != nil {
			t.Fatal(err)
		}
		if c, err := Of(parsed); err != nil || c.String() != want {
			t.Errorf("%s: %s, %v; want %s", call, c, err, want)
		}
	}
}

// What the hardware writes by itself is in no cycle, and neither are exceptions, nor sequences of maintenance without a
// word.
func TestOfSystemSide(t *testing.T) {
	const (
		writer = " P0          | P1          ;\n MOV W0,#1   | LDR W0,[X1] ;\n STR W0,[X1] | "
		end    = "exists (1:X0=1 /\\ 1:X2=0)\n"
	)
	for text, want := range map[string]string{
		"TTHM=HD\nVariant=vmsa\n{ [PTE(x)]=(oa:PA(x), db:0, dbm:1); 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=PTE(x); }\n" + writer +
			"DMB SY      ;\n DSB ISH     | LDR X2,[X3] ;\n STR W0,[X3] |             ;\n" +
			"exists (1:X0=1 /\\ 1:X2=(oa:PA(x), db:0, dbm:1))\n": "writes into page table entries by itself",
		"{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 | P1.F ;\n MOV W0,#1 | LDR W0,[X1] | LDR W2,[X3] ;\n" +
			" STR W0,[X1] | SVC #0 | ;\n DMB SY | | ;\n STR W0,[X3] | | ;\n" + end: "no words for a cycle",
		"Variant=vmsa\n{ 0:X0=(oa:PA(x), valid:0); 0:X1=PTE(x); 0:X2=x; 0:X5=y; 1:X1=y; 1:X3=x; }\n" +
			" P0 | P1 ;\n STR X0,[X1] | LDR W0,[X1] ;\n DSB ISHST | DMB SY ;\n LSR X3,X2,#12 | L0: ;\n" +
			" TLBI VAAE1IS,X3 | LDR W2,[X3] ;\n MOV W4,#1 | ;\n STR W4,[X5] | ;\n" +
			"exists (1:X0=1 /\\ ~fault(P1:L0,x))\n": "no words for a cycle",
	} {
		test, err := litmus.Parse("t", "AArch64 t\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := Of(test); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %s, %v, want %s, of\n%s", c, err, want, text)
		}
	}
}
