package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// Whatever a page asks a picture of is shown or refused.
func FuzzPicture(f *testing.F) {
	f.Add("X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)", "sc", `{"x":"1"}`, "")
	f.Add("X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\nforall (x=1)", "tso@machine", "", "race")
	f.Add("", "tso~uniproc@", `{"x":7}`, "")
	h, err := web.New(webtest.TestConfig(idle))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, source, column, state, flag string) {
		w := post(h, "/picture", url.Values{"source": {source}, "column": {column}, "state": {state}, "flag": {flag}},
			false)
		if w.Code != http.StatusOK && w.Code != http.StatusUnprocessableEntity {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}

// Whatever is sent to REST is answered or refused as a problem.
func FuzzRESTExplore(f *testing.F) {
	f.Add(
		`{"source":"X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)","models":["sc"],"options":{"timeout":"1s","unroll":3}}`)
	f.Add(`{"source":"","models":["mine"],"model_text":"acyclic po as x","options":null}`)
	h, err := web.New(webtest.TestConfig(idle))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "/api/v1/explore", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if w := do(h, r); w.Code >= 500 {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}

// idle answers everything with nothing decided.
var idle = runnerFunc(func(_ context.Context, t solver.Task) (*solver.Result, error) {
	return &solver.Result{Model: t.Model, Status: solver.Unknown, States: []solver.State{}}, nil
})
