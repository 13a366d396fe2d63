package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/web/webtest"
)

const columnsNow = `[...document.querySelectorAll(".outcomes thead [data-column]")].map((e) => e.dataset.column).join(" ")`

// besides puts a column beside the one that is shown.
func (b *tab) besides(column string) {
	b.t.Helper()
	eval[chromedp.Void](b,
		`(() => { const s = document.querySelector(".beside select"); s.value = `+quote(column)+
			`; s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	b.wait(`document.querySelectorAll("#picture:not([aria-busy]) .picture").length === 2`)
}

// card opens the card of a column.
func (b *tab) card(column string) {
	b.t.Helper()
	b.click(`thead th[data-column="` + column + `"] button`)
	b.wait(`document.querySelector(".card:popover-open")?.dataset.column === ` + quote(column))
}

// Two columns side by side are told apart by an outcome that they differ in.
func TestBrowserComparesTwoModels(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	eval[chromedp.Void](b, `document.querySelectorAll("tbody tr")[3].querySelectorAll("button.v")[0].click()`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) h2")?.innerText === "✓ TSO allows 0:EAX=1; 1:EAX=1"`)
	b.besides("sc")
	if got := eval[string](b,
		`[...document.querySelectorAll(".picture h2")].map((e) => e.innerText).join(" | ")`); got !=
		"✓ TSO allows 0:EAX=0; 1:EAX=0 | ✗ SC forbids 0:EAX=0; 1:EAX=0" {
		t.Errorf("side by side are %s", got)
	}
	if n := eval[int](b, `document.querySelectorAll(".picture .drawing svg").length`); n != 2 {
		t.Errorf("%d drawings", n)
	}
	// What is chosen next comes under both.
	eval[chromedp.Void](b, `document.querySelectorAll("tbody tr")[1].querySelectorAll("button.v")[1].click()`)
	b.wait(`document.querySelectorAll("#picture:not([aria-busy]) h2")[1]?.innerText === "✓ SC allows 0:EAX=0; 1:EAX=1"`)
}

// A column can be a model less an axiom, or another engine's.
func TestBrowserAddsColumns(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB%2Bmfences")
	b.card("tso")
	b.click(`.card:popover-open button[value="tso~consensus"]`)
	b.columns(6)
	b.wantText(".sentences .holds:not(.native)", "Yes under TSO without consensus.")
	if got := eval[string](b, columnsNow); !strings.HasPrefix(got, "tso tso~consensus riscv") {
		t.Errorf("columns %s", got)
	}
	b.card("tso")
	b.click(`.card:popover-open button[value="tso@machine"]`)
	b.columns(7)
	if got := eval[string](b, columnsNow); !strings.Contains(got, "tso@machine") {
		t.Errorf("columns %s", got)
	}
	b.besides("tso@machine")
	b.card("tso~consensus")
	b.click(`.card:popover-open [data-remove]`)
	b.columns(6)
	if eval[bool](b, `document.querySelector('input[value="tso~consensus"]') !== null`) {
		t.Error("the column that was taken away is still among the models")
	}
	b.card("sc")
	b.click(`.card:popover-open [data-start]`)
	b.wait(`document.querySelector(".own-models .cm-content")?.innerText.includes("acyclic")`)
}

// rowsShown is how many rows of a table a page gets at once.
const rowsShown = 64

// Rows beyond those in sight come when they are scrolled to, and those that models agree on
// can be left out.
func TestBrowserManyOutcomes(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.setSource(webtest.ManyOutcomes())
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "many"`)
	b.answered()
	const rows = `document.querySelectorAll(".outcomes tbody tr").length`
	if n := eval[int](b, rows); n > 2*rowsShown {
		t.Errorf("%d rows come at once", n)
	}
	for n := eval[int](b, rows); n < 256; n = eval[int](b, rows) {
		eval[chromedp.Void](b, `document.querySelector(".outcomes tbody tr:last-child").scrollIntoView()`)
		b.wait(fmt.Sprint(rows, " > ", n))
	}
	if n := eval[int](b, rows); n != 256 {
		t.Errorf("%d rows in all", n)
	}

	b.open("/?test=SB")
	if n := eval[int](b, rows); n != 4 {
		t.Fatalf("%d rows", n)
	}
	b.click("#differ")
	b.wait(rows + " === 1")
	b.click("#differ")
	b.wait(rows + " === 4")
}

// An outcome with several executions shows them one after another.
func TestBrowserShowsEachExecution(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=Peterson")
	b.wait(`document.querySelector(".executions")?.innerText.includes("1/4")`)
	if eval[bool](b, `document.querySelector(".edge.new") !== null`) {
		t.Error("something is lit to begin with")
	}
	b.click(`.executions [aria-label="Next execution"]`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) .executions")?.innerText.includes("2/4")`)
	if n := eval[int](b, `document.querySelectorAll(".edge.new:not(.label)").length`); n == 0 {
		t.Error("what is different is not lit")
	}
	b.wait(`document.activeElement.closest(".executions")`)
}

// The lines between the panes move by keys, and stay where they were put.
func TestBrowserResizesPanes(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	const width = `document.getElementById("question").getBoundingClientRect().width`
	before := eval[float64](b, width)
	b.do(chromedp.Focus(chromedp.CSS(".splitter.left")))
	b.key(kb.ArrowRight)
	b.key(kb.ArrowRight)
	after := eval[float64](b, width)
	if after < before+20 {
		t.Errorf("the line moves the question from %g to %g pixels", before, after)
	}
	b.open("/")
	if again := eval[float64](b, width); again != after {
		t.Errorf("the question is %g pixels wide again, not %g", again, after)
	}
	// Question, answer and picture share the window without scrolling it.
	if eval[bool](b, `document.documentElement.scrollHeight > innerHeight`) {
		t.Error("the page scrolls")
	}
}

// On a phone a bar leads to each pane, and leaves the address alone.
func TestBrowserJumpsOnAPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.open("/")
	for _, pane := range []string{"result", "picture", "question"} {
		b.click(`.jump a[href="#` + pane + `"]`)
		b.wait(`document.activeElement.id === ` + quote(pane))
		b.wait(`Math.abs(document.getElementById(` + quote(pane) +
			`).getBoundingClientRect().top) < 120 || scrollY + innerHeight >= document.documentElement.scrollHeight - 2`)
	}
	if hash := eval[string](b, "location.hash"); strings.HasPrefix(hash, "#q") || strings.HasPrefix(hash, "#r") {
		t.Errorf("the address has %s", hash)
	}
}

// A test that is pasted is called what it calls itself, and says of itself what it says, not what was said of the one
// before.
func TestBrowserPastedTestsSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	const paste = `((text) => {
		const to = document.querySelector(".cm-content"), data = new DataTransfer();
		data.setData("text/plain", text);
		to.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
		return 0;
	})(`
	for _, test := range []struct{ name, doc string }{
		{"mine", "What I have found."},
		{"other", ""},
		{"third", "And more."},
	} {
		doc := ""
		if test.doc != "" {
			doc = `"` + test.doc + `"` + "\n"
		}
		b.click("#source")
		b.key("a", chromedp.ModifierCtrl)
		eval[int](b, paste+quote("X86 "+test.name+"\n"+doc+"{}\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n")+")")
		b.wait(`document.getElementById("pick-name").innerText === ` + quote(test.name) +
			` && document.title.startsWith(` + quote(test.name) + `)`)
		b.wait(`document.getElementById("note").innerText === ` + quote(test.doc))
		b.wait(`document.querySelector(".outcomes .name").innerText === ` + quote(test.name))
	}
}

// A long table has the height that a picture leaves it, and a short one what it needs.
func TestBrowserTablesUseTheHeightThereIs(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1400, 1080)
	b.open("/?test=SB")
	const share = `document.getElementById("result").offsetHeight / document.querySelector(".bench").offsetHeight`
	if got := eval[float64](b, share); got > 0.42 {
		t.Errorf("a short table takes %.2f of the height", got)
	}
	if eval[bool](b, `((pane) => pane.scrollHeight > pane.clientHeight)(document.getElementById("result"))`) {
		t.Error("a short table is cut")
	}
	b.setSource(webtest.ManyOutcomes())
	b.wait(`document.querySelectorAll("tbody tr").length >= 64`)
	if got := eval[float64](b, share); got < 0.5 {
		t.Errorf("a long table has but %.2f of the height", got)
	}
	if got := eval[int](b, `document.getElementById("picture").offsetHeight`); got < 390 {
		t.Errorf("the picture is left %d px", got)
	}
}
