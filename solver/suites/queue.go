package suites

import "context"

// Queue is the coordinator's end of a queue. The queue keeps a job until its worker finishes, and gives the job to
// another worker if the first goes silent.
type Queue interface {
	// Publish puts a job into the queue, which has it once Publish has returned.
	Publish(ctx context.Context, j *Job) error
	// Forget takes all jobs of this coordinator out of the queue that no worker has yet.
	Forget(ctx context.Context) error
	// Reports hands each report to take until the context ends, in batches, and never more than one at a time. The
	// queue keeps a batch until take has returned nil for it.
	Reports(ctx context.Context, take func(context.Context, []*Report) error) error
	// Beats passes the signs of life of workers of any version to take.
	Beats(ctx context.Context, take func(Beat)) error
	// Cancel removes the jobs of a suite from the queue, and notifies those of its workers that it can reach.
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
	// Cancelled passes the ids of cancelled suites to take, until the context ends.
	Cancelled(ctx context.Context, take func(suite string)) error
	// Beat sends a sign of life. It may get lost.
	Beat(b Beat) error
	// MaxReport is how large a report may be, in bytes.
	MaxReport() int
}

// Delivery is a job as a worker receives it.
type Delivery interface {
	Job() *Job
	// Attempt counts the deliveries of the job, with this one.
	Attempt() int
	// Working asks the queue not to give the job to another worker for a while.
	Working() error
	// Finish takes the job out of the queue.
	Finish(ctx context.Context) error
}
