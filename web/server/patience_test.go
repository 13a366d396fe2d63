package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"
)

// impatient makes the server's patience short for a test.
func impatient(t *testing.T, header, body, write time.Duration) {
	h, b, w := headerPatience, bodyPatience, writePatience
	headerPatience, bodyPatience, writePatience = header, body, write
	t.Cleanup(func() { headerPatience, bodyPatience, writePatience = h, b, w })
}

// serving serves h until the test ends.
func serving(t *testing.T, h http.Handler, l Listen) (addr string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan net.Addr, 1), make(chan error, 1)
	l.Addr, l.Ready, l.Grace = "127.0.0.1:0", func(a net.Addr) { ready <- a }, 10*time.Millisecond
	go func() { ended <- Serve(ctx, l, h) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return (<-ready).String()
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// untilTheEnd waits for the server to close a connection, and is what it has said.
func untilTheEnd(t *testing.T, c net.Conn) string {
	t.Helper()
	_ = c.SetReadDeadline(time.Time{})
	said, _ := io.ReadAll(c) // a reset ends it, too
	return string(said)
}

// drip sends a byte now and then until the connection is closed.
func drip(c net.Conn, text string) {
	for i := 0; ; i++ {
		if _, err := c.Write([]byte{text[i%len(text)]}); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// reading is a site that reads forms, and JSON as the REST interface does.
func reading(t *testing.T) http.Handler {
	t.Helper()
	s, err := New(Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return s.Handler(Page{Mount: func(r chi.Router) {
		r.Post("/links", func(w http.ResponseWriter, r *http.Request) { s.ParseForm(w, r) })
		huma.Register(humachi.New(r, huma.DefaultConfig("", "")), s.Asking(huma.Operation{Path: "/api/v1/explore"}),
			func(context.Context, *struct{ Body struct{} }) (*struct{}, error) { return nil, nil })
	}})
}

func TestSlowClientsAreCutOff(t *testing.T) {
	impatient(t, 300*time.Millisecond, 300*time.Millisecond, 300*time.Millisecond)
	h := reading(t)
	mux := http.NewServeMux()
	mux.Handle("/", h)
	cut := make(chan bool)
	mux.Handle("/large", setDeadlines(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				close(cut)
				return
			}
		}
	})))
	addr := serving(t, mux, Listen{})

	t.Run("header never ends", func(t *testing.T) {
		c := dial(t, addr)
		fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
		go drip(c, "x")
		untilTheEnd(t, c)
	})
	t.Run("no request at all", func(t *testing.T) {
		untilTheEnd(t, dial(t, addr))
	})
	t.Run("body never ends", func(t *testing.T) {
		for _, head := range []string{
			"POST /links HTTP/1.1\r\nHost: localhost\r\n" +
				"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000\r\n\r\n",
			"POST /api/v1/explore HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
				"Content-Length: 100000\r\n\r\n",
		} {
			c := dial(t, addr)
			fmt.Fprint(c, head)
			go drip(c, " ")
			if said := untilTheEnd(t, c); !strings.HasPrefix(said, "HTTP/1.1 408 ") ||
				!strings.Contains(said, "application/problem+json") {
				t.Errorf("it said %q", said)
			}
		}
	})
	t.Run("chunks never end", func(t *testing.T) {
		c := dial(t, addr)
		fmt.Fprint(c, "POST /links HTTP/1.1\r\nHost: localhost\r\n"+
			"Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n")
		go drip(c, "1\r\nx\r\n")
		untilTheEnd(t, c)
	})
	t.Run("never reads", func(t *testing.T) {
		c := dial(t, addr)
		fmt.Fprint(c, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
		<-cut // or the server still waits for a reader that never reads
	})
	r, err := http.Get("http://" + addr + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
}

// What takes long and is no fault of the client's is not cut off: an upload that makes
// headway, an answer that is waited for, a stream that says something now and then.
func TestPatience(t *testing.T) {
	const short = 300 * time.Millisecond
	impatient(t, short, short, short)
	mux := http.NewServeMux()
	wait := func(ctx context.Context) string {
		select {
		case <-ctx.Done():
			return "cut: " + context.Cause(ctx).Error()
		case <-time.After(3 * short):
			return "answered"
		}
	}
	mux.HandleFunc("POST /upload", func(w http.ResponseWriter, r *http.Request) {
		AllowBody(w, r, 8<<20)
		n, err := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, n, err, wait(r.Context()))
	})
	mux.HandleFunc("GET /wait", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, wait(r.Context())) })
	mux.HandleFunc("GET /stream", func(w http.ResponseWriter, r *http.Request) {
		for range 2 {
			fmt.Fprint(w, wait(r.Context()), " ")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
		}
	})
	addr := serving(t, setDeadlines(limitBody(mux)), Listen{})
	ask := func(method, path string, body io.Reader) string {
		r, err := http.NewRequest(method, "http://"+addr+path, body)
		if err != nil {
			t.Fatal(err)
		}
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		said, err := io.ReadAll(w.Body)
		if err != nil {
			t.Error(err)
		}
		return string(said)
	}
	in, out := io.Pipe()
	go func() { // 4 MiB in ten pieces, over five times the patience
		for range 10 {
			_, _ = out.Write(make([]byte, 4<<20/10))
			time.Sleep(short / 2)
		}
		out.Close()
	}()
	if got := ask("POST", "/upload", in); got != "4194300 <nil>answered" {
		t.Errorf("the upload: %q", got)
	}
	if got := ask("POST", "/upload", io.LimitReader(zeros{}, 9<<20)); !strings.Contains(got, "too large") {
		t.Errorf("the upload beyond its limit: %q", got)
	}
	if got := ask("GET", "/wait", nil); got != "answered" {
		t.Errorf("the wait: %q", got)
	}
	if got := ask("GET", "/stream", nil); got != "answered answered " {
		t.Errorf("the stream: %q", got)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestConnectionsAreLimited(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limitConnections(ln, 8, Proxies{}).(*limitListener)
	for i := range 3 {
		if got := l.enter("somebody", "their network"); got != (i < 2) {
			t.Errorf("connection %d of one client: %v", i, got)
		}
	}
	for i, want := range []bool{true, true, false} {
		// with the two of the client before, a network has half of the connections
		if got := l.enter(fmt.Sprint("neighbour ", i), "their network"); got != want {
			t.Errorf("neighbour %d's connection: %v", i, got)
		}
	}
	addr := serving(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "here") }),
		Listen{Connections: 2})
	held := []net.Conn{dial(t, addr), dial(t, addr)}
	for _, c := range held {
		fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
			t.Fatal(line, err)
		}
	}
	third := dial(t, addr)
	fmt.Fprint(third, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	_ = third.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if n, err := third.Read(make([]byte, 1)); err == nil {
		t.Errorf("a third connection is served: %d bytes", n)
	}
	held[0].Close()
	if said := untilTheEnd(t, third); !strings.Contains(said, "here") {
		t.Errorf("once there is room: %q", said)
	}
}
