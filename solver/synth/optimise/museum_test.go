package optimise_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/synth/optimise"
)

// What the museum says that repair finds is what it finds: -update writes it. Where tests are to be short, RC11 is
// enough. Each repair gets a second check by two engines, as in verify, if two support the model.
func TestRepairsOfTheMuseum(t *testing.T) {
	const golden = "../../../litmus/catalogue/museum-repairs.json"
	var all []catalogue.MuseumRepair
	for at, e := range catalogue.Museum() {
		if testing.Short() && !*update && at%3 != 0 {
			continue
		}
		held := catalogue.MuseumRepairs(e.Name)
		if !*update && len(held) != 2 {
			t.Fatalf("%s has %d repairs", e.Name, len(held))
		}
		var every []string
		for _, k := range e.Before().Known {
			every = append(every, k.Model)
		}
		for i, models := range [][]string{{"rc11"}, every} {
			if testing.Short() && !*update && i > 0 {
				continue
			}
			got := repairOf(t, e, models)
			all = append(all, got)
			if a, b := asJSON(t, got), ""; !*update {
				if b = asJSON(t, held[i]); a != b {
					t.Errorf("%s: got\n%s\nwant\n%s", e.Name, a, b)
				}
			}
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(asJSON(t, all)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	var b bytes.Buffer
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	lines.SetIndent("", "\t")
	if err := lines.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func repairOf(t *testing.T, e catalogue.Exhibit, models []string) catalogue.MuseumRepair {
	t.Helper()
	piece := e.Programs[0]
	text := piece.Task(e.Before())
	q := optimise.Question{Runner: engines.Local{}, Workers: 1}
	q.Only, q.Each = []string{text.File}, true
	task := func(source, model, engine string) solver.VerifyTask {
		return solver.VerifyTask{
			Path: text.File, Files: []solver.SourceFile{{Name: text.File, Text: source}}, Model: model, Engine: engine,
			Options: solver.DefaultOptions(),
			Verify:  solver.Verify{Properties: []ir.Property{ir.Property(piece.Property)}},
		}
	}
	for _, m := range models {
		q.Pairs = append(q.Pairs, task(text.Text, m, "axiomatic"))
	}
	r, err := optimise.Repair(t.Context(), q, "")
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	out := catalogue.MuseumRepair{Exhibit: e.Name, Models: models, Already: r.Already}
	if r.Status != solver.OK || !r.Minimal && !r.Impossible {
		t.Fatalf("%s under %v: %s %s", e.Name, models, r.Status, r.Reason)
	}
	if r.Impossible {
		out.Impossible = r.Reason
	}
	if r.Already || r.Impossible {
		return out
	}
	first := r.Repairs[0]
	out.Cost, out.Others, out.Diff = first.Cost, len(r.Repairs)-1, first.Diff
	for _, c := range first.Changes {
		out.Changes = append(out.Changes,
			catalogue.MuseumChange{Function: c.Function, Line: c.Line, Says: c.Words(), Fails: c.Fails})
	}
	for _, m := range models {
		for _, engine := range []string{"axiomatic", "graphs"} {
			by := task(first.Source, m, engine)
			if engines.Admit(by) != nil {
				continue
			}
			v, err := solver.Ask(t.Context(), engines.Local{}, by)
			if err != nil || v.Status != solver.OK || v.Verdict != solver.Safe {
				t.Errorf("%s as repaired under %s by %s: %v %v %v", e.Name, m, engine, err, v.Status, v.Verdict)
			}
		}
	}
	return out
}
