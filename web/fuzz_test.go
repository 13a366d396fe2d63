package web

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver"
)

// Whatever a page sends back to be drawn is drawn or refused.
func FuzzDraw(f *testing.F) {
	state := solver.State{{Name: "0:EAX", Value: "0"}, {Name: "1:EAX", Value: "0"}}
	o := drawnOutcome{Test: "SB", Model: "tso", Threads: []int{0, 1}, Outcome: solver.Outcome{
		State: state, Graph: storeBuffering(state),
		Trace: []solver.TraceStep{{Thread: 0, Source: 0, Action: "x:=1", Buffers: [][]solver.BufferEntry{{{Loc: "x", Value: "1"}}}}},
	}}
	text, err := json.Marshal(o)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(`{"outcome":{"graph":{"threads":[{}],"events":[{"kind":"F","thread":-1}]}}}`)
	h, err := New(testConfig(idle))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := post(h, "/draw", url.Values{"outcome": {text}}, false)
		if w.Code != http.StatusOK && w.Code != http.StatusUnprocessableEntity {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}

// Whatever is sent to REST is answered or refused as a problem.
func FuzzRESTExplore(f *testing.F) {
	f.Add(`{"source":"X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)","models":["sc"],"options":{"timeout":"1s","unroll":3}}`)
	f.Add(`{"source":"","models":["mine"],"model_text":"acyclic po as x","options":null}`)
	h, err := New(testConfig(idle))
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
