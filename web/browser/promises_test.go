package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// messages are the messages of the step at hand: "#1 y=1 P1 promises, #2 x=1 P0".
const messages = `[...document.querySelectorAll(".player .messages li")].map((e) => [...e.children].map((c) => c.textContent).join(" ")).join(", ")`

// A reader steps through a run of the promising machine of Armv8-A: the weak outcome of message passing needs no
// promise, only a read of an old message; what a dependency or a choice makes of it is in the outcomes still reachable.
func TestBrowserStepsOnArm(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("AArch64/MP+dmb.sy+po", "aarch64", "axiomatic")
	b.screenshotFor("promises-mp")
	b.click("[data-go=start]")
	b.wait(messages + ` === ""`)
	b.wait(`document.querySelector(".reachable h4").textContent === "Still reachable: 4 of 4"`)
	var did []string
	for range 12 {
		if eval[bool](b, `document.querySelector("[data-go=forward]").getAttribute("aria-disabled") === "true"`) {
			break
		}
		before := b.text(".did")
		b.click("[data-go=forward]")
		b.wait(`document.querySelector(".did").innerText !== ` + quote(before))
		did = append(did, b.text(".did"))
	}
	all := strings.Join(did, "\n")
	for _, want := range []string{
		"writes x=1, message #1", "DMB SY – orders what comes before and after it", "writes y=1, message #2",
		"reads y=1, message #2", "reads x=0, the initial value. Message #1 is newer, but nothing makes P1 see it yet.",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no step says %q:\n%s", want, all)
		}
	}
	if got := eval[string](b, messages); got != "#1 x=1 P0, #2 y=1 P0" {
		t.Errorf("the messages are %s", got)
	}
	b.wait(`document.querySelector(".reachable h4").textContent === "Still reachable: 1 of 4"`)

	// Another choice of the last step reads the new value.
	b.click("[data-go=back]")
	b.wait(`document.querySelector(".reachable h4").textContent === "Still reachable: 2 of 4"`)
	b.wantText(".threads > div:last-child .readable > div:first-child dd", "0, 1")
	b.click(`.choices [data-step="1@1"]`)
	b.wait(`document.querySelector(".did").innerText.includes("reads x=1, message #1")`)
	b.wantText(".own span", "Your run differs from the drawn execution.")
}

// Load buffering on RISC-V needs a promise. A thread with a promise cannot read what its
// promised write must come before.
func TestBrowserStepsWithPromises(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("RISCV/LB", "riscv", "axiomatic")
	b.click("[data-go=start]")
	b.wait(`document.querySelector(".choices .flush")?.textContent.startsWith("promise ")`)
	b.click("[data-go=forward]")
	b.wait(`document.querySelector(".did").innerText.includes("promises ")`)
	if got := eval[string](b, messages); !strings.HasSuffix(got, " promises") {
		t.Errorf("the messages are %s", got)
	}
	b.screenshotFor("promises-lb")
	b.click("[data-go=end]")
	if got := eval[string](b, messages); strings.Contains(got, "promises") {
		t.Errorf("a promise is left: %s", got)
	}

	b.do(chromedp.EmulateViewport(390, 844))
	b.wait("document.documentElement.scrollWidth <= 390")
	b.screenshotFor("promises-phone")
	b.do(chromedp.EmulateViewport(1920, 1080))
	b.screenshotFor("promises-projector")

	b.do(chromedp.EmulateViewport(1280, 900))
	b.openRun("RISCV/LB+data+po", "riscv", "axiomatic")
	b.click("[data-go=start]")
	// P0 may promise its write, whose value is the same after each read. But once it is there, P0 cannot read a later
	// message first, for the write depends on what P0 reads.
	for _, step := range []string{"0!y=1", "1@1", "1@2"} {
		b.click(`.choices [data-step="` + step + `"]`)
		b.wait(`document.querySelector(".choices [data-step='` + step + `']") === null`)
	}
	if got := eval[string](b, `[...document.querySelectorAll(".choices button")].map((e) => e.dataset.step).join()`); got != "0@0" {
		t.Errorf("the next steps are %s, want the read of the initial value", got)
	}
}
