package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"litmuscope/solver"
	"litmuscope/solver/fairqueue"
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
	maxTimeout  time.Duration
	maxMemory   int
	maxCache    int64
	maxLinks    int64
	lessons     string
	log         logFlags
	suites      suiteFlags
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
  litmuscope serve --host litmus.example.org --trust-proxy 127.0.0.1
  litmuscope serve --lessons my-course`,
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
	flags.DurationVar(&f.maxTimeout, "max-timeout", time.Minute, "time that a test may ask for under one model")
	flags.IntVar(&f.maxMemory, "max-memory", 2048, "memory that a test may ask for under one model, in MiB")
	flags.Int64Var(&f.maxCache, "max-cache", store.DefaultMaxBytes>>20, "size of the result cache on disk, in MiB")
	flags.Int64Var(&f.maxLinks, "max-links", store.DefaultMaxLinkBytes>>20, "size of all permalinks on disk, in MiB")
	flags.StringVar(&f.lessons, "lessons", "", "a folder with lessons of your own, shown at /learn and read again as they change (see LESSONS.md)")
	f.suites.add(flags)
	f.log.add(flags)
	flags.Lookup("verbose").Usage = "log requests for static files and of probes, too"
	return c
}

// serverGC is how much garbage may lie about, in percent of what is live: the server holds
// little, and most of what passes through it is soon forgotten.
const serverGC = 300

// serve is the serve command.
func (f *serveFlags) serve(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, err := f.log.logger()
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(serverGC)
	}
	proxies, err := web.ParseProxies(f.proxies)
	switch {
	case err != nil:
		return fmt.Errorf("--trust-proxy: %w", err)
	case f.workers < 1:
		return fmt.Errorf("--jobs: %d is out of range (1 or more)", f.workers)
	case f.suites.slots < 0:
		return fmt.Errorf("--suite-jobs: %d is out of range (0 or more)", f.suites.slots)
	case f.connections < 1:
		return fmt.Errorf("--connections: %d is out of range (1 or more)", f.connections)
	case f.maxTimeout <= 0:
		return fmt.Errorf("--max-timeout: %v is out of range (more than 0)", f.maxTimeout)
	case f.maxMemory < 1:
		return fmt.Errorf("--max-memory: %d is out of range (1 or more)", f.maxMemory)
	case f.maxCache < 1:
		return fmt.Errorf("--max-cache: %d is out of range (1 or more)", f.maxCache)
	case f.maxLinks < 1:
		return fmt.Errorf("--max-links: %d is out of range (1 or more)", f.maxLinks)
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
	s.MaxBytes, s.MaxLinkBytes, s.MaxAnswer = f.maxCache<<20, f.maxLinks<<20, maxAnswer
	people, err := f.people(log)
	if err != nil {
		return err
	}
	defer people.close()
	apart, err := newSandbox(f.workers, log)
	if err != nil {
		return err
	}
	defer apart.pool.Close()
	behind, err := f.suites.open(ctx, path, s, apart, log)
	if err != nil {
		return err
	}
	defer behind.close()

	cache := cached(s, people)
	defer cache.Close()
	h, err := web.New(web.Config{
		Runner: cache, Sandbox: apart, Links: s, Log: log, WithClient: fairqueue.WithClient,
		Most:  solver.Options{Timeout: f.maxTimeout, Memory: f.maxMemory},
		Hosts: web.Hosts(f.addr, f.hosts), Proxies: proxies, Rate: f.rate, Tokens: s, Auth: f.auth,
		Suites: behind.Coordinator, Store: s, Rooms: s, Lessons: f.lessons, SuiteLimits: web.SuiteLimits{Tests: f.suites.tests, Upload: f.suites.upload << 20, Bytes: f.suites.unpacked << 20},
		Ready:      []web.Check{{Name: "database", Ask: s.Ping}, {Name: "queue", Ask: behind.queue.Ready}},
		Collectors: slices.Concat(people.collectors(), childMetrics("reading", apart.pool), cacheMetrics(cache), behind.collectors()),
	})
	if err != nil {
		return err
	}
	// What runs suites ends with the pages, and the other way round.
	return both(ctx, behind.run, func(ctx context.Context) error {
		return web.Serve(ctx, web.Listen{
			Addr: f.addr, Log: log, Connections: f.connections, Proxies: proxies, Drain: f.drain, Grace: f.grace,
			Ready: func(a net.Addr) { log.Info("serving", "url", localURL(a), "database", path) },
		}, h)
	})
}

// both runs two things until both have ended, and ends each when the other has.
func both(ctx context.Context, a, b func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var errs [2]error
	var group sync.WaitGroup
	for i, f := range []func(context.Context) error{a, b} {
		group.Go(func() {
			errs[i] = f(ctx)
			cancel()
		})
	}
	group.Wait()
	return errors.Join(errs[:]...)
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
