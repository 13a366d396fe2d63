package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// On a phone every page can be gone to from every other, and none is wider than the phone.
func TestBrowserPhoneNavigation(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.visit(b.url + "/")
	pages := eval[[]string](b, `[...document.querySelectorAll(".top nav a")].map((a) => a.getAttribute("href"))`)
	if len(pages) < 6 {
		t.Fatalf("the navigation has %v", pages)
	}
	for _, page := range pages {
		b.visit(b.url + page)
		b.click(".top nav button")
		if cut := eval[[]string](b, `[...document.querySelectorAll(".top nav a")].filter((a) => {
			const r = a.getBoundingClientRect();
			return r.left < 0 || r.right > innerWidth || document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2) !== a;
		}).map((a) => a.textContent)`); len(cut) > 0 {
			t.Errorf("%s: nobody sees %v in the navigation", page, cut)
		}
		if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
			t.Errorf("%s is %d pixels wide", page, w)
		}
	}
}

// A table that is wider than a phone keeps the values that its rows are of in sight.
func TestBrowserPhoneTableKeepsItsFirstColumn(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.open("/")
	b.wait(`document.querySelector(".outcomes table")?.style.getPropertyValue("--column-2")`)
	moved := eval[int](b,
		`(() => { const box = document.querySelector(".outcomes .table"); box.scrollLeft = 200; return box.scrollLeft; })()`)
	if moved == 0 {
		t.Fatal("the table of outcomes is not wider than its box")
	}
	if gone := eval[[]string](b, `(() => {
		const box = document.querySelector(".outcomes .table").getBoundingClientRect();
		return [...document.querySelectorAll(".outcomes tr > .value")].slice(0, 4).filter((c) => {
			const r = c.getBoundingClientRect();
			return r.left < box.left || r.right > box.left + box.width / 2 + 1;
		}).map((c) => c.textContent);
	})()`); len(gone) > 0 {
		t.Errorf("scrolled by %d pixels, these are out of sight: %q", moved, gone)
	}
}

// standsBy tells how far a popover is from its button, in pixels down and to the side.
func (b *tab) standsBy(button, card string) (down, aside float64) {
	b.t.Helper()
	b.wait(`document.querySelector(` + quote(card) + `)?.matches(":popover-open")`)
	gaps := eval[[]float64](b, `(() => {
		const [a, c] = [`+quote(button)+`, `+quote(card)+
		`].map((s) => document.querySelector(s).getBoundingClientRect());
		return [Math.max(c.top - a.bottom, a.top - c.bottom), Math.max(c.left - a.right, a.left - c.right),
			Math.max(0, -c.left, c.right - innerWidth, -c.top, c.bottom - innerHeight)];
	})()`)
	if gaps[2] > 0 {
		b.t.Errorf("%s is %.0f pixels out of the window", card, gaps[2])
	}
	return gaps[0], gaps[1]
}

func TestBrowserPopoversStandByTheirButtons(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{1280, 720}, {390, 844}} {
		b := newTab(t, size[0], size[1])
		b.open("/")
		for _, p := range [][2]string{
			{"#share", "#share-menu"},
			{"#pick", "#picker"},
			{`.outcomes thead [popovertarget="column-1"]`, "#column-1"},
		} {
			b.click(p[0])
			if down, aside := b.standsBy(p[0], p[1]); down < 0 || down > 16 || aside > 0 {
				t.Errorf("%d wide: %s is %.0f below %s, and %.0f aside", size[0], p[1], down, p[0], aside)
			}
			b.key(kb.Escape)
			b.wait(`!document.querySelector(` + quote(p[1]) + `).matches(":popover-open")`)
		}
	}
}

func TestBrowserCycleMenuHasAFilter(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.visit(b.url + "/cycles?arch=AArch64&cycle=PodWR+Fre+PodWR+Fre")
	b.cycleIs("AArch64", "PodWR Fre PodWR Fre", "SB")
	b.click("#edge-0")
	b.wait(`document.querySelector("#menu:popover-open")`)
	all := eval[int](b, `document.querySelectorAll("#menu li").length`)
	b.key("dmb.sy")
	b.wait(`document.querySelector("#menu input").value === "dmb.sy"`)
	left := eval[[]string](b,
		`[...document.querySelectorAll("#menu li")].filter((l) => l.checkVisibility()).map((l) => l.textContent)`)
	if len(left) == 0 || len(left) >= all {
		t.Fatalf("%d of %d choices are left", len(left), all)
	}
	for _, l := range left {
		if !strings.Contains(strings.ToLower(l), "dmb.sy") {
			t.Errorf("%q is left", l)
		}
	}
	b.key(kb.Enter)
	b.wait(`!document.querySelector("#menu")`)
	b.wait(`document.querySelector("#words [name=cycle]").value.includes("DMB.SY")`)
	b.cycleJudged()
}

// What a page has fits into it, at widths between a phone's and a laptop's, too: the navigation, the row of buttons
// above the editor, whose names may be long, fields of options, and the names of tests in front of their marks.
func TestBrowserFits(t *testing.T) {
	t.Parallel()
	for i, width := range []int64{360, 768, 900, 1000, 1280} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := newTab(t, width, 900)
			for _, path := range []string{
				"/", "/programs", "/catalogue?arch=PPC&q=Z6", "/cycles", "/learn",
				"/glossary", "/api/docs", "/models/power", "/?test=RISCV/lock%2Bamoswap.aq%2Bamoswap.rl",
			} {
				b.visit(b.url + path)
				b.wait(
					`document.readyState === "complete" && (!document.querySelector(".pick") || document.documentElement.classList.contains("live"))`)
				if strings.Contains(path, "test=") {
					b.answered()
				}
				eval[chromedp.Void](b, `document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
				if w := eval[int64](b, "document.documentElement.scrollWidth"); w > width {
					t.Errorf("%s: the page is %d pixels wide, want %d", path, w, width)
				}
				const out = `[...document.querySelectorAll("header.top :is(a, button), .pick > :not(.heard), .macros input")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML)`
				if got := eval[[]string](b, out); len(got) > 0 {
					t.Errorf("%s: beyond its edge are %s", path, got)
				}
				const rows = `new Set([...document.querySelectorAll(".pick > *")].filter((e) => e.checkVisibility()).map((e) => { const r = e.getBoundingClientRect(); return Math.round((r.top + r.bottom) / 2 / 8); })).size`
				if n := eval[int](b, rows); n > 1 {
					t.Errorf("%s: the buttons above the editor stand in %d rows", path, n)
				}
				const under = `[...document.querySelectorAll(".tests a.test")].filter((a) => { const n = a.getBoundingClientRect();
					return [...a.closest("tr").querySelectorAll(".v")].some((v) => { const m = v.getBoundingClientRect(); return m.left < n.right - 1 && m.right > n.left && m.top < n.bottom - 1 && m.bottom > n.top; }); }).map((a) => a.innerText)`
				if got := eval[[]string](b, under); len(got) > 0 {
					t.Errorf("%s: names are under marks: %s", path, got[:1])
				}
			}
		})
	}
}
