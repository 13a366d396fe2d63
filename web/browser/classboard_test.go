package browser

import (
	"testing"

	"github.com/chromedp/chromedp"

	"litmuscope/web/webtest"
)

// The teacher wants names and points: students see their own, the projector who has most once the teacher shows that,
// and nobody any of it once the teacher wants none.
func TestBrowserClassBoard(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens("prompt", "First?", "answer", "a", "answer", "b", "right", "0")
	p.Post(teach+"/add", false, "prompt", "Second?", "answer", "c", "answer", "d", "right", "1")
	teacher, screen := schoolTab(s, teach, 1280, 900), schoolTab(s, join+"/screen", 1280, 720)
	ann, bob := schoolTab(s, join, 390, 844), schoolTab(s, join, 390, 844)
	const player = `document.querySelector(".named b")?.innerText`
	ann.wait(`document.querySelector(".foot") && !document.querySelector(".named")`)
	teacher.click(`[value="board:1"]`)
	for _, b := range []*tab{ann, bob} {
		b.wait(player)
		b.reads("0 points")
	}
	annIs, bobIs := eval[string](ann, player), eval[string](bob, player)
	teacher.drives("open")
	ann.click(`.vote[value="0:0"]`)
	bob.click(`.vote[value="0:1"]`)
	for _, b := range []*tab{ann, bob} {
		b.reads("Your vote is in.")
	}
	eve := schoolTab(s, join, 390, 844) // comes late
	eve.wait(player)
	teacher.drives("reveal")
	ann.reads(annIs + " 100 points")
	bob.reads(bobIs + " 0 points")
	screen.reads("First?")
	teacher.drives("leaders:1")
	screen.reads("Most points 1 " + annIs + " 100")
	teacher.reads("Most points 1 " + annIs + " 100")
	ann.do(chromedp.Reload())
	ann.wait(player + ` === ` + quote(annIs))
	ann.keeps("board-phone")
	screen.keeps("board-screen")
	teacher.keeps("board-teacher")
	teacher.drives("goto:1")
	teacher.drives("open")
	screen.reads("Second?")
	teacher.click(`[value="board:0"]`)
	for _, b := range []*tab{ann, bob, eve} {
		b.wait(`document.querySelector(".foot") && !document.querySelector(".named")`)
	}
}
