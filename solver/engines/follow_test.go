package engines_test

import (
	"context"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// A follower of an answer receives the verdict before all outcomes, and nothing that the final answer contradicts.
func TestFollowersHearOfOutcomesAsTheyAreFound(t *testing.T) {
	var heard []*solver.Result
	ctx := solver.Following(context.Background(), func(r *solver.Result) { heard = append(heard, r) })
	task := solver.Task{Path: "sb", Source: "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n" +
		" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n", Model: "tso", Options: solver.DefaultOptions()}
	r, err := engines.Run(ctx, task)
	if err != nil || len(r.States) != 4 {
		t.Fatal(r, err)
	}
	early := heard[len(heard)-1]
	if early.Verdict != solver.Allowed || len(early.States) == 0 || len(early.States) == 4 {
		t.Errorf("what was heard last before the answer: %s with %d states", early.Verdict, len(early.States))
	}
	for _, h := range heard {
		for _, s := range h.States {
			if !slices.ContainsFunc(r.States, func(o solver.State) bool { return slices.Equal(o, s) }) {
				t.Errorf("%v is no outcome in the end", s)
			}
		}
	}
}

var gates = regexp.MustCompile(`\d+ gates?`)

// A follower of a verification receives its progress, and the results so far; none of it is an answer but what stands.
func TestFollowersHearHowFarVerificationIs(t *testing.T) {
	task := solver.VerifyTask{
		Path: "main.c", Model: "rc11", Options: solver.DefaultOptions(),
		Verify: solver.Verify{Properties: []ir.Property{ir.Assertion}},
	}
	for _, c := range []struct {
		claim string
		want  []string
	}{
		{"assert(a || b);", []string{
			"running the program symbolically", "encoding the interaction of 2 threads",
			"11 events, N gates: encoding axiom whole", "11 events, N gates: encoding axiom coherence",
			"11 events, N gates: encoding axiom atomicity",
			"11 events, N gates: encoding axiom no-thin-air", "11 events, N gates: encoding axiom sc",
			"11 events, N gates: looking for a run that fails",
			"a failure was found: looking for data races",
		}},
		{"assert(a < 2);", []string{
			"running the program symbolically", "encoding the interaction of 2 threads",
			"8 events, N gates: encoding axiom whole", "8 events, N gates: encoding axiom coherence",
			"8 events, N gates: encoding axiom atomicity",
			"8 events, N gates: encoding axiom no-thin-air", "8 events, N gates: encoding axiom sc",
			"8 events, N gates: looking for a run that fails",
			"nothing fails: checking whether loops exceed their bound", "nothing fails: looking for data races",
		}},
	} {
		task.Files = []solver.SourceFile{{Name: "main.c", Text: `#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
void *t(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed); b = atomic_load_explicit(&x, memory_order_relaxed); return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(id, 0);
  ` + c.claim + "\n}\n"}}
		var heard []string
		ctx := solver.Following(context.Background(), func(v *solver.Verification) {
			if heard = append(heard, gates.ReplaceAllString(v.SoFar, "N gates")); v.Status != "" || v.Failure != nil &&
				v.Open == nil || v.Model != "rc11" || v.Engine != "axiomatic" {
				t.Errorf("heard on the way: %+v", v)
			}
		})
		v, err := engines.Run(ctx, task)
		if err != nil || v.SoFar != "" {
			t.Fatal(v, err)
		}
		if !slices.Equal(heard, c.want) {
			t.Errorf("%s: heard %q, want %q", c.claim, heard, c.want)
		}
	}
}

// A verdict that precedes the checks of loop bounds and of memory's lifetimes is final if a limit ends these: the
// answer then has a remark that these are unknown. The same is true of a failure before the search for data races.
func TestLimitsLeaveTheVerdictThatIsThere(t *testing.T) {
	task := solver.VerifyTask{
		Path: "main.c", Model: "sc", Engine: "axiomatic", Options: solver.DefaultOptions(),
		Files: []solver.SourceFile{{Name: "main.c", Text: `#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) shared;
void *t(void *p) {
  int *mine = atomic_exchange(&shared, 0);
  if (mine) { assert(*mine == 1); free(mine); }
  return 0;
}
int main(void) {
  pthread_t a, b;
  int *first = malloc(sizeof *first);
  *first = 1;
  atomic_store(&shared, first);
  pthread_create(&a, 0, t, 0);
  pthread_create(&b, 0, t, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`}},
	}
	v, stood := whatStood(t, task)
	if v.Verdict != solver.Safe || !v.Complete || len(v.Remarks) > 0 {
		t.Fatal(v)
	}
	if len(stood) < 2 {
		t.Fatalf("told %d times of the verdict before memory's lives are looked at", len(stood))
	}
	for n, so := range stood {
		var open []string
		for _, r := range so.Remarks {
			open = append(open, r.Message)
		}
		want := []string{"accesses of memory after its lifetime, which are undefined behaviour, are not excluded: " +
			"time limit of 3s reached"}
		if n == 0 {
			want = slices.Insert(want, 0, "nothing fails within the loop bound, but a loop may exceed "+
				"it: time limit of 3s reached")
			so.Complete, so.Bounds, so.Short = true, v.Bounds, nil
		}
		if !slices.Equal(open, want) {
			t.Errorf("remarks %q, want %q", open, want)
		}
		if so.Cut != "time limit of 3s reached" {
			t.Errorf("cut by %q", so.Cut)
		}
		if so.Remarks, so.Cut = nil, ""; !reflect.DeepEqual(so, v) {
			t.Errorf("the limit leaves\n%+v, want\n%+v", so, v)
		}
	}

	task.Model, task.Properties = "rc11", []ir.Property{ir.Assertion} // the search meets the race on the way
	task.Files[0].Text = strings.Replace(task.Files[0].Text, "assert(*mine == 1)", "assert(*mine == 2)", 1)
	v, stood = whatStood(t, task)
	if len(stood) != 1 || len(stood[0].Remarks) != 1 || !strings.Contains(stood[0].Remarks[0].Message, "data race") {
		t.Fatalf("the limit leaves %+v", stood)
	}
	if so := stood[0]; so.Verdict != solver.Unsafe || !reflect.DeepEqual(so.Failure, v.Failure) {
		t.Errorf("the limit leaves\n%+v, want\n%+v", so, v)
	}
}

// whatStood runs a task, and returns the answers that a limit would have left once a part was final.
func whatStood(t *testing.T, task solver.VerifyTask) (v *solver.Verification, stood []*solver.Verification) {
	t.Helper()
	ctx := solver.Following(t.Context(), func(v *solver.Verification) {
		if v.Verdict != "" {
			stood = append(stood, v)
		}
	})
	v, err := engines.Run(ctx, task)
	if err != nil {
		t.Fatal(err)
	}
	v.MS, v.Stats = 0, nil
	for _, so := range stood {
		engines.Stop(so, task, "time limit of 3s reached")
		so.MS, so.Stats = 0, nil
	}
	return v, stood
}
