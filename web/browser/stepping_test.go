package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// standing is the threads in the gutter, with the lines they stand at: "left 22".
const standing = `[...document.querySelectorAll(".cm-threads .thread")].map((e) => {
	const at = e.closest(".cm-gutterElement").getBoundingClientRect().top;
	const line = [...document.querySelectorAll(".cm-lineNumbers .cm-gutterElement")].find((n) => n.style.height !== "0px" && Math.abs(n.getBoundingClientRect().top - at) < 2);
	return e.title.split(" ")[0] + " " + line.innerText;
}).join(", ")`

// values are what stands at the ends of lines: "22 l wrote x = 1".
const values = `[...document.querySelectorAll(".cm-values .value")].map((e) => e.textContent + (e.classList.contains("pending") ? "…" : "")).join(", ")`

// In the programs' page the editor is the debugger: keys take steps, threads stand in its gutter, and what was read and
// written is at the ends of the lines.
func TestBrowserEditorIsTheStepper(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	b.openProgram("/programs")
	b.wait(`document.querySelector(".stepping .keys")?.checkVisibility()`)
	b.wait(
		`document.querySelector(".stepping .did").textContent.startsWith("Step with these") && !document.querySelector(".stepping [data-go=stop]").checkVisibility()`)
	if got := eval[string](b, standing); got != "" {
		t.Errorf("before the first step, the gutter has %s", got)
	}
	for range 3 {
		b.key(kb.F10)
	}
	b.wait(`document.querySelector(".stepping .did")?.textContent.startsWith("Step 3 of")`)
	if got := eval[string](b, values); got != "lwrote x = 1…" {
		t.Errorf("after left's store, which waits in its buffer, lines end in %q", got)
	}
	if got, want := eval[string](b, standing), "left 24, right 30, main 42"; got != want {
		t.Errorf("the gutter has %s, want %s", got, want)
	}
	if got := eval[string](b, `document.querySelector(".cm-stepped").innerText`); !strings.Contains(got, "&x, 1") {
		t.Errorf("the line of the step is %q", got)
	}
	if !eval[bool](b,
		`document.querySelector(".drawing .todo") !== null && document.querySelector("button[data-tab=graph]").getAttribute("aria-selected") === "true"`) {
		t.Error("the graph beside it shows what has not happened yet")
	}
	b.key(kb.F9)
	b.wait(values + ` === "" && document.querySelector(".stepping .did")?.textContent.startsWith("Step 2 of")`)
	for range 10 {
		b.key(kb.F10)
	}
	b.wait(`document.querySelector(".stepping .did").textContent.includes("r0 == 1 || r1 == 1 fails")`)
	if got, want := eval[string](b, values), "lwrote x = 1, lread y = 0, lwrote r0 = 0, rwrote y = 1, rread x = 0, "+
		"rwrote r1 = 0, mread r0 = 0, mread r1 = 0"; got != want {
		t.Errorf("at the end, lines end in\n%s, want\n%s", got, want)
	}
	b.wantText(".stepping .threads", "m\nmain\nline 44\nl\nleft\nended\nr\nright\nended")

	// A link keeps it; and it ends.
	link := strings.TrimPrefix(b.share("Link"), b.url)
	other := openTab(t, b.url, 1280, 900)
	other.openProgram(link)
	other.wait(standing + ` === "main 44"`)
	b.key(kb.F8, chromedp.ModifierShift)
	b.wait(standing + ` === "" && !document.querySelector(".drawing .todo") && !document.querySelector(".cm-values")`)
	// Another text has none of it.
	b.writeProgram("int main(void) { return 0; }\n")
	b.wait(`document.querySelectorAll(".cm-threads .thread").length === 0`)
}

// On a phone the code is not wrapped, and the values are in sight below their lines.
func TestBrowserStepsOnAPhone(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	b.do(chromedp.EmulateViewport(390, 844))
	b.openProgram("/programs")
	b.wait(`document.querySelector(".stepping .keys")?.checkVisibility()`)
	for range 6 {
		b.click(".stepping [data-go=forward]")
	}
	b.wait(`document.querySelector(".stepping .did")?.textContent.startsWith("Step 6 of")`)
	if n := eval[int](b,
		`[...document.querySelectorAll(".cm-values .value")].filter((e) => { const r = e.getBoundingClientRect(); return r.right > innerWidth || r.left < 0 || r.width < 40; }).length`); n > 0 {
		t.Errorf("%d values are cut off", n)
	}
	if got := eval[string](b, `getComputedStyle(document.querySelector(".cm-line")).whiteSpace`); got != "pre" {
		t.Errorf("lines are broken as %s", got)
	}
	if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
		t.Errorf("the page is %d pixels wide", w)
	}
}
