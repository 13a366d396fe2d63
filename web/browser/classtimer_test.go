package browser

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"litmuscope/web"
	"litmuscope/web/webtest"
)

// A teacher gives five minutes, and one more: phones, one of which has the wrong time, and the projector count down,
// and the server's clock closes the vote for all of them.
func TestBrowserClassTimer(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	var gone atomic.Int64
	s := webtest.NewSchool(t, func(c *web.Config) {
		c.Clock = func() time.Time { return begun.Add(time.Duration(gone.Load())) } // which stands still
	})
	teach, join := s.Person().Opens("prompt", "Which?", "answer", "this", "answer", "that")
	teacher, screen := schoolTab(s, teach, 1280, 900), schoolTab(s, join+"/screen", 1920, 1080)
	ann := schoolTab(s, join, 390, 844)
	eval[chromedp.Void](ann, `Date.now = () => 0`)
	teacher.click(`.drive [value="timer:300"]`)
	for _, b := range []*tab{teacher, screen, ann} {
		b.wait(`document.querySelector(".countdown[data-left='300000']")`)
		b.wait(`/^[0-4]:\d\d$/.test(document.querySelector(".countdown").textContent)`)
	}
	teacher.click(`.drive [value="more:60"]`)
	for _, b := range []*tab{teacher, screen, ann} {
		b.wait(`document.querySelector(".countdown[data-left='360000']")`)
	}
	ann.click(`.vote[value="0:1"]`)
	ann.reads("Your vote is in.")
	ann.keeps("timer-phone")
	screen.keeps("timer-screen")
	teacher.keeps("timer-teacher")
	if n := eval[int](ann, `document.documentElement.scrollWidth - innerWidth`); n > 0 {
		t.Errorf("the page is %d pixels wider than the phone", n)
	}
	gone.Store(int64(6 * time.Minute))
	for _, b := range []*tab{screen, ann} {
		b.reads("The vote is closed")
		b.wait(`!document.querySelector(".countdown")`)
	}
	teacher.wait(`document.querySelector(".drive [value=discuss]")`)
	teacher.reads("1 of 1 voted")
}
