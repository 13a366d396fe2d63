package engines_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/cprog/cprogtest"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Lives of memory are the same to an engine that runs programs as to one that writes them down as formulas: what fails, which
// undefined behaviour and which races there are, and how many executions.
func TestEnginesAgreeOnLives(t *testing.T) {
	verdicts, late := map[string]int{}, 0
	rapid.Check(t, func(r *rapid.T) {
		text := cprogtest.DrawHeap(r)
		property := rapid.SampledFrom([]ir.Property{ir.Memory, ir.Memory, ir.Assertion, ir.DataRace}).Draw(r, "property")
		model := rapid.SampledFrom([]string{"sc", "tso", "pso", "rc11"}).Draw(r, "model")
		ask := func(engine string) *solver.Verification {
			task := randomTask(text)
			task.Model, task.Engine, task.Properties, task.Count = model, engine, []ir.Property{property}, true
			task.Options.Timeout = 10 * time.Second
			v, err := engines.Run(t.Context(), task)
			if err != nil {
				r.Fatal(err)
			}
			return v
		}
		a, g := ask("axiomatic"), ask("graphs")
		if strings.Contains(a.Reason+g.Reason, "time limit") {
			late++
			return
		}
		if strings.Contains(g.Error, "may be anything: that is not supported") || strings.Contains(g.Error, "at two widths by several") || strings.Contains(a.Error, "two widths") {
			verdicts["refused"]++
			return
		}
		if a.Verdict != g.Verdict || a.Complete != g.Complete || (a.Race == nil) != (g.Race == nil) || (a.Undefined == nil) != (g.Undefined == nil) {
			r.Fatalf("%s under %s: axiomatic says %s (race %v, undefined %v), graphs %s (race %v, undefined %v)\n%s", property, model,
				said(a), a.Race, a.Undefined, said(g), g.Race, g.Undefined, text)
		}
		if a.Verdict == solver.Safe && (a.Executions == nil || g.Executions == nil || *a.Executions != *g.Executions) {
			r.Fatalf("%s under %s: executions %v and %v\n%s", property, model, *a.Executions, *g.Executions, text)
		}
		verdicts[string(property)+" "+string(a.Verdict)]++
	})
	t.Logf("verdicts: %v; out of time: %d", verdicts, late)
}
