package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"litmuscope/solver"
)

// openRun opens a classic test, asked of one model and engine.
func (b *tab) openRun(test, model, engine string) {
	b.t.Helper()
	b.open("/?test=" + queryEscape(test))
	eval[chromedp.Void](b, `(() => { for (const m of document.querySelectorAll("input[name=model]")) m.checked = m.value === `+quote(model)+`;
		const e = document.querySelector("[name=engine]"); e.value = `+quote(engine)+`; e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	b.wait(`document.querySelector("#result[aria-busy]") === null && document.querySelector(".sentences").children.length === 1 && document.querySelector(".player")`)
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
	b := newTab(t, 1280, 900)
	b.openRun("SB", "tso", "machine")
	const (
		start   = "todo abcd; waiting ; now ; memory x0,y0; buffers |; list -1"
		stored  = "todo bcd; waiting a; now a; memory x0,y0; buffers x=1|; list 0"
		both    = "todo ; waiting ac; now d; memory x0,y0; buffers x=1|y=1; list 3"
		flushed = "todo ; waiting a; now c; memory x0,y1; buffers x=1|; list 4"
		end     = "todo ; waiting ; now a; memory x1,y1; buffers |; list 5"
	)
	b.wantRun("to begin with", end)
	b.click("[data-go=start]")
	b.wantRun("to the start", start)
	if n := eval[int](b, `document.querySelectorAll(".drawing g.edge:not(.label):not(.todo)").length`); n != 0 {
		t.Errorf("%d edges are there before the first step", n)
	}
	b.click("[data-go=forward]")
	b.wantRun("forward", stored)
	b.wantText(".did", "Step 1 of 6. P0: MOV [x],$1 – x:=1 into buffer.")
	for range 3 {
		b.click("[data-go=forward]")
	}
	b.wantRun("both have read", both)
	if at := eval[string](b, `[...document.querySelectorAll(".code .at")].map((e) => e.textContent).join()`); at != "MOV EAX,[y],MOV EAX,[x]" {
		t.Errorf("the threads are at %s", at)
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
	eval[chromedp.Void](b, `(() => { const s = document.querySelector(".player input"); s.value = 1; s.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	b.wantRun("the slider, drawn to 1", stored)
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
	b := newTab(t, 1280, 900)
	b.openRun("SB", "sc", "machine")
	b.click("[data-go=start]")
	b.wantRun("to the start", "todo abcd; waiting ; now ; memory x0,y0; buffers ; list -1")
	if eval[bool](b, `document.querySelector(".buffer, .player .hint") !== null`) {
		t.Error("there is a store buffer")
	}
}

// roundsAndLists answers SB with one outcome, as an engine does that has rounds, a
// clock and write lists.
var roundsAndLists = runnerFunc(func(_ context.Context, task solver.Task) (*solver.Result, error) {
	state := solver.State{{Name: "0:EAX", Value: "0"}, {Name: "1:EAX", Value: "0"}}
	initial := []solver.ListNode{{Node: 0, Place: "free"}, {Node: 1, Place: "free"}, {Node: 2, Value: "0", Place: "head"}, {Node: 3, Stamp: 9, Place: "sentinel"}}
	write := func(stamp int) []solver.ListNode {
		return []solver.ListNode{initial[1], initial[2], {Node: 0, Value: "1", Stamp: stamp, Place: "waiting"}, initial[3]}
	}
	flushed := func(stamp int) []solver.ListNode {
		return []solver.ListNode{initial[1], {Node: 2, Value: "0", Place: "free"}, {Node: 0, Value: "1", Stamp: stamp, Place: "head"}, initial[3]}
	}
	xAt, yAt := 3, 5
	var trace []solver.TraceStep
	add := func(s solver.TraceStep, clock int, buffers, memory string, x, y []solver.ListNode) {
		s.Clock = &clock
		s.Buffers = [][]solver.BufferEntry{{}, {}}
		if strings.Contains(buffers, "x") {
			s.Buffers[0] = []solver.BufferEntry{{Loc: "x", Value: "1", Stamp: &xAt}}
		}
		if strings.Contains(buffers, "y") {
			s.Buffers[1] = []solver.BufferEntry{{Loc: "y", Value: "1", Stamp: &yAt}}
		}
		s.Memory = []solver.Binding{{Name: "x", Value: memory[:1]}, {Name: "y", Value: memory[1:]}}
		s.Lists = []solver.WriteList{{Loc: "x", Nodes: x}, {Loc: "y", Nodes: y}}
		trace = append(trace, s)
	}
	add(solver.TraceStep{Thread: 0, Source: 0, Action: "x:=1 into buffer", Events: []int{2}, Round: 1}, 0, "x", "00", write(xAt), initial)
	add(solver.TraceStep{Thread: 0, Source: 1, Action: "EAX:=y (0 from memory)", Events: []int{3}, Round: 1}, 0, "x", "00", write(xAt), initial)
	add(solver.TraceStep{Thread: 1, Source: 0, Action: "y:=1 into buffer", Events: []int{4}, Round: 1}, 2, "x y", "00", write(xAt), write(yAt))
	add(solver.TraceStep{Thread: 1, Source: 1, Action: "EAX:=x (0 from memory)", Events: []int{5}, Round: 2}, 2, "x y", "00", write(xAt), write(yAt))
	add(solver.TraceStep{Thread: 0, Source: -1, Action: "flush x:=1", Events: []int{2}, Round: 2}, 3, "y", "10", flushed(xAt), write(yAt))
	add(solver.TraceStep{Thread: 1, Source: -1, Action: "flush y:=1", Events: []int{4}, Round: 2}, 5, "", "11", flushed(xAt), flushed(yAt))
	return &solver.Result{
		Name: "SB", Model: task.Model, Status: solver.OK, Verdict: solver.Allowed, States: []solver.State{state}, Complete: true,
		Outcomes: []solver.Outcome{{State: state, Satisfies: true, Graph: storeBuffering(state), Trace: trace}},
	}, nil
})

func TestBrowserShowsRoundsAndWriteLists(t *testing.T) {
	srv := httptest.NewServer(newHandler(t, roundsAndLists))
	t.Cleanup(srv.Close)
	b := openTab(t, srv.URL, 390, 800)
	b.open("/?test=SB")
	const chains = `[...document.querySelectorAll(".lists div")].map((l) => l.querySelector("dt").textContent + ": " +
		[...l.querySelectorAll("li")].map((n) => n.classList[0] + " " + n.querySelector("span").textContent + n.querySelector("small").textContent).join(" → "))`
	want := []string{
		"x: free @0 → head 0@0 → waiting 1@3 → sentinel @9",
		"y: free @0 → head 0@0 → waiting 1@5 → sentinel @9",
	}
	b.click(".steps li:nth-child(4)")
	if got := eval[[]string](b, chains); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	b.wantText(".did", "Step 4 of 6, round 2, clock 2. P1: MOV EAX,[x] – EAX:=x (0 from memory).")
	b.wantText(".steps li:nth-child(4) em", "round 2")
	b.wantText(".player .buffer", "x=1@3")
	b.click("[data-go=end]")
	want = []string{
		"x: free @0 → free 0@0 → head 1@3 → sentinel @9",
		"y: free @0 → free 0@0 → head 1@5 → sentinel @9",
	}
	if got := eval[[]string](b, chains); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
		t.Errorf("the page is %d pixels wide", w)
	}
}
