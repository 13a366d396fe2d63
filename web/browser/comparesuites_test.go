package browser

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"litmuscope/litmus/suite"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/web/webtest"
)

// A visitor compares two suites without a model in common: the page says that the tests are there under other models,
// and compares the models that the visitor pairs.
func TestBrowserPairsModelsOfSuites(t *testing.T) {
	t.Parallel()
	h := webtest.NewHouse(t, engines.Local{})
	tests := webtest.Entries(suite.Entry{Path: "SB.litmus", Source: webtest.ClassicSource(t, "SB")},
		suite.Entry{Path: "MP.litmus", Source: webtest.ClassicSource(t, "MP")})
	old := h.Submit(suites.Request{Name: "old", Models: webtest.BuiltIn("sc", "rmo")}, tests)
	h.Done(old.ID)
	recent := h.Submit(suites.Request{Name: "new", Models: webtest.BuiltIn("tso", "pso")}, tests)
	h.Done(recent.ID)
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 1280, 900)
	b.visit(b.url + "/compare")

	// The form begins with the two newest suites, and has their models.
	b.wantText("select[name=model-a]", "every model\nSC\nRMO")
	b.wantText(".sides select[name=model-b]", "every model\nTSO\nPSO")
	b.click(".sides > button.main")
	b.wait(`document.querySelector("#model-a summary")`)
	b.wantText(".comparison .verdict", "– Nothing to compare: no row of 4 in A has a counterpart among 4 in B")
	b.wantText("#model-a summary", "4 A has the test, but not under the compared model")
	b.wantText("#model-b summary", "4 B has the test, but not under the compared model")
	if eval[bool](b, `Boolean(document.querySelector("#missing-a, #missing-b"))`) {
		t.Error("tests that are there count as missing")
	}
	b.screenshotFor("compare-models")

	set := func(field string, n int, value string) {
		t.Helper()
		eval[chromedp.Void](b, `void (document.querySelectorAll(".sides [name=`+field+`]")[`+string(rune('0'+n))+
			`].value = "`+value+`")`)
	}
	set("model-a", 0, "sc")
	set("model-b", 0, "tso")
	b.click(`.sides button[value=pair]`)
	b.wait(`document.querySelectorAll(".pair").length === 2`)
	set("model-a", 1, "rmo")
	set("model-b", 1, "pso")
	b.click(".sides > button.main")
	b.wait(`document.querySelector(".comparison")`)
	b.wantText("#comparison-title", "old under SC, RMO and new under TSO, PSO")
	b.wantText(".comparison .verdict", "≠ 4 pairs of 4 rows in A and 4 in B: 3 the same, 1 different")
	if eval[int](b, `document.querySelectorAll("#model-a, #model-b, #missing-a, #missing-b").length`) != 0 {
		t.Error("tests are missing")
	}
	b.screenshotFor("compare-pairs")

	// The address has the pairs.
	address := eval[string](b, `location.href`)
	other := openTab(t, srv.URL, 390, 844)
	other.visit(address)
	other.wantText("#comparison-title", "old under SC, RMO and new under TSO, PSO")
	other.screenshotFor("compare-phone")
	if eval[bool](other, `document.documentElement.scrollWidth > innerWidth`) {
		t.Error("the page is wider than a phone")
	}
}

// screenshotFor saves a picture of the tab in the folder LITMUSCOPE_TEST_SCREENSHOTS, if that is set, for people.
func (b *tab) screenshotFor(name string) {
	b.t.Helper()
	dir := os.Getenv("LITMUSCOPE_TEST_SCREENSHOTS")
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
