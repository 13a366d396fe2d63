package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// A test in C11 can be compiled from its answer, and both verdicts stand side by side.
func TestCompile(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	form := url.Values{"source": {webtest.Buffering}, "model": {"rc11"}}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body, in("details.compile button[name=to][value=ppc]", hasText("^Power$")))
	for _, plain := range []bool{false, true} {
		form.Set("to", "ppc")
		w = post(h, "/compile", form, plain)
		wantStatus(t, w, http.StatusOK)
		checkHTML(t, w.Body,
			in(".sentences .forbidden", hasText("^In C, RC11 forbids it$")),
			in(".sentences .allowed", hasText("^Compiled, Power allows it$")),
			in(".mapping.wrong",
				hasText(
					`^Allowed by Power, not by RC11: the mapping is wrong \(only the axiom no-thin-air of RC11 forbids it\)\.$`)),
			in(".more.wrong li", hasText("^0:r0=1; 1:r0=1 allowed by Power, forbidden by RC11$")),
			in(".tied .source li.tint-2[data-of=5] a.n", hasText("^5$")),
			in(".tied .thread li.tint-2[data-of=5]", hasText(`li r4,1 stw r4,0\(r2\)`)),
			in("pre", hasText(`lwz r3,0\(r1\)`)), in("a.button", hasText("^Open as a test$")),
			in("button[aria-pressed]", hasText("^standard$")),
		)
	}
	form.Set("to", "ppc trailing+ctrl")
	checkHTML(t, post(h, "/compile", form, false).Body,
		in(".mapping.right", hasText(`^Right for this test: RC11 allows every outcome that Power allows\.$`)),
		in("button[aria-pressed]", hasText(`^trailing \+ ctrl$`)), notIn(".more"))

	// All side by side; what an architecture has not is said in its column.
	form.Set("to", "all")
	checkHTML(t, post(h, "/compile", form, true).Body,
		in("article h4", hasText("^C$")), in("[data-to=ppc] .mapping.wrong"), in("[data-to=x86_64] .mapping.right"),
		in("[data-to=ppc] li.tint-2[data-of=5]", hasText("li r4,1")))
	wide := url.Values{
		"source": {"C w\n{}\nP0 (atomic_long* x) {\n  atomic_store(x, 1);\n}\nexists (x=1)\n"},
		"to":     {"all"},
	}
	checkHTML(t, post(h, "/compile", wide, false).Body, in("[data-to=arm] .problem"),
		in("[data-to=aarch64] .mapping.right"))
	mutex := url.Values{"source": {"C m\n{}\nP0 (mtx_t* m) {\n  mtx_lock(m);\n}\n"}, "to": {"all"}}
	checkHTML(t, post(h, "/compile", mutex, false).Body, in("[data-to=riscv] .problem a[data-line=4]"),
		notIn(".mapping"))

	// What cannot be is said, at its place where it has one.
	form.Set("to", "mips")
	w = post(h, "/compile", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body, in(".problem strong", hasText(`^Cannot compile tests to "mips": want one of `)))
	form = url.Values{"source": {"C m\n{}\nP0 (mtx_t* m) {\n  mtx_lock(m);\n}\n"}, "to": {"riscv"}}
	w = post(h, "/compile", form, false)
	wantStatus(t, w, http.StatusUnprocessableEntity)
	checkHTML(t, w.Body, in(".problem li a[data-line=4]"))

	// Others have no button: the kernel's, and those of architectures.
	for _, source := range []string{
		webtest.ClassicSource(t, "SB"),
		"C k\n{}\nP0 (int* x) { WRITE_ONCE(*x, 1); }\nexists (x=1)\n",
	} {
		checkHTML(t, post(h, "/explore", url.Values{"source": {source}, "model": {"sc"}}, false).Body, in(".outcomes"),
			notIn(".compile"))
	}
}

func TestRESTCompiles(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := postJSON(h, "/api/v1/compile",
		map[string]any{"source": webtest.Buffering, "to": "aarch64", "variant": "llsc", "check": true})
	wantStatus(t, w, http.StatusOK)
	var out struct {
		Arch, Source, Model, Text, Hint string
		Names                           map[string]struct{ Name string }
		Check                           struct {
			Verdict, Axiom         string
			Language, Architecture struct{ Model, Verdict string }
			More                   []map[string]string
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if out.Arch != "AArch64" || out.Model != "aarch64" || out.Names["0:X2"].Name != "0:r0" ||
		!strings.Contains(out.Source, "LDR W2,[X0]") {
		t.Errorf("got %+v", out)
	}
	if c := out.Check; c.Verdict != "wrong" || c.Axiom != "no-thin-air" || c.Language.Verdict != "forbidden" ||
		c.Architecture.Verdict != "allowed" || len(c.More) != 1 || c.More[0]["1:r0"] != "1" {
		t.Errorf("got %+v", c)
	}
	if !strings.Contains(out.Hint, "the variant ctrl prevents that") {
		t.Errorf("got hint %q", out.Hint)
	}
	w = postJSON(h, "/api/v1/compile", map[string]any{"source": webtest.Buffering, "to": "riscv"})
	wantStatus(t, w, http.StatusOK)
	if strings.Contains(w.Body.String(), `"check"`) {
		t.Errorf("nobody asked for a check: %s", w.Body)
	}
	for body, want := range map[string]string{
		`{"source": "C m\n{}\nP0 (mtx_t* m) {\n  mtx_lock(m);\n}\n", "to": "ppc"}`: `"location":"body.source"`,
		`{"source": "C m\n{}\nP0 (int* m) { }\n", "to": "vax"}`:                    `Cannot compile tests to \"vax\"`,
		`{"source": "C m\n{}\nP0 (int* m) { }\n", "to": "ppc", "model": "none"}`:   `Unknown model \"none\"`,
	} {
		w := postJSON(h, "/api/v1/compile", json.RawMessage(body))
		wantStatus(t, w, http.StatusUnprocessableEntity)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got %s, want %s", body, w.Body, want)
		}
	}
}
