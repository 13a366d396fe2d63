package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// Every link from a page of the manual leads to a page that there is, and to a place in it that there is.
func TestManualLinks(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	ids := map[string]map[string]bool{} // of the pages
	var links [][2]string               // from, to
	todo := []string{"/docs"}
	for len(todo) > 0 {
		page := todo[0]
		todo = todo[1:]
		if ids[page] != nil {
			continue
		}
		ids[page] = map[string]bool{"": true}
		w := get(h, page)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", page, w.Code)
			continue
		}
		for tokens := html.NewTokenizer(w.Body); tokens.Next() != html.ErrorToken; {
			for _, a := range tokens.Token().Attr {
				if a.Key == "id" {
					ids[page][a.Val] = true
				}
				to, err := url.Parse(a.Val)
				if a.Key != "href" || err != nil || to.Host != "" || to.Scheme != "" ||
					strings.HasPrefix(to.Path, "/static/") {
					continue
				}
				if to.Path == "" {
					to.Path = page
				}
				links = append(links, [2]string{page, to.Path + "#" + to.Fragment})
				if strings.HasPrefix(to.Path, "/docs") || strings.HasPrefix(to.Path, "/models/") {
					todo = append(todo, to.Path)
				}
			}
		}
	}
	for _, l := range links {
		page, id, _ := strings.Cut(l[1], "#")
		if known, ok := ids[page]; ok && !known[id] {
			t.Errorf("%s links to %s, which has no %s", l[0], page, id)
		}
	}
	if len(ids) < 25 {
		t.Errorf("only %d pages", len(ids))
	}
	if w := get(h, "/docs/nothing"); w.Code != http.StatusNotFound {
		t.Errorf("a page that is not there: status %d", w.Code)
	}
	if body := get(h, "/docs?q=%22%3E%3Cb%3E").Body.String(); strings.Contains(body, "<b>") ||
		!strings.Contains(body, "&gt;&lt;b&gt;") {
		t.Error("the query is not shown, or is shown as HTML")
	}
}
