package fairqueue

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"litmuscope/solver"
)

// of runs a task for a client of a network in the background.
func of(t *testing.T, q *Queue, client, network string, task solver.Task, then func(*solver.Result, error)) {
	ctx := WithClient(t.Context(), client, network)
	go func() {
		r, err := solver.Ask(ctx, q, task)
		if then != nil {
			then(r, err)
		}
	}()
	synctest.Wait()
}

// The queue serves the client that has had least work lately, not the one that has waited longest. A network counts as
// four clients, and work of long ago counts nothing.
func TestLeastServedClientIsNext(t *testing.T) {
	type had struct {
		client, network string
		takes           string
	}
	for _, test := range []struct {
		name  string
		had   []had         // done before, in this order
		pause time.Duration // between that and the questions
		asks  []had         // in this order, behind somebody's question that occupies the only slot
		want  []string
	}{
		{
			"the lighter client",
			[]had{{"A", "", "10s"}, {"B", "", "2s"}},
			0,
			[]had{{"A", "", ""}, {"B", "", ""}, {"C", "", ""}},
			[]string{"C", "B", "A"},
		},
		{
			"the one that waited longest, of equals", nil, 0,
			[]had{{"A", "", ""}, {"B", "", ""}, {"C", "", ""}},
			[]string{"A", "B", "C"},
		},
		{
			"a day later",
			[]had{{"A", "", "10s"}},
			24 * time.Hour,
			[]had{{"A", "", ""}, {"B", "", ""}},
			[]string{"A", "B"},
		},
		{
			"the lighter network",
			[]had{
				{"N1", "N", "1s"},
				{"N2", "N", "1s"},
				{"N3", "N", "1s"},
				{"N4", "N", "1s"},
				{"N5", "N", "1s"},
				{"N6", "N", "1s"},
				{"N7", "N", "1s"},
				{"N8", "N", "1s"},
				{"A", "", "1500ms"},
			},
			0,
			[]had{{"N9", "N", ""}, {"N1", "N", ""}, {"A", "", ""}, {"B", "", ""}},
			[]string{"B", "A", "N9", "N1"},
		},
		{
			"a client that exceeds its network's share",
			[]had{{"N1", "N", "2s"}, {"A", "", "1s"}},
			0,
			[]had{{"N1", "N", ""}, {"A", "", ""}, {"N2", "N", ""}},
			[]string{"N2", "A", "N1"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				quick, slow := sleepers()
				q := New(Config{Quick: quick, Slow: slow, QuickSlots: 1, SlowSlots: 1, Patience: time.Minute})
				for _, h := range test.had {
					of(t, q, h.client, h.network, task("before", h.takes), nil)
					takes, err := time.ParseDuration(h.takes)
					if err != nil {
						t.Fatal(err)
					}
					pass(takes)
				}
				pass(test.pause)
				before := len(quick.order()) + 1
				of(t, q, "occupant", "", task("occupies", "1ms"), nil)
				for _, h := range test.asks {
					of(t, q, h.client, h.network, task(h.client, "1ms"), nil)
				}
				pass(time.Second)
				var want []string
				for _, client := range test.want {
					want = append(want, "quick "+client)
				}
				if got := quick.order()[before:]; !slices.Equal(got, want) {
					t.Errorf("began %q, want %q", got, want)
				}
				idle(t, q)
			})
		})
	}
}

// Long work leaves the quick lane only when a client waits there that has had much less work.
func TestLongWorkMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := sleepers()
		q := New(Config{Quick: quick, Slow: slow, QuickSlots: 1, SlowSlots: 1, Patience: 10 * time.Second})
		of(t, q, "A", "", task("long", "9s"), nil)
		pass(5 * time.Second)
		of(t, q, "A", "", task("another of A", "1ms"), nil)
		pass(time.Second)
		if got, want := quick.order(), []string{"quick long"}; !slices.Equal(got, want) {
			t.Errorf("began %q, want %q: a client makes no room for itself", got, want)
		}
		asked := time.Now()
		of(t, q, "B", "", task("short", "1ms"), func(r *solver.Result, err error) {
			if took := time.Since(asked); err != nil || r.Engine != "quick" || took > lookEvery+time.Millisecond {
				t.Errorf("got %+v, %v after %v", r, err, took)
			}
		})
		pass(time.Minute)
		got := quick.order()
		slices.Sort(got[1:]) // B's question and the rest of A's begin at the same time, in different lanes
		if want := []string{"quick long", "quick another of A", "quick short", "slow long"}; !slices.Equal(got, want) {
			t.Errorf("began %q, want %q", got, want)
		}
		idle(t, q)
	})
}

// Fifty clients that ask only long questions delay a short question of another client by less than a second, at every
// moment after each of them has had one turn.
func TestShortQuestionBesideHeavyClients(t *testing.T) {
	for _, networks := range []int{50, 1} {
		synctest.Test(t, func(t *testing.T) {
			quick, slow := sleepers()
			q := New(
				Config{Quick: quick, Slow: slow, QuickSlots: 2, SlowSlots: 1, Patience: time.Second, MaxWaiting: 1000})
			ctx, stop := context.WithCancel(t.Context())
			for i := range 50 {
				go func() {
					ctx := WithClient(ctx, fmt.Sprint("heavy", i), fmt.Sprint("network", i%networks))
					for ctx.Err() == nil {
						_, _ = solver.Ask(ctx, q, task("heavy", "5s"))
					}
				}()
			}
			pass(15 * time.Second)
			answered, longest := 0, time.Duration(0)
			for i := range 500 {
				asked := time.Now()
				of(t, q, fmt.Sprint("light", i), "", task("light", "20ms"), func(r *solver.Result, err error) {
					if err != nil || r.Engine != "quick" {
						t.Errorf("got %+v, %v", r, err)
					}
					answered++
					longest = max(longest, time.Since(asked))
				})
				pass(137 * time.Millisecond)
			}
			pass(5 * time.Second)
			if answered != 500 || longest > time.Second {
				t.Errorf("%d networks: %d of 500 answered, the last after %v", networks, answered, longest)
			}
			t.Logf("%d networks: the longest wait is %v", networks, longest)
			stop()
			pass(time.Minute)
			idle(t, q)
		})
	}
}
