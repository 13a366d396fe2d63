package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"litmuscope/web/webtest"
)

// A page of another site frames a question: it is answered and drawn there.
func TestBrowserEmbed(t *testing.T) {
	t.Parallel()
	b := newTab(t, 900, 700)
	b.open("/?test=SB")
	embed := strings.Split(b.share("Embed"), `"`)[1]
	short := strings.Replace(b.share("Short link"), "/t/", "/embed/t/", 1)
	for name, c := range map[string]struct{ src, open string }{
		"fragment": {embed, "/#1="}, "short link": {short + "?theme=dark", "/#1="},
		"classic": {b.url + "/embed?test=MP", "/#1="},
	} {
		t.Run(name, func(t *testing.T) {
			// Another name for this machine is another site.
			elsewhere := webtest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w,
					`<!DOCTYPE html><title>course</title><iframe src="%s" width="600" height="400"></iframe>`, c.src)
			}))
			other := openTab(t, elsewhere.URL, 700, 500)
			other.visit(elsewhere.URL)
			inFrame := func(js string) string { return other.inFrame(js) }
			other.until(`drawn`, func() bool {
				return inFrame(`String(Boolean(document.querySelector("html.live .drawing svg .event")))`) == "true"
			})
			if got := inFrame(
				`["h2", ".sentences", ".table", ".source"].map((s) => document.querySelector(s).getBoundingClientRect().top).every((y, i, all) => i === 0 || y > all[i - 1]).toString()`); got != "true" {
				t.Error("question, answer, table and test do not stand below one another")
			}
			before := inFrame(`document.querySelector(".picture h2").innerText`)
			inFrame(`(document.querySelectorAll("tbody tr")[2].querySelectorAll("button.v")[0].click(), "")`)
			other.until("another picture",
				func() bool { return inFrame(`document.querySelector(".picture h2").innerText`) != before })
			other.until("a link to it", func() bool {
				return strings.HasPrefix(inFrame(`document.querySelector(".open").getAttribute("href")`), c.open)
			})
			if got := inFrame(
				`[document.querySelectorAll("button[popovertarget], select, textarea").length, document.cookie, Object.keys(localStorage).length, document.querySelector("[data-cell]").innerText !== ""].join()`); got != "0,,0,true" {
				t.Errorf("what can be changed, cookies, storage, instructions: %s", got)
			}
			if strings.Contains(c.src, "dark") &&
				inFrame(
					`getComputedStyle(document.body).colorScheme + document.documentElement.dataset.theme`) !=
					"darkdark" {
				t.Error("the theme that was asked for is not there")
			}
		})
	}
}

// inFrame evaluates a string in the first frame of a page; "" while there is none.
func (b *tab) inFrame(js string) string {
	b.t.Helper()
	var out string
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		tree, err := chromedp.Call(ctx, pageapi.GetFrameTree, cdp.Empty{})
		if err != nil || len(tree.FrameTree.ChildFrames) == 0 {
			return chromedp.Void{}, err
		}
		world, err := chromedp.Call(ctx, pageapi.CreateIsolatedWorld,
			pageapi.CreateIsolatedWorldParams{FrameID: tree.FrameTree.ChildFrames[0].Frame.ID})
		if err != nil {
			return chromedp.Void{}, err
		}
		r, err := chromedp.Call(ctx, runtime.Evaluate,
			runtime.EvaluateParams{Expression: js, ContextID: world.ExecutionContextID})
		if err == nil && r.ExceptionDetails == nil {
			err = json.Unmarshal(r.Result.Value, &out)
		}
		return chromedp.Void{}, err
	})
	return out
}

// until polls for what a page cannot tell itself.
func (b *tab) until(what string, ok func() bool) {
	b.t.Helper()
	ctx, stop := b.waiting()
	defer stop()
	for !ok() {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			b.t.Fatalf("waited for %s in vain", what)
		}
	}
}
