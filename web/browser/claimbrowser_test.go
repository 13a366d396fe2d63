package browser

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openProgram goes to the page on programs and waits for its first answer.
func (b *tab) openProgram(path string) {
	b.t.Helper()
	b.visit(b.url + path)
	b.verified()
}

// litLine is the text of the line that is lit in the editor.
const litLine = `[...document.querySelectorAll(".cm-lit")].map((e) => e.closest(".cm-line").innerText.trim()).join("|")`

// A program is typed in and verified; the line that fails is marked, and lines, events and steps
// light up together.
func TestBrowserVerify(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1400, 1000)
	b.openProgram("/programs")
	b.wait(`document.querySelector(".cm-failing")`)
	if line := eval[string](b, `document.querySelector(".cm-failing").innerText`); !strings.Contains(line,
		"assert(r0 == 1 || r1 == 1)") {
		t.Errorf("the line that fails is %q", line)
	}
	if says := eval[string](b,
		`document.getElementById("status").textContent`); says != "Unsafe under RC11, TSO and AArch64; safe under SC." {
		t.Errorf("it says %q", says)
	}
	event := `.drawing [data-event][aria-label*="W[rlx] x=1"], .drawing [data-event][aria-label*="x=1"]`
	b.hoverUntil(event, litLine+` === "atomic_store_explicit(&x, 1, relaxed);"`)
	b.click(".claim.unsafe p a")
	b.wait(`document.activeElement.classList.contains("cm-content")`)
	b.wait(`document.querySelector(".drawing .hot")`) // what is done on the line of the caret

	b.writeProgram("#include <assert.h>\n#include <pthread.h>\n\nint x;\n\nvoid *f(void *p)\n{\n\tx = 2;\n" +
		"\treturn 0;\n}\n\nint main(void)\n{\n\tpthread_t t;\n\tpthread_create(&t, 0, f, 0);\n" +
		"\tpthread_join(t, 0);\n\tassert(x == 1);\n}\n")
	b.wait(`document.querySelector(".edited")`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(
		`document.querySelector("#answer-title .name")?.textContent === "Your program" && !document.querySelector(".edited")`)
	b.verified()
	b.wait(`document.querySelector(".cm-failing")?.innerText.includes("x == 1")`)
	b.wait(`document.querySelectorAll(".claim.unsafe").length === 4`)

	eval[chromedp.Void](b,
		`(() => { const e = document.getElementById("engine"); e.value = "machine"; e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	b.click("#run")
	b.wait(`document.querySelector(".claim .facts")?.textContent.startsWith("machine")`)
	b.verified()
	b.click("[data-tab=steps]")
	b.click("[data-go=start]")
	for range 2 {
		b.click("[data-go=forward]")
	}
	b.wait(`document.querySelector(".did").textContent.startsWith("Step 2 of")`)
	b.wait(litLine + ` !== ""`)

	link := strings.TrimPrefix(b.share("Link"), b.url)
	const there = `JSON.stringify([document.querySelector(".cm-content").innerText, document.querySelector(".claims").innerText.replace(/[\d.]+ ms.*/g, ""), document.querySelector(".picture h2").innerText, document.querySelector(".did").textContent, document.getElementById("engine").value])`
	want := eval[string](b, there)
	other := openTab(t, b.url, 1400, 1000)
	other.openProgram(link)
	other.wait(`document.querySelector(".did")?.textContent.startsWith("Step 2 of")`)
	if got := eval[string](other, there); got != want {
		t.Errorf("the link shows\n%s, want\n%s", got, want)
	}
	short := strings.TrimPrefix(b.share("Short link"), b.url)
	other.openProgram(short)
	other.wait(`document.querySelector(".did")?.textContent.startsWith("Step 2 of")`)
}

// The boxes show the default properties, the address has only other ones, and an old address keeps its meaning.
func TestBrowserUsualProperties(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openProgram("/programs")
	b.writeProgram("#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *f(void *p) { x = 2; return 0; }\n" +
		"int main(void)\n{\n\tpthread_t t;\n\tpthread_create(&t, 0, f, 0);\n\tint r = x;\n" +
		"\tpthread_join(t, 0);\n\tassert(r < 3);\n}\n")
	const boxes = `[...document.querySelectorAll(".properties input")].filter((e) => e.checked).map((e) => e.value).join()`
	press := func(value string) { b.click(`.properties input[value=` + value + `]`) }
	check := func(ticked, says string) {
		t.Helper()
		b.wait(boxes + " === " + quote(ticked))
		b.click("#run")
		b.verified()
		b.wait(`document.getElementById("status").textContent === ` + quote(says))
	}
	const usual = "Unsafe under RC11; safe under TSO, AArch64 and SC."
	check("assertion,data-race", usual)
	link := func() string { return strings.TrimPrefix(b.share("Link"), b.url) }
	plain := link()
	press("data-race")
	check("assertion", "Safe under RC11, TSO and 2 more.")
	without := link()
	press("data-race")
	press("all")
	check("assertion,data-race,all", "Unsafe under RC11, TSO and 2 more.")
	press("memory") // with other properties, races are checked under all models or under none
	b.wait(`document.querySelector("[name=races]").disabled && document.querySelector("[name=races]").checked`)
	press("memory")
	press("all")
	check("assertion,data-race", usual)
	for at, ticked := range map[string]string{plain: "assertion,data-race", without: "assertion"} {
		other := openTab(t, b.url, 1280, 900)
		other.openProgram(at)
		other.wait(boxes + " === " + quote(ticked))
	}
}

// A mistake is marked at its place, while one types and after a run.
func TestBrowserProgramErrors(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openProgram("/programs?program=spinlock")
	b.writeProgram("int main(void)\n{\n\tint x = 1\n\treturn y;\n}\n")
	b.wait(`document.querySelector(".problems li.error")`)
	b.wait(`document.querySelector(".cm-lintRange-error")`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".problem a")`)
	b.click(".problem a")
	b.wait(`document.activeElement.classList.contains("cm-content")`)
}

// Words of C have their colours, and a memory order that is none has no memory order's.
func TestBrowserColoursC(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openProgram("/programs?program=spinlock")
	b.writeProgram("int a = memory_order_release;\nint b = memory_order_relase;\nint c = memory_order_relaxed;\n" +
		"int f(void) { if (a) assert(b); frob(c); return 0; }\n")
	colour := func(text string) string {
		return `getComputedStyle([...document.querySelectorAll(".cm-line span")].find((e) => e.textContent === ` +
			quote(text) + `)).color`
	}
	b.wait(colour("memory_order_release") + " === " + colour("memory_order_relaxed"))
	b.wait(`![...document.querySelectorAll(".cm-line span")].some((e) => e.textContent === "memory_order_relase") || ` +
		colour("memory_order_relase") + " !== " + colour("memory_order_release"))
	b.wait(colour("if") + " === " + colour("int") + " && " + colour("return") + " === " + colour("if") + " && " +
		colour("assert") + " === " + colour("memory_order_release") + " && " + colour("frob") + " !== " +
		colour("assert"))
}

// An example is taken from the list, with its macros; the buttons of bounds raise them.
func TestBrowserExamplesOfPrograms(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	b.openProgram("/programs")
	b.click("#pick")
	b.key("buffering fences")
	b.wait(`/^[1-9] of/.test(document.querySelector("#picker-count").textContent)`) // in C, C++ and Rust
	b.key(kb.Enter)
	b.wait(
		`document.getElementById("option-defines").value === "FENCES" && document.querySelector(".macros input").value === "FENCES" && location.search === "?program=store-buffering%2BFENCES"`)
	b.verified()
	b.click(`button.raise[value="unroll=4"]`)
	b.wait(
		`document.getElementById("option-unroll").value === "4" && ![...document.querySelectorAll("button.raise")].some((b) => b.value === "unroll=4")`)
	eval[chromedp.Void](b, `history.back()`)
	b.wait(`document.getElementById("option-defines").value === ""`)
}

// The explorer hands a C program on.
func TestBrowserExplorerOpensPrograms(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	b.open("/")
	b.setSource("#include <assert.h>\nint main(void) { assert(1); }\n")
	b.wait(`document.querySelector(".problems li.error")?.innerText.includes("C program")`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector("#result button[name=open]")`)
	b.click("#result button[name=open]")
	b.wait(`document.querySelector("body.verify .cm-content")?.innerText.includes("int main(void)")`)
	b.verified()
}

// Without scripts, the form's answer comes with the execution.
func TestBrowserVerifyWithoutScripts(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return chromedp.Void{}, err
	})
	b.visit(b.url + "/programs")
	b.click("#run")
	b.wait(`document.querySelector("#picture h2")?.textContent.includes("TSO")`)
	b.click("button.show[value=aarch64]")
	b.wait(`document.querySelector("#picture h2")?.textContent.includes("AArch64")`)
}

// On a phone, nothing is wider than the page.
func TestBrowserVerifyPhone(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	b.do(chromedp.EmulateViewport(360, 740))
	b.openProgram("/programs")
	for _, tab := range []string{"graph", "steps", "why"} {
		b.click("[data-tab=" + tab + "]")
		if w := eval[int](b, "document.documentElement.scrollWidth"); w > 360 {
			t.Errorf("%s: the page is %d pixels wide", tab, w)
		}
	}
}
