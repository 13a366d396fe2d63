package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openRun opens a classic test, asked of one model and engine.
func (b *tab) openRun(test, model, engine string) {
	b.t.Helper()
	b.open("/?test=" + url.QueryEscape(test))
	eval[chromedp.Void](b,
		`(() => { for (const m of document.querySelectorAll("input[name=model]")) m.checked = m.value === `+
			quote(model)+`;
		const e = document.querySelector("[name=engine]"); e.value = `+quote(engine)+
			`; e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	b.wait(
		`document.querySelectorAll(".outcomes thead [data-column]").length === 1 && document.querySelector("#picture:not([aria-busy]) > *")`)
	if eval[bool](b, `document.querySelector("[data-tab=steps]") !== null`) {
		b.click("[data-tab=steps]")
	}
}

// The state of a run as it is on show: events by what they are, then memory and
// buffers.
const runState = `(() => {
	const all = (c) => [...document.querySelectorAll(c)].map((e) => e.textContent.replace(/\s+/g, "")).join(",");
	const events = (c) => [...document.querySelectorAll(".drawing .event" + c)].map((e) => e.querySelector(".name").textContent.replace(":", "")).join("");
	return ["todo " + events(".todo"), "waiting " + events(".waiting"), "now " + events(".now"), "memory " + all(".player .memory div"),
		"buffers " + [...document.querySelectorAll(".player .buffer")].map((b) => b.textContent).join("|"),
		"list " + [...document.querySelectorAll(".steps li")].findIndex((e) => e.getAttribute("aria-current") === "step")].join("; ");
})()`

func (b *tab) wantRun(what, want string) {
	b.t.Helper()
	if got := eval[string](b, runState); got != want {
		b.t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}

// SB's weak outcome: both threads read while both stores wait in their buffers.
func TestBrowserStepsThroughARun(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("SB", "tso", "machine")
	const (
		start   = "todo abcd; waiting ; now ; memory x0,y0; buffers |; list -1"
		stored  = "todo bcd; waiting a; now a; memory x0,y0; buffers x=1|; list 0"
		both    = "todo ; waiting ac; now d; memory x0,y0; buffers x=1|y=1; list 3"
		flushed = "todo ; waiting a; now c; memory x0,y1; buffers x=1|; list 4"
		end     = "todo ; waiting ; now a; memory x1,y1; buffers |; list 5"
	)
	b.wantRun("to begin with", start)
	b.click("[data-tab=graph]")
	b.wantRun("in the graph", strings.Replace(start, "todo abcd", "todo ", 1))
	b.click("[data-tab=steps]")
	b.wantRun("back at the steps", start)
	if n := eval[int](b, `document.querySelectorAll(".drawing g.edge:not(.label):not(.todo)").length`); n != 0 {
		t.Errorf("%d edges are there before the first step", n)
	}
	b.click("[data-go=forward]")
	b.wantRun("forward", stored)
	b.wantText(".did", "Step 1 of 6. P0: MOV [x],$1 – x:=1 into buffer.")
	if lit := eval[string](b, `document.querySelector(".cm-lit")?.textContent ?? ""`); lit != "MOV [x],$1" {
		t.Errorf("lit in the editor is %q", lit)
	}
	b.click("[data-go=forward]")
	if at := eval[string](b,
		`[...document.querySelectorAll(".code .at")].map((e) => e.textContent).join()`); at !=
		"MOV EAX,[y],MOV EAX,[x]" {
		t.Errorf("the threads are at %s", at)
	}
	for range 2 {
		b.click("[data-go=forward]")
	}
	b.wantRun("both have read", both)
	if regs := eval[string](b,
		`[...document.querySelectorAll(".regs > div")].map((e) => e.textContent.trim()).join()`); regs != "EAX0,EAX0" {
		t.Errorf("the registers are %s", regs)
	}
	b.click("[data-go=forward]")
	b.wantRun("flushed", flushed)
	b.click("[data-go=back]")
	b.wantRun("and back", both)

	b.do(chromedp.Focus(chromedp.CSS(".player")))
	for _, c := range []struct{ key, want string }{
		{kb.Home, start},
		{kb.ArrowLeft, start},
		{kb.ArrowRight, stored},
		{kb.ArrowLeft, start},
		{kb.End, end},
		{kb.ArrowLeft, flushed},
	} {
		b.key(c.key)
		b.wantRun(fmt.Sprintf("key %q", c.key), c.want)
	}
	b.do(chromedp.Focus(chromedp.CSS(".player input")))
	b.key(kb.ArrowLeft)
	b.wantRun("the slider, one back", both)
	eval[chromedp.Void](b,
		`(() => { const s = document.querySelector(".player input"); s.value = 1; s.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	b.wantRun("the slider, drawn to 1", stored)
	b.click(".all summary")
	b.click(".steps li:nth-child(5)")
	b.wantRun("a click on step 5", flushed)

	b.click("[data-go=play]")
	b.wait(`document.querySelector(".did").textContent.startsWith("Step 6 of 6.")`)
	b.wait(`document.querySelector("[data-go=play]").getAttribute("aria-label") === "Play"`)
	b.click("[data-go=play]")
	b.wantRun("played from the start again", start)
	b.click("[data-go=play]")
	if label := eval[string](b, `document.querySelector("[data-go=play]").title`); label != "Play" {
		t.Errorf("paused, the button says %s", label)
	}
}

// A machine without buffers has none to show.
func TestBrowserStepsWithoutBuffers(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("SB", "sc", "machine")
	eval[chromedp.Void](b, `document.querySelector("tbody tr:nth-child(2) button.v").click()`)
	b.wait(
		`document.querySelector(".picture h2").innerText === "✓ SC allows 0:EAX=0; 1:EAX=1" && document.querySelector(".player")`)
	b.click("[data-tab=steps]")
	b.click("[data-go=start]")
	b.wantRun("to the start", "todo abcd; waiting ; now ; memory x0,y0; buffers ; list -1")
	if eval[bool](b, `document.querySelector(".buffer, .player .hint") !== null`) {
		t.Error("there is a store buffer")
	}
}

// moment is what the page shows of a run after a step.
type moment struct {
	Did, Memory string
	Buffers     []string // with the times at which stores reach memory
	Lists       []string // the nodes of each, by place and value
	Read        bool     // both loads have been carried out
}

const momentNow = `({
	Did: document.querySelector(".did").textContent,
	Memory: [...document.querySelectorAll(".player .memory div")].map((e) => e.textContent.replace(/\s+/g, "")).join(),
	Buffers: [...document.querySelectorAll(".player .buffer")].map((e) => e.textContent),
	Lists: [...document.querySelectorAll(".lists div")].map((l) => [...l.querySelectorAll("li")]
		.map((n) => n.classList[0] + " " + n.querySelector("span").textContent).join(" → ").trim()),
	Read: document.querySelectorAll(".drawing .event[data-event='3'].todo, .drawing .event[data-event='5'].todo").length === 0,
})`

// SB's weak outcome by timestamps: both loads have read while both stores wait for their
// times, which then come.
func TestBrowserShowsRoundsClockAndWriteLists(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 800)
	b.openRun("SB", "tso", "etso")
	if facts := eval[string](b, `document.querySelector(".facts").textContent`); !strings.Contains(facts,
		"complete: 3 rounds, 3 timestamps, 2 nodes per location") {
		t.Errorf("the answer says %q", facts)
	}
	var moments []moment
	b.click("[data-go=start]")
	for range eval[int](b, `Number(document.querySelector(".player input").max)`) {
		b.click("[data-go=forward]")
		moments = append(moments, eval[moment](b, momentNow))
	}
	stamped := regexp.MustCompile(`^[xy]=1@([1-9])$`)
	waiting := slices.IndexFunc(moments, func(f moment) bool {
		return f.Read && f.Memory == "x0,y0" && stamped.MatchString(f.Buffers[0]) && stamped.MatchString(f.Buffers[1])
	})
	if waiting < 0 {
		t.Fatalf("at no step both loads have read while both stores wait: %+v", moments)
	}
	at, end := moments[waiting], moments[len(moments)-1]
	if want := []string{"head 0 → waiting 1 → sentinel", "head 0 → waiting 1 → sentinel"}; !slices.Equal(at.Lists,
		want) {
		t.Errorf("while both wait the lists are %q, want %q", at.Lists, want)
	}
	if want := []string{"free 0 → head 1 → sentinel", "free 0 → head 1 → sentinel"}; !slices.Equal(end.Lists, want) {
		t.Errorf("in the end the lists are %q, want %q", end.Lists, want)
	}
	if end.Memory != "x1,y1" || end.Buffers[0]+end.Buffers[1] != "" {
		t.Errorf("in the end memory is %s, the buffers hold %q", end.Memory, end.Buffers)
	}
	clock := regexp.MustCompile(`^Step \d of 6, round \d, clock (\d)\. P[01]: `)
	var times []string
	for _, f := range moments {
		m := clock.FindStringSubmatch(f.Did)
		if m == nil {
			t.Fatalf("%q tells no round or clock", f.Did)
		}
		times = append(times, m[1])
	}
	last := max(stamped.FindStringSubmatch(at.Buffers[0])[1], stamped.FindStringSubmatch(at.Buffers[1])[1])
	if !slices.IsSorted(times) || times[waiting] >= last || times[len(times)-1] != last {
		t.Errorf("the clock goes %v, both wait at step %d, the last until %s", times, waiting+1, last)
	}
	if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
		t.Errorf("the page is %d pixels wide", w)
	}
}

// ahead is what can come next, and what can still come of it.
const ahead = `(() => {
	const choices = [...document.querySelectorAll(".choices button")].map((b) => b.textContent).join(", ");
	const outcomes = [...document.querySelectorAll(".reachable li")].map((li) => li.className[0] + " " + li.querySelector("code").textContent).join(", ");
	return choices + " | " + document.querySelector(".reachable h4").textContent + " | " + outcomes;
})()`

func (b *tab) wantAhead(what, count, want string) {
	b.t.Helper()
	b.wait(`document.querySelector(".reachable h4").textContent === "Still reachable: ` + count + `"`)
	if got := eval[string](b, ahead); want != "" && got != want {
		b.t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}

// Readers take steps of their own, back up, and see what can still come of it.
func TestBrowserChoosesSteps(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("SB", "tso", "axiomatic")
	b.wantRun("to begin with", "todo abcd; waiting ; now ; memory x0,y0; buffers |; list -1")
	b.click("[data-go=start]")
	b.wantAhead("the start", "4 of 4", "P0 MOV [x],$1, P1 MOV [y],$1 | Still reachable: 4 of 4 | "+
		"y 0:EAX=0 1:EAX=0, y 0:EAX=0 1:EAX=1, y 0:EAX=1 1:EAX=0, y 0:EAX=1 1:EAX=1")

	// The run as drawn goes on with P0, and a choice of that stays on it.
	b.click(`.choices [data-step="0"]`)
	b.wait(`document.querySelector(".did").textContent.startsWith("Step 1 of 6.")`)
	if !eval[bool](b, `document.querySelector(".own").hidden`) {
		t.Error("the step of the drawn run is one of the reader's own")
	}
	// A flush that the execution does not have leaves it.
	b.click(`.choices [data-step="0:x"]`)
	b.wait(`document.querySelector(".did").textContent.startsWith("Step 2 of 2. P0: flush x:=1.")`)
	b.wantText(".own span", "Your run differs from the drawn execution.")
	if got := eval[string](b, runState); !strings.Contains(got, "waiting ;") {
		t.Errorf("a store that is flushed still waits in the drawing: %s", got)
	}
	b.wantAhead("x=1 is in memory", "2 of 4", "P0 MOV EAX,[y], P1 MOV [y],$1 | Still reachable: 2 of 4 | "+
		"n 0:EAX=0 1:EAX=0, y 0:EAX=0 1:EAX=1, n 0:EAX=1 1:EAX=0, y 0:EAX=1 1:EAX=1")
	if got := eval[string](b,
		`document.activeElement.closest(".choices") ? document.activeElement.dataset.thread : document.activeElement.className`); got != "0" {
		t.Errorf("the focus is at %q", got)
	}
	// To the end, by keyboard alone.
	for range 6 {
		if eval[bool](b, `document.querySelector(".choices button") === null`) {
			break
		}
		did := eval[string](b, `document.querySelector(".did").textContent`)
		b.key(kb.Enter)
		b.wait(`document.querySelector(".did").textContent !== ` + quote(did))
	}
	b.wantAhead("the end", "1 of 4", "")
	b.wantText(".choices", "All threads have ended.")
	b.key(kb.ArrowLeft)
	b.wantText(".own span", "Your run differs from the drawn execution.")
	b.click(`[data-go=drawn]`)
	b.wantRun("back", "todo ; waiting ; now a; memory x1,y1; buffers |; list 5")
	b.wantAhead("the end as drawn", "1 of 4", "")
}

// What cannot move says why.
func TestBrowserShowsWhyAThreadWaits(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("SB+mfences", "tso", "axiomatic")
	eval[chromedp.Void](b, `document.querySelector("tbody tr:last-child button.v").click()`)
	b.wait(`document.querySelector("#picture:not([aria-busy]) .player")`)
	b.click("[data-tab=steps]")
	b.click("[data-go=start]")
	b.click("[data-go=forward]")
	const want = "P0 waits for its store buffer to empty: x=1"
	b.wantText(".blocked", want)
	b.wantWithin(".did", want+".")
}

// A model without a machine has its executions played in an order that they allow.
func TestBrowserPlaysAnExecution(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1280, 900)
	b.openRun("PPC/IRIW+addrs", "power-cav10", "axiomatic")
	if n := eval[int](b, `document.querySelectorAll(".player .view").length`); n != 4 {
		t.Errorf("%d threads have a view of their own", n)
	}
	b.click("[data-go=start]")
	b.click("[data-go=forward]")
	b.wantWithin(".did", "not yet seen by P3")
	if eval[bool](b, `document.querySelector(".choices") !== null`) {
		t.Error("steps can be chosen")
	}
	views := eval[string](b,
		`[...document.querySelectorAll(".player .view")].map((e) => e.textContent.replace(/\s+/g, "")).join()`)
	if views != "x1y0,x1y0,x1y0,x0y0" {
		t.Errorf("the threads see %s", views)
	}
}

// Where there is room, graph, steps and reasons stand side by side, and the drawing follows the run once somebody
// turns to it; on a narrower page they are tabs.
func TestBrowserShowsAllTogether(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1920, 1080)
	b.open("/?test=SB")
	const inSight = `[...document.querySelectorAll(".panel")].filter((p) => p.checkVisibility()).map((p) => p.dataset.panel).join(" ")`
	if got := eval[string](b, inSight); got != "graph steps why" {
		t.Fatalf("in sight: %s", got)
	}
	if eval[bool](b, `document.querySelector(".tabs").checkVisibility()`) {
		t.Error("there are tabs where all is in sight")
	}
	const waiting = `document.querySelectorAll(".drawing .event.todo").length`
	if n := eval[int](b, waiting); n != 0 {
		t.Errorf("%d events are drawn as not done before anybody has turned to the run", n)
	}
	b.click(`[data-go=forward]`)
	b.wait(waiting + " > 0")
	b.wait(`document.querySelector(".player .did").textContent.startsWith("Step 1 of")`)
	b.click(`.why .letter`)
	b.wait(`document.querySelector(".modelpane")`)
	b.do(chromedp.EmulateViewport(1280, 900))
	b.wait(`document.querySelector(".tabs").checkVisibility()`)
	if got := eval[string](b, inSight); got != "graph why" {
		t.Errorf("in sight on a narrower page: %s", got)
	}
}

// takeSteps takes steps of the run at hand by their texts; the first of them is the step of that number.
func (b *tab) takeSteps(first int, steps ...string) {
	b.t.Helper()
	for i, step := range steps {
		b.wait(`document.querySelector(".choices [data-step='` + step + `']")`)
		b.click(`.choices [data-step="` + step + `"]`)
		b.wait(fmt.Sprintf(`document.querySelector(".did").innerText.startsWith("Step %d ")`, first+i))
	}
}

// stepForward takes all steps of the run at hand from its start, and returns what they did, a line each.
func (b *tab) stepForward() string {
	b.t.Helper()
	var did []string
	for range 40 {
		if eval[bool](b, `document.querySelector("[data-go=forward]").getAttribute("aria-disabled") === "true"`) {
			break
		}
		before := b.text(".did")
		b.click("[data-go=forward]")
		b.wait(`document.querySelector(".did").innerText !== ` + quote(before))
		did = append(did, b.text(".did"))
	}
	return strings.Join(did, "\n")
}
