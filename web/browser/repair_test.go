package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// An outcome that is allowed can be asked about: what would forbid it? The answer is a diff, which goes into the editor.
func TestBrowserRepairs(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.wait(`document.querySelector(".picture .repairing button")`)
	b.click(".picture .repairing button")
	b.wait(`document.querySelector(".mended:not([aria-busy]) .repair")`)
	if got := eval[string](b, `document.querySelector(".repair .diff").innerText`); !strings.Contains(got, "+ MFENCE      | MFENCE      ;") {
		t.Errorf("the difference is\n%s", got)
	}
	if lines := eval[int](b, `new Set([...document.querySelectorAll(".repair .diff > *")].map((e) => e.getBoundingClientRect().top)).size`); lines != 6 {
		t.Errorf("the difference is in %d lines, want 6", lines)
	}
	if got := eval[string](b, `[...document.querySelectorAll(".repair > ul > li")].map((e) => e.firstChild.textContent.trim()).join("; ")`); got != "P0: MFENCE before MOV EAX,[y]; P1: MFENCE before MOV EAX,[x]" {
		t.Errorf("the changes are %s", got)
	}
	b.do(chromedp.EmulateViewport(390, 844))
	if w := eval[int](b, `document.documentElement.scrollWidth`); w > 390 {
		t.Errorf("the page is %d pixels wide", w)
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	b.click(".repair a[data-take]")
	b.wait(`document.querySelector(".cm-content")?.innerText.includes("MFENCE") && document.querySelector("#result:not(.waiting) .sentences") && document.querySelector(".picture h2 .v.f")`)
	if eval[bool](b, `!!document.querySelector(".picture .repairing")`) {
		t.Error("what is forbidden can be forbidden")
	}
}
