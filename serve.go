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

	"github.com/spf13/cobra"

	"litmuscope/solver/pool"
	"litmuscope/store"
	"litmuscope/web"
)

// serveFlags are the flags of the serve command.
type serveFlags struct {
	addr    string
	db      string
	workers int
	verbose bool
}

func serveCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve the explorer's page and the REST interface",
		Long: `Serve the explorer's page and the REST interface until interrupted.

Results and permalinks are kept in one database file.`,
		Example: `  litmuscope serve
  litmuscope serve --addr 127.0.0.1:9000 --db class.db`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.serve(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", ":8080", "listen on this address")
	flags.StringVar(&f.db, "db", "", "database file (default litmuscope/litmuscope.db in the user's cache folder)")
	flags.IntVarP(&f.workers, "jobs", "j", runtime.NumCPU(), "how many tests to run at once")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log every request")
	return c
}

// serve is the serve command.
func (f *serveFlags) serve(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	level := slog.LevelInfo
	if f.verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))

	path, err := databasePath(f.db)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	p, err := pool.New(f.workers)
	if err != nil {
		return err
	}
	defer p.Close()

	h, err := web.New(web.Config{Runner: cached(s, p), Links: s, Log: log})
	if err != nil {
		return err
	}
	return web.Serve(ctx, web.Listen{Addr: f.addr, Log: log, Ready: func(a net.Addr) {
		log.Info("serving", "url", localURL(a), "database", path)
	}}, h)
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
	if err := os.MkdirAll(folder, 0o755); err != nil {
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
