package web_test

import (
	"context"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// What a page asks of an answer that a limit has cut short does not take the limit's time
// again; pressing Run does.
func TestWhatWasCutShortIsNotRunAgain(t *testing.T) {
	var runs atomic.Int32
	h := webtest.NewHandler(t, runnerFunc(func(ctx context.Context, task solver.Task) (*solver.Result, error) {
		runs.Add(1)
		r, err := engines.Run(ctx, task)
		if err == nil {
			r.Status, r.Reason = solver.Unknown, "time limit of 10s reached"
		}
		return r, err
	}))
	form := url.Values{"source": {webtest.ClassicSource(t, "SB")}, "model": {"sc", "tso"}}
	want := func(what, path string, n int32) {
		t.Helper()
		runs.Store(0)
		w := post(h, path, form, false)
		wantStatus(t, w, http.StatusOK)
		if got := runs.Load(); got != n {
			t.Errorf("%s takes %d runs, want %d", what, got, n)
		}
	}
	want("the answer", "/explore", 2)
	form.Set("rows", "0")
	want("more rows", "/explore", 0)
	form.Del("rows")
	form.Set("column", "tso")
	want("a picture", "/picture", 0)
	form.Set("option-timeout", "20s")
	want("a picture within other limits", "/picture", 1)
	want("the answer again", "/explore", 2)
}
