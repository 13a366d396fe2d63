package pool

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// elsewhere counts the questions that it receives.
type elsewhere struct{ asked int }

func (e *elsewhere) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	e.asked++
	return engines.Local{}.Run(ctx, q)
}

// The process answers small tests itself, but only the first so many for each engine; if one takes too long, a child
// answers it, and all others until many have been quick.
func TestAtOnce(t *testing.T) {
	sb, _ := catalogue.Find("SB")
	task := solver.Task{Path: "SB", Source: sb.Source, Model: "tso", Options: solver.DefaultOptions()}
	task.Options.Timeout = 0
	tight := task
	tight.Options.Memory = 64
	outside := task
	outside.Options.Solver = "minisat"
	exhausting, hasty, other := task, task, task
	exhausting.Options.Unroll = 64
	hasty.Options.Timeout = time.Minute
	other.Engine = "machine"
	long := task
	long.Source = sb.Source + string(make([]byte, 5000))
	program := func(text string) solver.VerifyTask {
		options := solver.DefaultOptions()
		options.Timeout = 0
		return solver.VerifyTask{
			Path: "p.c", Files: []solver.SourceFile{{Name: "p.c", Text: text}}, Model: "sc",
			Engine: engines.Auto, Options: options,
		}
	}
	safe := program("int main(void) { return 0; }")
	within := program("extern _Bool __VERIFIER_nondet_bool(void);\n_Atomic int x;\n" +
		"int main(void) { while (__VERIFIER_nondet_bool()) x++; }")
	alone := safe
	alone.Engine = "axiomatic"
	large := program(safe.Files[0].Text + strings.Repeat(" ", 20_000))
	for _, c := range []struct {
		name   string
		moment time.Duration
		tasks  []solver.Question
		asked  int
	}{
		{"small ones", time.Hour, []solver.Question{task, task}, 0},
		{"small programs", time.Hour, []solver.Question{safe, alone}, 0},
		{"a program of which another engine may say more", time.Hour, []solver.Question{within}, 1},
		{"a large program", time.Hour, []solver.Question{large}, 1},
		{"more of them", time.Hour, []solver.Question{task, task, task, task, task}, 0},
		{"by another engine", time.Hour, []solver.Question{other, other, other, task, other}, 1},
		{"little memory", time.Hour, []solver.Question{tight}, 1},
		{"another program", time.Hour, []solver.Question{outside}, 1},
		{"long loops", time.Hour, []solver.Question{exhausting}, 1},
		{"less time than a moment", time.Hour, []solver.Question{hasty}, 1},
		{"a long text", time.Hour, []solver.Question{long}, 1},
		{"no time", 1, []solver.Question{task, task}, 2},
	} {
		there := &elsewhere{}
		r := &AtOnce{Runner: there, Tests: 3, TimeLimit: c.moment}
		for _, q := range c.tasks {
			got, err := r.Run(t.Context(), q)
			if of, test := q.(solver.Task); test &&
				(of.Source != task.Source || of.Options.Solver != task.Options.Solver) {
				continue
			}
			if h := got.Head(); err != nil || *h.Status != solver.OK || *h.Verdict != solver.Allowed &&
				*h.Verdict != solver.Safe {
				t.Errorf("%s: %v, %+v", c.name, err, got)
			}
		}
		if there.asked != c.asked {
			t.Errorf("%s: %d were asked elsewhere, want %d", c.name, there.asked, c.asked)
		}
	}
}

// After one has taken too long, the process tries others only when children have answered enough of them quickly, and
// none while that one still runs.
func TestAtOnceGoesOnBehindFailures(t *testing.T) {
	there := &elsewhere{}
	r := &AtOnce{Runner: there, TimeLimit: time.Hour, failed: 1}
	sb, _ := catalogue.Find("SB")
	task := solver.Task{Path: "SB", Source: sb.Source, Model: "tso", Options: solver.DefaultOptions()}
	task.Options.Timeout = 0
	for range perFailure + 10 {
		if _, err := solver.Ask(t.Context(), r, task); err != nil {
			t.Fatal(err)
		}
	}
	if there.asked != perFailure {
		t.Errorf("%d were asked elsewhere, want %d", there.asked, perFailure)
	}
	r.late = 1
	if _, err := solver.Ask(t.Context(), r, task); err != nil || there.asked != perFailure+1 {
		t.Errorf("%v: a test was asked here beside one that is late", err)
	}
}

// Several answers at once equal those given one at a time.
func TestAtOnceAtOnce(t *testing.T) {
	r := &AtOnce{Runner: &elsewhere{}, TimeLimit: time.Hour}
	step := 1
	if testing.Short() {
		step = 6
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			all := catalogue.Core()
			for i := 0; i < len(all); i += step {
				test := all[(i+worker*len(all)/4)%len(all)]
				task := solver.Task{Path: test.Name, Source: test.Source, Options: solver.DefaultOptions()}
				task.Options.Timeout = 0
				got, err := solver.Ask(t.Context(), r, task)
				if err != nil {
					t.Error(err)
					return
				}
				alone, err := solver.Ask(t.Context(), engines.Local{}, task)
				if err != nil || alone.Verdict != got.Verdict || !reflect.DeepEqual(alone.States, got.States) {
					t.Errorf("%s: %v, alone %v", test.Name, got.Verdict, alone.Verdict)
				}
			}
		})
	}
	group.Wait()
	if other := r.Runner.(*elsewhere).asked; other > 0 {
		t.Errorf("%d were asked elsewhere", other)
	}
}
