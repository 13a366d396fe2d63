package queue

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// The queue of a server's own reserves little of the disk, however much there is.
func TestEmbeddedReservesLittle(t *testing.T) {
	q, err := Embedded(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	account, err := q.js.AccountInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var reserved int64
	for _, name := range []string{jobs, reports} {
		s, err := q.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		reserved += s.CachedInfo().Config.MaxBytes
	}
	if reserved > 128<<20 || reserved <= 0 {
		t.Errorf("its streams may take %d MiB", reserved>>20)
	}
	if account.Streams != 2 {
		t.Errorf("%d streams", account.Streams)
	}
}

// If a queue refuses a password that it accepted before, the client tries again until the queue accepts it; meanwhile
// it is not ready, and says why.
func TestRefusedPassword(t *testing.T) {
	options := func(password string) *server.Options {
		return &server.Options{
			ServerName: "q", Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true,
			StoreDir: t.TempDir(), Username: "litmuscope", Password: password, MaxPayload: maxPayload,
		}
	}
	first := options("right")
	s, err := server.NewServer(first)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.WaitForShutdown()
	defer s.Shutdown()
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server is not ready")
	}
	url := strings.Replace(s.ClientURL(), "nats://", "nats://litmuscope:right@", 1)
	q, err := Dial(t.Context(), url, Login{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := q.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	change := func(password string) {
		t.Helper()
		next := *first
		next.Password = password
		if err := s.ReloadOptions(&next); err != nil {
			t.Fatal(err)
		}
	}
	until := func(what string, so func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !so(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("waited for %s in vain", what)
			}
		}
	}
	change("wrong")
	// The client would close for good at the second refusal.
	until("the refusal", func() bool { return !q.conn.IsConnected() && q.conn.LastError() != nil })
	time.Sleep(4 * q.conn.Opts.ReconnectWait)
	if err := q.Ready(t.Context()); err == nil || !strings.Contains(strings.ToLower(err.Error()), "authorization") {
		t.Errorf("ready: %v", err)
	}
	change("right")
	until("the queue to be back", func() bool { return q.Ready(t.Context()) == nil })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := q.Watch(ctx); err != nil {
		t.Errorf("watching a queue that is there: %v", err)
	}
	q.conn.Close() // as the client does that gives up
	if err := q.Watch(t.Context()); err == nil {
		t.Error("a connection that is closed is not noticed")
	}
}

// A coordinator that starts while its queue does not answer waits for it.
func TestForgetWaitsForTheQueue(t *testing.T) {
	q, err := Embedded(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	if err := q.js.DeleteStream(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 100)
	q.log = slog.New(slog.NewTextHandler(lines(said), nil))
	done := make(chan error, 1)
	go func() { done <- q.Coordinator("c").Forget(t.Context()) }()
	select {
	case line := <-said:
		if !strings.Contains(line, "does not answer yet") {
			t.Errorf("it says %q", line)
		}
	case err := <-done:
		t.Fatalf("without its stream, it ends: %v", err)
	}
	if err := q.streams(t.Context(), 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// lines passes each write on.
type lines chan<- string

// Write implements [io.Writer].
func (l lines) Write(text []byte) (int, error) {
	l <- string(text)
	return len(text), nil
}
