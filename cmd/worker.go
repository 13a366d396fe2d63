package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
)

// workerFlags are the flags of the worker command.
type workerFlags struct {
	queue queueFlags
	name  string
	slots int
	nice  int
	log   logFlags
}

func workerCommand() *cobra.Command {
	var f workerFlags
	c := &cobra.Command{
		Use:   "worker --queue URL [flags]",
		Short: "Run tests of suites that a server elsewhere puts into a queue",
		Long: `Run tests of suites that a server elsewhere puts into a queue, until interrupted.

The server runs with the same --queue. A worker takes jobs of servers whose engines
and built-in models are those of its own program, and leaves others alone. When it is
told to end, tests under way are left to other workers.`,
		Example: `  litmuscope worker --queue nats://queue.example.org:4222 -j 16`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return f.work(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.queue.add(flags)
	flags.Lookup("queue").Usage = "URL of a NATS server with JetStream, or several with commas"
	jobsFlag(flags, &f.slots, "tests")
	flags.StringVar(&f.name, "name", "",
		"what the worker is called in the server's log (default the machine and the process)")
	flags.IntVar(&f.nice, "nice", 0, "lower the priority of the tests by so much, up to 19")
	f.log.add(flags)
	return c
}

// work is the worker command.
func (f *workerFlags) work(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, err := f.log.logger()
	switch {
	case err != nil:
		return err
	case f.queue.url == "":
		return errors.New("worker: say with --queue where the queue is (a server's own is not for others)")
	case f.slots < 1:
		return fmt.Errorf("--jobs: %d is out of range (1 or more)", f.slots)
	case f.nice < 0 || f.nice > 19:
		return fmt.Errorf("--nice: %d is out of range (0 to 19)", f.nice)
	}
	q, err := f.queue.dial(ctx, "", log)
	if err != nil {
		return err
	}
	defer q.Close()
	pool.WarnUnconfined(log)
	p, err := pool.New(
		pool.Options{Workers: f.slots, Nice: f.nice, MaxAnswer: int64(q.Feed("").MaxReport() / 2), Log: log})
	if err != nil {
		return err
	}
	defer p.Close()
	if f.name == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "worker"
		}
		f.name = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	log.Info("working", "name", f.name, "slots", f.slots, "version", engines.Fingerprint())
	return both(ctx, q.Watch, newWorker(f.name, q, p, f.slots, log).Run)
}
