package web

import (
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe finds nothing to object to on any page, in either theme: WCAG 2.2 AA, and what its
// makers hold to be good besides.
func TestBrowserAxe(t *testing.T) {
	f, err := os.Open("testdata/axe/axe.min.js.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	axe, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	inEachState(t, 1280, 800, "light", func(t *testing.T, b *tab, _ pageState) {
		for _, theme := range []string{"light", "dark"} {
			b.dress(theme)
			findings, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](string(axe)+`;
				axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.flatMap((v) => v.nodes.slice(0, 5).map((n) =>
					v.id + " (" + v.impact + "): " + n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " ") + " " + n.html.slice(0, 160))))`, chromedp.EvalAwaitPromise))
			if err != nil {
				t.Fatal(err)
			}
			if len(findings) > 0 {
				t.Errorf("axe has findings in the %s theme:\n%s", theme, strings.Join(findings, "\n"))
			}
		}
	})
}
