package browser

import (
	"context"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A seat is a tab with cookies and storage of its own, which one test after another sits in: a new one
// costs four times what a test does in it.
type seat struct {
	tab     target.ID
	cookies cdp.BrowserContextID
}

var free struct {
	sync.Mutex
	seats []seat
}

func freeSeat() (seat, bool) {
	free.Lock()
	defer free.Unlock()
	n := len(free.seats) - 1
	if n < 0 {
		return seat{}, false
	}
	s := free.seats[n]
	free.seats = free.seats[:n]
	return s, true
}

// takeSeat is a tab that knows of nothing, until the end of a test at a server's pages. What a test sets about
// the tab itself, such as its size or its network, ends with the session that set it.
func takeSeat(t *testing.T, url string) context.Context {
	t.Helper()
	how := chromedp.WithNewBrowserContext()
	s, warm := freeSeat()
	if warm {
		how = chromedp.WithTargetID(s.tab)
	}
	ctx, _ := chromedp.NewContext(browser, how, chromedp.WithDetachOnCancel())
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	if c := chromedp.FromContext(ctx); !warm {
		s = seat{c.Target.TargetID, c.BrowserContextID}
	}
	t.Cleanup(func() {
		left := !t.Failed() && leave(ctx, s, url) == nil
		if !left {
			_, _ = chromedp.CallBrowser(ctx, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: s.cookies})
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
func leave(ctx context.Context, s seat, url string) error {
	all, err := chromedp.Targets(ctx)
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.BrowserContextID == s.cookies && other.TargetID != s.tab && other.Type == "page" {
			if _, err := chromedp.CallBrowser(ctx, target.CloseTarget, target.CloseTargetParams{TargetID: other.TargetID}); err != nil {
				return err
			}
		}
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[any](`window.leaving = true; try { sessionStorage.clear(); } catch { }`)); err != nil {
		return err
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, pageapi.ResetNavigationHistory, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: url, StorageTypes: "all"}); err != nil {
		return err
	}
	_, err = chromedp.CallBrowser(ctx, storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: s.cookies})
	return err
}
