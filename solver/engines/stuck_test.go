package engines_test

import (
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// The walk to an execution that a model forbids goes as far as a run of the machine can, performs events of the
// execution only, and says what is left. The steps that it offers at its end lead elsewhere.
func TestForbiddenExecutionsGetStuck(t *testing.T) {
	n := 0
	for _, e := range catalogue.Core() {
		model := map[string]string{
			"X86": "tso", "AArch64": "aarch64", "RISCV": "riscv", "PPC": "power", "ARM": "arm", "C": "rc11",
		}[e.Arch]
		if model == "" || testing.Short() && n%5 != 0 {
			n++
			continue
		}
		n++
		o := solver.DefaultOptions()
		o.Explain, o.States = true, 1
		r, err := engines.Run(t.Context(), solver.Task{Path: "t", Source: e.Source, Model: model, Options: o})
		if err != nil || r.Status == solver.Failed {
			t.Fatalf("%s: %v %s", e.ID(), err, r.Error)
		}
		if r.Verdict != solver.Forbidden || r.Explanation == nil || r.Explanation.Graph == nil {
			continue
		}
		w, err := engines.AnswerStroll(engines.Stroll{
			Source: e.Source, Model: model, Outcome: &solver.Outcome{Graph: r.Explanation.Graph}, Forbidden: true,
		})
		switch {
		case err != nil:
			t.Errorf("%s: %v", e.ID(), err)
		case w.Refused != "" && (strings.Contains(w.Refused, "does not support") ||
			strings.Contains(w.Refused, "of another test")):
			t.Logf("%s: %s", e.ID(), w.Refused)
		case w.Stuck == "" || w.LeavesAt != 0:
			t.Errorf("%s: %q, leaves at %d, %q", e.ID(), w.Stuck, w.LeavesAt, w.Refused)
		case !strings.Contains(w.Stuck, " to the rest: P") && !strings.HasSuffix(w.Stuck, " to its coherence order."):
			t.Errorf("%s: %q names no event that is left", e.ID(), w.Stuck)
		}
	}
}
