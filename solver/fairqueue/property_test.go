package fairqueue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"litmuscope/solver"
)

// arrival is a task of a client, at a time, that takes some time; its client may leave.
type arrival struct {
	client             int
	at, takes, leaving time.Duration
}

// Whatever the order of arrivals, every task gets exactly one answer, no bound is exceeded, and no slot is free while a
// task could use it.
func TestEveryTaskIsAnsweredOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		ms := func(most int) *rapid.Generator[time.Duration] {
			return rapid.Map(rapid.IntRange(0, most),
				func(n int) time.Duration { return time.Duration(n) * time.Millisecond })
		}
		slots := rapid.IntRange(1, 3)
		c := Config{
			QuickSlots: slots.Draw(r, "quick"), SlowSlots: slots.Draw(r, "slow"),
			PerClient: rapid.IntRange(0, 3).Draw(r, "per client"), MaxWaiting: rapid.IntRange(1, 20).Draw(r, "waiting"),
		}
		arrivals := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) arrival {
			a := arrival{client: rapid.IntRange(0, 4).Draw(r, "client"), at: ms(5000).Draw(r, "at"), leaving: time.Hour}
			a.takes = rapid.OneOf(ms(20), ms(3000)).Draw(r, "takes")
			if rapid.IntRange(0, 3).Draw(r, "leaves") == 0 {
				a.leaving = ms(3000).Draw(r, "leaving")
			}
			return a
		}), 0, 40).Draw(r, "arrivals")
		var wrong []string
		synctest.Test(t, func(t *testing.T) { wrong = simulate(t, c, arrivals) })
		if len(wrong) > 0 {
			r.Fatal(wrong)
		}
	})
}

// census counts what runs, by lane and client.
type census struct {
	mu      sync.Mutex
	c       Config
	running map[string]int
	runs    map[string]int
	wrong   []string
}

func (c *census) complain(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// counter is the runner of a lane.
type counter struct {
	sleeper
	slots  int
	census *census
}

func (c counter) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	id, _ := ctx.Value(clientKey{}).(string)
	count := func(n int) {
		c.census.mu.Lock()
		defer c.census.mu.Unlock()
		c.census.running[c.lane] += n
		c.census.running[c.lane+id] += n
		if c.census.running[c.lane] > c.slots || c.census.c.PerClient > 0 &&
			c.census.running[c.lane+id] > c.census.c.PerClient {
			c.census.wrong = append(c.census.wrong, "too much runs")
		}
		if n > 0 {
			c.census.runs[c.lane+t.Path]++
		}
	}
	count(1)
	defer count(-1)
	return c.sleeper.Run(ctx, t)
}

func simulate(t *testing.T, c Config, arrivals []arrival) []string {
	all := &census{c: c, running: map[string]int{}, runs: map[string]int{}}
	quick, slow := sleepers()
	c.Quick, c.Slow = counter{quick, c.QuickSlots, all}, counter{slow, c.SlowSlots, all}
	turns := New(c)
	answers := make([]int, len(arrivals))
	var wg sync.WaitGroup
	for i, a := range arrivals {
		wg.Go(func() {
			time.Sleep(a.at)
			path := fmt.Sprint(" task ", i)
			ctx, cancel := context.WithTimeout(WithClient(context.Background(), fmt.Sprint(" client ", a.client), ""),
				a.leaving)
			defer cancel()
			r, err := solver.Ask(ctx, turns, task(path, a.takes.String()))
			answers[i]++
			var busy *Busy
			switch {
			case err == nil && r.Path == path && r.Status == solver.OK:
				// In between, it may have given up its slot.
				if slow := r.Engine == "slow"; a.takes > time.Second && !slow || a.takes < leastQuick && slow {
					all.complain("%s of %v ended in the %s lane", path, a.takes, r.Engine)
				}
			case errors.As(err, &busy):
			case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
			default:
				all.complain("%s: %+v, %v", path, r, err)
			}
		})
	}
	for range 60 {
		time.Sleep(100*time.Millisecond + time.Microsecond)
		synctest.Wait()
		for _, l := range []*lane{turns.quick, turns.slow} {
			l.mu.Lock()
			waiting := 0
			for id, c := range l.clients {
				waiting += c.waiting.Len()
				if l.stats.Running < l.slots && c.running < l.perClient && c.waiting.Len() > 0 {
					all.complain("%s waits beside a free slot", id)
				}
			}
			if waiting != l.stats.Waiting || waiting > l.maxWaiting {
				all.complain("%d wait, and %d are counted", waiting, l.stats.Waiting)
			}
			l.mu.Unlock()
		}
	}
	wg.Wait()
	idle(t, turns)
	for i, n := range answers {
		if n != 1 {
			all.complain("task %d has %d answers", i, n)
		}
	}
	for task, n := range all.runs {
		if n > 1 {
			all.complain("%s ran %d times", task, n)
		}
	}
	return all.wrong
}

// What a turn costs by itself, alone and in a crowd.
func BenchmarkTurn(b *testing.B) {
	nothing := func(context.Context) error { return nil }
	b.Run("alone", func(b *testing.B) {
		t := New(Config{QuickSlots: 2, SlowSlots: 1})
		for b.Loop() {
			if err := t.Do(b.Context(), nothing); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("crowd", func(b *testing.B) {
		t := New(Config{QuickSlots: 2, SlowSlots: 1, MaxWaiting: 1 << 20})
		b.SetParallelism(200)
		b.RunParallel(func(pb *testing.PB) {
			ctx := WithClient(b.Context(), fmt.Sprintf("%p", pb), "")
			for pb.Next() {
				if err := t.Do(ctx, nothing); err != nil {
					b.Error(err)
				}
			}
		})
	})
}
