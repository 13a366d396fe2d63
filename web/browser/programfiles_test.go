package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A program of three files, the first of which is dropped last.
const dropped = `(() => {
	const files = new DataTransfer();
	const add = (name, text) => files.items.add(new File([text], name));
	add("box.h", "#include <stdatomic.h>\nextern atomic_int full;\nextern int value;\nstatic inline void put(int v)\n{\n\tvalue = v;\n\tatomic_store_explicit(&full, 1, memory_order_relaxed);\n}\n");
	add("main.c", "#include <pthread.h>\n#include \"box.h\"\nvoid *reader(void *p);\nint main(void)\n{\n\tpthread_t t;\n\tpthread_create(&t, 0, reader, 0);\n\tput(SIZE);\n\tpthread_join(t, 0);\n}\n");
	add("reader.c", "#include <assert.h>\n#include \"box.h\"\natomic_int full;\nint value;\nvoid *reader(void *p)\n{\n\tif (atomic_load_explicit(&full, memory_order_relaxed))\n\t\tassert(value == SIZE);\n\treturn 0;\n}\n");
	document.getElementById("question").dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
})()`

const tabs = `[...document.querySelectorAll(".files [role=tab]")].map((e) => e.innerText + (e.getAttribute("aria-selected") === "true" ? "*" : "")).join(" ")`

// Several files that are dropped are one program: each has a tab, what goes wrong leads to its file, steps go from file
// to file, macros are fields, and links keep all of it.
func TestBrowserProgramOfFiles(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1400, 1000)
	b.openProgram("/programs")
	eval[any](b, dropped)
	b.wait(tabs + ` === "main.c* reader.c box.h"`)
	b.wait(`document.querySelector(".problems li.error")`) // SIZE is none yet
	b.click("details.options:last-of-type summary")
	b.click(".macros input")
	b.key("SIZE")
	b.key(kb.Tab)
	b.key("40 + 2")
	b.wait(`document.querySelectorAll(".macros > div").length === 2 && document.querySelector(".problems").hidden`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(
		`document.querySelector(".claim.unsafe [data-file]")?.textContent.includes("reader.c") && !document.querySelector(".edited")`)
	b.verified()
	b.click(`.claim.unsafe p [data-file="reader.c"]`)
	b.wait(tabs + ` === "main.c reader.c* box.h"`)
	b.wait(`document.querySelector(".cm-failing")?.innerText.includes("value == SIZE")`)

	// The run goes where the threads go.
	b.click(".files [role=tab]")
	b.wait(tabs + ` === "main.c* reader.c box.h"`)
	step := 0
	for there := false; !there && step < 6; step++ {
		b.key(kb.F10)
		there = eval[bool](b,
			tabs+
				` === "main.c reader.c box.h*" && document.querySelector(".cm-values")?.innerText.includes("wrote") === true`)
	}
	if step == 6 {
		t.Fatal("no step goes to the box's file")
	}

	link := strings.TrimPrefix(b.share("Link"), b.url)
	short := strings.TrimPrefix(b.share("Short link"), b.url)
	for _, to := range []string{link, short} {
		other := openTab(t, b.url, 1400, 1000)
		other.openProgram(to)
		other.wait(tabs +
			`.startsWith("main.c") && document.querySelector(".macros input + input, .macros input:nth-of-type(2)").value === "40 + 2" && document.querySelector(".claim.unsafe [data-file='reader.c']")`)
		other.wait(`document.querySelector(".stepping .did")?.textContent.startsWith("Step ` +
			fmt.Sprint(step) + ` of")`)
	}

	// A file that has another name is not found by the old one, until it has that again; no two have the same.
	b.click(".files [role=tab]:last-child")
	b.key(kb.F2)
	b.wait(`document.activeElement.matches(".files input")`)
	b.key("crate")
	b.key(kb.Enter)
	b.wait(tabs + ` === "main.c reader.c crate.h*"`)
	b.wait(`document.querySelector(".problems li.error")?.innerText.includes("box.h")`)
	b.click(`.files button[title^="Rename"]`)
	b.key("a", chromedp.ModifierCtrl)
	b.key("main.c")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".files input").validationMessage === "Another file has the name main.c."`)
	b.key(kb.Escape)
	b.wait(tabs + ` === "main.c reader.c crate.h*"`)
	b.click(`.files button[title^="Rename"]`)
	b.key("box")
	b.key(kb.Enter)
	b.wait(tabs + ` === "main.c reader.c box.h*" && document.querySelector(".problems").hidden`)

	// What is typed in one file stays its own, and is undone there.
	b.click(".files [role=tab]:last-child")
	b.click(".cm-content")
	b.key("x")
	before := eval[string](b, `document.querySelector(".cm-content").innerText`)
	b.click(".files [role=tab]")
	b.click(".files [role=tab]:last-child")
	b.click(".cm-content")
	if got := eval[string](b, `document.querySelector(".cm-content").innerText`); got != before {
		t.Errorf("an edit is lost: %q, want %q", got, before)
	}
	b.key("z", chromedp.ModifierCtrl)
	b.wait(`document.querySelector(".cm-content").innerText !== ` + quote(before))
	b.wait(`!document.querySelector(".cm-content").innerText.includes("pthread_create")`)
}

// A model of the visitor's own is one of those that a program is verified under.
func TestBrowserProgramUnderAnOwnModel(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openProgram("/programs")
	b.click("details.options:has(.own-models) summary")
	b.wait(`document.querySelector(".own-models .cm-content")`)
	b.click(".own-models .cm-content")
	b.key("\"Coherent\"\nacyclic po-loc | rf | co | fr as coherence\n")
	b.wait(`document.querySelector("[name=own-name]").value === "Coherent"`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.wait(
		`[...document.querySelectorAll(".claim")].some((e) => e.innerText.includes("Coherent")) && !document.querySelector(".edited")`)
	b.verified()
	b.wait(`[...document.querySelectorAll(".claim.unsafe")].some((e) => e.innerText.includes("Coherent"))`)
	b.click(`button.show[value="Coherent"]`)
	b.wait(
		`document.querySelector("#picture h2")?.innerText.includes("Coherent") && document.querySelector("#picture .drawing svg")`)
}

// Without scripts, a program is begun with from a list.
func TestBrowserProgramsWithoutScripts(t *testing.T) {
	t.Parallel()
	b := newProverTab(t)
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return chromedp.Void{}, err
	})
	b.visit(b.url + "/programs")
	b.click(`button[formmethod="get"]`)
	b.wait(`location.search.includes("program=store-buffering")`)
}
