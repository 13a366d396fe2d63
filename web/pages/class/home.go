package class

import (
	"net/http"
	"strings"

	"litmuscope/litmus"
	"litmuscope/store"
	"litmuscope/web/parts/classic"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// getClass is where one joins a class or opens one; ?test= is a classic test to ask about, and
// ?lesson= a lesson to teach.
func (s *page) getClass(w http.ResponseWriter, r *http.Request) {
	status, _, _ := s.server.Missing(r, store.Submit)
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
	s.server.Render(w, r, http.StatusOK, classHome(server.Nonce(r.Context()), v))
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

// listedTest is a test as people look at it: its name, its init and its threads, without what
// stands between for tools, and without the condition, which the question has. Threads in
// columns are in the head; bodies, which stand below one another, are apart.
type listedTest struct {
	Head    string
	Threads []string
}

func listing(source string) listedTest {
	parts := [][]string{nil}
	head := true
	for n, line := range lines(source) {
		word := strings.TrimSpace(line)
		if head = head && !strings.HasPrefix(word, "{"); head && n > 0 {
			continue
		}
		if !head && isQuestion(word) {
			break
		}
		if threadBody().MatchString(line) {
			parts = append(parts, nil)
		}
		last := len(parts) - 1
		parts[last] = append(parts[last], line)
	}
	text := func(part []string) string { return strings.TrimRight(strings.Join(part, "\n"), "\n ") }
	l := listedTest{Head: text(parts[0])}
	for _, p := range parts[1:] {
		l.Threads = append(l.Threads, text(p))
	}
	return l
}

// initOf is what is between the braces of a test's init.
func initOf(source string) string {
	_, rest, _ := strings.Cut(source, "{")
	init, _, _ := strings.Cut(rest, "}")
	var out []string
	for _, line := range lines(init) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// threadBody begins a thread in C.
var threadBody = litmus.Pattern(`^(static )?(void )?P\d+ ?\(`)

func isQuestion(line string) bool {
	for _, word := range []string{"exists", "~exists", "forall", "locations", "filter"} {
		if rest, ok := strings.CutPrefix(line, word); ok && strings.TrimLeft(rest, " ([") != rest {
			return true
		}
	}
	return line == "exists" || line == "~exists" || line == "forall"
}
