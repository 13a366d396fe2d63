package browser

import "testing"

func TestBrowserZZ(t *testing.T) {
	b := newTab(t, 1280, 720)
	b.openSlides("store-buffers", "#slide=3.3")
	b.wait(`document.querySelector(".page.on svg")`)
	t.Log(eval[string](b, `(() => { const s = document.querySelector(".page.on svg"); const g = s.querySelector("g.edge.rel-po .part"); const c = getComputedStyle(g); const i = s.querySelector(".beginning"); return [c.display, c.color, getComputedStyle(i).display, i.outerHTML.slice(0,200), s.querySelector("style").textContent.length, s.querySelector("style").sheet?.cssRules.length, document.querySelectorAll(".page svg style").length, g.outerHTML, s.getAttribute("class"), c.visibility, getComputedStyle(g.parentNode).opacity].join("\n"); })()`))
}
