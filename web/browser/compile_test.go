package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/web/parts/question"
	"litmuscope/web/webtest"
)

func TestBrowserCompiles(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.asks(webtest.Buffering, "rc11")
	b.wait(`document.querySelector("#result .compile")`)
	b.click(".compile summary")
	b.click(`.compile button[value="aarch64"]`)
	b.wait(`document.querySelector(".made:not([aria-busy]) .mapping.wrong")`)
	b.click(`.made button[value="aarch64 ctrl"]`)
	b.wait(`document.querySelector(".made:not([aria-busy]) .mapping.right")`)
	if got := eval[string](b, `document.querySelector(".made .thread").innerText`); !strings.Contains(got, "CBNZ W2,") {
		t.Errorf("got %s", got)
	}
	b.click(".made a.button")
	b.wait(
		`document.querySelector("#result .outcomes h2 .name")?.textContent === "LB" && document.querySelector("#result thead [data-column=aarch64]")`)
}

// The instructions of a line have its colour, its number and, while it is pointed at or has the focus, its light. On a
// phone they stand below their line.
func TestBrowserTiesInstructionsToLines(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.open("/?test=SB")
	b.asks(webtest.Buffering, "rc11")
	b.wait(`document.querySelector("#result .compile") && document.querySelector("#picture .drawing svg")`)
	b.click(".compile summary")
	b.click(`.compile button[value="aarch64"]`)
	b.wait(`document.querySelector(".made:not([aria-busy]) .tied")`)
	b.wait(`[...document.styleSheets].some((s) => s.href?.includes("compile"))`)
	// The C test is to the left, and each thread is in a column of its own.
	if !eval[bool](b, `(() => { const [c, p0, p1] = [...document.querySelectorAll(".tied > section")].map((e) => e.getBoundingClientRect());
		return c.width > 0 && c.right <= p0.left && p0.right <= p1.left && c.top === p0.top && p1.right <= innerWidth; })()`) {
		t.Error("the columns are not side by side")
	}
	got := eval[string](b, `[...document.querySelectorAll(".tied .thread ol > li")].map((e) => e.innerText.replace(/\s+/g, " ").trim()).join("|")`)
	if want := "4 LDR W2,[X0]|5 MOV W3,#1 STR W3,[X1]|8 LDR W2,[X0]|9 MOV W3,#1 STR W3,[X1]"; got != want {
		t.Errorf("the instructions are %q, want %q", got, want)
	}
	// Lines with instructions have different colours, the same on both sides.
	const bands = `((side) => [...document.querySelectorAll(side)].map((e) => e.dataset.of + getComputedStyle(e).borderLeftColor))`
	if !eval[bool](b, `(() => { const c = `+bands+`(".source li[data-of]"), asm = `+bands+`(".thread li[data-of]");
		return c.length === 4 && c.join() === asm.join() && new Set(c.map((x) => x.slice(1))).size === 4 && !c.join().includes("rgba(0, 0, 0, 0)"); })()`) {
		t.Errorf("the bands are %s and %s", eval[string](b, bands+`(".source li[data-of]").join()`),
			eval[string](b, bands+`(".thread li[data-of]").join()`))
	}
	const lit = `[...document.querySelectorAll(".tied .lit")].map((e) => e.innerText.replace(/\s+/g, " ").trim()).join("|")`
	b.hoverUntil(".tied .thread li[data-of='9']", lit+` === "9 atomic_store_explicit(x, 1, memory_order_relaxed);|9 MOV W3,#1 STR W3,[X1]"`)
	// The keyboard: a number leads to the other side, and arrow keys from line to line.
	b.do(chromedp.Focus(chromedp.CSS(".tied .source a.n")))
	const four = lit + ` === "4 int r0 = atomic_load_explicit(x, memory_order_relaxed);|4 LDR W2,[X0]"`
	b.hoverUntil("h2", four)
	b.key(kb.ArrowDown)
	b.wait(`document.activeElement.matches(".source a.n") && document.activeElement.textContent === "5"`)
	b.key(kb.Enter)
	b.wait(`document.activeElement.matches(".thread a.n") && document.activeElement.textContent === "5"`)
	b.key(kb.Enter)
	b.wait(`document.activeElement.matches(".source a.n") && document.activeElement.textContent === "5"`)
	// Above the page, with the same lines, until it is closed.
	b.click(".made .enlarge")
	b.wait(`document.querySelector("dialog[open] .tied .thread")`)
	b.click("dialog .close")
	b.wait(`!document.querySelector("dialog") && document.querySelector(".made .tied")`)
	// The copy.
	b.click(".made .copy")
	b.wait(`["Copied", "Select the text below to copy it"].includes(document.querySelector(".made .copy").textContent)`)
	b.do(chromedp.EmulateViewport(390, 844))
	got = eval[string](b, `[...document.querySelectorAll(".tied .thread ol > li")].map((e) => e.innerText.replace(/\s+/g, " ").trim()).join("|")`)
	if want := "4 int r0 = atomic_load_explicit(x, memory_order_relaxed); LDR W2,[X0]|" +
		"5 atomic_store_explicit(y, 1, memory_order_relaxed); MOV W3,#1 STR W3,[X1]|"; !strings.HasPrefix(got, want) {
		t.Errorf("on a phone, the instructions are %q, want %q", got, want)
	}
	if !eval[bool](b, `document.documentElement.scrollWidth <= 390 && document.querySelector(".tied .source").offsetWidth === 0 &&
		[...document.querySelectorAll(".tied .from")].every((e) => e.getBoundingClientRect().bottom <= e.nextElementSibling.getBoundingClientRect().top + 1)`) {
		t.Error("on a phone, the lines do not stand above their instructions")
	}
}

// C to the left, five architectures beside it: one row on a wide screen, swiped through on a phone; a line lights up
// with all that comes of it, and each column says what its model does and whether the mapping is right.
func TestBrowserCompilesSideBySide(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.asks(webtest.Buffering, "rc11")
	b.wait(`document.querySelector("#result .compile") && document.querySelector("#picture .drawing svg")`)
	b.click(".compile summary")
	b.wait(`document.querySelector(".compile[open]")`)
	b.click(`.compile button[value="all"]`)
	b.wait(`document.querySelector("dialog[open] .row")`)
	const columns = `[...document.querySelectorAll("dialog article")]`
	if got := eval[string](b,
		columns+
			`.map((e) => e.querySelector("h4").innerText + ": " + e.querySelector(".says").innerText.replace(/\s+/g, " ")).join("; ")`); got !=
		"C: ✗ RC11 forbids it; x86, 64 bits: ✗ TSO forbids it; Power: ✓ Power allows it; Arm, 32 bits (Armv7): ✓ "+
			"ARM allows it; Arm, 64 bits (Armv8): ✓ AArch64 allows it; RISC-V, 64 bits (RVWMO): ✓ RISC-V allows it" {
		t.Errorf("the columns say %s", got)
	}
	if right, wrong := eval[int](b, `document.querySelectorAll("dialog .mapping.right").length`),
		eval[int](b, `document.querySelectorAll("dialog .mapping.wrong").length`); right != 1 || wrong != 4 {
		t.Errorf("%d mappings are right and %d wrong, want 1 and 4", right, wrong)
	}
	if !eval[bool](b,
		`new Set(`+columns+`.map((e) => e.getBoundingClientRect().top)).size === 1 && `+columns+
			`.every((e) => e.getBoundingClientRect().right <= innerWidth)`) {
		t.Error("they are not all in one row in sight")
	}
	// The store of P0 is line 5, and comes to two instructions of Power.
	b.hover(`dialog [data-to=ppc] li:nth-child(2)`)
	b.wait(`[...document.querySelectorAll("dialog .lit")].map((e) => e.innerText.trim()).join("|") ===
		"atomic_store_explicit(y, 1, memory_order_relaxed);|movl $1,(y)|li r4,1|stw r4,0(r2)|MOV R3,#1|STR R3,[R1]|MOV W3,#1|STR W3,[X1]|li x8,1|sw x8,0(x6)"`)
	if eval[bool](b,
		`(() => { const tint = (of) => getComputedStyle(document.querySelector("dialog [data-to=ppc] li[data-of='" + of + "']")).borderLeftColor; return tint(4) === tint(5); })()`) {
		t.Error("lines of different statements have the same colour")
	}
	b.do(chromedp.EmulateViewport(390, 844))
	b.wait(columns + `.every((e) => e.getBoundingClientRect().width > 300 && e.getBoundingClientRect().width < 390)`)
	b.wait(`document.documentElement.scrollWidth <= 390`)
	b.click("dialog .close")
	b.wait(`!document.querySelector("dialog")`)
}

// A program is compiled side by side from its answer; its lines that fail are in the row.
func TestBrowserCompilesPrograms(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	b.openProgram("/programs")
	b.click("#result .compile summary")
	b.click(`#result .compile button[value="all"]`)
	b.wait(`document.querySelectorAll("dialog[open] article").length === 6`)
	b.wait(`document.querySelector("dialog [data-to=aarch64] .says").innerText.includes("unsafe, line 44")`)
	b.hoverUntil(`dialog [data-to=aarch64] li`,
		`document.querySelector("dialog .numbered .lit")?.innerText.includes("assert(")`)
}

// addressHas waits until the view in the page's address contains a text: the address follows the page after a pause.
func (b *tab) addressHas(text string) {
	b.t.Helper()
	b.until("the address has "+text, func() bool {
		st, err := question.ReadLink(strings.TrimPrefix(eval[string](b, "location.hash"), "#"), 1<<20)
		return err == nil && strings.Contains(string(st.View), text)
	})
}

// What is compiled opens at its title, which has the focus and is not below the bar of a phone; the address leads back
// to it, and so does a link to all architectures.
func TestBrowserCompiledOpensAtItsTitle(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{1280, 900}, {390, 844}} {
		b := newTab(t, size[0], size[1])
		b.open("/?test=SB")
		b.asks(webtest.Buffering, "rc11")
		b.wait(`document.querySelector("#picture .drawing svg")`)
		b.click(".compile summary")
		b.click(`.compile button[value="aarch64"]`)
		title := func(of, want string) {
			t.Helper()
			b.wait(`document.activeElement?.matches(` + quote(of+" h3") + `)`)
			b.wait(`(() => { const r = document.activeElement.getBoundingClientRect();
				return document.activeElement.contains(document.elementFromPoint(r.left + 5, r.top + 2)); })()`)
			if got := eval[string](b, `document.activeElement.textContent.trim()`); got != want {
				t.Errorf("%d wide: the focus is at %q, want %q", size[0], got, want)
			}
		}
		title(".made", "Compiled to Arm, 64 bits (Armv8)")
		b.click(`.made button[value="aarch64 ctrl"]`)
		b.wait(`document.querySelector(".made:not([aria-busy]) .mapping.right")`)
		b.wait(`document.activeElement?.value === "aarch64 ctrl"`) // who compares variants goes on from there
		b.addressHas(`"compiled":"aarch64 ctrl"`)
		link := eval[string](b, "location.href")
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
		title(".made", "Compiled to Arm, 64 bits (Armv8)")
		if !eval[bool](b, `document.querySelector(".made [aria-pressed=true]").value === "aarch64 ctrl"`) {
			t.Error("the address leads to another variant")
		}
		eval[chromedp.Void](b, `document.querySelector(".compile button[value=all]").click()`)
		b.wait(`document.querySelector("dialog[open] .row")`)
		title("dialog", "Compiled, side by side")
		b.addressHas(`"compiled":"all"`)
		all := eval[string](b, "location.href")
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(all))
		title("dialog", "Compiled, side by side")
		b.click("dialog .close")
		b.wait(`!location.hash || location.href !== ` + quote(all))
	}
}
