package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// Short links keep what was shown, as long as it is that, and no more than a little.
func TestLinkViews(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {"X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n"}, "model": {"sc", "tso"}}
	for view, want := range map[string]int{
		"": http.StatusOK, `{"tab":"steps","pick":{"column":"sc","state":"{\"x\":\"1\"}"}}`: http.StatusOK,
		"[]": http.StatusUnprocessableEntity, "null": http.StatusUnprocessableEntity,
		"{": http.StatusUnprocessableEntity,
		`{"a":"` + strings.Repeat("x", 20<<10) + `"}`: http.StatusUnprocessableEntity,
	} {
		form.Set("view", view)
		w := post(h, "/links", form, false)
		if w.Code != want {
			t.Errorf("%.60s: status %d, want %d: %s", view, w.Code, want, w.Body)
		}
		if w.Code != http.StatusOK || view == "" {
			continue
		}
		id := strings.TrimSuffix(strings.TrimPrefix(w.Body.String(), `{"url":"/t/`), "\"}\n")
		if page := get(h, "/t/"+id).Body.String(); !strings.Contains(page,
			`data-view="{&#34;tab&#34;:&#34;steps&#34;`) {
			t.Errorf("the page of %s has no view", id)
		}
		if page := get(h, "/embed/t/"+id).Body.String(); !strings.Contains(page,
			`data-column="sc" data-state="{&#34;x&#34;:&#34;1&#34;}"`) {
			t.Errorf("the frame of %s shows another picture: %.2000s", id, page)
		}
	}
}
