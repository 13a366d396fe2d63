package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// term is a server with the example course, and a clock.
type term struct {
	*webtest.School
	dir   string
	codes map[string]string

	mu  sync.Mutex
	now time.Time
}

// begins is when the example's first week does; its first sheet is due a week later, at noon in Berlin.
var (
	begins = time.Date(2026, 10, 12, 0, 0, 0, 0, time.UTC)
	due    = time.Date(2026, 10, 19, 10, 0, 0, 0, time.UTC)
)

func newTerm(t *testing.T, change ...func(*web.Config)) *term {
	t.Helper()
	c := &term{now: begins.Add(30 * time.Hour)}
	c.dir, c.codes = webtest.ExampleCourse(t, begins)
	c.School = webtest.NewSchool(t, append(change, func(config *web.Config) {
		config.Course, config.Clock = c.dir, func() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }
	})...)
	return c
}

func (c *term) at(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// student is somebody who has entered a code.
func (c *term) student(name string) *webtest.Person {
	c.T.Helper()
	p := c.Person()
	if status, body, at := p.Post("/course", false, "code", c.codes[name], "sheet",
		"outcomes"); status != http.StatusOK || at != "/course/outcomes" ||
		!strings.Contains(webtest.PlainText(body), "You are submitting as "+name) {
		c.T.Fatalf("%s is not let in: %d at %s", name, status, at)
	}
	return p
}

const (
	lbRight = "X86 LB\n{ x=0; y=0; }\n P0          | P1          ;\n MOV EAX,[x] | MOV EAX,[y] ;\n" +
		" MOV [y],$1  | MOV [x],$1  ;\nexists (0:EAX=1 /\\ 1:EAX=1)\n"
	lbWrong = "X86 LB\n{ x=0; y=0; }\n P0          | P1          ;\n MOV EAX,[x] | MOV EAX,[y] ;\n" +
		" MOV [y],$1  | MOV [x],$1  ;\nexists (0:EAX=1 /\\ 1:EAX=0)\n"
)

// handsIn is what is read after somebody has handed in a text for the first exercise of the first sheet.
func handsIn(p *webtest.Person, text string) string {
	_, body, _ := p.Post("/course/outcomes", true, "exercise", "exercise-1", "text", text)
	return webtest.PlainText(body)
}

func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if absent, not := strings.CutPrefix(part, "!"); not == !strings.Contains(text, absent) {
			continue
		}
		t.Errorf("want %q in %.3000s", part, text)
	}
}

// What is handed in counts by when that was, and solutions are there when it is worth nothing any more.
func TestCourseThroughATerm(t *testing.T) {
	c := newTerm(t)
	ada := c.student("Ada")
	wants(t, handsIn(ada, lbWrong), "Not yet.", "Submitted on Tuesday 13 October 2026, 08:00 CEST. 0 of 2 points")
	c.at(due.Add(time.Minute))
	wants(t, handsIn(ada, lbRight), "Done.",
		"Submitted on Monday 19 October 2026, 12:01 CEST, late. 1 of 2 points late", "not solved",
		"done late counts")
	edsger := c.student("Edsger")
	c.at(due.AddDate(0, 0, 7).Add(2 * time.Hour)) // the clocks have been put back
	wants(t, handsIn(edsger, lbRight), "Done.", "13:00 CET, late. 0 of 2 points late")

	sheet := func(p *webtest.Person) string { _, body, _ := p.Get("/course/outcomes"); return body }
	c.at(due.AddDate(0, 0, 7))
	if body := sheet(ada); strings.Contains(body, "Solution") || strings.Contains(body, "store buffer</a> delays") {
		t.Error("the solution is on the page while it is worth something")
	}
	c.at(due.AddDate(0, 0, 7).Add(time.Hour + time.Minute))
	wants(t, webtest.PlainText(sheet(c.Person())), "Solution", "exists (0:EAX=1 /\\ 1:EAX=1)")

	_, body, _ := ada.Get("/course")
	wants(t, webtest.PlainText(body), "You have 1 of 50 points", "1 of 4 points, late",
		"4 points, was due on Monday 19 October 2026, 12:00 CEST", "nothing submitted", "!ABCD")
	_, body, _ = c.Person().Get("/course")
	wants(t, webtest.PlainText(body), "Enter your code to submit exercises", "!nothing submitted", "!Ada",
		"Week 3, from 26 October 2026 · this week", "!Week 2, from 19 October 2026 · this week")
}

// A text that was handed in is there again, and one of somebody who has no code is judged and kept nowhere.
func TestCourseKeepsTexts(t *testing.T) {
	c := newTerm(t)
	ada := c.student("Ada")
	handsIn(ada, lbWrong)
	// without scripts
	status, body, _ := ada.Post("/course/outcomes", false, "exercise", "exercise-1", "text", "what is this")
	if status != http.StatusUnprocessableEntity || !strings.Contains(body, "what is this") ||
		!strings.Contains(body, "Submitted on") {
		t.Errorf("without scripts: %d, %.2000s", status, body)
	}
	c.Stop()
	c.Start()
	_, body, _ = ada.Get("/course/outcomes")
	wants(t, body, "what is this", "You are submitting as", "Submit")
	nobody := c.Person()
	wants(t, handsIn(nobody, lbRight), "Done.",
		"Not submitted. To submit, enter your code at the top of the page.")
	tries, err := c.Kept.Tries(t.Context(), "weak-memory", "")
	if err != nil || len(tries) != 2 || tries[0].Student != "Ada" || !tries[0].Judged || tries[0].Met ||
		!tries[1].Judged {
		t.Errorf("kept is %+v, %v", tries, err)
	}
	_, body, _ = nobody.Get("/course/outcomes")
	wants(t, body, "!Submit<", "!what is this")
	if status, _, _ := ada.Post("/course/outcomes", true, "exercise", "exercise-9", "text",
		"x"); status != http.StatusNotFound {
		t.Errorf("an exercise that there is not: %d", status)
	}
	if status, _, _ := ada.Post("/course/outcomes", true, "exercise", "exercise-1", "text",
		strings.Repeat("x", 17<<10)); status != http.StatusUnprocessableEntity {
		t.Errorf("a long text: %d", status)
	}
	if status, _, _ := ada.Get("/course/roster.csv"); status != http.StatusNotFound {
		t.Errorf("the roster: %d", status)
	}
	// Leaving leaves nothing behind.
	if _, body, at := ada.Post("/course", false); at != "/course" || !strings.Contains(body, "Enter your code") {
		t.Errorf("at %s", at)
	}
}

// Codes can be guessed by no door, and are in no address.
func TestCourseCodes(t *testing.T) {
	c := newTerm(t, func(config *web.Config) { config.Proxies, _ = server.ParseProxies([]string{"127.0.0.1"}) })
	p := c.At("192.0.2.1")
	if status, body, _ := p.Post("/course", false, "code", "AAAA-AAAA-AAAA"); status != http.StatusForbidden ||
		!strings.Contains(body, "This course has no such code") {
		t.Errorf("a wrong code: %d", status)
	}
	for range server.WrongMost - 1 {
		p.Post("/course", true, "code", "")
	}
	if status, _, _ := p.Post("/course", true, "code", c.codes["Ada"]); status != http.StatusTooManyRequests {
		t.Errorf("a right code after %d wrong ones: %d", server.WrongMost, status)
	}
	if status, _, _ := c.At("192.0.2.2").Post("/course", false, "code", c.codes["Ada"]); status != http.StatusOK {
		t.Errorf("a right code from elsewhere: %d", status)
	}

	ada := c.student("Ada")
	site, err := url.Parse(c.URL + "/course")
	if err != nil {
		t.Fatal(err)
	}
	cookies := ada.Jar.Cookies(site)
	if len(cookies) != 1 || strings.Contains(c.URL, cookies[0].Value) {
		t.Fatalf("got cookies %v", cookies)
	}
	plain := strings.ReplaceAll(c.codes["Edsger"], "-", "")
	_, word, _ := strings.Cut(cookies[0].Value, ".")
	for _, value := range []string{
		plain, plain + ".", plain + "." + word, strings.ToLower(cookies[0].Value),
		"." + word,
	} {
		forged := c.Person()
		forged.Jar, _ = cookiejar.New(nil)
		forged.Jar.SetCookies(site, []*http.Cookie{{Name: cookies[0].Name, Value: value, Path: "/course"}})
		if _, body, _ := forged.Get("/course"); !strings.Contains(body, "Enter your code") {
			t.Errorf("the cookie %q is believed", value)
		}
	}
	// A code that is replaced is worth nothing any more.
	roster := filepath.Join(c.dir, "roster.csv")
	text, err := os.ReadFile(roster)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(roster, []byte(strings.Replace(string(text), c.codes["Ada"], "NEWC-ODE2", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	c.Stop()
	c.Start()
	if _, body, _ := ada.Get("/course"); !strings.Contains(body, "Enter your code") {
		t.Error("the old code is still taken")
	}
}

// broken is a runner that has too much to do, as long as the test says so.
type broken struct{ busy bool }

func (b *broken) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	if b.busy {
		return nil, &solver.Busy{RetryAfter: time.Second}
	}
	return engines.Local{}.Run(ctx, q)
}

// What cannot be judged is kept with its time, and judged when it is handed in again.
func TestCourseKeepsWhatCannotBeJudged(t *testing.T) {
	runner := &broken{busy: true}
	c := newTerm(t, func(config *web.Config) { config.Runner = runner })
	ada := c.student("Ada")
	wants(t, handsIn(ada, lbRight), "Too many questions are waiting",
		"Submitted on Tuesday 13 October 2026, 08:00 CEST and stored, but the server could not check it.",
		"not checked yet")
	_, body, _ := ada.Get("/course")
	wants(t, webtest.PlainText(body), "0 of 4 points, some not checked yet")
	runner.busy = false
	c.at(due.Add(time.Hour))
	wants(t, handsIn(ada, lbRight), "Done.", "Submitted on Tuesday 13 October 2026, 08:00 CEST. 2 of 2 points", "!late")
	tries, err := c.Kept.Tries(t.Context(), "weak-memory", "Ada")
	if err != nil || len(tries) != 1 || !tries[0].Met {
		t.Errorf("kept is %+v, %v", tries, err)
	}
}

// A course that cannot be read is not served, and what is wrong is said with its place.
func TestCourseIsRefused(t *testing.T) {
	dir, _ := webtest.ExampleCourse(t, begins)
	file := filepath.Join(dir, "course.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "zone:", "zone: nowhere #", 1)),
		0o644); err != nil {
		t.Fatal(err)
	}
	config := webtest.TestConfig(engines.Local{})
	config.Course = dir
	if _, err := web.New(config); err == nil || !strings.Contains(err.Error(), "needs Tries") {
		t.Errorf("got %v", err)
	}
	config.Tries = webtest.NewSchool(t).Kept
	if _, err := web.New(config); err == nil || !strings.Contains(err.Error(), `course.yaml:6:7: want the name of a time zone`) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "lessons"), 0o755); err != nil {
		t.Fatal(err)
	}
	config.Lessons = t.TempDir()
	if _, err := web.New(config); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("there are lessons in %s/lessons and in", dir)) {
		t.Errorf("got %v", err)
	}
}
