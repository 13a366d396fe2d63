package engines_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/machine"
)

// Each execution that the event graphs give for a classic test under a model with a machine
// has a run, whose reads and writes are the execution's.
func TestExecutionsHaveRuns(t *testing.T) {
	n := 0
	for _, e := range catalogue.Core() {
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"sc", "tso", "pso"} {
			m, _ := models.Find(name)
			kind, _ := machine.For(m)
			o := solver.DefaultOptions()
			o.Witnesses, o.Timeout, o.Executions = true, 20*time.Second, 0
			r, err := engines.Run(context.Background(),
				solver.Task{Path: "t", Source: e.Source, Model: name, Options: o})
			if err != nil || r.Status == solver.Failed {
				t.Fatalf("%s: %v %s", e.ID(), err, r.Error)
			}
			for _, o := range r.Outcomes {
				n++
				steps, err := machine.Follow(p, kind, o.Graph)
				if err != nil {
					t.Errorf("%s under %s, %v: %v", e.ID(), name, o.State, err)
					continue
				}
				run, err := machine.Replay(p, kind, steps)
				if err != nil {
					t.Errorf("%s under %s, %v: %v", e.ID(), name, o.State, err)
					continue
				}
				if got := display.Graph(run.Execution, m); !reflect.DeepEqual(edges(got), edges(o.Graph)) ||
					!reflect.DeepEqual(got.Events, o.Graph.Events) {
					t.Errorf("%s under %s, %v: the run's execution is another", e.ID(), name, o.State)
				}
				w, err := engines.AnswerStroll(
					engines.Stroll{Source: e.Source, Model: name, Outcome: &solver.Outcome{Graph: o.Graph}})
				if err != nil || w.Refused != "" || len(w.Frames) != len(steps)+1 || w.LeavesAt != 0 {
					t.Errorf("%s under %s, %v: %v %+v", e.ID(), name, o.State, err, w)
				}
			}
		}
	}
	if n < 500 {
		t.Errorf("%d executions were run", n)
	}
}

// edges are what an execution is: who reads from whom, and which write comes after which.
func edges(g *models.Graph) map[string]map[models.Pair]bool {
	out := map[string]map[models.Pair]bool{"rf": {}, "co": {}}
	for _, r := range g.Relations {
		for _, e := range r.Edges {
			if out[r.Name] != nil {
				out[r.Name][e] = true
			}
		}
	}
	return out
}

// Registers are those of the outcome in the end, in whatever form the walk shows the execution.
func TestRunsEndInTheOutcome(t *testing.T) {
	n := 0
	for _, e := range catalogue.Core() {
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"tso", "rmo", "power"} {
			o := solver.DefaultOptions()
			o.Witnesses, o.Timeout, o.Executions = true, 20*time.Second, 0
			r, err := engines.Run(context.Background(),
				solver.Task{Path: "t", Source: e.Source, Model: name, Options: o})
			if err != nil || r.Status == solver.Failed {
				t.Fatalf("%s: %v %s", e.ID(), err, r.Error)
			}
			for _, o := range r.Outcomes {
				w, err := engines.AnswerStroll(engines.Stroll{Source: e.Source, Model: name, Outcome: &o})
				if err != nil || w.Refused != "" {
					t.Errorf("%s under %s, %v: %v %s", e.ID(), name, o.State, err, w.Refused)
					continue
				}
				end := map[string]string{}
				last := w.Frames[len(w.Frames)-1]
				for t, th := range last.Threads {
					for _, c := range th.Regs {
						end[fmt.Sprintf("%d:%s", p.Threads[t].ID, c.Name)] = c.Value
					}
				}
				for _, b := range o.State {
					if got, ok := end[b.Name]; ok {
						if n++; got != b.Value {
							t.Errorf("%s under %s, %v: %s is %s", e.ID(), name, o.State, b.Name, got)
						}
					}
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d registers were looked at", n)
	}
}

// Steps of locks and of RCU have their own names, and a thread that waits for a lock says so.
func TestStepsOfC(t *testing.T) {
	const source = `C locks
{}
P0(int *x, spinlock_t *s) {
 spin_lock(s);
 *x = 1;
 spin_unlock(s);
 synchronize_rcu();
}
P1(int *x, spinlock_t *s) {
 rcu_read_lock();
 spin_lock(s);
 int r0 = *x;
 spin_unlock(s);
 rcu_read_unlock();
}
exists (1:r0=1)`
	path := "0,1,0,0,0:x,0:s,0,1,1,1,1:s,1"
	w, err := engines.AnswerStroll(engines.Stroll{Source: source, Model: "tso", Path: &path})
	if err != nil || w.Refused != "" || len(w.BadTest) > 0 {
		t.Fatalf("%v %+v", err, w)
	}
	want := []string{
		"lock: read s (0), s:=1 in one step", "rcu_read_lock", "x:=1 into buffer", "unlock: s:=0 into buffer",
		"flush x:=1", "flush s:=0",
		"synchronize_rcu: fence, buffer empty", "lock: read s (0), s:=1 in one step", "read x (1 from memory)",
		"unlock: s:=0 into buffer", "flush s:=0", "rcu_read_unlock",
	}
	var got []string
	for _, f := range w.Frames[1:] {
		got = append(got, f.Did)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if blocked := w.Frames[2].Threads[1].Blocked; blocked != "P1 waits for lock s" {
		t.Errorf("P1: %q", blocked)
	}
	if len(w.Reachable.Outcomes) == 0 {
		t.Errorf("nothing is reachable: %+v", w.Reachable)
	}
}
