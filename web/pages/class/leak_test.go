package class

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/store"
	"litmuscope/web/teaching/class"
)

// verdictWords matches the words of an answer.
var verdictWords = litmus.Pattern(
	`(?i)\b(allow(s|ed)?|forbid(s|den)?|right|wrong|unknown|correct|solution|best|cheapest)\b|[✓✗]`)

// options are the elements that may name choices: they show all choices alike.
var options = []string{"vote", "option"}

// Before the reveal, neither the student's page nor the projector's shows the answer to any question of any lesson: not
// in an attribute, a link or a word outside the question and its choices.
func TestPromptsTellNothing(t *testing.T) {
	s := newTestPage(t)
	kept, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "db"))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	hall := class.NewHall(kept, time.Now)
	seen := map[class.Kind]int{}
	counted := 0
	for _, e := range s.teachable() {
		items, err := s.itemsOfLesson(t.Context(), e.Slug)
		if err != nil {
			t.Fatal(err)
		}
		room, _, err := hall.Open(t.Context(), "", items)
		if err != nil {
			t.Fatal(err)
		}
		// Test with names and points, too.
		if err := errors.Join(room.Do(t.Context(), class.Action{Do: class.Board, N: 1}),
			room.Join(t.Context(), class.VoterOf("ann"))); err != nil {
			t.Fatal(err)
		}
		for n := range items {
			if err := room.Do(t.Context(), class.Action{Do: class.Goto, N: n}); err != nil {
				t.Fatal(err)
			}
			for _, do := range []class.Verb{class.Open, class.Close, class.Discuss} {
				if err := room.Do(t.Context(), class.Action{Do: do}); err != nil {
					t.Fatal(err)
				}
				if do == class.Discuss && canRun(&items[n]) && countOnDevices(t, room, n) {
					counted++
				}
				for _, role := range []classRole{asStudent, asScreen} {
					v := s.viewClass(httptest.NewRequest("GET", "/class/"+room.Code, nil),
						classRequest{Room: room, voter: class.VoterOf("ann")}, role)
					var b strings.Builder
					if err := classBody(v).Render(t.Context(), &b); err != nil {
						t.Fatal(err)
					}
					for _, told := range tells(t, b.String()) {
						t.Errorf("%s, question %d, %s, to the %s: %s", e.File, n+1, do, role, told)
					}
				}
			}
			seen[items[n].Kind]++
		}
	}
	if counted < 10 {
		t.Errorf("devices have counted only %d tests", counted)
	}
	if len(seen) != 3 {
		t.Errorf("not all kinds of questions were looked at: %v", seen)
	}
}

// countOnDevices has a device of the class see the outcome that a question is about, and shows it on the projector. It
// returns whether the page shows the question's outcome.
func countOnDevices(t *testing.T, room *class.Room, n int) bool {
	t.Helper()
	outcome := room.View().Items[n].Outcome
	about := runAbout{Asked: []string{outcome}, Models: []modelAbout{
		{Label: "SC", Allowed: []string{}, Rest: solver.Forbidden}, {Label: "TSO", Allowed: []string{outcome}},
	}}
	b, err := json.Marshal(about)
	if err != nil {
		t.Fatal(err)
	}
	if err := room.AskDevices(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if outcome == "" {
		return false
	}
	if _, err := room.Report(t.Context(), class.VoterOf("ann"), n, 1, class.Report{
		Answer: class.Ran, Page: "a", Kind: "x86", Runs: 5, Counts: map[string]int64{outcome: 5},
	}); err != nil {
		t.Fatal(err)
	}
	return true
}

// The test finds pages that contain the answer.
func TestTells(t *testing.T) {
	for markup, want := range map[string]int{
		`<p>Can it?</p>`: 0,
		`<p>on <a href="/?test=LB">Power</a></p>`:                                                   1,
		`<p>on <span title="power allowed">Power</span></p>`:                                        1,
		`<button class="vote" aria-pressed="false">allowed</button>`:                                0,
		`<button class="vote allowed right">allowed</button>`:                                       1,
		`<ul class="options"><li><b>SC</b> <span class="option">allowed</span></li></ul>`:           0,
		`<div class="asked"><p>It is allowed on Power. Is it on Arm?</p></div>`:                     0,
		`<p class="where">It is allowed</p>`:                                                        1,
		`<fieldset data-best="1"><label><input value="1"/><span>MFENCE ✓</span></label></fieldset>`: 2,
	} {
		if got := tells(t, markup); len(got) != want {
			t.Errorf("%s: %q, want %d", markup, got, want)
		}
	}
}

// tells returns the parts of a page that contain the answer.
func tells(t *testing.T, markup string) (out []string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *html.Node, free bool)
	walk = func(n *html.Node, free bool) {
		switch n.Type {
		case html.TextNode:
			if !free && verdictWords().MatchString(n.Data) {
				out = append(out, n.Data)
			}
		case html.ElementNode:
			var classes []string
			for _, a := range n.Attr {
				if a.Key == "class" {
					classes = strings.Fields(a.Val)
				}
			}
			option := slices.ContainsFunc(options, func(c string) bool { return slices.Contains(classes, c) })
			for _, a := range n.Attr {
				text := a.Key + "=" + a.Val
				if verdictWords().MatchString(text) {
					out = append(out, text)
				}
				if n.Data == "a" && a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
					out = append(out, text)
				}
			}
			free = free || option ||
				slices.ContainsFunc([]string{"asked", "listing"},
					func(c string) bool { return slices.Contains(classes, c) }) || n.Data == "legend" &&
				!slices.Contains(classes, "heard")
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, free)
		}
	}
	walk(doc, false)
	return out
}
