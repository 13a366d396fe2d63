package engines_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// autoTask is a question on a program for auto.
func autoTask(model string, properties ...ir.Property) solver.VerifyTask {
	t := randomTask("#include <pthread.h>\n#include <assert.h>\nint x, y, a, b;\n" +
		"void *f(void *p) { y = 1; b = x; return 0; }\n" +
		"int main(void) { pthread_t id; pthread_create(&id, 0, f, 0); x = 1; a = y; pthread_join(id, 0); assert(a " +
		"|| b); }\n")
	t.Model, t.Engine, t.Properties, t.Options.Timeout = model, engines.Auto, properties, 0
	return t
}

// Of several engines that run at once the first that decides answers, and the others get a signal to stop.
func TestRace(t *testing.T) {
	answer := func(status solver.Status, verdict solver.Verdict, complete bool, reason string) *solver.Verification {
		return &solver.Verification{Status: status, Verdict: verdict, Complete: complete, Reason: reason}
	}
	cancelled := errors.New("told to stop")
	for _, c := range []struct {
		name      string
		say       [2]*solver.Verification // nil: it runs until the signal to stop
		first     int                     // the other one waits for it
		by, words string
	}{
		{
			"the formula decides",
			[2]*solver.Verification{answer(solver.OK, solver.Safe, true, ""), nil},
			0, "axiomatic",
			"ok safe, complete true",
		},
		{
			"graphs decide",
			[2]*solver.Verification{nil, answer(solver.OK, solver.Unsafe, true, "")},
			1, "graphs",
			"ok unsafe, complete true",
		},
		{
			"within bounds is not decided",
			[2]*solver.Verification{
				answer(solver.OK, solver.Safe, false, ""),
				answer(solver.OK, solver.Unsafe, true, ""),
			},
			0, "graphs", "ok unsafe, complete true",
		},
		{
			"within bounds is better than nothing",
			[2]*solver.Verification{answer(solver.OK, solver.Safe, false, ""), nil},
			0, "axiomatic",
			"ok safe, complete false",
		},
		{
			"one refuses",
			[2]*solver.Verification{
				answer(solver.OK, solver.Safe, true, ""),
				{Status: solver.Failed, Error: "it cannot"},
			},
			1, "axiomatic", "ok safe, complete true",
		},
		{
			"both come to limits",
			[2]*solver.Verification{
				answer(solver.Unknown, solver.Undecided, false, "time"),
				answer(solver.Unknown, solver.Undecided, false, "graphs: memory"),
			},
			1, "axiomatic",
			"axiomatic: time; graphs: memory",
		},
		{
			"one refuses and the other comes to a limit",
			[2]*solver.Verification{
				{Status: solver.Failed, Error: "it cannot"},
				answer(solver.Unknown, solver.Undecided, false, "time"),
			},
			0, "graphs", "time",
		},
		{
			"a data race is more than a limit",
			[2]*solver.Verification{
				answer(solver.Unknown, solver.Undecided, false, "memory"),
				{Status: solver.Unknown, Verdict: solver.Undecided, Reason: "it cannot", Race: &solver.Failure{}},
			},
			1,
			"graphs", "graphs: it cannot; axiomatic: memory",
		},
		{
			"a verdict is more than a data race",
			[2]*solver.Verification{
				answer(solver.OK, solver.Safe, false, ""),
				{Status: solver.Unknown, Verdict: solver.Undecided, Race: &solver.Failure{}},
			},
			1, "axiomatic",
			"ok safe, complete false",
		},
		{
			"a fault is never passed over",
			[2]*solver.Verification{
				answer(solver.OK, solver.Safe, true, ""),
				{Status: solver.Failed, Error: "BUG: two graphs are one"},
			},
			1, "axiomatic",
			"safe, complete true the engine graphs failed: BUG: two graphs are one",
		},
	} {
		said := make(chan struct{})
		stopped := make(chan bool, 2)
		clock := never
		if slices.Contains(c.say[:], nil) {
			clock = atOnce
		}
		v, err := engines.RaceByClock(t.Context(), autoTask("sc"),
			func(ctx context.Context, lane int, task solver.VerifyTask) (solver.Answer, error) {
				switch {
				case c.say[lane] == nil:
					<-ctx.Done()
					stopped <- true
					return nil, cancelled
				case lane == c.first:
					defer close(said)
				default:
					<-said
				}
				out := *c.say[lane]
				out.Engine = task.Engine
				return &out, nil
			}, clock)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := v.Engine + ": " + strings.TrimSpace(saidOf(v))
		if v.Engine != c.by || !strings.Contains(got, c.words) {
			t.Errorf("%s: %s, want %s: %s", c.name, got, c.by, c.words)
		}
		if slices.Contains(c.say[:], nil) {
			<-stopped
		}
	}
}

func saidOf(v *solver.Verification) string {
	out := said(v)
	for _, r := range v.Remarks {
		out += " " + r.Message
	}
	return out
}

// Only engines that can answer run, and they share the available memory.
func TestWhoIsAsked(t *testing.T) {
	minimise, byReads, compiled := autoTask("sc"), autoTask("sc"), autoTask("sc")
	minimise.Minimise, byReads.Count, byReads.ByReads, compiled.Target = true, true, true, "aarch64"
	own := autoTask("mine")
	own.ModelText = "\"mine\"\nacyclic po | rf | fr | co as sc\n"
	for name, c := range map[string]struct {
		task solver.VerifyTask
		want []string
	}{
		"sc":                        {autoTask("sc"), []string{"axiomatic", "graphs"}},
		"a race under rc11":         {autoTask("rc11", ir.DataRace), []string{"axiomatic", "graphs"}},
		"a model with dependencies": {autoTask("aarch64"), []string{"axiomatic"}},
		"loops that end":            {autoTask("sc", ir.Termination), []string{"axiomatic", "graphs"}},
		"a minimal run":             {minimise, []string{"axiomatic"}},
		"counted by reads":          {byReads, []string{"axiomatic", "graphs"}},
		"compiled":                  {compiled, []string{"axiomatic"}},
		"a model of one's own":      {own, []string{"axiomatic", "graphs"}},
	} {
		asked := make([]string, 2)
		memory := make([]int, 2)
		c.task.Options.Memory = 800
		_, err := engines.Race(t.Context(), c.task,
			func(_ context.Context, lane int, task solver.VerifyTask) (solver.Answer, error) {
				asked[lane], memory[lane] = task.Engine, task.Options.Memory
				return &solver.Verification{Status: solver.Unknown}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.DeleteFunc(asked, func(s string) bool { return s == "" }); !slices.Equal(got, c.want) ||
			memory[0]+memory[1] != 800 {
			t.Errorf("%s: %v are asked, want %v, with %v MiB", name, got, c.want, memory)
		}
	}
}

// The cache keeps the answers of auto apart from those of its engines, and each says which engine gave it.
func TestAutoIsItsOwnQuestion(t *testing.T) {
	task := autoTask("sc")
	keys := map[solver.Key]string{}
	for _, engine := range []string{engines.Auto, "axiomatic", "graphs"} {
		task.Engine = engine
		k, err := engines.Key(task)
		if err != nil {
			t.Fatal(err)
		}
		if other, twice := keys[k]; twice || k.Engine != engine {
			t.Errorf("%s has the key of %s: %+v", engine, other, k)
		}
		keys[k] = engine
	}
	task.Engine = engines.Auto
	v, err := engines.Run(t.Context(), task)
	if err != nil || v.Verdict != solver.Safe || v.Engine != "axiomatic" && v.Engine != "graphs" {
		t.Errorf("%v, %s by %s", err, said(v), v.Engine)
	}
	if err := engines.Admit(solver.Task{Engine: engines.Auto}); err == nil ||
		!strings.Contains(err.Error(), "only checks C programs") {
		t.Errorf("auto is admitted for a test: %v", err)
	}
}
