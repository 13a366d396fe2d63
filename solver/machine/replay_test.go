package machine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
)

const locX, locY = 1, 2 // in locNames

func next(thread int) Step       { return Step{Thread: thread} }
func flush(thread, loc int) Step { return Step{Thread: thread, Flush: true, Loc: loc} }

// Both threads of SB issue their stores, read, and only then flush: each reads the
// initial write.
func TestReplayStoreBuffering(t *testing.T) {
	p := parse(t, sb, "0:a 1:a")
	steps := []Step{next(0), next(1), next(0), next(1), flush(1, locY), flush(0, locX)}
	for i := range steps {
		steps[i].Round = 1 + i/2
	}
	run, err := Replay(p, TSO, steps)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(run.Final, ir.State{0, 0}) {
		t.Errorf("final state %v", run.Final)
	}
	// Four initial writes, then a: Wx=1, b: Ry=0, c: Wy=1, d: Rx=0.
	x := run.Execution
	if want := []int{-1, -1, -1, -1, -1, locY, -1, locX}; !slices.Equal(x.RF, want) {
		t.Errorf("rf %v, want %v", x.RF, want)
	}
	if got, want := fmt.Sprint(x.CO), "[[0] [1 4] [2 6] [3]]"; got != want {
		t.Errorf("co %s, want %s", got, want)
	}
	if err := x.WellFormed(); err != nil {
		t.Error(err)
	}
	for name, allowed := range map[string]bool{"sc": false, "tso": true} {
		m, _ := models.Find(name)
		if bad := evaluation.Check(m, x); (len(bad) == 0) != allowed {
			t.Errorf("%s: %v", name, bad)
		}
	}
	var got []string
	for _, s := range run.Trace {
		got = append(got, fmt.Sprintf("%d P%d %s %v", s.Round, s.Thread, s.Action, s.Events))
	}
	want := []string{
		"1 P0 x:=1 into buffer [4]", "1 P1 y:=1 into buffer [6]",
		"2 P0 a:=y (0 from memory) [5]", "2 P1 a:=x (0 from memory) [7]",
		"3 P1 flush y:=1 [6]", "3 P0 flush x:=1 [4]",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}

// rf and co are those of the run: event numbers are the execution's, whatever the
// order in which things happen.
func TestReplayExecution(t *testing.T) {
	for _, c := range []struct {
		what, text string
		kind       Kind
		steps      []Step
		rf, co     string
	}{
		{
			"a load sees the newest of its own stores", "x=1; x=2; a=x || b=x", TSO,
			[]Step{next(0), next(0), next(0), next(1), flush(0, locX), flush(0, locX)},
			"[-1 -1 -1 -1 -1 -1 5 1]", "[[0] [1 4 5] [2] [3]]",
		},
		{
			"the second thread writes first", "x=1 || x=2; a=x", SC,
			[]Step{next(1), next(0), next(1)},
			"[-1 -1 -1 -1 -1 -1 4]", "[[0] [1 5 4] [2] [3]]",
		},
		{
			"stores overtake under PSO", "x=1; y=1 || a=y; a=x", PSO,
			[]Step{next(0), next(0), flush(0, locY), next(1), next(1), flush(0, locX)},
			"[-1 -1 -1 -1 -1 -1 5 1]", "[[0] [1 4] [2 5] [3]]",
		},
		{
			"a swap reads and writes, a failed one reads", "a=x<-1; b=x<-2?0 || c=x", TSO,
			[]Step{next(0), next(0), next(1)},
			"[-1 -1 -1 -1 1 -1 5 5]", "[[0] [1 5] [2] [3]]",
		},
		{
			"a loop goes round", "L:; a=x; if a=0 L || x=1", SC,
			[]Step{next(0), next(1), next(0)},
			"[-1 -1 -1 -1 1 6 -1]", "[[0] [1 6] [2] [3]]",
		},
	} {
		p := parse(t, c.text, "")
		unrolled, _ := ir.Unroll(p, 2, ir.Waits{})
		for _, p := range []*ir.Program{p, unrolled} {
			run, err := Replay(p, c.kind, c.steps)
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
				continue
			}
			if rf, co := fmt.Sprint(run.Execution.RF), fmt.Sprint(run.Execution.CO); rf != c.rf || co != c.co {
				t.Errorf("%s: %s\nrf %s, want %s\nco %s, want %s", c.what, c.text, rf, c.rf, co, c.co)
			}
		}
	}
}

// Flushes come as late as they can: both threads of SB read before either sees a store of the other.
func TestFlushesArePutOff(t *testing.T) {
	for _, c := range []struct {
		what, text  string
		kind        Kind
		steps, want []Step
	}{
		{
			"both read first", sb, TSO,
			[]Step{next(0), next(1), next(0), flush(1, locY), next(1), flush(0, locX)},
			[]Step{next(0), next(1), next(0), next(1), flush(1, locY), flush(0, locX)},
		},
		{
			"a read of another's store waits for it", sb, TSO,
			[]Step{next(0), flush(0, locX), next(0), next(1), flush(1, locY), next(1)},
			[]Step{next(0), next(0), next(1), flush(0, locX), next(1), flush(1, locY)},
		},
		{
			"a read of one's own does not", "x=1; a=x; b=y", TSO,
			[]Step{next(0), flush(0, locX), next(0), next(0)},
			[]Step{next(0), next(0), next(0), flush(0, locX)},
		},
		{
			"a fence waits for its own thread's alone", "x=1; mf || y=1", TSO,
			[]Step{next(0), next(1), flush(0, locX), flush(1, locY), next(0)},
			[]Step{next(0), next(1), flush(0, locX), next(0), flush(1, locY)},
		},
		{
			"a swap keeps its place among the writes", "x=1 || a=x<-2", PSO,
			[]Step{next(0), flush(0, locX), next(1)},
			[]Step{next(0), flush(0, locX), next(1)},
		},
	} {
		if got := lazy(parse(t, c.text, ""), c.kind, c.steps); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s\ngot  %v\nwant %v", c.what, c.text, got, c.want)
		}
	}
}

func TestReplayRefuses(t *testing.T) {
	for _, c := range []struct {
		what, text string
		kind       Kind
		steps      []Step
		want       string
	}{
		{
			"a fence waits", "x=1; mf; a=y", TSO,
			[]Step{next(0), next(0)},
			"step 2: P0: mf has to wait for the store buffer",
		},
		{
			"a swap waits", "x=1; a=y<-1", PSO,
			[]Step{next(0), next(0)},
			"step 2: P0: a=y<-1 has to wait for the store buffer",
		},
		{
			"a load waits", "x=1; wr; a=y", PSO,
			[]Step{next(0), next(0), next(0)},
			"step 3: P0: a=y has to wait for the store buffer",
		},
		{
			"one queue under TSO", "x=1; y=1", TSO,
			[]Step{next(0), next(0), flush(0, locY)},
			"step 3: P0 has no store to y that the tso machine can flush now",
		},
		{
			"a barrier", "x=1; ww; y=1", PSO,
			[]Step{next(0), next(0), next(0), flush(0, locY)},
			"step 4: P0 has no store to y that the pso machine can flush now",
		},
		{
			"nothing pending", "x=1", SC,
			[]Step{next(0), flush(0, locX)},
			"step 2: P0 has no store to x that the sc machine can flush now",
		},
		{
			"another's store", "x=1 || a=x", TSO,
			[]Step{next(0), flush(1, locX)},
			"step 2: P1 has no store to x that the tso machine can flush now",
		},
		{"a thread that has ended", "x=1", SC, []Step{next(0), next(0)}, "step 2: P0 has no next instruction"},
		{"a load cannot succeed", "a=x", SC, []Step{{Succeeds: true}}, "step 1: P0: a=x cannot succeed now"},
		{"no such thread", "a=x", SC, []Step{next(1)}, "step 1: the test has 1 thread and no thread 1"},
		{
			"no such location", "x=1", TSO,
			[]Step{next(0), flush(0, 9)},
			"step 2: the test has 4 locations and no location 9",
		},
		{"a thread is left", "x=1 || a=x", SC, []Step{next(0)}, "after step 1, the last: P1 has not ended"},
		{"a store is left", "x=1", TSO, []Step{next(0)}, "after step 1, the last: P0 has 1 pending store"},
	} {
		if _, err := Replay(parse(t, c.text, ""), c.kind, c.steps); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.what, err, c.want)
		}
	}
}
