package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Pictures of every page in every state, for people to look at: task screenshots.
func TestBrowserScreenshots(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("LITMUSCOPE_SCREENSHOTS")
	if dir == "" {
		t.Skip("LITMUSCOPE_SCREENSHOTS names no folder: run task screenshots")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int64{{1920, 1080}, {1280, 720}, {768, 1024}, {390, 844}} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprint(size[0], "-", theme), func(t *testing.T) {
				inEachState(t, pageStates, size[0], size[1], theme, func(t *testing.T, b *tab, s pageState) {
					height := max(float64(size[1]), eval[float64](b, "document.documentElement.scrollHeight"))
					b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
						beyond := true
						shot, err := chromedp.Call(ctx, pageapi.CaptureScreenshot, pageapi.CaptureScreenshotParams{
							Format: "png", CaptureBeyondViewport: &beyond,
							Clip: &pageapi.Viewport{Width: float64(size[0]), Height: min(height, 4000), Scale: 1},
						})
						if err == nil {
							err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", s.name, size[0], theme)),
								shot.Data, 0o644)
						}
						return chromedp.Void{}, err
					})
				})
			})
		}
	}
}

// manualPictures are the pictures of the README and the manual, by the state that each shows.
var manualPictures = map[string]string{
	"explorer-steps": "steps", "explorer-why": "why", "explorer-beside": "beside", "cycles": "cycles",
	"class-revealed-screen": "class",
}

// Task pictures takes the manual's pictures again.
func TestBrowserManualPictures(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("LITMUSCOPE_MANUAL_PICTURES")
	if dir == "" {
		t.Skip("LITMUSCOPE_MANUAL_PICTURES names no folder: run task pictures")
	}
	inEachState(t, pageStates, 1600, 900, "light", func(t *testing.T, b *tab, s pageState) {
		name, ok := manualPictures[s.name]
		if !ok {
			return
		}
		b.drawn()
		if name == "steps" {
			for range 3 { // in the midst of the run
				b.click(`.player [data-go="forward"]`)
			}
			b.wait(`document.querySelector(".player .did").textContent.startsWith("Step 3 ")`)
		}
		b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
			shot, err := chromedp.Call(ctx, pageapi.CaptureScreenshot, pageapi.CaptureScreenshotParams{Format: "png"})
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name+".png"), shot.Data, 0o644)
			}
			return chromedp.Void{}, err
		})
	})
}
