package browser

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
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
	if (document.documentElement.scrollWidth > innerWidth ||
		document.documentElement.scrollHeight > innerHeight) out.push("the page scrolls");
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
		const scale = svg ? Math.min(svg.clientWidth / svg.viewBox.baseVal.width,
			svg.clientHeight / svg.viewBox.baseVal.height) : 1;
		const size = parseFloat(style.fontSize) * scale;
		const least = svg || style.fontFamily.includes("JetBrains") || e.closest("math, sub, sup") ? 20 : 24;
		if (size < least - 0.01 &&
			!e.closest("msub, msup, mfrac, sub, sup, mo")) out.push(size.toFixed(1) +
				" px: " + n.data.trim().slice(0, 40));
		const inside = e.closest(".body") ? body : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
		for (const r of range.getClientRects()) {
			if (r.width < 1) continue;
			if (svg?.dataset.pieces) {
				// A large drawing is shown in pieces: each text is whole in one of them.
				const view = svg.getBoundingClientRect();
				if (r.left >= view.left && r.right <= view.right && r.top >= view.top &&
					r.bottom <= view.bottom) e.dataset.seen = "";
				const [, part, of] = page.querySelector(".piece").textContent.match(/part (\d+) of (\d+)/);
				if (part === of && !("seen" in e.dataset)) out.push("in no piece: " + n.data.trim());
				continue;
			}
			if (r.left < inside.left - 2 || r.right > inside.right + 2 || r.top < inside.top - 6 ||
				r.bottom > inside.bottom + 6) {
				out.push("cut off: " + n.data.trim().slice(0, 40));
				break;
			}
		}
	}
	return out;
}`

// walkSlides is a function that returns the faults of a slide, once its picture has come, and presses a key
// of the clicker.
// It waits for the picture of the next state.
const walkSlides = `async () => {
	const come = async () => {
		for (let k = 0; k < 6000 && document.querySelector(".deck .page.on[aria-busy]");
			k++) await new Promise((r) => setTimeout(r, 10));
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
	b.visit(b.url + "/learn/" + slug + hash)
	b.wait(`document.querySelector(".deck .page.on:not([aria-busy])")`)
}

// Every slide of every lesson fits a projector of 1280 × 720 pixels in all its states, with text that the
// last row can
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
		if only != "" && !strings.Contains(only, e.Slug) || only == "" && testing.Short() && i%16 != 1 {
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

// slideAt waits until a slide is on the screen, by its address.
func (b *tab) slideAt(hash string) {
	b.t.Helper()
	b.wait(`location.hash === ` + quote(hash) + ` &&
		document.querySelector(".deck .page.on:not([aria-busy])")?.dataset.slide === ` +
		quote(strings.Split(hash[len("#slide="):], ".")[0]))
}

// Before a class, a lesson is shown as slides. A clicker's keys reveal a test's code, prediction, answer
// and picture, turn
// the slides, blank the screen, and lead back into the lesson where the slide was.
func TestBrowserSlidesByKeys(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.openLesson("/learn/store-buffers")
	b.click("[data-present]")
	b.slideAt("#slide=1")
	b.wantText(".page.on h1", "Store buffers")
	if shown := eval[bool](b, `document.querySelector(".top").checkVisibility() ||
		document.querySelector("article").checkVisibility()`); shown {
		t.Error("the page is in sight beside the slides")
	}
	b.key(kb.PageDown)
	b.slideAt("#slide=2")
	b.key(kb.ArrowRight)
	b.slideAt("#slide=3")
	seen := func(selector string) bool {
		return eval[bool](b, `(() => { const e = document.querySelector(".page.on `+selector+
			`"); return !!e && getComputedStyle(e).visibility === "visible"; })()`)
	}
	if !seen("pre") || seen(".guess") || seen(".says") {
		t.Error("at first, the slide of a test shows its code, and neither question nor answer")
	}
	b.key(" ")
	b.slideAt("#slide=3.1")
	if !seen(".guess") || seen(".says") {
		t.Error("after the code comes the prediction, without the answer")
	}
	b.key(kb.PageDown)
	b.slideAt("#slide=3.2")
	b.wantText(`.page.on [data-column=tso] .says`, "✓ allows it")
	b.wantText(`.page.on [data-column=sc] .says`, "✗ forbids it")
	if seen(".guess") || !seen(".says") {
		t.Error("the answer replaces the prediction")
	}
	b.key(kb.PageDown)
	b.slideAt("#slide=3.3")
	b.wait(`document.querySelector(".page.on svg .event")`)
	b.wantText(".page.on .caption code", "0:EAX=0; 1:EAX=0")
	b.key(kb.PageUp)
	b.slideAt("#slide=3.2")
	b.key(kb.ArrowLeft)
	b.key(kb.ArrowUp)
	b.key(kb.ArrowUp)
	b.slideAt("#slide=2")

	b.key("b")
	b.wait(`document.querySelector(".deck .blank").checkVisibility()`)
	b.key("b")
	b.wait(`!document.querySelector(".deck .blank").checkVisibility()`)
	b.key(kb.End)
	b.slideAt("#slide=18")
	b.key(kb.PageDown) // there is nothing after it
	b.key(kb.Home)
	b.slideAt("#slide=1")

	// A question gives its answer at a press.
	eval[chromedp.Void](b, `location.hash = "#slide=8"`)
	b.slideAt("#slide=8")
	b.wantText(".page.on h1", "Question 1")
	if seen(".mark") {
		t.Error("the answer is in sight before anybody has asked for it")
	}
	b.key(kb.PageDown)
	b.slideAt("#slide=8.1")
	b.wantText(".page.on li:nth-child(3) .mark", "✓ right")

	b.key(kb.Escape)
	b.wait(`document.querySelector(".top") && !document.querySelector(".deck").checkVisibility() &&
		location.hash === ""`)
	b.wait(`((top) => top > -2 && top < 700)(document.getElementById("question-1").getBoundingClientRect().top)`)
	b.click("[data-present]") // goes on where it was
	b.slideAt("#slide=8.1")
}

// The steps of a run are steps of its slide, and an address leads to one of them.
func TestBrowserSlidesAddress(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.openSlides("store-buffers", "#slide=7.4")
	b.slideAt("#slide=7.4")
	b.wait(`document.querySelector(".page.on .did")?.textContent.startsWith("Step 1 of 6.")`)
	b.key(kb.PageDown)
	b.wait(`document.querySelector(".page.on .did").textContent.startsWith("Step 2 of 6.")`)
	b.key(kb.PageUp)
	b.wait(`document.querySelector(".page.on .did").textContent.startsWith("Step 1 of 6.")`)
	b.visit(b.url + "/learn/store-buffers#slide=999")
	b.slideAt("#slide=18")
}

// The window of the notes has the text that slides leave out, the next slide and a clock. Either window
// turns the other.
func TestBrowserSlideNotes(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.openSlides("store-buffers", "#slide=4")
	n := b.beside()
	n.do(chromedp.EmulateViewport(1100, 720))
	n.openLesson("/learn/store-buffers#notes=1")
	n.wait(`document.querySelector(".where-now")?.textContent === "Slide 4 of 18"`) // where the presentation is
	b.key(kb.PageDown)
	n.wait(`document.querySelector(".where-now").textContent === "Slide 5 of 18"`)
	n.wait(`document.querySelector(".notes-text").textContent.includes("A processor adds")`)
	if told := eval[string](b, `document.querySelector(".page.on").innerText`); strings.Contains(told,
		"A processor adds") {
		t.Errorf("the slide has all of the text: %s", told)
	}
	n.wait(`document.querySelector(".next-stage .page li")`) // the list
	n.key(kb.PageDown)
	b.slideAt("#slide=6")
	n.key("b")
	b.wait(`document.querySelector(".deck .blank").checkVisibility()`)
	n.key("b")
	b.wait(`!document.querySelector(".deck .blank").checkVisibility()`)
	n.wait(`/\d\d?:\d\d/.test(document.querySelector(".clock time").textContent)`)
	n.wait(`document.querySelector(".clock output").textContent !== "0:00"`)
	n.click(".clock button")
	n.keeps("notes")
	if size := eval[[]int](n, `[document.documentElement.scrollWidth,
		document.documentElement.scrollHeight]`); size[0] > 1100 || size[1] > 720 {
		t.Errorf("the notes are %v pixels large", size)
	}
	n.wait(`parseInt(document.querySelector(".clock output").textContent) === 0`)
}

// On a phone held upright, slides have text of usual size within the width, and fingers turn them.
func TestBrowserSlidesOnAPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.openSlides("store-buffers", "#slide=3.2")
	b.slideAt("#slide=3.2")
	b.keeps("phone-light")
	if w := eval[int](b, `document.documentElement.scrollWidth`); w > 390 {
		t.Errorf("a slide is %d pixels wide", w)
	}
	if size := eval[float64](b,
		`parseFloat(getComputedStyle(document.querySelector(".page.on .asks")).fontSize)`); size < 15 {
		t.Errorf("text of %f pixels", size)
	}
	swipe := func(from, to int) {
		eval[chromedp.Void](b, fmt.Sprintf(`(() => {
			const deck = document.querySelector(".deck");
			const at = (x) => new Touch({ identifier: 1, target: deck, clientX: x, clientY: 400 });
			deck.dispatchEvent(new TouchEvent("touchstart", { touches: [at(%d)],
				changedTouches: [at(%[1]d)], bubbles: true }));
			deck.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [at(%d)], bubbles: true }));
		})()`, from, to))
	}
	swipe(300, 80)
	b.slideAt("#slide=3.3")
	b.wait(`document.querySelector(".page.on .drawn svg")?.getBoundingClientRect().width > 300`)
	b.keeps("phone-picture")
	swipe(80, 300)
	b.slideAt("#slide=3.2")
	swipe(200, 190) // a tap that slips
	b.slideAt("#slide=3.2")
}

// On paper, there is one slide on each page, complete; a hand-out has the notes below the slides.
func TestBrowserSlidesOnPaper(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.openSlides("store-buffers", "#slide=1")
	eval[chromedp.Void](b,
		`window.print = () => { window.printed = [...document.querySelectorAll(".paper-notes")].length; }`)
	press := func(name string) {
		eval[chromedp.Void](b,
			`[...document.querySelectorAll(".deck .turning button")].
				find((e) => e.textContent === `+quote(name)+`).click()`)
	}
	press("Print slides")
	b.wait(`window.printed === 0`)
	if missing := eval[int](b, `document.querySelectorAll(".page.picture:not(:has(svg))").length`); missing > 0 {
		t.Errorf("%d pictures are missing on paper", missing)
	}
	pages := eval[int](b, `document.querySelectorAll(".deck .page").length`)
	if got := b.paperPages(); got != pages {
		t.Errorf("%d slides are on %d pages of paper", pages, got)
	}
	press("Print handout")
	b.wait(`window.printed === 18`)
}

// beside is another tab of the same visitor.
func (b *tab) beside() *tab {
	b.t.Helper()
	// A tab that was taken over does not know its browser context.
	all, err := chromedp.Targets(b.ctx)
	if err != nil {
		b.t.Fatal(err)
	}
	own := chromedp.FromContext(b.ctx).Target.TargetID
	i := slices.IndexFunc(all, func(t *target.Info) bool { return t.TargetID == own })
	id, err := chromedp.CallBrowser(b.ctx, target.CreateTarget,
		target.CreateTargetParams{URL: "about:blank", BrowserContextID: all[i].BrowserContextID})
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, _ := chromedp.NewContext(browser, chromedp.WithTargetID(id.TargetID), chromedp.WithDetachOnCancel())
	if err := sit(ctx); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	bounded, stop := untilTheEnd(ctx, b.t)
	b.t.Cleanup(stop)
	return &tab{b.t, bounded, b.url}
}

// paperPages prints the page, and returns the number of pages of paper.
func (b *tab) paperPages() (n int) {
	b.t.Helper()
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		pdf, err := chromedp.Call(ctx, pageapi.PrintToPDF,
			pageapi.PrintToPDFParams{PreferCSSPageSize: new(true), PrintBackground: new(true)})
		if err == nil {
			n = bytes.Count(pdf.Data, []byte("/Type /Page\n"))
			if dir := os.Getenv("LITMUSCOPE_SCREENSHOTS"); dir != "" {
				err = os.WriteFile(dir+"/slides.pdf", pdf.Data, 0o644)
			}
		}
		return chromedp.Void{}, err
	})
	return n
}
