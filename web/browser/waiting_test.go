package browser

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// What takes long says so and can be cancelled, which ends it on the server. The answer to another text stays hidden.
func TestBrowserWaits(t *testing.T) {
	t.Parallel()
	runner := &webtest.Slow{}
	srv := webtest.Serve(t, webtest.NewHandler(t, runner))
	b := openTab(t, srv.URL, 1280, 900)
	b.open("/")
	b.setSource("X86 slow\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")
	b.click("#run")
	b.wait(`/^Running axiomatic .*: \d+\.\d s$/.test(document.querySelector("#result .waiting-bar span")?.textContent)`)
	if eval[string](b, `document.querySelector("#result").getAttribute("aria-busy")`) != "true" {
		t.Error("the old answer does not look old")
	}
	const oldAnswer = `document.querySelector(".outcomes .name").innerText !== ""`
	if eval[bool](b, oldAnswer) {
		t.Error("the answer to the text before the edit shows")
	}
	b.endsRun(&runner.Runs, func() { b.click("#result .waiting-bar button") })
	b.wait(`!document.querySelector(".waiting-bar") && !document.querySelector("#result[aria-busy]")`)
	if eval[bool](b, oldAnswer) {
		t.Error("the answer to the text before the edit shows after the run was cancelled")
	}
	b.wait(`document.getElementById("drafts").textContent.startsWith("Cancelled.")`)
	if !eval[bool](b, `document.getElementById("drafts").checkVisibility()`) {
		t.Error("nobody sees that the run is cancelled")
	}
}

// Each edit ends the run before it, however long runs take, and asks anew; nothing on the page moves meanwhile.
func TestBrowserRunsAsOneTypes(t *testing.T) {
	t.Parallel()
	runner := &webtest.Slow{}
	srv := webtest.Serve(t, webtest.NewHandler(t, runner))
	b := openTab(t, srv.URL, 1280, 900)
	b.open("/")
	const top = `document.querySelector(".outcomes table").getBoundingClientRect().top`
	before := eval[float64](b, top)
	b.setSource("X86 slow\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")
	for range 2 {
		b.wait(`document.querySelector("#result .waiting-bar")`)
		if after := eval[float64](b, top); after != before {
			t.Errorf("the table has moved from %v to %v", before, after)
		}
		b.endsRun(&runner.Runs, func() {
			b.caretBehind("X86 slow")
			b.key("er")
		})
	}
	b.setSource("X86 quick\n{}\n P0         ;\n MOV [y],$1 ;\nexists (y=1)\n")
	b.wait(`document.querySelector(".outcomes .name").innerText === "quick"`)
	b.wait(`!document.querySelector(".waiting-bar, .edited")`)
	if said := b.text("#status"); strings.Contains(said, "Cancelled") {
		t.Errorf("%q, though nobody has cancelled anything", said)
	}
}

// What is typed runs though nobody could say whether it can be read: the run will.
func TestBrowserRunsWhatCouldNotBeChecked(t *testing.T) {
	t.Parallel()
	pages := webtest.NewHandler(t, engines.Local{})
	srv := webtest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/check") {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		pages.ServeHTTP(w, r)
	}))
	b := openTab(t, srv.URL, 1280, 900)
	b.open("/")
	b.setSource("X86 mine\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")
	b.wait(`document.querySelector(".outcomes .name").innerText === "mine"`)
}

// A text that is typed over has its own name and description, as one that is pasted.
func TestBrowserTypedTestsHaveTheirNames(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.setSource("X86 mine\n\"What I ask\"\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")
	b.wait(`document.getElementById("note").textContent === "What I ask"`)
	b.wait(`document.getElementById("pick-name").textContent === "mine" && document.title.startsWith("mine")`)
}

// The page says in words that a server is gone, and nothing that was typed is lost.
func TestBrowserServerIsGone(t *testing.T) {
	t.Parallel()
	srv := webtest.Serve(t, webtest.NewHandler(t, engines.Local{}))
	b := openTab(t, srv.URL, 1280, 900)
	b.open("/")
	b.setSource("X86 mine\n{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")
	srv.CloseClientConnections()
	srv.Close()
	b.click("#run")
	b.wait(
		`document.querySelector("#result .problem")?.innerText.startsWith("Cannot reach the server. Your text is safe")`)
	if text := eval[string](b, `document.querySelector(".cm-content").innerText`); !strings.HasPrefix(text,
		"X86 mine") {
		t.Errorf("the text is %q", text)
	}
}

// A model by which behaviour is undefined says so once, for the whole column, with the two accesses; green and red are
// for whether the condition holds, and for nothing else.
func TestBrowserUndefinedIsAThirdState(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.quiet()
	b.open("/")
	b.setSource("C racy\n{}\nP0(int *x) { *x = 1; }\nP1(int *x) { int r0 = *x; }\nexists (1:r0=1)\n")
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".outcomes .name").innerText === "racy"`)
	b.answered()
	b.wantText(".sentences .undefined", "Undefined under RC11 and C11: data race.")
	if got := b.text("p.flag"); !strings.Contains(got, "*x = 1") || !strings.Contains(got, "int r0 = *x") {
		t.Errorf("the accesses are not told: %q", got)
	}
	if n := eval[int](b, `document.querySelectorAll("p.flag").length`); n != 1 {
		t.Errorf("they are told %d times", n)
	}
	b.wantText("td.undefined", "undefined: data race")
	if n := eval[int](b, `document.querySelectorAll("thead th.undefined").length`); n != 2 {
		t.Errorf("%d columns are undefined", n)
	}
	// The cells beside it are those of the columns that they stand in.
	b.click(`tbody tr:first-child button.v`)
	first := eval[string](b, `document.querySelector("thead th[data-column]:not(.undefined)").innerText.trim()`)
	b.wait(`document.querySelector(".picture h2").innerText.includes(` + quote(first) + `)`)
	b.click("td.undefined button")
	b.wait(`document.querySelector(".picture h2").innerText.includes("RC11")`)
}

// What the condition asks is answered by yes and no, in colours that say nothing else.
func TestBrowserColoursMeanOneThing(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.quiet()
	b.open("/?test=SB")
	colour := func(selector string) string {
		return eval[string](b, `getComputedStyle(document.querySelector(`+quote(selector)+`)).color`)
	}
	holds, fails := colour(".sentences .holds"), colour(".sentences .fails")
	for _, mark := range []string{".v.a", ".v.f"} {
		if c := colour("tbody " + mark); c == holds || c == fails {
			t.Errorf("the mark %s of an outcome looks like an answer: %s", mark, c)
		}
	}
	for _, test := range []struct{ condition, asks, yes, no string }{
		{"exists (0:EAX=0 /\\ 1:EAX=0)", "Can this happen?", "TSO: yes, this can happen.", "No under SC."},
		{"~exists (0:EAX=0 /\\ 1:EAX=0)", "Does this never happen?", "Yes under SC.", "TSO: no, this can happen."},
		{
			"forall (0:EAX=1 \\/ 1:EAX=1)", "Does this always hold?",
			"Yes under SC.", "TSO: no, this does not always hold.",
		},
	} {
		b.setSource("X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
			test.condition + "\n")
		b.key(kb.Enter, chromedp.ModifierCtrl)
		b.wait(`document.querySelector("#answer-title").innerText.includes(` + quote(test.asks) + `)`)
		b.answered()
		b.wantText(".sentences .holds", test.yes)
		b.wantText(".sentences .fails", test.no)
		if colour(".sentences .holds") != holds || colour(".sentences .fails") != fails {
			t.Errorf("%s: yes and no look otherwise", test.condition)
		}
	}
	b.wantText(".outcomes .legend", "◆\nviolates the condition\n✓ allowed\n✗ forbidden\nbold they differ")
	neutral := []string{colour("tbody .v.a"), colour("tbody .v.f")}
	b.openProgram("/programs")
	b.wantText(".claim.safe .v", "●")
	b.wantText(".claim.unsafe .v", "▲")
	b.wantText(".picture h2 .v", "▲")
	safe, unsafe := colour(".claim.safe .v"), colour(".claim.unsafe .v")
	if safe == unsafe || slices.Contains(neutral, safe) || slices.Contains(neutral, unsafe) {
		t.Errorf("safe is %s, unsafe is %s, and outcomes are %s", safe, unsafe, neutral)
	}
	b.visit(b.url + "/museum")
	b.wantText(".key .mark.safe", "●")
	b.wantText(".key .mark.unsafe", "▲")
	if got := []string{colour(".key .mark.safe"), colour(".key .mark.unsafe")}; got[0] != safe || got[1] != unsafe {
		t.Errorf("the museum's marks are %s, those of programs %s and %s", got, safe, unsafe)
	}
}
