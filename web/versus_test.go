package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// Models that cannot be held against one another are refused before any test is asked about.
func TestVersusRefuses(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	const own = "acyclic po | rf | co | fr as order"
	for _, tt := range []struct{ name, own, mine, against, arch, want string }{
		{"no model", "", "", "tso", "X86", "There is no model of your own"},
		{"a model that cannot be read", "acyclic pox as order", "", "tso", "X86", "pox"},
		{"none of that name", own, "other", "tso", "X86", "None of your models is called"},
		{"no such dialect", own, "", "tso", "Z80", "The catalogue has no tests in"},
		{"no such model", own, "", "nothing", "X86", "No built-in model"},
	} {
		w := post(h, "/versus",
			url.Values{"own-text": {tt.own}, "mine": {tt.mine}, "against": {tt.against}, "arch": {tt.arch}}, true)
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s: got %d, want %q in %s", tt.name, w.Code, tt.want, w.Body)
		}
	}
}
