package cmd

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"litmuscope/solver/engines"
	"litmuscope/solver/fairqueue"
	"litmuscope/solver/pool"
	"litmuscope/solver/queue"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/server"
)

// Children for suites run at the niceness suiteNice and those for slow questions from the pages at slowNice, so that
// quick questions from the pages come first.
const (
	suiteNice = 15
	slowNice  = 5
)

// people answers the questions of people at the pages, in a quick and a slow lane.
type people struct {
	*fairqueue.Queue
	quick, slow *pool.Pool
}

func newPeople(workers int, memory *pool.Memory, log *slog.Logger) (*people, error) {
	pool.WarnUnconfined(log)
	quick, err := pool.New(
		pool.Options{Workers: workers, MaxAnswer: server.MaxAnswer, Memory: memory, Log: log})
	if err != nil {
		return nil, err
	}
	slow, err := pool.New(
		pool.Options{Workers: workers, MaxAnswer: server.MaxAnswer, Nice: slowNice, Memory: memory, Log: log})
	if err != nil {
		return nil, err
	}
	t := fairqueue.New(
		fairqueue.Config{
			Quick: quick, Slow: slow, QuickSlots: workers, SlowSlots: workers,
			MaxWaiting: server.MaxWaiting,
		})
	return &people{t, quick, slow}, nil
}

func (p *people) close() { p.quick.Close(); p.slow.Close() }

// queueFlags are the flags that name the queue and the credentials for it.
type queueFlags struct {
	url   string
	login queue.Login
}

func (f *queueFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "queue", "",
		"`URL` of a NATS server with JetStream, or several URLs with commas (default an embedded queue)")
	flags.StringVar(&f.login.Credentials, "queue-creds", "", "`FILE` with credentials for the queue")
	flags.StringVar(&f.login.CA, "queue-ca", "", "`FILE` with certificates to trust for the queue")
}

// service runs suites: it has the coordinator, the queue, and a worker within the server.
type service struct {
	*suites.Coordinator
	queue  *queue.Queue
	pool   *pool.Pool // nil without a worker
	worker *suites.Worker
}

// suites returns the service for the database s, which is the file at path. The service has no worker if --suite-jobs
// is 0. The caller must call close.
func (f *serveFlags) suites(
	ctx context.Context, path string, s *store.Store, box *sandbox, memory *pool.Memory, log *slog.Logger,
) (*service, error) {
	b := &service{}
	name, err := s.Identity(ctx)
	if err == nil {
		b.queue, err = f.queue.dial(ctx, path, log)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	b.Coordinator = suites.NewCoordinator(suites.Config{
		Ledger: s, Queue: b.queue.Coordinator(name), Server: name, Version: engines.Fingerprint(), Log: log,
		Admit:    box.Admit,
		MaxTests: f.limits.Tests, MaxBytes: f.limits.Unpacked.Bytes(), MaxRunning: f.limits.Suites, Keep: f.limits.Keep,
	})
	if f.limits.SuiteJobs == 0 {
		return b, nil
	}
	b.pool, err = pool.New(
		pool.Options{
			Workers: f.limits.SuiteJobs, Nice: suiteNice,
			MaxAnswer: int64(b.queue.Feed("").MaxReport() / 2), Memory: memory, Log: log,
		})
	if err != nil {
		b.close()
		return nil, err
	}
	b.worker = newWorker(name, b.queue, b.pool, f.limits.SuiteJobs, log)
	return b, nil
}

// dial connects to the queue of --queue or, without that flag, starts one whose files are next to the database.
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
}
