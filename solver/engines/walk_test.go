package engines_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
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

// Each execution of a classic test of AArch64, RISC-V, C, Power and Armv7 has a run of the model's machine, which comes
// to it. At each step of it, the execution's outcome is among those that are still reachable.
func TestExecutionsHaveMachineRuns(t *testing.T) {
	for arch, least := range map[string]struct {
		model                string
		executions, promises int
	}{
		"AArch64": {"aarch64", 100, 1}, "RISCV": {"riscv", 100, 3}, "C": {"rc11", 100, 0},
		"PPC": {"power", 100, 0}, "ARM": {"arm", 100, 0},
	} {
		t.Run(arch, func(t *testing.T) {
			n, promises := executionsHaveRuns(t, arch, least.model)
			if n < least.executions || promises < least.promises {
				t.Errorf("%d executions, %d promises", n, promises)
			}
		})
	}
}

// executionsHaveRuns follows each execution of the classic tests of an architecture. It returns how many there are, and
// how many steps are promises.
func executionsHaveRuns(t *testing.T, arch, name string) (n, promises int) {
	unknown := 0
	for _, e := range catalogue.Core() {
		if e.Arch != arch {
			continue
		}
		o := solver.DefaultOptions()
		o.Witnesses, o.Timeout = true, 20*time.Second
		r, err := engines.Run(t.Context(), solver.Task{Path: "t", Source: e.Source, Model: name, Options: o})
		if err != nil || r.Status == solver.Failed {
			t.Fatalf("%s: %v %s", e.ID(), err, r.Error)
		}
		for i, o := range r.Outcomes {
			n++
			start := time.Now()
			w, err := engines.AnswerStroll(
				engines.Stroll{Source: e.Source, Model: name, Outcome: &solver.Outcome{Graph: o.Graph}})
			if d := time.Since(start); d > 100*time.Millisecond {
				t.Logf("%s %v: %v", e.ID(), o.State, d)
			}
			switch {
			case err != nil:
				t.Errorf("%s, %v: %v", e.ID(), o.State, err)
				continue
			case strings.HasSuffix(w.Why, " does not support fences of a location."):
				continue
			case w.Why != "":
				unknown++
				t.Logf("%s, %v: %s", e.ID(), o.State, w.Why)
				continue
			case w.LeavesAt != 0:
				t.Errorf("%s, %v: the run leaves the execution at step %d", e.ID(), o.State, w.LeavesAt)
				continue
			}
			var path []string
			for _, f := range w.Frames[1:] {
				path = append(path, f.Choice)
				if strings.Contains(f.Choice, "!") {
					promises++
				}
			}
			if testing.Short() && (n+i)%7 != 0 {
				continue
			}
			for steps := range len(path) + 1 {
				sofar := strings.Join(path[:steps], ",")
				at, err := engines.AnswerStroll(engines.Stroll{Source: e.Source, Model: name, Path: &sofar})
				if err != nil || at.Refused != "" || at.Reachable == nil {
					t.Fatalf("%s, %v: path %s: %v %+v", e.ID(), o.State, sofar, err, at)
				}
				if at.Reachable.Complete && !slices.ContainsFunc(at.Reachable.Outcomes,
					func(f machine.Reached) bool { return reflect.DeepEqual(f.State, o.State) }) {
					t.Errorf("%s, %v: not reachable after %s, only %v", e.ID(), o.State, sofar, at.Reachable.Outcomes)
				}
				if steps == 0 && at.Reachable.Complete && len(at.Reachable.Outcomes) != len(r.Outcomes) {
					t.Errorf(
						"%s: %d outcomes are reachable, want %d",
						e.ID(),
						len(at.Reachable.Outcomes),
						len(r.Outcomes),
					)
				}
			}
		}
	}
	t.Logf("%d executions, %d promises, %d without a run", n, promises, unknown)
	if unknown > 0 {
		t.Errorf("%d of %d executions have no run", unknown, n)
	}
	return n, promises
}

// What the promising machine does not support is said by name, beside an order of the execution's events.
func TestPromisingMachineSaysWhatItLacks(t *testing.T) {
	e, _ := catalogue.Find("AArch64/Bytes")
	o := solver.DefaultOptions()
	o.Witnesses = true
	r, err := engines.Run(t.Context(), solver.Task{Path: "t", Source: e.Source, Model: "aarch64", Options: o})
	if err != nil || len(r.Outcomes) == 0 {
		t.Fatal(err, r.Error)
	}
	w, err := engines.AnswerStroll(engines.Stroll{Source: e.Source, Model: "aarch64", Outcome: &r.Outcomes[0]})
	if err != nil || w.Refused != "" || len(w.Frames) < 2 || w.Machine != "" {
		t.Errorf("%v: refused %q, %d frames of machine %q; want an order of events", err, w.Refused, len(w.Frames),
			w.Machine)
	}
	const want = "The machine of AArch64 does not support mixed-size accesses."
	if w.Why != want {
		t.Errorf("the machine has no run because: %q", w.Why)
	}
	none := ""
	w, err = engines.AnswerStroll(engines.Stroll{Source: e.Source, Model: "aarch64", Path: &none})
	if err != nil || w.Refused != want {
		t.Errorf("%v: a path is refused with %q", err, w.Refused)
	}
}
