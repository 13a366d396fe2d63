package pool

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// program is a task for a program in C of one file.
func program(text string) solver.VerifyTask {
	t := solver.VerifyTask{
		Path: "p.c", Files: []solver.SourceFile{{Name: "p.c", Text: text}}, Model: "tso",
		Options: solver.DefaultOptions(),
	}
	t.Properties = []ir.Property{ir.Assertion}
	return t
}

// much is a program whose threads would take for ever.
const much = `#include <pthread.h>
#include <assert.h>
int x[8];
void *t(void *p) {
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < 1000; j++)
      x[(i * j) % 8] += i ^ x[j % 8];
  return 0;
}
int main(void) {
  pthread_t id[8];
  for (int i = 0; i < 8; i++)
    pthread_create(&id[i], 0, t, 0);
  assert(x[0] == 3);
}
`

// Children verify programs within their limits, and an answer names its bounds.
func TestVerify(t *testing.T) {
	p, err := New(Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	v, err := solver.Ask(t.Context(), p, program("#include <assert.h>\nint main(void) { int x; assert(x != 3); }"))
	if err != nil || v.Verdict != solver.Unsafe || v.Failure.Line != 2 || v.Failure.Graph != nil {
		t.Fatalf("%+v, %v", v, err)
	}
	slow := program(much)
	slow.Options.Timeout = 300 * time.Millisecond
	v, err = solver.Ask(t.Context(), p, slow)
	if err != nil || v.Status != solver.Unknown || !strings.HasPrefix(v.Reason, "time limit of 300ms reached") ||
		v.Name != "p" || v.Model != "tso" {
		t.Errorf("%+v, %v", v, err)
	}
	large := program(much)
	large.Options.Timeout, large.Options.Memory = time.Minute, 48
	v, err = solver.Ask(t.Context(), p, large)
	if err != nil || v.Status != solver.Unknown ||
		v.Reason != "memory limit of 48 MiB reached (running the program symbolically)" {
		t.Errorf("%+v, %v", v, err)
	}
	v, err = solver.Ask(t.Context(), p, program("int main(void) {\n  return 1 +;\n}"))
	if err != nil || v.Status != solver.Failed || !strings.HasPrefix(v.Error, "p.c:2:13: ") || len(v.Faults) == 0 ||
		v.Faults[0].Line != 2 {
		t.Errorf("%+v, %v", v, err)
	}
}

// Engines that answer at the same time have a child each; whoever decides answers, the other's child ends, and the next
// question finds both as before.
func TestRace(t *testing.T) {
	p, err := New(Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	table := program(`#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
int *table;
void *t(void *p) { table[(long)p] = 1; return 0; }
int main(void) {
  pthread_t a, b;
  table = calloc(1000000, sizeof(int));
  for (int i = 0; i < 1000000; i++) table[i] = i;
  pthread_create(&a, 0, t, (void *)70000); pthread_create(&b, 0, t, (void *)999999);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(table[70000] == 1 && table[999998] == 999998);
}
`)
	fibonacci := program(`#include <pthread.h>
#include <assert.h>
int i = 1, j = 1;
void *t1(void *p) { for (int k = 0; k < 6; k++) i += j; return 0; }
void *t2(void *p) { for (int k = 0; k < 6; k++) j += i; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(i <= 377 && j <= 377);
}
`)
	fibonacci.Options.Unroll = 6
	for range 2 {
		for by, q := range map[string]solver.VerifyTask{"graphs": table, "axiomatic": fibonacci} {
			q.Model, q.Engine, q.Options.Timeout = "sc", engines.Auto, 0
			v, err := solver.Ask(t.Context(), p, q)
			if err != nil || v.Verdict != solver.Safe || v.Engine != by {
				t.Errorf("%v: %+v, want it safe by %s", err, v, by)
			}
		}
	}
	slow := fibonacci // there are millions of executions to count
	slow.Model, slow.Engine, slow.Count, slow.Options.Timeout = "sc", engines.Auto, true, 500*time.Millisecond
	v, err := solver.Ask(t.Context(), p, slow)
	if err != nil || v.Executions != nil {
		t.Errorf("%+v, %v", v, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	slow.Options.Timeout = 0
	time.AfterFunc(100*time.Millisecond, cancel)
	if v, err := solver.Ask(ctx, p, slow); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %+v, %v", v, err)
	}
}
