//go:build unix

package queue

import (
	"context"
	"log/slog"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"litmuscope/solver/suites"
)

// A queue whose disk was full for a while says so, and carries jobs again without anybody's starting it anew. The disk
// is a bound on the length of this process's files.
func TestEmbeddedOutlivesAFullDisk(t *testing.T) {
	q, err := Embedded(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	c := q.Coordinator("c")
	put := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		return c.Publish(ctx, &suites.Job{Version: "v", Suite: "s"})
	}
	if err := c.Publish(t.Context(), &suites.Job{Version: "v", Suite: "s"}); err != nil {
		t.Fatal(err)
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // the error is enough
	defer signal.Reset(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	refused, said := put(), q.Ready(t.Context())
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	if refused == nil {
		t.Error("a job was taken that could not be kept")
	}
	if said == nil {
		t.Error("the queue is said to be well")
	}
	for put() != nil || q.Ready(t.Context()) != nil {
		time.Sleep(100 * time.Millisecond)
	}
	if n, err := c.Backlog(t.Context()); err != nil || n < 2 {
		t.Errorf("%d jobs are left: %v", n, err)
	}
}
