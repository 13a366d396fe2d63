package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/spf13/cobra"

	"litmuscope/solver/fairqueue"
	"litmuscope/store"
	"litmuscope/web"
	explorer "litmuscope/web/pages/explore"
	"litmuscope/web/parts/compilers"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// serveFlags are the flags of the serve command.
type serveFlags struct {
	addr    string
	hosts   []string
	db      string
	auth    bool
	proxies []string
	drain   time.Duration
	grace   time.Duration
	lessons string
	course  string
	pages   bool
	hw      bool
	cc      string
	cors    []string

	compilers  []string
	unconfined bool

	limits *server.Limits
	queue  queueFlags
	log    logFlags
}

// serveCommand returns the serve command.
func serveCommand() *cobra.Command {
	f := serveFlags{limits: server.DefaultLimits()}
	c := &cobra.Command{
		Use:   "serve [flags]",
		Short: "Serve the web pages and the REST interface",
		Long: `Serve the web pages and the REST interface until interrupted.

By default only this machine can reach the server; --addr changes that. The server
stores results, permalinks and tokens in one database file.`,
		Example: `  litmuscope serve
  litmuscope serve --addr 127.0.0.1:9000 --db class.db
  litmuscope serve --addr :8080 --host litmus.example.org --auth
  litmuscope serve --host litmus.example.org --trust-proxy 127.0.0.1
  litmuscope serve --lessons my-lessons
  litmuscope serve --course my-course
  litmuscope serve --hw
  litmuscope serve --compilers 'gcc -O2' --compilers 'clang -O2 --target=aarch64-linux-gnu'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.serve(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8080",
		"listen on this `ADDRESS`; :8080 listens on all addresses of the machine")
	flags.StringArrayVar(&f.hosts, "host", nil, "accept requests for this host `NAME`; may be given several times "+
		"(default any name; on a loopback address, localhost)")
	flags.StringVar(&f.db, "db", "",
		"database `FILE` (default litmuscope/litmuscope.db in the user's cache folder)")
	flags.BoolVar(&f.auth, "auth", false,
		"require a token for suites and for computations of the REST interface (see litmuscope token)")
	flags.StringSliceVar(&f.proxies, "trust-proxy", nil,
		"trust these proxies to name a request's client: addresses, networks, or the number of proxies")
	flags.DurationVar(&f.drain, "drain", 0,
		"on shutdown, keep accepting connections for this long while /readyz reports not ready")
	flags.DurationVar(&f.grace, "grace", 10*time.Second, "after that, wait at most this long for running requests")
	flags.StringVar(
		&f.lessons,
		"lessons",
		"",
		"show the lessons in this `FOLDER` at /learn and reload them when they "+
			"change (the manual's page lessons.md describes the files)",
	)
	flags.StringVar(&f.course, "course", "",
		"show the course in this `FOLDER` at /course and accept its students' submissions (see litmuscope course)")
	flags.BoolVar(&f.pages, "elsewhere", false, "answer tests in <litmus-test> elements on other sites' pages (the "+
		"manual's page static-site.md describes them)")
	flags.StringSliceVar(&f.cors, "cors", nil,
		"let scripts from this `ORIGIN` use the REST interface; * for every origin; may be given several times "+
			"(default none)")
	flags.BoolVar(
		&f.hw,
		"hw",
		false,
		"let visitors of the explorer run tests on this machine's processor (the manual's "+
			"page operations.md says what runs)",
	)
	flags.StringVar(
		&f.cc,
		"hw-cc",
		"cc",
		"with --hw, build the tests with this C `COMPILER`, a command with its flags",
	)
	flags.StringArrayVar(
		&f.compilers,
		"compilers",
		nil,
		"compile visitors' tests by this compiler with its options, as "+
			"in 'gcc -O2', confined to a folder of its own; may be given several times (default none)",
	)
	flags.BoolVar(&f.unconfined, "unconfined-compilers", false,
		"run --compilers even if this system lacks Landlock or seccomp to confine them")
	f.queue.add(flags)
	for _, row := range server.LimitTable {
		if row.Field != nil {
			addFlag(flags, row.Field(f.limits), row.Name, row.Short, row.What)
		}
	}
	f.log.add(flags)
	flags.Lookup("verbose").Usage = "also log requests for static files and from probes"
	return c
}

// serverGC is the server's GOGC in percent, unless the environment sets it. The server has little live memory, and most
// of what it allocates is soon garbage, so collecting seldom costs little memory.
const serverGC = 300

// limitMemory sets the memory limit of Go's garbage collector. If limit is 0, it sets limit to a quarter of the memory
// of the container or the machine: the rest is for child processes.
func limitMemory(limit *server.MiB, log *slog.Logger) {
	if *limit > 0 {
		debug.SetMemoryLimit(limit.Bytes())
		return
	}
	all := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithProvider(all), memlimit.WithRatio(0.25)); err != nil {
		log.Warn("cannot determine the size of the memory: set --memory", "error", err)
		return
	}
	*limit = server.MiB(debug.SetMemoryLimit(-1) >> 20)
}

// serve runs the serve command: it listens, prints its address, opens the database, starts the pools, the queue and the
// coordinator of suites, and answers until a signal or an error. Requests that arrive early wait for the rest of the
// start. Mistakes in flags are reported before it listens, except those that only a compiler can find.
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
	limitMemory(&f.limits.Memory, log)
	proxies, err := server.ParseProxies(f.proxies)
	if err != nil {
		return fmt.Errorf("--trust-proxy: %w", err)
	}
	origins, err := server.ParseOrigins(f.cors)
	if err != nil {
		return fmt.Errorf("--cors: %w", err)
	}
	if err := f.limits.Check(); err != nil {
		return err
	}
	path, err := databasePath(f.db)
	if err != nil {
		return err
	}
	pages := server.NewStarting()
	httpServer, err := listen(ctx, server.Listen{
		Addr: f.addr, Log: log, Connections: f.limits.Connections, Proxies: proxies, Drain: f.drain, Grace: f.grace,
		Ready: func(a net.Addr) { log.Info("serving", "url", localURL(a), "database", path) },
	}, pages)
	if err != nil {
		return err
	}
	defer httpServer.stop()
	offered, err := f.offered(ctx, log)
	if err != nil {
		return err
	}
	s, err := store.OpenAlone(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	s.MaxBytes, s.MaxLinkBytes, s.MaxAnswer = f.limits.Cache.Bytes(), f.limits.Links.Bytes(), server.MaxAnswer
	memory := childMemory(int(f.limits.ChildMemory), childrenOfServer, log)
	people, err := newPeople(f.limits.Jobs, memory, log)
	if err != nil {
		return err
	}
	defer people.close()
	box, err := newSandbox(f.limits.Jobs, memory, log)
	if err != nil {
		return err
	}
	defer box.pool.Close()
	background, err := f.suites(ctx, path, s, box, memory, log)
	if err != nil {
		return err
	}
	defer background.close()

	cache := cached(s, people)
	defer cache.Close()
	var native explorer.NativeRunner
	if f.hw {
		machine, err := newServerMachine(ctx, f.cc)
		if err != nil {
			return fmt.Errorf("--hw: %w", err)
		}
		native = machine
		log.Info("visitors can run tests on this machine", "compiler", machine.target.Compiler,
			"machine", machine.machine.Name)
	}
	h, err := web.New(web.Config{
		Config: server.Config{
			Log: log, WithClient: fairqueue.WithClient,
			Limits: f.limits, Hosts: server.Hosts(f.addr, f.hosts), Proxies: proxies, Tokens: s, Auth: f.auth,
			Elsewhere: f.pages, Origins: origins,
			Ready: []server.Check{{Name: "database", Ask: s.Ping}, {Name: "queue", Ask: background.queue.Ready}},
			Collectors: slices.Concat(people.collectors(), childMetrics("reading", box.pool), memoryMetrics(memory),
				cacheMetrics(cache), background.collectors()),
		},
		Runner: cache, Sandbox: box, Compilers: offered, Links: s, Suites: background.Coordinator, Store: s, Rooms: s,
		Lessons: f.lessons, Course: f.course, Tries: s, Native: native,
	})
	if err != nil {
		return err
	}
	pages.Use(h)
	// If the suites' part ends, the pages end too, and the other way round.
	suites := func(ctx context.Context) error { return both(ctx, background.queue.Watch, background.run) }
	return both(ctx, suites, httpServer.wait)
}

// listener is a server that accepts connections.
type listener struct {
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // of server.Serve, once ended is closed
}

// listen starts a server and returns once it accepts connections, or with the reason why it does not.
func listen(ctx context.Context, l server.Listen, h http.Handler) (*listener, error) {
	ctx, cancel := context.WithCancel(ctx)
	f := &listener{cancel: cancel, ended: make(chan struct{})}
	accepts, report := make(chan struct{}), l.Ready
	l.Ready = func(a net.Addr) {
		report(a)
		close(accepts)
	}
	go func() {
		defer close(f.ended)
		f.err = server.Serve(ctx, l, h)
	}()
	select {
	case <-accepts:
		return f, nil
	case <-f.ended:
		cancel()
		return nil, f.err
	}
}

// wait returns the server's error when it has ended, and stops the server when ctx ends.
func (f *listener) wait(ctx context.Context) error {
	select {
	case <-f.ended:
	case <-ctx.Done():
		f.stop()
	}
	return f.err
}

// stop stops the server and waits until it has ended.
func (f *listener) stop() {
	f.cancel()
	<-f.ended
}

// offered returns the compilers of --compilers; nil without any.
func (f *serveFlags) offered(ctx context.Context, log *slog.Logger) (question.Compilers, error) {
	if len(f.compilers) == 0 {
		return nil, nil //nolint:nilnil // a server without compilers
	}
	o, err := compilers.Offer(ctx, f.compilers,
		compilers.Options{AtOnce: f.limits.Jobs, Unconfined: f.unconfined, Log: log})
	if err != nil {
		return nil, fmt.Errorf("--compilers: %w", err)
	}
	return o, nil
}

// both runs two functions until both have returned, and cancels each when the other returns. It joins their errors.
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

// databasePath returns the given path or, if that is empty, the default one, whose folder it creates.
func databasePath(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w: name a database file with --db", err)
	}
	folder := filepath.Join(cache, "litmuscope")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("%w: name a database file with --db", err)
	}
	// Earlier versions created the folder readable for everybody.
	if err := os.Chmod(folder, 0o700); err != nil {
		return "", fmt.Errorf("%w: name a database file with --db", err)
	}
	return filepath.Join(folder, "litmuscope.db"), nil
}

// localURL returns the URL of an address for a browser on this machine.
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
