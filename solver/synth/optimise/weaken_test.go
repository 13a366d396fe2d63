package optimise

import (
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth"
)

// passing passes a message with stronger orders than it needs.
const passing = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
int data;
atomic_int flag;
void *reader(void *p) {
  if (atomic_load_explicit(&flag, memory_order_seq_cst))
    assert(data == 1);
  return 0;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, reader, 0);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_seq_cst);
  pthread_join(id, 0);
}
`

// A reply has the weaker orders with what they save, and the orders that remain with what fails without them.
func TestWeakened(t *testing.T) {
	ask := func(text, volatile string) *synth.Reply {
		t.Helper()
		task := solver.VerifyTask{
			Path: "mp.c", Model: "rc11", Engine: engines.Auto, Options: solver.DefaultOptions(),
			Files: []solver.SourceFile{{Name: "mp.c", Text: text}}, Volatile: volatile,
		}
		task.Properties = []ir.Property{ir.Assertion}
		asked := 0
		r, err := Weakened(Asking{Pairs: []solver.VerifyTask{task}, Timeout: time.Minute},
			func(soFar *synth.Reply) { asked = soFar.Asked })
		if err != nil {
			t.Fatal(err)
		}
		if asked != r.Asked {
			t.Errorf("%d questions are told, %d asked", asked, r.Asked)
		}
		return r
	}
	r := ask(passing, solver.CountRelaxed)
	if len(r.Repairs) != 1 || !r.Minimal || len(r.Repairs[0].Files) != 1 {
		t.Fatalf("%+v", r)
	}
	if len(r.Remarks) != 1 || !strings.HasPrefix(r.Remarks[0], "volatile accesses count as relaxed atomics") {
		t.Errorf("the remarks are %q", r.Remarks)
	}
	a, got := r.Repairs[0], []string{}
	for _, c := range a.Changes {
		got = append(got, c.Where()+": "+c.Words())
	}
	for _, k := range a.Kept {
		got = append(got, k.Function+": "+k.Text+" ("+k.Why+")")
	}
	want := []string{
		"reader: acquire instead of seq_cst in atomic_load_explicit",
		"main: release instead of seq_cst in atomic_store_explicit",
		"reader: acquire in atomic_load_explicit (relaxed fails under rc11: assertion at mp.c:8)",
		"main: release in atomic_store_explicit (relaxed fails under rc11: assertion at mp.c:8)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || a.Cost != 7 || a.Saved != 10 {
		t.Errorf(
			"cost %d, saved %d, got\n%s\nwant\n%s",
			a.Cost,
			a.Saved,
			strings.Join(got, "\n"),
			strings.Join(want, "\n"),
		)
	}
	if r = ask(a.Files[0].Text, ""); len(r.Repairs) != 1 || len(r.Repairs[0].Changes) != 0 ||
		len(r.Repairs[0].Kept) != 2 || len(r.Remarks) != 0 {
		t.Errorf("weaker than the weakest: %+v", r)
	}
	weak := strings.ReplaceAll(passing, "memory_order_seq_cst", "memory_order_relaxed")
	if r = ask(weak, ""); !r.Impossible || !strings.Contains(r.Reason, "the program fails under RC11") {
		t.Errorf("a program that fails: %+v", r)
	}
}
