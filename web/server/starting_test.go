package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
)

// get requests a page and returns the status and the text, or the error.
func get(address net.Addr) (status int, text string) {
	r, err := http.Get("http://" + address.String() + "/")
	if err != nil {
		return 0, err.Error()
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, err.Error()
	}
	return r.StatusCode, string(body)
}

// A request that comes before the pages are there is answered by them.
func TestStartingLetsRequestsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pages := NewStarting()
		answer := make(chan string, 1)
		go func() {
			w := httptest.NewRecorder()
			pages.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody))
			answer <- w.Body.String()
		}()
		synctest.Wait()
		if len(answer) > 0 {
			t.Fatalf("answered %q before there were pages", <-answer)
		}
		pages.Use(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") }))
		if got := <-answer; got != "page" {
			t.Errorf("the answer is %q", got)
		}
	})
}

// A server that is stopped before its pages are there says so to those who wait, and ends.
func TestStartingStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	pages := NewStarting()
	at, came, ended := make(chan net.Addr, 1), make(chan bool, 1), make(chan error, 1)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		came <- true
		pages.ServeHTTP(w, r)
	})
	go func() {
		ended <- Serve(ctx, Listen{Addr: "127.0.0.1:0", Ready: func(a net.Addr) { at <- a }}, h)
	}()
	answer := make(chan string, 1)
	go func() {
		status, text := get(<-at)
		if status != http.StatusServiceUnavailable {
			text = http.StatusText(status) + ": " + text
		}
		answer <- text
	}()
	<-came
	stop()
	if got := <-answer; !strings.HasPrefix(got, "The server stopped before it could answer.") {
		t.Errorf("the answer is %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
