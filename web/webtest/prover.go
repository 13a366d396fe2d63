package webtest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web"
)

// Proving is a Runner that knows the answer for programs: store buffering fails where stores wait, and has a
// different end under each of some models. Tests, and the museum's programs, are answered as ever.
type Proving struct{}

// Run implements [solver.Runner]. A program whose first file contains "oops" has an error there.
func (Proving) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	c, ok := q.(solver.VerifyTask)
	if !ok || inMuseum(c.Path) {
		return engines.Local{}.Run(ctx, q)
	}
	v := &solver.Verification{
		Path: c.Path, Model: c.Model, Engine: "axiomatic", Property: c.Property(), Status: solver.OK,
		Bounds: map[string]int{"unroll": c.Options.Unroll}, MS: 1.25,
	}
	for i, line := range strings.Split(c.Files[0].Text, "\n") {
		if col := strings.Index(line, "oops"); col >= 0 {
			v.Status, v.Verdict, v.Error = solver.Failed, solver.Undecided, "got oops, want a statement"
			v.Faults = append(v.Faults, solver.Fault{File: c.Path, Line: i + 1, Column: col + 1, Message: v.Error})
			return v, nil
		}
	}
	switch c.Model {
	case "tso", "aarch64":
		v.Verdict, v.Complete = solver.Unsafe, true
		v.Failure = failingBuffers(c)
	case "rc11":
		if v.Verdict, v.Complete = solver.Safe, c.Options.Unroll > 2; !v.Complete {
			v.Short = []string{"unroll"}
		}
	case "power":
		v.Status, v.Verdict, v.Reason = solver.Unknown, solver.Undecided,
			"time limit of "+c.Options.Timeout.String()+" reached"
	default:
		v.Verdict, v.Complete = solver.Safe, true
	}
	return v, nil
}

// inMuseum tells a program of the museum by its file.
func inMuseum(file string) bool {
	for _, e := range catalogue.Museum() {
		for _, p := range e.Programs {
			if p.Task(p.Builds[0]).File == file {
				return true
			}
		}
	}
	return false
}

// NewProver returns the handler of all pages with the runner Proving.
func NewProver(t *testing.T) http.Handler {
	t.Helper()
	c := TestConfig(nil)
	c.Runner = Proving{}
	h, err := web.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// failingBuffers is how store buffering fails, with a run where the model has a machine.
func failingBuffers(c solver.VerifyTask) *solver.Failure {
	text := strings.Split(c.Files[0].Text, "\n")
	line := func(of string) int {
		return 1 + slices.IndexFunc(text, func(l string) bool { return strings.Contains(l, of) })
	}
	threads := []models.GraphThread{{Name: "main"}, {Name: "left"}, {Name: "right"}}
	for i := range threads {
		for n, l := range text {
			threads[i].Source, threads[i].Places = append(threads[i].Source, strings.TrimSpace(l)),
				append(threads[i].Places, models.GraphPlace{File: c.Path, Line: n + 1, Column: 2})
		}
	}
	g := &models.Graph{Threads: threads}
	event := func(thread int, of, kind, loc, value string) {
		e := models.GraphEvent{
			ID: len(g.Events), Thread: thread, Source: -1, Kind: kind, Loc: loc, Value: value,
			Name: "i" + loc,
		}
		if thread >= 0 {
			e.Source, e.Name = line(of)-1, string(rune('a'+len(g.Events)-4))
		}
		if kind == "F" {
			e.Does = strings.NewReplacer("pthread_", "", "create(&", "start ", "join(", "join ", " a", " left", " b",
				" right").Replace(of)
		}
		g.Events = append(g.Events, e)
	}
	for _, loc := range []string{"x", "y", "r0", "r1"} {
		event(-1, "", "W", loc, "0")
	}
	for _, of := range []string{"pthread_create(&a", "pthread_create(&b", "pthread_join(a", "pthread_join(b"} {
		event(0, of, "F", "", "")
	}
	event(0, "assert(", "R", "r0", "0")
	event(0, "assert(", "R", "r1", "0")
	event(1, "&x, 1", "W", "x", "1")
	event(1, "(&y, relaxed", "R", "y", "0")
	event(1, "r0 = ", "W", "r0", "0")
	event(2, "&y, 1", "W", "y", "1")
	event(2, "(&x, relaxed", "R", "x", "0")
	event(2, "r1 = ", "W", "r1", "0")
	edges := func(name string, pairs ...models.Pair) {
		g.Relations = append(g.Relations, models.GraphEdges{Name: name, Edges: pairs})
	}
	edges("po", models.Pair{4, 5}, models.Pair{5, 6}, models.Pair{6, 7}, models.Pair{7, 8}, models.Pair{8, 9},
		models.Pair{10, 11}, models.Pair{11, 12}, models.Pair{13, 14}, models.Pair{14, 15})
	edges("spawn", models.Pair{4, 10}, models.Pair{5, 13})
	edges("join", models.Pair{12, 6}, models.Pair{15, 7})
	edges("rf", models.Pair{1, 11}, models.Pair{0, 14}, models.Pair{12, 8}, models.Pair{15, 9})
	edges("co", models.Pair{0, 10}, models.Pair{1, 13}, models.Pair{2, 12}, models.Pair{3, 15})
	edges("fr", models.Pair{11, 13}, models.Pair{14, 10})
	f := &solver.Failure{
		File: c.Path, Line: line("assert("), Column: 2, Thread: "main", Property: ir.Assertion,
		Text: "r0 == 1 || r1 == 1", Graph: g,
		Reordered: []string{"left: the store to x (line 13) after the load of y (line 14)"},
	}
	if c.Model != "tso" {
		return f
	}
	memory := map[string]string{"x": "0", "y": "0", "r0": "0", "r1": "0"}
	var buffers [3][]solver.BufferEntry
	step := func(thread int, of, action string, events ...int) {
		st := solver.TraceStep{Thread: thread, Source: -1, Action: action, Events: events}
		if of != "" {
			st.Source = line(of) - 1
		}
		for _, b := range buffers {
			st.Buffers = append(st.Buffers, slices.Clone(b))
		}
		for _, loc := range []string{"x", "y", "r0", "r1"} {
			st.Memory = append(st.Memory, solver.Binding{Name: loc, Value: memory[loc]})
		}
		f.Trace = append(f.Trace, st)
	}
	step(0, "pthread_create(&a", "start left", 4)
	step(0, "pthread_create(&b", "start right", 5)
	buffers[1] = []solver.BufferEntry{{Loc: "x", Value: "1"}}
	step(1, "&x, 1", "x:=1 into buffer", 10)
	step(1, "(&y, relaxed", "y is 0", 11, 12)
	buffers[2] = []solver.BufferEntry{{Loc: "y", Value: "1"}}
	step(2, "&y, 1", "y:=1 into buffer", 13)
	step(2, "(&x, relaxed", "x is 0", 14, 15)
	buffers[1], memory["x"] = nil, "1"
	step(1, "", "flush x:=1", 10)
	buffers[2], memory["y"] = nil, "1"
	step(2, "", "flush y:=1", 13)
	step(0, "pthread_join(a", "left has ended", 6)
	step(0, "pthread_join(b", "right has ended", 7)
	step(0, "assert(", "r0 and r1 are 0", 8, 9)
	return f
}
