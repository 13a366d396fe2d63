package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A reader steps through runs of the view machine of C11. A relaxed update continues the release sequence: its message
// carries the view of the release, and an acquire of it sees x=1. A relaxed store of another thread does not, and the
// weak outcome stays reachable.
func TestBrowserStepsInC11(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("C/relseq+store", "rc11", "axiomatic")
	b.click("[data-go=start]")
	b.wait(messages + ` === ""`)
	did := b.stepForward()
	for _, want := range []string{"writes y=1, message #2", "reads y=2, message #3", "reads x=0, the initial value"} {
		if !strings.Contains(did, want) {
			t.Errorf("no step says %q:\n%s", want, did)
		}
	}
	if got := eval[string](b, messages); got != "#1 x=1 P0, #2 y=1 carries x#1 y#2 P0, #3 y=2 P1" {
		t.Errorf("the messages are %s", got)
	}
	b.shoot("views-store")

	b.openRun("C/relseq+fetch_add", "rc11", "axiomatic")
	eval[chromedp.Void](b, `[...document.querySelectorAll(".outcomes tbody tr")].at(-1).querySelector("button").click()`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) > *") !== null`)
	b.click("[data-tab=steps]")
	b.click("[data-go=start]")
	b.wait(messages + ` === ""`)
	b.takeSteps(1, "0>0", "0>0", "1@2", "2@3")
	b.wait(`document.querySelector(".reachable h4").textContent === "Still reachable: 1 of 8"`)
	if got := eval[string](b, messages); got != "#1 x=1 P0, #2 y=1 carries x#1 y#2 P0, #3 y=2 carries x#1 y#2 P1" {
		t.Errorf("the messages are %s", got)
	}
	b.wantText(".memory > div:last-child dd", "0, 1 #2, 2 #3")
	b.wantText(".threads > div:last-child .readable > div:first-child dd", "1 #1")
	b.do(chromedp.EmulateViewport(1280, 1700))
	b.shoot("views-release-sequence")
	b.click("#theme")
	b.shoot("views-dark")
	b.do(chromedp.EmulateViewport(390, 844))
	if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
		t.Errorf("the page is %d pixels wide", w)
	}
	eval[chromedp.Void](b, `document.querySelector(".player .messages").scrollIntoView({ block: "center" })`)
	b.shoot("views-phone")
}
