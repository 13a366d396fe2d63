package batch

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func TestInOrder(t *testing.T) {
	var items, got []int
	for i := range 1000 {
		items = append(items, i)
	}
	var begun, printed, most atomic.Int64
	err := InOrder(t.Context(), 4, slices.Values(items), func(_ context.Context, i int) int {
		most.Store(max(most.Load(), begun.Add(1)-printed.Load()))
		time.Sleep(time.Duration(i*7%5) * 100 * time.Microsecond)
		return i
	}, func(i int) error {
		printed.Add(1)
		got = append(got, i)
		return nil
	})
	if err != nil || !slices.Equal(got, items) {
		t.Errorf("%v, %v", got, err)
	}
	if most.Load() > ahead*4+4+1 {
		t.Errorf("%d items ahead", most.Load())
	}
}

func TestInOrderEnds(t *testing.T) {
	forever := func(yield func(int) bool) {
		for i := 0; yield(i); i++ {
		}
	}
	same := func(_ context.Context, i int) int { return i }

	for workers := 1; workers <= 2; workers++ {
		ctx, cancel := context.WithCancel(t.Context())
		last := -1
		err := InOrder(ctx, workers, forever, same, func(i int) error {
			if last++; i != last {
				t.Errorf("got %d, want %d", i, last)
			}
			if i == 10 {
				cancel()
			}
			return nil
		})
		if err != nil || last < 10 || last > 10+2*ahead+10 {
			t.Error(workers, last, err)
		}

		full := errors.New("disk full")
		if err := InOrder(t.Context(), workers, forever, same, func(int) error { return full }); !errors.Is(err, full) {
			t.Error(workers, err)
		}
	}
}
