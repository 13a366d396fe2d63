package machine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/play"
	"litmuscope/solver/operational"
)

// walks are paths and what the walk shows at their end: memory, then each thread, then the choices, then what can still
// follow.
var walks = []struct {
	what, text, observed string
	kind                 Kind
	path, want           string
}{
	{
		"the start", sb, "0:a 1:a", TSO, "",
		`w=0 x=0 y=0 z=0
P0 at x=1, a=0
P1 at y=1, a=0
0 "x=1", 1 "y=1"
0:a=0; 1:a=0 | 0:a=0; 1:a=1 | 0:a=1; 1:a=0 | 0:a=1; 1:a=1`,
	},
	{
		"a store waits, and can be flushed", sb, "0:a 1:a", TSO, "0",
		`w=0 x=0 y=0 z=0
P0 at a=y, a=0, holds x=1
P1 at y=1, a=0
0 "a=y", 0:x "flush x=1", 1 "y=1"
0:a=0; 1:a=0 | 0:a=0; 1:a=1 | 0:a=1; 1:a=0 | 0:a=1; 1:a=1`,
	},
	{
		"what has been read rules outcomes out", sb, "0:a 1:a", TSO, "0,0,1",
		`w=0 x=0 y=0 z=0
P0 ended, a=0, holds x=1
P1 at a=x, a=0, holds y=1
0:x "flush x=1", 1 "a=x", 1:y "flush y=1"
0:a=0; 1:a=0 | 0:a=0; 1:a=1`,
	},
	{
		"the end", sb, "0:a 1:a", TSO, "0,0,1,0:x,1,1:y",
		`w=0 x=1 y=1! z=0
P0 ended, a=0
P1 ended, a=1

0:a=0; 1:a=1`,
	},
	{
		"a fence waits, and says for what", "x=1; mf; a=y || y=1", "0:a", TSO, "0",
		`w=0 x=0 y=0 z=0
P0 at mf, a=0, holds x=1 (P0 waits for its store buffer to empty: x=1)
P1 at y=1
0:x "flush x=1", 1 "y=1"
0:a=0 | 0:a=1`,
	},
	{
		"PSO flushes by location", "x=1; y=1; x=2", "x y", PSO, "0,0,0",
		`w=0 x=0 y=0 z=0
P0 ended, holds x=1 y=1 x=2
0:x "flush x=1", 0:y "flush y=1"
x=2; y=1`,
	},
	{
		"a loop goes on as it is", "L:; a=x; if a=0 L || x=1", "0:a", SC, "0,0,0",
		`w=0 x=0 y=0 z=0
P0 at a=x, a=0
P1 at x=1
0 "a=x", 1 "x=1"
0:a=1`,
	},
	{
		"a register is set", "a=x || x=1", "0:a", SC, "1,0",
		`w=0 x=1 y=0 z=0
P0 ended, a=1!
P1 ended

0:a=1`,
	},
}

func TestWalks(t *testing.T) {
	for _, c := range walks {
		p := parse(t, c.text, c.observed)
		steps, err := ParsePath(p, c.path)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		w, err := NewWalk(p, c.kind, steps, nil)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := seen(t, p, w); got != c.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", c.what, got, c.want)
		}
		var path []string
		for _, f := range w.Frames[1:] {
			path = append(path, f.Choice)
		}
		if got := strings.Join(path, ","); got != c.path {
			t.Errorf("%s: the path is %s", c.what, got)
		}
	}
}

// seen is the last frame of a walk in words.
func seen(t *testing.T, p *ir.Program, w *Walk) string {
	t.Helper()
	f := w.Frames[len(w.Frames)-1]
	out := []string{cells(f.Memory)}
	for i, th := range f.Threads {
		line := fmt.Sprintf("P%d ended", i)
		if th.Next >= 0 {
			line = fmt.Sprintf("P%d at %s", i, p.Threads[i].Source[th.Next].Text)
		}
		if len(th.Regs) > 0 {
			line += ", " + cells(th.Regs)
		}
		if len(th.Buffer) > 0 {
			line += ", holds " + cells(th.Buffer)
		}
		if th.Blocked != "" {
			line += " (" + th.Blocked + ")"
		}
		out = append(out, line)
	}
	var choices []string
	for _, c := range f.Choices {
		choices = append(choices, fmt.Sprintf("%s %q", c.Step, c.Text))
	}
	out = append(out, strings.Join(choices, ", "))
	r, err := w.Reach(context.Background(), ReachLimits{States: 1000, Bytes: 1 << 20, Outcomes: 100})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		out = append(out, r.Why)
	}
	var states []string
	for _, o := range r.Outcomes {
		var values []string
		for _, b := range o.State {
			values = append(values, b.Name+"="+b.Value)
		}
		states = append(states, strings.Join(values, "; "))
	}
	return strings.Join(append(out, strings.Join(states, " | ")), "\n")
}

func cells(list []play.Cell) string {
	var out []string
	for _, c := range list {
		text := c.Name + "=" + c.Value
		if c.New {
			text += "!"
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestPathsAreRefused(t *testing.T) {
	p := parse(t, sb, "0:a")
	for _, c := range []struct{ path, want string }{
		{"7", `step 1: the test has no thread "7"`},
		{"0,", `step 2: the test has no thread ""`},
		{"0:nowhere", `step 1: the test has no location "0:nowhere"`},
		{"0:x", "step 1: P0 has no store to x that the tso machine can flush now"},
		{"0,0,0", "step 3: P0 has no next instruction"},
		{strings.Repeat("0,", play.MaxPath) + "0", "the path has more than 2000 steps"},
	} {
		steps, err := ParsePath(p, c.path)
		if err == nil {
			_, err = NewWalk(p, TSO, steps, nil)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%.20s: %v, want %s", c.path, err, c.want)
		}
	}
}

// A run is an execution's for as long as it can still become that one.
func TestWalksLeaveAnExecution(t *testing.T) {
	p := parse(t, sb, "0:a 1:a")
	run, err := Replay(p, TSO, []Step{next(0), next(1), next(0), next(1), flush(0, locX), flush(1, locY)})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find("tso")
	g := display.Graph(run.Execution, m)
	for _, c := range []struct {
		path    string
		left    int
		done    string // the events by step
		waiting string // those in a buffer after it
	}{
		{"0,1,0,1,0:x,1:y", 0, "[] [4] [6] [5] [7] [4] [6]", "[] [4] [4 6] [4 6] [4 6] [6] []"},
		{"1,1,0,0,1:y,0:x", 0, "[] [6] [7] [4] [5] [6] [4]", "[] [6] [6] [4 6] [4 6] [4] []"},
		// P1 has yet to read x=0 when x=1 reaches memory.
		{"0,0:x,0", 2, "[] [4] [] []", "[] [4] [] []"},
		{"0,1,1:y,1,0:x", 3, "[] [4] [6] [] [] []", "[] [4] [4 6] [4] [4] []"},
	} {
		steps, err := ParsePath(p, c.path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWalk(p, TSO, steps, g)
		if err != nil {
			t.Fatal(err)
		}
		var done, waiting []string
		for _, f := range w.Frames {
			done, waiting = append(done, fmt.Sprint(f.Events)), append(waiting, fmt.Sprint(f.Waiting))
		}
		if got := strings.Join(done, " "); got != c.done || w.LeavesAt != c.left {
			t.Errorf("%s: left at %d, events %s", c.path, w.LeavesAt, got)
		}
		if got := strings.Join(waiting, " "); got != c.waiting {
			t.Errorf("%s: waiting are %s, want %s", c.path, got, c.waiting)
		}
	}
}

// An execution that the machine does not allow has no run.
func TestNoRunToAForbiddenExecution(t *testing.T) {
	p := parse(t, sb, "0:a 1:a")
	run, err := Replay(p, TSO, []Step{next(0), next(1), next(0), next(1), flush(0, locX), flush(1, locY)})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find("tso")
	g := display.Graph(run.Execution, m)
	for k, allowed := range map[Kind]bool{SC: false, TSO: true, PSO: true} {
		steps, err := Follow(p, k, g)
		if (err == nil) != allowed || !allowed && !errors.Is(err, operational.ErrNoRun) {
			t.Errorf("%s: %v %v", k, steps, err)
		}
	}
}

// A search that stops early says so.
func TestReachIsBounded(t *testing.T) {
	p := parse(t, "L:; a=x; x=a; b=b; goto L || L:; y=a; a=x; x=1; goto L", "0:a")
	w, err := NewWalk(p, PSO, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Reach(context.Background(), ReachLimits{States: 50, Bytes: 1 << 20, Outcomes: 1})
	if err != nil || r.Complete || !strings.Contains(r.Why, "more than 50 states") {
		t.Errorf("%+v %v", r, err)
	}
	p = parse(t, sb, "0:a 1:a")
	if w, err = NewWalk(p, TSO, nil, nil); err != nil {
		t.Fatal(err)
	}
	r, err = w.Reach(context.Background(), ReachLimits{States: 1000, Bytes: 1 << 20, Outcomes: 1})
	if err != nil || r.Complete || len(r.Outcomes) != 1 || r.Why != "more than 1 outcome" {
		t.Errorf("%+v %v", r, err)
	}
}
