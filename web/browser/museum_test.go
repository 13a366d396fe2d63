package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// An exhibit's execution is drawn where there is room for it, is played, and whoever doubts a row has the engines asked
// anew.
func TestBrowserMuseum(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.visit(b.url + "/museum")
	b.click(`a[href="/museum/ck-hs"]`)
	b.wait(`document.querySelector("html.live #execution .drawing svg")`)
	if !eval[bool](b, `(() => {
		const [program, picture] = [".program", "#execution"].map((s) => document.querySelector(s).getBoundingClientRect());
		return picture.width > 400 && picture.left > program.right && picture.right <= innerWidth && Math.abs(picture.top - program.top) < 100;
	})()`) {
		t.Error("the picture does not stand beside the program")
	}
	b.click(`#execution [data-tab=steps]`)
	b.wait(`document.querySelector("#execution .panel[data-panel=steps]").checkVisibility()`)
	b.click(`.verdict-table button[value=before]`)
	b.wait(`document.querySelector(".verdict-table .says")?.textContent.includes("All verdicts match the museum.")`)

	// On a phone it stands below, nothing but drawings scrolls sideways, and all verdicts are in sight.
	b.do(chromedp.EmulateViewport(390, 844))
	b.wait(`document.documentElement.scrollWidth <= 390`)
	b.wait(
		`[...document.querySelectorAll(".verdict-table .mark, .verdict-table .ask")].every((c) => c.getBoundingClientRect().right <= 390)`)
	b.wait(
		`document.querySelector("#execution").getBoundingClientRect().top > document.querySelector(".program").getBoundingClientRect().top + 300`)
}
