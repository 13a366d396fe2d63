package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/web/webtest"
)

// openLesson opens a page of a server's, once its script has begun.
func (b *tab) openLesson(path string) {
	b.t.Helper()
	b.visit(b.url + path)
	b.wait(`document.documentElement.classList.contains("live")`)
}

// comesToSay waits until an element has a text.
func (b *tab) comesToSay(selector, want string) {
	b.t.Helper()
	b.wait(`document.querySelector(` + quote(selector) + `)?.innerText === ` + quote(want))
}

// A cell that is held down while a live test wakes is pressed when it is let go: what is there is not replaced.
func TestBrowserPressWhileWaking(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openLesson("/learn/litmus-tests")
	const cell = "#test-1 tbody tr:nth-child(2) button.v"
	b.mouse(input.DispatchMouseEventTypeMousePressed, cell, chromedp.ButtonLeft, chromedp.ClickCount(1))
	b.wait(`document.querySelector("#test-1 button.v[tabindex='0']")`) // awake
	b.mouse(input.DispatchMouseEventTypeMouseReleased, cell, chromedp.ButtonLeft, chromedp.ClickCount(1))
	b.wait(`document.querySelector("#test-1 .drawing svg .event")`)
}

// What the reader does of a lesson: a picture and its steps, a prediction, a question, an
// exercise; and the browser remembers.
func TestBrowserLesson(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openLesson("/learn/litmus-tests")

	b.click("#test-1 tbody tr:nth-child(2) button.v")
	b.wait(`document.querySelector("#test-1 .drawing svg .event")`)
	b.wantText("#test-1 .picture h2", "✓ SC allows 1:EAX=0; 1:EBX=0")
	b.click("#test-1 [data-tab=steps]")
	b.click("#test-1 [data-go=start]")
	b.wait(`document.querySelector("#test-1 .choices button")`) // on the machine, other steps can be chosen
	b.click("#test-1 .choices button")
	b.wait(`document.querySelector("#test-1 .own:not([hidden])")`)

	if shown := eval[bool](b, `document.querySelector("#test-2 .answer").checkVisibility()`); shown {
		t.Error("the answer of a prediction is in sight")
	}
	b.click("#test-2 input[value=allowed]")
	b.click("#test-2 [data-reveal]")
	b.comesToSay("#test-2 .came", "0 of 1 correct.")
	b.wantText("#test-2 .verdict-mark", "wrong: it is forbidden")
	b.wait(`document.querySelector("#test-2 .why-text").checkVisibility()`)
	b.click("#test-2 .asked button.v")
	b.wait(`document.querySelector("#test-2 .drawing svg .event")`)
	b.wantText("#test-1 .picture h2", "✓ SC allows 1:EAX=0; 1:EBX=0") // the other stays as it is

	b.click("#question-1 li:nth-child(1) input")
	b.click("#question-1 [data-answer]")
	b.comesToSay("#question-1 .came", "Not quite. Read why and choose again.")
	if right := eval[bool](b, `document.querySelector("#question-1 li:nth-child(2) .explained").open`); right {
		t.Error("the right choice is given away")
	}
	b.click("#question-1 li:nth-child(2) input")
	b.click("#question-1 [data-answer]")
	b.comesToSay("#question-1 .came", "Correct.")
	b.wait(`document.querySelectorAll("#question-1 .explained[open]").length === 3`)
	b.comesToSay(".lesson .progress", "2 of 3 done")

	b.click("#exercise-1 textarea")
	b.wait(`document.querySelector("#exercise-1 .cm-content")`)
	b.click("#exercise-1 button.main")
	b.comesToSay("#exercise-1 .verdict", "Not yet.")
	b.do(chromedp.ScrollIntoView("#exercise-1 .cm-content"))
	b.click("#exercise-1 .cm-content")
	b.key("a", chromedp.ModifierCtrl)
	b.insert(webtest.ExerciseOf(t, "litmus-tests", "exercise-1").Solution)
	b.click("#exercise-1 button.main")
	b.comesToSay("#exercise-1 .verdict", "Done.")
	b.click("#exercise-1 .tried summary")
	b.click("#exercise-1 .tried .asked button.v")
	b.wait(`document.querySelector("#exercise-1 .tried .drawing svg .event")`)
	b.comesToSay(".lesson .progress", "done")

	b.openLesson("/learn")
	b.comesToSay("[data-slug=litmus-tests] .progress", "done")
}

// A live test is edited and run where it stands.
func TestBrowserLessonEdit(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openLesson("/learn/litmus-tests")
	b.click("#test-1 [data-edit]")
	b.wait(`document.querySelector("#test-1 .cm-content")`)
	b.click("#test-1 .cm-content")
	b.key("a", chromedp.ModifierCtrl)
	text := strings.ReplaceAll(webtest.ClassicSource(t, "MP"), "X86 MP", "X86 Mine")
	b.insert(text)
	b.click("#test-1 [data-run]")
	b.comesToSay("#test-1 .sentences", "No under SC.")
	b.click("#test-1 .asked button.v")
	b.wait(`document.querySelector("#test-1 .drawing svg")`)
	b.click("#test-1 header .open button:not([data-edit])")
	b.wait(`document.querySelector(".answer h2 .name")?.innerText === "Mine"`)
}

// A reader without a mouse does all of it.
func TestBrowserLessonByKeyboard(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 844)
	b.openLesson("/learn/litmus-tests")
	b.do(chromedp.Focus("#question-1 li:nth-child(1) input"))
	b.key(" ")
	b.key("\u0301") // a dead key does nothing
	eval[chromedp.Void](b, `document.querySelector("#question-1 li:nth-child(2) input").focus()`)
	b.key(" ")
	b.key("\t")
	b.key("\r")
	b.comesToSay("#question-1 .came", "Correct.")
	b.do(chromedp.Focus("#test-1 button.v"))
	b.key("\r")
	b.wait(`document.querySelector("#test-1 .drawing svg")`)
	if wide := eval[bool](b, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page is wider than a phone")
	}
}

// What a lesson weighs before anything in it is used.
func TestBrowserLessonWeights(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 720)
	b.openLesson("/learn/litmus-tests")
	total := eval[int](b,
		`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((n, e) => n + e.encodedBodySize, 0)`)
	t.Logf("a lesson weighs %d bytes", total)
	if total > 100_000 || total < 10_000 {
		t.Errorf("a lesson weighs %d bytes, want 100 kB at most", total)
	}
}

// An open page of a folder's lesson follows its file.
func TestBrowserLessonFollowsItsFile(t *testing.T) {
	t.Parallel()
	h, dir := webtest.Course(t, map[string]string{"01-mine.md": webtest.Front + "\n## Before\n"})
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 800, 600)
	b.openLesson("/learn/mine")
	b.wantText(".lesson h2", "Before")
	webtest.Put(t, dir, "01-mine.md", webtest.Front+"\n## After\n")
	b.wait(`document.querySelector(".lesson h2")?.innerText === "After"`)
}

// Tests are put on the sheet where they are met, and come together on its page; one that is taken off is off.
func TestBrowserSheet(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.visit(b.url + "/catalogue?q=SB%2Bmfences&arch=X86")
	b.click(`.to-sheet[data-item="SB+mfences"]`)
	b.wantText(".to-the-sheet", "(1)")
	b.visit(b.url + "/cycles?arch=X86&cycle=PodWW+Rfe+PodRR+Fre")
	b.click("#to-sheet")
	b.wait(`document.querySelector(".to-the-sheet")?.textContent === "(2)"`)
	b.visit(b.url + "/?test=LB")
	b.wait(`document.documentElement.classList.contains("live")`)
	b.click("#sheet")
	b.wait(`document.querySelector(".to-the-sheet")?.textContent === "(3)"`)
	b.click("#sheet") // it is there
	b.visit(b.url + "/sheet")
	b.wait(
		`[...document.querySelectorAll(".item h3")].map((e) => e.textContent).join() === "SB+mfences,MP,LB" && document.querySelectorAll(".ring").length === 3`)
	b.click(".item:nth-of-type(2) .number a")
	b.wait(
		`document.documentElement.classList.contains("live") && [...document.querySelectorAll(".item h3")].map((e) => e.textContent).join() === "SB+mfences,LB"`)
	b.visit(b.url + "/sheet") // it is in the browser by now
	b.wait(`[...document.querySelectorAll(".item h3")].map((e) => e.textContent).join() === "SB+mfences,LB"`)
	if wide := eval[int](b, `document.documentElement.scrollWidth`); wide > 1280 {
		t.Errorf("it is %d wide", wide)
	}
}

// What is typed into an exercise is there after a reload, whichever editor it was typed into, until who typed it goes
// back to the beginning; and a model is written in the editor that models have everywhere.
func TestBrowserExerciseIsKept(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openLesson("/learn/writing-a-cat-model")
	text := func() string {
		return eval[string](b, `document.querySelector("#exercise-1 textarea").value`)
	}
	start := text()
	b.click("#exercise-1 textarea")
	b.wait(`document.querySelector("#exercise-1 .cm-content .cm-line span[class]")`)
	b.key("a", chromedp.ModifierCtrl)
	b.insert("\"Mine\"\nacy")
	b.wait(`!!document.querySelector(".cm-content[aria-autocomplete]")`) // it has been fetched
	b.key(" ", chromedp.ModifierCtrl)
	b.wait(
		`[...document.querySelectorAll(".cm-tooltip-autocomplete li")].some((e) => e.textContent.includes("acyclic"))`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.key("a", chromedp.ModifierCtrl)
	const wrong = "\"Mine\"\nacyclic po | nosuch as order\n"
	b.insert(wrong)
	b.wait(`document.querySelector("#exercise-1 .problems li")?.textContent.includes("nosuch")`)
	b.wait(
		`Object.keys(JSON.parse(localStorage.getItem("litmuscope.drafts") ?? "{}")).some((k) => k.startsWith("exercise writing-a-cat-model exercise-1 "))`)

	b.openLesson("/learn/writing-a-cat-model")
	b.comesToSay("#exercise-1 [data-drafts] span", "Restored your edit of Exercise 1.")
	if got := text(); got != wrong {
		t.Errorf("after a reload: %q, want %q", got, wrong)
	}
	if others := eval[int](b,
		`document.querySelectorAll(".exercise [data-drafts]:not([hidden])").length`); others != 1 {
		t.Errorf("%d exercises say that an edit is back", others)
	}

	b.click("#exercise-1 [data-drafts] button:not(.quiet)") // Start over
	if got := text(); got != start {
		t.Errorf("back at the beginning: %q, want %q", got, start)
	}
	b.openLesson("/learn/writing-a-cat-model")
	if got := text(); got != start {
		t.Errorf("after going back, a reload gives %q", got)
	}
}

// Of an exercise that the lesson has another text of now, what was typed before is no try.
func TestBrowserExerciseOfAnotherText(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openLesson("/learn/fences")
	key := eval[string](b, "`exercise fences exercise-1 ${document.querySelector('#exercise-1 form').dataset.digest}`")
	keep := func(key string) {
		eval[bool](b,
			fmt.Sprintf(
				`(localStorage.setItem("litmuscope.drafts", JSON.stringify({[%q]: {at: Date.now(), place: %q, name: "Exercise 1", state: {text: "X86 kept"}}})), true)`, key, key))
		b.openLesson("/learn/fences")
	}
	text := func() string { return eval[string](b, `document.querySelector("#exercise-1 textarea").value`) }
	if keep(key + "0"); text() == "X86 kept" {
		t.Error("a try at another text has come back")
	}
	if keep(key); text() != "X86 kept" {
		t.Errorf("the try has not come back: %q", text())
	}
}
