package browser

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"litmuscope/web/webtest"
)

// A seat is a tab with cookies and storage of its own, which one test after another sits in: a new one
// costs four times what a test does in it.
type seat struct {
	tab     target.ID
	cookies cdp.BrowserContextID
	url     string // of the server whose pages it has shown last: its scripts are in the cache, compiled
}

var free struct {
	sync.Mutex
	seats []seat
}

// freeSeat takes the seat that was last at a server's address, or else the one that was left last.
func freeSeat(url string) (seat, bool) {
	free.Lock()
	defer free.Unlock()
	if len(free.seats) == 0 {
		return seat{}, false
	}
	at := slices.IndexFunc(free.seats, func(s seat) bool { return s.url == url })
	if at < 0 {
		at = len(free.seats) - 1
	}
	s := free.seats[at]
	free.seats = slices.Delete(free.seats, at, at+1)
	return s, true
}

// patience is how long a tab has to be taken or left; one that does not answer is not sat in again.
const patience = time.Minute

// sit takes the tab of a context, which ends where the tab does not answer.
func sit(ctx context.Context) error {
	taken := make(chan error, 1)
	go func() { taken <- chromedp.Do(ctx) }()
	select {
	case err := <-taken:
		return err
	case <-time.After(patience):
		_ = chromedp.Cancel(ctx)
		return <-taken
	}
}

// takeSeat is a tab that knows of nothing, until the end of a test at a server's pages. What a test sets about
// the tab itself, such as its size or its network, ends with the session that set it.
func takeSeat(t *testing.T, url string) context.Context {
	t.Helper()
	s, warm := freeSeat(url)
	var ctx context.Context
	if warm {
		ctx, _ = chromedp.NewContext(browser, chromedp.WithTargetID(s.tab), chromedp.WithDetachOnCancel())
		warm = sit(ctx) == nil
	}
	if !warm {
		ctx, _ = chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithDetachOnCancel())
		if err := sit(ctx); err != nil {
			t.Fatal(err)
		}
		c := chromedp.FromContext(ctx)
		s = seat{tab: c.Target.TargetID, cookies: c.BrowserContextID}
	}
	s.url = url
	t.Cleanup(func() {
		patient, stop := context.WithTimeout(ctx, patience)
		defer stop()
		left := !t.Failed() && leave(patient, s) == nil
		if !left {
			patient, stop := context.WithTimeout(ctx, patience)
			defer stop()
			_, _ = chromedp.CallBrowser(patient, target.DisposeBrowserContext,
				target.DisposeBrowserContextParams{BrowserContextID: s.cookies})
		}
		_ = chromedp.Cancel(ctx)
		if left {
			free.Lock()
			defer free.Unlock()
			free.seats = append(free.seats, s)
		}
	})
	bounded, stop := untilTheEnd(ctx, t)
	t.Cleanup(stop)
	return bounded
}

// leave clears away what a test leaves behind.
func leave(ctx context.Context, s seat) error {
	all, err := chromedp.Targets(ctx)
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.BrowserContextID == s.cookies && other.TargetID != s.tab && other.Type == "page" {
			if _, err := chromedp.CallBrowser(ctx, target.CloseTarget,
				target.CloseTargetParams{TargetID: other.TargetID}); err != nil {
				return err
			}
		}
	}
	// A page that goes by itself leaves its process to the next one. Chromium's address bar would end it, and a new
	// process costs more than a test.
	const goes = `window.leaving = true; try { sessionStorage.clear(); } catch { }
		location.replace("about:blank")`
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[any](goes)); err != nil {
		return err
	}
	for gone := false; !gone; time.Sleep(time.Millisecond) {
		var err error
		gone, err = chromedp.Run(ctx, chromedp.Evaluate[bool](`location.href === "about:blank"`))
		if err != nil && (ctx.Err() != nil || !inBetween(err)) {
			return err
		}
	}
	if _, err := chromedp.Call(ctx, pageapi.ResetNavigationHistory, cdp.Empty{}); err != nil {
		return err
	}
	for _, origin := range webtest.Origins() { // another test may have shown pages of several
		if _, err := chromedp.Call(ctx, storage.ClearDataForOrigin,
			storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"}); err != nil {
			return err
		}
	}
	_, err = chromedp.CallBrowser(ctx, storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: s.cookies})
	return err
}
