package browser

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"litmuscope/web/webtest"
)

// schoolTab opens somebody's browser at a page.
func schoolTab(s *webtest.School, path string, width, height int64) *tab {
	s.T.Helper()
	b := openTab(s.T, s.URL, width, height)
	b.enter(path)
	return b
}

// enter goes to a page of a class.
func (b *tab) enter(path string) {
	b.t.Helper()
	b.visit(b.url + path)
	b.wait(`document.documentElement.classList.contains("live")`)
}

// reads waits until a page says something.
func (b *tab) reads(text string) {
	b.t.Helper()
	b.wait(`document.body.innerText.replace(/\s+/g, " ").includes(` + quote(text) + `)`)
}

// drives presses one of the teacher's buttons.
func (b *tab) drives(do string) {
	b.t.Helper()
	b.click(`.drive [value="` + do + `"]`)
}

// A lesson of two questions and a pair of fences, from the first code to the last picture:
// a teacher, a projector and three students, each in a browser of their own. The server
// ends and starts again in the middle of a vote.
func TestBrowserClass(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	teacher := plainTab(s, "/class?test=SB", 1280, 900)
	teacher.click(`form[action="/class/compose"] button.main`)
	teacher.wait(`document.querySelector("input[name=row]")`)
	// SC and TSO are asked, not the four others.
	eval[chromedp.Void](teacher,
		`document.querySelectorAll("[name=ask]").forEach((e) => { e.checked = ["sc", "tso"].includes(e.value); })`)
	eval[chromedp.Void](teacher, `document.querySelector("[name=fences]").value = "tso"`)
	teacher.click("main button.main")
	teacher.wait(`document.documentElement.classList.contains("live")`)
	code := eval[string](teacher, `document.getElementById("room").dataset.code`)
	join := "/class/" + code

	screen := schoolTab(s, join+"/screen", 1920, 1080)
	if got := screen.text(".invite .code"); got != code {
		t.Errorf("the screen has the code %s, want %s", got, code)
	}
	ann, bob := schoolTab(s, join, 390, 844), schoolTab(s, join, 390, 844)
	// The third types the code.
	eve := plainTab(s, "/class", 390, 844)
	eve.click("#code")
	eve.key(strings.ToLower(code))
	eve.click(".joining button")
	eve.wait(`document.body.innerText.includes("You have joined.")`)
	students := []*tab{ann, bob, eve}
	teacher.reads("0 of 3 voted")
	screen.reads("3 here")

	vote := func(b *tab, part, choice int) {
		t.Helper()
		b.click(fmt.Sprintf(`.vote[value="%d:%d"]`, part, choice))
	}
	voted := func(b *tab) {
		t.Helper()
		b.reads("Your vote is in.")
		b.wait(`!document.querySelector("#ballot.sending")`)
	}
	teacher.drives("open")
	for _, b := range students {
		b.reads("Can this happen?")
		vote(b, 0, 1)
		vote(b, 1, 1)
		voted(b)
	}
	teacher.reads("3 of 3 voted")
	screen.reads("3 of 3 voted")
	if screen.text(".rounds") != "(none)" {
		t.Error("the screen shows the tally while votes come in")
	}
	teacher.drives("live:1")
	screen.reads("TSO allowed 0 forbidden 3")
	vote(ann, 0, 0) // thinks again
	voted(ann)
	screen.reads("TSO allowed 1 forbidden 2")
	ann.do(chromedp.Reload())
	ann.reads("Your vote is in.")
	if pressed := eval[string](ann, pressedVotes); pressed != "0:0 1:1" {
		t.Errorf("after loading the page anew, %s is pressed", pressed)
	}

	teacher.drives("discuss")
	for _, b := range students {
		b.reads("Discuss with your neighbour")
	}
	teacher.drives("open")
	ann.reads("Second vote")
	for _, b := range students {
		b.wait(`document.querySelector(".vote:not(:disabled)")`)
	}
	// The server ends. A vote that is cast meanwhile is kept, and arrives.
	vote(ann, 1, 1)
	vote(ann, 0, 0)
	voted(ann)
	s.Stop()
	vote(bob, 0, 0)
	bob.wait(`document.querySelector("#ballot.sending")`)
	eve.wait(`document.documentElement.classList.contains("lost")`)
	vote(eve, 0, 0)
	eve.wait(`localStorage.length === 1`)
	time.Sleep(300 * time.Millisecond)
	s.Start()
	eve.do(chromedp.Reload()) // and the page that had it is gone
	for _, b := range students {
		voted(b)
		b.wait(`!document.documentElement.classList.contains("lost")`)
	}
	teacher.reads("3 of 3 voted")
	teacher.reads("TSO allowed 3 forbidden 0")
	if pressed := eval[string](eve, pressedVotes); pressed != "0:0" {
		t.Errorf("after the restart, %s is pressed", pressed)
	}

	teacher.drives("reveal")
	screen.reads("First vote 3")
	screen.reads("Second vote 3")
	for _, b := range append(students, screen, teacher) {
		b.wait(`document.querySelector("#evidence .drawing svg")`)
	}
	ann.reads("TSO allowed your answer")
	ann.reads("SC forbidden your answer")
	teacher.reads("TSO allows")

	// The other model's picture, and back, and its steps, on everyone's page.
	teacher.click(`.choose [value="show:1"]`)
	teacher.wait(`document.querySelector("#evidence .picture h2")?.innerText.includes("SC forbids")`)
	teacher.click(`.choose [value="show:0"]`)
	for _, b := range append(students, screen, teacher) {
		b.wait(`document.querySelector("#evidence .picture h2")?.innerText.includes("TSO allows")`)
	}
	teacher.click("#evidence [data-go=start]")
	teacher.click("#evidence [data-go=forward]")
	teacher.click("#evidence [data-go=forward]")
	want := teacher.text("#evidence .did")
	if !strings.HasPrefix(want, "Step 2 of") {
		t.Errorf("the teacher is at %q", want)
	}
	for _, b := range append(students, screen) {
		b.wait(`document.querySelector("#evidence .did")?.innerText === ` + quote(want))
	}
	ann.do(chromedp.Reload())
	ann.wait(`document.querySelector("#evidence .did")?.innerText === ` + quote(want))

	// Fences, placed by hand.
	teacher.drives("goto:1")
	teacher.drives("open")
	place := func(b *tab, gaps ...int) {
		t.Helper()
		b.wait(`document.querySelector("[name=place-0]:not(:disabled)")`)
		for gap, k := range gaps {
			b.click(fmt.Sprintf(`label:has([name="place-%d"][value="%d"])`, gap, k))
		}
		b.click("#ballot button.main")
	}
	place(ann, 1, 1)
	ann.reads("This works, and no cheaper solution exists.")
	place(bob, 1, 0)
	bob.reads("Not yet: TSO allows it.")
	place(eve, 1, 1)
	eve.reads("This works, and no cheaper solution exists.")
	screen.reads("3 of 3 tried, 2 solved it")
	teacher.drives("close")
	bob.reads("The vote is closed.")
	teacher.drives("reveal")
	screen.reads("No cheaper solution exists")
	screen.reads("each breaks a -mfence-> c")
	screen.reads("MFENCE in P0 before MOV EAX,[y]; MFENCE in P1 before MOV EAX,[x] right")
	bob.reads("MFENCE in P0 before MOV EAX,[y] wrong")
	screen.wait(`document.querySelector("#evidence .picture h2")?.innerText.includes("TSO forbids")`)
	bob.click(".past summary")
	bob.reads("TSO allowed")

	teacher.click(".lectern .menu:nth-of-type(2) summary")
	teacher.click(".danger")
	ann.reads("The class has ended.")
	screen.reads("The class has ended.")
}

// An exercise is done by taps: what was begun is there after the page is loaded anew, and after the server has ended;
// what was tried is judged at once, and what does it is not given up.
func TestBrowserClassEdits(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens("lesson", "release-acquire")
	_, body, _ := p.Get(teach)
	n := strings.Count(body[:strings.Index(body, "Exercise: ")], `value="goto:`) - 1
	p.Wants(http.StatusNoContent, teach+"/do", "do", fmt.Sprint("goto:", n))
	p.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	b := schoolTab(s, join, 390, 844)
	screen := schoolTab(s, join+"/screen", 1280, 720)
	choose := func(place, choice int) {
		b.click(fmt.Sprintf(`label:has([name="place-%d"][value="%d"])`, place, choice))
	}
	const chosen = `[...document.querySelectorAll("#ballot :checked")].map((i) => i.value).join(" ")`
	const mine = `document.getElementById("mine").innerText`
	b.reads("Choose, then press Try it")
	choose(1, 1)
	b.wait(mine + ` === "Not tried yet."`)
	b.do(chromedp.Reload())
	b.wait(chosen + ` === "0 1 0 0" && ` + mine + ` === "Not tried yet."`)
	b.click("#ballot button.main")
	b.reads("Not yet: AArch64 allows it.")
	screen.reads("1 of 1 tried, 0 solved it")
	choose(2, 2)
	b.click("#ballot button.main")
	b.reads("This works, but a cheaper solution exists.")
	choose(2, 0)
	s.Stop()
	b.click("#ballot button.main")
	b.wait(`document.querySelector("#ballot.sending")`)
	s.Start()
	b.reads("Not yet: AArch64 allows it.")
	screen.reads("1 of 1 tried, 1 solved it")
	choose(2, 1)
	b.do(chromedp.Reload())
	b.wait(chosen + ` === "0 1 1 0"`)
	b.click("#ballot button.main")
	b.reads("This works, and no cheaper solution exists.")
	if w := eval[int64](b, "document.documentElement.scrollWidth"); w > 390 {
		t.Errorf("the page is %d pixels wide", w)
	}
	p.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
	b.reads("STLR W1,[X11] instead of STR W1,[X11]")
	screen.reads("STLR W1,[X11] in P0; LDAPR W0,[X11] in P1 right")
}

// What comes while somebody presses waits until it is let go, or what is pressed would be gone before it is clicked.
func TestBrowserClassPresses(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens("prompt", "First?", "answer", "a", "answer", "b", "right", "0")
	p.Wants(http.StatusNoContent, teach+"/do", "do", "open")
	b := schoolTab(s, join, 390, 844)
	eval[chromedp.Void](b,
		`window.views = 0; new EventSource(document.getElementById("room").dataset.base + "/events").addEventListener("view", () => views++)`)
	b.wait(`views === 1`)
	const vote = `button.vote[value="0:1"]`
	b.mouse(input.DispatchMouseEventTypeMousePressed, vote, chromedp.ButtonLeft, chromedp.ClickCount(1))
	p.Wants(http.StatusNoContent, teach+"/do", "do", "timer:600")
	b.wait(`views === 2`)
	if eval[bool](b, `!!document.querySelector(".countdown")`) {
		t.Error("what is pressed is drawn anew")
	}
	b.mouse(input.DispatchMouseEventTypeMouseReleased, vote, chromedp.ButtonLeft, chromedp.ClickCount(1))
	b.reads("Your vote is in.")
	b.wait(`document.querySelector(".countdown")`)
	if got := eval[string](b, pressedVotes); got != "0:1" {
		t.Errorf("the vote is %q", got)
	}
}

// A clicker at the projector has the teacher's page, in the same browser, do what comes next, or go back; b makes the
// screen dark.
func TestBrowserClassClicker(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens("prompt", "First?", "answer", "a", "answer", "b", "right", "0")
	p.Post(teach+"/add", false, "prompt", "Second?", "answer", "c", "answer", "d")
	code := strings.TrimPrefix(join, "/class/")
	listening := `new BroadcastChannel("litmuscope.class.` + code + `")`
	screen := schoolTab(s, join+"/screen", 1280, 720)
	eval[chromedp.Void](screen, `window.asked = []; `+listening+`.onmessage = (e) => asked.push(e.data);`)
	press := func(key string) {
		eval[chromedp.Void](screen,
			`dispatchEvent(new KeyboardEvent("keydown", { key: `+quote(key)+`, cancelable: true }))`)
	}
	press("PageDown")
	press("ArrowRight")
	press("x")
	press("PageUp")
	screen.wait(`asked.join(" ") === "on on back"`)
	press("b")
	screen.wait(`!document.querySelector(".invite").checkVisibility({ visibilityProperty: true })`)
	press("b")
	screen.wait(`document.querySelector(".invite").checkVisibility({ visibilityProperty: true })`)

	teacher := schoolTab(s, teach, 1280, 900)
	// The page has come to what is to be done next, which the screen may hear of first.
	ask := func(what, next string) {
		t.Helper()
		teacher.wait(`document.querySelector(".drive .main")?.value === ` + quote(next))
		eval[chromedp.Void](teacher, listening+`.postMessage(`+quote(what)+`)`)
	}
	ask("on", "open")
	screen.reads("First?")
	for _, next := range [][2]string{
		{"close", "The vote is closed"},
		{"discuss", "Discuss with your neighbour"},
		{"open", "Second vote"},
	} {
		ask("on", next[0])
		screen.reads(next[1])
	}
	p.Wants(http.StatusNoContent, teach+"/do", "do", "reveal")
	teacher.wait(`document.querySelector('.drive [value="cover"]')`)
	ask("on", "goto:1")
	ask("on", "open")
	screen.reads("Second?")
	ask("back", "close")
	screen.reads("First?")
	ask("back", "goto:1") // what was revealed is covered
	screen.reads("The vote is closed")
}

const pressedVotes = `[...document.querySelectorAll(".vote[aria-pressed=true]")].map((e) => e.value).join(" ")`

// plainTab opens somebody's browser at a page without a script.
func plainTab(s *webtest.School, path string, width, height int64) *tab {
	s.T.Helper()
	b := openTab(s.T, s.URL, width, height)
	b.visit(s.URL + path)
	return b
}

// Two lessons at once, by one student in two tabs: neither hears of the other.
func TestBrowserClassesAreApart(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teachA, joinA := p.Opens("prompt", "First?", "answer", "a", "answer", "b")
	teachB, joinB := p.Opens("prompt", "Second?", "answer", "c", "answer", "d")
	a := schoolTab(s, joinA, 390, 844)
	b := schoolTab(s, joinB, 390, 844)
	screenB := schoolTab(s, joinB+"/screen", 1280, 720)
	p.Post(teachA+"/do", true, "do", "open")
	a.reads("First?")
	a.click(`.vote[value="0:1"]`)
	a.reads("Your vote is in.")
	p.Post(teachB+"/do", true, "do", "open")
	b.reads("Second?")
	screenB.reads("0 of 1 voted")
	a.wait(`document.querySelector(".prompt").innerText === "First?"`)
	if _, body, _ := p.Get(teachB); !strings.Contains(webtest.PlainText(body), "0 of 1 voted") {
		t.Errorf("the other class: %.500s", webtest.PlainText(body))
	}
}

// A phone falls asleep with a vote on its way, and wakes when the class is elsewhere.
func TestBrowserClassOnAPhoneAsleep(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens("prompt", "First?", "answer", "a", "answer", "b", "right", "0")
	p.Post(teach+"/add", false, "prompt", "Second?", "answer", "c", "answer", "d")
	p.Post(teach+"/do", true, "do", "open")
	b := schoolTab(s, join, 390, 844)
	b.reads("First?")
	s.Deaf.Store(true)
	b.click(`.vote[value="0:0"]`)
	b.wait(`document.querySelector("#ballot.sending")`)
	b.wait(`document.getElementById("mine").innerText.includes("no connection")`)
	s.Deaf.Store(false)
	b.reads("Your vote is in.")
	if _, body, _ := p.Get(teach); !strings.Contains(webtest.PlainText(body), "1 of 1 voted") {
		t.Errorf("the vote has not arrived: %.500s", webtest.PlainText(body))
	}
	// Out of sight it listens to nothing; back in sight it knows all.
	hide := func(state string) {
		eval[chromedp.Void](b,
			`Object.defineProperty(document, "visibilityState", { value: "`+state+
				`", configurable: true }); document.dispatchEvent(new Event("visibilitychange"));`)
	}
	hide("hidden")
	p.Post(teach+"/do", true, "do", "goto:1")
	p.Post(teach+"/do", true, "do", "open")
	time.Sleep(200 * time.Millisecond)
	if got := b.text(".prompt"); got != "First?" {
		t.Errorf("out of sight, the page shows %q", got)
	}
	hide("visible")
	b.reads("Second?")
}

// The pages fit a phone, and a class can be joined by its keys alone.
func TestBrowserClassWidths(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	fields := append(webtest.SBFields(t), "ask", "x")
	teach, join := p.Opens(fields...)
	sizes, tabs := map[string][2]int64{join: {390, 844}, teach: {390, 844}, join + "/screen": {1280, 720}},
		map[string]*tab{}
	for path, size := range sizes {
		tabs[path] = openTab(t, s.URL, size[0], size[1])
	}
	for n, do := range []string{"open", "reveal", "goto:1", "open", "reveal"} {
		p.Post(teach+"/do", true, "do", do)
		for path, size := range sizes {
			b := tabs[path]
			b.enter(path)
			if do == "reveal" {
				b.wait(`document.querySelector("#evidence .drawing svg") || !document.querySelector("#evidence")`)
			}
			if w := eval[int64](b, "document.documentElement.scrollWidth"); w > size[0] {
				t.Errorf("%s after %d %s is %d pixels wide: %s", path, n, do, w,
					eval[string](b, `[...document.querySelectorAll("body *")]
					.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((e) => e.tagName + "." + e.className).join(" ")`))
			}
			if h := eval[int64](b, "document.documentElement.scrollHeight"); strings.HasSuffix(path, "/screen") &&
				h > size[1] {
				t.Errorf("%s after %d %s is %d pixels high", path, n, do, h)
			}
		}
	}
}

// Without scripts a class is joined and voted in by forms.
func TestBrowserClassWithoutScripts(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens(webtest.SBFields(t)...)
	p.Post(teach+"/do", true, "do", "open")
	b := openTab(t, s.URL, 390, 844)
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return chromedp.Void{}, err
	})
	b.visit(s.URL + "/class")
	b.click("#code")
	b.key(strings.TrimPrefix(join, "/class/"))
	b.click(".joining button")
	b.wait(`document.querySelector(".vote")`)
	b.click(`.vote[value="0:0"]`)
	b.wait(`document.querySelector('.vote[value="0:0"]')?.getAttribute("aria-pressed") === "true"`)
	if _, body, _ := p.Get(teach); !strings.Contains(webtest.PlainText(body), "TSO allowed 1 forbidden 0") {
		t.Errorf("the vote is not counted: %.800s", webtest.PlainText(body))
	}
}

// A whole lesson, with three students who do not agree: each question is voted on, most of them
// discussed and voted on again, and revealed. The server ends in the middle of one.
func TestBrowserWholeLesson(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	teacher := plainTab(s, "/class?lesson=store-buffers", 1280, 900)
	teacher.click("[name=lesson][value=store-buffers]")
	teacher.wait(`document.documentElement.classList.contains("live")`)
	join := "/class/" + eval[string](teacher, `document.getElementById("room").dataset.code`)
	students := []*tab{schoolTab(s, join, 390, 844), schoolTab(s, join, 390, 844), schoolTab(s, join, 390, 844)}
	of := eval[int](teacher, `document.querySelectorAll(".run .list li").length`)
	if of < 3 {
		t.Fatalf("the lesson has %d questions", of)
	}
	// vote has a student choose, of each part, the answer with a number, or the last.
	vote := func(b *tab, choice int) {
		t.Helper()
		eval[chromedp.Void](b, fmt.Sprintf(`(() => {
			for (const f of document.querySelectorAll("#ballot fieldset")) {
				const all = [...f.querySelectorAll("button.vote, input")];
				all[Math.min(%d, all.length - 1)].click();
			}
			document.querySelector("#ballot > button.main")?.click();
		})()`, choice))
	}
	voted := func() {
		t.Helper()
		for _, b := range students {
			b.reads("Your vote is in.")
			b.wait(`!document.querySelector("#ballot.sending")`)
		}
		teacher.reads("3 of 3 voted")
	}
	for n := range of {
		opened := fmt.Sprintf(`document.querySelector('#ballot[data-open][data-item="%d"][data-round="%%d"]')`, n)
		teacher.drives("open")
		for i, b := range students {
			b.wait(fmt.Sprintf(opened, 1))
			vote(b, i%2)
		}
		voted()
		if n == of/2 {
			teacher.drives("discuss")
			teacher.wait(`document.querySelector(".drive [value=open]")`)
			teacher.drives("open")
			for _, b := range students {
				b.wait(fmt.Sprintf(opened, 2))
			}
			s.Stop()
			for _, b := range students {
				vote(b, 0)
				b.wait(`document.querySelector("#ballot.sending")`)
			}
			s.Start()
			voted()
		}
		teacher.drives("reveal")
		for _, b := range append(students, teacher) {
			b.wait(`document.querySelector("#tally .rounds") && !document.querySelector("#ballot")`)
			b.wait(`!document.querySelector("#evidence") || document.querySelector("#evidence .picture")`)
		}
		for _, b := range students {
			b.reads(fmt.Sprintf("Question %d of %d", n+1, of))
		}
		if n+1 < of {
			teacher.drives(fmt.Sprint("goto:", n+1))
			teacher.wait(`document.querySelector(".drive [value=open]")`)
		}
	}
	p := s.Person()
	_, body, _ := p.Get(eval[string](teacher, `location.pathname`) + "/votes.csv")
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cast := map[string]bool{}
	for _, row := range rows[1:] {
		cast[row[0]+" "+row[1]+" "+row[3]] = true // voter, question, round
	}
	if len(cast) != 3*(of+1) {
		t.Errorf("%d votes of %d are there:\n%s", len(cast), 3*(of+1), body)
	}
}

// What is on the projector's screen can be read from the last row: text has 2.4 % of its
// height at least, the question 5 %, and counts 4 %. Where there is more than that has room
// for, program, placements, drawing and reason at once, they have no less than 0.65 of it.
func TestBrowserClassFromTheLastRow(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	for i, size := range [][2]int64{{1920, 1080}, {1280, 720}} {
		if testing.Short() && i > 0 {
			continue
		}
		b := openTab(t, s.URL, size[0], size[1])
		for _, where := range []string{"wait", "vote", "live", "again", "reveal", "fences", "placed", "choice"} {
			b.enter(inClass(t, s.URL, "CLASS "+where+" /screen"))
			if where == "reveal" || where == "placed" {
				classPicture(b)
			}
			for what, least := range map[string]float64{"*": 2.4, ".prompt": 5, ".count b, .votes": 4} {
				if where == "placed" {
					least *= 0.65
				}
				small := eval[[]string](b, fmt.Sprintf(`(() => {
					const out = [];
					for (const e of document.querySelectorAll("body :is(%s)")) {
						const r = e.getBoundingClientRect();
						const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
						if (!text || !r.width || !e.checkVisibility() || e.closest("svg, .heard, noscript") || getComputedStyle(e).clipPath !== "none") continue;
						const share = parseFloat(getComputedStyle(e).fontSize) * e.currentCSSZoom / innerHeight * 100;
						if (share < %g - 0.05) out.push(share.toFixed(1) + " %%: " + text.slice(0, 30));
					}
					return out;
				})()`, what, least))
				if len(small) > 0 {
					t.Errorf("%s at %d: %s: less than %g %% of the height: %q", where, size[1], what, least, small)
				}
			}
			if cut := eval[[]string](b,
				`[...document.querySelectorAll(".asking > *, .strip, .invite *")].filter((e) => {
				const r = e.getBoundingClientRect(), p = (e.closest(".asking") ?? document.body).getBoundingClientRect();
				return r.height && (r.bottom > p.bottom + 2 || r.right > p.right + 2); }).map((e) => e.tagName + "." + e.className)`); len(cut) > 0 {
				t.Errorf("%s at %d: off the screen: %q", where, size[1], cut)
			}
		}
	}
}

// The explorer's question, with its models and options, becomes one for a class.
func TestBrowserTeachThis(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.open("/?test=MP")
	b.click("#share")
	b.wait(`document.querySelector("#share-menu:popover-open")`)
	eval[chromedp.Void](b,
		`HTMLFormElement.prototype.submit = function () { window.sent = [this.getAttribute("action"), this.target, new FormData(this)]; };
		[...document.querySelectorAll("#share-menu button")].find((e) => e.textContent === "Teach this").click();`)
	got := eval[string](b,
		`[sent[0], sent[1], sent[2].get("source").split("\n")[0], sent[2].getAll("model").join(), sent[2].get("option-unroll")].join(" ")`)
	if want := "/class/compose _blank X86 MP tso,riscv,aarch64,power,sc 2"; got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// What a phone says of a vote is true: it can be changed while the vote is open, not once it is closed, and the next
// question has none yet. The page says in words who was right.
func TestBrowserVoteSaysHowItIs(t *testing.T) {
	t.Parallel()
	s := webtest.NewSchool(t)
	p := s.Person()
	teach, join := p.Opens("prompt", "First?", "answer", "a", "answer", "b", "right", "0")
	p.Post(teach+"/add", false, "prompt", "Second?", "answer", "c", "answer", "d")
	do := func(verb string) { p.Wants(http.StatusNoContent, teach+"/do", "do", verb) }
	b := schoolTab(s, join, 390, 844)
	do("open")
	b.reads("First?")
	b.click(`.vote[value="0:0"]`)
	const mine = `document.querySelector("#mine").innerText`
	b.wait(mine + ` === "Your vote is in. You can change it."`)
	do("close")
	b.reads("The vote is closed.")
	b.wait(mine + ` === "Your vote is in."`)
	do("reveal")
	b.wait(`document.querySelector(".answers .said")`)
	if got := b.text(".answers .said"); !strings.HasPrefix(got, "your answer") || strings.Contains(got, "@") {
		t.Errorf("whoever was right reads %q", got)
	}
	do("goto:1")
	do("open")
	b.reads("Second?")
	b.wait(mine + ` === ""`)
}
