package browser

import (
	"strings"
	"testing"

	"litmuscope/web/webtest"
)

func TestBrowserCompiles(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=SB")
	b.asks(webtest.Buffering, "rc11")
	b.wait(`document.querySelector("#result .compile")`)
	b.click(".compile summary")
	b.click(`.compile button[value="aarch64"]`)
	b.wait(`document.querySelector(".made:not([aria-busy]) .mapping.wrong")`)
	b.click(`.made button[value="aarch64 ctrl"]`)
	b.wait(`document.querySelector(".made:not([aria-busy]) .mapping.right")`)
	if got := eval[string](b, `document.querySelector(".made pre").innerText`); !strings.Contains(got, "CBNZ W2,") {
		t.Errorf("got %s", got)
	}
	b.click(".made a")
	b.wait(`document.querySelector("#result .outcomes h2 .name")?.textContent === "LB" && document.querySelector("#result thead [data-column=aarch64]")`)
}
