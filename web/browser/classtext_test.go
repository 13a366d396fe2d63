package browser

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/web/webtest"
)

// Students write; what they write outlives a page that is loaded anew, a change of the page while they write, and a
// server that ends. The teacher hides an answer before all are revealed, and one more after that.
func TestBrowserClassText(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens("empty", "1")
	teacher, screen := schoolTab(s, teach, 1280, 900), schoolTab(s, join+"/screen", 1920, 1080)
	ann, bob, eve := schoolTab(s, join, 390, 844), schoolTab(s, join, 390, 844), schoolTab(s, join, 390, 844)
	eval[chromedp.Void](teacher, `(() => {
		const form = document.querySelector("[name=prompt]").form;
		form.closest("details").open = true;
		form.prompt.value = "Why may both loads read 0?";
		form.written.click();
	})()`)
	if eval[bool](teacher, `document.querySelector(".four").checkVisibility()`) {
		t.Error("there are answers to fill in, and everybody writes one")
	}
	teacher.click(`form:has([name=prompt]) button.main`)
	teacher.reads("Open answers")
	teacher.drives("open")
	const mine = `document.getElementById("mine").innerText`
	writes := func(b *tab, text string) {
		t.Helper()
		b.wait(`document.querySelector("#text:not(:disabled)")`)
		b.click("#text")
		b.key("a", chromedp.ModifierCtrl)
		b.insert(text)
		b.wait(mine + ` === "Not sent yet."`)
	}
	sends := func(b *tab) {
		t.Helper()
		b.click("#ballot button.main")
		b.wait(mine + ` === "Your answer is in. You can change it."`)
	}
	writes(bob, "a rude word")
	sends(bob)
	writes(eve, "Stores wait in a buffer")
	eve.key("\r")
	eve.wait(mine + ` === "Your answer is in. You can change it."`)
	writes(ann, "  STORES wait")
	// The page changes around what she writes.
	teacher.click(`.drive [value="timer:300"]`)
	ann.wait(`document.querySelector(".countdown")`)
	ann.insert(" in a BUFFER")
	ann.do(chromedp.Reload())
	ann.wait(`document.documentElement.classList.contains("live")`)
	ann.wait(`document.getElementById("text").value === "  STORES wait in a BUFFER" && ` + mine +
		` === "Not sent yet."`)
	s.Stop()
	ann.click("#ballot button.main")
	ann.wait(`document.querySelector("#ballot.sending")`)
	s.Start()
	ann.wait(mine + ` === "Your answer is in. You can change it."`)
	ann.wait(`document.getElementById("text").value === "STORES wait in a BUFFER"`)
	ann.keeps("text-phone")
	teacher.reads("3 of 3 answered")
	screen.reads("3 of 3 answered")
	teacher.reads("Stores wait in a buffer Hide 2 a rude word Hide 1")
	teacher.click(`.written [value="hide:a rude word"]`)
	teacher.reads("a rude word hidden Show again 1")
	teacher.keeps("text-teacher")
	screen.keeps("text-screen-open")
	if n := eval[int](ann, `document.documentElement.scrollWidth - innerWidth`); n > 0 {
		t.Errorf("the page is %d pixels wider than the phone", n)
	}
	teacher.drives("discuss")
	teacher.drives("open")
	eve.wait(
		`document.getElementById("text")?.value === "Stores wait in a buffer" && document.querySelector("#ballot[data-round='2']")`)
	eve.reads("Answer again")
	writes(eve, "<b>Each</b> has a store buffer")
	sends(eve)
	teacher.drives("reveal")
	for _, b := range []*tab{screen, ann, bob} {
		b.reads("Stores wait in a buffer")
		b.reads("<b>Each</b> has a store buffer")
		if text := b.text("#tally"); text == "(none)" ||
			eval[bool](b, `document.querySelector("#tally").innerText.includes("rude")`) {
			t.Errorf("what is hidden is seen: %s", text)
		}
	}
	screen.keeps("text-screen")
	ann.keeps("text-phone-revealed")
	teacher.keeps("text-teacher-revealed")
	p.Wants(http.StatusNoContent, teach+"/do", "do", "hide:<B>each</B> has a store buffer")
	screen.wait(`!document.querySelector("#tally").innerText.includes("Each")`)
	ann.wait(`!document.querySelector("#tally").innerText.includes("Each")`)
	teacher.click(`.written [value^="unhide:<b>"]`)
	screen.reads("<b>Each</b> has a store buffer")
}
