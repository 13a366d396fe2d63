package webtest

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/pool"
	"litmuscope/store"
	"litmuscope/web"
	"litmuscope/web/server"
)

// Links keeps permalinks in memory.
type Links struct {
	mu   sync.Mutex
	Kept []store.Link
}

// SaveLink implements [textpage.LinkStore].
func (l *Links) SaveLink(_ context.Context, link store.Link) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Kept = append(l.Kept, link)
	return string(rune('a' + len(l.Kept) - 1)), nil
}

// Link implements [textpage.LinkStore].
func (l *Links) Link(_ context.Context, id string) (store.Link, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := int(id[0] - 'a'); len(id) == 1 && i >= 0 && i < len(l.Kept) {
		return l.Kept[i], nil
	}
	return store.Link{}, store.ErrNoLink
}

// InProcess is a Sandbox that runs untrusted work in this process.
type InProcess struct{}

// Do runs the work in this process.
func (InProcess) Do(ctx context.Context, w pool.Work, question, into any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := json.Marshal(question)
	if err != nil {
		return err
	}
	answer, err := w.Do(text, func(soFar any) {
		if text, err := json.Marshal(soFar); err == nil {
			pool.PassPartial(ctx, text)
		}
	})
	if err != nil {
		return err
	}
	if text, err = json.Marshal(answer); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// TestConfig returns a configuration with a runner, the default limits, links in memory, and all work in this process.
func TestConfig(runner solver.Runner) web.Config {
	return web.Config{
		Config: server.Config{Log: slog.New(slog.DiscardHandler), Limits: server.DefaultLimits()},
		Runner: runner, Sandbox: InProcess{}, Links: &Links{},
	}
}

// NewHandler returns the handler of all pages with a runner.
func NewHandler(t *testing.T, runner solver.Runner) http.Handler {
	t.Helper()
	h, err := web.New(TestConfig(runner))
	if err != nil {
		t.Fatal(err)
	}
	return h
}
