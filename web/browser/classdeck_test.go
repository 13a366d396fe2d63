package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/web/webtest"
)

// A teacher chooses a file of questions on the page, and asks them; the page says what is wrong with one.
func TestBrowserClassDeck(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	teach, join := s.Person().Opens("empty", "1")
	teacher, ann := schoolTab(s, teach, 1280, 900), schoolTab(s, join, 390, 844)
	loads := func(text string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "deck.md")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		eval[chromedp.Void](teacher, `document.querySelector("[name=deck]").closest("details").open = true`)
		teacher.do(chromedp.SetUploadFiles(`[name=deck]`, []string{file}))
		teacher.click(`form[action$="/deck"] button`)
	}
	loads("```question\nWhich?\n( ) this\n(x) that\n> As it is.\n```\n")
	teacher.reads("Which?")
	teacher.wait(`document.querySelector(".drive [value=open]")`)
	teacher.drives("open")
	ann.reads("Which?")
	ann.click(`.vote[value="0:1"]`)
	ann.reads("Your vote is in.")
	teacher.drives("reveal")
	ann.reads("your answer")
	ann.reads("As it is.")
	ann.keeps("deck-phone")
	teacher.keeps("deck-teacher")
	loads("```question\nWhich?\n( ) this\n```\n")
	teacher.reads("deck.md:1:4: got 1 choice, want at least two")
}
