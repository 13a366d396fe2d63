package browser

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/litmus/suite"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/webtest"
)

// matrixTab opens the page of a suite and waits for its matrix.
func matrixTab(t *testing.T, h http.Handler, path string) *tab {
	t.Helper()
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 1280, 900)
	b.visit(b.url + path)
	b.matrixReady()
	return b
}

// matrixReady waits until the filter is answered, and every row in sight filled.
func (b *tab) matrixReady() {
	b.t.Helper()
	b.wait(`document.querySelector("html.live .cells[role=grid][aria-busy=false]")`)
}

// inSight are the tests whose rows are seen in the matrix.
func (b *tab) inSight() []string {
	b.t.Helper()
	return eval[[]string](b,
		`(() => { const v = document.querySelector(".window").getBoundingClientRect(), top = document.querySelector(".cells thead").getBoundingClientRect().bottom;
		return [...document.querySelectorAll(".cells tbody tr:not(.spacer)")].filter((r) => { const b = r.getBoundingClientRect(); return b.top >= top - 1 && b.bottom <= v.bottom + 1; })
			.map((r) => r.querySelector(".test bdi").innerText); })()`)
}

// scrollTo scrolls the matrix to a share of its height.
func (b *tab) scrollTo(share float64) {
	b.t.Helper()
	_, err := inTab(b, chromedp.Evaluate[bool](fmt.Sprintf(`new Promise((done) => {
		const v = document.querySelector(".window"); v.scrollTop = %g * v.scrollHeight;
		requestAnimationFrame(() => requestAnimationFrame(() => done(true))); })`, share), chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	b.matrixReady()
}

// maxDrawn is more rows than the matrix may have in the page at once.
const maxDrawn = 60

func (b *tab) wantFewRows() {
	b.t.Helper()
	if n := eval[int](b, `document.querySelectorAll(".cells tbody tr").length`); n < 5 || n > maxDrawn {
		b.t.Errorf("%d rows are in the page, want %d at most", n, maxDrawn)
	}
}

func mixed(n, m int) suites.Code {
	switch {
	case n%1000 == 999 && m == 3:
		return suites.Failed
	case m > n%6:
		return suites.Allowed
	}
	return suites.Forbidden
}

func TestBrowserMatrix(t *testing.T) {
	t.Parallel()
	h := webtest.NewHouse(t, engines.Local{})
	s := h.Stored(25000, []string{"sc", "tso", "pso", "rmo", "power"}, mixed)
	b := matrixTab(t, h, "/suites/"+s.ID)
	if seen := b.inSight(); seen[0] != "t000000.litmus" || len(seen) < 10 {
		t.Fatalf("at the top are %v", seen)
	}
	b.wantFewRows()

	b.scrollTo(1)
	if seen := b.inSight(); seen[len(seen)-1] != "t024999.litmus" {
		t.Errorf("at the end are %v", seen)
	}
	b.wantFewRows()
	b.scrollTo(0.5)
	if seen := b.inSight(); !strings.HasPrefix(seen[0], "t0124") && !strings.HasPrefix(seen[0], "t0125") {
		t.Errorf("in the middle are %v", seen)
	}
	// Each row has its own codes.
	wrong := eval[[]string](b, `[...document.querySelectorAll(".cells tbody tr:not(.spacer)")].filter((r) => {
		const n = Number(r.querySelector(".test bdi").innerText.slice(1, 7));
		return [...r.querySelectorAll(".cell")].map((c) => c.innerText).join("") !== [0, 1, 2, 3, 4].map((m) => n % 1000 === 999 && m === 3 ? "!" : m > n % 6 ? "✓" : "✗").join("");
	}).map((r) => r.innerText)`)
	if len(wrong) > 0 {
		t.Errorf("rows with codes that are not theirs: %q", wrong)
	}

	t.Run("scrolls", func(t *testing.T) {
		// A wheel's worth in each of 120 frames, through what is there and what is not.
		slow, err := inTab(b, chromedp.Evaluate[[]float64](`new Promise((done) => {
			const v = document.querySelector(".window"), took = []; let last = performance.now(), n = 0; v.scrollTop = 0;
			const step = () => { const now = performance.now(); took.push(now - last); last = now; v.scrollTop += 300;
				if (++n < 120) requestAnimationFrame(step); else done(took.sort((a, b) => a - b)); };
			requestAnimationFrame(step); })`, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("frames: median %.1f ms, 90 %% within %.1f ms", slow[len(slow)/2], slow[len(slow)*9/10])
		b.matrixReady()
		b.wantFewRows()
	})
	t.Run("filters", func(t *testing.T) {
		b.do(chromedp.SetValue(chromedp.CSS("#filters select[name=show]"), "e"))
		eval[any](b,
			`document.querySelector("#filters select[name=show]").dispatchEvent(new Event("input", {bubbles: true}))`)
		b.wait(`document.getElementById("count").innerText === "25 tests"`)
		b.matrixReady()
		if seen := b.inSight(); seen[0] != "t000999.litmus" || seen[1] != "t001999.litmus" {
			t.Errorf("errors: %v", seen)
		}
		b.click("#filters input[type=search]")
		b.key("family-3")
		b.wait(`document.getElementById("count").innerText === "4 tests"`)
		b.matrixReady()
		if at := eval[string](b, "location.search"); at != "?q=family-3&show=e" {
			t.Errorf("address %s", at)
		}
		// The address leads to the same.
		other := matrixTab(t, h, "/suites/"+s.ID+eval[string](b, "location.search"))
		other.wantText("#count", "4 tests")
		other.matrixReady()
		if one, two := fmt.Sprint(b.inSight()), fmt.Sprint(other.inSight()); one != two {
			t.Errorf("%s, and by the address %s", one, two)
		}
		b.click("#clear")
		b.wait(`document.getElementById("count").innerText === "25,000 tests" && location.search === ""`)
		eval[any](b,
			`(() => { const s = document.querySelector("select[name=m1]"); s.value = "f"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`)
		b.wait(`document.getElementById("count").innerText === "20,833 tests"`)
		b.scrollTo(1)
		if seen := b.inSight(); seen[len(seen)-1] != "t024999.litmus" {
			t.Errorf("the last that TSO forbids: %v", seen)
		}
		b.wantFewRows()
		b.click("#clear")
		b.wait(`location.search === ""`)
	})
	t.Run("keys", func(t *testing.T) {
		b.matrixReady()
		eval[any](b, `document.querySelector(".cells").focus()`)
		b.key(kb.ArrowDown)
		b.key(kb.ArrowRight)
		b.key(kb.ArrowRight)
		b.wantText(".cells tr:has(#active-cell) .test bdi", "t000001.litmus")
		if label := eval[string](b,
			`document.querySelector("#active-cell a").getAttribute("aria-label")`); label != "TSO: forbidden" {
			t.Errorf("the cell is %q", label)
		}
		b.key(kb.End)
		b.matrixReady()
		b.wantText(".cells tr:has(#active-cell) .test bdi", "t024999.litmus")
		if seen := b.inSight(); seen[len(seen)-1] != "t024999.litmus" {
			t.Errorf("after End there are %v", seen)
		}
		b.key(kb.PageUp)
		b.key(kb.Home)
		b.matrixReady()
		b.wantText(".cells tr:has(#active-cell) .test bdi", "t000000.litmus")
	})
	t.Run("leads to the explorer", func(t *testing.T) {
		b.key(kb.ArrowDown)
		b.key(kb.ArrowDown)
		b.key(kb.Enter)
		b.wait(`location.pathname.endsWith("/tests/2") && document.getElementById("result")`)
		b.answered()
		b.wantText(".outcomes .name", "T000002")
		if ticked := eval[string](b,
			`[...document.querySelectorAll("input[name=model]:checked")].map((e) => e.value).join()`); ticked !=
			"tso,power,sc,pso,rmo" {
			t.Errorf("models %s", ticked)
		}
		b.wait(`document.querySelector(".picture h2")?.innerText === "✓ TSO allows 0:EAX=0; 1:EAX=0"`)
		b.visit(b.url + "/suites/" + s.ID)
		b.matrixReady()
		b.click(".cells tbody tr:not(.spacer) .cell.code-f a")
		b.wait(`location.search === "?model=sc" && document.getElementById("result")`)
		b.answered()
		b.wait(`document.querySelector(".picture h2")?.innerText.startsWith("✗ SC forbids")`)
	})
}

// A list that is taller than browsers scroll is scrolled in proportion.
func TestBrowserMatrixOfAMillion(t *testing.T) {
	t.Parallel()
	h := webtest.NewHouse(t, engines.Local{})
	s := h.Stored(1_000_000, []string{"sc"}, func(n, _ int) suites.Code {
		if n%100_000 == 99_999 {
			return suites.Allowed
		}
		return store.Waiting
	})
	b := matrixTab(t, h, "/suites/"+s.ID)
	b.scrollTo(1)
	if seen := b.inSight(); seen[len(seen)-1] != "t999999.litmus" {
		t.Errorf("at the end are %v", seen)
	}
	b.wantText(".cells tbody tr:nth-last-child(2) .cell", "✓")
	b.wantFewRows()
	eval[any](b, `document.querySelector(".cells").focus()`)
	b.key(kb.Home)
	b.matrixReady()
	if seen := b.inSight(); seen[0] != "t000000.litmus" {
		t.Errorf("at the top are %v", seen)
	}
	// Each row can be reached, and from row to row nothing is left out.
	b.key(kb.End)
	b.matrixReady()
	for n := 999_998; n > 999_950; n-- {
		b.key(kb.ArrowUp)
		if want, got := fmt.Sprintf("t%06d.litmus", n), b.text(".cells tr:has(#active-cell) .test bdi"); got != want {
			t.Fatalf("the row above is %s, want %s", got, want)
		}
		if seen := b.inSight(); !slices.Contains(seen, fmt.Sprintf("t%06d.litmus", n)) {
			t.Fatalf("row %d is not in sight: %v", n, seen)
		}
	}
	eval[any](b,
		`(() => { const s = document.querySelector("select[name=m0]"); s.value = "a"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`)
	b.wait(`document.getElementById("count").innerText === "10 tests"`)
	b.matrixReady()
	if seen := b.inSight(); seen[9] != "t999999.litmus" {
		t.Errorf("those that are allowed: %v", seen)
	}
}

// marks is how many cells have a verdict.
const marks = `document.querySelectorAll(".cells .code-a, .cells .code-f").length`

func TestBrowserWatchesASuite(t *testing.T) {
	t.Parallel()
	gate := make(webtest.Gated)
	h := webtest.NewHouse(t, gate)
	s := webtest.Running(h)
	b := matrixTab(t, h, "/suites/"+s.ID)
	if n := eval[int](b, marks); n != 0 {
		t.Errorf("%d cells have a verdict before any test was run", n)
	}
	gate.Pass(10)
	b.wait(marks + ` === 10`)
	b.wait(`document.getElementById("pace").innerText.startsWith("10 of 40 rows")`)
	b.wait(`document.querySelector("#live progress").value === 10`)
	total := `[...document.querySelectorAll("#totals a")].reduce((n, a) => n + Number(a.innerText), 0)`
	b.wait(total + ` === 10`)

	// A filter by verdict finds more as there is more.
	eval[any](b,
		`(() => { const s = document.querySelector("select[name=m1]"); s.value = "a"; s.dispatchEvent(new Event("change", {bubbles: true})); })()`)
	b.wait(`/^[0-9]+ tests?$/.test(document.getElementById("count").innerText)`)
	gate.Pass(30)
	b.wait(`document.getElementById("state").innerText === "done"`)
	b.wait(`document.getElementById("count").innerText === "20 tests"`)
	b.wait(total + ` === 40`)
	b.wait(
		`!document.getElementById("cancel") && document.getElementById("live").hidden && document.getElementById("status").innerText === "The suite is done."`)
	b.wait(
		`document.querySelector(".slowest td.number")?.innerText === "2.0 ms" || document.querySelectorAll(".slowest tr").length === 20`)
	b.click("#clear")
	b.wait(marks + ` >= 30`)
}

func TestBrowserComesBackToASuite(t *testing.T) {
	t.Parallel()
	gate := make(webtest.Gated)
	h := webtest.NewHouse(t, gate)
	s := webtest.Running(h)
	var down atomic.Bool
	var refused, from atomic.Int64
	srv := webtest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			if down.Load() {
				refused.Add(1)
				http.Error(w, "starting", http.StatusServiceUnavailable)
				return
			}
			var n int64
			_, _ = fmt.Sscan(r.URL.Query().Get("after"), &n)
			from.Store(n)
		}
		h.ServeHTTP(w, r)
	}))
	b := openTab(t, srv.URL, 1280, 900)
	b.visit(b.url + "/suites/" + s.ID)
	b.matrixReady()
	gate.Pass(8)
	b.wait(marks + ` === 8`)

	// The connection breaks, and for a while the server has nothing to say.
	down.Store(true)
	srv.CloseClientConnections()
	gate.Pass(12)
	b.until("the page comes back", func() bool { return refused.Load() > 0 })
	down.Store(false)
	b.wait(marks + ` === 20`)
	if from.Load() == 0 {
		t.Error("the page asks for everything again")
	}
	gate.Pass(20)
	b.wait(marks + ` === 40 && document.getElementById("state").innerText === "done"`)
}

func TestBrowserSubmitsASuite(t *testing.T) {
	t.Parallel()
	h := webtest.NewHouse(t, engines.Local{})
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 390, 800)
	b.visit(b.url + "/suites")
	b.do(chromedp.SendKeys(chromedp.CSS(".submit input[name=name]"), "from the page"))
	b.click(".submit input[name=model][value=tso]")
	b.do(chromedp.SendKeys(chromedp.CSS(".submit input[name=catalogue]"), "X86/SB*"))
	b.click(".submit button.main")
	b.wait(`location.pathname.startsWith("/suites/") && document.querySelector("h1")?.innerText === "from the page"`)
	b.matrixReady()
	b.wait(`document.getElementById("state").innerText === "done"`)
	id := strings.TrimPrefix(eval[string](b, "location.pathname"), "/suites/")
	long := h.Submit(suites.Request{Name: strings.Repeat("long name ", 19), Models: webtest.BuiltIn("sc", "tso")},
		webtest.Entries(suite.Entry{Path: strings.Repeat("long-path/", 50) + "t.litmus", Source: webtest.Numbered(0)}))
	h.Done(long.ID)
	for _, path := range []string{
		"/suites", "/suites/" + id, "/suites/" + long.ID, "/suites/" + long.ID + "/tests/0",
		"/compare?a=" + id + "&b=" + long.ID, "/compare?a=" + long.ID + "&b=" + long.ID,
	} {
		b.visit(b.url + path)
		if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
			t.Errorf("%s is %d pixels wide; too wide: %s", path, w,
				eval[string](b, `[...document.querySelectorAll("body *")]
				.filter((e) => e.getBoundingClientRect().right > 391 && !e.closest(".scroll, .cm-scroller")).slice(0, 5).map((e) => e.tagName + "." + e.className).join(" ")`))
		}
	}
}
