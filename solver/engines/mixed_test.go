package engines

import (
	"strings"
	"testing"

	"litmuscope/solver"
)

// What knows nothing of pieces says nothing of executions that have some.
func TestPiecesAreNotPassedOver(t *testing.T) {
	source := "AArch64 MP+mixed\n{ uint64_t x; 0:X1=x; 0:X3=y; 0:X4=1; 0:X2=0x0202020202020202; 1:X1=x; 1:X3=y; }\n P0          | P1             ;\n" +
		" STR X2,[X1] | LDR W5,[X3]    ;\n STR W4,[X3] | LDR W6,[X1,#4] ;\nexists (1:X5=1 /\\ 1:X6=0)\n"
	task := solver.Task{Path: "mp.litmus", Source: source, Model: "aarch64", Engine: "axiomatic", Options: solver.DefaultOptions()}
	task.Options.Witnesses = true
	r, err := Run(t.Context(), task)
	if err != nil || r.Verdict != solver.Allowed || len(r.Outcomes) == 0 {
		t.Fatalf("%v: %+v", err, r)
	}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.Graph == nil || !o.Graph.Mixed() {
			t.Fatalf("outcome %d has no pieces: %+v", i, o.Graph)
		}
		why, err := Relax(Comparison{Task: task, Label: "AArch64", Graph: o.Graph})
		if err != nil || why.Cycle != nil || !strings.Contains(why.Sentence, "mixed size") {
			t.Errorf("%v: %+v", err, why)
		}
		for _, drawn := range []bool{false, true} {
			w, err := Take(Stroll{File: "mp.litmus", Source: source, Model: "tso", Outcome: o, Drawn: drawn})
			if err != nil || w.Refused == "" || len(w.Frames) > 0 {
				t.Errorf("drawn %v: %v: %+v", drawn, err, w)
			}
		}
	}
}
