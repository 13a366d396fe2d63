package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// insert types a text as a whole, as pasting does.
func (b *tab) insert(text string) {
	b.t.Helper()
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: text})
		return chromedp.Void{}, err
	})
}

const (
	editorText   = `document.querySelector("textarea[name=source]").value`
	offers       = `[...document.querySelectorAll(".cm-tooltip-autocomplete li")].map((e) => e.innerText.replace(/\s+/g, " ").trim())`
	ownTextJS    = `document.querySelector("textarea[name=own-text]").value`
	modelTabs    = `[...document.querySelectorAll(".own-models [role=tab]")].map((e) => e.innerText)`
	inModelTexts = `.own-models .cm-content`
)

// quiet keeps runs to those that are asked for, until the visitor says otherwise.
func (b *tab) quiet() {
	b.t.Helper()
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		const once = `try { localStorage.getItem("litmuscope.rerun") ?? localStorage.setItem("litmuscope.rerun", "no"); } catch {}`
		_, err := chromedp.Call(ctx, pageapi.AddScriptToEvaluateOnNewDocument,
			pageapi.AddScriptToEvaluateOnNewDocumentParams{Source: once})
		return chromedp.Void{}, err
	})
}

// caretBehind puts the caret behind a text in the editor of tests.
func (b *tab) caretBehind(text string) {
	b.t.Helper()
	b.click("#source")
	b.key(kb.Home, chromedp.ModifierCtrl)
	at := strings.Index(eval[string](b, editorText), text)
	if at < 0 {
		b.t.Fatalf("no %q in the editor", text)
	}
	b.key(strings.Repeat(kb.ArrowRight, at+len(text)))
}

// offered waits until a completion is the first offer: those for what was typed before it may stand there until then.
func (b *tab) offered(first string) {
	b.t.Helper()
	b.wait(offers + `[0]?.startsWith(` + quote(first) + `)`)
}

// accept takes the first offer of a completion, which takes no key at once, lest somebody
// typing on should hit it.
func (b *tab) accept() {
	b.t.Helper()
	b.do(chromedp.Sleep(150 * time.Millisecond))
	// Chromium would have the protocol's key typed as well, though it has been taken.
	eval[chromedp.Void](b,
		`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }))`)
	b.wait(`!document.querySelector(".cm-tooltip-autocomplete")`)
}

func TestBrowserCompletion(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.quiet()
	b.open("/")
	for i, c := range []struct{ behind, typed, offer, picked string }{
		// An instruction, with a line of help; its operands stand selected.
		{
			"MOV EAX,[y] | MOV EAX,[x] ;\n", "MF",
			"MFENCE full fence: empties the thread's store buffer before any later access", "MFENCE",
		},
		{
			"MOV EAX,[y] | MOV EAX,[x] ;\n", "lock xch", "lock xchg [x],eax swaps register and memory",
			"lock xchg [x],eax",
		},
		{"MOV [x],$1", ",E", "EAX register used in this thread", ",EAX"},
		{"exists (0:EAX=0 /\\ 1:EAX=0", " /\\ 1:E", "EAX of P1", " /\\ 1:EAX"},
		{"exists (0:EAX=0 /\\ 1:EAX=0", " /\\ x", "x location", " /\\ x"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		b.open(fmt.Sprint("/?test=SB&n=", i)) // where nothing has been typed
		b.caretBehind(c.behind)
		b.wait(`!!document.querySelector(".cm-content[aria-autocomplete]")`) // it has been fetched
		b.key(c.typed)
		b.offered(c.offer)
		b.accept()
		if text := eval[string](b, editorText); !strings.Contains(text, c.behind+c.picked) {
			t.Errorf("%s: the text is\n%s\nwant %q in it", c.typed, text, c.behind+c.picked)
		}
	}

	// In C what can be called, with its arguments selected, parameters and locals.
	front := "C T\n{ x=0; }\n\nP0(int *flag, int *y) { // a\n  int seen = READ_ONCE(*y);\n  "
	for i, c := range []struct{ front, typed, offer, picked string }{
		{front, "WRIT", "WRITE_ONCE (*flag, v) writes v to *p", "WRITE_ONCE(*flag, v);"},
		{front, "smp_m", "smp_mb () ", "smp_mb();"},
		{front + "if (", "see", "seen local of this thread", "if (seen"},
		{front + "if (*", "fla", "flag location parameter of this thread", "if (*flag"},
		{front + "}\nexists (", "0:se", "seen of P0", "exists (0:seen"},
		{
			"C T\n{ }\nP0(atomic_int *a) {\n  int r0 = ", "atomic_l",
			"atomic_load_explicit (a, memory_order_relaxed) reads *p",
			"r0 = atomic_load_explicit(a, memory_order_relaxed)",
		},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		b.open(fmt.Sprint("/?test=SB&c=", i))
		b.setSource(c.front)
		b.wait(`!!document.querySelector(".cm-content[aria-autocomplete]")`)
		b.key(c.typed)
		b.offered(c.offer)
		b.accept()
		if text := eval[string](b, editorText); !strings.Contains(text, c.picked) {
			t.Errorf("%s: the text is\n%s\nwant %q in it", c.typed, text, c.picked)
		}
	}

	// A label of the thread is where a jump may go.
	b.open("/?test=SB&n=label")
	b.setSource("X86 loop\n{ }\n P0        ;\n again: MOV EAX,[flag] ;\n JNE a")
	b.wait(`!!document.querySelector(".cm-content[aria-autocomplete]")`)
	b.key("g")
	b.offered("again label of P0")
	b.key(kb.Escape)
	b.wait(`!document.querySelector(".cm-tooltip-autocomplete")`)
	// Tab leaves the editor.
	b.key(kb.Tab)
	b.wait(`!document.activeElement.classList.contains("cm-content")`)
}

// Completions come to somebody who types slowly, or whose connection is slow or breaks, as they come to others.
func TestBrowserCompletionOnASlowPhone(t *testing.T) {
	t.Parallel()
	const front = "C T\n{ x=0; }\n\nP0(int *x) {\n  int seen = READ_ONCE(*x);\n}\nexists ("
	// The static files are held back until they are let go: what a page fetches later among them.
	var held atomic.Bool
	through := make(chan struct{})
	h := webtest.NewHandler(t, engines.Local{})
	srv := webtest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if held.Load() && strings.Contains(r.URL.Path, "chunk-") {
			<-through
		}
		h.ServeHTTP(w, r)
	}))
	var once sync.Once
	release := func() { once.Do(func() { close(through) }) }
	t.Cleanup(release)
	b := openTab(t, srv.URL, 1280, 900)
	b.quiet()
	// Completion itself is fetched while the word is typed.
	b.open("/?test=SB&slow=late")
	held.Store(true)
	b.caretBehind("MOV EAX,[y] | MOV EAX,[x] ;\n")
	b.key("MF")
	b.wait(editorText + `.includes("MF")`)
	release()
	b.offered("MFENCE")

	write := func(n int, text string) {
		t.Helper()
		b.open(fmt.Sprint("/?test=SB&slow=", n))
		b.setSource(text)
		b.wait(`!!document.querySelector(".cm-content[aria-autocomplete]")`)
	}

	// The list for the thread's number gives way to the one for its registers.
	write(0, front)
	b.key("0")
	b.offered("0:seen register of P0")
	b.key(":se")
	b.offered("seen of P0")

	// The server answers once the whole word is there, to the first question with an error.
	const answering = `window.go = new Promise((done) => (window.answer = done)); window.asked = 0; const send = window.fetch;
		window.fetch = async (u, ...o) => {
			if (!/\/(check|words)\b/.test(u)) return send(u, ...o);
			asked++;
			await go;
			if (failing-- > 0) return new Response("", { status: 503 });
			return send(u, ...o);
		};`
	for i, failing := range []int{0, 1, 3} {
		write(1+i, "X86 T\n{ }\nexists (")
		eval[chromedp.Void](b, fmt.Sprint("window.failing = ", failing, ";", answering))
		b.setSource(front)
		b.key("0")
		b.wait("asked > 0") // which is when the list for 0 is asked for, at the latest
		b.do(chromedp.Sleep(200 * time.Millisecond))
		b.key(":se")
		eval[chromedp.Void](b, "answer()")
		b.offered("seen of P0")
	}
}

func TestBrowserListsAllErrors(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.quiet()
	b.open("/")
	b.setSource("X86 broken\n{ x=; }\n P0          ;\n MOV [x],$1  ;\n FLY EAX,[x] ;\nexists (x=)\n")
	b.wait(`document.querySelectorAll(".question > .problems li").length === 3`)
	b.wantText(".problems [role=status]", "3 errors")
	if n := eval[int](b, `document.querySelectorAll(".cm-lint-marker-error").length`); n != 3 {
		t.Errorf("%d marks in the gutter, want 3", n)
	}
	b.click(".problems li:nth-child(2) button")
	b.wait(`document.activeElement.classList.contains("cm-content")`)
	b.wait(`document.querySelector(".cm-activeLine").innerText.includes("FLY")`)
	// The list goes with the errors.
	b.setSource("X86 good\n{ }\n P0          ;\n MOV [x],$1  ;\nexists (x=1)\n")
	b.wait(`document.querySelector(".question > .problems").hidden`)
}

func TestBrowserKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.quiet()
	b.open("/")
	const mine = "X86 mine\n{ }\n P0          ;\n MOV [x],$7  ;\nexists (x=7)\n"
	b.setSource(mine)
	b.wait(`document.querySelector("form.edited")`)
	has := func(what string) {
		t.Helper()
		b.wait(editorText + ` === ` + quote(mine))
		if got := eval[string](b, editorText); got != mine {
			t.Fatalf("%s: the text is %q", what, got)
		}
	}

	// The skip link throws nothing away.
	eval[chromedp.Void](b, `window.stays = true; document.querySelector(".skip").click()`)
	b.wait(`document.activeElement.id === "result"`)
	has("after the skip link")
	eval[chromedp.Void](b, `location.hash = "#picture"`)
	b.do(chromedp.NavigateBack())
	b.wait(`location.hash !== "#picture"`)
	b.answered()
	has("after Back from a fragment")
	if !eval[bool](b, "window.stays === true") {
		t.Error("the skip link has the page loaded anew")
	}

	b.do(chromedp.Reload())
	b.answered()
	has("after a reload")
	b.wantWithin("#drafts", "Restored your edit of mine.")
	b.wantText(".outcomes .name", "mine")

	// Another test takes its place, and gives it back.
	b.click("#pick")
	b.key("lb")
	b.key(kb.Enter)
	b.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "LB"`)
	b.wantWithin("#drafts", "There is an edit of mine.")
	b.click("#drafts button")
	has("brought back")
	b.click("#source")
	b.key("z", chromedp.ModifierCtrl)
	b.wait(editorText + `.startsWith("X86 LB")`)
	b.key("z", chromedp.ModifierCtrl)
	has("undone")

	// Back to the page it was typed on, by way of another.
	b.visit(b.url + "/api/docs")
	b.open("/")
	has("on the same page again")
	b.click("#drafts button")
	b.wait(editorText + `.startsWith("X86 SB")`)

	// Options and an own model come along.
	eval[chromedp.Void](b,
		`(() => { const e = document.querySelector("[name=option-unroll]"); e.value = "7"; e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	b.click(".options summary")
	b.wait(`document.querySelector(".own-models.mounted")`)
	b.click(inModelTexts)
	b.insert("acyclic po | rf as kept")
	b.wait(ownTextJS + ` === "acyclic po | rf as kept"`)
	b.do(chromedp.Reload())
	b.answered()
	b.wait(ownTextJS + ` === "acyclic po | rf as kept"`)
	if got := eval[string](b, `document.querySelector("[name=option-unroll]").value`); got != "7" {
		t.Errorf("unroll is %s after a reload", got)
	}
	if eval[bool](b,
		`(() => { const e = new Event("beforeunload", { cancelable: true }); dispatchEvent(e); return e.defaultPrevented; })()`) {
		t.Error("a warning, though all is kept")
	}
	eval[chromedp.Void](b, `Storage.prototype.setItem = () => { throw new Error("full"); }`)
	b.click("#source")
	b.key("(* *)")
	if !eval[bool](b,
		`(() => { const e = new Event("beforeunload", { cancelable: true }); dispatchEvent(e); return e.defaultPrevented; })()`) {
		t.Error("no warning where nothing can be kept")
	}
}

// drop lets files fall on the page.
func (b *tab) drop(files map[string]string, order ...string) {
	b.t.Helper()
	js := `const all = new DataTransfer();`
	for _, name := range order {
		js += `all.items.add(new File([` + quote(files[name]) + `], ` + quote(name) + `));`
	}
	eval[chromedp.Void](b, `(() => {`+js+`
		document.querySelector(".cm-content").dispatchEvent(new DragEvent("drop", { dataTransfer: all, bubbles: true, cancelable: true })); })()`)
}

func TestBrowserOpensFiles(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.quiet()
	b.open("/")
	const ticked = `[...document.querySelectorAll("input[name=model]:checked")].map((e) => e.value).join(" ")`
	files := map[string]string{
		"dropped.litmus": "MIPS dropped\r\n{ 0:$4=x; }\r\n P0         ;\r\n li $2,1    ;\r\n" +
			" sw $2,0($4) ;\r\nexists (x=1)\r\n",
		"mine.cat":    "\"Mine\"\nacyclic po | rf | co as all\n",
		"picture.png": "\x00\x01",
	}
	b.drop(files, "picture.png")
	b.wait(
		`document.getElementById("drafts").innerText === "picture.png is neither a test (.litmus) nor a model (.cat)."`)
	b.drop(files, "dropped.litmus", "mine.cat")
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "dropped"`)
	if got := eval[string](b, ticked); got != "mips tso riscv aarch64 power sc" {
		t.Errorf("ticked %s", got)
	}
	b.wantWithin("#drafts", "the first of 2 files")
	b.drop(files, "mine.cat")
	b.wait(ownTextJS + ` === ` + quote(files["mine.cat"]))
	b.columns(7)

	// A test that is pasted brings its models along, before anything is run.
	b.click("#source")
	b.key("a", chromedp.ModifierCtrl)
	eval[chromedp.Void](b,
		`(() => { const data = new DataTransfer(); data.setData("text/plain", "AArch64 pasted\n{ }\n P0 ;\n NOP ;\nexists (true)\n");
		document.querySelector("#source").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })); })()`)
	b.wait(ticked + ` === "aarch64 tso riscv power sc"`)
	// Its name is the page's, and nothing is said of it that is so of the one before.
	b.wantText("#pick-name", "pasted")
	b.wantText("#note", "")
	if title := eval[string](b, "document.title"); title != "pasted – litmuscope" {
		t.Errorf("title %q", title)
	}
}

func TestBrowserSaysWhatIsNotRun(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.quiet()
	b.open("/")
	const edited = `document.querySelector("form").classList.contains("edited")`
	b.caretBehind("X86 SB")
	b.key("x")
	b.wait(edited)
	b.wait(`document.querySelector(".answer .stale").checkVisibility()`)
	b.key(kb.Backspace)
	b.wait(`!` + edited)
	b.wait(`!document.querySelector(".answer .stale").checkVisibility()`)

	// As one types.
	b.click("#rerun")
	b.caretBehind("X86 SB")
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.answered()
	b.wait(`!` + edited)
	eval[chromedp.Void](b,
		`window.ran = 0; const send = window.fetch; window.fetch = (u, ...o) => { if (u === "/explore") ran++; return send(u, ...o); }`)
	b.key("-typed")
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "SB-typed"`)
	b.wait(`!` + edited)
	if n := eval[int](b, "ran"); n != 1 {
		t.Errorf("%d runs for one word", n)
	}
	// Not while something is wrong.
	b.setSource("X86 broken\n{}\n P0 ;\n FLY ;\nexists (x=1)\n")
	b.wait(`document.querySelector(".question > .problems li")`)
	b.do(chromedp.Sleep(900 * time.Millisecond))
	if n := eval[int](b, "ran"); n != 1 {
		t.Errorf("%d runs, one of them of a test with errors", n)
	}
	b.do(chromedp.Reload())
	b.wait(`document.getElementById("rerun").checked`)
}

func TestBrowserModelEditor(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.quiet()
	b.open("/")
	b.click(".options summary")
	b.wait(`document.querySelector(".own-models.mounted")`)
	b.click(inModelTexts)

	// Colours, completion, errors.
	b.insert("\"Mine\"\nlet mine = po (* all *)\nacyclic m")
	b.key("i")
	b.offered("mine here mine = po")
	b.accept()
	b.key(" | fenc")
	b.wait(offers + `.some((o) => o.startsWith("fencerel function "))`)
	b.key(kb.Escape)
	colour := func(text string) string {
		return eval[string](b,
			`getComputedStyle([...document.querySelectorAll(".own-models .cm-line span")].find((e) => e.textContent === `+quote(text)+`)).color`)
	}
	if colour("acyclic") == colour("po") || colour("(* all *)") == colour("po") {
		t.Error("keywords, relations and comments look alike")
	}
	b.wait(`document.querySelector(".own-models .problems li")?.innerText.includes("line 3 fenc is not defined")`)
	b.wantText(".own-models .title", "“Mine”")
	for range "fenc" {
		b.key(kb.Backspace)
	}
	b.key("nosuch\nlet b = | ")
	b.wait(`document.querySelectorAll(".own-models .problems li").length >= 2`)
	b.key("a", chromedp.ModifierCtrl)
	b.insert("include \"base.cat\"\nacyclic hb\n")

	// A file of the user's, which the model includes.
	b.wait(`[...document.querySelectorAll(".own-models .tools button")].some((e) => e.innerText === "Write base.cat")`)
	b.click(".own-models .tools span button")
	b.wait(modelTabs + `.join().startsWith("Mine") && ` + modelTabs + `[1]?.startsWith("base.cat")`)
	b.insert("let hb = po | rf | fr | co")
	b.wait(`document.querySelector(".own-models .problems").hidden`)
	b.wait(`JSON.parse(document.querySelector("[name=own-files]").value)["base.cat"] === "let hb = po | rf | fr | co"`)
	b.key(kb.Enter, chromedp.ModifierCtrl)
	b.columns(6)

	// A second model starts from a built-in one; it can be removed and is back.
	b.click(".own-models .tabs > button")
	b.wait(modelTabs + `.join() === "Mine,base.cat,own"`)
	b.do(chromedp.Focus(chromedp.CSS(".own-models select")))
	b.wait(`document.querySelectorAll(".own-models select option").length > 5`)
	eval[chromedp.Void](b,
		`(() => { const e = document.querySelector(".own-models select"); e.value = "tso"; e.dispatchEvent(new Event("change")); })()`)
	b.wait(`document.querySelectorAll("textarea[name=own-text]")[1]?.value.includes("Total store order")`)
	b.wait(modelTabs + `.join() === "Mine,base.cat,Total-store-order"`) // by its title
	b.click(".own-models .tools > button")
	b.wait(modelTabs + `.join() === "Mine,base.cat"`)
	b.click(".own-models .bar button")
	b.wait(modelTabs + `.join() === "Mine,base.cat,Total-store-order"`)
	b.wait(`document.querySelectorAll("textarea[name=own-text]")[1]?.value.includes("Total store order")`)

	// Errors of a model out of sight are listed, and lead there.
	b.click(inModelTexts)
	b.key(kb.Home, chromedp.ModifierCtrl)
	b.insert("let wrong = nosuch\n")
	b.wait(modelTabs + `[2] === "Total-store-order !2"`)
	b.click(".own-models [role=tab]")
	b.wait(`document.querySelector(".own-models [aria-selected=true]").innerText === "Mine"`)
	b.click(".own-models .problems button")
	b.wait(`document.querySelector(".own-models [aria-selected=true]").innerText.startsWith("Total-store-order")`)
	b.wait(`document.querySelector(".own-models .cm-activeLine").innerText === "let wrong = nosuch"`)
}

// A press on what mends an error mends it, of a test and of a program.
func TestBrowserFixes(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=MP")
	b.setSource("AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=y; }\n P0          | P1            ;\n" +
		" MOV W0,#1   | LDARR W0,[X1] ;\n STR W0,[X1] | LDR W2,[X3]   ;\n STR W0,[X3] |               ;\n" +
		"exists (1:X0=1 /\\ 1:X2=0)\n")
	const fix = `document.querySelector(".problems .fix")?.innerText`
	b.wait(fix + ` === "Replace LDARR by LDAR"`)
	b.click(".problems .fix")
	b.wait(fix + ` === "Add 1:X3=x;"`)
	b.click(".problems .fix")
	b.wait(`!document.querySelector(".problems .fix, .cm-lintRange-error")`)
	if got, want := eval[string](b, editorText), "{ 1:X3=x; 0:X1=x;"; !strings.Contains(got, want) ||
		!strings.Contains(got, "LDAR W0,[X1]") {
		t.Errorf("the text is\n%s", got)
	}
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "MP" && !document.querySelector(".edited")`)
	// It is one step back.
	b.key("z", chromedp.ModifierCtrl)
	b.wait(fix + ` === "Add 1:X3=x;"`)

	// A word that may be a register mistyped is allowed, and can be mended all the same.
	b.setSource("X86 T\n{ }\n P0         ;\n MOV EQX,$1 ;\nexists (0:EAX=1)\n")
	b.wait(fix + ` === "Replace EQX by EAX"`)
	b.click(".problems .fix")
	b.wait(`!document.querySelector(".problems .fix, .cm-lintRange-info") && ` + editorText + `.includes("MOV EAX,$1")`)

	b.open("/programs")
	b.setSource("int x, total;\nint main(void) { x = INT_MAX; totla = 1; }\n")
	b.wait(fix + ` === "Add #include <limits.h>"`)
	b.click(".problems .fix")
	b.wait(fix + ` === "Replace totla by total"`)
	b.click(".problems .fix")
	b.wait(`!document.querySelector(".problems .fix, .cm-lintRange-error")`)
}

// What is written before the keys have come is undone as what is written after.
func TestBrowserUndoesWhatWasWrittenFirst(t *testing.T) {
	t.Parallel()
	var held atomic.Bool
	come := make(chan struct{})
	pages := webtest.NewHandler(t, engines.Local{})
	srv := webtest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if held.Load() && strings.HasSuffix(r.URL.Path, ".js") {
			<-come
		}
		pages.ServeHTTP(w, r)
	}))
	release := sync.OnceFunc(func() { close(come) })
	t.Cleanup(release)
	b := openTab(t, srv.URL, 1280, 900)
	b.quiet()
	b.open("/")
	before := eval[string](b, editorText)
	held.Store(true)
	b.click("#source")
	b.key(kb.End, chromedp.ModifierCtrl)
	b.insert("(* mine *)")
	b.key("q")
	b.wait(editorText + `.includes("(* mine *)q")`)
	b.key("z", chromedp.ModifierCtrl) // is done once it can be
	release()
	b.wait(editorText + ` === ` + quote(before))
	b.key("z", chromedp.ModifierCtrl, chromedp.ModifierShift)
	b.wait(editorText + `.includes("(* mine *)q")`)
	b.key("z", chromedp.ModifierCtrl)
	b.wait(editorText + ` === ` + quote(before))
}
