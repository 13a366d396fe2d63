package browser

import (
	"context"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/cdproto/emulation"
	pageapi "github.com/chromedp/cdproto/page"
)

func (b *tab) shot(name string) {
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		shot, err := chromedp.Call(ctx, pageapi.CaptureScreenshot, pageapi.CaptureScreenshotParams{Format: "png"})
		if err == nil {
			err = os.WriteFile("/tmp/shots/"+name+".png", shot.Data, 0o644)
		}
		return chromedp.Void{}, err
	})
}

func (b *tab) dark() {
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
		return chromedp.Void{}, err
	})
}
func TestZZShot(t *testing.T) {
	for _, c := range [][4]string{{"SB", "sc", "tso", "1440"}, {"PPC/IRIW%2Baddrs", "power", "aarch64", "390"}} {
		w := int64(1440)
		if c[3] == "390" {
			w = 390
		}
		b := newTab(t, w, 900)
		b.open("/?test=" + c[0])
		eval[chromedp.Void](b, cell(c[1])+`.click()`)
		b.wait(`document.querySelector("#picture:not([aria-busy]) .picture")?.dataset.column === "` + c[1] + `"`)
		b.besides(c[2])
		eval[chromedp.Void](b, `document.querySelector("#picture").scrollIntoView()`)
		b.shot(c[1]+c[3])
		t.Log(eval[[]string](b, places))
		b.dark()
		b.shot(c[1]+c[3]+"-dark")
	}
}
