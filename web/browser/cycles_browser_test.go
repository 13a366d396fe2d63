package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// cycleJudged waits until every model has said what it says of the cycle's test.
func (b *tab) cycleJudged() {
	b.t.Helper()
	b.wait(
		`document.querySelector("html.live #verdicts:not([aria-busy]) li") && !document.querySelector("#board.stale")`)
}

// cycleIs waits until the ring, its name, the field and the address are those of a cycle.
func (b *tab) cycleIs(arch, cycle, name string) {
	b.t.Helper()
	b.wait(`document.getElementById("test-name")?.firstChild.textContent.trim() === ` + quote(name))
	b.cycleJudged()
	if got := eval[string](b, `document.querySelector("#words [name=cycle]").value`); got != cycle {
		b.t.Errorf("the field has %q, want %q", got, cycle)
	}
	if got := eval[string](b,
		`[...document.querySelectorAll("#ring .edge text")].map((t) => t.textContent).join(" ")`); got != cycle {
		b.t.Errorf("the ring has %q, want %q", got, cycle)
	}
	if got := eval[string](b,
		`new URLSearchParams(location.search).get("arch") + " " + new URLSearchParams(location.search).get("cycle")`); got != arch+" "+cycle {
		b.t.Errorf("the address has %q, want %q", got, arch+" "+cycle)
	}
}

// choose presses a part of the ring, and in its menu a choice by its label.
func (b *tab) choose(part, label string) {
	b.t.Helper()
	b.click(part)
	b.wait(`document.querySelector("#menu:popover-open")`)
	b.click(choiceOf(b, label))
}

// choiceOf marks the choice of a label, for b.click.
func choiceOf(b *tab, label string) string {
	b.t.Helper()
	if !eval[bool](b,
		`(() => { const c = [...document.querySelectorAll("#menu .choice")].find((c) => c.querySelector("b").textContent === `+quote(label)+`);
		c?.setAttribute("data-wanted", ""); return !!c; })()`) {
		b.t.Fatalf("the menu has no %s, but %s", label, b.text("#menu"))
	}
	return "#menu [data-wanted]"
}

// verdictOf is what the page says of a model.
func (b *tab) verdictOf(label string) string {
	return eval[string](b,
		`[...document.querySelectorAll("#verdicts li")].find((l) => l.querySelector(".model").textContent === `+
			quote(label)+`)?.querySelector(".heard").textContent`)
}

func TestBrowserBuildsACycle(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.visit(b.url + "/cycles?arch=X86&cycle=PodWR+Fre+PodWR+Fre")
	b.cycleIs("X86", "PodWR Fre PodWR Fre", "SB")
	if sc, tso := b.verdictOf("SC"), b.verdictOf("TSO"); sc != "forbidden" || tso != "allowed" {
		t.Errorf("SB: SC %s, TSO %s", sc, tso)
	}

	// SB is R is MP, an edge at a time.
	b.choose("#edge-0", "PodWW")
	b.cycleIs("X86", "PodWW Wse PodWR Fre", "R")
	b.choose("#edge-2", "PodRR")
	b.cycleIs("X86", "PodWW Rfe PodRR Fre", "MP")
	if tso, pso := b.verdictOf("TSO"), b.verdictOf("PSO"); tso != "forbidden" || pso != "allowed" {
		t.Errorf("MP: TSO %s, PSO %s", tso, pso)
	}
	if focus := eval[string](b, "document.activeElement.id"); focus != "edge-2" {
		t.Errorf("the focus is at %q, want edge-2", focus)
	}

	// What cannot be says why, and changes nothing.
	b.click("#edge-1")
	b.wait(`document.querySelector("#menu:popover-open")`)
	eval[chromedp.Void](b, `document.querySelectorAll("#menu details").forEach((d) => { d.open = true; })`)
	b.click(choiceOf(b, "RfLeave"))
	b.wait(
		`document.getElementById("status").textContent === "RfLeave leaves its thread, but no Back after it returns"`)
	b.key(kb.Escape)
	b.wait(`!document.querySelector("#menu")`)
	b.cycleIs("X86", "PodWW Rfe PodRR Fre", "MP")

	// The browser's history undoes it, and does it again.
	eval[chromedp.Void](b, "history.back()")
	b.cycleIs("X86", "PodWW Wse PodWR Fre", "R")
	eval[chromedp.Void](b, "history.back()")
	b.cycleIs("X86", "PodWR Fre PodWR Fre", "SB")
	eval[chromedp.Void](b, "history.go(2)")
	b.cycleIs("X86", "PodWW Rfe PodRR Fre", "MP")
}

// An access is given a part of its location, and all others are words from then on.
func TestBrowserCycleOfSizes(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.visit(b.url + "/cycles?arch=AArch64&cycle=PodWW+Rfe+PodRR+Fre")
	b.cycleIs("AArch64", "PodWW Rfe PodRR Fre", "MP")
	b.choose("#event-1", "h2")
	b.cycleIs("AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", "MP+pow0h2+pow0w0")
	if tso, arm := b.verdictOf("TSO"), b.verdictOf("AArch64"); tso != "forbidden" || arm != "allowed" {
		t.Errorf("TSO %s, AArch64 %s", tso, arm)
	}
	b.wantText("#verdicts .hint", "These models do not cover mixed-size accesses: MIPS, Power (2010), RMO, Alpha.")
	b.choose("#event-2", "no sizes")
	b.cycleIs("AArch64", "PodWW Rfe PodRR Fre", "MP")
}

func TestBrowserCycleByKeyboard(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.visit(b.url + "/cycles?arch=PPC&cycle=PodWR+Fre+PodWR+Fre+PodWR+Fre")
	b.cycleIs("PPC", "PodWR Fre PodWR Fre PodWR Fre", "3.SB")
	if n := eval[int](b, `document.querySelectorAll("#ring .part[tabindex='0']").length`); n != 1 {
		t.Errorf("Tab stops %d times in the ring, want once", n)
	}
	b.do(chromedp.Focus(chromedp.CSS("#event-0")))
	b.key(kb.ArrowRight)
	b.key(kb.ArrowRight)
	b.key(kb.ArrowRight)
	b.wait(`document.activeElement.id === "edge-1"`)
	b.key(kb.Delete)
	b.cycleIs("PPC", "PodWR Fre PodWR Fre", "SB")
	b.wait(`document.activeElement.id === "edge-1"`)
	b.key(kb.Delete)
	b.wait(`document.getElementById("status").textContent === "PodWR ends in a read, PodWR begins at a write"`)

	b.key(kb.ArrowLeft)
	b.key(kb.ArrowLeft)
	b.key(kb.Enter)
	b.wait(
		`document.querySelector("#menu:popover-open") && document.activeElement.querySelector("b")?.textContent === "PodWR"`)
	for range 40 {
		if eval[string](b, `document.activeElement.querySelector("b")?.textContent ?? ""`) == "SyncdWR" {
			break
		}
		b.key(kb.ArrowDown)
	}
	b.key(kb.Enter)
	b.cycleIs("PPC", "SyncdWR Fre PodWR Fre", "SB+sync+po")
	b.wait(`document.activeElement.id === "edge-0"`)
}

func TestBrowserCycleInWords(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.visit(b.url + "/cycles")
	b.wait(`document.querySelector("html.live #verdicts li")`)
	b.click("#words [name=cycle]")
	b.key("a", chromedp.ModifierCtrl)
	b.insert("PodWR Wse PodWR Fre")
	b.wait(`document.querySelector("#messages mark")?.textContent === "Wse"`)
	b.wantText("#messages li", "PodWR ends in a read, Wse begins at a write")
	if !eval[bool](b,
		`!document.querySelector("#board .round").checkVisibility({ visibilityProperty: true }) && document.querySelector("#words [aria-invalid]") !== null`) {
		t.Error("the ring is not marked as that of other words")
	}
	b.key("a", chromedp.ModifierCtrl)
	b.insert("MFencedWR Fre MFencedWR Fre")
	b.cycleIs("X86", "MFencedWR Fre MFencedWR Fre", "SB+mfences")
	if tso := b.verdictOf("TSO"); tso != "forbidden" {
		t.Errorf("SB+mfences: TSO %s", tso)
	}

	dialect := func(arch string) {
		eval[chromedp.Void](b,
			`(() => { const s = document.querySelector("#words [name=arch]"); s.value = `+quote(arch)+
				`; s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	}
	dialect("AArch64")
	b.cycleIs("AArch64", "DMB.SYdWR Fre DMB.SYdWR Fre", "SB+dmb.sys")
	b.wait(`[...document.querySelectorAll(".presets a")].some((a) => a.textContent === "release and acquire")`)
	b.click("#words [name=cycle]")
	b.key("a", chromedp.ModifierCtrl)
	b.insert("DMB.SYdWW Rfe DpAddrdR Fre")
	b.cycleIs("AArch64", "DMB.SYdWW Rfe DpAddrdR Fre", "MP+dmb.sy+addr")
	dialect("X86")
	b.cycleIs("X86", "MFencedWW Rfe PodRR Fre", "MP+mfence+po")
	b.wantText("#messages li", "DpAddrdR became PodRR: litmus tests of X86 have no equivalent")

	// The explorer has just that test.
	want := eval[string](b, `document.getElementById("source").textContent`)
	b.click("#explore-cycle .main")
	b.wait(`document.querySelector("body.explorer")`)
	b.answered()
	if got := eval[string](b,
		`[...document.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n")`); strings.TrimSpace(
		got) != strings.TrimSpace(want) {
		t.Errorf("the explorer has\n%s\nwant\n%s", got, want)
	}
	b.wantText(".outcomes h2 .name", "MP+mfence+po")
}

func TestBrowserCyclesOnAPhone(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	for _, query := range []string{
		"arch=X86&cycle=PodWR+Fre+PodWR+Fre",
		"arch=RISCV&cycle=Fence.rw.rwdWR+Fre+PodWW+Rfe+DpAddrdW+Rfe+Fence.r.rwdRR+Fre",
	} {
		b.visit(b.url + "/cycles?" + query)
		b.cycleJudged()
		if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
			t.Errorf("%s: the page is %d pixels wide", query, w)
		}
		const ring = `[...document.querySelectorAll(".ring")].find((r) => r.checkVisibility())`
		if least := eval[float64](b,
			`Math.min(...[...`+ring+
				`.querySelectorAll(".part rect")].map((r) => Math.min(r.getBoundingClientRect().width, r.getBoundingClientRect().height)))`); least < 24 {
			t.Errorf("%s: a part of the ring is %.1f pixels small, want 24", query, least)
		}
		if least := eval[float64](b,
			`Math.min(...[...`+ring+
				`.querySelectorAll("text, .mark")].map((t) => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a))`); least < 11 {
			t.Errorf("%s: text of the ring has %.1f pixels, want 11", query, least)
		}
		if cut := eval[[]string](b,
			`[...`+ring+
				`.querySelectorAll("text, rect")].filter((e) => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > innerWidth; }).map((e) => e.textContent || e.parentNode.textContent)`); len(cut) > 0 {
			t.Errorf("%s: not in sight as a whole: %s", query, strings.Join(cut, ", "))
		}
	}
	b.click("#tall-edge-0")
	b.wait(`document.querySelector("#menu:popover-open")`)
	b.do(chromedp.KeyEvent("\x1b"))
	b.wait(`!document.querySelector("#menu")`)
	if focus := eval[string](b, "document.activeElement.id"); focus != "tall-edge-0" {
		t.Errorf("the focus is on %q", focus)
	}
	b.click("#tall-edge-0")
	b.wait(`document.querySelector("#menu:popover-open")`)
	if w := eval[float64](b, `document.getElementById("menu").getBoundingClientRect().width`); w > 390 {
		t.Errorf("the menu is %.0f pixels wide", w)
	}
}

func TestBrowserFamilyAsASuite(t *testing.T) {
	t.Parallel()
	h := webtest.NewHouse(t, engines.Local{})
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 1280, 900)
	b.visit(b.url + "/cycles?arch=X86&cycle=PodWR+Fre+PodWR+Fre")
	b.cycleJudged()
	b.wantText("#family-result strong", "6 tests")
	b.click("#family [name=relax]")
	b.key("a", chromedp.ModifierCtrl)
	b.insert("Rfe Fre Wse PodW* Foo")
	b.wait(`document.querySelector("#family-result mark")?.textContent === "Foo"`)
	b.key("a", chromedp.ModifierCtrl)
	b.insert("Fre Wse PodW*")
	b.wait(`document.querySelector("#family-result strong")?.textContent === "3 tests"`)
	b.wantText("#family-result .members", "SB\nR\n2+2W")
	b.click("#family-suite .main")
	b.wait(`location.pathname.startsWith("/suites/") && document.querySelector("h1")`)
	b.wait(`document.getElementById("state")?.textContent === "done"`)
	b.wait(`document.body.innerText.includes("2+2W")`)
	b.wantText("h1", "X86 cycles of 4 accesses")
}

// A test that somebody pastes is named, and its name leads to the ring.
func TestBrowserNamesAStrangersTest(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/")
	b.setSource(webtest.Stranger)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".named")?.innerText.startsWith("This is WRC+sync+addr")`)
	b.click(`.named a[href^="/cycles"]`)
	b.wait(`document.querySelector("body.cycles")`)
	b.cycleIs("PPC", "Rfe SyncdRW Rfe DpAddrdR Fre", "WRC+sync+addr")
}
