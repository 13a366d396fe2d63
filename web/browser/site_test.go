package browser

import (
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/ask"
	"litmuscope/web/shell"
	"litmuscope/web/site"
	"litmuscope/web/webtest"
)

var writtenSite = flag.String("site", "", "take this static site, as litmuscope site has written it, rather than write one")

// engine is built once, which takes the Go tool a minute or two.
var engine = sync.OnceValues(func() (site.Engine, error) { return site.Build(context.Background(), "../..") })

// below is where the tests' host has the site.
const below = "/a/host's/explore/"

// siteHost serves a static site below a path, with no header that a plain host would not send.
func siteHost(t *testing.T) *httptest.Server {
	t.Helper()
	dir := *writtenSite
	if dir == "" {
		e, err := engine()
		if err != nil {
			t.Fatal(err)
		}
		dir = t.TempDir()
		config := webtest.TestConfig(engines.Local{})
		config.Static, config.Links = &shell.Static{Base: "/"}, nil
		h, err := web.New(config)
		if err != nil {
			t.Fatal(err)
		}
		w, err := site.Write(t.Context(), dir, h, e)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d pages, %d files, %d bytes; the engine is %d of them", w.Pages, w.Files, w.Bytes, w.Program)
	}
	srv := httptest.NewServer(http.StripPrefix(below[:len(below)-1], http.FileServer(http.Dir(dir))))
	t.Cleanup(srv.Close)
	return srv
}

func siteTab(t *testing.T) *tab {
	t.Helper()
	b := openTab(t, siteHost(t).URL, 1280, 900)
	b.url += below[:len(below)-1]
	return b
}

// The page is there, with an answer, before the engine is; and the engine says the same.
func TestBrowserSiteAnswers(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	began := time.Now()
	b.do(chromedp.Navigate(b.url + "/"))
	b.wantText(".outcomes .name", "SB")
	t.Logf("first text after %v", time.Since(began))
	b.answered()
	t.Logf("own answer, cold, after %v", time.Since(began))
	began = time.Now()
	b.open("/?test=MP")
	b.wantText(".outcomes .name", "MP")
	t.Logf("a page that is made, after %v", time.Since(began))
	began = time.Now()
	b.click("input[name=model][value=pso]")
	b.columns(eval[int](b, `document.querySelectorAll("input[name=model]:checked").length`))
	t.Logf("another answer, warm, after %v", time.Since(began))
}

// What a static site answers about each classic test is what run does, but for times.
func TestBrowserSiteSaysWhatRunSays(t *testing.T) {
	t.Parallel()
	b := siteTab(t)
	b.open("/")
	tests := catalogue.All()
	if testing.Short() {
		var some []catalogue.Entry
		for i := 0; i < len(tests); i += 5 {
			some = append(some, tests[i])
		}
		tests = some
	}
	for _, e := range tests {
		asked := ask.FirstModels(e.Arch)
		said, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`(async () => {
			const base = document.documentElement.dataset.base;
			const r = await fetch(base + "api/v1/explore", { method: "POST", headers: { "Content-Type": "application/json" },
				body: `+quote(mustJSON(t, map[string]any{"source": e.Source, "models": asked}))+` });
			return await r.text();
		})()`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Results []*solver.Result }
		if err := json.Unmarshal([]byte(said), &got); err != nil || len(got.Results) != len(asked) {
			t.Errorf("%s: %v: %.300s", e.ID(), err, said)
			continue
		}
		for i, m := range asked {
			want, err := engines.Run(t.Context(), solver.Task{Path: e.ID(), Source: e.Source, Model: m, Options: solver.DefaultOptions()})
			if err != nil {
				t.Fatal(err)
			}
			if g, w := plainResult(t, got.Results[i]), plainResult(t, want); g != w {
				t.Errorf("%s under %s:\nin the browser %s\nhere           %s", e.ID(), m, g, w)
			}
		}
	}
}

// plainResult is a result without times, and without what the file is called.
func plainResult(t *testing.T, r *solver.Result) string {
	t.Helper()
	one := *r
	h := one.Head()
	*h.MS, *h.Path, *h.Cached = 0, "", false
	return mustJSON(t, one)
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
