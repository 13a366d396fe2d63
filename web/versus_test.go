package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// Models that cannot be compared are refused before any test is asked about.
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

// Every result with an own model has an address that gives the same result to anybody.
func TestResultsHaveAddresses(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	own := url.Values{
		"own-name": {"mine"}, "own-text": {"\"Mine\"\nacyclic po | rf | co | fr as order"}, "own-files": {""},
	}
	with := func(more ...string) url.Values {
		f := url.Values{}
		for name, values := range own {
			f[name] = values
		}
		for i := 0; i+1 < len(more); i += 2 {
			f.Set(more[i], more[i+1])
		}
		return f
	}
	sb := webtest.ClassicSource(t, "SB")
	c := "C SB\n{ }\nP0 (atomic_int* x, atomic_int* y) { atomic_store(x,1); int r0 = atomic_load(y); }\n" +
		"P1 (atomic_int* x, atomic_int* y) { atomic_store(y,1); int r0 = atomic_load(x); }\n" +
		"exists (0:r0=0 /\\ 1:r0=0)\n"
	for _, tt := range []struct {
		path string
		form url.Values
		want string // in the result
	}{
		{"/versus", with("mine", "mine", "against", "tso", "arch", "PPC"), "tests differ"},
		{"/distinguish", with("left", "mine", "right", "tso", "size", "4", "arch", "X86"), "mine forbids, TSO allows"},
		{"/lattice", with("arch", "X86"), `mine</th>`},
		{"/repair", url.Values{"source": {sb}, "model": {"tso"}, "repair": {`{"column":"tso"}`}}, "Repair 1 of"},
		{"/compile", url.Values{"source": {c}, "to": {"aarch64"}}, "Compiled to Arm, 64 bits"},
	} {
		w := post(h, tt.path, tt.form, true)
		page := w.Body.String()
		address := webtest.AddressIn(page)
		if w.Code != http.StatusOK || !strings.Contains(page, tt.want) || address == "" {
			t.Errorf("%s: got %d with the address %q, want %q in %.3000s", tt.path, w.Code, address, tt.want, page)
			continue
		}
		again := get(h, address)
		if again.Code != http.StatusOK || !strings.Contains(again.Body.String(), tt.want) {
			t.Errorf("%s: got %d, want %q in %.3000s", address, again.Code, tt.want, again.Body)
		}
	}
	wantStatus(t, get(h, "/versus?form=broken"), http.StatusUnprocessableEntity)
	wantStatus(t, get(h, "/versus"), http.StatusUnprocessableEntity)
}
