package browser

import (
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/models"
	"litmuscope/solver/synth/distinguish"
)

// phones are the widths of common ones.
var phones = []int64{360, 390, 412}

// newPhone is a tab on a phone: a touch screen, without a keyboard.
func newPhone(t *testing.T, width int64) *tab {
	t.Helper()
	b := newTab(t, width, 800)
	b.asPhone(width)
	return b
}

func (b *tab) asPhone(width int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 800, chromedp.EmulateMobile, chromedp.EmulateTouch))
}

// keysNamed lists texts, visible or as tooltips and names of controls, in which keys are named.
const keysNamed = `(() => {
	const keys = /Ctrl|Control-|⌘|\bEsc(ape)?\b|\bShift\b|\bAlt-|[Aa]rrow keys?|Page(Down|Up)|\bF(8|9|10)\b|\bEnter (lists|in |runs)|keyboard/;
	const texts = document.body.innerText.split("\n");
	for (const e of document.querySelectorAll("body *")) if (e.checkVisibility()) {
		for (const name of ["title", "aria-label", "placeholder"]) texts.push(e.getAttribute(name) ?? "");
	}
	return texts.filter((t) => keys.test(t));
})()`

// Who has no keyboard reads of no keys.
func TestBrowserPhoneNamesNoKeys(t *testing.T) {
	t.Parallel()
	b := newPhone(t, 390)
	quiet := func(where string) {
		t.Helper()
		if got := eval[[]string](b, keysNamed); len(got) > 0 {
			t.Errorf("%s: keys are named in %q", where, got)
		}
	}
	b.open("/?test=SB")
	b.do(
		chromedp.Evaluate[chromedp.Void](`document.dispatchEvent(new Event("pointermove"))`),
	) // loads the editor's keys
	for _, tab := range []string{"graph", "steps", "why"} {
		b.turnTo(tab)
		b.wait(`document.querySelector("[data-panel=` + tab + `]:not([hidden])")`)
		quiet("explorer, " + tab)
	}
	b.click("#share")
	b.wait(`document.querySelector("#share-menu:popover-open")`)
	b.pressCopy("run command")
	quiet("the share menu")
	b.visit(b.url + "/cycles")
	b.cycleJudged()
	quiet("cycles")
	for _, path := range []string{
		"/glossary", "/learn/01-store-buffering", "/catalogue", "/lattice", "/exploration?test=SB&model=sc", "/museum",
		"/class", "/suites",
	} {
		b.visit(b.url + path)
		b.wait(`document.readyState === "complete"`)
		quiet(path)
	}
}

// The program's stepper names its keys where there is a keyboard, and nowhere else.
func TestBrowserStepperNamesKeysForAKeyboard(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	const keyed = `document.querySelector(".stepping .did")?.textContent.includes("F10")`
	b.visit(b.url + "/programs")
	b.verified()
	b.wait(`document.querySelector(".stepping .keys")`)
	b.wait(keyed)
	b.asPhone(390)
	b.visit(b.url + "/programs")
	b.verified()
	b.wait(`document.querySelector(".stepping .keys")`)
	b.wait(`document.querySelector(".stepping .did").textContent.startsWith("Step with these buttons")`)
	if got := eval[[]string](b, keysNamed); len(got) > 0 {
		t.Errorf("keys are named in %q", got)
	}
}

// On a phone the heads of a long and wide table of outcomes stay in sight, and so do the values of its rows.
func TestBrowserPhoneTableKeepsItsHead(t *testing.T) {
	t.Parallel()
	for _, width := range phones {
		b := newPhone(t, width)
		b.open("/?test=PPC/IRIW")
		b.wait(`document.querySelector(".outcomes table")?.style.getPropertyValue("--column-2")`)
		got := eval[[]float64](b, `(() => {
			const box = document.querySelector(".outcomes .table");
			box.style.maxHeight = "200px"; // that of a phone on its side
			box.scrollIntoView({ block: "center" });
			box.scrollTo(120, 150);
			const b = box.getBoundingClientRect();
			const head = document.querySelector(".outcomes thead [data-column]").getBoundingClientRect();
			const value = document.querySelector(".outcomes tbody .value").getBoundingClientRect();
			const corner = document.querySelector(".outcomes thead .value").getBoundingClientRect();
			return [box.scrollLeft, box.scrollTop, head.top - b.top, value.left - b.left, corner.top - b.top, corner.left - b.left];
		})()`)
		covered := eval[[]string](
			b,
			`[...document.querySelectorAll(".outcomes tbody tr")].slice(8, 10).flatMap((tr) => {
			return [...tr.querySelectorAll(".value")].slice(0, 2).filter((e) => {
				const r = e.getBoundingClientRect();
				return document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2) !== e;
			}).map((e) => e.cellIndex + " of " + tr.innerText);
		})`,
		)
		if len(covered) > 0 {
			t.Errorf("%d wide: others are above the values %q", width, covered)
		}
		if got[0] < 50 || got[1] < 100 {
			t.Fatalf("%d wide: the table scrolls by %v only", width, got[:2])
		}
		if got[2] < -1 || got[2] > 3 || got[4] < -1 || got[4] > 3 {
			t.Errorf("%d wide: the heads are %v and %v below the box's top", width, got[2], got[4])
		}
		if got[3] < 0 || got[3] > 60 || got[5] != got[3] {
			t.Errorf("%d wide: a row's value is %v from the left, its head %v", width, got[3], got[5])
		}
	}
}

// In the catalogue the models' names stay above their marks, and the tests' names and all marks are in sight.
func TestBrowserPhoneCatalogueKeepsItsHead(t *testing.T) {
	t.Parallel()
	for _, width := range phones {
		b := newPhone(t, width)
		b.visit(b.url + "/catalogue?q=WRC&arch=PPC")
		b.wait(`document.querySelectorAll(".tests tbody").length > 8`)
		eval[chromedp.Void](
			b,
			`document.querySelector(".tests tbody:nth-of-type(6)").scrollIntoView({ block: "start" })`,
		)
		b.wait(`scrollY > 300`)
		const hidden = `[...document.querySelectorAll(".tests thead th")].filter((th) => {
			const r = th.getBoundingClientRect();
			return r.top < -1 || r.bottom > 200 || r.left < 0 || r.right > innerWidth;
		}).map((th) => th.textContent)`
		if got := eval[[]string](b, hidden); len(got) > 0 {
			t.Errorf("%d wide: out of sight are the heads %q", width, got)
		}
	}
}

// Four threads fit a phone: the picture is readable and says that it can be moved, the steps wrap, and the text's
// columns can be scrolled to.
func TestBrowserPhoneFourThreads(t *testing.T) {
	t.Parallel()
	for _, width := range phones {
		b := newPhone(t, width)
		b.open("/?test=PPC/IRIW%2Blwsyncs")
		b.drawn()
		least := eval[float64](
			b,
			`Math.min(...[...document.querySelectorAll(".drawing text")].filter((e) => e.checkVisibility())
			.map((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a))`,
		)
		if least < 11 {
			t.Errorf("%d wide: the picture's text is %.1f pixels, want 11", width, least)
		}
		b.turnTo("steps")
		b.wait(`document.querySelector(".player .threads")?.checkVisibility()`)
		const cut = `[...document.querySelectorAll(".player :is(.threads > div, .code li, .regs > div, button)")].filter((e) => {
			const r = e.getBoundingClientRect();
			return e.checkVisibility() && (r.left < 0 || r.right > innerWidth || e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0);
		}).map((e) => e.textContent)`
		if got := eval[[]string](b, cut); len(got) > 0 {
			t.Errorf("%d wide: these are cut: %q", width, got)
		}
		if w := eval[int64](b, "document.documentElement.scrollWidth"); w > width {
			t.Errorf("the page is %d pixels wide, want %d", w, width)
		}
	}
}

// From the last row of a hall, steps are read: 20 pixels at least.
func TestBrowserProjectorSteps(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1920, 1080)
	const small = `(() => {
		const out = new Set();
		for (const e of document.querySelectorAll(".run, .run *")) {
			const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
			const size = parseFloat(getComputedStyle(e).fontSize);
			if (own && e.checkVisibility() && !e.closest("script") && size < 20) out.add(size + ": " + e.textContent.trim().slice(0, 40));
		}
		return [...out];
	})()`
	for _, path := range []string{"/?test=SB", "/?test=PPC/IRIW%2Blwsyncs"} {
		b.visit(b.url + path)
		b.wait(`document.querySelector(".run")`)
		eval[chromedp.Void](b, `document.querySelectorAll("details.all").forEach((d) => { d.open = true; })`)
		if got := eval[[]string](b, small); len(got) > 0 {
			t.Errorf("%s: smaller than 20 pixels: %q", path, got)
		}
		if w := eval[int](b, "document.documentElement.scrollWidth"); w > 1920 {
			t.Errorf("%s is %d wide", path, w)
		}
	}
}

// The models are opened in the architecture that was asked about last, which is AArch64 on a first visit.
func TestBrowserModelsOpenOnTheLastArchitecture(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 800)
	const current = `document.querySelector(".lattice .archs [aria-current]")?.textContent`
	b.open("/")
	b.visit(b.url + "/lattice")
	b.wait(current + ` === "AArch64"`)
	b.visit(b.url + "/lattice?arch=RISCV")
	b.wait(current + ` === "RISCV"`)
	b.visit(b.url + "/lattice")
	b.wait(current + ` === "RISCV"`)
	b.open("/?test=SB")
	b.setSource(
		"PPC mine\n{ 0:r1=x; 1:r1=x; }\n P0 | P1 ;\n li r2,1 | lwz r3,0(r1) ;\n stw r2,0(r1) | ;\nexists (1:r3=1)\n",
	)
	b.wait(`localStorage.getItem("litmuscope.arch") === "PPC"`)
	b.visit(b.url + "/lattice")
	b.wait(current + ` === "PPC"`)
}

// Nothing of the table of pairs is beyond the edge of a laptop; where it is, the row's model stays.
func TestBrowserModelPairsAreInSight(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 800)
	for _, arch := range distinguish.Archs() {
		b.visit(b.url + "/lattice?arch=" + arch)
		beyond := eval[int](
			b,
			`(() => { const box = document.querySelector(".pairs"); return box.scrollWidth - box.clientWidth; })()`,
		)
		if beyond > 0 {
			t.Errorf("%s: the pairs of %d models are %d pixels too wide", arch, len(models.For(arch)), beyond)
		}
	}
	for _, width := range []int64{900, 390} {
		b.do(chromedp.EmulateViewport(width, 800), chromedp.Navigate(b.url+"/lattice?arch=PPC"))
		left := eval[[]float64](b, `(() => {
			const box = document.querySelector(".pairs");
			box.scrollLeft = 1000;
			return [box.scrollLeft, document.querySelector(".pairs tbody th").getBoundingClientRect().left - box.getBoundingClientRect().left];
		})()`)
		if left[0] > 0 && left[1] != 0 {
			t.Errorf("%d wide: scrolled by %v, the row's model is %v from the edge", width, left[0], left[1])
		}
	}
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(b.url+"/lattice?arch=PPC"))
	if got := eval[string](b, `[...document.querySelectorAll(".pairs a")].find((a) => a.querySelector("wbr")).innerText`); got !=
		eval[string](
			b,
			`[...document.querySelectorAll(".pairs a")].find((a) => a.querySelector("wbr")).textContent.replaceAll(/\s/g, "")`,
		) {
		t.Errorf("a broken name is %q", got)
	}
}
