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
	queue  queueFlags
	name   string
	slots  int
	nice   int
	memory int
	log    logFlags
}

// workerCommand returns the worker command.
func workerCommand() *cobra.Command {
	var f workerFlags
	c := &cobra.Command{
		Use:   "worker --queue URL [flags]",
		Short: "Run the tests of suites from a server's queue",
		Long: `Run the tests of suites from a server's queue until interrupted.

Start the server with the same --queue. A worker accepts only jobs of servers with the
same engines and built-in models. When the worker is interrupted, other workers run its
unfinished tests.`,
		Example: `  litmuscope worker --queue nats://queue.example.org:4222 -j 16`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return f.work(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.queue.add(flags)
	flags.Lookup("queue").Usage = "`URL` of a NATS server with JetStream, or several URLs with commas (required)"
	jobsFlag(flags, &f.slots, "tests")
	flags.StringVar(&f.name, "name", "",
		"`NAME` of the worker in the server's log (default the host name and the process ID)")
	flags.IntVar(&f.nice, "nice", 0, "niceness of the tests' processes, 0 to 19; a higher value is a lower priority")
	flags.IntVar(&f.memory, "child-memory", 0, "memory of all the tests' processes together, in MiB; "+
		"0 = three quarters of the machine's or container's memory")
	f.log.add(flags)
	return c
}

// work runs the worker command.
func (f *workerFlags) work(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, err := f.log.logger()
	switch {
	case err != nil:
		return err
	case f.queue.url == "":
		return errors.New("worker: want --queue URL: a worker cannot use a server's embedded queue")
	case f.slots < 1:
		return fmt.Errorf("--jobs: %d is out of range (1 or more)", f.slots)
	case f.memory < 0:
		return fmt.Errorf("--child-memory: %d is out of range (0 or more)", f.memory)
	case f.nice < 0 || f.nice > 19:
		return fmt.Errorf("--nice: %d is out of range (0 to 19)", f.nice)
	}
	q, err := f.queue.dial(ctx, "", log)
	if err != nil {
		return err
	}
	defer q.Close()
	pool.WarnUnconfined(log)
	memory := childMemory(f.memory, childrenOfCommand, log)
	p, err := pool.New(
		pool.Options{
			Workers: f.slots, Nice: f.nice, MaxAnswer: int64(q.Feed("").MaxReport() / 2), Memory: memory, Log: log,
		})
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
