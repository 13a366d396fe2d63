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
// through which people verify programs; it runs no test.
const Auto = "auto"

// rivals are the engines that it asks. The first one's answer counts if none decides.
var rivals = []string{axiomatic.Engine{}.Name(), graphs.Engine{}.Name()}

var auto = Engine{
	Name: Auto, Title: "axiomatic and graphs in parallel: the first verdict wins",
	Options: []string{"solver"}, counts: true, engine: both{},
}

// both is what the table wants to know of it.
type both struct{}

// Name is auto.
func (both) Name() string { return Auto }

// Models is nil: the engines that it asks decide about models.
func (both) Models() []string { return nil }

// Version increases with that of each engine that it asks.
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

// Races reports whether several engines should answer a question at once.
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

// laneEnd is the result of a lane.
type laneEnd struct {
	lane int
	v    *solver.Verification
	err  error
	// again: the lane ran again, with more rounds of loops.
	again bool
}

// patience is the least time that the other engine gets after an answer that holds only within bounds.
const patience = 2 * time.Second

// waitFor returns how long the other engine may continue after an answer that took some time and holds only within
// bounds: twice that time, and at least patience. Of 299 programs of the corpus, 9 had such an answer from axiomatic;
// graphs by itself decided 4 of them, and more with further rounds of loops.
func waitFor(taken time.Duration) time.Duration { return max(patience, 2*taken) }

// runFurther is the number of rounds of a loop that graphs runs if the requested rounds do not decide. Most loops end
// earlier, and then no bound matters.
const runFurther = 32

// further returns the task with more rounds of loops, for an engine whose answer holds only within bounds. It reports
// false if another bound was too small, or if the engine pays for rounds that the program does not execute.
func further(t solver.VerifyTask, v *solver.Verification) (solver.VerifyTask, bool) {
	e, err := Find(t.Engine)
	if err != nil || t.Count || t.Options.Unroll >= runFurther || !slices.Equal(v.Short, []string{"unroll"}) {
		return t, false
	}
	_, runs := e.engine.(interpreter)
	t.Options.Unroll = runFurther
	return t, runs
}

// Race asks several engines at once. Each has a lane, from 0 on, in which run asks it; the context of a lane ends when
// another one has decided. An answer that holds within bounds alone waits for the others, see waitFor. An engine that
// pays only for the rounds of loops that a program does is then asked again in its lane, with more of them: if that
// decides, the answer mentions no bound.
func Race(
	ctx context.Context, t solver.VerifyTask,
	run func(ctx context.Context, lane int, t solver.VerifyTask) (solver.Answer, error),
) (*solver.Verification, error) {
	return race(ctx, t, run, time.After)
}

// race is Race by a clock.
func race(
	ctx context.Context, t solver.VerifyTask,
	run func(ctx context.Context, lane int, t solver.VerifyTask) (solver.Answer, error),
	after func(time.Duration) <-chan time.Time,
) (*solver.Verification, error) {
	tasks := lanes(t)
	began := time.Now()
	racing, cancel := context.WithCancel(ctx)
	defer cancel()
	ends := make(chan laneEnd, 2*len(tasks))
	news := reports{told: solver.Follower(ctx), words: make([]string, len(tasks))}
	ask := func(lane int, one solver.VerifyTask, again bool) {
		a, err := run(news.follow(racing, lane, one.Engine), lane, one)
		v, _ := a.(*solver.Verification)
		ends <- laneEnd{lane, v, err, again}
	}
	for i, one := range tasks {
		go ask(i, one, false)
	}
	said := make([]laneEnd, len(tasks))
	overtaken := false // a lane was still at work on the question as it is when patience was over
	var late <-chan time.Time
	for open, again := len(tasks), 0; open+again > 0; {
		select {
		case e := <-ends:
			if e.again {
				again--
				if e.v == nil || rank(t, e.v) != decided && !strings.Contains(e.v.Error, "BUG") {
					continue // the first answer stands
				}
			} else {
				open--
			}
			said[e.lane] = e
			switch {
			case e.err != nil || e.v == nil:
			case rank(t, e.v) == decided:
				open, again = 0, 0
			case e.v.Status == solver.OK:
				taken := time.Since(began)
				late = after(waitFor(taken))
				if more, ok := further(tasks[e.lane], e.v); ok && !e.again {
					if more.Options.Timeout > 0 {
						more.Options.Timeout = max(more.Options.Timeout-taken, time.Millisecond)
					}
					again++
					go ask(e.lane, more, true)
				}
			}
		case <-late:
			overtaken = open > 0
			open, again = 0, 0
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
