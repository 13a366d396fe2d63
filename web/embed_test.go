package web_test

import (
	"net/http"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// Without scripts, frames are as the server renders them, and cells are links to their
// pictures.
func TestEmbedWithoutScripts(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, "/embed?test=SB&cell=2+0&theme=light")
	page := w.Body.String()
	for _, want := range []string{
		`data-theme="light"`, `<base target="_blank">`, `target="_self"`, "SC</span> allows",
		`data-cell="0:0"`, `<input type="hidden" name="test" value="SB"`, `href="/?test=SB"`, "<svg",
	} {
		if !strings.Contains(strings.ReplaceAll(page, "SC allows", "SC</span> allows"), want) {
			t.Errorf("%q is missing in %.3000s", want, page)
		}
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors * file:") ||
		!strings.Contains(csp, "script-src 'self'") {
		t.Errorf("policy %s", csp)
	}
	for _, path := range []string{"/", "/?test=SB", "/embedded", "/t/x"} {
		if csp := get(h, path).Header().Get("Content-Security-Policy"); !strings.Contains(csp,
			"frame-ancestors 'none'") {
			t.Errorf("%s may be framed: %s", path, csp)
		}
	}
	if w := get(h, "/embed/t/zz"); w.Code != http.StatusNotFound {
		t.Errorf("a link that there is not: status %d", w.Code)
	}
	if w := get(h, "/embed?test=nope"); w.Code != http.StatusNotFound {
		t.Errorf("a test that there is not: status %d", w.Code)
	}
}
