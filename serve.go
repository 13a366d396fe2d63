package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/solver/pool"
	"litmuscope/store"
	"litmuscope/web"
)

// maxAnswer bounds the bytes of one answer that the server takes from a worker.
const maxAnswer = 8 << 20

// serveFlags are the flags of the serve command.
type serveFlags struct {
	addr        string
	hosts       []string
	db          string
	workers     int
	auth        bool
	rate        float64
	proxies     []string
	connections int
	drain       time.Duration
	grace       time.Duration
	logFormat   string
	verbose     bool
}

func serveCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve the explorer's page and the REST interface",
		Long: `Serve the explorer's page and the REST interface until interrupted.

Only this machine can reach the server unless --addr says otherwise. Results,
permalinks and tokens are kept in one database file.`,
		Example: `  litmuscope serve
  litmuscope serve --addr 127.0.0.1:9000 --db class.db
  litmuscope serve --addr :8080 --host litmus.example.org --auth
  litmuscope serve --host litmus.example.org --trust-proxy 127.0.0.1`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.serve(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on this address; :8080 is every one of the machine's")
	flags.StringArrayVar(&f.hosts, "host", nil, "a name that the server is asked under; may be given several times (default any; on a loopback address, localhost)")
	flags.StringVar(&f.db, "db", "", "database file (default litmuscope/litmuscope.db in the user's cache folder)")
	flags.IntVarP(&f.workers, "jobs", "j", runtime.NumCPU(), "how many tests to run at once")
	flags.BoolVar(&f.auth, "auth", false, "want a token for the REST interface's work and for suites (see litmuscope token)")
	flags.Float64Var(&f.rate, "rate", web.DefaultRate, "questions a second that one client may ask; 0 = no limit")
	flags.StringSliceVar(&f.proxies, "trust-proxy", nil, "networks or addresses of proxies, or how many there are, to be believed where a request comes from")
	flags.IntVar(&f.connections, "connections", web.DefaultConnections, "connections open at once")
	flags.DurationVar(&f.drain, "drain", 0, "when told to end, take connections for so long while /readyz says no")
	flags.DurationVar(&f.grace, "grace", 10*time.Second, "then wait so long for requests under way")
	flags.StringVar(&f.logFormat, "log-format", "text", "how to log: text, json")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log requests for static files and of probes, too")
	return c
}

// logger is the log on standard error.
func (f *serveFlags) logger() (*slog.Logger, error) {
	options := &slog.HandlerOptions{Level: slog.LevelInfo}
	if f.verbose {
		options.Level = slog.LevelDebug
	}
	switch f.logFormat {
	case "text":
		return slog.New(slog.NewTextHandler(os.Stderr, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(os.Stderr, options)), nil
	}
	return nil, fmt.Errorf("--log-format: unknown format %q: want text or json", f.logFormat)
}

// serve is the serve command.
func (f *serveFlags) serve(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, err := f.logger()
	if err != nil {
		return err
	}
	proxies, err := web.ParseProxies(f.proxies)
	switch {
	case err != nil:
		return fmt.Errorf("--trust-proxy: %w", err)
	case f.workers < 1:
		return fmt.Errorf("--jobs: %d is out of range (1 or more)", f.workers)
	case f.connections < 1:
		return fmt.Errorf("--connections: %d is out of range (1 or more)", f.connections)
	case f.rate < 0:
		return fmt.Errorf("--rate: %v is out of range (0 or more)", f.rate)
	case f.rate == 0:
		f.rate = -1
	}
	path, err := databasePath(f.db)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	p, err := pool.New(pool.Options{Workers: f.workers, MaxAnswer: maxAnswer, Log: log})
	if err != nil {
		return err
	}
	defer p.Close()

	h, err := web.New(web.Config{
		Runner: cached(s, p), Links: s, Log: log,
		Hosts: web.Hosts(f.addr, f.hosts), Proxies: proxies, Rate: f.rate, Tokens: s, Auth: f.auth,
		Ready: []web.Check{{Name: "database", Ask: s.Ping}},
	})
	if err != nil {
		return err
	}
	return web.Serve(ctx, web.Listen{
		Addr: f.addr, Log: log, Connections: f.connections, Proxies: proxies, Drain: f.drain, Grace: f.grace,
		Ready: func(a net.Addr) { log.Info("serving", "url", localURL(a), "database", path) },
	}, h)
}

// databasePath is the database file to use, its folder made when it is ours.
func databasePath(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w: say with --db where the database is to be", err)
	}
	folder := filepath.Join(cache, "litmuscope")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("%w: say with --db where the database is to be", err)
	}
	// Earlier versions let everybody look into it.
	if err := os.Chmod(folder, 0o700); err != nil {
		return "", fmt.Errorf("%w: say with --db where the database is to be", err)
	}
	return filepath.Join(folder, "litmuscope.db"), nil
}

// localURL is an address as one types it into a browser on this machine.
func localURL(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}
