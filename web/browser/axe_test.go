package browser

import (
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe finds nothing to object to on any page, in either theme: WCAG 2.2 AA, and what its
// makers hold to be good besides. With -short, it looks at a third of the states; task proofs has it look at all.
func TestBrowserAxe(t *testing.T) {
	t.Parallel()
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
	states := pageStates
	if testing.Short() {
		states = nil
		for i := 0; i < len(pageStates); i += 3 {
			states = append(states, pageStates[i])
		}
	}
	inEachState(t, states, 1280, 800, "light", func(t *testing.T, b *tab, _ pageState) {
		// What a theme decides is colours.
		for theme, rules := range map[string]string{
			"light": `{ resultTypes: ["violations"] }`,
			"dark":  `{ resultTypes: ["violations"], runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }`,
		} {
			b.dress(theme)
			findings, err := inTab(b, chromedp.Evaluate[[]string](string(axe)+`;
				axe.run(document, `+rules+`).then((r) => r.violations.flatMap((v) => v.nodes.slice(0, 5).map((n) =>
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
