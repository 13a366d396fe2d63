package engines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/graphs"
)

// Auto is the engine that asks others at once, and gives the first answer that decides. It is the default of the doors
// through which people verify programs; no test is run by it.
const Auto = "auto"

// rivals are the engines that it asks, the one first whose answer stands where none decides.
var rivals = []string{axiomatic.Engine{}.Name(), graphs.Engine{}.Name()}

var auto = Engine{
	Name: Auto, Title: "axiomatic and graphs in parallel: the first verdict wins",
	Options: []string{"solver"}, counts: true, engine: both{},
}

// both is what the table wants to know of it.
type both struct{}

// Name is auto.
func (both) Name() string { return Auto }

// Models is nil: the engines that are asked decide about models.
func (both) Models() []string { return nil }

// Version increases with each engine that is asked.
func (both) Version() (v int) {
	for _, name := range rivals {
		e, _ := Find(name)
		v += e.Version()
	}
	return v
}

// Explore is an error: auto only verifies C programs.
func (both) Explore(context.Context, solver.Query) (*solver.Result, error) { return nil, errNoTests() }

func errNoTests() error {
	return fmt.Errorf("the engine %s only checks C programs: want one of %s", Auto, strings.Join(Names(), ", "))
}

// Races reports whether several engines are to be asked a question at once.
func Races(q solver.Question) (t solver.VerifyTask, is bool) {
	t, is = q.(solver.VerifyTask)
	return t, is && t.Engine == Auto
}

// lanes are a task for each engine that may answer it. Time is the same for all; of memory, the formula has most.
func lanes(t solver.VerifyTask) (out []solver.VerifyTask) {
	for _, name := range rivals {
		e, _ := Find(name)
		one := t
		one.Engine, one.Options = name, e.Heeded(t.Options)
		if _, runs := e.engine.(interpreter); runs {
			_, m, err := admitVerify(one)
			if err != nil || !e.runsFor(one, m) {
				continue
			}
		}
		out = append(out, one)
	}
	if all := t.Options.Memory; all > 0 && len(out) > 1 {
		out[1].Options.Memory = max(all/8, 1)
		out[0].Options.Memory = max(all-all/8, 1)
	}
	return out
}

// Quickest is the task for the one engine of those that may answer it which has least to do before it begins.
func Quickest(t solver.VerifyTask) solver.VerifyTask {
	all := lanes(t)
	return all[len(all)-1]
}

// Decides reports whether an answer to a task is one that no engine can say more than.
func Decides(t solver.VerifyTask, v *solver.Verification) bool { return rank(t, v) == decided }

// runsFor reports whether an engine that runs programs may answer a task under a model.
func (e *Engine) runsFor(t solver.VerifyTask, m *models.Model) bool {
	_, mapping, err := target(targetOf(t, m))
	return err == nil && mapping == nil && e.runs(m) && !t.Minimise
}

// laneEnd is what has come of a lane.
type laneEnd struct {
	lane int
	v    *solver.Verification
	err  error
}

// patience is how long a rival may go on at least when an answer is there that holds within bounds alone.
const patience = time.Second

// Race asks several engines at once. Each has a lane, from 0 on, in which run asks it; the context of a lane ends when
// another one has decided. An answer that holds within bounds alone waits for as long again as it has taken, and for
// patience.
func Race(
	ctx context.Context, t solver.VerifyTask,
	run func(ctx context.Context, lane int, t solver.VerifyTask) (solver.Answer, error),
) (*solver.Verification, error) {
	tasks := lanes(t)
	began := time.Now()
	racing, cancel := context.WithCancel(ctx)
	defer cancel()
	ends := make(chan laneEnd, len(tasks))
	news := reports{told: solver.Follower(ctx), words: make([]string, len(tasks))}
	for i, one := range tasks {
		go func() {
			a, err := run(news.follow(racing, i, one.Engine), i, one)
			v, _ := a.(*solver.Verification)
			ends <- laneEnd{i, v, err}
		}()
	}
	said := make([]laneEnd, len(tasks))
	overtaken := false // a lane was still at work when patience was over
	var late <-chan time.Time
	for open := len(tasks); open > 0; {
		select {
		case e := <-ends:
			open--
			said[e.lane] = e
			switch {
			case e.err != nil || e.v == nil:
			case rank(t, e.v) == decided:
				open = 0
			case e.v.Status == solver.OK:
				late = time.After(max(patience, time.Since(began)))
			}
		case <-late:
			open, overtaken = 0, true
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	best := 0
	for i := range said {
		if rank(t, said[i].v) > rank(t, said[best].v) {
			best = i
		}
	}
	v := said[best].v
	if v == nil {
		return nil, said[best].err
	}
	for i, e := range said {
		switch {
		case i == best:
		case e.err != nil && !errors.Is(e.err, context.Canceled):
			v.Remarks = append(v.Remarks,
				solver.Remark{
					Line: 1, Column: 1,
					Message: fmt.Sprintf("the engine %s failed: %v", tasks[i].Engine, e.err),
				})
		case e.v != nil && strings.Contains(e.v.Error, "BUG"):
			v.Remarks = append(v.Remarks,
				solver.Remark{
					Line: 1, Column: 1,
					Message: fmt.Sprintf("the engine %s failed: %s", tasks[i].Engine, e.v.Error),
				})
		case e.v != nil && e.v.Status == solver.Unknown && v.Status == solver.Unknown:
			v.Reason = strings.TrimPrefix(v.Reason, v.Engine+": ")
			v.Reason = fmt.Sprintf("%s: %s; %s: %s", v.Engine, v.Reason, e.v.Engine,
				strings.TrimPrefix(e.v.Reason, e.v.Engine+": "))
		}
	}
	if rank(t, v) != decided && v.Cut == "" {
		v.Cut = unheard(said, overtaken)
	}
	v.MS = float64(time.Since(began)) / float64(time.Millisecond)
	return v, nil
}

// unheard names what kept the engines of a race from saying all that they could.
func unheard(said []laneEnd, overtaken bool) string {
	for _, e := range said {
		switch {
		case e.v != nil && e.v.Cut != "":
			return e.v.Engine + ": " + e.v.Cut
		case e.err != nil:
			return e.err.Error()
		}
	}
	if overtaken {
		return "the wait for another engine ended early"
	}
	return ""
}

// decided is the rank of an answer that nobody can say more than.
const decided = 5

// rank orders answers to a task by what they are worth.
func rank(t solver.VerifyTask, v *solver.Verification) int {
	switch {
	case v == nil:
		return 0
	case v.Status == solver.Failed:
		return 1
	case v.Status == solver.OK && t.Count && v.Executions == nil:
		return decided - 1
	case v.Status == solver.OK && (v.Verdict == solver.Unsafe || v.Complete), v.Undefined != nil:
		return decided
	case v.Status == solver.OK:
		return decided - 1
	case v.Race != nil: // nothing is defined
		return decided - 2
	}
	return 2
}

// reports puts together what engines tell on their way.
type reports struct {
	told  func(solver.Answer)
	mu    sync.Mutex
	words []string
}

func (r *reports) follow(ctx context.Context, lane int, engine string) context.Context {
	if r.told == nil {
		return solver.Following[*solver.Verification](ctx, nil)
	}
	return solver.Following(ctx, func(v *solver.Verification) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.words[lane] = engine + ": " + v.SoFar
		so := *v
		so.Engine, so.SoFar = Auto,
			strings.Join(slices.DeleteFunc(slices.Clone(r.words), func(s string) bool { return s == "" }), "; ")
		r.told(&so)
	})
}
