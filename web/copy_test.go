package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// What a question is copied as cannot be made to do anything else.
func TestCopiesAreInert(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	ask := func(format, source string) (int, string) {
		w := post(h, "/copy?format="+format, url.Values{
			"source": {source}, "model": {"sc", "$(touch x)"}, "origin": {"http://localhost:8080"},
			"link": {"javascript:alert(1)"},
		}, false)
		return w.Code, w.Body.String()
	}
	if code, text := ask("run", "X86 a\n"); code != http.StatusOK || !strings.Contains(text, " -m '$(touch x)' ") {
		t.Errorf("%d %s", code, text)
	}
	for _, format := range []string{"run"} {
		if code, text := ask(format, "X86 a\x1b[201~\n"); code != http.StatusUnprocessableEntity ||
			!strings.Contains(text, "control character") {
			t.Errorf("%s: %d %s", format, code, text)
		}
	}
	if code, _ := ask("exe", "X86 a\n"); code != http.StatusNotFound {
		t.Errorf("a format that there is not: %d", code)
	}
	w := post(h, "/copy?format=markdown", url.Values{
		"source": {"X86 [a](javascript:1)|`<b>\n{}\n P0 ;\n MOV [x],$1 ;\n(* ``` *)\nexists (x=1)\n"}, "model": {"sc"},
		"link": {"javascript:alert(1)"},
	}, false)
	if text := w.Body.String(); w.Code != http.StatusOK || strings.Contains(text, "Open in") ||
		!strings.Contains(text, `**\[a\](javascript:1)\|\`+"`"+`\<b\>:**`) || !strings.HasPrefix(text, "````litmus\n") {
		t.Errorf("%d %s", w.Code, text)
	}
}
