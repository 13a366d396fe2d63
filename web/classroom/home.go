package classroom

import (
	"net/http"
	"strings"

	"litmuscope/store"
	"litmuscope/web/class"
	"litmuscope/web/classic"
	"litmuscope/web/shell"
)

// getClass is where one joins a class or opens one; ?test= is a classic test to ask about, and
// ?lesson= a lesson to teach.
func (s *room) getClass(w http.ResponseWriter, r *http.Request) {
	status, _, _ := s.Missing(r, store.Submit)
	v := classHomeView{Login: status != 0, Test: strings.ReplaceAll(r.URL.Query().Get("test"), " ", "+")}
	if v.Test == "" {
		v.Test = classic.First
	}
	v.Lessons = s.teachable()
	for _, e := range v.Lessons {
		if e.Slug == r.URL.Query().Get("lesson") {
			v.Lesson = e
		}
	}
	s.Render(w, r, http.StatusOK, classHome(shell.Nonce(r.Context()), v))
}

// shortAddress is an address as people type it.
func shortAddress(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	return rest
}

func ballotText(b class.Ballot) string {
	if b == nil {
		return ""
	}
	return b.String()
}

func lines(text string) []string {
	return strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
}

// listing is a test as people look at it: its name, its init and its threads, without what
// stands between for tools, and without the condition, which the question has.
func listing(source string) string {
	var out []string
	head := true
	for n, line := range lines(source) {
		word := strings.TrimSpace(line)
		if head = head && !strings.HasPrefix(word, "{"); head && n > 0 {
			continue
		}
		if !head && isQuestion(word) {
			break
		}
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n ")
}

func isQuestion(line string) bool {
	for _, word := range []string{"exists", "~exists", "forall", "locations", "filter"} {
		if rest, ok := strings.CutPrefix(line, word); ok && strings.TrimLeft(rest, " ([") != rest {
			return true
		}
	}
	return line == "exists" || line == "~exists" || line == "forall"
}
