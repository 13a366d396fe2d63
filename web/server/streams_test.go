package server

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A client's requests that wait are bounded, whatever proxy they come through, and nobody else's.
func TestWaitingRequestsAreBounded(t *testing.T) {
	limits := DefaultLimits()
	limits.Connections = 16
	s, err := New(Config{Limits: limits, Proxies: Proxies{hops: 1}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	held, let := make(chan bool), make(chan bool)
	p := httptest.NewServer(s.identify(s.limitRunning(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			held <- true
			<-let
		}
	}))))
	defer p.Close()
	asks := func(from, path string) int {
		t.Helper()
		r, err := http.NewRequest(http.MethodGet, p.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", from)
		w, err := p.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(w.Body)
		w.Body.Close()
		if w.StatusCode == http.StatusServiceUnavailable &&
			(w.Header.Get("Retry-After") == "" || !strings.Contains(string(body), "oo many")) {
			t.Errorf("%s: no Retry-After, or no words: %s", path, body)
		}
		return w.StatusCode
	}
	done := make(chan int)
	for range 4 {
		go func() {
			r, err := http.NewRequest(http.MethodGet, p.URL+"/wait", nil)
			if err != nil {
				panic(err)
			}
			r.Header.Set("X-Forwarded-For", "192.0.2.1")
			w, err := p.Client().Do(r)
			if err != nil {
				panic(err)
			}
			w.Body.Close()
			done <- w.StatusCode
		}()
		<-held
	}
	for _, c := range []struct {
		from, path string
		want       int
	}{
		{"192.0.2.1", "/", http.StatusServiceUnavailable},
		{"192.0.2.1", "/healthz", http.StatusOK},
		{"192.0.2.2", "/", http.StatusOK},
	} {
		if status := asks(c.from, c.path); status != c.want {
			t.Errorf("%s of %s: status %d, want %d", c.path, c.from, status, c.want)
		}
	}
	close(let)
	for range 4 {
		if status := <-done; status != http.StatusOK {
			t.Errorf("who has waited: status %d", status)
		}
	}
	for { // once that they are over is known
		if asks("192.0.2.1", "/") == http.StatusOK {
			break
		}
	}
}
