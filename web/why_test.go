package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/solver/engines"
)

func TestExplainProposition(t *testing.T) {
	h := newHandler(t, engines.Local{})
	form := url.Values{"source": {classicSource(t, "SB+mfences")}, "model": {"sc", "tso"}, "about": {"tso"}}
	w := post(h, "/explain", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("#execution h2", hasText(`^Not under TSO: 0:EAX=0 /\\ 1:EAX=0$`)),
		in(".reason", hasText(`^TSO forbids this: consensus \(acyclic\) has the cycle a mfence c fr d mfence f fr a$`)),
		in(".reason b", hasAttr("title", `^P0: MOV \[x\],\$1$`)),
		in("#execution svg.cycled .event.cycle[data-event=2]"),
		in("#execution svg .edge.cycle.rel-fr"),
		in("#execution input[data-relation=mfence][checked]"),
		notIn("#execution svg .event.fence.cycle"),
	)
}

func TestExplainState(t *testing.T) {
	h := newHandler(t, engines.Local{})
	form := url.Values{"source": {classicSource(t, "SB")}, "model": {"sc", "tso"}}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("tr.asked", hasAttr("data-state", `^{"0:EAX":"0","1:EAX":"0"}$`)),
		in("tr.asked button[data-why=sc]", hasAttr("aria-label", `^0:EAX=0; 1:EAX=0: forbidden under SC, say why$`)))

	form.Set("about", "sc")
	form.Set("state", `{"0:EAX":"0","1:EAX":"0"}`)
	w = post(h, "/explain", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("#execution h2", hasText(`^Not under SC: 0:EAX=0; 1:EAX=0$`)),
		in(".reason", hasText(`SC forbids this: consensus \(acyclic\) has the cycle a po b fr c po d fr a$`)))

	form.Set("about", "tso") // which allows it
	w = post(h, "/explain", form, false)
	checkHTML(t, w.Body, in(".reason", hasText(`^TSO allows this\.$`)))

	form.Set("state", `{"0:EAX":"7","1:EAX":"0"}`)
	w = post(h, "/explain", form, false)
	checkHTML(t, w.Body, in(".reason", hasText(`no execution at all ends with 0:EAX=7\.$`)), notIn("svg"))
}

func TestExplainRefuses(t *testing.T) {
	h := newHandler(t, engines.Local{})
	for name, set := range map[string][2]string{
		"unknown model":     {"about", "nothing"},
		"no state":          {"state", "[1]"},
		"a state of others": {"state", `{"9:EAX":"0"}`},
		"a state with more": {"state", `{"0:EAX":"0) \/ (x=1"}`},
		"no test":           {"source", "X86"},
	} {
		form := url.Values{"source": {classicSource(t, "SB")}, "model": {"sc"}, "about": {"sc"}, set[0]: {set[1]}}
		w := post(h, "/explain", form, false)
		if name == "a state with more" {
			continue // it is a condition like any other
		}
		if w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", name, w.Code, w.Body)
		}
	}
}

func TestBrowserSaysWhy(t *testing.T) {
	b := newTab(t, 1280, 900)
	b.open("/?test=MP")
	b.click("tr.asked button[data-why=tso]")
	b.wait(`document.querySelector("#execution h2")?.innerText.startsWith("Not under TSO")`)
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
	b.hover(".reason i")
	b.wait(`document.querySelectorAll(".event.hot").length === 2 && document.querySelectorAll("g.edge.hot .line").length > 0`)
	b.hover("h2")
	b.do(chromedp.Focus(chromedp.CSS("#run")))
	b.wait(`!document.querySelector(".hot") && ` + faded)

	// An outcome that another model allows.
	b.open("/?test=SB")
	b.click("tr.asked button[data-why=sc]")
	b.wait(`document.querySelector(".reason")?.innerText.includes("a po b fr c po d fr a")`)
	b.click("tr.asked button[data-outcome]")
	b.wait(`!document.querySelector(".reason") && document.querySelector("#execution h2").innerText === "TSO: 0:EAX=0; 1:EAX=0"`)

	// One that no write can bring about.
	b.setSource(strings.Replace(classicSource(t, "SB"), "exists (0:EAX=0", "exists (0:EAX=5", 1))
	b.click("#run")
	b.wait(`document.querySelector("th.prop")?.innerText.includes("0:EAX=5")`)
	b.answered()
	b.click("tr.asked button[data-why=tso]")
	b.wait(`document.querySelector(".reason")?.innerText === "TSO forbids this: no execution at all ends with 0:EAX=5."`)
}
