package engines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// verifiers are the engines that verify programs under a model.
func verifiers(model string) []engines.Engine {
	return slices.DeleteFunc(engines.All(), func(e engines.Engine) bool {
		return !e.AnswersFor(model) || engines.Admit(solver.VerifyTask{
			Model: model, Engine: e.Name,
			Options: e.Heeded(solver.DefaultOptions()),
		}) != nil
	})
}

// said is an answer in a line.
func said(v *solver.Verification) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s, complete %v %s%s", v.Status, v.Verdict, v.Complete, v.Reason, v.Error))
}

// randomTask is a question on a random program, without a model and an engine.
func randomTask(text string) solver.VerifyTask {
	options := solver.DefaultOptions()
	options.Timeout = time.Second
	return solver.VerifyTask{
		Path: "random.c", Files: []solver.SourceFile{{Name: "random.c", Text: text}},
		Options: options,
	}
}

// All engines agree on random programs under the models that they have in common. With
// -rapid.checks 1000 this takes some minutes.
func TestEnginesAgreeOnPrograms(t *testing.T) {
	verdicts, late, apart := map[string]int{}, map[string]int{}, 0
	shape := cprogtest.Shape{Statements: 4}
	if testing.Short() {
		shape.Statements = 3 // one with four may take minutes
	}
	rapid.Check(t, func(r *rapid.T) {
		text := cprogtest.Draw(r, shape)
		safe := 0
		for _, model := range []string{"sc", "tso", "pso"} {
			var first *solver.Verification
			for _, e := range verifiers(model) {
				task := randomTask(text)
				task.Model, task.Engine, task.Options = model, e.Name, e.Heeded(task.Options)
				if first == nil { // one answers, however busy the machine is
					task.Options.Timeout = 0
				}
				v, err := engines.Run(t.Context(), task)
				switch {
				case err != nil:
					r.Fatal(err)
				case v.Status == solver.Unknown && strings.HasPrefix(v.Reason, "time limit"):
					late[e.Name]++
					continue
				case v.Status != solver.OK || !v.Complete:
					r.Fatalf("under %s by %s: %s\n%s", model, e.Name, said(v), text)
				case first == nil:
					first = v
					verdicts[model+" "+string(v.Verdict)]++
				case v.Verdict != first.Verdict:
					r.Fatalf("under %s: %s says %s, %s says %s\n%s", model, first.Engine, said(first),
						e.Name, said(v), text)
				}
			}
			if first.Verdict == solver.Safe {
				safe++
			}
		}
		if safe%3 != 0 {
			apart++
		}
	})
	t.Logf("verdicts: %v; models told apart by %d; out of time: %v", verdicts, apart, late)
	if apart == 0 {
		t.Error("no program tells the models apart")
	}
}

// What can fail under SC can under TSO, once compiled, and what can there can in C11 itself.
func TestLanguageAllowsItsMachines(t *testing.T) {
	verdicts := map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		text := cprogtest.Draw(r, cprogtest.Shape{Atomics: true, Statements: 4})
		fails := ""
		for _, model := range []string{"sc", "tso", "rc11"} {
			task := randomTask(text)
			task.Model = model
			task.Options.Timeout = 0
			v, err := engines.Run(t.Context(), task)
			if err != nil || v.Status != solver.OK {
				r.Fatalf("under %s: %v, %s\n%s", model, err, said(v), text)
			}
			verdicts[model+" "+string(v.Verdict)]++
			if v.Verdict == solver.Unsafe {
				fails = model
			} else if fails != "" {
				r.Fatalf("unsafe under %s, and %s under %s\n%s", fails, v.Verdict, model, text)
			}
		}
	})
	t.Logf("verdicts: %v", verdicts)
}
