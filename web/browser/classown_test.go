package browser

import (
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/web/webtest"
)

// A teacher types a question about a test, with a model's verdict for its answer, which comes with the picture; another
// has an execution drawn from the start.
func TestBrowserClassOwnTest(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	teach, join := s.Person().Opens("empty", "1")
	teacher, ann, screen := schoolTab(s, teach, 1280, 900), schoolTab(s, join, 390, 844),
		schoolTab(s, join+"/screen", 1920, 1080)
	sb := webtest.ClassicSource(t, "SB")
	asks := func(prompt, choice string, answers ...string) {
		t.Helper()
		eval[chromedp.Void](teacher, `(() => {
			const form = document.querySelector("[name=prompt]").form;
			for (const d of [form.closest("details"), form.querySelector("details")]) d.open = true;
			form.prompt.value = `+quote(prompt)+`;
			form.source.value = `+quote(sb)+`;
			form.`+choice+`.value = "tso";
		})()`)
		for n, a := range answers {
			eval[chromedp.Void](teacher,
				`document.querySelectorAll("[name=answer]")[`+string(rune('0'+n))+`].value = `+quote(a))
		}
		teacher.click(`form:has([name=prompt]) button.main`)
		teacher.wait(
			`document.documentElement.classList.contains("live") && [...document.querySelectorAll(".run .list b")].some((e) => e.textContent === ` + quote(prompt) + `)`)
	}
	asks("Does TSO allow this?", "verdict")
	asks("Which store waits here?", "picture", "that of P0", "both")
	teacher.drives("open")
	ann.reads("Does TSO allow this?")
	ann.click(`.vote[value="0:0"]`)
	ann.reads("Your vote is in.")
	teacher.drives("reveal")
	ann.reads("your answer")
	for _, b := range []*tab{ann, screen} {
		b.wait(`document.querySelector("#evidence .drawing svg")`)
	}
	teacher.drives("goto:1")
	teacher.drives("open")
	for _, b := range []*tab{ann, screen} {
		b.reads("Which store waits here?")
		b.wait(`document.querySelector("#evidence[data-done] .drawing svg")`)
	}
	if n := eval[int](ann, `document.documentElement.scrollWidth - innerWidth`); n > 0 {
		t.Errorf("the page is %d pixels wider than the phone", n)
	}
	ann.keeps("own-phone")
	screen.keeps("own-screen")
	eval[chromedp.Void](teacher,
		`(() => { const f = document.querySelector("[name=prompt]").form; f.closest("details").open = true; f.querySelector("details").open = true; f.scrollIntoView(); })()`)
	teacher.keeps("own-teacher")
}
