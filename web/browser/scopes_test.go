package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// narrowMP passes a message between two CTAs, at the scope of one.
const narrowMP = `PTX MP+narrow
{ x=0; y=0; }
 P0@cta 0, gpu 0     | P1@cta 1, gpu 0      ;
 st.weak x, 1        | ld.acquire.cta r0, y ;
 st.release.cta y, 1 | ld.weak r1, x        ;
exists (1:r0=1 /\ 1:r1=0)
`

// A visitor pastes a test of a GPU, sees the scopes as nested boxes and the data race, widens the scopes, sees the
// verdict change, and asks what would have forbidden the outcome.
func TestBrowserWalkOfScopes(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	pastes := func(text string) {
		b.click("#source")
		b.key("a", chromedp.ModifierCtrl)
		eval[int](b, `((text) => {
			const to = document.querySelector(".cm-content"), data = new DataTransfer();
			data.setData("text/plain", text);
			to.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
			return 0;
		})(`+quote(text)+")")
	}
	comesTo := func(verdict string) {
		b.wait(`document.querySelector("#result:not(.waiting) .sentences li.` + verdict + `")?.innerText
			.includes("PTX") && document.querySelector(".outcomes .name").innerText === "MP+narrow"`)
	}
	pastes(narrowMP)
	comesTo("holds")
	b.wait(`document.querySelectorAll(".picture svg g.scope").length >= 3`)
	const inside = `((boxes) => boxes.filter((a) => boxes.some((b) => a !== b && a.left > b.left &&
		a.right < b.right && a.top > b.top && a.bottom < b.bottom)).length)(
		[...document.querySelectorAll(".picture svg g.scope rect")].map((e) => e.getBoundingClientRect()))`
	if n := eval[int](b, inside); n != 2 {
		t.Errorf("%d boxes are inside of another, want those of two CTAs", n)
	}
	b.wantWithin("p.flag",
		"PTX: flag data-race: P0's st.weak x, 1 (line 4) and P1's ld.weak r1, x (line 5) race (and 1 more)")
	b.shoot("scopes-light")
	pastes(strings.ReplaceAll(narrowMP, ".cta", ".gpu"))
	comesTo("fails")
	pastes(narrowMP)
	comesTo("holds")
	b.wait(`document.querySelector(".picture .repairing button")`)
	b.click(".picture .repairing button")
	b.wait(`document.querySelector(".mended:not([aria-busy]) .repair")`)
	if got := eval[string](b,
		`[...document.querySelectorAll(".repair > ul > li")].map((e) => e.firstChild.textContent.trim()).join("; ")`,
	); got != "P0: st.release.gpu y, 1 instead of st.release.cta y, 1; "+
		"P1: ld.acquire.gpu r0, y instead of ld.acquire.cta r0, y" {
		t.Errorf("the changes are %s", got)
	}
	b.shoot("scopes-repair")
	b.do(chromedp.EmulateViewport(390, 844))
	b.wait(`document.documentElement.scrollWidth <= 390`)
	b.shoot("scopes-phone")
	b.do(chromedp.EmulateViewport(1280, 900))
	b.click(".repair a[data-take]")
	comesTo("fails")
}
