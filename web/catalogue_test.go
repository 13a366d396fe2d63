package web_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litmuscope/litmus/catalogue"
	"litmuscope/models"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/classic"
	"litmuscope/web/webtest"
)

// found are the tests that a query of the catalogue lists.
func found(t *testing.T, h http.Handler, query string) []string {
	t.Helper()
	w := get(h, "/catalogue?"+query)
	wantStatus(t, w, http.StatusOK)
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for n := range doc.Descendants() {
		if class, _ := attr(n, "class"); class != "test" {
			continue
		}
		href, _ := attr(n, "href")
		id, err := url.QueryUnescape(strings.TrimPrefix(href, "/?test="))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := catalogue.Find(id); !ok {
			t.Errorf("%s leads to no test", href)
		}
		out = append(out, id)
	}
	return out
}

// Without scripts every test can be reached, from the table by way of its shape.
func TestCatalogueWithoutScripts(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	listed := map[string]bool{}
	for _, s := range catalogue.Shapes() {
		for _, arch := range classic.ArchNames() {
			for _, id := range found(t, h, url.Values{"shape": {s.Name}, "arch": {arch}}.Encode()) {
				listed[id] = true
			}
		}
	}
	for _, e := range catalogue.All() {
		if !listed[e.ID()] {
			t.Errorf("%s is not listed", e.ID())
		}
	}
	w := get(h, "/classics")
	if w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "/catalogue" {
		t.Errorf("/classics: %d to %q", w.Code, w.Header().Get("Location"))
	}
}

func TestCatalogueSearch(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, c := range []struct {
		query     url.Values
		has, lack string
	}{
		{url.Values{"q": {"wrc"}}, "PPC/WRC+addrs WRC", "W+RWC WRW+WR"},
		{url.Values{"q": {"WRC lwsync"}}, "PPC/WRC+lwsync+addr", "PPC/WRC+addrs"},
		{
			url.Values{"q": {"DpAddrdR"}, "arch": {"PPC"}},
			"PPC/MP+lwsync+addr PPC/PPOCA",
			"PPC/MP+lwsyncs AArch64/MP+dmb.sy+addr",
		},
		{url.Values{"q": {"stlr"}}, "AArch64/MP+popl+poap", "AArch64/MP"},
		{url.Values{"q": {"store forwarding"}}, "n6 n5", "MP"},
		{url.Values{"q": {"allowed:tso forbidden:sc"}}, "SB n6 Dekker", "MP SB+mfences inc"},
		{url.Values{"q": {"allowed:tso"}, "forbidden": {"sc"}}, "SB R", "LB"},
		{
			url.Values{"allowed": {"power"}, "forbidden": {"aarch64"}, "arch": {"PPC"}},
			"PPC/IRIW+addrs PPC/R+lwsync+sync", "PPC/IRIW+syncs PPC/SB",
		},
		{url.Values{"q": {"r"}, "arch": {"X86"}}, "R R+po+mfence", "RWC WRC"},
		{url.Values{"q": {"spin"}}, "spinlock", "SB"},
		{url.Values{"q": {"RISC-V message"}, "arch": {"RISCV"}}, "RISCV/MP", "RISCV/SB"},
	} {
		ids := found(t, h, c.query.Encode())
		for id := range strings.FieldsSeq(c.has) {
			if !slices.Contains(ids, id) {
				t.Errorf("%v: %s is not found", c.query, id)
			}
		}
		for id := range strings.FieldsSeq(c.lack) {
			if slices.Contains(ids, id) {
				t.Errorf("%v: %s is found", c.query, id)
			}
		}
	}
	for query, want := range map[string]string{
		"q=allowed:vax": "There is no model \"vax\": want one of sc, tso", "shape=Q": "There is no shape named \"Q\".",
		"q=zzz": "No test matches.", "": " tests in all.",
	} {
		checkHTML(t, get(h, "/catalogue?"+query).Body, in("#found .count", hasText(want)))
	}
}

// The table is the whole front, with a picture and verdicts for each shape; it and the
// longest list are light.
func TestCatalogueTable(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	checkHTML(
		t,
		get(h, "/catalogue").Body,
		in("li[data-shape=SB] a.open[href=/?test=SB]", in("svg"), in("b", hasText("^Store buffering$"))),
		in(
			"li[data-shape=SB] .marks",
			hasAttr("aria-label", "^SB: allowed under TSO, RISC-V, .*; forbidden under SC$"),
		),
		in("li.col-2[data-shape=WRC]"),
		in("li.col-7[data-shape=Z6.3]"),
		in("li[data-shape=Locks] a.all"),
	)
	for _, target := range []string{"/catalogue", "/catalogue?shape=MP", "/catalogue?q=allowed:power"} {
		body := get(h, target).Body.Bytes()
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(body)
		z.Close()
		t.Logf("%s: %d bytes, %d gzipped", target, len(body), b.Len())
		if b.Len() > 60_000 {
			t.Errorf("%s has %d bytes gzipped", target, b.Len())
		}
	}
}

// A verdict stands in the column of its model, also where other models say nothing of the test.
func TestCatalogueColumns(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for _, id := range []string{"C/2+2W+porelrels", "AArch64/Halves", "SB"} {
		e, ok := catalogue.Find(id)
		if !ok {
			t.Fatalf("there is no %s", id)
		}
		body := get(
			h,
			"/catalogue?part=found&"+url.Values{"arch": {e.Arch}, "shape": {e.Shape}}.Encode(),
		).Body.String()
		_, row, _ := strings.Cut(body, `<tbody id="`+id+`">`)
		row, _, _ = strings.Cut(row, "</tr>")
		cells := strings.Split(row, "<td")[1:]
		names := models.Arranged(models.Names(), e.Arch)
		if len(cells) != len(names) {
			t.Fatalf("%s: %d cells for %d models: %s", id, len(cells), len(names), row)
		}
		if names[0] != models.Default(e.Arch) {
			t.Errorf("%s: the first column is of %s", id, names[0])
		}
		for i, m := range names {
			v, _ := e.Under(m)
			if !strings.Contains(cells[i], `class="`+v.Verdict+`"`) ||
				!strings.Contains(cells[i], `title="`+models.Label(m)) {
				t.Errorf("%s, %s: %s, want %q", id, m, cells[i], v.Verdict)
			}
		}
	}
}
