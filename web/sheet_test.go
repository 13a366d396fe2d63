package web_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/parts/question"
	"litmuscope/web/webtest"
)

func newSheets(t *testing.T) http.Handler {
	t.Helper()
	h, err := web.New(webtest.TestConfig(engines.Local{}))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func sheetAddress(page string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Add(pairs[i], pairs[i+1])
	}
	return page + "?" + q.Encode()
}

// own is a test as an explorer's link has it, with a model of its own.
var ownItem = strings.TrimPrefix(question.ExplorerLink(question.LinkState{
	Source: "X86 Mine\n{}\n P0 ;\n MOV [x],$1 ;\nexists (x=1)\n", Models: []string{"sc", "tso"},
	Options: map[string]string{"unroll": "3"},
}), "/#")

// A sheet has tests from the catalogue and the user's own, in their order, with answers, pictures and rings or without
// any.
func TestSheet(t *testing.T) {
	h := newSheets(t)
	w := get(h, sheetAddress("/sheet", "item", "X86/SB", "item", ownItem, "title", "Week 1"))
	wantStatus(t, w, http.StatusOK)
	checkHTML(t, w.Body,
		in("h1", hasText("^Week 1$")),
		in("#test-1 h3", hasText("^SB$")),
		in("#test-2 h3", hasText("^Mine$")),
		in("#test-1 .ballot", hasText("TSO ☐ allows it")),
		in(".appendix h3", hasText("Test 1: SB")),
		in(".appendix svg.execution-graph"),
		in(".appendix svg.ring .event text", hasText("W x=1")),
		in(`a[download]`, hasText("Figures for LaTeX")),
	)
	bare := get(h, sheetAddress("/sheet", "item", "X86/SB", "answers", "no"))
	wantStatus(t, bare, http.StatusOK)
	for _, told := range []string{"appendix", "execution-graph", `class="ring"`, "under TSO"} {
		if strings.Contains(bare.Body.String(), told) {
			t.Errorf("without answers there is %q", told)
		}
	}
	checkHTML(t, get(h, "/sheet").Body, in(".lead", hasText("A sheet collects tests")))
}

// What is wrong with one item is said in its place, and takes nothing from the others.
func TestSheetOfWhatThereIsNot(t *testing.T) {
	h := newSheets(t)
	for _, c := range []struct{ item, want string }{
		{"nothing", "There is no classic test with this name."},
		{"1=!!", "Invalid link: it is incomplete or damaged."},
		{"1=" + strings.Repeat("A", 30), "Invalid link: "},
		{
			strings.TrimPrefix(
				question.ExplorerLink(question.LinkState{Source: "X86 Bad\n{}\n P0 ;\n FLY ;\nexists (x=1)\n"}), "/#"),
			"The test has errors:",
		},
		{
			strings.TrimPrefix(question.ExplorerLink(question.LinkState{Source: strings.Repeat("a", 2_000_000)}), "/#"),
			"it is too long",
		},
	} {
		w := get(h, sheetAddress("/sheet", "item", c.item, "item", "X86/SB"))
		wantStatus(t, w, http.StatusOK)
		if body := w.Body.String(); !strings.Contains(body, c.want) || !strings.Contains(body, `id="test-2"`) {
			t.Errorf("%.20s: %q is missing, or the other test, in %.2000s", c.item, c.want, body)
		}
	}
	many := []string{}
	for range 41 {
		many = append(many, "item", "X86/SB")
	}
	w := get(h, sheetAddress("/sheet", many...))
	wantStatus(t, w, http.StatusUnprocessableEntity)
	if !strings.Contains(w.Body.String(), "The sheet has 41 tests, and the limit is 40.") {
		t.Errorf("%.2000s", w.Body)
	}
}

// Figures have an execution and a ring for each test, and one style for all.
func TestSheetFigures(t *testing.T) {
	w := get(newSheets(t), sheetAddress("/sheet/figures", "item", "X86/SB", "item", "PPC/MP", "item", ownItem))
	wantStatus(t, w, http.StatusOK)
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	for _, name := range []string{
		"01-SB.tex", "01-SB-ring.tex", "02-MP.tex", "02-MP-ring.tex", "03-Mine.tex",
		"litmuscope.sty", "sheet.tex",
	} {
		if files[name] == "" {
			t.Errorf("there is no %s", name)
		}
		if strings.HasPrefix(name, "0") &&
			(!strings.Contains(files["sheet.tex"], `\input{`+name+"}") ||
				!strings.Contains(files[name], `\begin{tikzpicture}[litmuscope]`)) {
			t.Errorf("%s is no figure, or not in the document: %.300s", name, files[name])
		}
	}
	if _, is := files["03-Mine-ring.tex"]; is {
		t.Error("a test of no cycle has a ring")
	}
}
