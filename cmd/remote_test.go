package cmd

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/web/api/client"
)

// addsOf returns a program of five threads that add to x and y; n of them also add to z. It has 5!·5!·n! executions.
const addsOf = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y, z;
#define T(n) void *t##n(void *p) { atomic_fetch_add(&x, n); atomic_fetch_add(&y, n); if (n <= Z) atomic_fetch_add(&z, n); return 0; }
T(1) T(2) T(3) T(4) T(5)
int main(void) {
  pthread_t id[5];
  pthread_create(&id[0], 0, t1, 0);
  pthread_create(&id[1], 0, t2, 0);
  pthread_create(&id[2], 0, t3, 0);
  pthread_create(&id[3], 0, t4, 0);
  pthread_create(&id[4], 0, t5, 0);
  for (int i = 0; i < 5; i++) pthread_join(id[i], 0);
  assert(x == 15 && y == 15);
}
`

// shortParts is a part's time. It is so short that the server gets much of the work, even on a fast machine.
const shortParts = 30 * time.Millisecond

// TestExplorationKilledAtAnyMoment kills server, workers and queue while they share one exploration. At the end the
// count has each execution once.
func TestExplorationKilledAtAnyMoment(t *testing.T) {
	adders, factorial := 3, 6
	if *kills > 10 {
		adders, factorial = 4, 24
	}
	at := newSite(t, true, t.TempDir(), "--rate", "0")
	parts := at.parts()
	c, err := client.New(at.url, "")
	if err != nil {
		t.Fatal(err)
	}
	runner, closeRunner, err := newRunner(t.Context(), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	defer closeRunner()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, seed))
	killed, begun, ended := 0, make(chan struct{}), make(chan struct{})
	var killing sync.WaitGroup
	killing.Go(func() {
		select {
		case <-begun: // the parts are the server's
		case <-ended:
		}
		for killed < *kills {
			select {
			case <-ended:
				return
			case <-time.After(time.Duration(100+random.IntN(900)) * time.Millisecond):
			}
			p := parts[random.IntN(len(parts))]
			p.kill()
			killed++
			time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
			p.start(t)
		}
	})
	begins := sync.OnceFunc(func() { close(begun) })
	last := ""
	task := solver.VerifyTask{
		Path: "adds.c", Files: []solver.SourceFile{{Name: "adds.c", Text: addsOf}},
		Defines: []string{fmt.Sprint("Z=", adders)}, Model: "rc11", Engine: "graphs",
		Options: solver.DefaultOptions(), Verify: solver.Verify{Count: true},
	}
	task.Options.Timeout = 0
	v, err := solver.Ask(t.Context(), &client.Parts{
		Runner: runner, Client: c, Each: shortParts, Said: func(text string) { begins(); last = text },
	}, task)
	close(ended)
	killing.Wait()
	if want := 120 * 120 * factorial; err != nil || v.Status != solver.OK || v.Verdict != solver.Safe ||
		v.Executions == nil || *v.Executions != want {
		t.Fatalf("after %d kills there are other than %d executions: %+v, %v", killed, want, v, err)
	}
	t.Logf("%d were killed; %s", killed, last)
	if killed == 0 {
		t.Error("it was over before anything was killed")
	}
}

// failsLate is addsOf with an assertion that fails in few executions, none of them early.
const failsLate = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y, z;
#define T(n) void *t##n(void *p) { \
  int a = atomic_fetch_add(&x, n), b = atomic_fetch_add(&y, n), c = n > 4 ? 0 : atomic_fetch_add(&z, n); \
  assert(n != 2 || a != 13 || b != 0 || c != 8); return 0; }
T(1) T(2) T(3) T(4) T(5)
int main(void) {
  pthread_t id[5];
  pthread_create(&id[0], 0, t1, 0);
  pthread_create(&id[1], 0, t2, 0);
  pthread_create(&id[2], 0, t3, 0);
  pthread_create(&id[3], 0, t4, 0);
  pthread_create(&id[4], 0, t5, 0);
  for (int i = 0; i < 5; i++) pthread_join(id[i], 0);
}
`

// After the answer or the time limit, a server's workers stop working on an exploration.
func TestExplorationEndsEarly(t *testing.T) {
	at := newSite(t, false, t.TempDir(), "--rate", "0")
	at.ready(t)
	c, err := client.New(at.url, "")
	if err != nil {
		t.Fatal(err)
	}
	runner, closeRunner, err := newRunner(t.Context(), 1, "")
	if err != nil {
		t.Fatal(err)
	}
	defer closeRunner()
	for _, test := range []struct {
		text    string
		count   bool
		timeout time.Duration
		want    func(v *solver.Verification) bool
	}{
		{
			failsLate, false, 0,
			func(v *solver.Verification) bool { return v.Verdict == solver.Unsafe && v.Failure != nil },
		},
		{addsOf, true, 2 * time.Second, func(v *solver.Verification) bool {
			return v.Status == solver.Unknown && strings.Contains(v.Reason, "s reached after ")
		}},
	} {
		suite := ""
		said := func(text string) {
			if _, after, ok := strings.Cut(text, "suite "); ok {
				suite, _, _ = strings.Cut(after, ":")
			}
		}
		task := solver.VerifyTask{
			Path: "adds.c", Files: []solver.SourceFile{{Name: "adds.c", Text: test.text}}, Defines: []string{"Z=5"},
			Model: "sc", Engine: "graphs",
			Options: solver.DefaultOptions(), Verify: solver.Verify{Count: test.count},
		}
		// On a busy machine, the time limit may pass before the server gets a part.
		for task.Options.Timeout = test.timeout; suite == ""; task.Options.Timeout *= 2 {
			v, err := solver.Ask(t.Context(), &client.Parts{Runner: runner, Client: c, Each: shortParts, Said: said},
				task)
			if err != nil || !test.want(v) {
				t.Fatalf("%v: %+v", err, v)
			}
		}
		found, err := c.Suite(t.Context(), suite)
		// All parts may be complete when the answer arrives.
		if err != nil || found.State != client.Cancelled && found.Done < found.Tests {
			t.Errorf("%v: the suite %q: %+v", err, suite, found)
		}
	}
}
