package cmd

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"litmuscope/web"
	"litmuscope/web/server"
)

// newAlone returns the web handler for the single user of a command such as mcp or site, without a rate limit. It sets
// the limits, runner and sandbox of config; the caller sets the other fields. If db is empty, it caches no answers. The
// caller must call close.
func newAlone(
	ctx context.Context, workers int, db string, log *slog.Logger, config web.Config,
) (h http.Handler, close func(), err error) {
	if workers < 1 {
		return nil, nil, fmt.Errorf("--jobs: %d is out of range (1 or more)", workers)
	}
	runner, closeRunner, err := newRunner(ctx, workers, db)
	if err != nil {
		return nil, nil, err
	}
	box, err := newSandbox(workers, nil, log)
	if err != nil {
		closeRunner()
		return nil, nil, err
	}
	close = func() { box.pool.Close(); closeRunner() }
	config.Limits = server.DefaultLimits()
	config.Limits.Rate = 0
	config.Runner, config.Sandbox = runner, box
	if h, err = web.New(config); err != nil {
		close()
		return nil, nil, err
	}
	return h, close, nil
}
