package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
	"litmuscope/web"
	"litmuscope/web/pages/explore"
	"litmuscope/web/webtest"
)

// programOf is the hash of a test.
func programOf(t *testing.T, source string) []byte {
	t.Helper()
	test, err := litmus.Parse("test", source)
	if err != nil {
		t.Fatal(err)
	}
	hash := litmus.ProgramHash(test)
	return hash[:]
}

// seenSB is an outcome of SB.
func seenSB(left, right string, count int64) solver.SeenState {
	return solver.SeenState{
		State: solver.State{{Name: "0:EAX", Value: left}, {Name: "1:EAX", Value: right}}, Count: count,
	}
}

func putSeen(t *testing.T, s *store.Store, source, machine string, outcomes ...solver.SeenState) {
	t.Helper()
	o := store.Observation{
		Program: programOf(t, source), Test: "SB", Session: "log", Outcomes: outcomes,
		Machine: solver.Computer{Name: machine, Arch: "X86_64", Processor: "Processor 9", Cores: 4},
		Date:    time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC),
	}
	for _, x := range outcomes {
		o.Runs += x.Count
	}
	if err := s.PutObservations(t.Context(), []store.Observation{o}); err != nil {
		t.Fatal(err)
	}
}

// rowsOf are the rows of the answer's table, as text between bars.
func rowsOf(body string) (out []string) {
	_, table, _ := strings.Cut(body, "<tbody")
	table, _, _ = strings.Cut(table, "</tbody>")
	for row := range strings.SplitSeq(table, "<tr") {
		var b strings.Builder
		in := false
		for _, c := range row {
			switch {
			case c == '<':
				in = true
			case c == '>':
				in = false
				b.WriteByte('|')
			case !in:
				b.WriteRune(c)
			}
		}
		text := strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '|' }), "|")
		out = append(out, text)
	}
	return out[1:]
}

// The answer has a column for each machine that has run the test, whatever its name and its comments. What a machine
// has shown although a model forbids it comes first.
func TestAnswersHaveMachines(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	source := webtest.ClassicSource(t, "SB")
	renamed := strings.Replace(source, "X86 SB", "X86 mine", 1)
	putSeen(t, h.Store, renamed, "board", seenSB("0", "0", 12), seenSB("0", "1", 5000))
	putSeen(t, h.Store, source, "pc", seenSB("1", "0", 1))
	form := url.Values{"source": {source}, "model": {"sc", "tso"}}
	w := post(h, "/explore", form, false)
	wantStatus(t, w, http.StatusOK)
	body := w.Body.String()
	for _, want := range []string{
		`title="X86_64, Processor 9, 4 processors, 5,012 runs in 1 session">board</th>`,
		"Seen, but forbidden by SC: <code>0:EAX=0; 1:EAX=0</code>, 12 times on board.",
		"<strong>board</strong>: X86_64, Processor 9, 4 processors, 5,012 runs in 1 session, on 28 Nov 2026.",
		"1 run in 1 session",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the answer lacks %q", want)
		}
	}
	if strings.Index(body, "Seen, but forbidden") > strings.Index(body, `class="sentences"`) {
		t.Error("what was seen although it is forbidden comes after the models' answers")
	}
	rows := strings.Join(rowsOf(body), "\n")
	for _, want := range []string{
		"|0|0|✓|allowed|✗|forbidden|12|not seen", "|0|1|✓|allowed|✓|allowed|5,000|not seen",
		"|1|0|✓|allowed|✓|allowed|not seen|1",
	} {
		if !strings.Contains(rows, want) {
			t.Errorf("no row %q in\n%s", want, rows)
		}
	}
	// Of another test, nothing is shown.
	form.Set("source", strings.Replace(source, "$1", "$2", 1))
	if body := post(h, "/explore", form, false).Body.String(); strings.Contains(body, "board") ||
		strings.Contains(body, "machines.css") {
		t.Error("another test has the machines")
	}
}

// An outcome that no model allows has a row of its own, unless the row of the condition stands for it.
func TestMachinesShowWhatNoModelAllows(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	source := webtest.ClassicSource(t, "SB")
	putSeen(t, h.Store, source, "board", seenSB("0", "0", 2), seenSB("7", "7", 3))
	body := post(h, "/explore", url.Values{"source": {source}, "model": {"sc"}}, false).Body.String()
	rows := strings.Join(rowsOf(body), "\n")
	for _, want := range []string{"|0|0|✗|forbidden|2", "|7|7|✗|forbidden|3"} {
		if strings.Count(rows, want) != 1 {
			t.Errorf("%q is not in one row of\n%s", want, rows)
		}
	}
	for _, want := range []string{"1:EAX=0</code>, 2 times on board", "1:EAX=7</code>, 3 times on board"} {
		if !strings.Contains(body, want) {
			t.Errorf("the answer lacks %q", want)
		}
	}
	// An observation of other registers than the test's is not confused with its outcomes.
	putSeen(t, h.Store, source, "odd", solver.SeenState{State: solver.State{{Name: "x", Value: "0"}}, Count: 9})
	body = post(h, "/explore", url.Values{"source": {source}, "model": {"sc"}}, false).Body.String()
	if !strings.Contains(body, "9 runs ended in outcomes with other registers or locations") ||
		strings.Contains(body, "9 times on odd") {
		t.Error("outcomes with other registers are not told apart")
	}
}

func TestExploreListsMachines(t *testing.T) {
	h := webtest.NewHouse(t, engines.Local{})
	source := webtest.ClassicSource(t, "SB")
	explore := func() (out struct {
		Machines []solver.MachineRuns `json:"machines"`
	}, text string,
	) {
		body, err := json.Marshal(map[string]any{"source": source, "models": []string{"sc", "tso"}})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodPost, "/api/v1/explore", strings.NewReader(string(body)))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		wantStatus(t, w, http.StatusOK)
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		return out, w.Body.String()
	}
	if _, text := explore(); strings.Contains(text, `"machines"`) {
		t.Errorf("without machines: %s", text)
	}
	putSeen(t, h.Store, source, "board", seenSB("0", "0", 12), seenSB("0", "1", 5000))
	got, text := explore()
	if len(got.Machines) != 1 || got.Machines[0].Name != "board" || got.Machines[0].Runs != 5012 {
		t.Fatalf("got %s", text)
	}
	if want := `"outcomes":[{"state":{"0:EAX":"0","1:EAX":"0"},"count":12,"forbidden_by":["sc"]},` +
		`{"state":{"0:EAX":"0","1:EAX":"1"},"count":5000}]`; !strings.Contains(text, want) {
		t.Errorf("got %s, want %s", text, want)
	}
}

// fakeNative is a machine that shows SB's weak outcome once in each run.
type fakeNative struct {
	runs    atomic.Int32
	running atomic.Int32
	most    atomic.Int32  // that ran at once
	until   chan struct{} // a run lasts until it is closed; nil: no time
	err     error
}

func (*fakeNative) Machine() solver.Computer { return solver.Computer{Name: "server", Arch: "X86_64"} }

func (*fakeNative) Refuses(arch string) string {
	if arch != "X86" {
		return arch + " is not the architecture of this machine"
	}
	return ""
}

func (f *fakeNative) Run(ctx context.Context, _ string) (store.Observation, error) {
	f.runs.Add(1)
	if now := f.running.Add(1); now > f.most.Load() {
		f.most.Store(now)
	}
	defer f.running.Add(-1)
	if f.until != nil {
		select {
		case <-f.until:
		case <-ctx.Done():
			return store.Observation{}, ctx.Err()
		}
	}
	return store.Observation{
		Runs: 1000, Date: time.Now(), Outcomes: []solver.SeenState{seenSB("0", "0", 1), seenSB("0", "1", 999)},
	}, f.err
}

func withNative(f explore.NativeRunner) func(*web.Config) {
	return func(c *web.Config) { c.Native, c.Limits.Rate = f, 0 }
}

// A visitor runs a test on the server's machine only where the server allows it, and only what the machine can run. The
// runs of all visitors add up.
func TestNativeRuns(t *testing.T) {
	source := webtest.ClassicSource(t, "SB")
	form := url.Values{"source": {source}, "model": {"sc", "tso"}}
	const button = "Run on the server's machine"

	closed := webtest.NewHouse(t, engines.Local{})
	w := post(closed, "/native", form, false)
	if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "does not run native tests") ||
		!strings.Contains(w.Body.String(), "serve --hw") {
		t.Errorf("a server without --hw: %d %s", w.Code, w.Body)
	}
	if body := post(closed, "/explore", form, false).Body.String(); strings.Contains(body, button) {
		t.Error("a server without --hw has the button")
	}

	f := &fakeNative{}
	h := webtest.NewHouse(t, engines.Local{}, withNative(f))
	if body := post(h, "/explore", form, false).Body.String(); !strings.Contains(body, button) ||
		!strings.Contains(body, "<strong>server</strong>") {
		t.Error("the answer lacks the button")
	}
	for range 3 {
		wantStatus(t, post(h, "/native", form, false), http.StatusOK)
	}
	if body := post(h, "/explore", form, false).Body.String(); !strings.Contains(body, "3,000 runs in 1 session") ||
		!strings.Contains(body, "3 times on server") {
		t.Errorf("the runs do not add up: %s", body)
	}
	other := url.Values{"source": {webtest.ClassicSource(t, "PPC/SB")}, "model": {"sc"}}
	if body := post(h, "/explore", other, false).Body.String(); strings.Contains(body, button) {
		t.Error("a test of another architecture has the button")
	}
	w = post(h, "/native", other, false)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "PPC is not the architecture") {
		t.Errorf("a test of another architecture: %d %s", w.Code, w.Body)
	}
	broken := url.Values{"source": {"X86 broken\n{}\n P0 ;\n FROB ;\nexists (x=1)\n"}}
	w = post(h, "/native", broken, false)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "FROB") {
		t.Errorf("a broken test: %d %s", w.Code, w.Body)
	}
	if n := f.runs.Load(); n != 3 {
		t.Errorf("%d runs, want 3", n)
	}
	f.err = &explore.NativeRefusal{Msg: "cc: not found"}
	if w := post(h, "/native", form, false); !strings.Contains(w.Body.String(), "cc: not found") {
		t.Errorf("the reason is hidden: %s", w.Body)
	}
}

// One test runs at once, some wait, one for each client, and the others are turned away.
func TestNativeRunsWaitInTurn(t *testing.T) {
	f := &fakeNative{until: make(chan struct{})}
	h := webtest.NewHouse(t, engines.Local{}, withNative(f))
	form := url.Values{"source": {webtest.ClassicSource(t, "SB")}}
	from := func(client string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/native", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.RemoteAddr = client + ":4711"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	var group sync.WaitGroup
	var good, busy atomic.Int32
	ask := func(client string) {
		switch w := from(client); w.Code {
		case http.StatusOK:
			good.Add(1)
		case http.StatusServiceUnavailable:
			busy.Add(1)
			if w.Header().Get("Retry-After") == "" {
				t.Error("a client that is turned away does not know when to try again")
			}
		default:
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	}
	const more = 5
	for i := range explore.NativeWaiting + 1 + more {
		group.Go(func() { ask(fmt.Sprintf("192.0.2.%d", i+1)) })
	}
	deadline := time.Now().Add(time.Minute)
	for busy.Load() < more && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if busy.Load() != more {
		t.Errorf("%d are turned away, want %d", busy.Load(), more)
	}
	close(f.until)
	group.Wait()
	if good.Load() != explore.NativeWaiting+1 || f.most.Load() != 1 {
		t.Errorf("%d ran, %d at once; want %d, one at once", good.Load(), f.most.Load(), explore.NativeWaiting+1)
	}

	f.until = make(chan struct{})
	group.Go(func() { ask("192.0.2.1") })
	for f.running.Load() == 0 && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if w := from("192.0.2.1"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a second run of a client: %d %s", w.Code, w.Body)
	}
	close(f.until)
	group.Wait()
}
