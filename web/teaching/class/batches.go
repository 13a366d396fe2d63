package class

import (
	"context"
	"sync"
)

// batches stores values in batches: all that arrive while a batch is stored form the next batch, so a value does not
// wait for two hundred others one by one.
type batches[T any] struct {
	save func(context.Context, []T) error

	mu      sync.Mutex
	pending []pendingValue[T]
	busy    bool // somebody is storing
}

type pendingValue[T any] struct {
	value  T
	stored func(error)
	done   chan error
}

// add stores a value, and then calls stored, with the error if there is one. It stores the value even if the context
// ends meanwhile.
func (b *batches[T]) add(ctx context.Context, value T, stored func(error)) error {
	p := pendingValue[T]{value, stored, make(chan error, 1)}
	b.mu.Lock()
	b.pending = append(b.pending, p)
	if !b.busy {
		b.busy = true
		go b.saveAll()
	}
	b.mu.Unlock()
	select {
	case err := <-p.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *batches[T]) saveAll() {
	for {
		b.mu.Lock()
		batch := b.pending
		b.pending = nil
		if b.busy = len(batch) > 0; !b.busy {
			b.mu.Unlock()
			return
		}
		b.mu.Unlock()
		values := make([]T, len(batch))
		for i, p := range batch {
			values[i] = p.value
		}
		ctx, cancel := context.WithTimeout(context.Background(), saving)
		err := b.save(ctx, values)
		cancel()
		for _, p := range batch {
			p.stored(err)
			p.done <- err
		}
	}
}
