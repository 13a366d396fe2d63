package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/web/webtest"
)

func TestBrowserSaysWhy(t *testing.T) {
	t.Parallel()
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
	b.wantText(".why .reason", "TSO forbids this by consensus")
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
	b.do(chromedp.Focus(chromedp.CSS(".why .cycle .letter")))
	b.wait(`[...document.querySelectorAll(".event.hot")].map((e) => e.dataset.event).join() === "2"`)
	b.hoverUntil(".why .cycle .rel",
		`document.querySelectorAll(".event.hot").length === 2 && document.querySelectorAll("g.edge.hot .line").length > 0`)
	b.hover("h2")
	b.do(chromedp.Focus(chromedp.CSS("#run")))
	b.wait(`!document.querySelector(".hot") && ` + faded)

	// The model's text stands by, with what is in use lit.
	b.wait(`document.querySelector(".modelpane .lines .lit.broken")?.innerText.includes("acyclic ppo | ab")`)
	if !eval[bool](b,
		`[...document.querySelectorAll(".modelpane .lit")].some((l) => l.innerText.startsWith("let ppo"))`) {
		t.Error("ppo is in use and not lit")
	}
	b.hover(".why .cycle summary")
	b.click("[data-model-text]")
	b.wait(`!document.querySelector(".modelpane")`)
	b.click("[data-model-text]")
	b.wait(`document.querySelector(".modelpane .lit")`)

	// Without the axiom, the outcome is allowed.
	b.click("[data-add-column]")
	b.answered()
	b.wait(`document.querySelectorAll("thead th[data-column], [data-column='tso~consensus']").length > 0`)

	// An outcome that another model allows.
	b.open("/?test=SB")
	choose("sc")
	b.wait(`/SC forbids this by\s+consensus/.test(document.querySelector(".why .reason")?.textContent)`)
	choose("tso")
	b.wait(
		`/^\s*SC forbids this cycle. TSO/.test(document.querySelector(".why .reason")?.textContent) && document.querySelector(".picture h2").innerText === "✓ TSO allows 0:EAX=0; 1:EAX=0"`)

	// One that no write can bring about.
	b.setSource(strings.Replace(webtest.ClassicSource(t, "SB"), "exists (0:EAX=0", "exists (0:EAX=5", 1))
	b.click("#run")
	b.wait(`document.querySelector("tr[data-none] .value")?.innerText === "5"`)
	b.answered()
	choose("tso")
	b.wait(
		`document.querySelector(".why .reason")?.textContent.trim() === "TSO forbids this: no execution ends with 0:EAX=5."`)
}
