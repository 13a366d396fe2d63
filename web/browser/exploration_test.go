package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// From the explorer one comes to how the test is explored, goes through the graphs with the keys, and has an address
// that leads to the one on show.
func TestBrowserExploration(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.click(`.options:has(#engine) summary`)
	b.click(`button[formaction="/exploration"]`)
	shown := func(n string) {
		b.wait(`document.querySelector("body.exploration .graph-shown:not([aria-busy]) .count")?.textContent === "` +
			n + `"`)
	}
	shown("Graph 1 of 7")
	b.visit(b.url + "/exploration?model=sc&test=SB")
	shown("Graph 1 of 7")
	b.wait(`document.documentElement.classList.contains("live")`)
	b.click(".tour ol li:nth-child(2) a")
	shown("Graph 2 of 7")
	b.key(kb.ArrowDown)
	shown("Graph 3 of 7")
	b.key(kb.End)
	shown("Graph 7 of 7")
	b.key(kb.ArrowUp)
	shown("Graph 6 of 7")
	if lead := eval[string](b, `document.querySelector(".graph-shown .lead").innerText`); !strings.Contains(lead,
		"forbids this") {
		t.Errorf("of a forbidden graph it says %q", lead)
	}
	address := eval[string](b, `location.pathname + location.search`)
	if address != "/exploration?at=6&model=sc&test=SB" {
		t.Errorf("the address is %s", address)
	}
	b.openLesson(address)
	shown("Graph 6 of 7")
	if on := eval[int](b,
		`[...document.querySelectorAll(".tour ol a")].findIndex((a) => a.getAttribute("aria-current") === "true")`); on != 5 {
		t.Errorf("line %d is made out", on+1)
	}
}
