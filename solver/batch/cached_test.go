package batch

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/store"
)

const sb = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
	"exists (0:EAX=0 /\\ 1:EAX=0)\n"

// counting is a Runner that counts and answers each task with its own text.
type counting struct {
	runs   int
	status solver.Status
}

func (c *counting) Run(_ context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	c.runs++
	yes := true
	r := &solver.Result{
		Path: t.Path, Name: "SB", Model: strings.ToLower(t.Model), Status: c.status, Verdict: solver.Allowed,
		ConditionHolds: &yes,
		States:         []solver.State{{{Name: "0:EAX", Value: "0"}, {Name: "x", Value: "1"}}},
		Reason:         strings.Repeat("long ", 1000), Complete: true, MS: 1000,
	}
	if t.Options.Witnesses {
		r.Outcomes = []solver.Outcome{{State: r.States[0], Satisfies: true}}
	}
	return r, nil
}

func cached(t *testing.T, r solver.Runner) *Cached {
	t.Helper()
	s, err := store.Open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &Cached{Runner: r, Cache: s, Fault: func(err error) { t.Error(err) }}
}

func TestCached(t *testing.T) {
	const own = "acyclic po | rf | co | fr as order"
	bells := map[string]string{"a.bell": "enum E = 'a", "b.bell": "enum E = 'b"}
	base := solver.Task{Path: "a.litmus", Source: sb, Model: "tso", Options: solver.DefaultOptions()}
	for _, test := range []struct {
		what   string
		first  func(*solver.Task)
		second func(*solver.Task)
		hit    bool
	}{
		{what: "the same", hit: true},
		{what: "another path", second: func(t *solver.Task) { t.Path = "b.litmus" }, hit: true},
		{what: "more time", second: func(t *solver.Task) { t.Options.Timeout = time.Hour }, hit: true},
		{what: "witnesses, then none", first: func(t *solver.Task) { t.Options.Witnesses = true }, hit: true},
		{what: "no witnesses, then some", second: func(t *solver.Task) { t.Options.Witnesses = true }},
		{what: "another spelling of the model", second: func(t *solver.Task) { t.Model = "TSO" }, hit: true},
		{what: "another model", second: func(t *solver.Task) { t.Model = "sc" }},
		{
			what: "a model of one's own", first: func(t *solver.Task) { t.ModelText = own },
			second: func(t *solver.Task) { t.ModelText = own }, hit: true,
		},
		{
			what: "another name for it", first: func(t *solver.Task) { t.ModelText = own },
			second: func(t *solver.Task) { t.Model, t.ModelText = "mine", own },
		},
		{
			what:   "another file that goes by its name",
			first:  func(t *solver.Task) { t.Model, t.ModelText, t.ModelFiles = "a.cat", own, bells },
			second: func(t *solver.Task) { t.Model, t.ModelText, t.ModelFiles = "b.cat", own, bells },
		},
		{
			what: "no model", first: func(t *solver.Task) { t.Model = "none" },
			second: func(t *solver.Task) { t.Model = "none" },
		},
	} {
		t.Run(test.what, func(t *testing.T) {
			first, second := base, base
			if test.first != nil {
				test.first(&first)
			}
			if test.second != nil {
				test.second(&second)
			}
			runner := &counting{status: solver.OK}
			c := cached(t, runner)
			if _, err := solver.Ask(t.Context(), c, first); err != nil {
				t.Fatal(err)
			}
			c.Close()
			got, err := solver.Ask(t.Context(), c, second)
			c.Close()
			if err != nil {
				t.Fatal(err)
			}
			if hit := runner.runs == 1; hit != test.hit || got.Cached != hit || hit == (got.MS == 1000) {
				t.Errorf("%d runs, cached %v, %v ms", runner.runs, got.Cached, got.MS)
			}
			want, _ := solver.Ask(t.Context(), runner, second)
			got.Cached, got.MS = want.Cached, want.MS
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// Whoever has enough ends the context: that is no fault of the cache's.
func TestCachedInterrupted(t *testing.T) {
	c := cached(t, &counting{status: solver.OK})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 {
		if _, err := solver.Ask(ctx, c,
			solver.Task{Source: sb, Model: "tso", Options: solver.DefaultOptions()}); err != nil {
			t.Fatal(err)
		}
	}
	c.Close()
}

func TestCachedOnlyComplete(t *testing.T) {
	for _, status := range []solver.Status{solver.Unknown, solver.Failed} {
		runner := &counting{status: status}
		c := cached(t, runner)
		for range 2 {
			r, err := solver.Ask(t.Context(), c,
				solver.Task{Source: sb, Model: "tso", Options: solver.DefaultOptions()})
			c.Close()
			if err != nil || r.Cached {
				t.Error(r, err)
			}
		}
		if runner.runs != 2 {
			t.Errorf("%s: %d runs", status, runner.runs)
		}
	}
}

// A request of a higher engine version finds no answer of a lower one, and the old rows go.
func TestVersionBumpDropsRows(t *testing.T) {
	s, err := store.Open(t.Context(), ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c := &Cached{Runner: engines.Local{}, Cache: s, Fault: func(err error) { t.Error(err) }}
	task := solver.Task{Source: sb, Model: "tso", Options: solver.DefaultOptions()}
	ask := func() bool {
		r, err := solver.Ask(t.Context(), c, task)
		c.Close()
		if err != nil || r.Status != solver.OK {
			t.Fatal(r, err)
		}
		return r.Cached
	}
	e, err := engines.Find("")
	if err != nil {
		t.Fatal(err)
	}
	key, err := engines.Key(task)
	if err != nil || key.Version != e.KeyVersion() || key.Version <= e.Version() {
		t.Fatalf("version %d, the engine's %d: %v", key.Version, e.Version(), err)
	}
	first, again := ask(), ask()
	if err := s.DropStale(t.Context(), func(string) int { return e.KeyVersion() }); err != nil {
		t.Fatal(err)
	}
	kept := ask()
	if err := s.DropStale(t.Context(), func(string) int { return e.KeyVersion() + 1 }); err != nil {
		t.Fatal(err)
	}
	if dropped := !ask(); first || !again || !kept || !dropped {
		t.Errorf("cached at first %v, again %v, of the same version %v; dropped by a higher one %v", first,
			again, kept, dropped)
	}
}

// What a limit has cut is no answer for those who have more time, whatever it says.
func TestCachedNothingCut(t *testing.T) {
	runner := &limited{counting{status: solver.OK}}
	c := cached(t, runner)
	for range 2 {
		r, err := solver.Ask(t.Context(), c, solver.Task{Source: sb, Model: "tso", Options: solver.DefaultOptions()})
		c.Close()
		if err != nil || r.Cached || r.Cut == "" {
			t.Error(r, err)
		}
	}
	if runner.runs != 2 {
		t.Errorf("%d runs, want 2", runner.runs)
	}
}

// limited is a Runner whose answers stand, although a limit has cut what comes behind them.
type limited struct{ counting }

func (c *limited) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	r, err := c.counting.Run(ctx, q)
	r.(*solver.Result).Cut = "time limit of 1s reached"
	return r, err
}

// An answer with a shortened list of states does not serve a request for all of them.
func TestCachedWhole(t *testing.T) {
	runner := &cutShort{counting{status: solver.OK}}
	c := cached(t, runner)
	for _, states := range []int{2, 2, 1, 1, 1} { // there is 1
		task := solver.Task{Source: sb, Model: "tso", Options: solver.DefaultOptions()}
		task.Options.States = states
		if r, err := solver.Ask(t.Context(), c, task); err != nil || *r.StatesComplete {
			t.Fatal(r, err)
		}
		c.Close()
	}
	if runner.runs != 3 {
		t.Errorf("%d runs, want 3", runner.runs)
	}
}

// cutShort is a Runner that answers with some of the states.
type cutShort struct{ counting }

func (c *cutShort) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	r, err := c.counting.Run(ctx, t)
	r.(*solver.Result).StatesComplete = new(bool)
	return r, err
}

// An answer has the remarks of its own text, at their places.
func TestCachedRemarks(t *testing.T) {
	const odd = "X86 odd\n{}\n P0 ;\n MOV EQX,$1 ;\n MOV EAX,$1 ;\nexists (0:EAX=1)\n"
	c := cached(t, engines.Local{})
	for i, text := range []struct {
		init, remarks string
		hit           bool
	}{
		{"{}\n", "4:6", false},
		{"{}\n\n\n", "6:6", false},
		{"(* open\n{}\n", "2:1 5:6", false},
		{"{}\r\n", "4:6", true},
		{"{}\n\n\n", "6:6", true},
	} {
		task := solver.Task{Source: strings.Replace(odd, "{}\n", text.init, 1), Options: solver.DefaultOptions()}
		r, err := solver.Ask(t.Context(), c, task)
		c.Close()
		if err != nil || r.Cached != text.hit || r.Model != "tso" {
			t.Fatal(i, r, err)
		}
		var got []string
		for _, m := range r.Remarks {
			got = append(got, fmt.Sprintf("%d:%d", m.Line, m.Column))
		}
		if strings.Join(got, " ") != text.remarks {
			t.Errorf("text %d: remarks at %v, want %s", i, got, text.remarks)
		}
	}
}
