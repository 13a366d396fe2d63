package optimise

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/change"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// onlySome offers so few changes that the test can try all choices.
const onlySome = `[C]
fence atomic_thread_fence(memory_order_acq_rel) = -
fence atomic_thread_fence(memory_order_release) = -
fence atomic_thread_fence(memory_order_acquire) = -
order load seq_cst = -
order store seq_cst = -
order update acquire = -
order update release = -
order update seq_cst = -
`

// What repair says of programs is what trying every choice by itself says: how much the cheapest cost, and which they
// are.
func TestRepairAsTryingEveryChoice(t *testing.T) {
	for _, c := range []struct{ name, shared, left, right, holds string }{
		{
			"message passing", "atomic_int x, y; int r0 = 0, r1 = 1;", "set(x, 1);\nset(y, 1);\n",
			"r0 = get(y);\nr1 = get(x);\n", "!r0 || r1",
		},
		{
			"store buffering", "atomic_int x, y; int r0 = 0, r1 = 1;", "set(x, 1);\nr0 = get(y);\n",
			"set(y, 1);\nr1 = get(x);\n", "r0 || r1",
		},
		{"plain data", "int x, r = 1; atomic_int y;", "x = 1;\nset(y, 1);\n", "if (get(y)) {\nr = x;\n}\n", "r"},
		{
			"impossible", "atomic_int x; int r0, r1;", "set(x, 1);\nr0 = get(x);\n",
			"set(x, 2);\nr1 = get(x);\n", "r0 == 1",
		},
	} {
		for _, model := range []string{"tso", "pso", "rc11", "power"} {
			if testing.Short() && (c.name != "message passing" || model != "pso" && model != "rc11") {
				continue
			}
			t.Run(c.name+" "+model, func(t *testing.T) {
				text := "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n" +
					"#define set(p, v) atomic_store_explicit(&(p), v, memory_order_relaxed)\n" +
					"#define get(p) atomic_load_explicit(&(p), memory_order_relaxed)\n" +
					c.shared + "\nstatic void *left(void *a)\n{\n" + c.left +
					"return 0;\n}\nstatic void *right(void *a)\n{\n" + c.right + "return 0;\n}\n" +
					"int main(void)\n{\npthread_t a, b;\npthread_create(&a, 0, left, 0);\n" +
					"pthread_create(&b, 0, right, 0);\n" +
					"pthread_join(a, 0);\npthread_join(b, 0);\nassert(" + c.holds + ");\nreturn 0;\n}\n"
				q := Question{Runner: engines.Local{}, Workers: 1}
				q.Only, q.Each = []string{"t.c"}, true
				q.Pairs = []solver.VerifyTask{{
					Path: "t.c", Files: []solver.SourceFile{{Name: "t.c", Text: text}}, Model: model,
					Engine:  "axiomatic",
					Options: solver.DefaultOptions(), Verify: solver.Verify{Properties: []ir.Property{ir.Assertion}},
				}}
				r, err := repairing(t.Context(), q, onlySome)
				if err != nil {
					t.Fatal(err)
				}
				least, cheapest := 1<<30, 0
				choice := make(change.Choice, len(r.orders))
				for more := true; more; more = next(choice, r) {
					cost := 0
					for i, o := range choice {
						cost += r.set.Slots[i].Options[o].Cost
					}
					if cost > least {
						continue
					}
					v, err := solver.Ask(t.Context(), q.Runner, r.task(0, r.text.With(r.made(choice), false)))
					if err != nil {
						t.Fatal(err)
					}
					if judge(v).verdict != safe {
						continue
					}
					if cost < least {
						least, cheapest = cost, 0
					}
					cheapest++
				}
				said := r.reply
				switch {
				case least == 0 && !said.Already:
					t.Error("nothing is needed, which is not said")
				case cheapest == 0 && !said.Impossible:
					t.Error("nothing helps, which is not said")
				case least == 0 || cheapest == 0:
				case len(said.Repairs) == 0 || said.Repairs[0].Cost != least || len(said.Repairs) != cheapest &&
					!said.More || !said.Minimal:
					t.Errorf("got %+v; want %d repairs of cost %d", said.Repairs, cheapest, least)
				}
				for _, a := range said.Repairs {
					if len(a.Changes) == 0 || !strings.Contains(a.Diff, "\n+") ||
						slices.ContainsFunc(strings.Split(a.Source, "\n"),
							func(l string) bool { return strings.TrimSpace(l) == "" && l != "" }) {
						t.Errorf("%d changes, and the difference is %q", len(a.Changes), a.Diff)
					}
				}
			})
		}
	}
}

// next moves to the next choice.
func next(choice change.Choice, r *repairer) bool {
	for i := range choice {
		if choice[i]++; choice[i] < len(r.orders[i]) {
			return true
		}
		choice[i] = 0
	}
	return false
}
