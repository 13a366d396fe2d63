package browser

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"litmuscope/web/parts/glossary"
	"litmuscope/web/teaching/lesson"
	"litmuscope/web/webtest"
)

// cutOff names what of a class is not in sight as a whole: outside the window, or of a box that hides it. A phone
// scrolls down, and its program and its drawing to the side.
const cutOff = `((phone) => {
	const out = [];
	for (const e of document.querySelectorAll("#room *")) {
		const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.matches(".qr, .length");
		if (!own || !e.checkVisibility({ visibilityProperty: true }) || getComputedStyle(e).clipPath !== "none" || e.closest(".heard")) continue;
		if (phone && e.closest(".listing, .drawing, .player")) continue;
		const r = e.getBoundingClientRect();
		if (r.width === 0 || r.height === 0) continue;
		const within = (box) => r.left >= box.left - 1.5 && r.right <= box.right + 1.5 && (phone || r.top >= box.top - 1.5 && r.bottom <= box.bottom + 1.5);
		let by = within({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }) ? "" : "the window";
		for (let up = e.parentElement; up && up.id !== "room" && !by; up = up.parentElement) {
			if (getComputedStyle(up).overflow !== "visible" && !within(up.getBoundingClientRect())) by = up.localName + "." + (up.getAttribute("class") ?? "");
		}
		if (by) out.push(e.localName + "." + (e.getAttribute("class") ?? "") + " “" + e.textContent.trim().slice(0, 40) + "” by " + by);
	}
	return out;
})`

// graphText is how large the words of a drawing are on a screen of 1080 lines, in pixels; 0 where there is none.
const graphText = `(() => { const t = [...document.querySelectorAll(".drawing svg .event text")].find((t) => t.getClientRects().length > 0); return t ? t.getScreenCTM().a * parseFloat(getComputedStyle(t).fontSize) * 1080 / innerHeight : 0; })()`

// drawn waits until what a script has changed is on the screen, and what that changes in turn.
func (b *tab) drawn() {
	b.t.Helper()
	_, err := inTab(b,
		chromedp.Evaluate[bool](
			`new Promise((done) => { let left = 5; const next = () => left-- ? requestAnimationFrame(next) : done(true); next(); })`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
}

// everyScreen has the test look at all questions of all lessons, not at those of some.
const everyScreen = "LITMUSCOPE_EVERY_SCREEN"

// On the projector nothing is ever cut off, in no state of a question of a lesson, nor to the side on a phone; and
// drawings can be read from the last row.
func TestBrowserClassIsNeverCut(t *testing.T) {
	t.Parallel()
	l, err := lesson.NewLibrary("", glossary.LessonTerms)
	if err != nil {
		t.Fatal(err)
	}
	s := webtest.NewSchool(t)
	some := map[string]bool{"fences": true, "c11-atomics": !testing.Short()}
	lessons, _ := l.All()
	for _, e := range lessons {
		if len(e.Items()) == 0 || os.Getenv(everyScreen) == "" && !some[e.Slug] {
			continue
		}
		t.Run(e.Slug, func(t *testing.T) {
			p := s.Person()
			teach, join := p.Opens("lesson", e.Slug)
			do := func(verb string) { p.Wants(http.StatusNoContent, teach+"/do", "do", verb) }
			screens := []struct {
				path          string
				width, height int64
			}{{join + "/screen", 1920, 1080}, {join + "/screen", 1280, 720}, {join, 390, 844}}
			var tabs []*tab
			for _, v := range screens {
				b := openTab(t, s.URL, v.width, v.height)
				b.dress("light")
				b.visit(s.URL + v.path)
				b.wait(`document.documentElement.classList.contains("live")`)
				tabs = append(tabs, b)
			}
			look := func(n int, state, until string) {
				for i, b := range tabs {
					name := fmt.Sprintf("%s-%02d-%s-%d", e.Slug, n+1, state, screens[i].width)
					b.wait(until)
					b.wait(`!document.querySelector("#evidence") || document.querySelector("#evidence[data-done]")`)
					b.drawn()
					if cut := eval[[]string](b,
						cutOff+fmt.Sprintf("(%t)", state != "" && screens[i].width < 1000)); len(cut) > 0 {
						t.Errorf("%s: %d cut off: %s", name, len(cut), strings.Join(cut[:min(len(cut), 6)], "; "))
					}
					if size := eval[float64](b, graphText); screens[i].width > 1000 && size > 0 && size < 24 {
						t.Errorf("%s: the drawing's text has %.1f px of 1080", name, size)
					}
					b.keeps(name)
				}
			}
			look(0, "invite", `document.querySelector("#room > *")`)
			for n := range e.Items() {
				if n > 0 {
					do(fmt.Sprint("goto:", n))
				}
				do("open")
				at := fmt.Sprintf(`document.querySelector(".where")?.textContent.includes("Question %d of")`, n+1)
				look(n, "vote", at+` && !document.querySelector(".stage.reveal")`)
				do("live:1")
				do("discuss")
				do("open")
				look(n, "again", at+` && document.querySelector(".where b")`)
				do("live:0")
				do("reveal")
				look(n, "reveal", at+` && document.querySelector(".stage.reveal, .in-student #tally")`)
			}
		})
	}
}

// keeps has a picture of the page, where it is asked for pictures.
func (b *tab) keeps(name string) {
	b.t.Helper()
	dir := os.Getenv("LITMUSCOPE_SCREENSHOTS")
	if dir == "" {
		return
	}
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		shot, err := chromedp.Call(ctx, pageapi.CaptureScreenshot, pageapi.CaptureScreenshotParams{Format: "png"})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".png"), shot.Data, 0o644)
		}
		return chromedp.Void{}, err
	})
}
