package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Listen configures Serve.
type Listen struct {
	Addr string // host:port, as net.Listen takes it
	// Ready, unless nil, is called with the address once the server accepts connections.
	Ready func(addr net.Addr)
	Log   *slog.Logger // for errors of connections; nil: the default

	Connections int     // open at once; 0: the default limit
	Proxies     Proxies // trusted proxies, whose connections serve many clients
	// Drain is how long the server still accepts connections after it was asked to stop. /readyz already fails then,
	// so that load balancers can notice.
	Drain time.Duration
	Grace time.Duration // for running requests after that; 0: defaultGrace
}

// Timeouts of connections. Those of bodies and answers are in patience.go.
const (
	idleTimeout = 2 * time.Minute
	// writeTimeout must exceed the longest question, MaxQuestion.
	writeTimeout = 5 * time.Minute
	defaultGrace = 10 * time.Second
	// lastWords is how long cancelled requests have to answer.
	lastWords = 3 * time.Second
)

// ErrStopping is the cause with which Serve cancels requests after the grace period.
var ErrStopping = errors.New("the server is stopping")

type stoppingKey struct{}

// stopping reports whether the server of a request was asked to stop.
func stopping(request context.Context) bool {
	serving, ok := request.Value(stoppingKey{}).(context.Context)
	return ok && serving.Err() != nil
}

// Ended returns a channel that is closed when the server of a request is asked to stop. Streams end then.
func Ended(request context.Context) <-chan struct{} {
	if serving, ok := request.Value(stoppingKey{}).(context.Context); ok {
		return serving.Done()
	}
	return nil
}

// Serve answers requests with h until ctx ends. Then it accepts connections for l.Drain, waits l.Grace for running
// requests, cancels the others, which then answer 503, and returns nil.
func Serve(ctx context.Context, l Listen, h http.Handler) error {
	if l.Log == nil {
		l.Log = slog.Default()
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", l.Addr)
	if err != nil {
		return err
	}
	requests, cut := context.WithCancelCause(context.WithValue(context.WithoutCancel(ctx), stoppingKey{}, ctx))
	defer cut(nil)
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerPatience,
		ReadTimeout:       bodyPatience,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(l.Log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	if l.Ready != nil {
		l.Ready(ln.Addr())
	}
	stopped := make(chan error, 1)
	go func() {
		stopped <- srv.Serve(limitConnections(ln, cmp.Or(l.Connections, DefaultLimits().Connections), l.Proxies))
	}()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-stopped:
		return err
	case <-time.After(l.Drain):
	}
	end := func(wait time.Duration) error {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait)
		defer cancel()
		return srv.Shutdown(grace)
	}
	err = end(cmp.Or(l.Grace, defaultGrace))
	if errors.Is(err, context.DeadlineExceeded) {
		l.Log.Warn("requests run longer than the grace period and are cancelled")
		cut(ErrStopping)
		if err = end(lastWords); errors.Is(err, context.DeadlineExceeded) {
			return srv.Close()
		}
	}
	return err
}
