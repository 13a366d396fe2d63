package web

import (
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
}

// The server's patience. Writing has to wait for the longest exploration.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 5 * time.Minute
	idleTimeout       = 2 * time.Minute
	shutdownTimeout   = 10 * time.Second
)

// Serve answers requests with h until ctx ends; then it takes no more, gives
// those under way ten seconds, and returns nil.
func Serve(ctx context.Context, l Listen, h http.Handler) error {
	if l.Log == nil {
		l.Log = slog.Default()
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", l.Addr)
	if err != nil {
		return err
	}
	requests, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(l.Log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return requests },
	}
	if l.Ready != nil {
		l.Ready(ln.Addr())
	}
	stopped := make(chan error, 1)
	go func() { stopped <- srv.Serve(ln) }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := srv.Shutdown(grace); errors.Is(err, context.DeadlineExceeded) {
		end() // explorations still running are cancelled
		return srv.Close()
	} else if err != nil {
		return err
	}
	return nil
}
