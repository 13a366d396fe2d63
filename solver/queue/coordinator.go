package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litmuscope/solver/suites"
)

// coordinator is a coordinator's end of the queue.
type coordinator struct {
	*Queue
	name string
}

// Coordinator is the end of a coordinator of a name, which is a token of a subject.
func (q *Queue) Coordinator(name string) suites.Queue { return &coordinator{q, name} }

// Publish implements [suites.Queue].
func (c *coordinator) Publish(ctx context.Context, j *suites.Job) error {
	data, err := pack(j)
	if err != nil {
		return err
	}
	if limit := int(c.conn.MaxPayload()); len(data) > limit {
		return fmt.Errorf("a job has %d bytes, but the queue accepts %d bytes per message: raise max_payload in "+
			"the queue's configuration",
			len(data), limit)
	}
	_, err = c.js.Publish(ctx, jobSubject(j.Version, c.name, j.Suite), data)
	return err
}

// Forget implements [suites.Queue]. It tries until the queue does it, which may be starting just like the coordinator.
func (c *coordinator) Forget(ctx context.Context) error {
	for {
		s, err := c.js.Stream(ctx, jobs)
		if err == nil {
			err = s.Purge(ctx, jetstream.WithPurgeSubject(jobSubject("*", c.name, "*")))
		}
		if err == nil || ctx.Err() != nil {
			return err
		}
		c.log.Warn("the queue does not answer yet", "error", err)
		pause(ctx)
	}
}

// Backlog implements [suites.Queue].
func (c *coordinator) Backlog(ctx context.Context) (int, error) {
	s, err := c.js.Stream(ctx, jobs)
	if err != nil {
		return 0, err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(jobSubject("*", c.name, "*")))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, of := range info.State.Subjects {
		n += int(of)
	}
	return n, nil
}

// Batches of reports: the messages that are there, up to so many.
const (
	batchReports = 16
	fetchTime    = 5 * time.Second
	reportWait   = time.Minute // until a batch is recorded
)

// Reports implements [suites.Queue].
func (c *coordinator) Reports(ctx context.Context, take func(context.Context, []*suites.Report) error) error {
	for ctx.Err() == nil {
		// A consumer may vanish with the node that had it.
		consumer, err := c.js.CreateOrUpdateConsumer(ctx, reports, jetstream.ConsumerConfig{
			Durable: "coordinator-" + c.name, FilterSubject: reportSubject(c.name),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: reportWait, MaxAckPending: 4 * batchReports,
		})
		if err == nil {
			err = c.consume(ctx, consumer, take)
		}
		if err != nil && ctx.Err() == nil {
			c.log.Warn("cannot receive reports", "error", err)
			pause(ctx)
		}
	}
	return nil
}

// consume receives reports in batches until the context ends, and passes them to take. It waits for a first report and
// takes what has arrived meanwhile with it.
func (c *coordinator) consume(
	ctx context.Context, from jetstream.Consumer, take func(context.Context, []*suites.Report) error,
) error {
	for ctx.Err() == nil {
		// The first wakes; what has come meanwhile goes with it.
		batch, err := from.FetchNoWait(batchReports)
		if err != nil {
			return err
		}
		msgs, err := collect(batch)
		if err == nil && len(msgs) == 0 {
			waiting, cancel := context.WithTimeout(ctx, fetchTime)
			if batch, err = from.Fetch(1, jetstream.FetchContext(waiting)); err == nil {
				msgs, err = collect(batch)
			}
			cancel()
			if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) {
				err = nil
			}
		}
		if err != nil {
			return err
		}
		if len(msgs) > 0 {
			c.hand(ctx, msgs, take)
		}
	}
	return nil
}

func collect(batch jetstream.MessageBatch) ([]jetstream.Msg, error) {
	var msgs []jetstream.Msg
	for m := range batch.Messages() {
		msgs = append(msgs, m)
	}
	return msgs, batch.Error()
}

// hand has a batch taken, again and again until it is.
func (c *coordinator) hand(
	ctx context.Context, msgs []jetstream.Msg, take func(context.Context, []*suites.Report) error,
) {
	var all []*suites.Report
	for _, m := range msgs {
		r, err := readReport(m.Data())
		if err != nil {
			c.log.Error("dropping an unreadable report", "error", err)
			continue
		}
		all = append(all, r)
	}
	for {
		err := take(ctx, all)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return // the server will deliver them again
		}
		c.log.Error("cannot record reports; they stay in the queue", "error", err)
		pause(ctx)
		for _, m := range msgs {
			_ = m.InProgress() // or else the server delivers them again, which does no harm
		}
	}
	for _, m := range msgs {
		if err := m.Ack(); err != nil {
			c.log.Debug("cannot acknowledge a report", "error", err) // it comes again, and changes nothing
		}
	}
}

// Beats implements [suites.Queue].
func (c *coordinator) Beats(ctx context.Context, take func(suites.Beat)) error {
	return c.listen(ctx, beats, func(data []byte) {
		var b suites.Beat
		if err := json.Unmarshal(data, &b); err != nil {
			c.log.Debug("cannot read a heartbeat", "error", err)
			return
		}
		take(b)
	})
}

// Cancel implements [suites.Queue].
func (c *coordinator) Cancel(ctx context.Context, suite string) error {
	s, err := c.js.Stream(ctx, jobs)
	if err == nil {
		err = s.Purge(ctx, jetstream.WithPurgeSubject(jobSubject("*", c.name, suite)))
	}
	return errors.Join(err, c.conn.Publish(cancelled, []byte(suite)))
}

// listen passes each plain message of a subject to a function until the context ends.
func (q *Queue) listen(ctx context.Context, subject string, take func([]byte)) error {
	s, err := q.conn.Subscribe(subject, func(m *nats.Msg) { take(m.Data) })
	if err != nil {
		return err
	}
	<-ctx.Done()
	_ = s.Unsubscribe() // the connection may already be closed
	return nil
}

func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
}
