package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/store"
	"litmuscope/web"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// Requests that outlast the grace say so, in the documented form; and while the server
// ends, it is not ready.
func TestEndingCutsRequestsInWords(t *testing.T) {
	started := make(chan bool)
	stuck := runnerFunc(func(ctx context.Context, _ solver.Task) (*solver.Result, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	h := configured(t, func(c *web.Config) { c.Runner = stuck })
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ready, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- server.Serve(ctx, server.Listen{
			// a busy machine asks late
			Addr: "127.0.0.1:0", Ready: func(a net.Addr) { ready <- a }, Drain: 3 * time.Second,
			Grace: 300 * time.Millisecond,
		}, h)
	}()
	url := "http://" + (<-ready).String()
	status := func() int {
		r, err := http.Get(url + "/readyz")
		if err != nil {
			return 0
		}
		r.Body.Close()
		return r.StatusCode
	}
	if got := status(); got != http.StatusOK {
		t.Errorf("/readyz: %d", got)
	}
	type answer struct {
		*http.Response
		err  error
		body []byte
	}
	answers := make(chan answer)
	go func() {
		r, err := http.Post(url+"/api/v1/explore", "application/json",
			strings.NewReader(bodyOf(t, map[string]any{"source": webtest.ClassicSource(t, "SB")})))
		a := answer{Response: r, err: err}
		if err == nil {
			a.body, a.err = io.ReadAll(r.Body)
		}
		answers <- a
	}()
	<-started
	stop()
	time.Sleep(50 * time.Millisecond)
	if got := status(); got != http.StatusServiceUnavailable {
		t.Errorf("/readyz while ending: %d", got)
	}
	a := <-answers
	if a.err != nil || a.StatusCode != http.StatusServiceUnavailable ||
		a.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("cut with %v, %+v: %s", a.err, a.Response, a.body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := status(); got != 0 {
		t.Errorf("/readyz after the end: %d", got)
	}
}

func TestReadiness(t *testing.T) {
	fault := error(nil)
	h := configured(t, func(c *web.Config) {
		c.Ready = []server.Check{
			{Name: "database", Ask: func(context.Context) error { return nil }},
			{Name: "queue", Ask: func(context.Context) error { return fault }},
		}
	})
	w := do(h, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	wantStatus(t, w, http.StatusOK)
	if w.Body.String() != "database ok\nqueue ok\nready\n" {
		t.Errorf("ready: %s", w.Body)
	}
	fault = errors.New("nobody is there")
	w = do(h, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	wantStatus(t, w, http.StatusServiceUnavailable)
	if !strings.Contains(w.Body.String(), "Not ready: queue.") || strings.Contains(w.Body.String(), "nobody") {
		t.Errorf("not ready: %s", w.Body)
	}
	fault = fmt.Errorf("%w: /var/lib/somewhere", store.ErrFull)
	w = do(h, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	wantStatus(t, w, http.StatusServiceUnavailable)
	if !strings.Contains(w.Body.String(), "Not ready: queue (the database's disk is full).") ||
		strings.Contains(w.Body.String(), "/var/") {
		t.Errorf("not ready: %s", w.Body)
	}
}
