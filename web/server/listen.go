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

// Listen says where and how to serve.
type Listen struct {
	Addr string // host:port, as net.Listen takes it
	// Ready, when set, is told the address once connections are taken.
	Ready func(addr net.Addr)
	Log   *slog.Logger // for what goes wrong with connections; nil: the default

	Connections int     // open at once; 0: as DefaultLimits has it
	Proxies     Proxies // whose connections are many clients'
	// Drain is how long connections are still taken when the server is told to end and
	// /readyz says so already, for balancers to notice.
	Drain time.Duration
	Grace time.Duration // for requests under way then; 0: ten seconds
}

// The server's patience with connections; patient has that with bodies and answers.
const (
	idleTimeout = 2 * time.Minute
	// writeTimeout has to wait for the longest exploration.
	writeTimeout = 5 * time.Minute
	defaultGrace = 10 * time.Second
	// lastWords is for requests that are cut to say so.
	lastWords = 3 * time.Second
)

// ErrStopping is why requests are cancelled that outlast the grace.
var ErrStopping = errors.New("the server is stopping")

type stoppingKey struct{}

// stopping tells whether the server of a request has been told to end.
func stopping(request context.Context) bool {
	serving, ok := request.Value(stoppingKey{}).(context.Context)
	return ok && serving.Err() != nil
}

// Ended is closed when the server of a request is told to end: what streams ends then.
func Ended(request context.Context) <-chan struct{} {
	if serving, ok := request.Value(stoppingKey{}).(context.Context); ok {
		return serving.Done()
	}
	return nil
}

// Serve answers requests with h until ctx ends; then it takes no more, gives those under
// way their grace, cancels those that are left, which then answer 503, and returns nil.
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
