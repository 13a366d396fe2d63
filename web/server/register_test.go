package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"testing"

	"github.com/go-chi/chi/v5"
)

// A page's own errors are answered as it registers them.
func TestPagesRegisterFaults(t *testing.T) {
	s, err := New(Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	closed := errors.New("the shop is closed")
	s.Handler(Page{Mount: func(chi.Router) {}, Faults: []FaultKind{AnswerTo(http.StatusConflict, "", closed)}})
	f := s.Fault(t.Context(), fmt.Errorf("%w", closed))
	if f.Status != http.StatusConflict || f.Detail != "The shop is closed." || s.Ours(closed) {
		t.Errorf("%d %s, ours: %v", f.Status, f.Detail, s.Ours(closed))
	}
	if other := errors.New("the disk is on fire"); !s.Ours(other) || s.Fault(t.Context(), other).Status != 500 {
		t.Error("an error that no page registers is not the server's")
	}
}

// A server bounds what pages bound, too; the limits that it was given stay as they were.
func TestPagesRegisterLimits(t *testing.T) {
	given := DefaultLimits()
	row := Limit{Name: "guests", What: "guests", Value: 3, Answer: http.StatusUnprocessableEntity}
	c := Config{Log: slog.New(slog.DiscardHandler), Limits: given, LimitTable: append(slices.Clone(LimitTable), row)}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if told := s.Limits.Infos(); len(told) != len(LimitTable)+1 || told[len(told)-1].Name != "guests" {
		t.Errorf("%d limits, the last %+v", len(told), told[len(told)-1])
	}
	if n := len(given.Infos()); n != len(LimitTable) {
		t.Errorf("%d limits of those given", n)
	}
	request := struct {
		Guests []string `json:"guests" limit:"guests"`
	}{make([]string, 4)}
	if err := s.Limits.Within(request); err == nil {
		t.Error("four guests are let in")
	}
}
