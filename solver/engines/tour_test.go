package engines

import (
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/report"
)

// toured is the tour of a classic test, with the graph of one stop.
func toured(t *testing.T, test, model string, most, at int) *solver.Tour {
	t.Helper()
	e, ok := catalogue.Find(test)
	if !ok {
		t.Fatalf("there is no test %s", test)
	}
	out, err := TourWithin(t.Context(),
		Touring{
			Test: &solver.Task{Path: e.ID(), Source: e.Source, Model: model, Options: solver.DefaultOptions()},
			Most: most, At: at,
		})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The exploration of small tests: a late write revisits the read, and the tour marks graphs that the model forbids.
func TestTour(t *testing.T) {
	for _, c := range []struct{ test, model, want string }{
		{"SB", "sc", `
SB under sc: 3 executions, 1 revisit, 1 forbidden
* P0: W x=1, R y=0
|~o P1: W y=1; revisits P0: R y=1 from P1
| |-* P1: R x=0 → execution 1
| * P1: R x=1 from P0 → execution 2
* P1: W y=1
|-x P1: R x=0 → forbidden
* P1: R x=1 from P0 → execution 3
`},
		{"MP", "tso", `
MP under tso: 3 executions, 0 revisits, 1 forbidden
* P0: W x=1, W y=1
|-* P1: R y=0
| |-* P1: R x=0 → execution 1
| * P1: R x=1 from P0 → execution 2
* P1: R y=1 from P0
|-x P1: R x=0 → forbidden
* P1: R x=1 from P0 → execution 3
`},
	} {
		var b strings.Builder
		if err := report.Tour("text", &b, toured(t, c.test, c.model, 100, -1)); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want[1:] {
			t.Errorf("%s", b.String())
		}
	}
}

// A tour has the executions that the engine counts, each once, as a tree; every stop of it has a picture, and those
// that the model forbids have the cycle. The tour counts skipped graphs.
func TestToursAreExplorations(t *testing.T) {
	toured, drawn := 0, 0
	for _, e := range catalogue.All() {
		for _, model := range []string{"sc", "tso", "rc11"} {
			if model == "rc11" && e.Arch != "C" || model == "tso" && !strings.HasPrefix(e.Arch, "X86") {
				continue
			}
			task := solver.Task{
				Path: e.ID(), Source: e.Source, Model: model, Engine: "graphs",
				Options: solver.DefaultOptions(),
			}
			r, err := Run(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			if r.Status == solver.Failed || r.Positive == nil || *r.Positive+*r.Negative > 60 {
				continue
			}
			all, err := TourWithin(t.Context(), Touring{Test: &task, Most: 1 << 20, At: -1})
			if p, _ := dialect.Parse(e.Name, e.Source); p != nil && p.Split {
				if err == nil || !strings.Contains(err.Error(), "accesses of several sizes") {
					t.Errorf("%s under %s, with accesses of mixed size: %v", e.ID(), model, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s under %s: %v", e.ID(), model, err)
			}
			toured++
			want := *r.Positive + *r.Negative
			revisits, executions, refused := 0, 0, 0
			for i, s := range all.Stops {
				if s.From >= i || (s.From < 0) != (i == 0) {
					t.Errorf("%s under %s: stop %d comes from %d", e.ID(), model, i, s.From)
				}
				if s.Revisited != nil && s.End != solver.Refused {
					revisits++
				}
				switch s.End {
				case solver.Executed:
					executions++
				case solver.Refused:
					refused++
				}
			}
			if all.Executions != want || executions != all.Executions || refused != all.Refused ||
				all.Left != 0 || all.Cut {
				t.Errorf("%s under %s: %s and %d stops, want %d executions", e.ID(), model, all.Words(),
					len(all.Stops), want)
			}
			if len(all.Stops) > 9 {
				some, err := TourWithin(t.Context(), Touring{Test: &task, Most: 9, At: -1})
				left := 0
				if err == nil {
					for _, s := range some.Stops {
						left += s.Left
					}
				}
				if err != nil || some.Left != len(all.Stops)-9 || left != some.Left ||
					some.Executions != all.Executions {
					t.Errorf("%s under %s: 9 of %d stops: %v, %d left out, %d of them named", e.ID(), model,
						len(all.Stops), err, some.Left, left)
				}
				continue
			}
			for i, s := range all.Stops {
				one, err := TourWithin(t.Context(), Touring{Test: &task, Most: 12, At: i})
				if err != nil || one.Graph == nil ||
					(one.Axiom != "") != (s.End == solver.Refused && len(one.Cycle) > 0) {
					t.Errorf("%s under %s: stop %d (%s) is not drawn: %v, %+v", e.ID(), model, i, s.Words(), err, one)
				}
				drawn++
			}
		}
	}
	if toured < 100 || drawn < 100 {
		t.Errorf("%d tours, %d graphs", toured, drawn)
	}
}

// Every supported model has a tour of a test, and of a program if it applies to programs.
func TestModelsOfTours(t *testing.T) {
	program := "#include <pthread.h>\nint x;\nvoid *writer(void *p) { x = 1; return 0; }\n" +
		"int main(void) { pthread_t id; pthread_create(&id, 0, writer, 0); pthread_join(id, 0); }\n"
	tours := map[string]bool{}
	for _, e := range catalogue.All() {
		name, arch := e.Name, e.Arch
		if tours[arch] || name != "SB" && !strings.HasPrefix(name, "SB+") {
			continue
		}
		tours[arch] = true
		offered := TourModels(arch)
		if (len(offered) == 0) != dialect.HasScopes(arch) {
			t.Errorf("%d models are offered for %s", len(offered), arch)
		}
		for _, model := range offered {
			asked := []Touring{
				{
					Test: &solver.Task{Path: e.ID(), Source: e.Source, Model: model, Options: solver.DefaultOptions()},
					Most: 100, At: 0,
				},
			}
			if arch == "C" {
				asked = append(asked,
					Touring{
						Program: &solver.VerifyTask{
							Path:  "p.c",
							Files: []solver.SourceFile{{Name: "p.c", Text: program}}, Model: model, Engine: "graphs",
							Options: solver.DefaultOptions(),
						}, Most: 100, At: 0,
					})
			}
			for _, q := range asked {
				if tour, err := TourWithin(t.Context(), q); err != nil || tour.Executions == 0 {
					t.Errorf("%s under %s: %v", e.ID(), model, err)
				}
			}
		}
	}
	if len(tours) < 8 {
		t.Errorf("tours of %v alone", tours)
	}
}

// Under models that let threads run ahead there are no revisits, and the tour says so.
func TestNoTour(t *testing.T) {
	e, _ := catalogue.Find("AArch64/MP")
	_, err := TourWithin(t.Context(),
		Touring{
			Test: &solver.Task{Path: "MP", Source: e.Source, Model: "aarch64", Options: solver.DefaultOptions()},
			Most: 10, At: -1,
		})
	if err == nil || !strings.Contains(err.Error(), "MP: under AArch64, threads run ahead of their reads") {
		t.Error(err)
	}
}
