package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
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
	cors    []string
	limits  *server.Limits
	queue   queueFlags
	log     logFlags
}

func serveCommand() *cobra.Command {
	f := serveFlags{limits: server.DefaultLimits()}
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
  litmuscope serve --lessons my-lessons
  litmuscope serve --course my-course`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.serve(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on this address; :8080 is every one of the machine's")
	flags.StringArrayVar(&f.hosts, "host", nil, "a name that the server is asked under; may be given several times "+
		"(default any; on a loopback address, localhost)")
	flags.StringVar(&f.db, "db", "", "database file (default litmuscope/litmuscope.db in the user's cache folder)")
	flags.BoolVar(&f.auth, "auth", false,
		"want a token for the REST interface's work and for suites (see litmuscope token)")
	flags.StringSliceVar(&f.proxies, "trust-proxy", nil,
		"networks or addresses of proxies, or how many there are, to be believed where a request comes from")
	flags.DurationVar(&f.drain, "drain", 0, "when told to end, take connections for so long while /readyz says no")
	flags.DurationVar(&f.grace, "grace", 10*time.Second, "then wait so long for requests under way")
	flags.StringVar(&f.lessons, "lessons", "", "a folder with lessons of your own, shown at /learn and read again "+
		"as they change (the manual's page lessons.md describes them)")
	flags.StringVar(&f.course, "course", "",
		"a folder with a course, shown at /course, whose students hand in here (see litmuscope course)")
	flags.BoolVar(&f.pages, "elsewhere", false, "let pages elsewhere have tests of their own answered, with "+
		"<litmus-test> (the manual's page static-site.md describes it)")
	flags.StringSliceVar(&f.cors, "cors", nil,
		"let scripts of pages at this origin use the REST interface, * for all; several times perhaps (default none)")
	f.queue.add(flags)
	for _, row := range server.LimitTable {
		if row.Field != nil {
			addFlag(flags, row.Field(f.limits), row.Name, row.Short, row.What)
		}
	}
	f.log.add(flags)
	flags.Lookup("verbose").Usage = "log requests for static files and of probes, too"
	return c
}

// serverGC is how much garbage may lie about, in percent of what is live: the server holds
// little, and most of what passes through it is soon forgotten.
const serverGC = 300

// keepMemory has this process keep to so much memory, as far as collecting garbage helps: where nobody says how much,
// to a quarter of what the container or the machine has, for its children are to have the rest. It notes what that is.
func keepMemory(limit *server.MiB, log *slog.Logger) {
	if *limit > 0 {
		debug.SetMemoryLimit(limit.Bytes())
		return
	}
	all := memlimit.ApplyFallback(memlimit.FromCgroup, memlimit.FromSystem)
	if _, err := memlimit.Set(memlimit.WithProvider(all), memlimit.WithRatio(0.25)); err != nil {
		log.Warn("no telling how much memory there is: set --memory", "error", err)
		return
	}
	*limit = server.MiB(debug.SetMemoryLimit(-1) >> 20)
}

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
	keepMemory(&f.limits.Memory, log)
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
	s, err := store.OpenAlone(ctx, path)
	if err != nil {
		return err
	}
	defer s.Close()
	s.MaxBytes, s.MaxLinkBytes, s.MaxAnswer = f.limits.Cache.Bytes(), f.limits.Links.Bytes(), server.MaxAnswer
	people, err := newPeople(f.limits.Jobs, log)
	if err != nil {
		return err
	}
	defer people.close()
	apart, err := newSandbox(f.limits.Jobs, log)
	if err != nil {
		return err
	}
	defer apart.pool.Close()
	behind, err := f.suites(ctx, path, s, apart, log)
	if err != nil {
		return err
	}
	defer behind.close()

	cache := cached(s, people)
	defer cache.Close()
	h, err := web.New(web.Config{
		Config: server.Config{
			Log: log, WithClient: fairqueue.WithClient,
			Limits: f.limits, Hosts: server.Hosts(f.addr, f.hosts), Proxies: proxies, Tokens: s, Auth: f.auth,
			Elsewhere: f.pages, Origins: origins,
			Ready: []server.Check{{Name: "database", Ask: s.Ping}, {Name: "queue", Ask: behind.queue.Ready}},
			Collectors: slices.Concat(people.collectors(), childMetrics("reading", apart.pool), cacheMetrics(cache),
				behind.collectors()),
		},
		Runner: cache, Sandbox: apart, Links: s, Suites: behind.Coordinator, Store: s, Rooms: s, Lessons: f.lessons,
		Course: f.course, Tries: s,
	})
	if err != nil {
		return err
	}
	// What runs suites ends with the pages, and the other way round.
	suites := func(ctx context.Context) error { return both(ctx, behind.queue.Watch, behind.run) }
	return both(ctx, suites, func(ctx context.Context) error {
		return server.Serve(ctx, server.Listen{
			Addr: f.addr, Log: log, Connections: f.limits.Connections, Proxies: proxies, Drain: f.drain, Grace: f.grace,
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
