package web_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"

	"litmuscope/solver"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// Large answers that are still being read leave no room for more, and give it back.
func TestHold(t *testing.T) {
	large := &solver.Result{States: make([]solver.State, 1<<20)}
	for i := range large.States {
		large.States[i] = make(solver.State, 2)
	}
	small := &solver.Result{States: large.States[:10]}
	reading, begun := make(chan struct{}), make(chan error)
	s, err := server.New(webtest.TestConfig(nil).Config)
	if err != nil {
		t.Fatal(err)
	}
	h := s.Handler(server.Page{Mount: func(r chi.Router) {
		r.Post("/", func(_ http.ResponseWriter, r *http.Request) {
			begun <- question.Room(r.Context(), []*solver.Result{large})
			<-reading
		})
	}})
	var readers sync.WaitGroup
	answered := func() error {
		readers.Go(func() { h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil)) })
		return <-begun
	}
	held := 0
	for range 10 {
		err := answered()
		var busy *solver.Busy
		switch {
		case err == nil:
			held++
		case !errors.As(err, &busy) || busy.RetryAfter <= 0:
			t.Fatal(err)
		}
	}
	if held == 0 || held == 10 {
		t.Errorf("%d of 10 large answers are held at once", held)
	}
	close(reading)
	readers.Wait()
	reading = make(chan struct{})
	close(reading)
	if err := answered(); err != nil {
		t.Error("once they are read: ", err)
	}
	readers.Wait()
	if err := question.Room(t.Context(), []*solver.Result{small}); err != nil {
		t.Error(err)
	}
}
