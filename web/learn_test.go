package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/parts/question"
	"litmuscope/web/teaching/lesson"
	"litmuscope/web/webtest"
)

// A lesson is added by adding its file, and a page that is open learns of a change.
func TestLessonsOfAFolder(t *testing.T) {
	h, dir := webtest.Course(t, nil)
	if w := get(h, "/learn/mine"); w.Code != http.StatusNotFound {
		t.Fatalf("status %d for a lesson that there is not", w.Code)
	}
	eventually := func(path, want string) {
		t.Helper()
		for !strings.Contains(get(h, path).Body.String(), want) {
			time.Sleep(50 * time.Millisecond)
		}
	}
	webtest.Put(t, dir, "07-mine.md", webtest.Front+"\nHello [sketch](/glossary#tso).\n\n"+
		"![A sketch](img/sketch.svg)\n\n```litmus test=SB expect=\"tso allowed\"\n```\n")
	webtest.Put(t, dir, "img/sketch.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`)
	eventually("/learn/mine", "Hello")
	eventually("/learn", "This course")
	page := get(h, "/learn/mine").Body.String()
	for _, want := range []string{
		`src="img/sketch.svg"`, `data-own`, `data-term="tso"`,
		`aria-label="TSO: yes, this can happen."`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing in %.3000s", want, page)
		}
	}
	version := get(h, "/learn/mine/version").Body.String()
	webtest.Put(t, dir, "07-mine.md", webtest.Front+"\nGood-bye.\n\n```litmus test=SB expect=\"tso forbidden\"\n```\n")
	eventually("/learn/mine", "Good-bye")
	eventually("/learn/mine", "07-mine.md:9:4: the lesson expects “tso forbidden”, but it is allowed.")
	if now := get(h, "/learn/mine/version").Body.String(); now == version || now == "" {
		t.Errorf("version %q, it was %q", now, version)
	}
	// A mistake is shown at its place, and takes nothing from the others.
	webtest.Put(t, dir, "08-other.md", webtest.Front+"\nStill here.\n")
	webtest.Put(t, dir, "07-mine.md", webtest.Front+"\n```litmus\nX86 SB\n{}\n P0 ;\n FLY EAX ;\nexists (x=1)\n```\n")
	eventually("/learn/mine", "07-mine.md:11:2")
	eventually("/learn/mine", `<span class="here">  11   FLY EAX ;</span>`)
	eventually("/learn/other", "Still here.")
	eventually("/learn", "Error: ")
	if err := os.Remove(filepath.Join(dir, "07-mine.md")); err != nil {
		t.Fatal(err)
	}
	eventually("/learn/mine", "No lesson has this address.")
}

// Images are served from the folder, and nothing else is.
func TestLessonImages(t *testing.T) {
	h, dir := webtest.Course(t,
		map[string]string{
			"sketch.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>", "a/b.png": "png",
			"secret.txt": "x", "script.js": "x",
		})
	outside := filepath.Join(t.TempDir(), "outside.png")
	if err := os.WriteFile(outside, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.png")); err != nil {
		t.Fatal(err)
	}
	for path, status := range map[string]int{
		"/learn/sketch.svg": 200, "/learn/a/b.png": 200, "/learn/a/none.png": 404, "/learn/secret.txt": 404,
		"/learn/script.js": 404,
		"/learn/link.png":  404, "/learn/../secret.png": 404, "/learn/a/..%2fsketch.svg": 404,
		"/learn/%2e%2e/outside.png": 404, "/learn/a//b.png": 404,
	} {
		w := get(h, path)
		if w.Code != status {
			t.Errorf("%s: status %d, want %d", path, w.Code, status)
		}
		if csp := w.Header().Get("Content-Security-Policy"); status == 200 && !strings.Contains(csp, "sandbox") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
	if kind := get(h, "/learn/sketch.svg").Header().Get("Content-Type"); kind != "image/svg+xml" {
		t.Errorf("type %q", kind)
	}
}

// Without scripts a lesson can be read, its cells pressed, and its exercises checked.
func TestLessonWithoutScripts(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	w := get(h, "/learn/litmus-tests?block=test-1&cell=1+0")
	wantStatus(t, w, http.StatusOK)
	page := w.Body.String()
	for _, want := range []string{"<svg", `value="1 0" aria-pressed="true"`, `class="v f"`, "Hint 1", "Is this right?"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if n := strings.Count(page, "<svg"); n < 1 || strings.Count(page, `class="picture"`) != 1 {
		t.Errorf("%d drawings, want the one that was asked for", n)
	}
	w = post(h, "/learn/check",
		tryAt("litmus-tests", "exercise-1",
			strings.ReplaceAll(webtest.ExerciseOf(t, "litmus-tests", "exercise-1").Solution, "\n", "\r\n")), true)
	wantStatus(t, w, http.StatusOK)
	if page := w.Body.String(); !strings.Contains(page, "Done.") ||
		!strings.Contains(page, "<h1>What a litmus test is</h1>") {
		t.Errorf("the page of a solved exercise: %.2000s", page)
	}
	w = get(h, "/learn/litmus-tests?print")
	if page := w.Body.String(); !strings.Contains(page, "Answers") || strings.Count(page, `class="picture"`) == 0 ||
		strings.Contains(page, "<textarea") {
		t.Errorf("the page for paper: %.2000s", page)
	}
	if page := get(h, "/learn/litmus-tests?print&answers=no").Body.String(); strings.Contains(page,
		`class="appendix"`) {
		t.Error("answers that were not asked for")
	}
}

// A hand-out is a file: its tests are elements of this server's script, and all that it leads to is on this server.
func TestHandout(t *testing.T) {
	config := webtest.TestConfig(engines.Local{})
	config.Elsewhere = true
	h, err := web.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if page := get(h, "/learn/litmus-tests").Body.String(); !strings.Contains(page,
		`href="/learn/litmus-tests?handout"`) {
		t.Error("the lesson does not lead to its hand-out")
	}
	w := get(h, "/learn/litmus-tests?handout")
	wantStatus(t, w, http.StatusOK)
	page := w.Body.String()
	for _, want := range []string{
		`<script src="http://example.com/litmus-test.js" defer`,
		`<litmus-test models="sc" view="table graph" edit><pre>`, "Answers", "☐", `class="sentences"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if own := regexp.MustCompile(` (href|src|action)="/[^"]*"`).FindString(page); own != "" {
		t.Errorf("the file says%s, which leads nowhere from elsewhere", own)
	}
	if kept := w.Header().Get("Content-Disposition"); kept != `attachment; filename="litmus-tests.html"` {
		t.Errorf("it is sent as %q", kept)
	}
	// One that answers no pages elsewhere has none.
	h = webtest.NewHandler(t, engines.Local{})
	wantStatus(t, get(h, "/learn/litmus-tests?handout"), http.StatusNotFound)
	if page := get(h, "/learn/litmus-tests").Body.String(); strings.Contains(page, "?handout") {
		t.Error("the lesson leads to a hand-out that is none")
	}
}

func tryAt(slug, exercise, text string) url.Values {
	return url.Values{"lesson": {slug}, "exercise": {exercise}, "text": {text}}
}

const fencing = webtest.Front + "```exercise test=SB\n-- task --\nForbid it.\n-- goal --\ntso forbidden\n" +
	"sc forbidden\n-- rules --\ninsert at most 2 fences\n-- solution --\n" +
	"X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MFENCE | MFENCE ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
	"exists (0:EAX=0 /\\ 1:EAX=0)\n-- why --\nBecause.\n```\n" +
	"```exercise\n-- task --\nMake it TSO.\n-- model --\n\"Mine\"\nlet com = rf | co | fr\n" +
	"acyclic po | com as order\n-- goal --\nown allowed SB\nown forbidden MP\n-- rules --\nedit the model\n" +
	"-- solution --\n" +
	"\"Mine\"\nlet com = rfe | co | fr\nlet ppo = po \\ (W * R)\nacyclic ppo | com as order\n```\n"

// The page of an exercise tells its author of a solution that misses its goal.
func TestSolutionsThatMissAreToldOf(t *testing.T) {
	h, _ := webtest.Course(t,
		map[string]string{
			"01-mine.md":  fencing,
			"02-other.md": strings.Replace(fencing, " MFENCE | MFENCE ;\n", " MFENCE | ;\n", 1),
		})
	const want = "the solution misses a goal: TSO forbids the outcome that the condition asks about: TSO allows it."
	if body := get(h, "/learn/other?wait").Body.String(); !strings.Contains(body, want) {
		t.Errorf("%q is missing in %.3000s", want, body)
	}
	if body := get(h, "/learn/mine?wait").Body.String(); strings.Contains(body, "misses a goal") {
		t.Error("a right solution is complained of")
	}
}

// The server judges: goals by the engine, and whatever else was changed by what threads do.
func TestExercisesAreJudged(t *testing.T) {
	h, _ := webtest.Course(t, map[string]string{"01-mine.md": fencing})
	sb := func(a, b, cond string) string {
		return "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n" + a + " MOV EAX,[y] | MOV EAX,[x] ;\n" + b +
			"exists (" + cond + ")\n"
	}
	const cond = `0:EAX=0 /\ 1:EAX=0`
	for _, c := range []struct{ name, exercise, text, want string }{
		{"as it was", "exercise-1", sb("", "", cond), "Not yet.|TSO allows it"},
		{"one fence", "exercise-1", sb(" MFENCE | ;\n", "", cond), "Not yet.|TSO allows it"},
		{"solved", "exercise-1", sb(" MFENCE | MFENCE ;\n", "", cond), "Done.|Because."},
		{
			"renamed", "exercise-1",
			strings.NewReplacer("0:EAX", "0:EBX", "MOV EAX,[y]",
				"MOV EBX,[y]").Replace(sb(" MFENCE | MFENCE ;\n", "", cond)), "Done.",
		},
		{
			"too many", "exercise-1", sb(" MFENCE | MFENCE ;\n", " MFENCE | ;\n", cond),
			"You used 3 fences; this exercise needs at most 2.",
		},
		{"other condition", "exercise-1", sb("", "", `0:EAX=7`), "The condition asks for a different outcome now: for "},
		{
			"other value", "exercise-1", strings.Replace(sb("", "", cond), "[x],$1", "[x],$2", 1),
			"P0 writes 2 to x where it should be: P0 writes 1 to x.",
		},
		{"locked", "exercise-1", sb(" XCHG EBX,[z] | ;\n", "", cond), "There is a new location, z."},
		{
			"no store", "exercise-1", strings.Replace(sb("", "", cond), "MOV [y],$1", "NOP", 1),
			"P1 reads x where it should be: P1 writes 1 to y.",
		},
		{"unreadable", "exercise-1", "X86 SB\n{}\n P0 ;\n FLY ;\nexists (true)\n", "line 4, column 2"},
		{"SC", "exercise-2", "\"Mine\"\nacyclic po | rf | co | fr\n", "Not yet.|Your model forbids it"},
		{"anything goes", "exercise-2", "\"Mine\"\nacyclic 0\n", "Not yet."},
		{"TSO", "exercise-2", "\"Mine\"\nlet ppo = po \\ (W * R)\nacyclic ppo | rfe | co | fr\n", "Done."},
		{"unreadable model", "exercise-2", "\"Mine\"\nacyclic po | nothing\n", "The model has errors|line 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := post(h, "/learn/check", tryAt("mine", c.exercise, c.text), false).Body.String()
			for _, want := range strings.Split(c.want, "|") {
				if !strings.Contains(body, want) {
					t.Errorf("%q is missing in %s", want, body)
				}
			}
			if strings.Contains(body, "data-met") != strings.HasPrefix(c.want, "Done.") {
				t.Errorf("met or not: %.300s", body)
			}
		})
	}
	if w := post(h, "/learn/check", tryAt("nowhere", "exercise-1", ""), false); w.Code != http.StatusNotFound {
		t.Errorf("an exercise of no lesson: status %d", w.Code)
	}
	if w := post(h, "/learn/check", tryAt("mine", "exercise-9", ""), false); w.Code != http.StatusNotFound {
		t.Errorf("an exercise that there is not: status %d", w.Code)
	}
	r := httptest.NewRequest(http.MethodPost, "/learn/check", strings.NewReader(""))
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if w := do(h, r); w.Code != http.StatusForbidden {
		t.Errorf("another site's form: status %d", w.Code)
	}
}

// Every lesson of the program can be shown, with all its pictures, and says what its tests say.
func TestEveryLessonShows(t *testing.T) {
	h := webtest.NewHandler(t, engines.Local{})
	l, err := lesson.NewLibrary("", glossary.LessonTerms)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := l.All()
	for _, e := range all {
		t.Run(e.Slug, func(t *testing.T) {
			w := get(h, question.LessonAddress(e)+"?wait")
			wantStatus(t, w, http.StatusOK)
			page := w.Body.String()
			for _, wrong := range []string{`class="problem"`, `class="mistakes"`, "data-late"} {
				if strings.Contains(page, wrong) {
					t.Errorf("there is a %s", wrong)
				}
			}
			pictures := 0
			for _, b := range e.Blocks {
				if live, ok := b.(*lesson.Test); ok && live.Picture != nil {
					pictures++
				}
				if live, ok := b.(*lesson.Test); ok && len(live.Expect) == 0 {
					t.Errorf("%v: nothing is expected of %s", live.Pos, live.Title)
				}
				if _, is := b.(*lesson.Tour); is {
					pictures++
				}
			}
			if drawn := strings.Count(page, `class="drawing scroll"`); drawn != pictures {
				t.Errorf("%d drawings, want %d: a picture's outcome is none", drawn, pictures)
			}
		})
	}
}

// A page does not wait for what takes long: it says so, and its script asks again.
func TestLessonsWaitForNobody(t *testing.T) {
	h := webtest.NewHandler(t, runnerFunc(func(ctx context.Context, _ solver.Task) (*solver.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}))
	w := get(h, "/learn/litmus-tests")
	wantStatus(t, w, http.StatusOK)
	if page := w.Body.String(); strings.Count(page, "data-late") != 2 ||
		!strings.Contains(page, `href="/learn/litmus-tests?wait#test-1"`) || !strings.Contains(page, "Exercise 1") {
		t.Errorf("a page without answers: %.3000s", page)
	}
}
