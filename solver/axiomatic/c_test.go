package axiomatic_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// The engine and plain enumeration agree on random tests in C: on states, the number of executions and the raised
// flags.
func TestAxiomaticIsEnumerationOnC(t *testing.T) {
	irtest.AtMost(t, 100)
	for _, c := range []struct {
		models string
		words  vocabulary
	}{
		{"rc11 c11 c11-psc imm", c11Words},
		{"lkmm", kernelWords},
	} {
		t.Run(c.models, func(t *testing.T) {
			reached := map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				name := rapid.SampledFrom(strings.Fields(c.models)).Draw(t, "model")
				source := c.words.draw(t)
				isEnumeration(t, name, source, reached)
			})
			t.Log(reached)
		})
	}
}

// isEnumeration holds one test to it; reached counts what has come up.
func isEnumeration(t *rapid.T, name, source string, reached map[string]int) {
	m, err := models.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := dialect.Parse("random.litmus", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	executions, raised := 0, make([]bool, len(m.Flags))
	checker := evaluation.NewChecker(m)
	want := enumerate(t, p, m, func(x *models.Execution) {
		executions++
		for i, is := range checker.Flags(x) {
			raised[i] = raised[i] || is
		}
	})
	r, err := axiomatic.Engine{}.Explore(context.Background(),
		solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	if got := printed(r.States); !slices.Equal(got, want) || r.Positive != nil &&
		*r.Positive+*r.Negative != executions {
		t.Fatalf("%s\nengine, %s:\n  %s\nenumeration, %d executions:\n  %s", source, name,
			strings.Join(got, "\n  ")+counts(r), executions, strings.Join(want, "\n  "))
	}
	reached[fmt.Sprintf("%d states", min(len(want), 3))]++
	for i, f := range m.Flags {
		at := slices.IndexFunc(r.Flags, func(have solver.Flag) bool { return have.Name == f.Name })
		if at < 0 || r.Flags[at].Raised == nil || *r.Flags[at].Raised != raised[i] {
			t.Fatalf("%s\n%s, flag %s: got %v, want raised %v", source, name, f.Name, r.Flags, raised[i])
		}
		if raised[i] {
			reached[f.Name]++
		}
	}
}

// vocabulary has the statements of random tests in C. In a statement X is a location with atomic accesses only, N one
// with plain accesses as well, R a new register, V a number and O the register before; brackets stand around others.
type vocabulary struct {
	params     string
	reads      []string
	statements []string
	brackets   [][2]string
}

var c11Words = vocabulary{
	params: "atomic_int *x, atomic_int *y, int *n, mtx_t *l",
	reads: []string{
		"int R = atomic_load_explicit(X, memory_order_ORDER);", "int R = atomic_load_explicit(X, memory_order_ORDER);",
		"int R = *n;", "int R = atomic_fetch_or_explicit(X, V, memory_order_ORDER);",
		"int R = atomic_exchange_explicit(X, V, memory_order_ORDER);",
	},
	statements: []string{
		"atomic_store_explicit(X, V, memory_order_ORDER);", "atomic_store_explicit(X, V, memory_order_ORDER);",
		"atomic_store_explicit(X, O, memory_order_relaxed);",
		"*n = V;", "atomic_thread_fence(memory_order_ORDER);", "atomic_thread_fence(memory_order_seq_cst);",
	},
	brackets: [][2]string{{"if (O) {", "}"}, {"if (O == 1) {", "}"}, {"lock(l);", "unlock(l);"}},
}

var kernelWords = vocabulary{
	params: "int *x, int *y, int *n, spinlock_t *l, struct srcu_struct *s",
	reads: []string{
		"int R = READ_ONCE(*X);", "int R = READ_ONCE(*X);", "int R = smp_load_acquire(X);", "int R = *N;",
		"int R = xchg(X, V);",
		"int R = xchg_release(X, V);", "int R = cmpxchg(X, 1, 2);", "int R = cmpxchg_acquire(X, 0, V);",
		"int R = spin_is_locked(l);", "int R = rcu_dereference(*X);",
	},
	statements: []string{
		"WRITE_ONCE(*X, V);", "WRITE_ONCE(*X, V);", "smp_store_release(X, V);", "WRITE_ONCE(*X, O);", "*N = V;",
		"*N = O;", "smp_mb();", "smp_wmb();", "smp_rmb();",
		"synchronize_rcu();", "synchronize_rcu();", "synchronize_srcu(s);", "barrier();", "smp_mb__before_atomic();",
		"smp_mb__after_spinlock();", "smp_mb__after_unlock_lock();",
	},
	brackets: [][2]string{
		{"if (O) {", "}"},
		{"if (O == 1) {", "}"},
		{"spin_lock(l);", "spin_unlock(l);"},
		{"rcu_read_lock();", "rcu_read_unlock();"},
		{"int R = srcu_read_lock(s);", "srcu_read_unlock(s, O);"},
		{"rcu_read_lock();", ""},
		{"", "spin_unlock(l);"},
	},
}

// draw makes a test of few enough accesses for enumeration.
func (v vocabulary) draw(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("C random\n{}\n")
	threads := rapid.IntRange(2, 3).Draw(t, "threads")
	reads, brackets := 4, 2
	shown := []string{"x", "y", "n"}
	for i := range threads {
		fmt.Fprintf(&b, "P%d(%s) {\n", i, v.params)
		registers := 0
		add := func(s string, old int) {
			order := []string{"relaxed", "acquire", "release", "acq_rel", "seq_cst"}
			if strings.Contains(s, "load") {
				order = []string{"relaxed", "acquire", "seq_cst"}
			}
			if strings.Contains(s, "store") {
				order = []string{"relaxed", "release", "seq_cst"}
			}
			if strings.Contains(s, "ORDER") {
				s = replaceWord(s, "memory_order_ORDER", "memory_order_"+rapid.SampledFrom(order).Draw(t, "order"))
			}
			if strings.Contains(s, "X") {
				s = replaceWord(s, "X", rapid.SampledFrom([]string{"x", "y"}).Draw(t, "location"))
			}
			if strings.Contains(s, "N") {
				s = replaceWord(s, "N", rapid.SampledFrom([]string{"n", "n", "x"}).Draw(t, "plain"))
			}
			if strings.Contains(s, "V") {
				s = replaceWord(s, "V", rapid.SampledFrom([]string{"1", "1", "2"}).Draw(t, "value"))
			}
			s = replaceWord(s, "O", fmt.Sprint("r", old))
			if strings.Contains(s, "int R") {
				s = strings.Replace(s, "int R", fmt.Sprint("r", registers), 1)
				shown = append(shown, fmt.Sprintf("%d:r%d", i, registers))
				registers++
			}
			b.WriteString("  " + s + "\n")
		}
		b.WriteString("  int r0; int r1; int r2; int r3; int r4; int r5; int r6;\n")
		var open []func()
		for range rapid.IntRange(2, 6-threads).Draw(t, "length") {
			last := max(registers-1, 0)
			switch k := rapid.IntRange(0, 9).Draw(t, "kind"); {
			case k < 4 && reads > 0:
				reads--
				add(rapid.SampledFrom(v.reads).Draw(t, "read"), last)
			case k < 6 && brackets > 0:
				brackets--
				around := rapid.SampledFrom(v.brackets).Draw(t, "brackets")
				if strings.Contains(around[0], "lock(") {
					reads--
				}
				got := last
				if strings.Contains(around[0], "int R") {
					got = registers
				}
				add(around[0], last)
				open = append(open, func() { add(around[1], got) })
			case k == 6 && len(open) > 0:
				open[len(open)-1]()
				open = open[:len(open)-1]
			default:
				add(rapid.SampledFrom(v.statements).Draw(t, "statement"), last)
			}
		}
		for len(open) > 0 {
			open[len(open)-1]()
			open = open[:len(open)-1]
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "locations [%s;]\nexists (x=1 /\\ y=0)\n", strings.Join(shown, "; "))
	return b.String()
}

// replaceWord replaces a word that stands alone.
func replaceWord(s, word, by string) string {
	return regexp.MustCompile(`\b`+word+`\b`).ReplaceAllString(s, by)
}
