package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"litmuscope/litmus/catalogue"
)

func TestBrowserTermCards(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 800)
	b.open("/")
	const (
		shown = `document.querySelector("#term-card:popover-open")`
		gone  = `!document.querySelector("#term-card:popover-open")`
	)
	// Hover: the card comes, stays while the pointer is on it, and Escape puts it away.
	b.hoverUntil(".answer h2 a.term", shown)
	b.wantText("#term-card b", "exists")
	b.hover("#term-card p")
	b.wait(shown)
	eval[any](b, `new Promise((done) => setTimeout(done, 400))`)
	b.wait(shown)
	b.key(kb.Escape)
	b.wait(gone)
	b.hover(".answer h2 .name")
	b.hoverUntil(".answer h2 a.term", shown)
	b.hoverUntil("#picture h2", gone)

	// Focus, by keyboard: the card describes the link; on a chip, its tick.
	b.key(kb.Tab)
	for range 60 {
		if eval[bool](b, `document.activeElement.matches(".models label[data-term=tso] input")`) {
			break
		}
		b.key(kb.Tab)
	}
	b.wait(shown)
	b.wantText("#term-card b", "TSO")
	if d := eval[string](b, `document.activeElement.getAttribute("aria-describedby")`); !strings.Contains(d,
		"term-card") {
		t.Errorf("the tick is described by %q", d)
	}
	b.key(kb.Tab)
	b.wait(`document.querySelector("#term-card b").textContent !== "TSO" || ` + gone)
	if n := eval[int](b, `document.querySelectorAll("[aria-describedby~=term-card]").length`); n > 1 {
		t.Errorf("the card describes %d things", n)
	}
}

func TestBrowserNewcomers(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.open("/")
	// All three panes are in sight, with something in each.
	for _, place := range []string{"#source", ".outcomes tbody tr:nth-child(4)", ".drawing svg"} {
		if top := eval[float64](b,
			`document.querySelector(`+quote(place)+`)?.getBoundingClientRect().top ?? 0`); top > 700 {
			t.Errorf("%s begins at %v", place, top)
		}
	}
	b.click("[data-walk]")
	for i, place := range []string{"#question", ".models", "#result", "#picture"} {
		b.wait(`document.querySelector("#walk:popover-open p")?.textContent.startsWith("` + string(rune('1'+i)) +
			` of 4") && document.querySelector(".visited").matches("` + place + `")`)
		if box := eval[[]float64](b,
			`(() => { const r = document.getElementById("walk").getBoundingClientRect(); return [r.left, r.top, innerWidth - r.right, innerHeight - r.bottom]; })()`); box[0] < 0 || box[1] < 0 || box[2] < 0 || box[3] < 0 {
			t.Errorf("%s: the card is out of the window: %v", place, box)
		}
		b.key(kb.ArrowRight)
	}
	b.wait(`!document.getElementById("walk") && !document.querySelector("#welcome a").checkVisibility()`)
	b.wait(`document.activeElement.id === "pick"`)
	b.open("/?test=MP")
	if eval[bool](b, `document.querySelector("#welcome a").checkVisibility()`) {
		t.Error("the sentence is back")
	}
}

func TestBrowserGlossary(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 800)
	b.open("/")
	b.visit(b.url + eval[string](b, `document.querySelector("header nav div:last-child > a").pathname`))
	b.wait(`document.querySelector(".glossary dl")`)
	b.click("input[type=search]")
	b.key("cumul")
	b.wait(`document.getElementById("found").textContent.endsWith("terms contain “cumul”.")`)
	if !eval[bool](b,
		`document.getElementById("cumulativity").checkVisibility() && !document.getElementById("rf").checkVisibility()`) {
		t.Error("the wrong terms are left")
	}
	b.open(
		eval[string](b,
			`(({ pathname, search }) => pathname + search)(document.querySelector("#cumulativity a.test"))`))
	b.wantText("#pick-name", "WRC+addrs")
}

// TestBrowserSearchClassics: what is found first, and that Enter takes it.
func TestBrowserSearchClassics(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 800)
	for i, c := range []struct{ at, query, first, also string }{
		{"SB", "dmb", "AArch64/SB+dmb.sys", "ARM/SB+dmbs"},
		{"AArch64/MP", "dmb", "AArch64/SB+dmb.sys", "ARM/SB+dmbs"},
		{"SB", "message passing", "MP", "RISCV/MP"},
		{"RISCV/SB", "message passing", "RISCV/MP", "MP"},
		{"SB", "IRIW", "IRIW", "PPC/IRIW+addrs"},
		{"PPC/SB", "iriw", "PPC/IRIW", "IRIW"},
		{"MP", "store buffering", "SB", "PPC/SB"},
		{"SB", "lwsync addr", "PPC/MP+lwsync+addr", "PPC/WRC+lwsync+addr"},
		{"SB", "load buffering arm", "AArch64/LB", "ARM/LB"},
		{"SB", "acquire", "AArch64/SB+polas", "RISCV/MP+amoswap.rl+amoor.aq"},
		{"SB", "spinlock", "spinlock", "PPC/lock+isync+lwsync"},
		{"PPC/SB", "spinlock", "spinlock", "PPC/lock+isync+lwsync"},
		{"SB", "mutex", "C/mutex", "spinlock"},
		{"SB", "risc-v fence.i", "RISCV/MP+fence.w.w+ctrlfencei", ""},
		{"SB", "intel coherence", "CoRR", "CoWW"},
		{"SB", "ldadd", "AArch64/inc+ldadd", ""},
		{"SB", "mp+syncs", "PPC/MP+syncs", "MIPS/MP+syncs"},
	} {
		if testing.Short() && i%4 != 0 {
			continue
		}
		b.open("/?test=" + url.QueryEscape(c.at))
		b.click("#pick")
		b.key(c.query)
		b.wait(`document.querySelector("#picker a[data-test]")?.dataset.test === ` + quote(c.first))
		found := eval[[]string](b, `[...document.querySelectorAll("#picker a[data-test]")].map((a) => a.dataset.test)`)
		if found[0] != c.first {
			t.Errorf("%q at %s finds %q first, want %s", c.query, c.at, found[:min(len(found), 5)], c.first)
		}
		if c.also != "" && !strings.Contains(" "+strings.Join(found, " ")+" ", " "+c.also+" ") {
			t.Errorf("%q at %s does not find %s", c.query, c.at, c.also)
		}
	}
	b.open("/")
	b.click("#pick")
	b.key("load buffering arm")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "LB"`)
	b.answered()
	if url := eval[string](b, "location.search"); url != "?test=AArch64%2FLB" {
		t.Errorf("address %s", url)
	}
	b.click("#pick")
	b.key("dmb.sy ctrl")
	found := 0
	for _, e := range catalogue.All() {
		if id := e.ID(); strings.Contains(id, "dmb.sy") && strings.Contains(id, "ctrl") {
			found++
		}
	}
	b.wait(`document.querySelector("#picker-count").textContent === ` +
		quote(fmt.Sprintf("%d of %d classic tests", found, len(catalogue.All()))))
	b.wantText("#picker h2", "AArch64 (64-bit Arm)")
	b.wait( // a list for less of the words may come first
		`[...document.querySelectorAll("#picker a:first-of-type mark")].slice(0, 2).map((m) => m.textContent).join() === "dmb.sy,ctrl"`)
	b.key("zzz")
	b.wait(`document.querySelector("#picker-count").textContent === "No classic test matches."`)
}

// Tests that the visitor has edited are in the list, and come back from it.
func TestBrowserPickOnesOwn(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 800)
	b.open("/")
	b.setSource("X86 zebra\n{}\n P0         ;\n MOV [x],$7 ;\nexists (x=7)\n")
	b.click("#pick")
	b.key("mp")
	b.wait(`document.querySelector("#picker a[data-test=MP]")`)
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "MP"`)
	b.answered()
	b.click("#pick")
	b.key("zebra")
	b.wait(`document.querySelector("#picker .list a b")?.innerText === "zebra"`)
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "zebra"`)
	b.answered()
	if text := eval[string](b, `document.querySelector(".cm-content").innerText`); !strings.Contains(text,
		"MOV [x],$7") {
		t.Errorf("the editor has %q", text)
	}
}
