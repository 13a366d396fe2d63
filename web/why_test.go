package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/solver/engines"
)

func TestWhyNot(t *testing.T) {
	h := newHandler(t, engines.Local{})
	form := url.Values{"source": {classicSource(t, "SB+mfences")}, "model": {"sc", "tso"}, "column": {"tso"}}
	w := post(h, "/picture", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h2", hasText(`^✗ TSO forbids 0:EAX=0 /\\ 1:EAX=0$`)),
		in(".lead", hasText(`^No execution, but the nearest miss`)),
		in(".reason", hasText(`^TSO forbids this: consensus \(acyclic\) has the cycle a mfence c fr d mfence f fr a$`)),
		in(".reason b", hasAttr("title", `^P0: MOV \[x\],\$1$`)),
		in("svg.cycled .event.cycle[data-event=2]"),
		in("svg .edge.cycle.rel-fr"),
		in("input[data-relation=mfence][checked]"),
		notIn("svg .event.fence.cycle"),
	)
}

func TestWhyNotAState(t *testing.T) {
	h := newHandler(t, engines.Local{})
	form := url.Values{"source": {classicSource(t, "SB")}, "column": {"sc"}, "state": {`{"0:EAX":"0","1:EAX":"0"}`}}
	w := post(h, "/picture", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h2", hasText(`SC forbids 0:EAX=0; 1:EAX=0$`)),
		in(".reason", hasText(`SC forbids this: consensus \(acyclic\) has the cycle a po b fr c po d fr a$`)))

	form.Set("state", `{"0:EAX":"7","1:EAX":"0"}`)
	w = post(h, "/picture", form, false)
	checkHTML(t, w.Body, in(".reason", hasText(`no execution at all ends with 0:EAX=7\.$`)), notIn("svg"))
}

// What answers is what is shown: a violation, a counterexample, or the cycle.
func TestWhatIsShownAnswers(t *testing.T) {
	h := newHandler(t, engines.Local{})
	for _, tt := range []struct {
		test, condition string
		asks, lines     string
		column, picture string
	}{
		{"SB", "exists (0:EAX=0 /\\ 1:EAX=0)", "Can this happen?", "No: SC forbids it. Ok: TSO allows it.", "tso", "^✓ TSO allows 0:EAX=0; 1:EAX=0$"},
		{"SB", "~exists (0:EAX=0 /\\ 1:EAX=0)", "Does this never happen?", "Ok: SC forbids it. No: TSO allows it.", "tso", "^✓ TSO allows 0:EAX=0; 1:EAX=0$"},
		{"SB", "forall (0:EAX=1 \\/ 1:EAX=1)", "Is it always so?", "Ok: SC forbids whatever else. No: TSO allows an outcome that violates it.", "tso", "^✓ TSO allows 0:EAX=0; 1:EAX=0$"},
		{"SB", "forall (0:EAX=0 \\/ 0:EAX=1)", "Is it always so?", "Ok: SC and TSO forbid whatever else.", "tso", `^✗ TSO forbids not \(0:EAX=0 \\/ 0:EAX=1\)$`},
		{"SB+mfences", "~exists (0:EAX=0 /\\ 1:EAX=0)", "Does this never happen?", "Ok: SC and TSO forbid it.", "tso", "^✗ TSO forbids 0:EAX=0"},
		{"IRIW", "exists (1:EAX=1 /\\ 1:EBX=0 /\\ 3:EAX=1 /\\ 3:EBX=0)", "Can this happen?", "No: SC and TSO forbid it.", "tso", "^✗ TSO forbids 1:EAX=1"},
		{"SB", "locations [0:EAX;1:EAX;]", "What can happen?", "SC allows 3 outcomes. TSO allows 4 outcomes.", "tso", "^✓ TSO allows 0:EAX=0; 1:EAX=0$"},
	} {
		source := classicSource(t, tt.test)
		source = regexp.MustCompile(`(?m)^exists.*$`).ReplaceAllLiteralString(source, tt.condition)
		form := url.Values{"source": {source}, "model": {"sc", "tso"}}
		w := post(h, "/explore", form, false)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body, in("h2", hasText(regexp.QuoteMeta(tt.asks))),
			in("section", hasAttr("data-summary", "^"+regexp.QuoteMeta(tt.lines)+"$"), hasAttr("data-first", "^"+tt.column+"$")))
		w = post(h, "/explore", form, true)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body, in("#picture h2", hasText(tt.picture)))
	}
}

// Without scripts, a cell's button has the page come with its picture.
func TestACellWithoutScripts(t *testing.T) {
	h := newHandler(t, engines.Local{})
	form := url.Values{"source": {classicSource(t, "SB")}, "model": {"sc", "tso"}, "cell": {"1 0"}}
	w := post(h, "/explore", form, true)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("#picture h2", hasText(`^✓ SC allows 0:EAX=0; 1:EAX=1$`)), in("#picture svg"))
	form.Set("cell", "0 0")
	w = post(h, "/explore", form, true)
	checkHTML(t, w.Body, in("#picture h2", hasText(`^✗ SC forbids 0:EAX=0; 1:EAX=0$`)), in("#picture .reason"))
}

func TestPicturesThatCannotBe(t *testing.T) {
	h := newHandler(t, engines.Local{})
	for name, set := range map[string][2]string{
		"unknown model":     {"column", "nothing"},
		"no state":          {"state", "[1]"},
		"a state of others": {"state", `{"9:EAX":"0"}`},
		"no such flag":      {"flag", "race"},
		"no test":           {"source", "X86"},
	} {
		form := url.Values{"source": {classicSource(t, "SB")}, "model": {"sc"}, "column": {"sc"}, set[0]: {set[1]}}
		if w := post(h, "/picture", form, false); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", name, w.Code, w.Body)
		}
	}
}

func TestBrowserSaysWhy(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open("/?test=MP")
	choose := func(column string) {
		t.Helper()
		eval[chromedp.Void](b, cell(column)+".click()")
		b.answered()
	}
	why := func() {
		t.Helper()
		b.wait(`document.querySelector("[data-tab=why]")`)
		b.click("[data-tab=why]")
	}
	choose("tso")
	b.wait(`document.querySelector(".picture h2")?.innerText.startsWith("✗ TSO forbids")`)
	why()
	b.wantText(".reason", "TSO forbids this: consensus (acyclic) has the cycle a po b rf c po d fr a")
	if n := eval[int](b, `document.querySelectorAll("tr.asked button[aria-pressed=true]").length`); n != 1 {
		t.Errorf("%d cells are pressed, want 1", n)
	}
	const cycle = `[...document.querySelectorAll(".drawing .event.cycle")].map((e) => e.dataset.event).join()`
	if got := eval[string](b, cycle); got != "2,3,4,5" {
		t.Errorf("events %s are on the cycle", got)
	}
	const faded = `Number(getComputedStyle(document.querySelector('.drawing .event[data-event="0"]')).opacity) < 1`
	b.wait(faded)

	// A word lights what it is about; then the cycle is back.
	b.do(chromedp.Focus(chromedp.CSS(".reason b")))
	b.wait(`[...document.querySelectorAll(".event.hot")].map((e) => e.dataset.event).join() === "2"`)
	why()
	b.hover(".reason i")
	b.wait(`document.querySelectorAll(".event.hot").length === 2 && document.querySelectorAll("g.edge.hot .line").length > 0`)
	b.hover("h2")
	b.do(chromedp.Focus(chromedp.CSS("#run")))
	b.wait(`!document.querySelector(".hot") && ` + faded)

	// An outcome that another model allows.
	b.open("/?test=SB")
	choose("sc")
	b.wait(`document.querySelector(".reason")?.innerText.includes("a po b fr c po d fr a")`)
	choose("tso")
	b.wait(`!document.querySelector(".reason") && document.querySelector(".picture h2").innerText === "✓ TSO allows 0:EAX=0; 1:EAX=0"`)

	// One that no write can bring about.
	b.setSource(strings.Replace(classicSource(t, "SB"), "exists (0:EAX=0", "exists (0:EAX=5", 1))
	b.click("#run")
	b.wait(`document.querySelector("th.prop")?.innerText.includes("0:EAX=5")`)
	b.answered()
	choose("tso")
	b.wait(`document.querySelector(".reason")?.innerText === "TSO forbids this: no execution at all ends with 0:EAX=5."`)
}
