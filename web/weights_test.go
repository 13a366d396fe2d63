package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/models"
	"litmuscope/solver/engines"
)

// manyOutcomes is a test of ten threads with 256 outcomes: eight of them read what one writes.
func manyOutcomes() string {
	var names, code, prop []string
	for i := range 8 {
		names = append(names, fmt.Sprintf("P%d", i))
		code = append(code, "MOV EAX,[x]")
		prop = append(prop, fmt.Sprintf("%d:EAX=1", i))
	}
	names, code = append(names, "P8", "P9"), append(code, "MOV [x],$1", "MOV [y],$1")
	return "X86 many\n{}\n " + strings.Join(names, " | ") + " ;\n " + strings.Join(code, " | ") + " ;\nexists (" + strings.Join(prop, ` /\ `) + ")\n"
}

// A large answer is light: rows beyond those in sight come when they are scrolled to.
func TestManyOutcomesAreLight(t *testing.T) {
	h := newHandler(t, engines.Local{})
	form := url.Values{"source": {manyOutcomes()}, "model": models.Names()}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	t.Logf("256 outcomes under %d models: %d bytes", len(models.Names()), w.Body.Len())
	if w.Body.Len() > 150_000 {
		t.Errorf("the answer has %d bytes, want 150 kB at most", w.Body.Len())
	}
	checkHTML(t, w.Body, in("tbody", hasAttr("data-more", "^64$")))
	rows := 0
	for from := 0; ; from += rowsShown {
		form.Set("rows", fmt.Sprint(from))
		body := post(h, "/explore", form, false).Body.String()
		rows += strings.Count(body, "<tr")
		if !strings.Contains(body, "data-more") {
			break
		}
	}
	if rows != 256 {
		t.Errorf("%d rows come in all, want 256", rows)
	}
	form.Set("rows", "0")
	form.Set("differ", "1")
	if body := post(h, "/explore", form, false).Body.String(); !strings.Contains(body, "They agree on every outcome") {
		t.Errorf("rows in which models differ: %.300s", body)
	}
}

// What the first page weighs is held; the times are printed: task weights.
func TestBrowserWeights(t *testing.T) {
	b := newTab(t, 1280, 720)
	b.open("/")
	type load struct {
		Name string
		Size int
	}
	loads := eval[[]load](b, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
		.filter((e) => e.entryType === "navigation" || e.initiatorType === "script" || e.initiatorType === "link" || e.initiatorType === "img" || /\.(js|css|svg)$/.test(e.name))
		.map((e) => ({ Name: new URL(e.name).pathname, Size: e.encodedBodySize }))`)
	total := 0
	for _, l := range loads {
		total += l.Size
		t.Logf("%7d bytes  %s", l.Size, l.Name)
	}
	t.Logf("%7d bytes  first load, as it is sent", total)
	if total > 150_000 {
		t.Errorf("the first load is %d bytes, want 150 kB at most", total)
	}
	paint, err := chromedp.Run(b.ctx, chromedp.Evaluate[float64](`new Promise((done) => {
		new PerformanceObserver((l) => done(l.getEntries().at(-1).startTime)).observe({ type: "largest-contentful-paint", buffered: true }); })`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("largest paint after %.0f ms", paint)
	const click = `new Promise((done) => {
		const pane = document.getElementById("picture"), rows = document.querySelectorAll("tbody tr"), times = [];
		const next = (i) => {
			if (i === 20) { times.sort((a, b) => a - b); done(times); return; }
			const began = performance.now(), old = pane.firstElementChild;
			const seen = new MutationObserver(() => {
				if (pane.firstElementChild === old || !pane.querySelector("svg")) return;
				seen.disconnect();
				times.push(performance.now() - began);
				setTimeout(() => next(i + 1), 50);
			});
			seen.observe(pane, { childList: true });
			rows[1 + i % 3].querySelectorAll("button.v")[1].click();
		};
		next(0);
	})`
	times, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]float64](click, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a click on a cell: median %.0f ms, worst of %d %.0f ms (nothing cached here)", times[len(times)/2], len(times), times[len(times)-1])
}
