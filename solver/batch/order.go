package batch

import (
	"context"
	"iter"
	"sync"
)

// ahead is how many items for each worker may wait for their turn.
const ahead = 64

// InOrder does work on the items of in, on several workers at once, and hands the results to out in the order of the
// items, each as soon as those before it are there. Each worker has only so many items in work or waiting for their
// turn, so that a slow item costs no memory. When the context ends, InOrder begins no further item; it still hands out
// those that it has begun. An error of out ends it all. With several workers, in runs in another goroutine than out: it
// must not read what out writes.
func InOrder[T, R any](ctx context.Context, workers int, in iter.Seq[T],
	work func(context.Context, T) R, out func(R) error,
) error {
	if workers == 1 {
		return oneByOne(ctx, in, work, out)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type job struct {
		item   T
		result chan R // of one result
	}
	jobs := make(chan job)
	turns := make(chan chan R, ahead*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for j := range jobs {
				j.result <- work(ctx, j.item)
			}
		})
	}
	group.Go(func() {
		defer close(turns)
		defer close(jobs)
		for item := range in {
			j := job{item, make(chan R, 1)}
			select {
			case turns <- j.result:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				close(j.result) // its turn comes, but no worker began it
				return
			}
		}
	})
	var err error
	for turn := range turns {
		r, begun := <-turn
		if !begun || err != nil {
			continue
		}
		if err = out(r); err != nil {
			cancel()
		}
	}
	group.Wait()
	return err
}

// oneByOne is InOrder for a worker that nobody is to wait for: handing an item from one goroutine to another may wake a
// thread each time, which takes as long as a small test does.
func oneByOne[T, R any](ctx context.Context, in iter.Seq[T], work func(context.Context, T) R, out func(R) error) error {
	for item := range in {
		if ctx.Err() != nil {
			return nil
		}
		if err := out(work(ctx, item)); err != nil {
			return err
		}
	}
	return nil
}
