package web_test

import (
	"net/http"
	"net/http/httptest"
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
	exhibits := catalogue.WholeMuseum()
	if len(exhibits) != 28 {
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

// An exhibit in C++ or Rust shows its story, the program beside its fix, recorded verdicts and the command that
// verifies it. The page has no button that needs a compiler, and refuses requests for an execution or a new run.
func TestMuseumOfCompiledPrograms(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for name, want := range map[string][2]string{
		"swift-array": {`--property memory litmus/catalogue/cpp/museum/swift-array.cpp$`, "publish"},
		"std-park":    {`--property assertion litmus/catalogue/rust/museum/std-park.rs$`, "swap"},
	} {
		w := get(h, "/museum/"+name)
		checkHTML(t, w.Body, in(".story a.claim"), in(".plate a"), in(".verdict-table td.mark.unsafe"),
			in(".beside-fix ins", hasText(want[1])), in(".beside-fix del"), in("#execution pre code", hasText(want[0])))
		if text := w.Body.String(); strings.Contains(text, "cfg(") || strings.Contains(text, "Run again") ||
			strings.Contains(text, "Open in Programs") {
			t.Errorf("%s shows what needs a compiler", name)
		}
		for _, w := range []*httptest.ResponseRecorder{
			get(h, "/museum/"+name+"?model=rc11"),
			post(h, "/museum/"+name, url.Values{"build": {"before"}}, true),
			post(h, "/museum/"+name+"/export", url.Values{"build": {"before"}, "format": {"svg"}}, true),
		} {
			if w.Code != http.StatusUnprocessableEntity && w.Code != http.StatusBadRequest ||
				!strings.Contains(w.Body.String(), "the page does not compile it") {
				t.Errorf("%s: %d: %s", name, w.Code, w.Body)
			}
		}
	}
	if !strings.Contains(get(h, "/museum/hvisor-virtio-rust").Body.String(), `<a href="/museum/hvisor-virtio">`) {
		t.Error("the exhibit in Rust does not link to the one in C")
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
