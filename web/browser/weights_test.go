package browser

import (
	"math"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/static"
	"litmuscope/web/drawing/layout"
)

// Drawings leave their words as much room as the pages' typefaces take.
func TestBrowserTypefacesAreAsDrawingsHaveThem(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.open("/")
	// Under names of their own, for which a page waits however late they are.
	faces := static.Typefaces("page.css")
	widths, err := inTab(b, chromedp.Evaluate[[]float64](`(async () => {
		for (const [name, url] of [["words", `+quote(faces[0])+`], ["code", `+quote(faces[1])+`]]) {
			document.fonts.add(await new FontFace(name, "url(" + url + ")", { weight: "400 700" }).load());
		}
		const c = document.createElement("canvas").getContext("2d");
		c.fontKerning = "none";
		const widths = (font) => ((c.font = font), Array.from({ length: 95 }, (_, i) => c.measureText(String.fromCharCode(32 + i)).width / 1000));
		return [...widths("600 1000px words"), ...widths("1000px code")];
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range widths {
		r, want := rune(' '+i%95), .6
		if i < 95 {
			want = layout.Advance(r)
		}
		if math.Abs(w-want) > .002 {
			t.Errorf("%q is %.3f wide, and drawings take it to be %.3f", r, w, want)
		}
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
	// What comes behind the page's load is its answer's: a script more where that is slow.
	loads := eval[[]load](b,
		`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
		.filter((e) => e.startTime <= performance.getEntriesByType("navigation")[0].loadEventEnd)
		.filter((e) => e.entryType === "navigation" || e.initiatorType === "script" || e.initiatorType === "link" || e.initiatorType === "img" || /\.(js|css|svg|woff2)$/.test(e.name))
		.map((e) => ({ Name: new URL(e.name).pathname, Size: e.transferSize && e.encodedBodySize }))`)
	// what the browser has already is not sent again
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
		b.wait(`[...document.fonts].some((f) => f.family.replaceAll('"', "") === ` + quote(face) +
			` && f.status === "loaded")`)
	}
	paint, err := inTab(b, chromedp.Evaluate[float64](`new Promise((done) => {
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
	times, err := inTab(b, chromedp.Evaluate[[]float64](click, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a click on a cell: median %.0f ms, worst of %d %.0f ms (nothing cached here)", times[len(times)/2],
		len(times), times[len(times)-1])
}
