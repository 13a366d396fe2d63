package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"litmuscope/litmus/toolchain/sandbox"
	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// browser is the one Chromium of all tests, each in a tab of its own.
var browser context.Context

// withoutBrowser leaves the tests in a browser out, where one knowingly has none.
const withoutBrowser = "LITMUSCOPE_WITHOUT_BROWSER"

func TestMain(m *testing.M) {
	sandbox.MaybeChild()
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

// chromium returns the path of a Chromium, or "" if there is none. A headless shell comes first: it has no windows
// of its own to draw, and the tests take a third of the processor time that they take in a whole Chromium.
func chromium() string {
	if os.Getenv(withoutBrowser) != "" {
		return ""
	}
	for _, name := range []string{
		"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome",
	} {
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

// faults collects what a page must never do. A page is not asked whether it may be left when its test is over.
const faults = `window.faults = [];
addEventListener("error", (e) => faults.push("error: " + e.message));
addEventListener("beforeunload", (e) => window.leaving && e.stopImmediatePropagation());
addEventListener("unhandledrejection", (e) => faults.push("rejection: " + e.reason));
addEventListener("securitypolicyviolation", (e) => {
	// Typing over coloured text makes Chromium itself copy the colour into a style
	// attribute; it is refused, and the editor colours the text anew: what had it may have gone by now.
	const at = e.target === document ? document.activeElement : e.target;
	if (e.violatedDirective === "style-src-attr" && at?.closest?.(".cm-content")) return;
	faults.push("policy: " + e.violatedDirective + " " + e.blockedURI);
});`

func newTab(t *testing.T, width, height int64) *tab {
	t.Helper()
	srv := webtest.Serve(t, webtest.NewHandler(t, engines.Local{}))
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
	b := &tab{t, nil, url}
	b.ctx = takeSeat(t, url)
	b.do(chromedp.EmulateViewport(width, height), func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		// One window has the focus, though each tab is looked at by somebody.
		_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled,
			emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return chromedp.Void{}, err
	}, emulated(still), func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, pageapi.AddScriptToEvaluateOnNewDocument,
			pageapi.AddScriptToEvaluateOnNewDocumentParams{Source: faults})
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

// longestWait bounds every single wait of a test: what never comes is reported while there is time for the other tests.
const longestWait = 2 * time.Minute

// waiting is the tab's context for one wait.
func (b *tab) waiting() (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(b.ctx, longestWait, fmt.Errorf("it has not come within %v", longestWait))
}

// inTab does one thing in the tab.
func inTab[T any](b *tab, action chromedp.Action[T]) (T, error) {
	ctx, stop := b.waiting()
	defer stop()
	return chromedp.Run(ctx, action)
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for _, action := range actions {
		if _, err := inTab(b, action); err != nil {
			b.t.Fatal(err)
		}
	}
}

func eval[T any](b *tab, js string) T {
	b.t.Helper()
	v, err := inTab(b, chromedp.Evaluate[T](js))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// still is that nothing moves on the page: drawing what moves is a fifth of what the tests cost.
var still = emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"}

// emulated gives a tab what style sheets ask about its visitor.
func emulated(features ...emulation.MediaFeature) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		var p emulation.SetEmulatedMediaParams
		for _, f := range features {
			p.Features = append(p.Features, &f)
		}
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, p)
		return chromedp.Void{}, err
	}
}

// inBetween reports whether an expression met no page: the last one has gone, and the next one is not there yet.
func inBetween(err error) bool {
	return strings.Contains(err.Error(), "Cannot find context") ||
		strings.Contains(err.Error(), "Inspected target navigated")
}

// wait asks until an expression is true. It asks anew each time, as a page that was asked may give way to
// the next, or be put by with its promises.
func (b *tab) wait(js string) {
	b.t.Helper()
	ctx, stop := b.waiting()
	defer stop()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 40*time.Millisecond) {
		done, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!document.documentElement && !!("+js+")"))
		if done {
			return
		}
		if err != nil && ctx.Err() == nil && !inBetween(err) {
			b.t.Fatalf("waiting for %s: %v; the result is %.300q", js, err,
				eval[string](b, `document.getElementById("result")?.innerText ?? ""`))
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			b.t.Fatalf("waiting for %s: %v", js, context.Cause(ctx))
		}
	}
}

// visit goes to an address and waits until its page is loaded: on a busy machine the browser is done before that.
func (b *tab) visit(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	b.wait(`document.readyState === "complete"`)
}

// open goes to a page of the explorer and waits for its first answer.
func (b *tab) open(path string) {
	b.t.Helper()
	b.visit(b.url + path)
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

// wantText waits until an element has a text, as a reader would: what is drawn last comes after the answer.
func (b *tab) wantText(selector, want string) {
	b.t.Helper()
	b.wantTextThat(selector, want, func(text string) bool { return text == want })
}

// wantWithin waits until an element's text has a part.
func (b *tab) wantWithin(selector, want string) {
	b.t.Helper()
	b.wantTextThat(selector, want, func(text string) bool { return strings.Contains(text, want) })
}

func (b *tab) wantTextThat(selector, want string, is func(text string) bool) {
	b.t.Helper()
	ctx, stop := b.waiting()
	defer stop()
	got := b.text(selector)
	for pause := 5 * time.Millisecond; !is(got) && ctx.Err() == nil; pause = min(2*pause, 40*time.Millisecond) {
		time.Sleep(pause)
		got = b.text(selector)
	}
	if !is(got) {
		b.t.Errorf("%s: text %q, want %q", selector, got, want)
	}
}

// click clicks on an element. What is drawn anew, and what moves while it is aimed at, is aimed at again: a click that
// pressed something else is none.
func (b *tab) click(selector string) {
	b.t.Helper()
	for tries := 1; ; tries++ {
		eval[chromedp.Void](b, `pressed = ""; addEventListener("pointerdown",
			(e) => { pressed = e.target.closest?.(`+quote(selector)+`) ? "" : e.target.outerHTML ?? "document"; },
			{ capture: true, once: true })`)
		_, err := inTab(b, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
		missed := ""
		switch {
		case err == nil:
			// An error means that the click has led to another page; without scripts, nothing is noticed.
			missed, _ = inTab(b, chromedp.Evaluate[string](`globalThis.pressed ?? ""`))
			if missed == "" {
				return
			}
		case !strings.Contains(err.Error(), "Could not find node"):
			b.t.Fatalf("click %s: %v", selector, err)
		}
		if tries == 5 {
			b.t.Fatalf("click %s: error %v, pressed instead: %.300s", selector, err, missed)
		}
	}
}

// hover moves the mouse to the middle of an element.
func (b *tab) hover(selector string) {
	b.t.Helper()
	b.mouse(input.DispatchMouseEventTypeMouseMoved, selector)
}

// mouse has something happen to the mouse in the middle of an element.
func (b *tab) mouse(what input.DispatchMouseEventType, selector string, more ...chromedp.MouseOption) {
	b.t.Helper()
	at := eval[[]float64](b,
		`(() => { const e = document.querySelector(`+quote(selector)+`); e.scrollIntoView({block: "center"});
		const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	b.do(chromedp.MouseEvent(what, at[0], at[1], more...))
}

// hoverUntil moves the mouse there again and again until an expression is true: what is drawn anew leaves the mouse
// where it was drawn before.
func (b *tab) hoverUntil(selector, js string) {
	b.t.Helper()
	asked := 0
	b.until(js, func() bool {
		if asked%10 == 0 {
			if asked > 0 {
				b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 0, 0))
			}
			b.hover(selector)
		}
		asked++
		return eval[bool](b, "!!("+js+")")
	})
}

func (b *tab) key(keys string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// setSource replaces the text in the editor by typing over it.
func (b *tab) setSource(text string) {
	b.t.Helper()
	eval[chromedp.Void](b, `document.getElementById("source").focus()`) // its middle may be out of sight
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
