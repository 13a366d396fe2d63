package cmd

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"litmuscope/web"
	"litmuscope/web/server"
)

// newAlone is the web's handler within this process, for one user, whom no rate limits. config says the rest;
// db may be empty, for no cache. The caller calls close in the end.
func newAlone(
	ctx context.Context, workers int, db string, log *slog.Logger, config web.Config,
) (h http.Handler, close func(), err error) {
	if workers < 1 {
		return nil, nil, fmt.Errorf("--jobs: %d: want 1 or more", workers)
	}
	runner, closeRunner, err := newRunner(ctx, workers, db)
	if err != nil {
		return nil, nil, err
	}
	apart, err := newSandbox(workers, log)
	if err != nil {
		closeRunner()
		return nil, nil, err
	}
	close = func() { apart.pool.Close(); closeRunner() }
	config.Limits = server.DefaultLimits()
	config.Limits.Rate = 0
	config.Runner, config.Sandbox = runner, apart
	if h, err = web.New(config); err != nil {
		close()
		return nil, nil, err
	}
	return h, close, nil
}
