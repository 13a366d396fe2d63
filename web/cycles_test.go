package web_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/web"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

func cyclesAt(query ...string) string {
	q := url.Values{}
	for i := 0; i < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	return "/cycles?" + q.Encode()
}

// Without scripts the words, the parts of the ring and their menus are links and forms.
func TestCyclesWithoutScripts(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, cyclesAt("arch", "PPC", "cycle", "LwSyncdWW Rfe DpAddrdR Fre"))
	wantStatus(t, w, http.StatusOK)
	page := w.Body.String()
	checkHTML(t, strings.NewReader(page),
		in("title", hasText(`^MP\+lwsync\+addr, LwSyncdWW Rfe DpAddrdR Fre – litmuscope$`)),
		in("#words select option[selected]", hasText("^PPC$")),
		in("#words input[name=cycle]", hasAttr("value", "^LwSyncdWW Rfe DpAddrdR Fre$")),
		in("#ring #edge-2", hasAttr("href", `^/cycles\?arch=PPC&cycle=LwSyncdWW\+Rfe\+DpAddrdR\+Fre&edge=2$`),
			hasAttr("aria-label", "^DpAddrdR, from read of y to read of x$")),
		in("#source", hasText(`^PPC MP\+lwsync\+addr `)),
		in("#explore-cycle", hasAttr("action", "^/explore$"), hasAttr("method", "^post$")),
		in("a[href=/cycles?arch=PPC&cycle=PodWR+Fre+PodWR+Fre]", hasText("^SB$")),
		notIn("#menu"),
	)
	for model, verdict := range map[string]string{"SC": "forbidden", "Power": "forbidden", "Alpha": "allowed"} {
		if !strings.Contains(strings.Join(strings.Fields(page), " "),
			`<span class="model">`+model+`</span> <b aria-hidden="true">`+
				map[string]string{"forbidden": "✗", "allowed": "✓"}[verdict]+`</b> <span class="heard">`+
				verdict+`</span>`) {
			t.Errorf("%s is not said to be %s", model, verdict)
		}
	}

	w = get(h, cyclesAt("arch", "PPC", "cycle", "LwSyncdWW Rfe DpAddrdR Fre", "edge", "2"))
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("#menu h3", hasText("^DpAddrdR: a read, then in program order a read of another location; its address is "+
			"computed from what was read$")),
		in("#menu a[href=/cycles?arch=PPC&cycle=LwSyncdWW+Rfe+SyncdRR+Fre]",
			hasAttr("data-cycle", "^LwSyncdWW Rfe SyncdRR Fre$")),
		in("#menu [aria-disabled=true]"),
	)

	// The dialect's form translates what it can, and says what it cannot.
	w = get(h, cyclesAt("was", "PPC", "arch", "RISCV", "cycle", "LwSyncdWW Rfe DpCtrlIsyncdR Fre"))
	checkHTML(t, w.Body, in("#words input[name=cycle]", hasAttr("value", "^Fence.tsodWW Rfe DpCtrlFenceIdR Fre$")),
		notIn("#messages ul"))
	w = get(h, cyclesAt("was", "PPC", "arch", "X86", "cycle", "LwSyncdWW Rfe DpCtrlIsyncdR Fre"))
	checkHTML(t, w.Body, in("#words input[name=cycle]", hasAttr("value", "^PodWW Rfe PodRR Fre$")),
		in("#messages ul", hasText("LwSyncdWW became PodWW: litmus tests of X86 have no equivalent")))

	w = get(h, cyclesAt("arch", "X86", "cycle", "PodWR Wse PodWR Fre"))
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("#messages mark", hasText("^Wse$")),
		in("#messages li", hasText("^PodWR ends in a read, Wse begins at a write$")),
		in("#words input[name=cycle][aria-invalid]", hasAttr("value", "^PodWR Wse PodWR Fre$")), notIn("#ring"))
	wantStatus(t, get(h, cyclesAt("arch", "VAX", "cycle", "PodWR")), http.StatusUnprocessableEntity)
}

// What one types is shown as it is, wherever it is wrong.
func TestCyclesMarkWords(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, c := range []struct{ text, marked string }{
		{"<b>Foo</b> Fre", "&lt;b&gt;Foo&lt;/b&gt;"},
		{"PodWR\nFre Bar", "Bar"},
		{"[PodWR Fre", ""},
		{strings.Repeat("PodWR Fre ", 17), "PodWR"},
	} {
		w := get(h, cyclesAt("arch", "X86", "cycle", c.text))
		wantStatus(t, w, http.StatusOK)
		body := w.Body.String()
		if c.marked != "" && !strings.Contains(body, "<mark>"+c.marked+"</mark>") {
			t.Errorf("%.30q: no mark at %q", c.text, c.marked)
		}
	}
}

func TestCycleFiles(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, "/cycles/test?"+question.CycleQuery("X86", "PodWR Fre PodWR Fre"))
	wantStatus(t, w, http.StatusOK)
	if got := w.Header().Get("Content-Disposition"); got != `attachment; filename="SB.litmus"` ||
		!strings.HasPrefix(w.Body.String(), "X86 SB\n") {
		t.Errorf("%s\n%s", got, w.Body)
	}
	wantStatus(t, get(h, "/cycles/test?"+question.CycleQuery("X86", "PodWR Wse")), http.StatusUnprocessableEntity)

	w = get(h, "/cycles/family.zip?arch=X86&relax=Rfe+Fre+Wse+Pod**&from=4&to=4")
	wantStatus(t, w, http.StatusOK)
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "2+2W.litmus LB.litmus MP.litmus R.litmus S.litmus SB.litmus" {
		t.Errorf("the archive has %s", got)
	}
	wantStatus(t, get(h, "/cycles/family.zip?arch=X86&relax=Foo"), http.StatusUnprocessableEntity)
	wantStatus(t, get(h, "/cycles/family.zip?arch=X86&relax=Rfe+Fre+Pod**&from=4&to=99"),
		http.StatusUnprocessableEntity)
}

func postJSON(h http.Handler, path string, body any) *httptest.ResponseRecorder {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(b))
	r.Header.Set("Content-Type", "application/json")
	return do(h, r)
}

type object = map[string]any

func TestGenerate(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := postJSON(h, "/api/v1/generate", object{"arch": "X86", "cycle": "PodWR Fre MFencedWR Fre"})
	wantStatus(t, w, http.StatusOK)
	var one struct{ Name, Cycle, Source string }
	if err := json.Unmarshal(w.Body.Bytes(), &one); err != nil || one.Name != "SB+mfence+po" ||
		one.Cycle != "PodWR Fre MFencedWR Fre" || !strings.HasPrefix(one.Source, "X86 SB+mfence+po\n") {
		t.Errorf("%v: %s", err, w.Body)
	}
	w = postJSON(h, "/api/v1/generate", object{"arch": "X86", "cycle": "PodWR Fre PodWR Fre", "name": "mine"})
	wantStatus(t, w, http.StatusOK)
	if !strings.Contains(w.Body.String(), `"X86 mine\n`) {
		t.Errorf("%s", w.Body)
	}

	w = postJSON(h, "/api/v1/generate",
		object{"arch": "AArch64", "family": object{"relaxations": "Rfe Fre Wse Pod**", "from": 4, "to": 6}})
	wantStatus(t, w, http.StatusOK)
	if kind := w.Header().Get("Content-Type"); kind != "application/x-ndjson" {
		t.Errorf("type %s", kind)
	}
	lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	seen := map[string]bool{}
	for _, l := range lines {
		var line struct{ Path, Name, Source, Error string }
		if err := json.Unmarshal([]byte(l), &line); err != nil || line.Error != "" ||
			line.Path != line.Name+".litmus" || !strings.HasPrefix(line.Source, "AArch64 "+line.Name+"\n") {
			t.Errorf("%v: %s", err, l)
		}
		seen[line.Name] = true
	}
	for _, name := range []string{"SB", "MP", "IRIW", "WRC", "Z6.3", "3.LB"} {
		if !seen[name] {
			t.Errorf("there is no %s among %d tests", name, len(lines))
		}
	}

	for _, c := range []struct {
		body object
		want string
		col  int
	}{
		{
			object{"arch": "X86", "cycle": "PodWR Wse PodWR Fre"},
			"cannot read the cycle: cycle:1:7: PodWR ends in a read, Wse begins at a write", 7,
		},
		{
			object{"arch": "X86", "cycle": "PodWR Fre PodWR Fre", "name": "a b"},
			"name: want up to 128 letters, digits and any of + - . _ [ ].", 0,
		},
		{
			object{"arch": "X86", "family": object{"relaxations": "Rfe Foo", "from": 4, "to": 4}},
			"the relaxations have errors: cycle:1:5: X86 has no relaxation Foo: litmuscope gen --arch X86 " +
				"--words lists those that it has", 5,
		},
		{
			object{"arch": "X86", "family": object{"relaxations": "Rfe", "from": 4, "to": 99}},
			"the relaxations have errors: cycle:1:1: cycles of 4 to 99 accesses: want sizes from 2 to 12, the " +
				"smaller one first", 1,
		},
		{
			object{
				"arch": "X86", "cycle": "PodWR Fre PodWR Fre",
				"family": object{"relaxations": "Rfe", "from": 4, "to": 4},
			},
			"Give a cycle (with an optional name) or a family, not both.", 0,
		},
	} {
		w := postJSON(h, "/api/v1/generate", c.body)
		wantStatus(t, w, http.StatusUnprocessableEntity)
		var p server.Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Detail != c.want || c.col > 0 &&
			(len(p.Errors) == 0 || p.Errors[0].Column != c.col) {
			t.Errorf("%v: %s", err, w.Body)
		}
	}
}

// A family that is too large breaks off, and says so: as a line, as an archive that is none,
// and as no suite at all.
func TestFamilyTooLarge(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{}, func(c *web.Config) { c.Limits.Tests = 5 })
	family := object{"relaxations": "Rfe Fre Wse Pod**", "from": 4, "to": 4}
	w := postJSON(h, "/api/v1/generate", object{"arch": "X86", "family": family})
	wantStatus(t, w, http.StatusOK)
	lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
	if len(lines) != 6 || !strings.Contains(lines[5], `"path":"incomplete"`) ||
		!strings.Contains(lines[5], "The family has more than 5 tests") {
		t.Errorf("%d lines, the last of which is %s", len(lines), lines[len(lines)-1])
	}
	func() {
		defer func() {
			if e := recover(); e != http.ErrAbortHandler { //nolint:errorlint // recover gives the very value
				t.Errorf("the archive ends with %v", e)
			}
		}()
		get(h, "/cycles/family.zip?arch=X86&relax=Rfe+Fre+Wse+Pod**&from=4&to=4")
	}()
	family["arch"] = "X86"
	w = postJSON(h, "/api/v1/suites", object{"family": family})
	wantStatus(t, w, http.StatusUnprocessableEntity)
	if !strings.Contains(w.Body.String(), "more than 5 tests") {
		t.Errorf("%s", w.Body)
	}
	w = get(h, cyclesAt("arch", "X86", "relax", "Rfe Fre Wse Pod**"))
	checkHTML(t, w.Body, in("#family-result strong", hasText("^over 5 tests$")),
		in("#family-result", hasText("more than the 5 tests that this server makes at once")))
}

func TestFamilyAsASuite(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	w := postJSON(h, "/api/v1/suites",
		object{
			"models": []string{"sc", "tso"},
			"family": object{"arch": "X86", "relaxations": "Rfe Fre Wse Pod**", "from": 4, "to": 5},
		})
	wantStatus(t, w, http.StatusAccepted)
	var s struct {
		ID    string
		Tests int
	}
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || s.Tests < 10 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	for ; ; time.Sleep(20 * time.Millisecond) {
		found, err := h.Store.Suite(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		if found.State == suites.Done {
			break
		}
	}
	w = do(h, httptest.NewRequest(http.MethodGet, "/api/v1/suites/"+s.ID+"/results", nil))
	rows := 0
	for l := range strings.Lines(w.Body.String()) {
		var r solver.Result
		if err := json.Unmarshal([]byte(l), &r); err != nil {
			t.Fatal(err)
		}
		// Every cycle goes against sequential consistency.
		if rows++; r.Model == "sc" && r.Verdict != solver.Forbidden || r.Name == "SB" && r.Model == "tso" &&
			r.Verdict != solver.Allowed {
			t.Errorf("%s under %s: %s", r.Name, r.Model, r.Verdict)
		}
	}
	if rows != 2*s.Tests {
		t.Errorf("%d rows of %d tests", rows, s.Tests)
	}

	for _, c := range []struct {
		family object
		want   string
	}{
		{object{"arch": "X86", "relaxations": "Rfe Foo", "from": 4, "to": 4}, "X86 has no relaxation Foo"},
		{
			object{"name": "ring", "relaxations": "Rfe", "from": 4, "to": 4},
			"Give a family by name or by relaxations, not both.",
		},
		{object{"relaxations": "Rfe Fre", "from": 4, "to": 4}, "there are no cycles for architecture"},
	} {
		w := postJSON(h, "/api/v1/suites", object{"family": c.family})
		wantStatus(t, w, http.StatusUnprocessableEntity)
		if !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s", w.Body)
		}
	}
}

// A child that takes too much is a refusal in words.
func TestCycleTakesTooMuch(t *testing.T) {
	c := webtest.TestConfig(engines.Local{})
	c.Sandbox = failing{ring: &solver.Limited{Reason: "time limit of 5s reached"}}
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []*httptest.ResponseRecorder{
		get(h, "/cycles"), postJSON(h, "/api/v1/generate", object{"arch": "X86", "cycle": "PodWR Fre PodWR Fre"}),
	} {
		wantStatus(t, w, http.StatusUnprocessableEntity)
		if !strings.Contains(w.Body.String(), "time limit of 5s reached") {
			t.Errorf("%s", w.Body)
		}
	}
	c.Sandbox = failing{ring: errors.New("broken")}
	if h, err = web.New(c); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, get(h, "/cycles"), http.StatusInternalServerError)
}
