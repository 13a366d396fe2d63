package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/web/parts/glossary"
	"litmuscope/web/teaching/lesson"
)

// slideFaults is a function that returns what is wrong with the slide on the screen: text that is cut off, outside of
// the window, or smaller than 24 pixels (20 in code and drawings).
const slideFaults = `() => {
	const page = document.querySelector(".deck .page.on");
	const body = page.querySelector(".body").getBoundingClientRect();
	const out = [];
	if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight) out.push("the page scrolls");
	if (!page.innerText.trim()) out.push("it is empty");
	const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const n = walker.currentNode, e = n.parentElement;
		if (!n.data.trim() || e.closest("script, style, title, desc, .heard, annotation")) continue;
		const style = getComputedStyle(e);
		if (e.getClientRects().length === 0 || style.visibility === "hidden") continue;
		const range = document.createRange();
		range.selectNodeContents(n);
		const svg = e.closest("svg");
		const scale = svg ? Math.min(svg.clientWidth / svg.viewBox.baseVal.width, svg.clientHeight / svg.viewBox.baseVal.height) : 1;
		const size = parseFloat(style.fontSize) * scale;
		const least = svg || style.fontFamily.includes("JetBrains") || e.closest("math, sub, sup") ? 20 : 24;
		if (size < least - 0.01 && !e.closest("msub, msup, sub, sup, mo")) out.push(size.toFixed(1) + " px: " + n.data.trim().slice(0, 40));
		const inside = e.closest(".body") ? body : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
		for (const r of range.getClientRects()) {
			if (r.width < 1) continue;
			if (r.left < inside.left - 2 || r.right > inside.right + 2 || r.top < inside.top - 6 || r.bottom > inside.bottom + 6) {
				out.push("cut off: " + n.data.trim().slice(0, 40));
				break;
			}
		}
	}
	return out;
}`

// walkSlides is a function that returns the faults of a slide, once its picture has come, and presses a key of the clicker.
// It waits for the picture of the next state.
const walkSlides = `async () => {
	const come = async () => {
		for (let k = 0; k < 6000 && document.querySelector(".deck .page.on[aria-busy]"); k++) await new Promise((r) => setTimeout(r, 10));
		await new Promise((r) => setTimeout(r));
	};
	await come();
	const at = location.hash, faults = (` + slideFaults + `)();
	dispatchEvent(new KeyboardEvent("keydown", { key: "PageDown", bubbles: true }));
	await come();
	return { At: at, Next: location.hash, Faults: faults };
}`

// openSlides opens a lesson at a slide.
func (b *tab) openSlides(slug, hash string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.url + "/learn/" + slug + hash))
	b.wait(`document.querySelector(".deck .page.on:not([aria-busy])")`)
}

// Every slide of every lesson fits a projector of 1280 × 720 pixels in all its states, with text that the last row can
// read. With -short, some lessons are looked at.
func TestBrowserSlidesFit(t *testing.T) {
	t.Parallel()
	l, err := lesson.NewLibrary("", glossary.LessonTerms)
	if err != nil {
		t.Fatal(err)
	}
	only := os.Getenv("LITMUSCOPE_SLIDES")
	lessons, _ := l.All()
	for i, e := range lessons {
		if only != "" && !strings.Contains(only, e.Slug) || only == "" && testing.Short() && i%8 != 1 {
			continue
		}
		t.Run(e.Slug, func(t *testing.T) {
			b := newTab(t, 1280, 720)
			b.openSlides(e.Slug, "#slide=1")
			slides := eval[int](b, `Number(document.querySelector(".number").textContent.split("/")[1])`)
			at, presses := "", 0
			for ; ; presses++ {
				b.keeps(fmt.Sprintf("%s-%03d", e.Slug, presses))
				state, err := inTab(b, chromedp.Evaluate[struct {
					At, Next string
					Faults   []string
				}]("("+walkSlides+")()", chromedp.EvalAwaitPromise))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range state.Faults {
					t.Errorf("%s: %s", state.At, f)
				}
				if at = state.At; at == state.Next {
					break
				}
			}
			t.Logf("%d slides, %d presses", slides, presses)
			if !strings.HasPrefix(at, fmt.Sprintf("#slide=%d", slides)) {
				t.Errorf("the keys lead to %s of %d", at, slides)
			}
			if want := 1 + len(e.Sections); slides < want {
				t.Errorf("%d slides of %d sections", slides, len(e.Sections))
			}
		})
	}
}

var _ = kb.PageDown
