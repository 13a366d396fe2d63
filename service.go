package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/spf13/pflag"

	"litmuscope/solver/engines"
	"litmuscope/solver/fairqueue"
	"litmuscope/solver/pool"
	"litmuscope/solver/queue"
	"litmuscope/solver/suites"
	"litmuscope/store"
)

// Suites wait for people at the page: their children run at this niceness, and slow work
// of people at a lesser one.
const (
	suiteNice = 15
	slowNice  = 5
	// maxWaiting is how much work of people may wait.
	maxWaiting = 1024
)

// people is what answers people at the page.
type people struct {
	*fairqueue.Queue
	quick, slow *pool.Pool
}

func (f *serveFlags) people(log *slog.Logger) (*people, error) {
	quick, err := pool.New(pool.Options{Workers: f.workers, MaxAnswer: maxAnswer, Log: log})
	if err != nil {
		return nil, err
	}
	slow, err := pool.New(pool.Options{Workers: f.workers, MaxAnswer: maxAnswer, Nice: slowNice, Log: log})
	if err != nil {
		return nil, err
	}
	t := fairqueue.New(fairqueue.Config{Quick: quick, Slow: slow, QuickSlots: f.workers, SlowSlots: f.workers, MaxWaiting: maxWaiting})
	return &people{t, quick, slow}, nil
}

func (p *people) close() { p.quick.Close(); p.slow.Close() }

// queueFlags say where the queue is.
type queueFlags struct {
	url   string
	login queue.Login
}

func (f *queueFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "queue", "", "URL of a NATS server with JetStream, or several with commas (default a queue of the server's own)")
	flags.StringVar(&f.login.Credentials, "queue-creds", "", "file of credentials for the queue")
	flags.StringVar(&f.login.CA, "queue-ca", "", "file of certificates to trust for the queue")
}

// suiteFlags are the flags of serve about suites.
type suiteFlags struct {
	queue    queueFlags
	slots    int
	keep     time.Duration
	tests    int
	upload   int64
	unpacked int64
	running  int
}

func (f *suiteFlags) add(flags *pflag.FlagSet) {
	f.queue.add(flags)
	flags.IntVar(&f.slots, "suite-jobs", runtime.NumCPU(), "how many tests of suites to run here at once, when nobody at the page needs the processors; 0 = none, there are workers elsewhere")
	flags.DurationVar(&f.keep, "keep", 90*24*time.Hour, "keep suites for so long once they are done; 0 = for good")
	flags.IntVar(&f.tests, "max-tests", 100_000, "tests that a suite may have")
	flags.Int64Var(&f.upload, "max-upload", 256, "size of a submission, in MiB")
	flags.Int64Var(&f.unpacked, "max-unpacked", 1024, "size of a submission's tests, in MiB")
	flags.IntVar(&f.running, "max-suites", 100, "suites that may run at once")
}

// service is what runs suites: the coordinator, the queue, and a worker of the server's own.
type service struct {
	*suites.Coordinator
	queue  *queue.Queue
	pool   *pool.Pool // nil without a worker
	worker *suites.Worker
	unlock func()
}

// open makes the service of the database at path.
func (f *suiteFlags) open(ctx context.Context, path string, s *store.Store, apart *sandbox, log *slog.Logger) (*service, error) {
	unlock, err := store.Lock(path)
	if err != nil {
		return nil, err
	}
	b := &service{unlock: unlock}
	name, err := s.Identity(ctx)
	if err == nil {
		b.queue, err = f.queue.dial(ctx, path, log)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	b.Coordinator = suites.NewCoordinator(suites.Config{
		Ledger: s, Queue: b.queue.Coordinator(name), Server: name, Version: engines.Fingerprint(), Log: log, Admit: apart.Admit,
		MaxTests: f.tests, MaxBytes: f.unpacked << 20, MaxRunning: f.running, Keep: f.keep,
	})
	if f.slots == 0 {
		return b, nil
	}
	b.pool, err = pool.New(pool.Options{Workers: f.slots, Nice: suiteNice, MaxAnswer: int64(b.queue.Feed("").MaxReport() / 2), Log: log})
	if err != nil {
		b.close()
		return nil, err
	}
	b.worker = newWorker(name, b.queue, b.pool, f.slots, log)
	return b, nil
}

// dial connects to the queue, or to one beside the database.
func (f *queueFlags) dial(ctx context.Context, database string, log *slog.Logger) (*queue.Queue, error) {
	if f.url != "" {
		return queue.Dial(ctx, f.url, f.login, log)
	}
	folder := database + ".queue"
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return queue.Embedded(ctx, folder, log)
}

func newWorker(name string, q *queue.Queue, p *pool.Pool, slots int, log *slog.Logger) *suites.Worker {
	return &suites.Worker{
		Name: name, Version: engines.Fingerprint(), Feed: q.Feed(engines.Fingerprint()), Runner: p, Slots: slots,
		Started: func() int64 { return p.Stats().Started }, Log: log,
	}
}

// run runs suites until the context ends.
func (b *service) run(ctx context.Context) error {
	work := func(ctx context.Context) error { <-ctx.Done(); return nil }
	if b.worker != nil {
		work = b.worker.Run
	}
	return both(ctx, b.Coordinator.Run, work)
}

func (b *service) close() {
	if b.pool != nil {
		b.pool.Close()
	}
	if b.queue != nil {
		b.queue.Close()
	}
	b.unlock()
}
