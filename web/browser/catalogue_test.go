package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A search while one types, a shape by its tests, and one click to the explorer.
func TestBrowserCatalogue(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.visit(b.url + "/catalogue")
	b.wait(`document.querySelector(".find button").hidden`)
	b.click(".find input")
	b.key("allowed:tso forbidden:sc")
	b.wait(`document.querySelector("#found tbody[id='SB']") && !document.querySelector("#found tbody[id='MP']")`)
	b.wait(
		`document.querySelector(".cell[data-shape=LB]").matches(".dim") && !document.querySelector(".cell[data-shape=SB]").matches(".dim")`)
	b.wait(`location.search.includes("q=allowed")`)
	b.click(".cell[data-shape=WRC] a.all")
	b.wait(
		`document.querySelector("#found h2")?.textContent.includes("WRC") && document.querySelector(".find input").value === ""`)
	b.wait(`document.getElementById("PPC/WRC+lwsync+addr").querySelector("td.forbidden sup")`)
	eval[chromedp.Void](b, `history.back()`)
	b.wait(
		`document.querySelector(".find input").value === "allowed:tso forbidden:sc" && document.getElementById("SB")`)
	b.click(".cell[data-shape=IRIW] a.open")
	b.wait(`location.pathname === "/" && document.querySelector(".answer")`)
	b.wantText("#pick-name", "IRIW")
}

func TestBrowserCatalogueOnAPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.visit(b.url + "/catalogue?shape=PPOCA&q=PPOCA")
	b.wait(`document.querySelector(".find button").hidden`)
	b.wait(
		`document.documentElement.scrollWidth <= 390 && [...document.querySelectorAll("#found td, .cell")].every((e) => e.getBoundingClientRect().right <= 390)`)
	eval[chromedp.Void](b,
		`(() => { const s = document.querySelector("select[name=arch]"); s.value = "ARM"; s.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	b.wait(`document.getElementById("ARM/PPOCA") && !document.getElementById("PPC/PPOCA")`)
	b.wait(
		`document.documentElement.scrollWidth <= 390 && [...document.querySelectorAll("#found td, .cell")].every((e) => e.getBoundingClientRect().right <= 390)`)
	b.click("#found a.test")
	b.wait(`location.search === "?test=ARM%2FPPOCA"`)
}
