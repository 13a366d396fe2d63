package web_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/store"
	"litmuscope/web"
	classpages "litmuscope/web/pages/class"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
	"litmuscope/web/webtest"
)

func TestClassWithoutScripts(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher, ann, bob := s.Person(), s.Person(), s.Person()
	teach, join := teacher.Opens(webtest.SBFields(t)...)
	page := func(p *webtest.Person, path string, want ...string) string {
		return webtest.PlainText(p.Reads(path, want...))
	}
	page(ann, join, "You have joined.")
	page(bob, "/class/join?code="+strings.ToLower(strings.TrimPrefix(join, "/class/")), "You have joined.")
	code := strings.TrimPrefix(join, "/class/") // random letters, which may be those of the test's name
	if text := strings.ReplaceAll(page(ann, join), code, ""); strings.Contains(text, "SB") {
		t.Errorf("what will be asked is told before: %s", text)
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	text := page(ann, join, "Can this happen?", "0:EAX=0; 1:EAX=0", "SC", "TSO", "allowed", "forbidden",
		"Question 1 of 2")
	if strings.Contains(text, "✓") || strings.Contains(text, "✗") {
		t.Errorf("the answer is told before: %s", text)
	}
	votes := func(p *webtest.Person, want string, fields ...string) {
		t.Helper()
		if _, body, at := p.Post(join+"/vote", false, fields...); at != join ||
			!strings.Contains(webtest.PlainText(body), want) {
			t.Errorf("vote %v: at %s: %.500s, want %q", fields, at, webtest.PlainText(body), want)
		}
	}
	votes(ann, "Your vote is in", "item", "0", "round", "1", "set", "1:0")
	votes(ann, "Your vote is in", "item", "0", "round", "1", "set", "0:0")
	votes(bob, "Your vote is in", "item", "0", "round", "1", "set", "1:1")
	page(teacher, teach, "2 of 2 voted")
	if text := page(ann, join+"/screen", "2 of 2 voted"); strings.Contains(text, "SC allowed 1") {
		t.Errorf("the tally is seen before: %s", text)
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "live:1")
	page(ann, join+"/screen", "TSO allowed 1 forbidden 0 SC allowed 1 forbidden 1")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "discuss")
	page(ann, join, "Discuss with your neighbour", "Your vote is in.")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	page(ann, join, "Second vote", "before")
	votes(ann, "Your vote is in", "item", "0", "round", "2", "set", "1:1")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
	page(ann, join, "First vote 2", "Second vote 1", "SC forbidden your answer", "forbidden right you 1")
	page(ann, join+"/screen", "First vote 2", "Second vote 1")
	page(ann, join+"/evidence?item=0&part=1", "SC forbids")
	page(ann, join+"/evidence?item=0&part=0", "TSO allows", "0:EAX=0; 1:EAX=0")

	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "goto:1")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	page(ann, join, "Where must fences be placed so that this is forbidden under TSO?",
		"MOV EAX,[y]", "MFENCE", "Your votes",
		"SC forbidden right")
	votes(
		ann,
		"This works, and no cheaper solution exists.",
		"item",
		"1",
		"round",
		"1",
		"place-0",
		"1",
		"place-1",
		"1",
	)
	votes(bob, "Not yet: TSO allows it.", "item", "1", "round", "1", "place-0", "1", "place-1", "0")
	page(ann, join+"/screen", "2 of 2 tried, 1 solved it")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
	page(ann, join, "No cheaper solution exists P0: MFENCE before MOV EAX,[y] P1: MFENCE before MOV EAX,[x] each "+
		"breaks a -mfence-> c -fr-> d -mfence-> f -fr-> a",
		"MFENCE in P0 before MOV EAX,[y]; MFENCE in P1 before MOV EAX,[x] right you 1",
		"MFENCE in P0 before MOV EAX,[y] wrong 1")
	page(ann, join+"/evidence?item=1&part=0", "TSO forbids")
	page(ann, join+"/evidence?item=1&part=1", "TSO allows")

	_, body, _ := teacher.Get(teach + "/results.csv")
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || len(rows) != 1+4+4+2 ||
		strings.Join(rows[1], " ") != "1 SB 0:EAX=0; 1:EAX=0 1 TSO allowed yes 1 2" {
		t.Errorf("results: %v\n%s", err, body)
	}
	if _, body, _ = teacher.Get(teach + "/votes.csv"); strings.Count(body, "\n") != 1+3+1+2 {
		t.Errorf("votes: %s", body)
	}
	teacher.Wants(http.StatusOK, teach+"/end")
	if status, _, _ := ann.Get(join); status != http.StatusNotFound {
		t.Errorf("after its end: status %d", status)
	}
}

// A vote that ends by itself is closed for all, and no page has another idea of when.
func TestVotesOfAClassEndByThemselves(t *testing.T) {
	s, later := behindProxy(t)
	teacher, ann := s.At("192.0.2.1"), s.At("192.0.2.1")
	teach, join := teacher.Opens("prompt", "Which?", "answer", "this", "answer", "that")
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "more:30")
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "timer:100000")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "timer:60")
	ann.Get(join)
	later(15 * time.Second)
	for p, path := range map[*webtest.Person]string{ann: join, s.At("192.0.2.2"): join + "/screen", teacher: teach} {
		if _, body, _ := p.Get(path); !strings.Contains(body, `data-left="45000">0:45<`) {
			t.Errorf("%s has no countdown: %.1500s", path, webtest.PlainText(body))
		}
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "more:30")
	s.Stop()
	s.Start()
	later(70 * time.Second)
	ann.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "ballot", "1")
	later(5 * time.Second)
	for p, path := range map[*webtest.Person]string{ann: join, s.At("192.0.2.2"): join + "/screen"} {
		if _, body, _ := p.Get(path); !strings.Contains(body, "The vote is closed") ||
			strings.Contains(body, "data-left") {
			t.Errorf("%s goes on: %.1500s", path, webtest.PlainText(body))
		}
	}
	later(5 * time.Second)
	ann.Wants(http.StatusConflict, join+"/vote", "item", "0", "round", "1", "ballot", "0")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
}

// uploads sends a deck as a browser does.
func uploads(
	t *testing.T, s *webtest.School, p *webtest.Person, path, name, text string,
) (status int, body, at string) {
	t.Helper()
	var b strings.Builder
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("deck", name)
	if err == nil {
		_, err = io.WriteString(part, text)
	}
	if err := errors.Join(err, form.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, s.URL+path, strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	return p.Ask(r, false)
}

// What a class asks is saved, and asks the same when it is loaded into another.
func TestDecksOfAClass(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher, ann := s.Person(), s.Person()
	teach, _ := teacher.Opens("prompt", "*Which*, <b>?\n(x) `this`", "answer", "1. one", "answer", "[x] two & $3$",
		"right", "1")
	teacher.Wants(http.StatusOK, teach+"/add", "lesson", "store-buffers")
	teacher.Wants(http.StatusOK, teach+"/add", webtest.SBFields(t)...)
	_, deck, _ := teacher.Get(teach + "/deck.md")
	if strings.Count(deck, "This file does not contain question") != 2 {
		t.Errorf("the deck does not say what it lacks: %s", deck)
	}
	status, body, again := uploads(t, s, teacher, "/class/deck", "deck.md", deck)
	if status != http.StatusOK || !strings.HasPrefix(again, classpages.TeachPath) {
		t.Fatalf("loaded: status %d at %s: %.900s", status, again, webtest.PlainText(body))
	}
	code := webtest.CodeOnPage.FindStringSubmatch(body)[1]
	if _, saved, _ := teacher.Get(again + "/deck.md"); !strings.HasPrefix(deck, saved) {
		t.Errorf("saved again it is\n%s\nand was\n%s", saved, deck)
	}
	teacher.Wants(http.StatusNoContent, again+"/do", "do", "open")
	_, body, _ = ann.Get("/class/" + code)
	if text := webtest.PlainText(body); !strings.Contains(
		text,
		"*Which*, <b>? (x) `this` Your answer 1. one [x] two & $3$",
	) || !strings.Contains(body, `<h1 class="prompt">`) {
		t.Errorf("the question is %s", text)
	}
	// A lesson's question leads there once it is answered, from the file, too; what there is no lesson of leads
	// nowhere.
	teacher.Wants(http.StatusNoContent, again+"/do", "do", "goto:1")
	teacher.Wants(http.StatusNoContent, again+"/do", "do", "open")
	const more = `href="/learn/store-buffers#`
	if _, body, _ := ann.Get("/class/" + code); strings.Contains(body, more) {
		t.Error("it leads to the answer before that is revealed")
	}
	teacher.Wants(http.StatusNoContent, again+"/do", "do", "reveal")
	if _, body, _ := ann.Get("/class/" + code); !strings.Contains(body, more) {
		t.Errorf("the lesson's question leads nowhere: %.900s", webtest.PlainText(body))
	}
	if status, _, _ := uploads(t, s, teacher, again+"/deck", "more.md",
		"```question more=\"elsewhere#question-1\"\nElsewhere?\n( ) a\n( ) b\n```\n"); status != http.StatusOK {
		t.Errorf("from a lesson that is not here: status %d", status)
	}
	if status, body, _ := uploads(t, s, teacher, again+"/deck", "more.md",
		"```question\nMore? [x](javascript:alert(1))\n( ) a\n( ) b\n```\n"); status != http.StatusOK ||
		!strings.Contains(body, "More?") || strings.Contains(body, "javascript:") {
		t.Errorf("more: status %d: %.500s", status, webtest.PlainText(body))
	}
	for text, want := range map[string]string{
		"": "deck.md:1:1: the file has no questions",
		"```question\nWhich?\n( ) <script>alert(1)</script>\n( ) b\n```\n":       "deck.md:3:1: HTML is not allowed",
		"```question\n[a](javascript:alert(1))\n```\n":                           "deck.md:1:4: got 0 choices",
		"```litmus predict\nX86 SB\n{}\n P0 ;\n NONSENSE ;\nexists (x=1)\n```\n": "deck.md:5:",
		strings.Repeat("x", 200<<10):                                             "",
		strings.Repeat("```question\nWhich?\n( ) a\n( ) b\n```\n", 101):          "100 questions",
	} {
		status, body, _ := uploads(t, s, teacher, again+"/deck", "../deck.md", text)
		if status < 400 || status >= 500 || !strings.Contains(webtest.PlainText(body), want) ||
			strings.Contains(body, "<script>alert") {
			t.Errorf("%.60q: status %d: %.600s", text, status, webtest.PlainText(body))
		}
	}
	if status, _, _ := uploads(t, s, ann, "/class/teach/"+class.NewSecret()+"/deck", "deck.md",
		deck); status != http.StatusForbidden {
		t.Errorf("of another's class: status %d", status)
	}
}

// A question of the teacher's own is about a test, whose execution is drawn with it, or on which a model's verdict is
// the answer.
func TestOwnQuestionsAboutTests(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher, ann := s.Person(), s.Person()
	sb := webtest.ClassicSource(t, "SB")
	teach, join := teacher.Opens("prompt", "Does <TSO> allow it?", "source", sb, "verdict", "tso")
	teacher.Wants(
		http.StatusOK,
		teach+"/add",
		"prompt",
		"Which store waits?",
		"source",
		sb,
		"picture",
		"tso",
		"answer",
		"P0's",
		"answer",
		"both",
		"right",
		"1",
	)
	page := func(p *webtest.Person, path string, want ...string) string {
		return webtest.PlainText(p.Reads(path, want...))
	}
	evidence := func(path string, want int) {
		t.Helper()
		if status, _, _ := ann.Get(join + path); status != want {
			t.Errorf("%s: status %d, want %d", path, status, want)
		}
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	if text := page(ann, join, "Does <TSO> allow it?", "MOV EAX,[y]",
		"allowed forbidden"); strings.Contains(text, "✓") {
		t.Errorf("the answer is told before: %s", text)
	}
	evidence("/evidence?item=0&part=0", http.StatusForbidden)
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
	page(ann, join, "TSO allowed")
	evidence("/evidence?item=0&part=0", http.StatusOK)
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "goto:1")
	evidence("/evidence?item=1&part=0", http.StatusForbidden)
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	page(ann, join, "Which store waits?", "MOV EAX,[y]", "P0's both")
	page(ann, join+"/evidence?item=1&part=0", "TSO allows")

	_, deck, _ := teacher.Get(teach + "/deck.md")
	_, _, again := uploads(t, s, teacher, "/class/deck", "deck.md", deck)
	if _, saved, _ := teacher.Get(again + "/deck.md"); saved != deck || deck == "" {
		t.Errorf("saved again it is\n%s\nand was\n%s", saved, deck)
	}
	for want, fields := range map[string][]string{
		"test:5:": {
			"source", "X86 SB\n{}\n P0 ;\n MOV [x],$1 ;\n NONSENSE ;\nexists (x=1)\n", "answer",
			"a", "answer", "b",
		},
		"no model":                 {"source", sb, "verdict", "nonsense"},
		"Leave your answers empty": {"source", sb, "verdict", "tso", "answer", "a", "answer", "b"},
		"got 0 choices":            {"source", sb},
		"reveal the verdict":       {"source", sb, "verdict", "tso", "picture", "tso"},
		"2 to 8 answers, not 0":    {"source", " "},
		"the file is longer than":  {"source", strings.Repeat("x\n", 100<<10), "verdict", "tso"},
	} {
		if body := teacher.Wants(http.StatusUnprocessableEntity, teach+"/add",
			append([]string{"prompt", "Which?"}, fields...)...); !strings.Contains(body, want) {
			t.Errorf("%s: %.600s", want, body)
		}
	}
}

// What a teacher has written is no formula where the results are opened as a table.
func TestResultsAreNoFormulas(t *testing.T) {
	teacher := webtest.NewSchool(t).Person()
	teach, _ := teacher.Opens("prompt", "=1+1", "answer", "@two", "answer", "-2")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	_, body, _ := teacher.Get(teach + "/results.csv")
	if want := "1,'=1+1,'=1+1,1,,'@two,,0,0\n1,'=1+1,'=1+1,1,,'-2,,0,0\n"; !strings.HasSuffix(body, want) {
		t.Errorf("got\n%s, want\n%s", body, want)
	}
}

func TestOnlyTheTeacherDrives(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher, ann := s.Person(), s.Person()
	teach, join := teacher.Opens(webtest.SBFields(t)...)
	other, otherJoin := teacher.Opens("prompt", "Which?", "answer", "this", "answer", "that", "right", "1")
	ann.Get(join)
	ann.Get(otherJoin)
	code := strings.TrimPrefix(join, "/class/")
	for _, secret := range []string{
		code, "AAAAAAAAAAAAAAAAAAAAAA",
		strings.TrimPrefix(teach, classpages.TeachPath) + "x",
	} {
		for _, what := range []string{"/do", "/add", "/compose", "/end"} {
			ann.Wants(http.StatusForbidden, classpages.TeachPath+secret+what, "do", "open")
		}
		for _, what := range []string{"", "/events", "/results.csv", "/votes.csv"} {
			if status, _, _ := ann.Get(classpages.TeachPath + secret + what); status != http.StatusForbidden {
				t.Errorf("%s%s: status %d", secret, what, status)
			}
		}
	}
	for _, what := range []string{"/do", "/end", "/add"} {
		if status, _, _ := ann.Post(join+what, true, "do", "open"); status != http.StatusNotFound {
			t.Errorf("%s of a class by its code: status %d", what, status)
		}
	}
	// A vote before it is open, of what there is not, and without a cookie.
	ann.Wants(http.StatusConflict, join+"/vote", "item", "0", "round", "1", "ballot", "0 0")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	ann.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "ballot", "0 0")
	for _, bad := range []string{"", "0", "0 0 0", "5 0", "a b", "- -"} {
		ann.Wants(http.StatusUnprocessableEntity, join+"/vote", "item", "0", "round", "1", "ballot", bad)
	}
	ann.Wants(http.StatusUnprocessableEntity, join+"/vote", "item", "9", "round", "1", "ballot", "0 0")
	ann.Wants(http.StatusUnprocessableEntity, join+"/vote", "item", "0", "round", "1", "set", "7:0")
	ann.Wants(http.StatusConflict, join+"/vote", "item", "0", "round", "2", "ballot", "0 0")
	s.Person().Wants(http.StatusForbidden, join+"/vote", "item", "0", "round", "1", "ballot", "0 0")
	// The other class has not opened, whatever this one has.
	ann.Wants(http.StatusConflict, otherJoin+"/vote", "item", "0", "round", "1", "ballot", "0")
	teacher.Wants(http.StatusNoContent, other+"/do", "do", "open")
	ann.Wants(http.StatusOK, otherJoin+"/vote", "item", "0", "round", "1", "ballot", "0")
	for path, want := range map[string]string{teach: "1 of 1 voted", other: "1 of 1 voted"} {
		if _, body, _ := teacher.Get(path); !strings.Contains(webtest.PlainText(body), want) {
			t.Errorf("%s: %.800s", path, webtest.PlainText(body))
		}
	}
	// A page has nothing that the teacher has not revealed.
	for _, path := range []string{join + "/evidence?item=0&part=0", join + "/evidence?item=1&part=0"} {
		if status, _, _ := ann.Get(path); status != http.StatusForbidden {
			t.Errorf("%s: status %d", path, status)
		}
	}
	if status, _, _ := ann.Get(join + "/evidence?item=9&part=0"); status != http.StatusNotFound {
		t.Errorf("evidence of no question: status %d", status)
	}
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "open")
	teacher.Wants(http.StatusConflict, teach+"/do", "do", "dance")
	teacher.Wants(http.StatusUnprocessableEntity, teach+"/do", "do", "goto:x")
	// Another site's page has no one's vote cast.
	r, err := http.NewRequest(http.MethodPost, s.URL+join+"/vote", strings.NewReader("item=0&round=1&ballot=0+0"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if status, _, _ := ann.Ask(r, false); status != http.StatusForbidden {
		t.Errorf("from another site: status %d", status)
	}
}

// behindProxy has a school's visitors come through a proxy, and its time stand still until the test moves it.
func behindProxy(t *testing.T) (s *webtest.School, later func(time.Duration)) {
	now := time.Now()
	var gone atomic.Int64
	s = webtest.NewSchool(t, func(c *web.Config) {
		c.Proxies, c.Clock = behindOne(t), func() time.Time { return now.Add(time.Duration(gone.Load())) }
		c.Limits.Rate = 0
	})
	return s, func(d time.Duration) { gone.Add(int64(d)) }
}

// A lecture hall is one address: whatever wrong codes come from it, right ones and voters are let in.
func TestWrongCodesLockNobodyOut(t *testing.T) {
	s, later := behindProxy(t)
	teacher, ann, guesser := s.At("192.0.2.1"), s.At("192.0.2.1"), s.At("192.0.2.1")
	teach, join := teacher.Opens("prompt", "Which?", "answer", "this", "answer", "that")
	ann.Get(join)
	for n := range server.WrongMost + 1 {
		want := http.StatusNotFound
		if n == server.WrongMost {
			want = http.StatusTooManyRequests
		}
		if status, body, _ := guesser.Get("/class/AAAAAA"); status != want {
			t.Fatalf("wrong code %d: status %d, want %d: %.300s", n+1, status, want, webtest.PlainText(body))
		}
	}
	if status, _, _ := s.At("192.0.2.2").Get("/class/AAAAAA"); status != http.StatusNotFound {
		t.Errorf("another address waits: status %d", status)
	}
	if status, body, _ := s.At("192.0.2.1").Get("/class/join?code=" +
		strings.TrimPrefix(join, "/class/")); status != http.StatusOK || !strings.Contains(body, "You have joined.") {
		t.Errorf("a right code after wrong ones: status %d", status)
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	ann.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "ballot", "0")
	later(2 * time.Second)
	if status, _, _ := guesser.Get("/class/AAAAAA"); status != http.StatusNotFound {
		t.Errorf("two seconds later: status %d", status)
	}
}

// A lecture hall behind one address has room in a class, and nobody votes more often than one may join; a teacher can
// let more in.
func TestVotesCannotBeStuffed(t *testing.T) {
	s, later := behindProxy(t)
	teacher := s.At("198.51.100.1")
	teach, join := teacher.Opens("prompt", "Which?", "answer", "this", "answer", "that")
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	vote := []string{"item", "0", "round", "1", "ballot", "1"}

	ann := s.At("192.0.2.1")
	ann.Get(join)
	ann.Wants(http.StatusOK, join+"/vote", vote...)
	ann.Wants(http.StatusOK, join+"/vote", vote...) // the same vote again
	s.Stop()
	s.Start() // which counts joins anew, but not votes
	ann.Wants(http.StatusOK, join+"/vote", vote...)

	// Tokens that the server has not given are nobody's.
	at, err := url.Parse(s.URL + join)
	if err != nil {
		t.Fatal(err)
	}
	place := ann.Jar.Cookies(at)[0].Value
	for _, made := range []string{
		class.NewSecret(), class.NewSecret() + "." + class.NewSecret(),
		class.NewSecret() + place[strings.Index(place, "."):],
	} {
		p := s.At("192.0.2.9")
		p.Jar.SetCookies(at, []*http.Cookie{{Name: "litmuscope_voter", Value: made, Path: join}})
		p.Wants(http.StatusForbidden, join+"/vote", vote...)
		p.Get(join) // and gets a place
		p.Wants(http.StatusOK, join+"/vote", vote...)
	}

	joined := 0
	stuff := func() (status int, body string) {
		p := s.At("192.0.2.1")
		if status, body, _ = p.Get(join); status == http.StatusOK {
			p.Wants(http.StatusOK, join+"/vote", vote...)
			joined++
		}
		return status, body
	}
	for range classpages.JoinMost {
		stuff()
	}
	if status, body := stuff(); joined != classpages.JoinMost || status != http.StatusTooManyRequests ||
		!strings.Contains(webtest.PlainText(body), "Let more join from one network") ||
		!strings.Contains(body, `http-equiv="refresh"`) {
		t.Fatalf("%d have joined, then status %d: %.500s", joined, status, webtest.PlainText(body))
	}
	ann.Wants(http.StatusOK, join+"/vote", vote...)
	if status, _, _ := s.At("192.0.2.2").Get(join); status != http.StatusOK {
		t.Errorf("from elsewhere: status %d", status)
	}
	if status, _, _ := ann.Get(join); status != http.StatusOK {
		t.Errorf("who has a place: status %d", status)
	}
	later(classpages.JoinEvery)
	if status, _ := stuff(); status != http.StatusOK {
		t.Errorf("after a while: status %d", status)
	}
	if status, _ := stuff(); status != http.StatusTooManyRequests {
		t.Errorf("then another: status %d", status)
	}
	if _, body, _ := teacher.Get(teach); !strings.Contains(webtest.PlainText(body),
		fmt.Sprintf("%d of %d voted", joined+4, joined+4)) ||
		!strings.Contains(webtest.PlainText(body), "Some people have to wait to join") {
		t.Errorf("%d have joined: %.800s", joined, webtest.PlainText(body))
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "wide:1")
	if status, _ := stuff(); status != http.StatusOK {
		t.Errorf("opened wide: status %d", status)
	}
	if _, body, _ := teacher.Get(teach); strings.Contains(
		webtest.PlainText(body),
		"Some people have to wait to join",
	) {
		t.Errorf("opened wide: %.800s", webtest.PlainText(body))
	}
	teacher.Wants(http.StatusNoContent, teach+"/do", "do", "wide:0")
	if status, _ := stuff(); status != http.StatusTooManyRequests {
		t.Errorf("bounded again: status %d", status)
	}
}

// Nobody alone takes all the classes that there may be.
func TestClassesOfAnAddressAreBounded(t *testing.T) {
	s, later := behindProxy(t)
	open := func(from string) int {
		status, _, _ := s.At(from).Post("/class/open", true, "empty", "1")
		return status
	}
	for range classpages.OpenMost {
		if status := open("192.0.2.1"); status != http.StatusOK {
			t.Fatalf("status %d", status)
		}
	}
	if status := open("192.0.2.1"); status != http.StatusTooManyRequests {
		t.Errorf("one more: status %d", status)
	}
	if status := open("192.0.2.2"); status != http.StatusOK {
		t.Errorf("from elsewhere: status %d", status)
	}
	later(classpages.OpenEvery)
	if status := open("192.0.2.1"); status != http.StatusOK {
		t.Errorf("after a while: status %d", status)
	}
}

func TestWhatCannotBeAsked(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher := s.Person()
	sb := webtest.SBFields(t)
	for _, c := range []struct {
		want   string
		fields []string
	}{
		{"No question chosen", sb[:10]},
		{"has errors: line 1", []string{"source", "X86", "model", "sc", "ask", "sc", "row", ""}},
		{"SC already forbids this without fences.", []string{"source", sb[1], "model", "sc", "fences", "sc"}},
		{
			"TSO allows this even with every fence in place.",
			[]string{
				"source", strings.Replace(sb[1], `0:EAX=0 /\ 1:EAX=0`, "x=1", 1), "model",
				"tso", "fences", "tso",
			},
		},
		{
			"The test's architecture has no fences.",
			[]string{
				"source", "BPF SB\n{ 0:r1=x; 0:r2=y; 1:r1=y; 1:r2=x; }\n P0 | P1 ;\n r3 = 1 | r3 = 1 ;\n" +
					" *(u32 *)(r1 + 0) = r3 | *(u32 *)(r1 + 0) = r3 ;\n" +
					" r4 = *(u32 *)(r2 + 0) | r4 = *(u32 *)(r2 + 0) ;\nexists (0:r4=0 /\\ 1:r4=0)\n", "model",
				"bpf", "fences", "bpf",
			},
		},
		{"2 to 8 answers", []string{"prompt", "Which?", "answer", "one"}},
		{"the question has no text", []string{"prompt", " ", "answer", "one", "answer", "two"}},
		{
			"it has 2001 characters, and the limit is 2000",
			[]string{"prompt", strings.Repeat("é", 2001), "answer", "one", "answer", "two"},
		},
		{
			"an answer has 302 characters, and the limit is 300",
			[]string{"prompt", "Which?", "answer", "one", "answer", strings.Repeat("😀", 151)},
		},
	} {
		status, body, _ := teacher.Post("/class/open", false, c.fields...)
		if status/100 != 4 || !strings.Contains(webtest.PlainText(body), c.want) {
			t.Errorf("%.60q: status %d, %.300s, want %q", c.fields, status, webtest.PlainText(body), c.want)
		}
	}
}

// With --auth, who opens a class needs a token, and who joins it none.
func TestClassesAndTokens(t *testing.T) {
	school := webtest.NewSchool(t, func(c *web.Config) { c.Auth, c.Tokens = true, c.Rooms.(*store.Store) })
	secret, err := school.Kept.AddToken(t.Context(), store.Token{Name: "teacher", Scopes: []store.Scope{store.Submit}})
	if err != nil {
		t.Fatal(err)
	}
	ann, teacher := school.Person(), school.Person()
	for _, path := range []string{"/class/open", "/class/compose"} {
		ann.Wants(http.StatusUnauthorized, path, "empty", "1")
	}
	if _, body, _ := ann.Get("/class"); !strings.Contains(webtest.PlainText(body), "Log in to open a class") ||
		strings.Contains(body, `action="/class/open"`) {
		t.Errorf("without a token: %.500s", webtest.PlainText(body))
	}
	if status, _, at := teacher.Post("/login", false, "token", secret, "next", "/class"); status != http.StatusOK ||
		at != "/class" {
		t.Fatalf("login: status %d at %s", status, at)
	}
	teach, join := teacher.Opens(webtest.SBFields(t)...)
	// On another machine the link alone does.
	elsewhere := school.Person()
	elsewhere.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	ann.Get(join)
	ann.Wants(http.StatusOK, join+"/vote", "item", "0", "round", "1", "ballot", "0 0")
}

func TestSecretsAreNotLogged(t *testing.T) {
	var log strings.Builder
	s := webtest.NewSchool(t, func(c *web.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	teacher := s.Person()
	teach, _ := teacher.Opens("empty", "1")
	teacher.Get(teach)
	s.Stop()
	if text := log.String(); strings.Contains(text, strings.TrimPrefix(teach, classpages.TeachPath)) ||
		!strings.Contains(text, classpages.TeachPath+"…/") {
		t.Errorf("the log has the secret, or nothing:\n%s", text)
	}
}

func TestComposing(t *testing.T) {
	s := webtest.NewSchool(t)
	teacher := s.Person()
	status, body, _ := teacher.Post(
		"/class/compose",
		false,
		"test",
		"SB",
		"arch",
		"X86",
		"model",
		"sc",
		"model",
		"tso",
	)
	if status != http.StatusOK {
		t.Fatalf("status %d: %.500s", status, body)
	}
	checkHTML(t, strings.NewReader(body),
		in("main form", hasAttr("action", "^/class/open$")),
		in("form input[type=hidden][name=source]"),
		in("input[name=ask][value=sc][checked]"),
		in("input[name=ask][value=tso][checked]"),
		in("input[name=row][checked]", hasAttr("value", `^{"0:EAX":"0","1:EAX":"0"}$`)),
		in("select[name=fences] option[value=tso]"),
		notIn("select[name=fences] option[value=sc]"),
	)
	teach, _ := teacher.Opens("empty", "1")
	status, body, _ = teacher.Post(teach+"/compose", false, "source", webtest.ClassicSource(t, "MP"), "model", "pso")
	if status != http.StatusOK {
		t.Fatalf("status %d: %.500s", status, body)
	}
	checkHTML(t, strings.NewReader(body), in("form", hasAttr("action", "^"+teach+"/add$")))
	if status, _, at := teacher.Post(teach+"/add", false, "prompt", "Which?", "answer", "a", "answer",
		"b"); status != http.StatusOK || at != teach {
		t.Errorf("add: status %d at %s", status, at)
	}
	if _, body, _ := teacher.Get(teach); !strings.Contains(webtest.PlainText(body), "Which?") {
		t.Errorf("the question is not there: %.500s", webtest.PlainText(body))
	}
	if status, _, _ := teacher.Post("/class/compose", false, "test", "no such test"); status != http.StatusNotFound {
		t.Errorf("no such test: status %d", status)
	}
	if status, body, _ := teacher.Get("/class?test=MP"); status != http.StatusOK ||
		!strings.Contains(body, `value="MP"`) {
		t.Errorf("/class?test=MP: status %d", status)
	}
}
