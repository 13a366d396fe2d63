package engines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// A litmus test in C and a program of the same threads, which access an object at several widths, may end alike, race
// alike, and have no meaning alike, though two front ends read them.
func TestTestsAreProgramsOfSeveralWidths(t *testing.T) {
	said := map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		model := rapid.SampledFrom([]string{"rc11", "rc11", "c11", "sc", "tso", "pso", "aarch64", "riscv"}).Draw(r,
			"model")
		by := "axiomatic"
		if model != "c11" && rapid.Bool().Draw(r, "graphs") {
			by = "graphs"
		}
		twins := cprogtest.DrawTwins(r, strings.Contains(model, "c11"))
		ask := func(model string) *solver.Result {
			o := solver.DefaultOptions()
			o.States, o.Timeout = 1<<20, 0
			res, err := engines.Run(t.Context(),
				solver.Task{Path: "t.litmus", Source: twins.Test, Model: model, Engine: "axiomatic", Options: o})
			if err != nil || res.Status != solver.OK {
				r.Fatalf("%s: %v %+v\n%s", model, err, res, twins.Test)
			}
			return res
		}
		res := ask(model)
		raised := map[string]bool{}
		for _, f := range res.Flags {
			raised[f.Name] = *f.Raised
		}
		// The question separates two states, so that not all models allow it.
		one, other := rapid.SampledFrom(res.States).Draw(r, "state"),
			rapid.SampledFrom(ask("riscv").States).Draw(r, "other state")
		state := slices.Clone(one)
		var words []string
		for i := range state {
			if rapid.Bool().Draw(r, "other") {
				state[i] = other[i]
			}
			at := slices.IndexFunc(twins.Observed, func(o [2]string) bool { return o[0] == state[i].Name })
			words = append(words, fmt.Sprintf("%s == %sL", twins.Observed[at][1], state[i].Value))
		}
		text := fmt.Sprintf(twins.Program, strings.Join(words, " && "))

		task := randomTask(text)
		task.Model, task.Engine, task.Properties, task.Options.Timeout = model, by, []ir.Property{ir.Assertion}, 0
		v, err := engines.Run(t.Context(), task)
		if err != nil {
			r.Fatal(err)
		}
		want := solver.Safe
		if slices.ContainsFunc(res.States, func(s solver.State) bool { return slices.Equal(s, state) }) {
			want = solver.Unsafe
		}
		refused := strings.Contains(v.Error, "atomic accesses of two widths")
		switch {
		case raised["atomic-widths"]:
			said["no meaning"]++
			if !refused {
				r.Fatalf("%s says %v of a program whose test has no meaning\n%s\n%s", model, v, text, twins.Test)
			}
		case refused: // though no execution has both, perhaps
			said["refused"]++
		case v.Verdict != want && !(v.Race != nil && v.Verdict == solver.Undecided) ||
			raised["data-race"] != (v.Race != nil):
			r.Fatalf("%s by %s: %s (race %v) %s, want %s (race %v)\n%s\n%s", model, by, v.Verdict, v.Race,
				v.Error+v.Reason, want, raised["data-race"], text, twins.Test)
		default:
			said[fmt.Sprintf("%s, race %v", v.Verdict, v.Race != nil)]++
		}
	})
	t.Logf("said: %v", said)
}
