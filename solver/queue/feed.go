package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litmuscope/solver/suites"
)

// feed is a worker's end of the queue.
type feed struct {
	*Queue
	version string

	mu       sync.Mutex
	consumer jetstream.Consumer // nil until the feed needs it, and after its loss
}

// Feed is the end of a worker whose engines have a version.
func (q *Queue) Feed(version string) suites.Feed { return &feed{Queue: q, version: version} }

// unused is how long the jobs of a version of the engines have a consumer that nobody asks.
const unused = 7 * 24 * time.Hour

// Next implements [suites.Feed].
func (f *feed) Next(ctx context.Context) (suites.Delivery, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := f.jobs(ctx)
		if err != nil {
			return nil, err
		}
		asking, cancel := context.WithTimeout(ctx, fetchTime)
		m, err := c.Next(jetstream.FetchContext(asking))
		cancel()
		switch {
		case err == nil:
		case ctx.Err() != nil, errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded),
			errors.Is(err, jetstream.ErrNoMessages):
			continue // there is none now
		default:
			f.mu.Lock()
			f.consumer = nil
			f.mu.Unlock()
			return nil, err
		}
		j := new(suites.Job)
		if err := unpack(m.Data(), j); err != nil {
			f.log.Error("dropping an unreadable job", "error", err)
			_ = m.Term() // or else it comes again
			continue
		}
		return &delivery{m, j}, nil
	}
}

func (f *feed) jobs(ctx context.Context) (jetstream.Consumer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.consumer != nil {
		return f.consumer, nil
	}
	c, err := f.js.CreateOrUpdateConsumer(ctx, jobs, jetstream.ConsumerConfig{
		Durable: "workers-" + f.version, FilterSubject: jobSubject(f.version, "*", "*"),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: f.AckWait, MaxAckPending: -1, InactiveThreshold: unused,
	})
	if err == nil {
		f.consumer = c
	}
	return c, err
}

// Report implements [suites.Feed]. A report that is too large for one message takes several, and only the last has the
// report's over.
func (f *feed) Report(ctx context.Context, coordinator string, r *suites.Report) error {
	text, err := reportText(r)
	if err != nil {
		return err
	}
	// Compressed or not: the coordinator has several in memory at once.
	if len(text) > f.MaxReport() {
		if len(r.Rows) < 2 {
			return fmt.Errorf("a row has %d bytes, but the queue accepts %d bytes per message", len(text),
				f.MaxReport())
		}
		first, second := *r, *r
		half := len(r.Rows) / 2
		first.Rows, second.Rows = r.Rows[:half], r.Rows[half:]
		first.Finished, first.LostWorkers = false, 0
		if err := f.Report(ctx, coordinator, &first); err != nil {
			return err
		}
		return f.Report(ctx, coordinator, &second)
	}
	for {
		_, err := f.js.Publish(ctx, reportSubject(coordinator), squeeze(text))
		if err == nil || ctx.Err() != nil || f.conn.IsClosed() {
			return err
		}
		f.log.Debug("the coordinator has not accepted a report yet", "error", err)
		pause(ctx)
	}
}

// MaxReport implements [suites.Feed].
func (f *feed) MaxReport() int { return min(int(f.conn.MaxPayload()), maxPayload) * 9 / 10 }

// Cancelled implements [suites.Feed].
func (f *feed) Cancelled(ctx context.Context, take func(string)) error {
	return f.listen(ctx, cancelled, func(data []byte) { take(string(data)) })
}

// Beat implements [suites.Feed].
func (f *feed) Beat(b suites.Beat) error {
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	return f.conn.Publish(beats, data)
}

// delivery is a job with its message.
type delivery struct {
	msg jetstream.Msg
	job *suites.Job
}

// Job is the delivered job.
func (d *delivery) Job() *suites.Job { return d.job }

// Attempt counts the deliveries of this job, from 1.
func (d *delivery) Attempt() int {
	if m, err := d.msg.Metadata(); err == nil {
		return int(m.NumDelivered)
	}
	return 1
}

// Working extends the time until the job goes to another worker.
func (d *delivery) Working() error { return d.msg.InProgress() }

// Finish acknowledges the job and waits until the queue has removed it.
func (d *delivery) Finish(ctx context.Context) error { return d.msg.DoubleAck(ctx) }
