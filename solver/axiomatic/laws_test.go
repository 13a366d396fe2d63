package axiomatic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// statesUnder returns the outcomes of a test under a built-in model, and whether behaviour is undefined.
func statesUnder(t interface{ Fatalf(string, ...any) }, model, source string) (states []string, undefined bool) {
	p, err := dialect.Parse("law.litmus", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	m, err := models.Named(model)
	if err != nil {
		t.Fatalf("%v", err)
	}
	r, err := axiomatic.Engine{}.Explore(context.Background(),
		solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
	if err != nil || r.Status != solver.OK {
		t.Fatalf("%v %v\n%s", err, r, source)
	}
	undefined = slices.ContainsFunc(r.Flags,
		func(f solver.Flag) bool { return f.Undefined && f.Raised != nil && *f.Raised })
	return printed(r.States), undefined
}

// The languages allow whatever sequential consistency allows, unless behaviour is undefined, in which case C11 gives
// reads no value; RCU aside, whose grace periods are more than fences.
func TestSequentialConsistencyIsWithinC(t *testing.T) {
	irtest.AtMost(t, 100)
	kernel := kernelWords
	noRCU := func(s string) bool { return strings.Contains(s, "rcu") }
	kernel.statements = slices.DeleteFunc(slices.Clone(kernel.statements), noRCU)
	kernel.brackets = slices.DeleteFunc(slices.Clone(kernel.brackets), func(b [2]string) bool { return noRCU(b[0]) })
	rapid.Check(t, func(t *rapid.T) {
		words, weak := kernel, "lkmm"
		if rapid.Bool().Draw(t, "C11") {
			words, weak = c11Words, rapid.SampledFrom([]string{"rc11", "c11-psc", "imm"}).Draw(t, "model")
		}
		source := words.draw(t)
		allowed, undefined := statesUnder(t, weak, source)
		states, _ := statesUnder(t, "sc", source)
		for _, s := range states {
			if !undefined && !slices.Contains(allowed, s) {
				t.Fatalf("%s\nsc allows %s, and %s does not", source, s, weak)
			}
		}
	})
}

// With a full fence between all accesses, or with all of them under one lock, the kernel's
// model is sequential consistency.
func TestFencesAndLocksMakeTheKernelSequential(t *testing.T) {
	irtest.AtMost(t, 100)
	reached := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		locked := rapid.Bool().Draw(t, "locked")
		var b, bare strings.Builder
		shown := []string{"x", "y"}
		for _, to := range []*strings.Builder{&b, &bare} {
			to.WriteString("C law\n{}\n")
		}
		for i := range rapid.IntRange(2, 3).Draw(t, "threads") {
			head := fmt.Sprintf("P%d(int *x, int *y, spinlock_t *l) {\n", i)
			b.WriteString(head)
			bare.WriteString(head)
			if locked {
				b.WriteString("  spin_lock(l);\n")
			}
			for k := range rapid.IntRange(1, 3).Draw(t, "length") {
				if k > 0 && !locked {
					b.WriteString("  smp_mb();\n")
				}
				loc := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "location")
				s := rapid.SampledFrom([]string{
					"  WRITE_ONCE(*%s, 1);\n", "  WRITE_ONCE(*%s, 2);\n", "  int r%d = READ_ONCE(*%s);\n",
					"  int r%d = READ_ONCE(*%s);\n", "  int r%d = xchg_relaxed(%s, 3);\n",
				}).Draw(t, "access")
				if strings.Contains(s, "%d") {
					s = fmt.Sprintf(s, k, loc)
					shown = append(shown, fmt.Sprintf("%d:r%d", i, k))
				} else {
					s = fmt.Sprintf(s, loc)
				}
				b.WriteString(s)
				bare.WriteString(s)
			}
			if locked {
				b.WriteString("  spin_unlock(l);\n")
			}
			b.WriteString("}\n")
			bare.WriteString("}\n")
		}
		tail := fmt.Sprintf("locations [%s;]\nexists (x=1)\n", strings.Join(shown, "; "))
		b.WriteString(tail)
		bare.WriteString(tail)
		want, _ := statesUnder(t, "sc", b.String())
		if got, _ := statesUnder(t, "lkmm", b.String()); !slices.Equal(got, want) {
			t.Fatalf("%s\nlkmm:\n  %s\nsc:\n  %s", b.String(), strings.Join(got, "\n  "), strings.Join(want, "\n  "))
		}
		without, _ := statesUnder(t, "lkmm", bare.String())
		reached[len(without) > len(want)]++
	})
	if reached[true] == 0 {
		t.Error("no test had more states without fences and locks")
	}
}

// Threads in a ring, each of which writes what the next one reads: gp, in-section and mb
// say what stands between the read and the write, or around both.
func ring(kinds []string) string {
	var b strings.Builder
	b.WriteString("C ring\n{}\n")
	var all []string
	for i, kind := range kinds {
		next := (i + 1) % len(kinds)
		fmt.Fprintf(&b, "P%d(int *x%d, int *x%d, struct srcu_struct *s) {\n", i, i, next)
		around := map[string][3]string{
			"gp":      {"", "synchronize_rcu();", ""},
			"section": {"rcu_read_lock();", "", "rcu_read_unlock();"},
			"sgp":     {"", "synchronize_srcu(s);", ""},
			"ssec":    {"int i = srcu_read_lock(s);", "", "srcu_read_unlock(s, i);"},
			"mb":      {"", "smp_mb();", ""},
		}[kind]
		fmt.Fprintf(&b, "  %s\n  int r = READ_ONCE(*x%d);\n  %s\n  WRITE_ONCE(*x%d, 1);\n  %s\n}\n", around[0], i,
			around[1], next, around[2])
		all = append(all, fmt.Sprintf("%d:r=1", i))
	}
	fmt.Fprintf(&b, "exists (%s)\n", strings.Join(all, ` /\ `))
	return b.String()
}

// The guarantee of RCU, as alglave-2018 has it: a cycle is forbidden just if it has at
// least as many grace periods as critical sections, wherever they stand; full fences count
// for neither. Two domains, of RCU and of SRCU, know nothing of one another.
func TestGracePeriodsAgainstSections(t *testing.T) {
	irtest.AtMost(t, 100)
	reached := map[solver.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfN(rapid.SampledFrom([]string{"gp", "section", "gp", "section", "mb"}),
			2, 8).Draw(t, "ring")
		srcu := rapid.Bool().Draw(t, "srcu")
		gps, sections := 0, 0
		for i, k := range kinds {
			switch k {
			case "gp":
				gps++
			case "section":
				sections++
			}
			if srcu {
				kinds[i] = map[string]string{"gp": "sgp", "section": "ssec", "mb": "mb"}[k]
			}
		}
		want := solver.Forbidden
		if gps < sections {
			want = solver.Allowed
		}
		got := decide(t, ring(kinds), "lkmm").Verdict
		if got != want {
			t.Fatalf("%v: %v, want %v", kinds, got, want)
		}
		reached[got]++
	})
	if reached[solver.Forbidden] == 0 || reached[solver.Allowed] == 0 {
		t.Errorf("verdicts: %v", reached)
	}
	if got := decide(t, ring([]string{"sgp", "section"}), "lkmm").Verdict; got != solver.Allowed {
		t.Errorf("a section of RCU does not wait for a grace period of SRCU: %v", got)
	}
}

// alternating is a ring of as many grace periods as sections, or with one section more.
func alternating(threads int, never bool) []string {
	var kinds []string
	for i := range threads {
		kinds = append(kinds, []string{"gp", "section"}[i%2])
	}
	if !never {
		kinds[0] = "section"
	}
	return kinds
}

// Sixteen threads of RCU are a matter of a second or two. Without the symmetry of their order, they would take for
// ever.
func TestRingsOfSixteenEnd(t *testing.T) {
	for _, never := range []bool{true, false} {
		if got := decide(t, ring(alternating(16, never)), "lkmm").Verdict; (got == solver.Forbidden) != never {
			t.Errorf("never %v: %v", never, got)
		}
	}
}

// BenchmarkRCU asks for the verdict of rings.
func BenchmarkRCU(b *testing.B) {
	for _, threads := range []int{4, 8, 16, 32} {
		for _, never := range []bool{true, false} {
			b.Run(fmt.Sprintf("%d threads/forbidden %v", threads, never), func(b *testing.B) {
				source := ring(alternating(threads, never))
				for b.Loop() {
					if r := decide(b, source, "lkmm"); (r.Verdict == solver.Forbidden) != never {
						b.Fatal(r.Verdict)
					}
				}
			})
		}
	}
}
