package browser

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// The first page asks its question in a headline, with three ways in below, and the live answer below these. The
// introduction goes once the visitor has chosen a test, and for good when it is closed.
func TestBrowserFirstPage(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.open("/")
	b.wantText("#welcome h1", "Can this happen on Arm, x86, Power, RISC-V, or in C? Paste code, and see why.")
	if got := eval[string](b, `[...document.querySelectorAll("#welcome a b")].map((e) => e.innerText).join(", ")`); got !=
		"A litmus test, A program, Ten minutes of learning" {
		t.Errorf("the doors are %s", got)
	}
	const tops = `["#welcome h1", "#welcome a", "#result h2", "#picture svg"].map((s) => document.querySelector(s).getBoundingClientRect().top)`
	if at := eval[[]float64](b, tops); at[0] > at[1] || at[1] > at[2] || at[2] > at[3] || at[3] > 850 {
		t.Errorf("headline, doors, answer and picture begin at %v", at)
	}
	seen := func() bool {
		return eval[bool](b, `document.querySelector("#welcome a").checkVisibility()`)
	}
	b.click("#welcome [data-library]")
	b.wait(`document.querySelector("#picker:popover-open a[data-test]")`)
	b.key("iriw")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "IRIW"`)
	b.answered()
	if seen() {
		t.Error("the introduction is above a test that the visitor chose")
	}
	if got := eval[[]string](b, `[...document.querySelectorAll("h1")].map((e) => e.innerText)`); len(got) != 1 {
		t.Errorf("the page has the headlines %q", got)
	}
	b.open("/")
	if !seen() {
		t.Error("choosing a test has put the introduction away for good")
	}
	b.open("/?test=MP")
	if seen() {
		t.Error("the introduction is above a test that a link asks for")
	}
	b.open("/")
	b.click("#welcome [data-close]")
	b.open("/")
	if seen() {
		t.Error("the introduction is back")
	}
	for _, door := range []string{"/programs", "/learn/litmus-tests"} {
		b.visit(b.url + "/")
		eval[chromedp.Void](b, `delete document.documentElement.dataset.met`)
		b.click(`#welcome a[href="` + door + `"]`)
		b.wait(`location.pathname === ` + quote(door))
	}
}

// navigation is what the groups of the header are to be, with a course.
const navigation = "Ask: Tests Programs | Browse: Catalogue Bugs Models Cycle builder Compare models | " +
	"Teach: Lessons Class Course Sheets | Suites: Suites | Help: Help"

const navGroups = `[...document.querySelectorAll("#site [role=group]")].map((g) => g.getAttribute("aria-label") + ": " + [...g.querySelectorAll("a")].map((a) => a.textContent).join(" ")).join(" | ")`

// Every page has the same four groups and Help, marks its own entry, and shows them all in one row on a wide screen
// and in a menu on a narrow one.
func TestBrowserNavigation(t *testing.T) {
	t.Parallel()
	dir, _ := webtest.ExampleCourse(t, time.Date(2190, 1, 4, 0, 0, 0, 0, time.UTC))
	house := webtest.Serve(t, webtest.NewHouse(t, engines.Local{},
		func(c *web.Config) { c.Course, c.Tries = dir, c.Store }))
	for _, width := range []int64{1440, 1000, 390} {
		b := openTab(t, house.URL, width, 844)
		for path, here := range map[string]string{
			"/": "Tests", "/?test=MP": "Tests", "/programs": "Programs", "/catalogue": "Catalogue", "/museum": "Bugs",
			"/museum/ck-hs": "Bugs", "/lattice": "Models", "/distinguish": "Compare models", "/cycles": "Cycle builder",
			"/learn": "Lessons", "/learn/fences": "Lessons", "/sheet": "Sheets", "/class": "Class", "/course": "Course",
			"/compare": "Suites", "/glossary": "Help", "/docs/programs": "Help", "/api/docs": "",
		} {
			if testing.Short() && width == 1000 && path != "/" {
				continue
			}
			b.visit(b.url + path)
			if got := eval[string](b, navGroups); got != navigation {
				t.Errorf("%s: the navigation is %s", path, got)
			}
			if got := eval[string](b,
				`[...document.querySelectorAll("#site [aria-current=page]")].map((a) => a.textContent).join()`); got != here {
				t.Errorf("%s: the present page is %q, want %q", path, got, here)
			}
			const rows = `new Set([...document.querySelectorAll("header.top a")].filter((a) => a.checkVisibility()).map((a) => Math.round(a.getBoundingClientRect().bottom / 12))).size`
			const out = `[...document.querySelectorAll("header.top a")].filter((a) => a.checkVisibility() && a.getBoundingClientRect().right > innerWidth).length`
			if n, far := eval[int](b, rows), eval[int](b, out); n > 2 || far > 0 {
				t.Errorf("%d wide: the header has %d rows and %d links beyond the edge", width, n, far)
			}
			if menu := eval[bool](b, `document.querySelector("header nav button").checkVisibility()`); menu != (width < 1000) {
				t.Errorf("%d wide: there is a menu button: %v", width, menu)
			}
		}
	}
}

// The menu opens and closes by keyboard and pointer, with scripts and without.
func TestBrowserMenu(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		b := newTab(t, 390, 844)
		if plain {
			b.withoutScripts()
		}
		b.visit(b.url + "/glossary")
		open := func(want bool) {
			t.Helper()
			b.wait(
				`document.querySelector("#site").matches(":popover-open") === ` + map[bool]string{true: "true", false: "false"}[want],
			)
		}
		b.click("header nav button")
		open(true)
		if got := eval[[]string](b, `[...document.querySelectorAll("#site a")].filter((a) => {
			const r = a.getBoundingClientRect();
			return r.height < 24 || r.left < 0 || r.right > innerWidth || document.elementFromPoint(r.x + 5, r.y + r.height / 2) !== a;
		}).map((a) => a.textContent)`); len(got) > 0 {
			t.Errorf("of the menu, nobody can press %q", got)
		}
		b.key(kb.Escape)
		open(false)
		if !eval[bool](b, `document.activeElement.matches("header nav button")`) {
			t.Error("Escape loses the focus")
		}
		b.key(kb.Enter)
		open(true)
		b.key(kb.Tab)
		if got := eval[string](b, `document.activeElement.textContent`); got != "Tests" {
			t.Errorf("the first stop in the menu is %q", got)
		}
		b.do(chromedp.MouseClickXY(5, 800))
		open(false)
		b.click("header nav button")
		b.click(`#site a[href="/lattice"]`)
		b.wait(`location.pathname === "/lattice" && !document.querySelector("#site:popover-open")`)
	}
}

// Addresses of old editions of the navigation still have their pages.
func TestBrowserOldAddresses(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 800)
	for path, head := range map[string]string{
		"/museum": "museum", "/learn": "Lessons", "/cycles": "", "/lattice": "Models",
		"/distinguish": "Tell two models apart",
		"/glossary":    "Help", "/sheet": "Sheet", "/catalogue": "Catalogue", "/docs": "Manual",
	} {
		b.visit(b.url + path)
		if got := eval[string](b, `document.querySelector("h1")?.innerText ?? "no headline"`); !strings.Contains(
			strings.ToLower(got), strings.ToLower(head)) {
			t.Errorf("%s: headline %q, want %q", path, got, head)
		}
	}
}
