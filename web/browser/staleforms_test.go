package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/litmus/suite"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/web/webtest"
)

// type gives a field of a page without an editor another value, as typing does.
func (b *tab) types(field, value string) {
	b.t.Helper()
	eval[chromedp.Void](b, `(() => { const f = document.querySelector(`+quote(field)+`); f.value = `+quote(value)+`;
		f.dispatchEvent(new Event("input", {bubbles: true})); })()`)
}

const outdated = ".outdated:not([hidden])"

// hidesUntilUndone checks that a change hides what the selector finds and says so, and that undoing it brings all back.
func (b *tab) hidesUntilUndone(result, says string, change, undo func()) {
	b.t.Helper()
	before := eval[string](b, readable(result))
	if before == "" {
		b.t.Fatalf("%s: there is no result", result)
	}
	change()
	b.wait(readable(result) + ` === ""`)
	b.wait(readable(outdated) + `.includes(` + quote(says) + `)`)
	undo()
	b.wait(readable(result) + ` === ` + quote(before))
	b.wait(readable(outdated) + ` === ""`)
}

// On pages with plain forms, a result is hidden while the form says something else than what was sent.
func TestBrowserFormHidesItsResult(t *testing.T) {
	t.Parallel()
	b := savedTab(t, 1440, 900)
	b.press(".saved-list", "Compare with a built-in model")
	b.wait(`document.querySelector(".found:not([aria-busy]) .progress[role=status]")`)
	b.wantText("main h1", "my-sc versus TSO")
	const says = "The form has changed. Press Compare to see its result, or undo the change."
	b.hidesUntilUndone(".found, .address, .about", says, func() {
		b.chooseOption("[name=against]", "sc")
		b.wantText("main h1", "my-sc versus TSO (edited)")
		b.shoot("stale-versus")
	}, func() { b.chooseOption("[name=against]", "tso") })
	b.wantText("main h1", "my-sc versus TSO")

	b.visit(b.url + "/distinguish")
	b.wait(`document.querySelector("#known option[value=my-sc]")`)
	eval[chromedp.Void](b, `(() => { const f = document.querySelector("form.again").elements;
		f.left.value = "my-sc"; f.right.value = "tso"; f.arch.value = "X86"; })()`)
	b.click("form.again button.main")
	b.wait(`document.querySelector(".found:not([aria-busy]) .direction h2")`)
	b.wait(`document.querySelector("form.again [name=own-text]").value.includes("My SC")`)
	b.hidesUntilUndone(".found, .address", "Press Find tests to see its result", func() {
		b.types("form.again [name=own-text]", ownText+"\n")
	}, func() { b.types("form.again [name=own-text]", ownText) })

	b.visit(b.url + "/lattice?arch=X86")
	b.wait(`document.querySelector("form .saved-models option[value=my-sc]")`)
	b.chooseOption("form .saved-models select", "my-sc")
	b.click(`form[action="/lattice"] button.main`)
	b.wait(`location.pathname === "/lattice/own"`)
	b.wait(`document.querySelector("form .saved-models option[value=my-sc]")`)
	b.hidesUntilUndone("figure, [aria-labelledby=pairs]", "Press Place in the order to see its result", func() {
		b.types(`form[action="/lattice"] [name=own-name]`, "other")
		b.shoot("stale-lattice")
		if notes := eval[int](b, `document.querySelectorAll(`+quote(outdated)+`).length`); notes != 2 {
			t.Errorf("%d notes, want one over the order and one at the button", notes)
		}
	}, func() { b.chooseOption("form .saved-models select", "my-sc") })
}

// The comparison of suites hides its result when another suite or model is chosen.
func TestBrowserSuiteComparisonHidesItsResult(t *testing.T) {
	t.Parallel()
	h := webtest.NewHouse(t, engines.Local{})
	tests := webtest.Entries(suite.Entry{Path: "SB.litmus", Source: webtest.ClassicSource(t, "SB")})
	for _, name := range []string{"old", "new"} {
		h.Done(h.Submit(suites.Request{Name: name, Models: webtest.BuiltIn("sc", "tso")}, tests).ID)
	}
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 1440, 900)
	b.visit(b.url + "/compare")
	b.click(".sides > button.main")
	b.wait(`document.querySelector(".comparison")`)
	b.hidesUntilUndone(".comparison", "Press Compare to see its result", func() {
		b.chooseOption("[name=model-b]", "tso")
		b.shoot("stale-compare")
	}, func() { b.chooseOption("[name=model-b]", "") })
}

// The result of an exercise and the answer to a lesson's test are hidden while their text is another one.
func TestBrowserLessonHidesOldAnswers(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.quiet()
	b.openLesson("/learn/writing-a-cat-model")
	b.click("#exercise-1 textarea")
	b.wait(`document.querySelector("#exercise-1 .cm-content")`)
	b.click("#exercise-1 .cm-content")
	b.key("a", chromedp.ModifierCtrl)
	b.insert("acyclic po | rf as order")
	b.click("#exercise-1 button.main")
	b.wait(`document.querySelector("#exercise-1 .result .verdict")`)
	b.hidesUntilUndone("#exercise-1 .result", "Your text has changed. Press", func() {
		b.click("#exercise-1 .cm-content")
		b.key("x")
		b.shoot("stale-exercise")
	}, func() { b.key(kb.Backspace) })

	b.openLesson("/learn/store-buffers")
	test := "#" + eval[string](b, `document.querySelector(".live-test:not(.predict):has([data-edit])").id`)
	b.wait(`document.querySelector("` + test + ` .outcomes")`)
	name := eval[string](b, `document.querySelector("`+test+` header h3").textContent`)
	b.click(test + " [data-edit]")
	b.wait(`document.querySelector("` + test + ` .cm-content")`)
	b.hidesUntilUndone(
		test+" .answer, "+test+" .pictures h2, "+test+" .why-text",
		"The test has changed. Run it",
		func() {
			b.click(test + " .cm-content")
			b.key(kb.Home, chromedp.ModifierCtrl)
			b.key(" ")
			b.wantText(test+" header h3", name+" (edited)")
			b.shoot("stale-lesson")
		},
		func() {
			b.key(kb.Backspace)
			b.wantText(test+" header h3", name)
		},
	)
}

// A cycle's picture, test and verdicts are hidden from the first edit of its words, and are back when it is undone.
func TestBrowserCycleHidesTheOldOne(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.visit(b.url + "/cycles?arch=X86&cycle=PodWR+Fre+PodWR+Fre")
	b.cycleJudged()
	const board = "#board .ring, #board #source, #verdicts"
	before := eval[string](b, readable(board))
	b.click("#words [name=cycle]")
	b.key(kb.End)
	b.key("X") // an error
	b.wait(readable(board) + ` === ""`)
	b.wait(`document.querySelector("#messages .problem")`)
	if got := eval[string](b, readable(board)); got != "" {
		t.Errorf("with an error in the words, the page says %q", got)
	}
	b.shoot("stale-cycle")
	b.key(kb.Backspace)
	b.wait(`!document.querySelector("#messages .problem")`)
	b.cycleJudged()
	b.wait(readable(board) + ` === ` + quote(before))
}

// Other macros make another program of the same text: the answer is hidden. Another bound is another question about the
// same program: the answer is marked.
func TestBrowserMacrosHideTheVerdicts(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 1000)
	b.quiet()
	b.openProgram("/programs")
	b.wait(`document.querySelector("#picture:not([aria-busy]) .picture .drawing")`)
	// The note describes the text, which stays the same.
	answer := strings.Replace(ofOldText, "#note, ", "", 1)
	before := eval[string](b, readable(answer))
	if !strings.Contains(before, "Unsafe") {
		t.Fatalf("before the change, the page says %q", before)
	}
	b.click(".options:has(#option-defines) summary")
	b.click(".macros input")
	b.key("FENCES")
	b.wait(readable(".stale") + ` === "The program has changed. Verify it to see its answer, or undo the change."`)
	if got := eval[string](b, readable(answer)); got != "" {
		t.Errorf("with other macros, the page still says %q", got)
	}
	b.shoot("stale-macros")
	for range "FENCES" {
		b.key(kb.Backspace)
	}
	b.wait(readable(answer) + ` === ` + quote(before))
	for _, c := range []struct{ field, value string }{
		{"#option-entry", "start"},
		{"#option-data-model", "ilp32"},
		{"#option-volatile", "relaxed"},
		{"#option-plain", "relaxed:x"},
	} {
		b.chooseOption(c.field, c.value)
		b.wait(readable(answer) + ` === ""`)
		b.chooseOption(c.field, "")
		b.wait(readable(answer) + ` === ` + quote(before))
	}
	b.chooseOption("#option-unroll", "7")
	b.wait(readable(".stale") + ` === "The models or options have changed since this answer."`)
	if got := eval[string](b, readable(".verdicts > *:not(.stale)")); !strings.Contains(got, "Unsafe") {
		t.Errorf("with another bound, the answer is gone: %q", got)
	}
}

// A suite takes several saved models by name, and the explorer opens a test of the suite with all of them.
func TestBrowserSuiteWithSavedModels(t *testing.T) {
	t.Parallel()
	b := savedTab(t, 1440, 900)
	eval[chromedp.Void](b, `localStorage.setItem("litmuscope.models", JSON.stringify([
		{name: "my-sc", text: `+quote(ownText)+`, files: {}, at: 1},
		{name: "my-weak", text: "include \"base.cat\"\nempty nothing as never",
			files: {"base.cat": "let nothing = po & rf & co"}, at: 1}]))`)
	b.visit(b.url + "/suites")
	b.wait(`document.querySelectorAll("[data-saved-ticks] input[type=checkbox]").length === 2`)
	if eval[bool](b, `Boolean(document.querySelector("form textarea[name=model-text]"))`) {
		t.Error("the form has a field for a model without a name")
	}
	for n := range 2 {
		eval[chromedp.Void](b, `document.querySelectorAll("[data-saved-ticks] input[type=checkbox]")[`+
			string(rune('0'+n))+`].click()`)
	}
	b.types("[name=catalogue]", "X86/NOSUCH")
	b.shoot("suite-own-form")
	b.click(".submit form .actions .main")
	// A refused form keeps the choice.
	b.wait(`document.querySelector("#problem")?.innerText.includes("no classic test matches")`)
	b.wait(`document.querySelectorAll("[data-saved-ticks] input[type=checkbox]:checked").length === 2`)
	b.shoot("suite-own-refused")
	b.types("[name=catalogue]", "X86/SB")
	b.click(".submit form .actions .main")
	b.wait(`document.querySelector("main.suite #state")?.textContent === "done"`)
	b.wait(`document.querySelector("main.suite").innerText.includes("my-weak")`)
	at := eval[string](b, `location.pathname`)
	b.open(at + "/tests/0?model=my-weak")
	b.wait(`document.querySelector(".outcomes thead").innerText.includes("my-weak")`)
	b.wait(`document.querySelector(".outcomes thead").innerText.includes("my-sc")`)
	b.answered()
	for _, says := range []string{"Yes under my-weak.", "No under my-sc."} {
		b.wantWithin(".sentences", says)
	}
	b.shoot("suite-own-explorer")
}

// Errors that the list leaves out count.
func TestBrowserCountsErrorsOfACutList(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.quiet()
	b.open("/")
	b.setSource("X86 T\n{ }\n P0 ;\n" + strings.Repeat(" FROB ;\n", 30) + "exists (true)\n")
	b.wait(problemText + `.includes("and 10 more errors from here on")`)
	b.wantText(".question > .problems > p", "30 errors")
	b.open("/programs")
	b.setSource("int main(void) {\n" + strings.Repeat("  undeclared = 1;\n", 30) + "}\n")
	b.wait(problemText + `.includes("more errors from here on")`)
	b.wantText(".question > .problems > p", "30 errors")
}
