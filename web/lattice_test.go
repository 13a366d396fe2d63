package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/solver/synth/distinguish"
	"litmuscope/web/webtest"
)

// Every architecture has its order of models, drawn and as a table, and its versions.
func TestLattice(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, arch := range distinguish.Archs() {
		page := get(h, "/lattice?arch="+arch).Body.String()
		checkHTML(t, strings.NewReader(page), in("svg.order rect"), in("svg.order a .told"), in("section table td a"))
		width, err := strconv.Atoi(regexp.MustCompile(`class="order" width="(\d+)"`).FindStringSubmatch(page)[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`class="told" x="(-?\d+)"[^>]*>([^<]+)<`).FindAllStringSubmatch(page, -1) {
			x, err := strconv.Atoi(m[1])
			if half := 3 * len(m[2]); err != nil || x < half || x+half > width {
				t.Errorf("%s: the label %s around %s is not within %d", arch, m[2], m[1], width)
			}
		}
	}
	checkHTML(t, get(h, "/lattice?arch=X86").Body, in("svg.order .told", hasText("^SB$")),
		in(".versions h3", hasText("SPARC V8 PSO")))
	if w := get(h, "/lattice?arch=Z80"); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("an architecture that there is not: %d", w.Code)
	}
}

// A visitor's model drops in among the others.
func TestLatticeOfOwn(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := post(h, "/lattice",
		url.Values{"arch": {"X86"}, "own-name": {"mine"}, "own-text": {"acyclic po | rf | fr | co as order"}}, true)
	body := w.Body.String()
	if w.Code != http.StatusOK || !strings.Contains(body, "mine forbids SB; TSO allows it") ||
		strings.Contains(body, "mine forbids SB; SC") {
		t.Errorf("got %d: %s", w.Code, body)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"mine", "acyclic pox as order", "pox"},
		{"tso", "acyclic po as order", "cannot have the name"},
		{"mine", "", "Enter a model"},
	} {
		if w := post(h, "/lattice", url.Values{"arch": {"X86"}, "own-name": {tt.name}, "own-text": {tt.text}},
			true); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%s, %q: got %d, want %q", tt.name, tt.text, w.Code, tt.want)
		}
	}
}

// Two models are told apart with both reasons side by side, or alike up to a size.
func TestDistinguishPage(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	checkHTML(t, get(h, "/distinguish").Body, in("form input[name=left]"), in("form input[name=right]"))
	w := post(h, "/distinguish", url.Values{"left": {"tso"}, "right": {"pso"}, "size": {"4"}}, true)
	for _, want := range []string{
		"TSO forbids, PSO allows",
		"forbidden by consensus: a -po-&gt; b -rf-&gt; c -po-&gt; d -fr-&gt; a", "1 execution with the outcome",
		"No test with up to 4 events.",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("it does not say %q: %s", want, w.Body)
		}
	}
	if w := get(h, "/distinguish?left=tso&right=tso~consensus&size=3"); !strings.Contains(w.Body.String(),
		"No test with up to 3 events.") {
		t.Errorf("a model without an axiom: %s", w.Body)
	}
	// Versions are asked about what tells them apart, though no small cycle does.
	if w := get(h, "/distinguish?left=aarch64&right=aarch64-2021&size=3"); !strings.Contains(w.Body.String(),
		"SB+swpals") {
		t.Errorf("a version as it was published: %s", w.Body)
	}
	for _, tt := range []struct{ left, right, size, want string }{
		{"tso", "tso", "4", "Choose two different models."},
		{"tso", "nothing", "4", "unknown model"},
		{"tso", "tso~nothing", "4", "nothing"},
		{"tso", "lkmm", "9", "size: got 9, want 2 to 6."},
	} {
		if w := post(h, "/distinguish", url.Values{"left": {tt.left}, "right": {tt.right}, "size": {tt.size}},
			true); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%v: got %d: %s", tt, w.Code, w.Body)
		}
	}
}

func TestRESTDistinguish(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := postJSON(h, "/api/v1/distinguish",
		json.RawMessage(
			`{"left":"sc","right":"mine","arch":"X86","size":4,"own_models":[{"name":"mine","text":"acyclic po-loc | rf | fr | co as coherence"}]}`))
	var got struct {
		Found []struct {
			Name, Left, Right string
			WhyLeft           []string `json:"why_left"`
		}
		ExhaustedTo int `json:"exhausted_to"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	if got.ExhaustedTo != 4 || len(got.Found) == 0 || got.Found[0].Left != "forbidden" ||
		got.Found[0].Right != "allowed" || len(got.Found[0].WhyLeft) == 0 {
		t.Errorf("got %s", w.Body)
	}
	for body, want := range map[string]string{
		`{"left":"sc","right":"nothing"}`:                                                  "unknown model",
		`{"left":"sc","right":"tso","size":30}`:                                            "size",
		`{"left":"sc","right":"mine","own_models":[{"name":"mine","text":"acyclic pox"}]}`: "pox",
	} {
		if w := postJSON(h, "/api/v1/distinguish", json.RawMessage(body)); w.Code != http.StatusUnprocessableEntity ||
			!strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got %d: %s", body, w.Code, w.Body)
		}
	}
}
