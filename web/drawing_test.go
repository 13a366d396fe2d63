package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// What cannot be saved is refused in words.
func TestExportRefuses(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := func(more ...string) url.Values {
		f := url.Values{
			"source": {catalogueSource(t, "SB")}, "model": {"tso"}, "column": {"tso"},
			"engine": {"axiomatic"},
		}
		for i := 0; i < len(more); i += 2 {
			f[more[i]] = append(f[more[i]], more[i+1])
		}
		return f
	}
	for _, c := range []struct {
		what   string
		form   url.Values
		status int
		text   string
	}{
		{"dot", form("format", "dot"), http.StatusOK, "digraph"},
		{"a format that there is not", form("format", "gif"), http.StatusUnprocessableEntity, `Unknown format \"gif\"`},
		{"no format", form(), http.StatusUnprocessableEntity, "Unknown format"},
		{
			"an outcome that there is not", form("format", "dot", "state", "7"),
			http.StatusUnprocessableEntity, "outcome",
		},
	} {
		w := post(h, "/export", c.form, false)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%s: %d, %.300s", c.what, w.Code, w.Body)
		}
	}
	w := post(h, "/export", form("format", "tikz", "show", "co"), false)
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="SB-tso-0-0.tex"` {
		t.Errorf("the file is called %s", got)
	}
}

func catalogueSource(t *testing.T, id string) string {
	t.Helper()
	for _, e := range catalogue.Core() {
		if e.ID() == id {
			return e.Source
		}
	}
	t.Fatalf("there is no classic test %s", id)
	return ""
}
