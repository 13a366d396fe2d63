package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A user's model is compared with TSO over all classics of the dialect: the smallest test that tells them apart comes
// first, and leads to both pictures.
func TestBrowserHoldsAModelAgainstAnother(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.click(`.options:has(.own-models) summary`)
	b.wait(`document.querySelector(".own-models .cm-content")`)
	b.click(`.own-models .cm-content`)
	b.insert("\"Mine\"\nacyclic po | rf | co | fr as order")
	b.wait(`document.querySelector("#explore").elements.mine.value === "Mine"`)
	eval[chromedp.Void](b, `document.querySelector("select[name=against]").focus()`)
	b.wait(`document.querySelector("select[name=against] option[value=tso]")`)
	eval[chromedp.Void](b, `document.querySelector("select[name=against]").value = "tso"`)
	b.click(`button[formaction="/versus"]`)
	b.wait(`document.querySelectorAll(".differs").length > 1`)
	b.click("#stop")
	b.wait(`/^Stopped after \d+ of \d+ tests, \d+ differ\.$/.test(document.querySelector("#stopped").innerText)`)
	first := eval[string](b, `document.querySelector(".differs").innerText`)
	for _, want := range []string{"4 accesses, 2 threads", "✗ Mine forbids", "✓ TSO allows", "0:EAX=0; 1:EAX=0"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first is %q, without %q", first, want)
		}
	}
	if eval[bool](b, `[...document.querySelectorAll(".differs h2 a")].some((a) => a.innerText === "SB+mfences")`) {
		t.Error("SB+mfences is no difference")
	}
	sizes := eval[[]int](b, `[...document.querySelectorAll(".differs small")].map((e) => Number.parseInt(e.innerText))`)
	for i := 1; i < len(sizes); i++ {
		if sizes[i] < sizes[i-1] {
			t.Errorf("%d accesses come after %d", sizes[i], sizes[i-1])
		}
	}
	b.click(`.differs p:last-child a`)
	b.wait(`document.querySelectorAll("#picture:not([aria-busy]) .picture").length === 2`)
	heads := eval[string](b, `[...document.querySelectorAll(".picture h2")].map((e) => e.innerText).join(" | ")`)
	if heads != "✓ TSO allows 0:EAX=0; 1:EAX=0 | ✗ Mine forbids 0:EAX=0; 1:EAX=0" {
		t.Errorf("the pictures are %s", heads)
	}
}
