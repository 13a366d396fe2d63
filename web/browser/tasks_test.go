package browser

import (
	"strings"
	"testing"

	"litmuscope/web/webtest"
)

// walk is a newcomer's way from the first page, who reads no manual: every click counts, typing does not.
type walk struct {
	*tab
	clicks int
}

// newWalk begins on the first page of a browser that was never here.
func newWalk(b *tab) *walk {
	b.visit(b.url + "/")
	b.answered()
	return &walk{b, 0}
}

// press clicks on what a visitor sees, once it is there.
func (w *walk) press(selector string) {
	w.t.Helper()
	w.wait(`document.querySelector(` + quote(selector) + `)?.checkVisibility()`)
	w.click(selector)
	w.clicks++
}

// within fails if a task took more clicks than it may, and counts anew.
func (w *walk) within(task string, most int) {
	w.t.Helper()
	w.t.Logf("%s: %d clicks, at most %d", task, w.clicks, most)
	if w.clicks > most {
		w.t.Errorf("%s takes %d clicks, want %d at most", task, w.clicks, most)
	}
	w.clicks = 0
}

// Is message passing safe on Arm, what fixes it, and why?
func TestBrowserTaskMessagePassing(t *testing.T) {
	t.Parallel()
	w := newWalk(newTab(t, 1280, 800))
	w.press("#pick")
	w.key("mp arm")
	w.press(`#picker a[data-test="AArch64/MP"]`)
	w.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "MP"`)
	w.answered()
	w.wait(`/AArch64\D*(yes|allows)/i.test(document.getElementById("result").innerText + document.querySelector("#picture h2").innerText)`)
	w.press("#picture .repairing button")
	w.wait(`/dmb|dsb|stlr|ldar/i.test(document.querySelector(".mended:not([aria-busy]) .repair")?.innerText ?? "")`)
	w.within("Is MP safe on Arm, and what fixes it", 4)
	if !eval[bool](w.tab, `!!document.querySelector("[data-panel=why]")?.checkVisibility()`) {
		w.press(`.tabs [role=tab][data-panel=why], .tabs [role=tab]:last-child`)
	}
	w.wait(`/\S/.test([...document.querySelectorAll(".why")].find((e) => e.checkVisibility())?.innerText ?? "")`)
	w.within("Why", 2)
}

// Is this queue in C right on Arm?
func TestBrowserTaskQueue(t *testing.T) {
	t.Parallel()
	w := newWalk(newProverTab(t))
	w.press(`#welcome a[href="/programs"]`)
	w.wait(`location.pathname === "/programs" && document.documentElement.classList.contains("live")`)
	w.press("#pick")
	w.key("ms-queue")
	w.press(`#picker a[data-test="ms-queue"]`)
	w.wait(`document.getElementById("pick-name").innerText === "ms-queue"`)
	w.wait(`/AArch64/.test([...document.querySelectorAll("#result .claim.safe, #result .claim.unsafe")].map((e) => e.innerText).join())`)
	w.within("Is this C queue right on Arm", 3)
}

// Which of two models forbids IRIW?
func TestBrowserTaskTwoModels(t *testing.T) {
	t.Parallel()
	w := newWalk(newTab(t, 1280, 800))
	w.press("#pick")
	w.key("iriw power")
	w.press(`#picker a[data-test="PPC/IRIW"]`)
	w.wait(`document.querySelector(".outcomes h2 .name")?.innerText === "IRIW"`)
	w.answered()
	const verdicts = `(() => {
		const heads = [...document.querySelectorAll(".outcomes thead [data-column]")].map((e) => e.dataset.column);
		const cells = [...document.querySelectorAll("tr.asked button.v")].map((e) => e.innerText);
		return ["tso", "power"].map((m) => cells[heads.indexOf(m)]).join();
	})()`
	if got := eval[string](w.tab, verdicts); !strings.HasPrefix(got, "✗") || !strings.Contains(got, "✓") {
		t.Errorf("TSO and Power say %q of IRIW", got)
	}
	w.within("Which of TSO and Power forbids IRIW", 4)
}

// Start a class on SB, and see two votes.
func TestBrowserTaskClass(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	w := newWalk(openTab(t, s.URL, 1280, 900))
	w.press(`#site a[href="/class"]`)
	w.wait(`location.pathname === "/class"`)
	w.press(`form[action="/class/compose"] button.main`)
	w.wait(`document.querySelector("input[name=row]")`)
	if got := w.text("main"); !strings.Contains(got, "SB") {
		t.Errorf("the class is not about SB: %.200s", got)
	}
	w.press("main form button.main")
	w.wait(`document.documentElement.classList.contains("live") && document.getElementById("room")`)
	join := "/class/" + eval[string](w.tab, `document.getElementById("room").dataset.code`)
	w.press(`.drive [value="open"]`)
	for range 2 {
		student := schoolTab(s, join, 390, 844)
		student.reads("Can this happen?")
		student.click(`.vote[value="0:1"]`)
		student.reads("Your vote is in.")
	}
	w.reads("2 of 2 voted")
	w.within("Start a class on SB and see two votes", 6)
}
