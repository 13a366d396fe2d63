package fairqueue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"litmuscope/solver"
)

// sleeper is a runner whose tasks take as long as their source says, by the bubble's
// clock. It notes which began, in order.
type sleeper struct {
	lane  string
	mu    *sync.Mutex
	began *[]string
}

func sleepers() (quick, slow sleeper) {
	var mu sync.Mutex
	var began []string
	return sleeper{"quick", &mu, &began}, sleeper{"slow", &mu, &began}
}

// order is what began so far.
func (s sleeper) order() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(*s.began)
}

func (s sleeper) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	s.mu.Lock()
	*s.began = append(*s.began, s.lane+" "+t.Path)
	s.mu.Unlock()
	takes, err := time.ParseDuration(t.Source)
	if err != nil {
		return nil, err
	}
	if limit := t.Options.Timeout; limit > 0 && limit < takes {
		time.Sleep(limit)
		return &solver.Result{Path: t.Path, Status: solver.Unknown}, nil
	}
	select {
	case <-time.After(takes):
		return &solver.Result{Path: t.Path, Engine: s.lane, Status: solver.OK}, nil
	case <-ctx.Done():
		return &solver.Result{Path: t.Path, Status: solver.Unknown}, ctx.Err()
	}
}

func task(path, takes string) solver.Task { return solver.Task{Path: path, Source: takes} }

// as runs a task for a client in the background.
func as(t *testing.T, turns *Queue, client string, task solver.Task, then func(*solver.Result, error)) {
	ctx := WithClient(t.Context(), client, "")
	go func() {
		r, err := solver.Ask(ctx, turns, task)
		if then != nil {
			then(r, err)
		}
	}()
	synctest.Wait()
}

// pass lets time pass, and waits for all work that ends within it.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// idle fails if the queue still has an entry of a client.
func idle(t *testing.T, turns *Queue) {
	t.Helper()
	for _, l := range []*lane{turns.quick, turns.slow} {
		if s := l.now(); s.Waiting != 0 || s.Running != 0 || len(l.clients) != 0 || l.ready.Len() != 0 {
			t.Errorf("left behind: %+v, %d clients, %d ready", s, len(l.clients), l.ready.Len())
		}
	}
}

func TestClientsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, _ := sleepers()
		turns := New(Config{Quick: quick, QuickSlots: 1, SlowSlots: 1, MaxWaiting: 300})
		for i := range 100 {
			as(t, turns, "A", task(fmt.Sprint("A", i), "100ms"), nil)
		}
		for i := range 2 {
			as(t, turns, "B", task(fmt.Sprint("B", i), "100ms"), nil)
		}
		as(t, turns, "C", task("C0", "100ms"), nil)
		pass(time.Minute)
		want := []string{"quick A0", "quick B0", "quick C0", "quick A1", "quick B1", "quick A2", "quick A3"}
		if got := quick.order()[:len(want)]; !slices.Equal(got, want) {
			t.Errorf("began %q, want %q", got, want)
		}
		if len(quick.order()) != 103 {
			t.Error(len(quick.order()), "began, want 103")
		}
		idle(t, turns)
	})
}

// Forty endless questions of one visitor cost another no more than the quick lane's
// patience, however many there are before.
func TestSlowWorkDoesNotDelayQuickWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := sleepers()
		turns := New(Config{Quick: quick, Slow: slow, QuickSlots: 1, SlowSlots: 1, MaxWaiting: 100})
		for i := range 40 {
			as(t, turns, "A", task(fmt.Sprint("A", i), "1h"), nil)
		}
		for range 50 {
			start := time.Now()
			as(t, turns, "B", task("SB", "10ms"), func(r *solver.Result, err error) {
				if err != nil || r.Engine != "quick" {
					t.Errorf("got %+v, %v", r, err)
				}
				if took := time.Since(start); took > time.Second+10*time.Millisecond {
					t.Error("a quick task took", took)
				}
			})
			pass(3 * time.Second)
		}
		pass(41 * time.Hour)
		s := turns.Stats()
		if s.Moved != 40 || s.Slow.Done != 40 || s.Quick.Done != 90 || s.Slow.Ran != 40*time.Hour {
			t.Errorf("%+v", s)
		}
		idle(t, turns)
	})
}

func TestSlowLaneIsFairToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := sleepers()
		turns := New(Config{Quick: quick, Slow: slow, QuickSlots: 4, SlowSlots: 1})
		for i := range 8 {
			as(t, turns, "A", task(fmt.Sprint("A", i), "1m"), nil)
		}
		var took time.Duration
		start := time.Now()
		as(t, turns, "B", task("B", "1m"), func(r *solver.Result, err error) {
			took = time.Since(start)
			if err != nil || r.Engine != "slow" {
				t.Errorf("got %+v, %v", r, err)
			}
		})
		pass(time.Hour)
		// One of A's before it, and the one that was running.
		if took == 0 || took > 3*time.Minute+3*time.Second {
			t.Error("took", took)
		}
	})
}

// A limit that comes before the quick lane's patience makes the answer, and there is
// no other run.
func TestOwnLimitComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := sleepers()
		turns := New(Config{Quick: quick, Slow: slow, QuickSlots: 1, SlowSlots: 1})
		for limit, want := range map[time.Duration][]string{
			time.Second:     {"quick x"},
			2 * time.Second: {"quick x", "slow x"},
		} {
			*quick.began = nil
			x := task("x", "1h")
			x.Options.Timeout = limit
			r, err := solver.Ask(t.Context(), turns, x)
			if err != nil || r.Status != solver.Unknown || !slices.Equal(*quick.began, want) {
				t.Errorf("%v: got %+v, %v after %q, want %q", limit, r, err, *quick.began, want)
			}
		}
	})
}

func TestPerClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := sleepers()
		turns := New(Config{Quick: quick, Slow: slow, QuickSlots: 4, SlowSlots: 4, PerClient: 3})
		for i := range 20 {
			as(t, turns, "A", task(fmt.Sprint("A", i), "1m"), nil)
		}
		for range 120 {
			s := turns.Stats()
			if s.Quick.Running > 3 || s.Slow.Running > 3 {
				t.Fatalf("%+v", s)
			}
			pass(500 * time.Millisecond)
		}
		if s := turns.Stats(); s.Slow.Running != 3 {
			t.Errorf("%+v", s)
		}
		as(t, turns, "B", task("B", "1ms"), nil)
		pass(time.Millisecond)
		if b := quick.order(); b[len(b)-1] != "quick B" {
			t.Error("B is not next:", b)
		}
		pass(time.Hour)
	})
}

func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := sleepers()
		turns := New(
			Config{Quick: quick, Slow: slow, QuickSlots: 1, SlowSlots: 1, Patience: 10 * time.Second, MaxWaiting: 12})
		as(t, turns, "somebody", task("x", "4s"), nil)
		pass(5 * time.Second) // so that the queue expects a run to take 4 s
		// Half, a third of the rest and so on: what each gets to wait beside the others.
		for i, want := range []int{6, 3, 2, 1, 0} {
			client := fmt.Sprint("client ", i)
			if i == 0 {
				want++ // runs
			}
			accepted := 0
			for range 20 {
				var refused *Busy
				as(t, turns, client, task("x", "4s"), func(_ *solver.Result, err error) {
					if errors.As(err, &refused) && refused.RetryAfter < time.Second {
						t.Error("retry after", refused.RetryAfter)
					}
				})
				if refused == nil {
					accepted++
				}
			}
			if accepted != want {
				t.Errorf("%s: %d accepted, want %d", client, accepted, want)
			}
		}
		if s := turns.Stats().Quick; s.Waiting != 12 || s.Refused != 5*20-13 {
			t.Errorf("%+v", s)
		}
		var busy *Busy
		for range 3 {
			as(t, turns, "client 4", task("x", "4s"), func(_ *solver.Result, err error) { errors.As(err, &busy) })
		}
		if busy == nil || busy.RetryAfter < 44*time.Second || busy.RetryAfter > 60*time.Second {
			t.Errorf("got %v, want about 12 times 4 s", busy)
		}
		pass(time.Hour)
		idle(t, turns)
	})
}

func TestCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quick, slow := sleepers()
		turns := New(Config{Quick: quick, Slow: slow, QuickSlots: 1, SlowSlots: 1})
		run := func(takes string) (cancel func() error) {
			ctx, stop := context.WithCancel(WithClient(t.Context(), "A", ""))
			done := make(chan error, 1)
			go func() {
				_, err := solver.Ask(ctx, turns, task(takes, takes))
				done <- err
			}()
			synctest.Wait()
			return func() error {
				stop()
				synctest.Wait()
				select {
				case err := <-done:
					return err
				default:
					return errors.New("still there")
				}
			}
		}
		slowOne := run("1h")
		pass(2 * time.Second)
		waitsSlow := run("2h")
		pass(2 * time.Second)
		runs := run("900ms")
		waits, behind := run("1ms"), run("2ms")
		for name, cancel := range map[string]func() error{
			"waiting in the quick lane": waits, "running in the slow lane": slowOne,
			"waiting in the slow lane": waitsSlow,
		} {
			if err := cancel(); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if err := runs(); !errors.Is(err, context.Canceled) {
			t.Error("running in the quick lane:", err)
		}
		pass(2 * time.Millisecond)
		if err := behind(); err != nil {
			t.Error("the one behind:", err)
		}
		if s := turns.Stats(); s.Quick.GaveUp != 1 || s.Slow.GaveUp+s.Slow.Done != 2 {
			t.Errorf("%+v", s)
		}
		idle(t, turns)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := solver.Ask(ctx, turns, task("x", "1ms")); !errors.Is(err, context.Canceled) {
			t.Error("got", err)
		}
	})
}

// Work of any kind takes the same way as tasks, and a panic gives its slot back.
func TestDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := New(Config{QuickSlots: 1, SlowSlots: 1})
		own := errors.New("own")
		if err := turns.Do(t.Context(), func(context.Context) error { return own }); !errors.Is(err, own) {
			t.Error("got", err)
		}
		var lanes []bool
		err := turns.Do(t.Context(), func(ctx context.Context) error {
			lanes = append(lanes, ctx.Value(slowKey{}) != nil)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Minute):
				return nil
			}
		})
		if err != nil || !slices.Equal(lanes, []bool{false, true}) {
			t.Error("got", err, lanes)
		}
		func() {
			defer func() { _ = recover() }()
			_ = turns.Do(t.Context(), func(context.Context) error { panic("oh") })
			t.Error("the panic was swallowed")
		}()
		idle(t, turns)
	})
}
