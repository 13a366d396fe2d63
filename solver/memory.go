package solver

import (
	"context"
	"fmt"
)

// NeedsMemory is the error of work that ended before it took memory that nobody had reserved for it. Whoever manages
// the memory does the work again once so many bytes are free.
type NeedsMemory struct{ Bytes int64 }

// Error says how much the work needs.
func (n *NeedsMemory) Error() string {
	return fmt.Sprintf("the question needs about %d MiB of memory", n.Bytes>>20)
}

type claimKey struct{}

// ClaimingMemory makes engines ask claim before they take much memory.
func ClaimingMemory(ctx context.Context, claim func(bytes int64) error) context.Context {
	return context.WithValue(ctx, claimKey{}, claim)
}

// ClaimMemory reserves the memory that the process is expected to have at its peak, in bytes, all told. Its error is a
// [*NeedsMemory] if others use the memory at present: the engine then returns that error. A claim replaces an earlier
// one. If nobody manages memory, there is nothing to reserve.
func ClaimMemory(ctx context.Context, bytes int64) error {
	if claim, managed := ctx.Value(claimKey{}).(func(int64) error); managed {
		return claim(bytes)
	}
	return nil
}
