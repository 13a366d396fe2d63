package firefox

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/web/webtest"
)

// A stop is a page, with what is there once its script has begun, and what one does there.
type stop struct {
	name, path, there string
	visit             func(*tab) // nil: nothing
}

const (
	// drawn is that an answer is there, and its picture.
	drawn = `document.querySelector("html.live #picture:not([aria-busy]) .drawing svg")`
	// judged is that every model has said what it says of a cycle.
	judged = `document.querySelector("html.live #verdicts:not([aria-busy]) li") && !document.querySelector("#board.stale")`
	// stepping is that a program's answer is there, and the editor can be stepped through.
	stepping = `document.querySelector("html.live #result:not([aria-busy]) .claim.unsafe") && document.querySelector(".stepping .keys")?.checkVisibility()`
)

var stops = []stop{
	{"explorer", "/", drawn, explore},
	{"catalogue", "/catalogue", `document.querySelector(".find button")?.hidden`, searchCatalogue},
	{"cycles", "/cycles?arch=X86&cycle=PodWR+Fre+PodWR+Fre", judged, chooseEdge},
	{"lessons", "/learn", `document.querySelector("html.live [data-slug=litmus-tests]")`, nil},
	{"lesson", "/learn/litmus-tests", `document.querySelector("html.live #question-1")`, answerQuestion},
	{"programs", "/programs", stepping, takeSteps},
	{"suites", "/suites", `document.querySelector("main a[href^='/suites/stored']")`, openSuite},
	{"compare", "/compare", `document.querySelector("main form")`, nil},
	{"class", "/class?test=SB", `document.querySelector("form[action='/class/compose']")`, vote},
	{"model", "/models/power", `document.querySelector("main h1")?.innerText === "Power"`, nil},
	{"glossary", "/glossary", `document.querySelector("main .index a")`, lookUp},
	{"api", "/api/docs", `document.querySelector("main h1")`, nil},
	{"versus", "/?test=SB", drawn, holdAgainst},
	{"embed", "/embed?test=SB", `document.querySelector("html.live .drawing svg .event")`, nil},
}

// A visitor with a Firefox goes through every page, and does there what it is for. No page has an error, or is
// forbidden anything by its policy.
func TestFirefoxWalk(t *testing.T) {
	if testing.Short() {
		t.Skip("the walk is left out with -short: run task firefox")
	}
	f := startFirefox(t)
	h := webtest.NewHouse(t, engines.Local{})
	h.Stored(20, []string{"sc", "tso"}, func(test, _ int) suites.Code {
		if test%2 == 0 {
			return suites.Allowed
		}
		return suites.Forbidden
	})
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)

	t.Run("navigation", func(t *testing.T) {
		b := f.newTab(t, srv.URL)
		b.open("/")
		for _, path := range eval[[]string](b,
			`[...document.querySelectorAll("nav[aria-label=Site] a, footer a[href$=docs]")].map((a) => a.pathname)`) {
			if !slices.ContainsFunc(stops,
				func(s stop) bool { p, _, _ := strings.Cut(s.path, "?"); return p == path }) {
				t.Errorf("the walk does not go to %s", path)
			}
		}
	})
	for _, s := range stops {
		t.Run(s.name, func(t *testing.T) {
			b := f.newTab(t, srv.URL)
			b.open(s.path)
			b.wait(s.there)
			if s.visit != nil {
				s.visit(b)
			}
		})
	}
}

// explore asks about a test that is typed, and has another execution drawn.
func explore(b *tab) {
	b.click("#source")
	b.keys(ctrl + "a")
	b.keys("X86 foxes\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV EAX,[x] ;\nexists (1:EAX=1)\n")
	b.keys(ctrl + enter)
	b.wait(
		`document.querySelector(".outcomes h2 .name")?.innerText === "foxes" && !document.querySelector("#result[aria-busy]")`)
	b.wait(drawn)
	const heading = `document.querySelector(".picture h2").innerText`
	if got := eval[string](b, heading); got != "✓ TSO allows 1:EAX=1" {
		b.t.Errorf("the picture is of %s", got)
	}
	picture := eval[string](b, `document.querySelector(".drawing svg").outerHTML`)
	b.click("tbody tr:nth-child(2) button.v")
	b.wait(heading + ` === "✓ SC allows 1:EAX=0"`)
	if eval[string](b, `document.querySelector(".drawing svg").outerHTML`) == picture {
		b.t.Error("the drawing of another execution is the same")
	}
	b.click("[data-tab=steps]")
	b.click("[data-go=start]")
	b.click("[data-go=forward]")
	b.wait(`document.querySelector(".drawing .todo")`)
}

func searchCatalogue(b *tab) {
	b.click(".find input")
	b.keys("allowed:tso forbidden:sc")
	b.wait(`document.getElementById("SB") && !document.getElementById("MP")`)
	b.click(".cell[data-shape=IRIW] a.open")
	b.wait(`location.pathname === "/" && ` + drawn)
	b.reads("IRIW")
}

// chooseEdge makes SB into R, which TSO allows, too, by an edge of the ring.
func chooseEdge(b *tab) {
	b.click("#edge-0")
	b.wait(`document.querySelector("#menu:popover-open .choice")`)
	const wanted = `[...document.querySelectorAll("#menu .choice")].find((c) => c.querySelector("b").textContent === "PodWW")`
	b.wait(wanted + `?.setAttribute("data-wanted", "") === undefined`)
	b.click("#menu [data-wanted]")
	b.wait(`document.getElementById("test-name").firstChild.textContent.trim() === "R"`)
	b.wait(judged)
	const verdicts = `[...document.querySelectorAll("#verdicts li")].map((l) => l.querySelector(".model").textContent + " " + l.querySelector(".heard").textContent).join()`
	if got := eval[string](b, verdicts); !strings.HasPrefix(got, "SC forbidden,TSO allowed,") {
		b.t.Errorf("the models say of R: %s", got)
	}
}

func answerQuestion(b *tab) {
	b.click("#question-1 li:nth-child(1) input")
	b.click("#question-1 [data-answer]")
	b.reads("Not quite. Read why and choose again.")
	b.click("#question-1 li:nth-child(2) input")
	b.click("#question-1 [data-answer]")
	b.reads("Correct.")
	b.click("#exercise-1 textarea")
	b.wait(`document.querySelector("#exercise-1 .cm-content")`)
	b.click("#exercise-1 button.main")
	b.wait(`document.querySelector("#exercise-1 .verdict")?.innerText === "Not yet."`)
	b.click("#exercise-1 .cm-content")
	b.keys(ctrl + "a")
	b.keys(webtest.ExerciseOf(b.t, "litmus-tests", "exercise-1").Solution)
	b.click("#exercise-1 button.main")
	b.wait(`document.querySelector("#exercise-1 .verdict")?.innerText === "Done."`)
}

// takeSteps has a program verified that is safe, then takes steps through the run that fails.
func takeSteps(b *tab) {
	b.keys(f10 + f10 + f10)
	b.wait(`document.querySelector(".stepping .did")?.textContent.startsWith("Step 3 of")`)
	b.wait(`document.querySelector(".cm-stepped") && document.querySelector(".cm-values .value")?.checkVisibility()`)
	b.click(".cm-content")
	b.keys(ctrl + "a")
	b.keys("#include <assert.h>\n\nint main(void)\n{\nassert(1);\n}\n")
	b.keys(ctrl + enter)
	b.wait(
		`document.querySelector("#result:not([aria-busy]) .claim") && !document.querySelector("#result .claim.unsafe, #result .problem")`)
}

func openSuite(b *tab) {
	b.click("main a[href^='/suites/stored']")
	b.wait(`document.querySelector("html.live .cells[role=grid]") && !document.querySelector(".cells tr.coming")`)
	b.wait(`document.querySelector(".cells tbody .test bdi")?.innerText === "t000000.litmus"`)
}

func lookUp(b *tab) {
	b.click("main input[type=search]")
	b.keys("store buffer")
	b.wait(`document.getElementById("found").innerText !== ""`)
}

// vote opens a class as a teacher and votes in it as a student, who has another browser.
func vote(b *tab) {
	b.click(`form[action="/class/compose"] button.main`)
	b.wait(`document.querySelector("input[name=row]")`)
	b.click("main button.main")
	b.wait(`document.querySelector("html.live #room")`)
	code := eval[string](b, `document.getElementById("room").dataset.code`)
	student := b.newTab(b.t, b.url)
	student.open("/class")
	student.click("#code")
	student.keys(strings.ToLower(code))
	student.click(".joining button")
	student.reads("You have joined.")
	b.reads("0 of 1 voted")
	b.click(`.drive [value="open"]`)
	student.reads("Can this happen?")
	for n := range eval[int](student, `document.querySelectorAll(".vote[value$=':1']").length`) {
		student.click(fmt.Sprintf(`.vote[value="%d:1"]`, n))
	}
	student.reads("Your vote is in.")
	b.reads("1 of 1 voted")
}

// holdAgainst compares a user's model with TSO.
func holdAgainst(b *tab) {
	b.click(`.options:has(.own-models) summary`)
	b.wait(`document.querySelector(".own-models .cm-content")`)
	b.click(".own-models .cm-content")
	b.keys("\"Mine\"\nacyclic po | rf | co | fr as order")
	b.wait(`document.querySelector("#explore").elements.mine.value === "Mine"`)
	b.wait(
		`(document.querySelector("select[name=against]").focus(), document.querySelector("select[name=against] option[value=tso]"))`)
	b.wait(`(document.querySelector("select[name=against]").value = "tso") === "tso"`)
	b.click(`button[formaction="/versus"]`)
	b.wait(`document.querySelector(".differs")`)
	b.reads("✗ Mine forbids")
}
