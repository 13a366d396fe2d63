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

// getClass shows the page where people join or open a class. ?test= names a classic test to ask about, ?lesson= a
// lesson to teach.
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

// shortAddress returns an address without its scheme, as people type it.
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

// listedTest is a test in the form that a class shows: name, initial values and threads. It leaves out metadata lines
// for tools, and the condition, which the question contains. Threads in columns are part of Head; C functions are in
// Threads.
type listedTest struct {
	Head    string
	Threads []string
}

// listing splits a test's source into the parts that a class shows.
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

// initOf returns the text between the braces of a test's initial state.
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

// threadBody matches the first line of a thread in C.
var threadBody = litmus.Pattern(`^(static )?(void )?P\d+ ?\(`)

func isQuestion(line string) bool {
	for _, word := range []string{"exists", "~exists", "forall", "locations", "filter"} {
		if rest, ok := strings.CutPrefix(line, word); ok && strings.TrimLeft(rest, " ([") != rest {
			return true
		}
	}
	return line == "exists" || line == "~exists" || line == "forall"
}
