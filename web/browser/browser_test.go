package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// browser is the one Chromium of all tests, each in a tab of its own.
var browser context.Context

// withoutBrowser leaves the tests in a browser out, where one knowingly has none.
const withoutBrowser = "LITMUSCOPE_WITHOUT_BROWSER"

func TestMain(m *testing.M) {
	path := chromium()
	if path == "" {
		os.Exit(m.Run()) // the tests that need it say so
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		// Nothing but the server under test can be reached.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("no-proxy-server", true),
	)
	alloc, endAlloc := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, end := chromedp.NewContext(alloc)
	browser = ctx
	code := 1
	if err := chromedp.Do(ctx); err != nil {
		println("the browser does not start:", err.Error())
	} else {
		code = m.Run()
	}
	end()
	endAlloc()
	os.Exit(code)
}

func chromium() string {
	if os.Getenv(withoutBrowser) != "" {
		return ""
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is a page under test.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string // the server's
}

// faults collects what a page must never do.
const faults = `window.faults = [];
addEventListener("error", (e) => faults.push("error: " + e.message));
addEventListener("unhandledrejection", (e) => faults.push("rejection: " + e.reason));
addEventListener("securitypolicyviolation", (e) => {
	// Typing over coloured text makes Chromium itself copy the colour into a style
	// attribute; it is refused, and the editor colours the text anew.
	if (e.violatedDirective === "style-src-attr" && e.target.closest?.(".cm-content")) return;
	faults.push("policy: " + e.violatedDirective + " " + e.blockedURI);
});`

func newTab(t *testing.T, width, height int64) *tab {
	t.Helper()
	srv := httptest.NewServer(webtest.NewHandler(t, engines.Local{}))
	t.Cleanup(srv.Close)
	return openTab(t, srv.URL, width, height)
}

func openTab(t *testing.T, url string, width, height int64) *tab {
	t.Helper()
	if browser == nil {
		if os.Getenv(withoutBrowser) != "" {
			t.Skip(withoutBrowser + " is set")
		}
		t.Fatal("no Chromium found: install it (Debian: apt-get install chromium), or set " + withoutBrowser + "=1")
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	ctx, stop := untilTheEnd(ctx, t)
	t.Cleanup(func() { stop(); cancel() })
	b := &tab{t, ctx, url}
	b.do(chromedp.EmulateViewport(width, height), func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		// One window has the focus, though each tab is looked at by somebody.
		_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return chromedp.Void{}, err
	}, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, pageapi.AddScriptToEvaluateOnNewDocument, pageapi.AddScriptToEvaluateOnNewDocumentParams{Source: faults})
		return chromedp.Void{}, err
	})
	t.Cleanup(func() {
		if list := eval[[]string](b, "window.faults"); len(list) > 0 {
			t.Errorf("the page has faults: %q", list)
		}
	})
	return b
}

// untilTheEnd bounds what a tab waits for by the time that the package's tests have, less what it takes to say
// where it waited: a machine that is busy with others is slow, not wrong.
func untilTheEnd(ctx context.Context, t *testing.T) (context.Context, context.CancelFunc) {
	if end, ok := t.Deadline(); ok {
		return context.WithDeadline(ctx, end.Add(-10*time.Second))
	}
	return context.WithCancel(ctx)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// wait polls until an expression is true.
func (b *tab) wait(js string) {
	b.t.Helper()
	poll := func() error {
		_, err := chromedp.Run(b.ctx, chromedp.Poll[bool]("!!("+js+")", chromedp.WithPollingTimeout(0)))
		return err
	}
	err := poll()
	if err != nil && strings.Contains(err.Error(), "Cannot find context") {
		err = poll() // the page that was asked has just given way to the next
	}
	if err != nil {
		b.t.Fatalf("waiting for %s: %v; the result is %.300q", js, err, eval[string](b, `document.getElementById("result")?.innerText ?? ""`))
	}
}

// open goes to a page of the explorer and waits for its first answer.
func (b *tab) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.url + path))
	b.answered()
}

func (b *tab) answered() {
	b.t.Helper()
	b.wait(`document.querySelector("html.live #result:not([aria-busy]) > section")`)
	b.wait(`document.querySelector("#result > .problem") || document.querySelector("#picture:not([aria-busy]) > *")`)
}

// cell is the button of what a column says to the first of the rows.
func cell(column string) string {
	return `[...document.querySelectorAll("tbody tr:first-child button.v")][[...document.querySelectorAll(".outcomes thead [data-column]")].findIndex((e) => e.dataset.column === ` + quote(column) + `)]`
}

// columns waits until the answer has so many.
func (b *tab) columns(n int) {
	b.t.Helper()
	b.wait(fmt.Sprintf(`document.querySelectorAll(".outcomes thead [data-column]").length === %d`, n))
	b.answered()
}

func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, `document.querySelector(`+quote(selector)+`)?.innerText ?? "(none)"`)
}

func (b *tab) wantText(selector, want string) {
	b.t.Helper()
	if got := b.text(selector); got != want {
		b.t.Errorf("%s: text %q, want %q", selector, got, want)
	}
}

func (b *tab) click(selector string) {
	b.t.Helper()
	for tries := 1; ; tries++ {
		err := chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
		if err == nil {
			return
		}
		// A page that is live may draw an element anew while it is being looked for.
		if tries == 5 || !strings.Contains(err.Error(), "Could not find node") {
			b.t.Fatalf("click %s: %v", selector, err)
		}
	}
}

// hover moves the mouse to the middle of an element.
func (b *tab) hover(selector string) {
	b.t.Helper()
	at := eval[[]float64](b, `(() => { const e = document.querySelector(`+quote(selector)+`); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
}

func (b *tab) key(keys string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// setSource replaces the text in the editor by typing over it.
func (b *tab) setSource(text string) {
	b.t.Helper()
	b.click("#source")
	b.key("a", chromedp.ModifierCtrl)
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: text})
		return chromedp.Void{}, err
	})
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestBrowserPickRunAndDraw(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.wantText(".picture h2", "✓ TSO allows 0:EAX=0; 1:EAX=0")

	b.click("#pick")
	b.key("wrc")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "WRC"`)
	b.answered()
	if url := eval[string](b, "location.pathname + location.search"); url != "/?test=WRC" {
		t.Errorf("address %s", url)
	}
	b.wantText("#pick-name", "WRC")
	b.wantText("tr.asked td:nth-child(6)", "✗\nforbidden")

	b.open("/?test=SB")
	b.click(`tbody tr:nth-child(3) td:nth-child(4) button`)
	b.wait(`document.querySelector(".picture h2").innerText === "✓ SC allows 0:EAX=1; 1:EAX=0"`)
	if n := eval[int](b, `document.querySelectorAll("button.v[aria-pressed=true]").length`); n != 1 {
		t.Errorf("%d cells are pressed, want 1", n)
	}
	b.click("input[name=model][value=pso]")
	b.columns(5)
}

func TestBrowserTogglesMoveNothing(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	const places = `[...document.querySelectorAll(".drawing .event, .drawing svg")].map((e) => JSON.stringify(e.getBoundingClientRect())).join()`
	const seen = `[...document.querySelectorAll(".drawing g.part.rel-fr, .drawing tspan.part.rel-fr")].filter((e) => getComputedStyle(e).display !== "none").length`
	before := eval[string](b, places)
	if eval[int](b, seen) == 0 {
		t.Fatal("fr is not shown to begin with")
	}
	b.click("input[data-relation=fr]")
	if n := eval[int](b, seen); n != 0 {
		t.Errorf("%d parts of fr are still seen", n)
	}
	if after := eval[string](b, places); after != before {
		t.Errorf("the picture jumps: %s, then %s", before, after)
	}
	// The choice outlives the execution.
	b.click(`tbody tr:nth-child(1) td:nth-child(5) button`)
	b.wait(`document.querySelector(".picture h2").innerText.startsWith("✓ TSO allows 0:EAX=0")`)
	b.click(`tbody tr:nth-child(2) td:nth-child(5) button`)
	b.wait(`document.querySelector(".picture h2").innerText === "✓ TSO allows 0:EAX=0; 1:EAX=1"`)
	if n := eval[int](b, seen); n != 0 {
		t.Errorf("fr is back: %d parts", n)
	}
}

func TestBrowserHighlightsSourceAndEvent(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.hover(`.event[data-event="4"]`)
	b.wait(`document.querySelector(".cm-lit")`)
	b.wantText(".cm-lit", "MOV [y],$1")

	b.hover(`.cm-content [data-cell="0:1"]`)
	b.wait(`document.querySelector(".event.hot")?.dataset.event === "3"`)

	b.do(chromedp.Focus(chromedp.CSS(`.event[data-event="2"]`)))
	b.wait(`document.querySelector(".cm-lit")?.innerText === "MOV [x],$1"`)

	b.hover(`g.edge.rel-fr[data-from="3"] .hit`)
	b.wait(`[...document.querySelectorAll(".event.hot")].map((e) => e.dataset.event).join() === "3,4"`)
	b.hover("h2")
	b.wait(`!document.querySelector(".hot") && !document.querySelector(".cm-lit")`)
}

func TestBrowserMarksErrors(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.setSource("X86 broken\n{}\n P0          ;\n MOV [x],$1  ;\n FLY EAX,[x] ;\nexists (x=1)\n")
	b.wait(`document.querySelector(".cm-lintRange-error")`)
	if line := eval[string](b, `document.querySelector(".cm-lintRange-error").closest(".cm-line").innerText`); !strings.Contains(line, "FLY") {
		t.Errorf("the mark is on line %q", line)
	}
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".problem a")?.innerText.trim() === "line 5, column 2"`)
	b.click(".problem a")
	b.wait(`document.activeElement.classList.contains("cm-content")`)
	b.key("MOV EBX,$1 ;\n ")
	b.key(kb.Delete)
	b.key(kb.Delete)
	b.key(kb.Delete)
	b.key("MOV")
	b.wait(`!document.querySelector(".cm-lintRange-error")`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "broken"`)
}

func TestBrowserPermalink(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.setSource("X86 mine\n{}\n P0         ;\n MOV [x],$7 ;\nexists (x=7)\n")
	b.click("input[name=model][value=sc]")
	b.click("input[name=model][value=pso]")
	link := strings.TrimPrefix(b.share("Short link"), b.url)
	if !strings.HasPrefix(link, "/t/") {
		t.Errorf("link %s", link)
	}

	other := openTab(t, b.url, 1280, 900)
	other.open(link)
	other.wantText(".outcomes .name", "mine")
	if models := eval[string](other, `[...document.querySelectorAll("input[name=model]:checked")].map((e) => e.value).join()`); models != "tso,riscv,aarch64,power" {
		t.Errorf("ticked models %s", models)
	}
	if source := eval[string](other, `document.querySelector(".cm-content").innerText`); !strings.Contains(source, "MOV [x],$7") {
		t.Errorf("source %q", source)
	}
}

func TestBrowserKeyboardAlone(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	tabTo := func(js string) {
		t.Helper()
		for range 40 {
			b.key(kb.Tab)
			if eval[bool](b, "!!("+js+")") {
				// The focus is seen, at once or when the editor has drawn it.
				b.wait(`getComputedStyle(document.activeElement).outlineStyle !== "none" || document.activeElement.closest(".cm-focused")`)
				return
			}
		}
		t.Fatalf("Tab does not reach %s, but %s", js, eval[string](b, "document.activeElement.outerHTML.slice(0, 200)"))
	}
	tabTo(`document.activeElement.id === "pick"`)
	b.key(kb.Enter)
	b.wait(`document.activeElement.type === "search"`)
	b.key("lb")
	b.key(kb.ArrowDown)
	b.wait(`document.activeElement.dataset.test === "LB"`)
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "LB"`)
	b.answered()

	tabTo(`document.activeElement.classList.contains("cm-content")`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.answered()
	tabTo(`document.activeElement.name === "model" && document.activeElement.value === "pso"`)
	b.key(" ")
	b.columns(5)
	tabTo(`document.activeElement.id === "run"`)
	tabTo(`document.activeElement.classList.contains("v")`)
	b.key(kb.ArrowDown)
	b.wait(`document.activeElement.getAttribute("aria-pressed") === "true"`)
	b.wait(`document.getElementById("status").textContent.startsWith("SC allows 0:EAX=0")`)
}

func TestBrowserPhoneWidth(t *testing.T) {
	t.Parallel()
	b := newTab(t, 360, 740)
	fits := func(what string) {
		t.Helper()
		if w := eval[int](b, "document.documentElement.scrollWidth"); w > 360 {
			t.Errorf("%s is %d pixels wide; too wide: %s", what, w, eval[string](b, `[...document.querySelectorAll("body *")]
				.filter((e) => e.getBoundingClientRect().right > 361 && !e.closest(".scroll, .cm-scroller")).slice(0, 5)
				.map((e) => e.tagName + "." + e.className).join(" ")`))
		}
	}
	b.open("/")
	fits("the page")
	b.click("details.options summary")
	fits("the page with options")
	b.click("#pick")
	b.wait(`document.querySelector("#picker:popover-open")`)
	fits("the picker")
	b.key(kb.Escape)
	b.wait(`!document.querySelector("#picker:popover-open")`)
	for _, name := range []string{"IRIW", "Peterson", "spinlock", "PPC/lock+isync+lwsync", "RISCV/lock+amoswap.aq+amoswap.rl"} {
		b.open("/?test=" + name)
		fits(name)
	}
	b.do(chromedp.Navigate(b.url + "/api/docs"))
	fits("the REST page")
}

func TestBrowserTheme(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	const ground = `getComputedStyle(document.body).backgroundColor + getComputedStyle(document.querySelector(".drawing .event text")).fill`
	light := eval[string](b, ground)
	b.click("#theme")
	dark := eval[string](b, ground)
	if light == dark {
		t.Errorf("the theme stays %s", light)
	}
	b.open("/?test=SB")
	if again := eval[string](b, ground); again != dark {
		t.Errorf("the choice is forgotten: %s, want %s", again, dark)
	}
}

func TestBrowserDownloads(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	eval[chromedp.Void](b, `window.saved = []; window.made = null;
		const create = URL.createObjectURL; URL.createObjectURL = (blob) => { window.made = blob; return create(blob); };
		HTMLAnchorElement.prototype.click = function () { saved.push([this.download, window.made]); };`)
	for i, kind := range []string{"svg", "png", "dot"} {
		b.click(".export summary")
		b.click("[data-download=" + kind + "]")
		b.wait(`saved.length === ` + string(rune('1'+i)))
	}
	if names := eval[string](b, `saved.map((s) => s[0]).join(" ")`); names != "SB-tso-0-0.svg SB-tso-0-0.png SB-tso-0-0.dot" {
		t.Errorf("files %s", names)
	}
	texts, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](`Promise.all([saved[0][1].text(), saved[2][1].text(),
		createImageBitmap(saved[1][1]).then((i) => i.width > 400 && i.height > 200 ? "picture" : i.width + "x" + i.height)])`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"<svg", "digraph", "picture"} {
		if !strings.HasPrefix(texts[i], want) {
			t.Errorf("file %d starts %.40q, want %q", i, texts[i], want)
		}
	}
}
