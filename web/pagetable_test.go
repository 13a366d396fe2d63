package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// The answer to a test with page tables shows their initial entries with all defaults; other answers have no table.
func TestAnswerShowsPageTables(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := post(h, "/explore", url.Values{"source": {webtest.MPTLBI}, "model": {"aarch64"}}, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, strings.NewReader(w.Body.String()), in("#pages", hasText(
		`^entry oa valid af db dbm el0 x attrs `+
			`PTE\(x\) PA\(x\) 0 1 1 0 1 1 Normal PTE\(y\) PA\(y\) 1 1 1 0 1 1 Normal$`)))
	plain := post(h, "/explore", url.Values{"source": {webtest.ManyOutcomes()}, "model": {"sc"}}, false)
	wantStatus(t, plain, http.StatusOK)
	if strings.Contains(plain.Body.String(), `id="pages"`) {
		t.Error("a test without page tables shows a table of them")
	}
	const offer = "Run the test on this device"
	if strings.Contains(w.Body.String(), offer) || !strings.Contains(plain.Body.String(), offer) {
		t.Error("only the test without page tables can run in a browser")
	}
}

// Models that define no page tables say so in one line.
func TestModelsWithoutPageTables(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := post(h, "/explore", url.Values{"source": {webtest.MPTLBI}, "model": {"aarch64", "tso", "power"}}, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, strings.NewReader(w.Body.String()), in(".sentences li.unknown", hasText(
		`^\? TSO and Power have no answer: the model does not define memory tags, exceptions, modified instructions and `+
			`page tables: choose the model aarch64$`)))
	one := post(h, "/explore", url.Values{"source": {webtest.MPTLBI}, "model": {"aarch64", "tso"}}, false)
	checkHTML(t, strings.NewReader(one.Body.String()), in(".sentences li.unknown", hasText(
		`^\? TSO has no answer: TSO does not define memory tags`)))
}
