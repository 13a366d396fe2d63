package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// The museum lists every exhibit with its verdicts before and after, and each has a page with its story, its program,
// its table and the execution by which it fails.
func TestMuseum(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	exhibits := catalogue.Museum()
	if len(exhibits) != 14 {
		t.Fatalf("%d exhibits", len(exhibits))
	}
	hall := get(h, "/museum").Body.String()
	for _, e := range exhibits {
		if !strings.Contains(hall, `href="/museum/`+e.Name+`"`) {
			t.Errorf("the museum does not list %s", e.Name)
		}
	}
	for _, name := range []string{"ck-hs", "linux-qspinlock"} {
		checkHTML(t, get(h, "/museum/"+name).Body,
			in(".story p"), in(".plate a"), in(".verdict-table td.mark.unsafe a"), in(".beside-fix ins"),
			in("#execution .drawing svg"), in(".open select option"))
	}
	checkHTML(t, get(h, "/museum/dpdk-mcslock").Body, in(".story a.claim code", hasText("^SWPAL$")))
	// As mended it fails nowhere, so that there is nothing to draw.
	checkHTML(t, get(h, "/museum/ck-hs?build=fixed").Body, in("#execution h2", hasText("^No failing execution$")))
	if w := get(h, "/museum/nothing"); w.Code != http.StatusNotFound {
		t.Errorf("an exhibit that there is not: %d", w.Code)
	}
}

// A visitor who doubts a row asks the engines again, and sees what they say.
func TestMuseumAsksAnew(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := post(h, "/museum/ck-hs", url.Values{"build": {"before"}}, true)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "All verdicts match the museum.") {
		t.Errorf("got %d: %s", w.Code, w.Body)
	}
}
