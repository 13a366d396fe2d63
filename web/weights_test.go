package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/models"
	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// A large answer is light: rows beyond those in sight come when they are scrolled to.
func TestManyOutcomesAreLight(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {webtest.ManyOutcomes()}, "model": models.Names()}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	t.Logf("256 outcomes under %d models: %d bytes", len(models.Names()), w.Body.Len())
	if w.Body.Len() > 150_000 {
		t.Errorf("the answer has %d bytes, want 150 kB at most", w.Body.Len())
	}
	checkHTML(t, w.Body, in("tbody", hasAttr("data-more", "^64$")))
	rows := 0
	for from := 0; ; from += 64 {
		form.Set("rows", fmt.Sprint(from))
		body := post(h, "/explore", form, false).Body.String()
		rows += strings.Count(body, "<tr")
		if !strings.Contains(body, "data-more") {
			break
		}
	}
	if rows != 256 {
		t.Errorf("%d rows come in all, want 256", rows)
	}
	form.Set("rows", "0")
	form.Set("differ", "1")
	if body := post(h, "/explore", form, false).Body.String(); !strings.Contains(body, "The models agree on "+
		"every outcome") {
		t.Errorf("rows in which models differ: %.300s", body)
	}
}
