// Package queue carries jobs of suites to workers and their reports back, through NATS JetStream: a server in this
// process, which listens to nobody else ([Embedded]), or a cluster by its URL ([Dial]).
//
//	q, err := queue.Embedded(ctx, "litmuscope.queue", log)
//	coordinator := suites.NewCoordinator(suites.Config{Queue: q.Coordinator(server), …})
//	worker := suites.Worker{Feed: q.Feed(version), …}
//
// Two streams keep their messages on disk until a receiver acknowledges them: jobs, with a subject for each version of
// the engines, coordinator and suite, and reports, with a subject for each coordinator. Heartbeats and cancellations
// are plain messages. Jobs and reports travel as compressed JSON.
//
// It imports solver/suites, and alone imports NATS.
package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"litmuscope/solver/suites"
)

// Queue is a connection to a queue, whose own server it may be.
type Queue struct {
	conn *nats.Conn
	js   jetstream.JetStream
	log  *slog.Logger
	own  *embedded // nil where the queue is elsewhere

	ending atomic.Bool   // Close was called
	lost   chan struct{} // closed when the connection is, but by Close

	// AckWait is how long a job waits for a sign of work before it goes to another worker. Set it before the first use
	// of Feed; all workers of a queue are to have the same.
	AckWait time.Duration
}

// Names in the queue. The version of the engines, the coordinator's name and the suite's
// id are tokens of subjects.
const (
	jobs      = "LITMUSCOPE_JOBS"
	reports   = "LITMUSCOPE_REPORTS"
	beats     = "litmuscope.beats"
	cancelled = "litmuscope.cancelled"
)

func jobSubject(version, coordinator, suite string) string {
	return "litmuscope.jobs." + version + "." + coordinator + "." + suite
}

func reportSubject(coordinator string) string { return "litmuscope.reports." + coordinator }

const (
	// maxPayload is the embedded server's limit for one message, in bytes.
	maxPayload = 8 << 20
	// maxStream is how much a stream holds, of jobs or of reports, before who sends more has to wait; ownStream is that
	// of the embedded server, whose few workers have little under way. A server may set so much of its disk aside.
	maxStream = 4 << 30
	ownStream = 64 << 20
	startTime = 30 * time.Second // a server may take so long to be ready
	// attemptTime is how long to wait for it before asking again.
	attemptTime = 3 * time.Second
)

// Login is how to be let in by a queue that is elsewhere, if not by its URL.
type Login struct {
	Credentials string // a NATS credentials file
	CA          string // a file of certificates to trust
}

// Dial connects to a queue by its URL, or several URLs of one cluster with commas between.
func Dial(ctx context.Context, url string, l Login, log *slog.Logger) (*Queue, error) {
	options := []nats.Option{nats.RetryOnFailedConnect(true)} // it may be starting, too
	if l.Credentials != "" {
		options = append(options, nats.UserCredentials(l.Credentials))
	}
	if l.CA != "" {
		options = append(options, nats.RootCAs(l.CA))
	}
	return connect(ctx, url, maxStream, log, options...)
}

// connect connects to a NATS server and creates the streams, of at most stream bytes. The connection reconnects without
// end; it closes lost when the connection closes for good.
func connect(ctx context.Context, url string, stream int64, log *slog.Logger, options ...nats.Option) (*Queue, error) {
	options = append(options,
		nats.Name("litmuscope"), nats.MaxReconnects(-1), nats.ReconnectWait(500*time.Millisecond),
		// A server may refuse the password while somebody changes its accounts: by itself, the client gives a server up
		// that refuses it twice, and closes for good when it has given up all.
		nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				log.Warn("lost the connection to the queue", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			log.Info("reconnected to the queue", "server", c.ConnectedServerName())
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log.Warn("queue", "error", err) }),
	)
	q := &Queue{log: log, AckWait: suites.AckWait, lost: make(chan struct{})}
	options = append(options, nats.ClosedHandler(func(c *nats.Conn) {
		if !q.ending.Load() {
			log.Error("the connection to the queue is closed for good", "error", c.LastError())
			close(q.lost)
		}
	}))
	conn, err := nats.Connect(url, options...)
	if err != nil {
		return nil, fmt.Errorf("queue %s: %w", redacted(url), err)
	}
	q.conn = conn
	if q.js, err = jetstream.New(conn); err == nil {
		err = q.streams(ctx, stream)
	}
	if err != nil {
		q.ending.Store(true)
		if said := conn.LastError(); said != nil && !conn.IsConnected() {
			err = said // such as that the password is wrong
		}
		conn.Close()
		return nil, fmt.Errorf("queue %s: %w", redacted(url), err)
	}
	return q, nil
}

// redacted is a list of URLs as logs may show it: without passwords.
func redacted(list string) string {
	if list == "" {
		return "in this process"
	}
	parts := strings.Split(list, ",")
	for i, part := range parts {
		if u, err := url.Parse(strings.TrimSpace(part)); err == nil {
			parts[i] = u.Redacted()
		}
	}
	return strings.Join(parts, ",")
}

// streams makes the two streams, of so many bytes, on three nodes where the queue has so many.
func (q *Queue) streams(ctx context.Context, bytes int64) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	for _, c := range []jetstream.StreamConfig{
		{Name: jobs, Subjects: []string{jobSubject("*", "*", "*")}, MaxBytes: bytes},
		{Name: reports, Subjects: []string{reportSubject("*")}, MaxBytes: bytes},
	} {
		c.Retention, c.Storage, c.Discard = jetstream.WorkQueuePolicy, jetstream.FileStorage, jetstream.DiscardNew
		if err := q.stream(ctx, c); err != nil {
			return fmt.Errorf("stream %s: %w", c.Name, err)
		}
	}
	return nil
}

// noStorage is the error code of a server without room for a stream ("insufficient storage resources available").
const noStorage jetstream.ErrorCode = 10047

func (q *Queue) stream(ctx context.Context, c jetstream.StreamConfig) error {
	for {
		err := q.tryStream(ctx, c)
		if err == nil {
			return nil
		}
		var refused *jetstream.APIError
		if errors.As(err, &refused) && refused.ErrorCode == noStorage {
			return fmt.Errorf("it cannot reserve %d MiB on its disk: %w", c.MaxBytes>>20, err)
		}
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) ||
			errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
			return err
		}
		q.log.Debug("the queue is not ready", "error", err)
		select { // a cluster that has just started has no leader yet
		case <-ctx.Done():
			return err
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// tryStream creates a stream unless it exists, possibly with other settings of its operator. It does not wait long: a
// cluster without a leader lets questions go unanswered.
func (q *Queue) tryStream(ctx context.Context, c jetstream.StreamConfig) error {
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	_, err := q.js.Stream(ctx, c.Name)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	for _, c.Replicas = range []int{3, 1} {
		if _, err = q.js.CreateStream(ctx, c); err == nil || errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			if cluster := q.conn.ConnectedClusterName(); err == nil && c.Replicas == 1 && cluster != "" {
				q.log.Warn("the queue's cluster has fewer than three nodes: messages have one copy until the stream "+
					"is edited", "stream", c.Name, "cluster", cluster)
			}
			return nil
		}
	}
	return err
}

// Ready returns why the queue cannot be used now, or nil.
func (q *Queue) Ready(ctx context.Context) error {
	if !q.conn.IsConnected() {
		if err := q.conn.LastError(); err != nil {
			return fmt.Errorf("not connected to the queue: %w", err)
		}
		return errors.New("not connected to the queue")
	}
	if q.own != nil {
		if err := q.own.well(); err != nil {
			return err
		}
	}
	_, err := q.js.Stream(ctx, jobs)
	return err
}

// Watch waits until the context ends, or until the connection closes for good without a call of Close: that is an
// error. The process should then end, so that its service manager starts it again. If the queue is unreachable or
// refuses the password, Watch tries again and again instead, and Ready says so.
func (q *Queue) Watch(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-q.lost:
		return fmt.Errorf("the connection to the queue is closed for good: %w",
			cmp.Or(q.conn.LastError(), nats.ErrConnectionClosed))
	}
}

// Close ends the use of the queue, and its server where that is in this process.
func (q *Queue) Close() {
	q.ending.Store(true)
	q.conn.Close()
	if q.own != nil {
		q.own.close()
	}
}
