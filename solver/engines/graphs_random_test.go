package engines_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/cprog/cprogtest"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// formulaAndGraphs are what is to be the same whoever answers about a random program: what fails, which undefined behaviour and which
// races there are, and how many executions.
type formulaAndGraphs struct {
	model, text string
	property    ir.Property
	said        map[string]int
}

func (c *formulaAndGraphs) compare(t *testing.T, r *rapid.T) {
	ask := func(engine string, count bool) *solver.Verification {
		task := randomTask(c.text)
		task.Model, task.Engine, task.Properties, task.Count = c.model, engine, []ir.Property{c.property}, count
		task.Options.Timeout, task.Options.Unroll = time.Second, 1
		v, err := engines.Run(t.Context(), task)
		if err != nil {
			r.Fatal(err)
		}
		return v
	}
	g := ask("graphs", true)
	few := g.Executions != nil && *g.Executions < 200
	a := ask("axiomatic", few)
	refused := func(v *solver.Verification) bool {
		return strings.Contains(v.Error, "may be anything: that is not supported") || strings.Contains(v.Error, "two widths") || strings.Contains(v.Error, "steps when its loops are unrolled")
	}
	differ := a.Verdict != g.Verdict || a.Status != g.Status
	late := func(v *solver.Verification) bool {
		return strings.Contains(v.Reason, "time limit") || slices.ContainsFunc(v.Remarks, func(r solver.Remark) bool { return strings.Contains(r.Message, "is not known: ") })
	}
	switch {
	case late(a) || late(g):
		c.said["out of time"]++
		return
	case refused(a) || refused(g):
		c.said["refused"]++
		return
	case a.Verdict == solver.Safe && !a.Complete: // which goes round loops less often
		differ = g.Verdict != solver.Safe && g.Verdict != solver.Unsafe
	default:
		differ = differ || (a.Race == nil) != (g.Race == nil) || (a.Undefined == nil) != (g.Undefined == nil)
	}
	if few && a.Complete && g.Complete && a.Verdict == solver.Safe {
		differ = differ || a.Executions == nil || g.Executions == nil || *a.Executions != *g.Executions
	}
	if differ {
		counts := func(v *solver.Verification) int {
			if v.Executions == nil {
				return -1
			}
			return *v.Executions
		}
		r.Fatalf("%s under %s: axiomatic says %s (%d executions, race %v, undefined %v), graphs %s (%d executions, race %v, undefined %v)\n%s", c.property, c.model,
			said(a), counts(a), a.Race, a.Undefined, said(g), counts(g), g.Race, g.Undefined, c.text)
	}
	c.said[string(c.property)+" "+string(a.Verdict)]++
}

// Programs about memory that is allocated and freed.
func TestEnginesAgreeOnLives(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.text = cprogtest.DrawHeap(r)
		c.property = rapid.SampledFrom([]ir.Property{ir.Memory, ir.Memory, ir.Assertion, ir.DataRace}).Draw(r, "property")
		c.model = rapid.SampledFrom([]string{"sc", "tso", "pso", "rc11"}).Draw(r, "model")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}

// Programs whose threads wait for one another.
func TestEnginesAgreeOnWaiting(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.text = cprogtest.DrawSync(r)
		c.property = rapid.SampledFrom([]ir.Property{ir.Assertion, ir.Assertion, ir.DataRace}).Draw(r, "property")
		c.model = rapid.SampledFrom([]string{"sc", "tso", "rc11", "rc11"}).Draw(r, "model")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}

// Programs of all that C has.
func TestEnginesAgreeOnExecutions(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.property = rapid.SampledFrom([]ir.Property{ir.Assertion, ir.DataRace}).Draw(r, "property")
		c.model = rapid.SampledFrom([]string{"sc", "tso", "pso", "rc11", "rc11"}).Draw(r, "model")
		c.text = cprogtest.Draw(r, cprogtest.Shape{Atomics: c.model == "rc11", Statements: 3})
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}
