package textpage

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"litmuscope/web/server"
)

// A bug in making a part of an answer is the request's fault alone, and is no answer.
func TestBugInAPart(t *testing.T) {
	s, err := server.New(server.Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	b := Page[int]{
		Server: s,
		Read:   func(url.Values) (int, error) { return 0, nil },
		Answer: func(_ context.Context, _ int, _ url.Values, a Asked) (Answer, error) {
			met := make(chan struct{})
			a.Partial(func() templ.Component {
				close(met)
				panic("a bug")
			})
			<-met
			return Answer{Part: templ.Raw("an answer")}, nil
		},
	}
	r := httptest.NewRequest(http.MethodPost, "/explore", strings.NewReader(""))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", server.LinesMedia)
	r.Header.Set(server.NonceHeader, "n")
	w := httptest.NewRecorder()
	b.Post(w, r)
	if said := w.Body.String(); w.Code != http.StatusInternalServerError || strings.Contains(said, "an answer") ||
		strings.Contains(said, "a bug") {
		t.Errorf("status %d: %s", w.Code, said)
	}
}
