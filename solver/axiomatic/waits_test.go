package axiomatic_test

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/graphs"
	"litmuscope/solver/machine"
)

// waiting are tests with loops. Those that only wait have a verdict, whatever the condition; cut says so.
var waiting = []struct {
	name, text string
	cut        bool
}{
	{"while", c11("while (atomic_load_explicit(f,memory_order_acquire) == 0) {}"), true},
	{"do", c11("int s; do { s = atomic_load_explicit(f,memory_order_acquire); } while (s != 1);"), true},
	{"break", c11("for (;;) { if (atomic_load_explicit(f,memory_order_acquire)) break; }"), true},
	{"less", c11("while (atomic_load_explicit(f,memory_order_acquire) < 1) {}"), true},
	{"mask", c11("while ((atomic_load_explicit(f,memory_order_acquire) & 1) == 0) {}"), true},
	{"relaxed", c11("while (atomic_load_explicit(f,memory_order_relaxed) == 0) {}"), true},
	{
		"a fence in the loop",
		c11("while (atomic_load_explicit(f,memory_order_relaxed) == 0) { atomic_thread_fence(memory_order_acquire); }"),
		true,
	},
	{
		"a fence behind the loop",
		c11("while (atomic_load_explicit(f,memory_order_relaxed) == 0) {} atomic_thread_fence(memory_order_acquire);"),
		true,
	},
	{"another in the loop", c11("while (atomic_load_explicit(f,memory_order_acquire) == 0) { while " +
		"(atomic_load_explicit(g,memory_order_relaxed) == 0) {} }"), true},
	{"one after another", c11("while (atomic_load_explicit(g,memory_order_relaxed) == 0) {} while " +
		"(atomic_load_explicit(f,memory_order_acquire) == 0) {}"), true},
	{"two that are equal", c11("int a; int b; do { a = atomic_load_explicit(f,memory_order_acquire); b = " +
		"atomic_load_explicit(g,memory_order_relaxed); } while (a != b);"), true},
	{"compare-exchange", c11("int o; do { o = 1; } while " +
		"(!atomic_compare_exchange_strong_explicit(f,&o,2,memory_order_acquire,memory_order_relaxed));"), true},
	{"compare-exchange that acquires where it fails", c11("int o; do { o = 1; } while " +
		"(!atomic_compare_exchange_strong_explicit(f,&o,2,memory_order_acq_rel,memory_order_acquire));"), true},
	{"plain", c11("while (*x == 0) {}"), true},
	{"writes", c11("while (atomic_load_explicit(f,memory_order_acquire) == 0) { " +
		"atomic_store_explicit(g,2,memory_order_relaxed); }"), false},
	{
		"counts", c11("int n = 0; while (atomic_load_explicit(f,memory_order_acquire) == 0) { n = n + 1; } r = n;"),
		false,
	},
	{"adds", c11("while (atomic_fetch_add_explicit(f,2,memory_order_acquire) != 1) {}"), false},
	{"exchange", c11("while (atomic_exchange_explicit(g,1,memory_order_acquire) == 1) {}"), false},
	{"exchange for a lock", `C lock
{}
P0 (int *x, atomic_int *l) {
  while (atomic_exchange_explicit(l,1,memory_order_acquire)) {}
  int r = *x;
  *x = r + 1;
  atomic_store_explicit(l,0,memory_order_release);
}
P1 (int *x, atomic_int *l) {
  while (atomic_exchange_explicit(l,1,memory_order_acquire)) {}
  int r = *x;
  *x = r + 1;
  atomic_store_explicit(l,0,memory_order_release);
}
exists (x=1)
`, false},
	{"exchange for a lock that is given back too early", `C lock
{}
P0 (int *x, atomic_int *l) {
  while (atomic_exchange_explicit(l,1,memory_order_acquire)) {}
  *x = 1;
  atomic_store_explicit(l,0,memory_order_relaxed);
}
P1 (int *x, atomic_int *l) {
  while (atomic_exchange_explicit(l,1,memory_order_acquire)) {}
  int r = *x;
}
exists (1:r=1)
`, false},
	{
		"three times",
		c11("for (int i = 0; i < 3; i++) { if (atomic_load_explicit(f,memory_order_acquire)) { g = g; } }"),
		true,
	},
	{"races in a failing round alone", `C races
{}
P0 (int *f) { *f = 2; atomic_store_explicit(f,1,memory_order_release); }
P1 (int *f) { while (atomic_load_explicit(f,memory_order_acquire) != 1) {} }
exists (f=1)
`, true},
	{"acquires in a failing round alone", `C acquires
{}
P0 (int *x, atomic_int *f) { *x = 1; atomic_store_explicit(f,2,memory_order_release); }
P1 (atomic_int *f) { atomic_store_explicit(f,1,memory_order_relaxed); }
P2 (int *x, atomic_int *f) { while (atomic_load_explicit(f,memory_order_acquire) != 1) {} int r = *x; }
exists (2:r=1)
`, true},
	{"tickets", `C tickets
{}
P0 (atomic_int *n, atomic_int *s, int *x) {
  int t = atomic_fetch_add_explicit(n,1,memory_order_relaxed);
  while (atomic_load_explicit(s,memory_order_acquire) != t) {}
  int r = *x;
  *x = r + 1;
  atomic_store_explicit(s,t + 1,memory_order_release);
}
P1 (atomic_int *n, atomic_int *s, int *x) {
  int t = atomic_fetch_add_explicit(n,1,memory_order_relaxed);
  while (atomic_load_explicit(s,memory_order_acquire) != t) {}
  int r = *x;
  *x = r + 1;
  atomic_store_explicit(s,t + 1,memory_order_release);
}
exists (x=2)
`, true},
	{"LDXR", `AArch64 llsc
{ 0:X0=x; 0:X1=y; 0:X2=1; 1:X0=x; 1:X1=y; }
 P0               | P1              ;
L0:               | MOV W2,#1       ;
 LDXR W3,[X0]     | STR W2,[X1]     ;
 DMB LD           | DMB SY          ;
 CBNZ W3,L1       | LDR W5,[X0]     ;
L1:               |                 ;
 STXR W4,W2,[X0]  |                 ;
 CBNZ W4,L0       |                 ;
 LDR W5,[X1]      |                 ;
exists (0:X5=0 /\ 1:X5=0)
`, true},
	{"LDXR past which there is a way", `AArch64 llsc
{ 0:X0=x; 0:X1=y; 0:X2=1; 1:X0=x; 1:X1=y; }
 P0               | P1              ;
 LDXR W3,[X0]     | MOV W2,#1       ;
L0:               | STR W2,[X0]     ;
 LDR W6,[X1]      |                 ;
 CBNZ W6,L1       |                 ;
 LDXR W3,[X0]     |                 ;
L1:               |                 ;
 STXR W4,W2,[X0]  |                 ;
 CBNZ W4,L0       |                 ;
exists (0:X3=1)
`, false},
	{"ldrex", `ARM llsc
{ %x0=x; %y0=y; %x1=x; %y1=y; }
 P0                  | P1              ;
 L0:                 | MOV R2,#1       ;
 LDREX R3,[%x0]      | STR R2,[%y1]    ;
 MOV R2,#1           | DMB             ;
 STREX R4,R2,[%x0]   | LDR R5,[%x1]    ;
 CMP R4,#0           |                 ;
 BNE L0              |                 ;
 LDR R5,[%y0]        |                 ;
exists (0:R5=0 /\ 1:R5=0)
`, true},
	{"lwarx", `PPC llsc
{ 0:r8=x; 0:r9=y; 0:r2=1; 1:r8=x; 1:r9=y; }
 P0               | P1              ;
L0:               | li r2,1         ;
 lwarx r3,0,r8    | stw r2,0(r9)    ;
 stwcx. r2,0,r8   | sync            ;
 bne L0           | lwz r5,0(r8)    ;
 lwz r5,0(r9)     |                 ;
exists (0:r5=0 /\ 1:r5=0)
`, true},
	{"lr.w", `RISCV llsc
{ 0:x10=x; 0:x11=y; 0:x12=1; 1:x10=x; 1:x11=y; }
 P0                    | P1              ;
L0:                    | li x12,1        ;
 lr.w x13,0(x10)       | sw x12,0(x11)   ;
 sc.w x14,x12,0(x10)   | fence rw,rw     ;
 bne x14,x0,L0         | lw x15,0(x10)   ;
 lw x15,0(x11)         |                 ;
exists (0:x15=0 /\ 1:x15=0)
`, true},
	{"ll", `MIPS llsc
{ 0:$4=x; 0:$5=y; 1:$4=x; 1:$5=y; }
 P0                | P1              ;
L0:                | ori $2,$0,1     ;
 ll $3,0($4)       | sw $2,0($5)     ;
 ori $2,$0,1       | sync            ;
 sc $2,0($4)       | lw $6,0($4)     ;
 beq $2,$0,L0      |                 ;
 lw $6,0($5)       |                 ;
exists (0:$6=0 /\ 1:$6=0)
`, true},
	{"from two loads", `AArch64 two
{ 0:X0=x; 0:X1=y; 1:X0=x; 1:X1=y; 1:X2=1; }
 P0               | P1              ;
L0:               | STR W2,[X1]     ;
 LDR W3,[X0]      | STR W2,[X0]     ;
 LDR W4,[X1]      |                 ;
 AND W5,W3,W4     |                 ;
 CBZ W5,L0        |                 ;
exists (0:X3=1 /\ 0:X4=0)
`, true},
}

// c11 is a test with two threads: one writes x, f and g, and the other waits and reads x.
func c11(wait string) string {
	return "C waits\n{}\nP0 (int *x, atomic_int *f, atomic_int *g) {\n  *x = 1;\n" +
		"  atomic_store_explicit(f,1,memory_order_release);\n" +
		"  atomic_store_explicit(g,1,memory_order_relaxed);\n}\nP1 (int *x, atomic_int *f, atomic_int *g) {\n" +
		"  int r = 9;\n  " + wait + "\n  r = *x;\n}\nexists (1:r=0)\n"
}

// drawWaiting writes a random test in C in which loops wait: for a value, by a compare-and-exchange, or for a lock by
// an exchange.
func drawWaiting(rng *rand.Rand) string {
	pick := func(words ...string) string { return words[rng.Intn(len(words))] }
	loads := func() string { return "memory_order_" + pick("relaxed", "acquire", "seq_cst") }
	stores := func() string { return "memory_order_" + pick("relaxed", "release", "seq_cst") }
	updates := func() string { return "memory_order_" + pick("relaxed", "acquire", "release", "acq_rel", "seq_cst") }
	var b strings.Builder
	var shown []string
	b.WriteString("C drawn\n{}\n")
	for t := range 2 + rng.Intn(2) {
		fmt.Fprintf(&b, "P%d (atomic_int *x, atomic_int *y, atomic_int *l) {\n", t)
		for i := range 2 + rng.Intn(2) {
			loc := pick("x", "y", "l")
			switch n := rng.Intn(12); {
			case n < 3:
				fmt.Fprintf(&b, "  int r%d = atomic_load_explicit(%s,%s);\n", i, loc, loads())
				shown = append(shown, fmt.Sprintf("%d:r%d", t, i))
			case n < 6:
				fmt.Fprintf(&b, "  atomic_store_explicit(%s,%s,%s);\n", loc, pick("0", "1", "1", "2"), stores())
			case n < 7:
				fmt.Fprintf(&b, "  atomic_thread_fence(%s);\n", updates())
			case n < 9:
				fmt.Fprintf(&b, "  while (atomic_load_explicit(%s,%s) %s) {}\n", loc, loads(),
					pick("== 0", "!= 1", "== 1", "< 1"))
			case n < 10:
				fmt.Fprintf(&b,
					"  int e%d; do { e%d = 0; } while (!atomic_compare_exchange_strong_explicit(%s,&e%d,1,%s,%s));\n",
					i, i, loc, i, updates(), loads())
			default:
				fmt.Fprintf(&b, "  while (atomic_exchange_explicit(l,1,%s)) {}\n", updates())
			}
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "locations [x; y; l; %s]\nexists (x=1)\n", strings.Join(append(shown, ""), "; "))
	return strings.ReplaceAll(b.String(), "; ]", ";]")
}

// The same of random tests.
func TestCutLoopsAtRandom(t *testing.T) {
	tests := 40
	if testing.Short() {
		tests = 15
	}
	cut := 0
	for seed := range tests {
		text := drawWaiting(rand.New(rand.NewSource(int64(seed))))
		p, err := dialect.Parse("test.litmus", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, name := range []string{"rc11", "c11", "c11-psc", "imm", "aarch64", "tso"} {
			m, err := models.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			if !p.Waits(m.Waits()) && m.ForgetsReads() {
				continue
			}
			o := solver.DefaultOptions()
			got, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			if !got.Complete {
				continue
			}
			cut++
			o.Unroll = 3
			want, err := axiomatic.Engine{}.Explore(context.Background(),
				solver.Query{Program: p, Model: uncut(t, m), Options: o})
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprint(got.States) != fmt.Sprint(want.States) {
				t.Errorf("seed %d under %s: states %v, want %v\n%s", seed, name, got.States, want.States, text)
			}
		}
	}
	if cut < tests {
		t.Errorf("loops were cut %d times in %d tests", cut, tests)
	}
}

// The same of random tests with scopes, and of their flags.
func TestCutLoopsAtRandomOnGPUs(t *testing.T) {
	for _, g := range gpus {
		t.Run(g.arch, func(t *testing.T) {
			found := map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				if !testing.Short() || found["cut"] < 80 {
					g.checkCut(t, found)
				}
			})
			t.Log(found)
			if found["cut"] < 10 || found["raised"] == 0 {
				t.Errorf("random tests come to %v", found)
			}
		})
	}
}

// checkCut compares the outcomes and flags of one random test with those of three rounds of its loops.
func (g gpu) checkCut(t *rapid.T, found map[string]int) {
	source := g.draw(t, true)
	p, err := dialect.Parse("random.litmus", source)
	if err != nil {
		t.Skip(err)
	}
	name := among(t, "model", slices.DeleteFunc(slices.Clone(g.models), func(s string) bool { return s == partialCo }))
	m, err := models.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	if p.Named && !m.Mentions("vloc") || !p.Waits(m.Waits()) && m.ForgetsReads() {
		t.Skip("no loop is cut")
	}
	explore := func(m *models.Model, unroll int) *solver.Result {
		o := solver.DefaultOptions()
		o.Unroll = unroll
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, source)
		}
		return r
	}
	cut := explore(m, 2)
	if !cut.Complete {
		found["not complete"]++
		return
	}
	found["cut"]++
	all := explore(uncut(t, m), 3)
	if got, want := fmt.Sprint(cut.States), fmt.Sprint(all.States); got != want {
		t.Errorf("under %s: states %s, want %s\n%s", name, got, want, source)
	}
	for i, f := range all.Flags {
		raised := f.Raised != nil && *f.Raised
		if raised {
			found["raised"]++
		}
		if got := cut.Flags[i].Raised; got == nil && m.Persists(i) || got != nil && *got != raised {
			t.Errorf("under %s: flag %s is not %v\n%s", name, f.Name, raised, source)
		}
	}
}

// uncut is an equivalent model that does not permit cutting loops.
func uncut(t failing, m *models.Model) *models.Model {
	out, err := models.Parse(m.Name, m.Text+"\n~empty _ as something\n", dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Cutting loops that only wait loses neither outcomes nor flags: they are the same as with three rounds.
func TestCutLoopsLoseNothing(t *testing.T) {
	for _, c := range waiting {
		p, err := dialect.Parse("test.litmus", c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		under := []string{"sc", "tso", "rmo", strings.ToLower(p.Arch)}
		switch p.Arch {
		case "C":
			under = []string{"sc", "tso", "rmo", "aarch64", "power", "rc11", "c11", "c11-psc", "imm", "lkmm"}
		case "PPC":
			under[3] = "power"
		}
		for _, name := range under {
			m, err := models.Named(name)
			if err != nil {
				t.Fatal(err)
			}
			explore := func(m *models.Model, unroll int) *solver.Result {
				o := solver.DefaultOptions()
				o.Unroll = unroll
				r, err := axiomatic.Engine{}.Explore(context.Background(),
					solver.Query{Program: p, Model: m, Options: o})
				if err != nil {
					t.Fatalf("%s under %s: %v", c.name, name, err)
				}
				return r
			}
			cut, all := explore(m, 2), explore(uncut(t, m), 3)
			complete := c.cut || strings.HasPrefix(c.name, "exchange") && (m.HasMachine() || name == "rc11")
			if !m.ForgetsReads() && (all.Undefined() == solver.Yes || c.name == "plain") {
				complete = cut.Complete // what a failing round reads may let a plain read take a value
			}
			if cut.Complete != complete {
				t.Errorf("%s under %s: complete %v, want %v: %s", c.name, name, cut.Complete, complete, cut.Reason)
			}
			if !complete {
				continue
			}
			if got, want := fmt.Sprint(cut.States), fmt.Sprint(all.States); got != want {
				t.Errorf("%s under %s: states %s, want %s", c.name, name, got, want)
			}
			for _, e := range []solver.Engine{graphs.Engine{}, machine.Engine{}} {
				if e.Name() == "machine" && !m.HasMachine() || e.Name() == "graphs" && !m.ForgetsReads() {
					continue
				}
				r, err := e.Explore(context.Background(),
					solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
				if err != nil {
					t.Fatalf("%s under %s: %s: %v", c.name, name, e.Name(), err)
				}
				if got, want := fmt.Sprint(r.States), fmt.Sprint(all.States); got != want || !r.Complete {
					t.Errorf("%s under %s: %s says %s, complete %v, want %s", c.name, name, e.Name(),
						got, r.Complete, want)
				}
				for i, f := range r.Flags {
					if got, want := f.Raised, cut.Flags[i].Raised; (got == nil) != (want == nil) || got != nil &&
						*got != *want {
						t.Errorf("%s under %s: %s has flag %s otherwise", c.name, name, e.Name(), f.Name)
					}
				}
			}
			for i, f := range all.Flags {
				raised := f.Raised != nil && *f.Raised
				if got := cut.Flags[i].Raised; got == nil && m.Persists(i) || got != nil && *got != raised {
					t.Errorf("%s under %s: flag %s is %v, want %v", c.name, name, f.Name, got, raised)
				}
			}
		}
	}
}
