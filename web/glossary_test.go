package web_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/webtest"
)

// Whatever the pages name has a term: models, engines, the bounds of engines, quantifiers, and
// each word that a template marks.
func TestEveryTermIsExplained(t *testing.T) {
	want := map[string]string{}
	for _, m := range models.Names() {
		want[m] = "a model"
	}
	for _, e := range engines.Names() {
		want[e] = "an engine"
	}
	for _, o := range solver.OptionTable {
		if o.Counts != "" {
			want[o.Name] = "a bound"
		}
	}
	for _, q := range []string{"exists", "~exists", "forall"} {
		want[strings.Replace(q, "~", "not-", 1)] = "a quantifier"
	}
	var files []string
	err := filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		if filepath.Ext(name) == ".templ" {
			files = append(files, name)
		}
		return err
	})
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	marked := regexp.MustCompile(`\bRef\("([^"]+)"`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range marked.FindAllStringSubmatch(string(text), -1) {
			want[m[1]] = f
		}
	}
	for id, of := range want {
		if _, ok := glossary.Find(id); !ok {
			t.Errorf("the glossary has no term %q (%s)", id, of)
		}
	}
	if len(want) < 30 {
		t.Errorf("only %d terms are wanted", len(want))
	}
}

// Every link of the glossary's page leads somewhere, and every ID is there once.
func TestGlossaryLinks(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, "/glossary")
	wantStatus(t, w, http.StatusOK)
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int{}
	var links []string
	for n := range doc.Descendants() {
		if id, ok := attr(n, "id"); ok {
			ids[id]++
		}
		if href, ok := attr(n, "href"); ok && n.Data == "a" {
			links = append(links, href)
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("%d elements have ID %s", n, id)
		}
	}
	tests := 0
	for _, href := range links {
		page, anchor, _ := strings.Cut(href, "#")
		if strings.HasPrefix(page, "/?test=") {
			tests++
		}
		if page == "" || page == "/glossary" {
			if anchor != "" && ids[anchor] == 0 {
				t.Errorf("%s leads nowhere", href)
			}
		} else if w := get(h, page); w.Code != http.StatusOK {
			t.Errorf("%s: status %d", href, w.Code)
		}
	}
	if tests < 50 {
		t.Errorf("%d links to classic tests, want more", tests)
	}
	terms := 0
	for _, g := range glossary.Table().Groups {
		terms += len(g.Terms)
	}
	if terms < 90 {
		t.Errorf("%d terms", terms)
	}
}

func TestGlossarySearchWithoutScripts(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	checkHTML(t, get(h, "/glossary?q=store+buffer").Body,
		in("#found", hasText(`^\d+ terms contain “store buffer”\.$`)),
		in("input[name=q]", hasAttr("value", "^store buffer$")),
		in("div#store-buffer"), in("div#tso"), notIn("div#rf"),
	)
	checkHTML(t, get(h, "/glossary?q=%3Cscript%3E").Body, in("#found", hasText(`^0 terms contain “<script>”\.$`)),
		notIn("dl"))
}

func TestHelpIsReachedFromEveryPage(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, page := range []string{"/", "/api/docs", "/glossary", "/catalogue"} {
		checkHTML(t, get(h, page).Body, in("header nav a[href=/glossary]", hasText("^Help$")))
	}
	checkHTML(t, get(h, "/glossary").Body, in("main a[href=/catalogue]"), in("main a[href=/api/docs]"))
	checkHTML(
		t,
		get(h, "/").Body,
		in("#welcome", hasText("Can this happen on Arm, .*see why")),
		in("a#pick[href=/catalogue]"),
	)
}

// Terms and tests are kept by browsers until they change.
func TestKeptLists(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	ask := func(path, tag string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("If-None-Match", tag)
		return do(h, r)
	}
	for _, path := range []string{"/glossary/terms", "/classics/list"} {
		w := get(h, path)
		wantStatus(t, w, http.StatusOK)
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s is no JSON", path)
		}
		tag := w.Header().Get("ETag")
		again := ask(path, tag)
		if tag == "" || again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("%s, tag %s: status %d, %d bytes", path, tag, again.Code, again.Body.Len())
		}
		if w := ask(path, `W/"old"`); w.Code != http.StatusOK {
			t.Errorf("%s, another tag: status %d", path, w.Code)
		}
	}
}

// A test's name says its shape.
func TestShapeOf(t *testing.T) {
	for name, want := range map[string]string{
		"SB": "sb", "SB+rfi-pos": "sb", "3.SB": "sb", "MP+lwsync+addr": "mp", "2+2W+mfences": "2-2w", "CoRR2": "corr",
		"CoRW1": "corw",
		"W+RWC": "w-rwc", "RWC+syncs": "rwc", "R+po+mfence": "r", "S": "s", "inc+retry": "inc", "spinlock": "spinlock",
		"Lamport": "", "n6": "", "Szymanski": "", "parker": "", "fib1": "",
	} {
		got := ""
		if s := classic.ShapeOf(name); s != nil {
			got = s.ID
		}
		if got != want {
			t.Errorf("%s: shape %q, want %q", name, got, want)
		}
	}
}
