package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// readable is what a visitor can see or hear in a part of the page.
func readable(selector string) string {
	return `[...document.querySelectorAll(` + quote(selector) + `)].filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.innerText?.trim()).map((e) => e.innerText.trim().replace(/\s+/g, " ")).join(" / ")`
}

// shoot writes a screenshot into the folder that LITMUSCOPE_SHOTS names.
func (b *tab) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("LITMUSCOPE_SHOTS")
	if dir == "" {
		return
	}
	b.do(chromedp.Sleep(2 * time.Second))
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		shot, err := chromedp.Call(ctx, pageapi.CaptureScreenshot, pageapi.CaptureScreenshotParams{Format: "png"})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".png"), shot.Data, 0o666)
		}
		return chromedp.Void{}, err
	})
}

const ofOldText = ".outcomes > *:not(.stale), .verdicts > *:not(.stale), #picture > *, .stepping, #note, .modelpane"

// With the first edit of its text, all that is said of the text before is gone: the answer, the picture with its steps
// and reasons, the description, and what a screen reader hears. It is back when the edit is undone.
func TestBrowserFirstEditHidesTheAnswer(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.quiet()
	b.open("/?test=SB")
	b.click("[data-tab=steps]")
	b.click(".player [data-go=forward]")
	b.wait(`document.querySelector(".player").innerText.includes("Step 1 of")`)
	before := eval[string](b, readable(ofOldText))
	if !strings.Contains(before, "Step 1 of") || !strings.Contains(before, "TSO: yes, this can happen.") {
		t.Fatalf("before the edit, the page says %q", before)
	}
	b.caretBehind("MOV [x],$1")
	b.key("7")
	b.wait(`document.querySelector("form").classList.contains("retyped")`)
	if got := eval[string](b, readable(ofOldText)); got != "" {
		t.Errorf("after the edit, the page still says %q", got)
	}
	b.wantText("#status", "")
	b.wait(readable(".stale") + ` === "The text has changed. Run it to see its answer, or undo the edit."`)
	if got := eval[string](b, "document.title"); got != "SB (edited) – litmuscope" {
		t.Errorf("title %q", got)
	}
	b.shoot("stale-explorer")
	b.key(kb.Backspace)
	b.wait(`!document.querySelector("form").classList.contains("edited")`)
	got := eval[string](b, readable(ofOldText))
	for _, part := range []string{"Each thread writes its flag", "TSO: yes, this can happen.", "Step 1 of"} {
		if !strings.Contains(got, part) {
			t.Errorf("after undoing, the page says %q, without %q", got, part)
		}
	}
	if got := eval[string](b, "document.title"); got != "SB – litmuscope" {
		t.Errorf("title %q", got)
	}

	// Another option changes no text: the answer is only marked.
	eval[chromedp.Void](b, `document.getElementById("option-unroll").closest("details").open = true`)
	eval[chromedp.Void](b, `document.getElementById("option-unroll").select()`)
	b.key("3")
	b.key(kb.Tab)
	b.wait(readable(".stale") + ` === "The models or options have changed since this answer."`)
	if got := eval[string](b, readable(".sentences")); !strings.Contains(got, "TSO: yes") {
		t.Errorf("the answer is gone: %q", got)
	}
	b.shoot("marked-explorer")
}

// A text with errors has no answer: neither that of the text before nor, after a run, the errors of another text.
func TestBrowserErrorsHaveNoAnswer(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.open("/?test=SB")
	b.caretBehind("MOV [x],$1")
	b.key("?")
	b.wait(`document.querySelector(".question > .problems li")`)
	if got := eval[string](b, readable(ofOldText)); got != "" {
		t.Errorf("with an error in the text, the page says %q", got)
	}
	b.shoot("errors-explorer")
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(`document.querySelector("#result > .problem")?.checkVisibility({ visibilityProperty: true })`)
	b.key(kb.Backspace)
	b.answered()
	b.wait(readable(".sentences") + `.includes("TSO: yes, this can happen.")`)
	b.key("?")
	b.wait(readable(ofOldText) + ` === ""`)
	b.wait(readable("#result > .problem") + ` === ""`)
	// The name in the tab is that of the example as long as its text is.
	b.key(kb.Backspace)
	b.wait(`document.title === "SB – litmuscope"`)
}

// The same on the page of programs, where steps are also beside the text.
func TestBrowserFirstEditHidesTheVerdicts(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 1000)
	b.quiet()
	b.openProgram("/programs")
	b.wait(`document.querySelector(".cm-failing")`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) .picture .drawing")`)
	before := eval[string](b, readable(ofOldText))
	if !strings.Contains(before, "Unsafe") {
		t.Fatalf("before the edit, the page says %q", before)
	}
	b.caretBehind("main(void)")
	b.key(" ")
	b.wait(`document.querySelector("form").classList.contains("retyped")`)
	if got := eval[string](b, readable(ofOldText)); got != "" {
		t.Errorf("after the edit, the page still says %q", got)
	}
	if got := eval[string](b, `getComputedStyle(document.querySelector(".cm-failing")).boxShadow`); got != "none" {
		t.Errorf("a line of the edited text is marked as failing: %s", got)
	}
	b.wantText("#status", "")
	if got := eval[string](b, "document.title"); !strings.Contains(got, "(edited)") {
		t.Errorf("title %q", got)
	}
	b.shoot("stale-programs")
	b.key(kb.Backspace)
	b.wait(`!document.querySelector("form").classList.contains("edited")`)
	if got := eval[string](b, readable(ofOldText)); got != before {
		t.Errorf("after undoing, the page says %q, and before %q", got, before)
	}
}

// The test's own architecture stands first, then the others, then theory, whatever was open before; models of theory
// are behind "more models".
func TestBrowserArchitecturesComeFirst(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	const (
		heads  = `[...document.querySelectorAll(".outcomes thead [data-column]")].map((e) => e.dataset.column).join(" ")`
		front  = `[...document.querySelectorAll(".models > label input[name=model]")].map((e) => e.value).join(" ")`
		behind = `[...document.querySelectorAll(".models details input")].map((e) => e.value).join(" ")`
	)
	want := func(what, js, value string) {
		t.Helper()
		if got := eval[string](b, js); got != value {
			t.Errorf("%s: %q, want %q", what, got, value)
		}
	}
	b.open("/?test=SB")
	want("columns", heads, "tso riscv aarch64 power sc")
	want("models in sight", front, "tso riscv aarch64 power sc")
	want("models behind", behind, "arm mips power-cav10 bpf rc11 c11 c11-psc imm lkmm pso rmo alpha")
	b.shoot("order-x86")
	b.click("#pick")
	b.wait(`document.querySelector("#picker a[data-test='AArch64/SB']")`)
	eval[chromedp.Void](b, `document.querySelector("#picker a[data-test='AArch64/SB']").click()`)
	b.wait(heads + ` === "aarch64 tso riscv power sc"`)
	b.answered()
	want("models in sight", front, "aarch64 tso riscv power sc")
	b.shoot("order-aarch64")
	b.open("/?test=PPC/SB")
	want("columns", heads, "power tso riscv aarch64 sc")
	want("models in sight", front, "power tso riscv aarch64 sc")
	want("models behind", behind, "power-cav10 arm mips bpf rc11 c11 c11-psc imm lkmm pso rmo alpha")

	b.openProgram("/programs")
	want("of programs", `[...document.querySelectorAll(".claim .says b")].map((e) => e.innerText).join(" ")`,
		"RC11 TSO AArch64 SC")
	want("models in sight", front, "rc11 tso aarch64 sc")
	b.shoot("order-programs")
}
