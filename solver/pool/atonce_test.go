package pool

import (
	"context"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// elsewhere counts what is asked of it.
type elsewhere struct{ asked int }

func (e *elsewhere) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	e.asked++
	return engines.Local{}.Run(ctx, q)
}

// The first small tests are answered here, and no others; where one takes too long, it is asked elsewhere, and so are all after it.
func TestAtOnce(t *testing.T) {
	sb, _ := catalogue.Find("SB")
	task := solver.Task{Path: "SB", Source: sb.Source, Model: "tso", Options: solver.DefaultOptions()}
	tight := task
	tight.Options.Memory = 64
	outside := task
	outside.Options.Solver = "minisat"
	long := task
	long.Source = sb.Source + string(make([]byte, 5000))
	for _, c := range []struct {
		name   string
		moment time.Duration
		tasks  []solver.Task
		asked  int
	}{
		{"small ones", time.Hour, []solver.Task{task, task}, 0},
		{"more of them", time.Hour, []solver.Task{task, task, task, task, task}, 2},
		{"little memory", time.Hour, []solver.Task{tight}, 1},
		{"another program", time.Hour, []solver.Task{outside}, 1},
		{"a long text", time.Hour, []solver.Task{long}, 1},
		{"no time", 1, []solver.Task{task, task}, 2},
	} {
		other := &elsewhere{}
		r := &AtOnce{Runner: other, Tests: 3, Moment: c.moment}
		for _, q := range c.tasks {
			got, err := solver.Ask(t.Context(), r, q)
			if q.Source != task.Source || q.Options.Solver != task.Options.Solver {
				continue
			}
			if err != nil || got.Status != solver.OK || got.Verdict != solver.Allowed {
				t.Errorf("%s: %v, %+v", c.name, err, got)
			}
		}
		if other.asked != c.asked {
			t.Errorf("%s: %d were asked elsewhere, want %d", c.name, other.asked, c.asked)
		}
	}
}
