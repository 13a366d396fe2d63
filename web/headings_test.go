package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// headings lists what is wrong with a page's headings: a level is left out, one has no text, or the first is no title.
func headings(page *html.Node) (wrong []string) {
	level := 0
	for n := range page.Descendants() {
		if attrOf(n, "hidden") || n.Parent != nil && attrOf(n.Parent, "hidden") {
			continue
		}
		if n.Type != html.ElementNode || len(n.Data) != 2 || n.Data[0] != 'h' || n.Data[1] < '1' || n.Data[1] > '6' {
			continue
		}
		next, text := int(n.Data[1]-'0'), strings.Join(strings.Fields(textOf(n)), " ")
		switch {
		case text == "":
			wrong = append(wrong, fmt.Sprintf("an empty %s below level %d", n.Data, level))
		case levelOf(n, next) > level+1:
			wrong = append(wrong, fmt.Sprintf("%s %q follows level %d", n.Data, text, level))
		}
		level = levelOf(n, next)
	}
	if level == 0 {
		wrong = append(wrong, "no heading")
	}
	return wrong
}

// attrOf reports whether an element has an attribute.
func attrOf(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// levelOf is the level that a heading says it has.
func levelOf(n *html.Node, usual int) int {
	for _, a := range n.Attr {
		if level, err := strconv.Atoi(a.Val); a.Key == "aria-level" && err == nil {
			return level
		}
	}
	return usual
}

// The headings of every page that links lead to, and of some that only forms do, are in order and have text: who cannot
// see a page goes by them.
func TestHeadings(t *testing.T) {
	t.Parallel()
	h := webtest.NewHandler(t, engines.Local{})
	kinds := map[string]int{} // pages seen, by path without its last part: a few of each kind are enough
	seen := map[string]bool{}
	queue := []string{"/"}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		w := get(h, at)
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		page, err := html.Parse(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := headings(page); len(wrong) > 0 {
			t.Errorf("%s: %s", at, strings.Join(wrong, "; "))
		}
		for n := range page.Descendants() {
			if n.Type != html.ElementNode || n.Data != "a" {
				continue
			}
			for _, a := range n.Attr {
				u, err := url.Parse(a.Val)
				if a.Key != "href" || err != nil || u.IsAbs() || !strings.HasPrefix(u.Path, "/") ||
					strings.HasPrefix(u.Path, "/static/") {
					continue
				}
				u.Fragment = ""
				kind := u.Path
				if dir, _, ok := strings.Cut(u.Path[1:], "/"); ok {
					kind = dir + "/"
				}
				most := 2
				if strings.HasPrefix(kind, "/lattice") || kind == "learn/" || kind == "docs/" {
					most = 60
				}
				if kinds[kind]++; !seen[u.String()] && kinds[kind] <= most*20 {
					seen[u.String()] = true
					if kinds["fetched "+kind]++; kinds["fetched "+kind] <= most {
						queue = append(queue, u.String())
					}
				}
			}
		}
	}
	for _, f := range []struct {
		path string
		form url.Values
	}{
		{"/explore", url.Values{"source": {webtest.ClassicSource(t, "SB")}, "model": {"sc", "tso"}}},
		{"/compile", url.Values{"source": {webtest.Buffering}, "to": {"aarch64"}}},
		{"/compile", url.Values{"source": {webtest.Buffering}, "to": {"all"}}},
		{"/repair", url.Values{"source": {webtest.ClassicSource(t, "SB")}, "repair": {`{"column":"tso","state":"{\"0:EAX\":\"0\",\"1:EAX\":\"0\"}"}`}}},
		{"/versus", url.Values{"source": {webtest.ClassicSource(t, "SB")}}},
		{"/lattice", url.Values{"arch": {"X86"}, "own-name": {"mine"}, "own-text": {"acyclic po | rf | co | fr"}}},
	} {
		w := post(h, f.path, f.form, true)
		page, err := html.Parse(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := headings(page); len(wrong) > 0 {
			t.Errorf("POST %s (%d): %s", f.path, w.Code, strings.Join(wrong, "; "))
		}
	}
	for _, must := range []string{"/learn", "/docs", "/glossary", "/distinguish", "/lattice", "/museum", "/cycles"} {
		if !seen[must] {
			t.Errorf("no link leads to %s", must)
		}
	}
}
