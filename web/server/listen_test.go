package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// A request under way is answered before the server ends.
func TestServeEndsGracefully(t *testing.T) {
	started, release := make(chan bool), make(chan bool)
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(started)
		<-release
		_, _ = io.WriteString(w, "done")
	})
	ctx, stop := context.WithCancel(t.Context())
	addr := make(chan net.Addr, 1)
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, Listen{Addr: "127.0.0.1:0", Ready: func(a net.Addr) { addr <- a }}, h)
	}()
	answer := make(chan string, 1)
	go func() {
		r, err := http.Get("http://" + (<-addr).String() + "/")
		if err != nil {
			answer <- err.Error()
			return
		}
		defer r.Body.Close()
		body, _ := io.ReadAll(r.Body)
		answer <- string(body)
	}()
	<-started
	stop()
	select {
	case err := <-ended:
		t.Fatalf("the server ended with a request under way: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if got := <-answer; got != "done" {
		t.Errorf("the answer is %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestServeSaysWhenTheAddressIsTaken(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if err := Serve(t.Context(), Listen{Addr: ln.Addr().String()}, http.NotFoundHandler()); err == nil {
		t.Error("Serve took an address that is taken")
	}
}
