package suites

import "context"

// Queue is the coordinator's end of a queue. The queue keeps what it has taken until it
// is done with, and hands on what was taken by a worker that has gone silent.
type Queue interface {
	// Publish puts a job into the queue, which has it once Publish has returned.
	Publish(ctx context.Context, j *Job) error
	// Forget takes all jobs of this coordinator out of the queue that no worker has yet.
	Forget(ctx context.Context) error
	// Reports hands each report to take until the context ends, in batches, and never more
	// than one at a time. Those of a batch are kept until take has returned nil for it.
	Reports(ctx context.Context, take func(context.Context, []*Report) error) error
	// Beats hands on the signs of life of workers, of any version.
	Beats(ctx context.Context, take func(Beat)) error
	// Cancel takes the jobs of a suite out of the queue, and tells the workers that have some,
	// as far as they can be reached.
	Cancel(ctx context.Context, suite string) error
	// Backlog is how many jobs the queue has, waiting or with a worker.
	Backlog(ctx context.Context) (int, error)
}

// Feed is a worker's end of a queue, for jobs of one version.
type Feed interface {
	// Next waits for a job.
	Next(ctx context.Context) (Delivery, error)
	// Report sends a report to the coordinator, and returns once the queue has it.
	Report(ctx context.Context, server string, r *Report) error
	// Cancelled hands on the ids of suites that are cancelled, until the context ends.
	Cancelled(ctx context.Context, take func(suite string)) error
	// Beat sends a sign of life, as far as that reaches.
	Beat(b Beat) error
	// MaxReport is how large a report may be, in bytes.
	MaxReport() int
}

// Delivery is a job that a worker has been handed.
type Delivery interface {
	Job() *Job
	// Attempt counts how often the job was handed out, this time included.
	Attempt() int
	// Working keeps the job from being handed to another worker for a while.
	Working() error
	// Finish takes the job out of the queue.
	Finish(ctx context.Context) error
}
