package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"litmuscope/web/webtest"
)

// A lesson is taught from its first question to its last.
func TestTeachingALesson(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher, ann, bob := s.Person(), s.Person(), s.Person()
	_, body, _ := teacher.Get("/class?lesson=store-buffers")
	checkHTML(t, strings.NewReader(body), in("form button.main[name=lesson][value=store-buffers]"))
	teach, join := teacher.Opens("lesson", "store-buffers")
	ann.Get(join)
	bob.Get(join)
	_, body, _ = teacher.Get(teach)
	items := strings.Count(body, `value="goto:`) // in the list, and the way on
	if items < 4 {
		t.Fatalf("%d questions", items)
	}
	for n := 0; ; n++ {
		status, _, _ := teacher.Post(teach+"/do", true, "do", fmt.Sprint("goto:", n))
		if status == http.StatusConflict {
			break // it was the last
		}
		teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
		_, body, _ := ann.Get(join)
		parts := max(strings.Count(body, "<fieldset"), 1)
		ballot := strings.TrimSpace(strings.Repeat("0 ", parts))
		for _, p := range []*webtest.Person{ann, bob} {
			p.Wants(http.StatusOK, join+"/vote", "item", fmt.Sprint(n), "round", "1", "ballot", ballot)
		}
		teacher.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
		_, body, _ = ann.Get(join)
		text := webtest.PlainText(body)
		if !strings.Contains(text, "Read more in the lesson") || !strings.Contains(body, "/learn/store-buffers#") {
			t.Errorf("question %d leads nowhere: %.500s", n, text)
		}
		if at := strings.Index(body, `data-src="`); at >= 0 {
			src, _, _ := strings.Cut(body[at+len(`data-src="`):], `"`)
			if status, body, _ := ann.Get(strings.ReplaceAll(src, "&amp;", "&")); status != http.StatusOK ||
				!strings.Contains(body, "<svg") {
				t.Errorf("question %d: no picture: status %d: %.300s", n, status, webtest.PlainText(body))
			}
		}
	}
}
