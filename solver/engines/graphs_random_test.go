package engines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// formulaAndGraphs are what is to be the same whoever answers about a random program: what fails, which undefined
// behaviour and which races there are, and how many executions.
type formulaAndGraphs struct {
	model, text string
	properties  []ir.Property
	said        map[string]int
}

func (c *formulaAndGraphs) compare(t *testing.T, r *rapid.T) {
	byReads := rapid.Bool().Draw(r, "by reads")
	ask := func(engine string, count bool, unroll int) *solver.Verification {
		task := randomTask(c.text)
		task.Model, task.Engine, task.Properties, task.Count = c.model, engine, c.properties, count
		task.ByReads = byReads
		task.Options.Timeout, task.Options.Unroll = time.Second, unroll
		v, err := engines.Run(t.Context(), task)
		if err != nil {
			r.Fatal(err)
		}
		return v
	}
	g := ask("graphs", true, 1)
	few := g.Executions != nil && *g.Executions < 200
	a := ask("axiomatic", few, 1)
	if g.Verdict == solver.Unsafe && (a.Undefined != nil || a.Verdict == solver.Safe && !a.Complete) {
		// it repeats loops less often
		a = ask("axiomatic", few, 3)
	}
	refused := func(v *solver.Verification) bool {
		return strings.Contains(v.Error, "may have any value: this engine does not support") ||
			strings.Contains(v.Error, "one of too many numbers") || strings.Contains(v.Error, "two widths") ||
			strings.Contains(v.Error, "misaligned accesses") ||
			strings.Contains(v.Error, "steps when its loops are unrolled")
	}
	differ := a.Verdict != g.Verdict || a.Status != g.Status
	late := func(v *solver.Verification) bool {
		return strings.Contains(v.Reason, "time limit") ||
			slices.ContainsFunc(v.Remarks,
				func(r solver.Remark) bool { return strings.Contains(r.Message, "is not known: ") })
	}
	switch {
	case late(a) || late(g):
		c.said["out of time"]++
		return
	case refused(a) || refused(g):
		c.said["refused"]++
		return
	case a.Verdict == solver.Safe && !a.Complete:
		differ = g.Verdict != solver.Safe
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
		r.Fatalf("%v under %s: axiomatic says %s (%d executions, race %v, undefined %v), graphs %s (%d executions, "+
			"race %v, undefined %v)\n%s", c.properties, c.model,
			said(a), counts(a), a.Race, a.Undefined, said(g), counts(g), g.Race, g.Undefined, c.text)
	}
	c.said[fmt.Sprintf("%v %s", c.properties, a.Verdict)]++
}

func (c *formulaAndGraphs) draw(r *rapid.T, properties ...[]ir.Property) {
	c.properties = rapid.SampledFrom(properties).Draw(r, "properties")
}

// Programs that allocate and free memory.
func TestEnginesAgreeOnLives(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.text = cprogtest.DrawHeap(r)
		c.draw(r, []ir.Property{ir.Memory}, []ir.Property{ir.Leak}, []ir.Property{ir.Memory, ir.Leak},
			[]ir.Property{ir.Memory, ir.Termination}, []ir.Property{ir.Assertion}, []ir.Property{ir.DataRace},
			[]ir.Property{ir.Termination})
		c.model = rapid.SampledFrom([]string{"sc", "tso", "pso", "rc11", "imm"}).Draw(r, "model")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}

// Programs whose threads wait for one another.
func TestEnginesAgreeOnWaiting(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.text = cprogtest.DrawSync(r)
		c.draw(r, []ir.Property{ir.Assertion}, []ir.Property{ir.DataRace}, []ir.Property{ir.Termination})
		c.model = rapid.SampledFrom([]string{"sc", "tso", "rc11", "rc11", "imm"}).Draw(r, "model")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}

// Programs with atomic sections, which nobody sees the middle of.
func TestEnginesAgreeOnSections(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.text = cprogtest.DrawSections(r)
		c.draw(r, []ir.Property{ir.Assertion}, []ir.Property{ir.Assertion}, []ir.Property{ir.DataRace},
			[]ir.Property{ir.Termination})
		c.model = rapid.SampledFrom([]string{"sc", "tso", "pso", "rc11"}).Draw(r, "model")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}

// Programs of threads that run the same code, which the formula takes in one order.
func TestEnginesAgreeOnThreadsAlike(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.draw(r, []ir.Property{ir.Assertion}, []ir.Property{ir.Assertion}, []ir.Property{ir.DataRace},
			[]ir.Property{ir.Termination})
		c.model = rapid.SampledFrom([]string{"sc", "tso", "pso", "rc11", "imm"}).Draw(r, "model")
		c.text = cprogtest.DrawAlike(r, c.model == "rc11" || c.model == "imm")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}

// Programs of all that C has.
func TestEnginesAgreeOnExecutions(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.draw(r, []ir.Property{ir.Assertion}, []ir.Property{ir.DataRace})
		c.model = rapid.SampledFrom([]string{"sc", "tso", "pso", "rc11", "imm", "imm"}).Draw(r, "model")
		c.text = cprogtest.Draw(r, cprogtest.Shape{Atomics: c.model == "rc11" || c.model == "imm", Statements: 3})
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}

// Programs with locks, which the engine of graphs treats as primitives if threads only acquire and release them.
func TestEnginesAgreeOnLockedPrograms(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.text = cprogtest.DrawLocks(r)
		c.draw(r, []ir.Property{ir.Assertion}, []ir.Property{ir.Assertion}, []ir.Property{ir.DataRace},
			[]ir.Property{ir.Termination})
		c.model = rapid.SampledFrom([]string{"sc", "tso", "rc11", "rc11", "imm"}).Draw(r, "model")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}

// Programs whose threads share a union, of which they access parts of several widths.
func TestEnginesAgreeOnViews(t *testing.T) {
	c := formulaAndGraphs{said: map[string]int{}}
	rapid.Check(t, func(r *rapid.T) {
		c.model = rapid.SampledFrom([]string{"sc", "tso", "pso", "rc11", "rc11", "aarch64", "riscv"}).Draw(r, "model")
		c.draw(r, []ir.Property{ir.Assertion}, []ir.Property{ir.Assertion}, []ir.Property{ir.DataRace},
			[]ir.Property{ir.Termination}, []ir.Property{ir.Memory})
		c.text = cprogtest.DrawViews(r, c.model == "rc11")
		c.compare(t, r)
	})
	t.Logf("said: %v", c.said)
}
