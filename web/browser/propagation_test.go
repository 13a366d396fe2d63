package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A reader steps through IRIW on Power: each write reaches one reader before the other, so that the readers disagree.
func TestBrowserStepsOnPower(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("PPC/IRIW+addrs", "power", "axiomatic")
	b.click("[data-go=start]")
	b.wait(messages + ` === ""`)
	did := b.stepForward()
	for _, want := range []string{"is committed: x=1, #", "reaches P", "reads x=1, #", "has not reached P"} {
		if !strings.Contains(did, want) {
			t.Errorf("no step says %q:\n%s", want, did)
		}
	}
	b.wait(`document.querySelector(".reachable h4").textContent.startsWith("Still reachable: 1 of ")`)
	b.shoot("propagation-iriw")
	b.do(chromedp.EmulateViewport(1280, 1900))
	b.shoot("propagation-tall")
	b.click("#theme")
	b.shoot("propagation-dark")
	b.do(chromedp.EmulateViewport(390, 844))
	b.wait("document.documentElement.scrollWidth <= 390")
	eval[chromedp.Void](b, `document.querySelector(".player .messages").scrollIntoView({ block: "center" })`)
	b.shoot("propagation-phone")
	b.do(chromedp.EmulateViewport(1280, 900))

	// A sync waits until it has reached all threads, and a write that has reached its thread goes first.
	b.openRun("PPC/SB+syncs", "power", "axiomatic")
	eval[chromedp.Void](b, `[...document.querySelectorAll(".outcomes tbody tr")].at(-1).querySelector("button").click()`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) > *") !== null`)
	b.click("[data-tab=steps]")
	b.click("[data-go=start]")
	b.wait(messages + ` === ""`)
	b.takeSteps(1, "0.1>0", "0.2")
	offered := func() string {
		return eval[string](b,
			`[...document.querySelectorAll(".choices button")].map((e) => e.dataset.step).sort().join(" ")`)
	}
	b.wait(`document.querySelector(".choices [data-step='0.1:1']") !== null`)
	if got := offered(); got != "0.1:1 1.1>0" {
		t.Errorf("behind sync, the next steps are %s, want no read and no sync that reaches P1", got)
	}
	b.takeSteps(3, "0.1:1", "0.2:1")
	b.wait(`document.querySelector(".choices [data-step='0.3']") !== null`)
}

// For a forbidden outcome, Steps shows how far a run can go towards the nearest execution, and what it cannot do then.
func TestBrowserShowsWhereRunsGetStuck(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	for _, c := range []struct{ test, model, want, offered string }{
		{
			"PPC/MP+lwsync+addr", "power",
			"No run performs this execution. This run performs 4 of its 5 events, and none goes on from here to the " +
				"rest: P1 reads x=0.",
			"reads x=1",
		},
		{"X86/MP", "tso", "events, and none goes on from here to the rest: ", ""},
	} {
		b.openRun(c.test, c.model, "axiomatic")
		b.wait(`document.querySelector("[data-panel=steps] .hint")?.innerText.includes(` + quote(c.want) + `)`)
		b.click("[data-go=end]")
		b.wait(`document.querySelector(".choices")?.innerText.includes(` + quote(c.offered) + `)`)
		b.wait(`document.querySelector(".reachable h4").textContent.startsWith("Still reachable: ")`)
		if eval[bool](b, `[...document.querySelectorAll(".reachable li")]
			.some((e) => e.innerText.includes("◆") && !e.innerText.includes("×"))`) {
			t.Errorf("%s: an outcome that satisfies the condition is reachable", c.test)
		}
		b.shoot("stuck-" + c.model)
	}
}
