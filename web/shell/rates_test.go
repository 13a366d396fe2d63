package shell

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Lessons cost a client what they ask: no more of them than of other questions.
func TestLessonsCount(t *testing.T) {
	for path, want := range map[string]budget{"/learn/fences": toAsk, "/learn": toRead, "/learn/x.png": toRead, "/learn/a/b.png": toRead, "/learn/fences/version": toRead} {
		if got := budgetOf(httptest.NewRequest(http.MethodGet, path, nil)); got != want {
			t.Errorf("GET %s counts as %d, want %d", path, got, want)
		}
	}
	for _, path := range []string{"/learn/check", "/learn/run"} {
		if got := budgetOf(httptest.NewRequest(http.MethodPost, path, nil)); got != toAsk {
			t.Errorf("POST %s counts as %d, want %d", path, got, toAsk)
		}
	}
}
