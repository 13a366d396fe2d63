package browser

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"litmuscope/litmus"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web"
	"litmuscope/web/webtest"
)

// oneMachine shows SB's weak outcome seven times in each run.
type oneMachine struct{ runs atomic.Int32 }

func (*oneMachine) Machine() solver.Computer {
	return solver.Computer{Name: "lab", Arch: "X86_64", Processor: "Processor 9", Cores: 4}
}

func (*oneMachine) Refuses(string) string { return "" }

func (m *oneMachine) Run(context.Context, string) (store.Observation, error) {
	m.runs.Add(1)
	return store.Observation{Runs: 1000, Date: time.Now(), Outcomes: []solver.SeenState{
		{State: solver.State{{Name: "0:EAX", Value: "0"}, {Name: "1:EAX", Value: "0"}}, Count: 7},
		{State: solver.State{{Name: "0:EAX", Value: "0"}, {Name: "1:EAX", Value: "1"}}, Count: 993},
	}}, nil
}

// A visitor runs a test on the server's machine: its column shows the counts, and above all others what a model
// forbids. A suite with the test has the machine's column, and a filter for what was seen although it is forbidden.
func TestBrowserShowsMachines(t *testing.T) {
	t.Parallel()
	machine := &oneMachine{}
	h := webtest.NewHouse(t, engines.Local{}, func(c *web.Config) { c.Native = machine })
	srv := webtest.Serve(t, h)
	b := openTab(t, srv.URL, 1440, 1000)
	b.open("/?test=SB")
	sb := webtest.ClassicSource(t, "SB")
	b.asks(sb, "tso", "sc")
	b.wait(`document.querySelector("#result .on-server")`)
	if eval[bool](b, `!!document.querySelector("th.machine")`) {
		t.Error("there is a machine's column before any run")
	}
	b.click(".on-server summary")
	b.click("[data-native]")
	b.wait(`document.querySelector("th.machine")?.innerText === "lab"`)
	b.answered()
	if got := eval[string](b, `document.querySelector("tr.asked td.machine").innerText`); got != "7" {
		t.Errorf("the weak outcome: %q, want 7", got)
	}
	const cells = `[...document.querySelectorAll("td.machine")].map((e) => e.innerText).join()`
	if got := eval[string](b, cells); got != "7,993,not seen,not seen" {
		t.Errorf("the column has %s", got)
	}
	b.wantText(".alarms .alarm", "Seen, but forbidden by SC: 0:EAX=0; 1:EAX=0, 7 times on lab.")
	if !eval[bool](b, `document.querySelector(".alarms").getBoundingClientRect().bottom <= `+
		`document.querySelector(".sentences").getBoundingClientRect().top`) {
		t.Error("what was seen although it is forbidden is not on top")
	}
	// The alarm is loud: it has the colour of faults.
	b.wait(`getComputedStyle(document.querySelector("td.machine.alarm")).fontWeight === "600"`)
	b.wait(`document.querySelector(".machines li").innerText.startsWith(` +
		`"lab: X86_64, Processor 9, 4 processors, 1,000 runs in 1 session, on ")`)
	for _, theme := range []string{"light", "dark"} {
		b.dress(theme)
		b.keeps("machines-" + theme)
	}
	b.do(chromedp.EmulateViewport(390, 844))
	b.keeps("machines-phone")
	b.do(chromedp.EmulateViewport(1440, 1000))

	test, err := litmus.Parse("test", sb)
	if err != nil {
		t.Fatal(err)
	}
	hash := litmus.ProgramHash(test)
	if seen, err := h.Store.Observed(t.Context(), hash[:]); err != nil || len(seen) != 1 || seen[0].Runs != 1000 ||
		machine.runs.Load() != 1 {
		t.Errorf("stored: %+v, %v", seen, err)
	}

	s := h.Submit(suites.Request{Name: "seen", Models: webtest.BuiltIn("sc", "tso")}, webtest.Entries(
		suite.Entry{Path: "a/MP.litmus", Source: webtest.ClassicSource(t, "MP")},
		suite.Entry{Path: "a/SB.litmus", Source: strings.Replace(sb, "X86 SB", "X86 renamed", 1)},
	))
	h.Done(s.ID)
	b.visit(srv.URL + "/suites/" + s.ID)
	b.wait(`document.querySelector("td.machine.alarm a")?.innerText === "7 forbidden"`)
	b.keeps("machines-suite")
	b.do(chromedp.EmulateViewport(390, 844))
	b.keeps("machines-suite-phone")
	b.do(chromedp.EmulateViewport(1440, 1000))
	eval[chromedp.Void](b, `(() => { const s = document.querySelector("select[name=show]"); s.value = "seen"; `+
		`s.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	b.wait(`document.getElementById("count").textContent === "1 test"`)
	b.wait(`document.querySelector(".cells tbody th.test bdi").innerText === "SB.litmus"`)
}
