package axiomatic_test

import (
	"context"
	"strings"
	"testing"

	"litmuscope/litmus/c/cprog"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// over is a context whose time is over when somebody says so.
type over struct {
	context.Context
	done chan struct{}
	then []func()
}

func (o *over) end() {
	close(o.done)
	for _, f := range o.then {
		f()
	}
}

// AfterFunc has contexts that come of this one end at once.
func (o *over) AfterFunc(f func()) (stop func() bool) {
	o.then = append(o.then, f)
	return func() bool { return true }
}

func (o *over) Done() <-chan struct{} { return o.done }

func (o *over) Err() error {
	select {
	case <-o.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// "No failure within the bound of loops" is an answer, even if the time limit comes before it is known whether loops
// exceed the bound.
func TestTimeOverAtTheBound(t *testing.T) {
	source := cprog.Source{Files: []cprog.File{{Name: "loop.c", Text: `#include <assert.h>
#include <stdatomic.h>
#include <pthread.h>
atomic_int x, y;
void *other(void *arg) { atomic_store(&x, 1); atomic_store(&x, 2); return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	int seen = 0, before;
	do {
		before = seen;
		seen = atomic_load(&x);
	} while (!seen && atomic_load(&y) < 3);
	assert(before <= seen);
	pthread_join(t, 0);
}
`}}}
	m, _ := models.Find("tso")
	p, err := cprog.Lower(t.Context(), source, cprog.Options{Unroll: 2, Target: cprog.Target(m.Target())})
	if err != nil {
		t.Fatal(err)
	}
	for _, phase := range []struct{ words, verdict, remark string }{
		{
			"checking whether loops exceed their bound", "safe",
			"a loop may exceed it: time limit",
		},
		{"never", "safe", ""},
	} {
		ctx := &over{Context: t.Context(), done: make(chan struct{})}
		q := solver.Query{Program: p, Model: m, Options: solver.DefaultOptions(), Progress: func(words string) {
			if strings.Contains(words, phase.words) {
				ctx.end()
			}
		}}
		v, err := axiomatic.Engine{}.Verify(ctx, q, solver.Verify{})
		if err != nil {
			t.Fatal(err)
		}
		remark := ""
		for _, r := range v.Remarks {
			remark += r.Message
		}
		if string(v.Verdict) != phase.verdict || v.Complete || !strings.Contains(remark, phase.remark) ||
			phase.remark == "" && remark != "" {
			t.Errorf("time is over while it is %q: %s, complete %v, %q, want %s and %q", phase.words, v.Verdict,
				v.Complete, remark, phase.verdict, phase.remark)
		}
	}
}
