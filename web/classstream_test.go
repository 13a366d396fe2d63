package web_test

import (
	"bufio"
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"litmuscope/web/webtest"
)

// Whatever changes while a tally is due, screens hear of it: here just as the tallies of many are sent.
func TestChangesBesideTalliesAreTold(t *testing.T) {
	const screens, rounds = 20, 8 // as many screens as one address may have
	s := webtest.NewSchool(t)
	teacher, ann := s.Person(), s.Person()
	teach, join := teacher.Opens("prompt", "First?", "answer", "a", "answer", "b", "right", "0")
	ann.Get(join)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var events []<-chan string
	for range screens {
		events = append(events, follow(t, ctx, s.URL+join+"/screen/events"))
	}
	// hears waits until every screen has been told all anew, with some words.
	hears := func(words string) {
		t.Helper()
		for i, told := range events {
			for {
				view, ok := <-told
				if !ok {
					t.Fatalf("screen %d never hears %q", i, words)
				}
				if strings.Contains(view, words) {
					break
				}
			}
		}
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	for n := range rounds {
		ann.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "ballot", strconv.Itoa(n%2))
		time.Sleep(100 * time.Millisecond) // as long as tallies wait
		teacher.Wants(http.StatusNoContent, teach+"/do", "do", "close")
		hears("The vote is closed")
		teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	}
}

// follow gives what a stream says all anew in its events "view", until it ends.
func follow(t *testing.T, ctx context.Context, url string) <-chan string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if w.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d", url, w.StatusCode)
	}
	views := make(chan string, 1000)
	go func() {
		defer close(views)
		defer w.Body.Close()
		lines := bufio.NewScanner(w.Body)
		lines.Buffer(nil, 1<<20)
		event := ""
		for lines.Scan() {
			line := lines.Text()
			if name, ok := strings.CutPrefix(line, "event: "); ok {
				event = name
			} else if data, ok := strings.CutPrefix(line, "data: "); ok && event == "view" {
				views <- data
			}
		}
	}()
	return views
}
