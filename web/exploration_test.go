package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/web/webtest"
)

// wordsOf is what is read of an answer.
func wordsOf(html string) string {
	html = regexp.MustCompile(`(?s)<(style|script|svg).*?</(style|script|svg)>`).ReplaceAllString(html, "")
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(html, " ")), " ")
}

// The page on how a test is explored has a line for each graph, in the order of the visit, and the graph of the one
// that is chosen.
func TestExploration(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, "/exploration?test=SB&model=sc&at=6")
	wantStatus(t, w, http.StatusOK)
	text := wordsOf(w.Body.String())
	for _, want := range []string{
		"Exploration of SB under SC", "3 executions, 1 revisit, 1 forbidden",
		"Graph 2 , of graph 1 : P1 W y=1 revisits P0 R y=1 from P1",
		"Graph 7 , of graph 5 : P1 R x=1 from P0 execution 3",
		"Graph 6 of 7 Graph 6 , of graph 5 : P1 R x=0 forbidden The model forbids this: the cycle breaks " +
			"its axiom consensus .",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in %s", want, text)
		}
	}
	body := w.Body.String()
	if n := strings.Count(body, `class="revisit" d="`); n != 1 {
		t.Errorf("%d revisits are drawn", n)
	}
	if !strings.Contains(body, `href="/exploration?at=2&amp;model=sc&amp;test=SB"`) ||
		strings.Count(body, `aria-current="true"`) != 1 {
		t.Error("the lines do not lead to their graphs")
	}
	part := get(h, "/exploration?test=SB&model=sc&at=2&part")
	wantStatus(t, part, http.StatusOK)
	if text := wordsOf(part.Body.String()); !strings.HasPrefix(text, "Graph 2 of 7") ||
		strings.Contains(text, "How SB") || !strings.Contains(part.Body.String(), "<svg") {
		t.Errorf("the part is %s", text)
	}
}

// A form of the explorer's, or of the page on programs, leads there as it stands.
func TestExplorationOfForms(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	const program = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x;
void *writer(void *p) { x = N; return 0; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, writer, 0);
  int r = x;
  pthread_join(id, 0);
  assert(r == 0);
}
`
	for _, c := range []struct {
		form url.Values
		want string
	}{
		{url.Values{
			"source": {webtest.Buffering}, "model": {"rc11", "tso"}, "engine": {"graphs"},
			"option-timeout": {"10s"},
		}, "under RC11"},
		{
			url.Values{"source": {program}, "option-defines": {"N=1"}, "model": {"sc", "tso", "rc11"}},
			"writer W x=1 revisits main R x=1 from writer main joins writer fails",
		},
		{
			url.Values{"source": {program}, "option-defines": {"N=1"}, "model": {"aarch64"}},
			"AArch64 does not support this exploration. The page shows SC instead.",
		},
		{
			url.Values{"source": {program}, "option-defines": {"N=1"}, "model": {"imm"}},
			"IMM does not support this exploration. The page shows SC instead.",
		},
	} {
		w := get(h, "/exploration?"+c.form.Encode())
		if text := wordsOf(w.Body.String()); w.Code != http.StatusOK || !strings.Contains(text, c.want) {
			t.Errorf("got %d, want %q in %s", w.Code, c.want, text)
		}
	}
}

func TestExplorationRefuses(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	for query, want := range map[string]string{
		"test=Nobody":              "There is no classic test named &#34;Nobody&#34;.",
		"test=SB&at=none":          "want the number of a graph",
		"source=X86+a%0A%7B":       "The test has errors",
		"test=SB&option-unroll=-1": "Unroll: -1 is out of range",
	} {
		w := get(h, "/exploration?"+query)
		if w.Code != http.StatusUnprocessableEntity && w.Code != http.StatusNotFound &&
			w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: got %d, want %q in %s", query, w.Code, want, wordsOf(w.Body.String()))
		}
	}
}
