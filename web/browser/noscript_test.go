package browser

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Without scripts the form runs a test, and the buttons of cells and columns do what they say.
func TestBrowserWithoutScripts(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.withoutScripts()
	b.visit(b.url + "/?test=SB")
	b.click("#run")
	b.wait(`document.querySelector("#picture h2")?.textContent === "✓ TSO allows 0:EAX=0; 1:EAX=0"`)
	b.wait(`document.querySelectorAll("#picture svg.execution-graph").length === 1`) // its heading comes first
	b.click(`tbody tr:first-child button[value="0 4"]`)
	b.wait(`document.querySelector("#picture h2")?.textContent.startsWith("✗ SC forbids")`)
	if pressed := eval[string](b, `document.querySelector("button.v[aria-pressed=true]").value`); pressed != "0 4" {
		t.Errorf("cell %s looks pressed", pressed)
	}
	b.wantText("#pick-name", "SB")
	b.click(`[name=model][value="tso"]`) // no longer asked
	b.click("#run")
	b.wait(`document.querySelectorAll(".outcomes thead [data-column]").length === 4`)
}

// withoutScripts has the tab run no scripts of pages.
func (b *tab) withoutScripts() {
	b.t.Helper()
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return chromedp.Void{}, err
	})
}
