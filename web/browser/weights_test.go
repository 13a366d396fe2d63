package browser

import (
	"fmt"
	"math"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/web/graph"
)

// Drawings leave their words as much room as the pages' typefaces take.
func TestBrowserTypefacesAreAsDrawingsHaveThem(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.open("/")
	widths := eval[[]float64](b, `(() => {
		const c = document.createElement("canvas").getContext("2d");
		c.fontKerning = "none";
		c.font = '600 1000px Inter';
		return Array.from({ length: 95 }, (_, i) => c.measureText(String.fromCharCode(32 + i)).width / 1000);
	})()`)
	for i, w := range widths {
		if r := rune(' ' + i); math.Abs(w-graph.Advance(r)) > .002 {
			t.Errorf("%q is %.3f wide, and drawings take it to be %.3f", r, w, graph.Advance(r))
		}
	}
	if w := eval[float64](b, `(() => { const c = document.createElement("canvas").getContext("2d"); c.font = '14px "JetBrains Mono"'; return c.measureText("W x=1").width / 14 / 5; })()`); math.Abs(w-.6) > .002 {
		t.Errorf("code is %.3f wide, and drawings take it to be .6", w)
	}
}

// What the first page weighs is held; the times are printed: task weights.
func TestBrowserWeights(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.open("/")
	type load struct {
		Name string
		Size int
	}
	loads := eval[[]load](b, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
		.filter((e) => e.entryType === "navigation" || e.initiatorType === "script" || e.initiatorType === "link" || e.initiatorType === "img" || /\.(js|css|svg|woff2)$/.test(e.name))
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
	for _, face := range []string{"Inter", "JetBrains Mono"} {
		for _, weight := range []int{400, 600, 700} {
			if !eval[bool](b, fmt.Sprintf(`[...document.fonts].some((f) => f.family.replaceAll('"', "") === %[1]q && f.status === "loaded") && document.fonts.check('%[2]d 15px %[1]q')`, face, weight)) {
				t.Errorf("%s is not there at weight %d", face, weight)
			}
		}
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
