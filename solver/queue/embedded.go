package queue

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// embedded is a queue's server in this process.
type embedded struct {
	*server.Server
	folder string
	log    *slog.Logger
	end    context.CancelFunc
	ended  chan struct{}
}

// mendTime is how often the coordinator checks the server.
const mendTime = 2 * time.Second

// Embedded starts a server in this process, which keeps its files in a folder.
func Embedded(ctx context.Context, folder string, log *slog.Logger) (*Queue, error) {
	s, err := server.NewServer(&server.Options{
		ServerName: "litmuscope", DontListen: true, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: folder, SyncAlways: true, MaxPayload: maxPayload,
		JetStreamMaxStore: jetStream(folder).MaxStore,
	})
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return nil, fmt.Errorf("queue: the server was not ready after %v: check the folder %s", startTime,
			folder)
	}
	q, err := connect(ctx, "", ownStream, log, nats.InProcessServer(s))
	if err != nil {
		s.Shutdown()
		return nil, err
	}
	looking, end := context.WithCancel(context.Background())
	q.own = &embedded{s, folder, log, end, make(chan struct{})}
	go q.own.lookAfter(looking)
	return q, nil
}

// jetStream configures how the server stores messages.
func jetStream(folder string) *server.JetStreamConfig {
	return &server.JetStreamConfig{
		StoreDir: folder, SyncAlways: true, Strict: true,
		MaxMemory: ownStream, MaxStore: 4 * maxStream, // or else so much as the disk has now
	}
}

// well returns what is wrong with the server, or nil.
func (e *embedded) well() error {
	if h := e.Healthz(&server.HealthzOptions{}); h.Error != "" {
		return fmt.Errorf("the queue cannot store messages: %s", h.Error)
	}
	return nil
}

// lookAfter has the server begin anew with what is on its disk once it has failed to write, and could again: it
// would not by itself.
func (e *embedded) lookAfter(ctx context.Context) {
	defer close(e.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(mendTime):
		}
		ill := e.well()
		if ill == nil || !e.writable() {
			continue
		}
		err := e.ShutdownJetStream()
		if err == nil {
			err = e.EnableJetStream(jetStream(e.folder))
		}
		e.log.Warn("the queue's disk is writable again: the queue restarts", "was", ill, "error", err)
	}
}

// writable reports whether the disk takes what the server writes at a time.
func (e *embedded) writable() bool {
	name := filepath.Join(e.folder, "room")
	defer os.Remove(name)
	return os.WriteFile(name, make([]byte, maxPayload), 0o600) == nil
}

func (e *embedded) close() {
	e.end()
	<-e.ended
	e.Shutdown()
	e.WaitForShutdown()
}
