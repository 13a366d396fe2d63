package testdiff_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/solver/testdiff"
)

func of(t *testing.T, before, after string) *testdiff.Edit {
	t.Helper()
	b, err := dialect.Parse("before", before)
	if err != nil {
		t.Fatal(err)
	}
	a, err := dialect.Parse("after", after)
	if err != nil {
		t.Fatal(err)
	}
	e, err := testdiff.Of(t.Context(), b, a)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func source(t *testing.T, id string) string {
	t.Helper()
	e, ok := catalogue.Find(id)
	if !ok {
		t.Fatalf("no classic test %s", id)
	}
	return e.Source
}

const x86 = "X86 MP\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n" +
	"exists (1:EAX=1 /\\ 1:EBX=0)\n"

const ppc = "PPC MP\n{ 0:r1=x; 0:r2=y; 1:r1=x; 1:r2=y; }\n P0 | P1 ;\n li r3,1 | lwz r3,0(r2) ;\n" +
	" stw r3,0(r1) | lwz r4,0(r1) ;\n li r5,1 | ;\n stw r5,0(r2) | ;\nexists (1:r3=1 /\\ 1:r4=0)\n"

const arm = "AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 ;\n MOV W0,#1 | LDR W0,[X1] ;\n" +
	" STR W0,[X1] | LDR W2,[X3] ;\n MOV W2,#1 | ;\n STR W2,[X3] | ;\nexists (1:X0=1 /\\ 1:X2=0)\n"

const scoped = "PTX MP\n{ x=0; y=0; }\n P0@cta 0, gpu 0 | P1@cta 1, gpu 0 ;\n st.weak x, 1 | ld.relaxed.cta r0, y ;\n" +
	" st.release.cta y, 1 | ld.weak r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n"

const c11 = "C plain\n{}\nP0(atomic_int *x, int *z)\n{\n  atomic_store_explicit(x, 1, memory_order_relaxed);\n" +
	"  *z = 1;\n}\nexists (x=1)\n"

// edit describes the changes of a test in one line.
type edit struct {
	Fences, Dependencies, Annotations int
	Condition                         bool
	Other                             []string
}

func summed(e *testdiff.Edit) edit {
	return edit{e.Fences(), e.Dependencies(), e.Annotations(), e.Condition, e.Faults()}
}

// Testdiff reports the changes of a test, however its instructions look.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, before string
		replace      []string
		want         edit
	}{
		{"nothing", x86, nil, edit{}},
		{"layout and name", x86, []string{"X86 MP", "X86 mine", " | ", "   |   ", "{}", "{ x=0; }"}, edit{}},
		{"a fence", x86, []string{"MOV [y],$1 |", "MFENCE | ;\n MOV [y],$1 |"}, edit{Fences: 1}},
		{"two fences", x86, []string{"MOV [y],$1 |", "MFENCE | MFENCE ;\n MOV [y],$1 |"}, edit{Fences: 2}},
		{"an idle instruction", x86, []string{"MOV [y],$1 |", "MOV ECX,$7 | ;\n MOV [y],$1 |"}, edit{}},
		{
			"another value", x86,
			[]string{"[x],$1", "[x],$2"},
			edit{Other: []string{"P0 writes 2 to x where it should be: P0 writes 1 to x."}},
		},
		{
			"the other order", x86,
			[]string{"MOV [x],$1", "MOV [y],$1 ", "MOV [y],$1 |", "MOV [x],$1 |"},
			edit{Other: []string{"P0 writes 1 to y where it should be: P0 writes 1 to x."}},
		},
		{
			"one more access", x86,
			[]string{"MOV [y],$1 |", "MOV ECX,[x] | ;\n MOV [y],$1 |"},
			edit{Other: []string{"P0 reads x where it should be: P0 writes 1 to y."}},
		},
		{
			"one at the end", x86,
			[]string{"exists", " MOV [x],$1 | ;\nexists"},
			edit{Other: []string{"P0 writes 1 to x, which is new."}},
		},
		{"one less", x86, []string{"MOV EBX,[x]", "MOV EBX,$0"}, edit{Other: []string{"P1 no longer reads x."}}},
		{
			"another register", x86,
			[]string{"MOV EBX,[x]", "MOV ECX,[x]"},
			edit{Other: []string{"1:EBX has another final value than before, and the condition uses it."}},
		},
		{
			"a value forged", x86,
			[]string{"exists", " | MOV EBX,$1 ;\nexists"},
			edit{Other: []string{"1:EBX has another final value than before, and the condition uses it."}},
		},
		{
			"atomic", x86,
			[]string{"MOV [x],$1", "XCHG [x],ECX", "{}", "{ 0:ECX=1; }"},
			edit{Other: []string{"P0 reads x to update it atomically where it should be: P0 writes 1 to x."}},
		},
		{"the condition", x86, []string{"1:EBX=0", "1:EBX=1"}, edit{Condition: true}},
		{"the quantifier", x86, []string{"exists", "forall"}, edit{Condition: true}},
		{
			"a plain access", c11,
			[]string{"atomic_store_explicit(x, 1, memory_order_relaxed)", "*x = 1"},
			edit{
				Other: []string{
					"P0 writes a value to x in a plain access where it should be an atomic or marked one.",
				},
			},
		},
		{
			"an atomic access", c11,
			[]string{"*z = 1", "atomic_store_explicit(z, 1, memory_order_relaxed)", "int *z", "atomic_int *z"},
			edit{
				Other: []string{
					"P0 writes a value to z in an atomic or marked access where it should be a plain one.",
				},
			},
		},
		{"the start", x86, []string{"{}", "{ x=1; }"}, edit{Other: []string{"x now starts as 1; it started as 0."}}},
		{
			"Power's fence", ppc,
			[]string{"li r5,1", "lwsync"},
			edit{Other: []string{"P0 writes 0 to y where it should be: P0 writes 1 to y."}},
		},
		{
			"Power's dependency", ppc,
			[]string{
				"stw r3,0(r1) | lwz r4,0(r1)", "stw r3,0(r1) | xor r6,r3,r3", "li r5,1 | ",
				"li r5,1 | lwzx r4,r6,r1 ",
			},
			edit{Dependencies: 1},
		},
		{
			"a control dependency and isync", ppc,
			[]string{
				"stw r3,0(r1) | lwz r4,0(r1)", "stw r3,0(r1) | cmpw r3,r3", "li r5,1 | ", "li r5,1 | beq L0 ",
				"stw r5,0(r2) | ", "stw r5,0(r2) | L0: ;\n | isync ;\n | lwz r4,0(r1) ",
			},
			edit{Dependencies: 1, Fences: 1},
		},
		{"wider scopes", scoped, []string{"cta y", "gpu y", "relaxed.cta r0", "acquire.gpu r0"}, edit{Annotations: 2}},
		{"other numbers", scoped, []string{"cta 1", "cta 7"}, edit{}},
		{"a scope's fence", scoped, []string{" st.release", " fence.sc.gpu | ;\n st.release"}, edit{Fences: 1}},
		{
			"another place", scoped,
			[]string{"cta 1, gpu 0", "cta 0, gpu 1"},
			edit{Other: []string{"P0 and P1 are no longer in one gpu."}},
		},
		{
			"the same place", scoped,
			[]string{"cta 1, gpu 0", "cta 0, gpu 0"},
			edit{Other: []string{"P0 and P1 are now in one cta."}},
		},
		{"acquire and release", arm, []string{"STR W2", "STLR W2", "LDR W0", "LDAR W0"}, edit{Annotations: 2}},
		{
			"Arm's barrier", arm,
			[]string{"LDR W2,[X3]", "DMB LD", "MOV W2,#1 | ", "MOV W2,#1 | LDR W2,[X3]"},
			edit{Fences: 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := summed(of(t, c.before, strings.NewReplacer(c.replace...).Replace(c.before)))
			if got.Fences != c.want.Fences || got.Dependencies != c.want.Dependencies ||
				got.Annotations != c.want.Annotations || got.Condition != c.want.Condition {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if !slices.Equal(got.Other, c.want.Other) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got.Other, "\n"), strings.Join(c.want.Other, "\n"))
			}
		})
	}
}

// It notices a fence that is removed or replaced by another; a program of another architecture is.
func TestWhatIsGone(t *testing.T) {
	gone := summed(of(t, source(t, "SB+mfences"), source(t, "SB")))
	if want := []string{
		"A fence of P0 was removed or replaced.",
		"A fence of P1 was removed or replaced.",
	}; !slices.Equal(gone.Other, want) {
		t.Errorf("got %q, want %q", gone.Other, want)
	}
	if other := summed(of(t, x86, ppc)); len(other.Other) != 1 ||
		other.Other[0] != "The test is now written for PPC; it was written for X86." {
		t.Errorf("got %q", other.Other)
	}
	weaker := summed(of(t, source(t, "PPC/MP+syncs"), strings.ReplaceAll(source(t, "PPC/MP+syncs"), "sync", "lwsync")))
	if len(weaker.Other) == 0 {
		t.Error("a fence that is another one is not noticed")
	}
}

// It also compares threads with loops.
func TestLoops(t *testing.T) {
	dekker := source(t, "Dekker+loops")
	fenced := of(t, dekker, source(t, "Dekker+loops+mfences"))
	if got := summed(fenced); got.Fences != 4 || len(got.Other) > 0 || got.Condition || fenced.Threads[0].Unsettled {
		t.Errorf("got %+v", fenced)
	}
}

// Every classic test is equal to itself.
func TestClassicsAreThemselves(t *testing.T) {
	for _, e := range catalogue.All() {
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		got, err := testdiff.Of(t.Context(), p, p)
		if err != nil {
			t.Errorf("%s: %v", e.ID(), err)
		} else if s := summed(got); !reflect.DeepEqual(s, edit{}) {
			t.Errorf("%s is not itself: %+v", e.ID(), got)
		}
	}
}

// The work is bounded, and a question beyond the bound gets an error that says so; the answer is the same on any
// machine.
func TestWorkIsBounded(t *testing.T) {
	const product = "AArch64 product\n{ 0:X10=x; 0:X11=y; 0:X12=z; }\n P0 ;\n LDR X0,[X10] ;\n LDR X1,[X11] ;\n" +
		" MUL X2,X0,X1 ;\n MUL X2,X2,X0 ;\n STR X2,[X10] ;\n STR X2,[X11] ;\nexists (x=1)\n"
	b, err := dialect.Parse("before", product)
	if err != nil {
		t.Fatal(err)
	}
	a, err := dialect.Parse("after",
		strings.NewReplacer("MUL X2,X0,X1", "MUL X2,X0,X0", "MUL X2,X2,X0", "MUL X2,X1,X2").Replace(product))
	if err != nil {
		t.Fatal(err)
	}
	const want = "comparing the tests needs more than 4000 conflicts of the SAT solver"
	if _, err := testdiff.Of(t.Context(), b, a); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
}
