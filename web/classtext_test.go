package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	classpages "litmuscope/web/pages/class"
	"litmuscope/web/teaching/class"
	"litmuscope/web/webtest"
)

// What students write is the teacher's to look at, who keeps some of it back, before it is revealed and after; it is no
// markup to anybody.
func TestWrittenAnswers(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher := s.Person()
	teach, join := teacher.Opens("prompt", "Why does it <wait>?", "written", "1")
	page := (*webtest.Person).Reads
	lacks := func(p *webtest.Person, path string, no ...string) {
		t.Helper()
		body := page(p, path)
		for _, w := range no {
			if strings.Contains(strings.ToLower(body), strings.ToLower(w)) {
				t.Errorf("%s has %q", path, w)
			}
		}
	}
	do := func(verbs ...string) {
		t.Helper()
		for _, verb := range verbs {
			teacher.Wants(http.StatusNoContent, teach+"/do", "do", verb)
		}
	}
	do("open")
	const script = `<img src=x onerror=alert(1)>`
	var all []*webtest.Person
	for _, text := range []string{"The store buffer", " THE  Store\nbuffer\x00", "A rude word", script} {
		p := s.Person()
		page(p, join, "Why does it <wait>?", "Your answer of up to 140 characters", "Send")
		p.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "text", text, "made", fmt.Sprint(len(all)+1))
		all = append(all, p)
	}
	ann, screen := all[0], s.Person()
	page(all[1], join, "Your answer is in. You can change it.", "THE Store buffer")
	page(teacher, teach, "4 of 4 answered", "The store buffer Hide 2", "A rude word Hide 1", script+" Hide 1")
	do("live:1")
	page(screen, join+"/screen", "4 of 4 answered")
	lacks(screen, join+"/screen", "buffer", "rude", "onerror")
	lacks(ann, join, "rude", "onerror")

	do("hide:a RUDE word")
	page(teacher, teach, "A rude word hidden Show again 1")
	do("discuss", "open")
	page(ann, join, "Second round", "Answer again: keep your answer or change it.", "The store buffer")
	if _, body, at := ann.Post(join+"/vote", false, "item", "0", "round", "2", "text", "A fence"); at != join ||
		!strings.Contains(webtest.PlainText(body), "Your answer is in.") {
		t.Errorf("by a form: at %s: %.500s", at, webtest.PlainText(body))
	}
	all[2].Wants(http.StatusOK, join+"/vote", "item", "0", "round", "2", "text", "A rude word")
	s.Stop()
	s.Start()
	do("close", "reveal")
	for p, path := range map[*webtest.Person]string{ann: join, screen: join + "/screen"} {
		page(p, path, "First round 4", "The store buffer", "Second round 2", "A fence", script)
		lacks(p, path, "rude", "<img src=x")
	}
	page(ann, join, "A fence you 1")
	do("hide:" + script)
	lacks(ann, join, "onerror")
	lacks(screen, join+"/screen", "onerror")
	do("unhide:" + script)
	page(screen, join+"/screen", script)

	for _, no := range []struct {
		status int
		fields []string
	}{
		{
			http.StatusUnprocessableEntity,
			[]string{"item", "0", "round", "2", "text", strings.Repeat("x", class.MaxText+1)},
		},
		{http.StatusUnprocessableEntity, []string{"item", "0", "round", "2", "text", " "}},
		{http.StatusUnprocessableEntity, []string{"item", "0", "round", "2", "ballot", "0"}},
		{http.StatusUnprocessableEntity, []string{"item", "0", "round", "2", "set", "0:0"}},
		{http.StatusUnprocessableEntity, []string{"item", "0", "round", "2"}},
		{http.StatusConflict, []string{"item", "0", "round", "2", "text", "Too late"}},
	} {
		ann.Wants(no.status, join+"/vote", no.fields...)
	}
	ann.Wants(http.StatusForbidden, classpages.TeachPath+strings.TrimPrefix(join, "/class/")+"/do", "do", "hide:x")
	teacher.Wants(http.StatusOK, teach+"/add", "prompt", "Which?", "answer", "a", "answer", "b")
	do("goto:1", "open")
	page(ann, join, "Your votes", "A fence")
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "hide:x")
	ann.Wants(http.StatusUnprocessableEntity, join+"/vote", "item", "1", "round", "1", "text", "a")

	_, csv, _ := teacher.Get(teach + "/results.csv")
	if !strings.Contains(csv, ",1,,The store buffer,,2,4\n") || !strings.Contains(csv, ",2,,A fence,,1,2\n") {
		t.Errorf("results: %s", csv)
	}
}

// What is written is no formula where the results are opened as a table, and a file has the question as others.
func TestWrittenAnswersInFiles(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher, ann := s.Person(), s.Person()
	teach, join := teacher.Opens("prompt", "*Why*?\n(x)", "written", "1")
	sb := webtest.ClassicSource(t, "SB")
	teacher.Wants(http.StatusOK, teach+"/add", "prompt", "What happens here?", "written", "1", "source",
		sb, "picture", "tso")
	ann.Get(join)
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	ann.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "text", "=1+1")
	for _, file := range []string{"/results.csv", "/votes.csv"} {
		if _, body, _ := teacher.Get(teach + file); !strings.Contains(body, ",'=1+1,") {
			t.Errorf("%s: %s", file, body)
		}
	}
	_, deck, _ := teacher.Get(teach + "/deck.md")
	status, body, again := uploads(t, s, teacher, "/class/deck", "deck.md", deck)
	if status != http.StatusOK || !strings.HasPrefix(again, classpages.TeachPath) {
		t.Fatalf("loaded: status %d at %s: %.900s", status, again, webtest.PlainText(body))
	}
	if _, saved, _ := teacher.Get(again + "/deck.md"); saved != deck || strings.Count(deck, "```question") != 2 {
		t.Errorf("saved again it is\n%s\nand was\n%s", saved, deck)
	}
	join = "/class/" + webtest.CodeOnPage.FindStringSubmatch(body)[1]
	ann.Get(join)
	teacher.Wants(http.StatusNoContent, again+"/do", "do", "goto:1")
	if status, _, _ := ann.Get(join + "/evidence?item=1&part=0"); status != http.StatusForbidden {
		t.Errorf("the picture before it is asked: status %d", status)
	}
	teacher.Wants(http.StatusNoContent, again+"/do", "do", "open")
	if _, body, _ := ann.Get(join + "/evidence?item=1&part=0"); !strings.Contains(webtest.PlainText(body),
		"TSO allows") {
		t.Errorf("the picture: %.500s", webtest.PlainText(body))
	}
	ann.Wants(http.StatusOK, join+"/vote", "item", "1", "round", "1", "text", "P0's store waits")
	for want, fields := range map[string][]string{
		"leave the answers to choose from empty": {"answer", "a"},
		"choose either a model's verdict or":     {"source", sb, "verdict", "tso"},
		"the question has no text":               {"prompt", ""},
	} {
		if body := teacher.Wants(http.StatusUnprocessableEntity, teach+"/add",
			append(fields, "prompt", "Why?", "written", "1")...); !strings.Contains(body, want) {
			t.Errorf("%s: %.600s", want, body)
		}
	}
}
