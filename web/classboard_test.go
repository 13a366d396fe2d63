package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"litmuscope/web/webtest"
)

var playerOnPage = regexp.MustCompile(`<p class="named"><b>(\w+ \w+)</b> (\d+ points?)</p>`)

// Names and points are there where the teacher wants them, and nowhere else; points tell nothing before what they are
// for is revealed.
func TestNamesAndPoints(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher, ann, bob, screen := s.Person(), s.Person(), s.Person(), s.Person()
	teach, join := teacher.Opens("prompt", "Which?", "answer", "this", "answer", "that", "right", "1")
	do := func(verbs ...string) {
		t.Helper()
		for _, verb := range verbs {
			teacher.Wants(http.StatusNoContent, teach+"/do", "do", verb)
		}
	}
	player := func(p *webtest.Person) (name, points string) {
		t.Helper()
		_, body, _ := p.Get(join)
		m := playerOnPage.FindStringSubmatch(body)
		if m == nil {
			return "", ""
		}
		return m[1], m[2]
	}
	has := func(p *webtest.Person, path string, want bool, words ...string) {
		t.Helper()
		_, body, _ := p.Get(path)
		for _, w := range words {
			if strings.Contains(webtest.PlainText(body), w) != want {
				t.Errorf("%s has %q: %v, want %v: %.1500s", path, w, !want, want, webtest.PlainText(body))
			}
		}
	}
	if name, _ := player(ann); name != "" {
		t.Errorf("nobody wants names, and ann is %s", name)
	}
	player(bob)
	do("open")
	ann.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "ballot", "1")
	bob.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "ballot", "0")
	has(teacher, teach, false, "Most points", "made-up name")
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "leaders:1")
	do("board:1")
	annIs, points := player(ann)
	bobIs, _ := player(bob)
	if annIs == "" || bobIs == "" || annIs == bobIs || points != "0 points" {
		t.Errorf("ann is %q with %s, bob %q", annIs, points, bobIs)
	}
	has(screen, join+"/screen", false, annIs, bobIs)
	has(teacher, teach, false, annIs, bobIs)
	s.Stop()
	s.Start()
	do("reveal")
	if name, points := player(ann); name != annIs || points != "100 points" {
		t.Errorf("ann is %q with %s, and was %s", name, points, annIs)
	}
	if name, points := player(bob); name != bobIs || points != "0 points" {
		t.Errorf("bob is %q with %s, and was %s", name, points, bobIs)
	}
	has(teacher, teach, true, "Most points 1 "+annIs+" 100", "Show leaders")
	has(screen, join+"/screen", false, annIs)
	do("leaders:1")
	has(screen, join+"/screen", true, "Most points 1 "+annIs+" 100")
	has(screen, join+"/screen", false, bobIs, "Which?")
	has(bob, join, false, annIs)
	do("leaders:0")
	has(screen, join+"/screen", true, "Which?")
	do("leaders:1", "cover")
	has(screen, join+"/screen", false, annIs)
	if _, points := player(ann); points != "0 points" {
		t.Errorf("what is covered again is worth %s", points)
	}
	do("reveal", "board:0")
	if name, _ := player(ann); name != "" {
		t.Errorf("nobody wants names any more, and ann is %s", name)
	}
	has(teacher, teach, false, annIs)
	for _, file := range []string{"/results.csv", "/votes.csv", "/deck.md"} {
		if _, body, _ := teacher.Get(teach + file); strings.Contains(body, annIs) {
			t.Errorf("%s has names", file)
		}
	}
}
