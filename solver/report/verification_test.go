package report

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

// verifications are answers of every kind about one program, two threads of which pass a message.
func verifications() []*solver.Verification {
	g := &models.Graph{
		Threads: []models.GraphThread{
			{
				Name: "main", Source: []string{"pthread_create(&id, 0, t, 0);", "x = 1;", "flag = 1;"},
				Places: []models.GraphPlace{
					{File: "mp.c", Line: 10, Column: 3},
					{File: "mp.c", Line: 11, Column: 3},
					{File: "mp.h", Line: 2, Column: 1},
				},
			},
			{
				Name: "t", Source: []string{"if (flag)", "assert(x == 1);"},
				Places: []models.GraphPlace{{File: "mp.c", Line: 4, Column: 3}, {File: "mp.c", Line: 5, Column: 3}},
			},
		},
		Events: []models.GraphEvent{
			{ID: 0, Thread: -1, Source: -1, Kind: "W", Loc: "x", Value: "0"},
			{ID: 1, Thread: -1, Source: -1, Kind: "W", Loc: "flag", Value: "0"},
			{ID: 2, Thread: 0, Source: 0, Kind: "F"},
			{ID: 3, Thread: 0, Source: 1, Kind: "W", Loc: "x", Value: "1"},
			{ID: 4, Thread: 0, Source: 2, Kind: "W", Loc: "flag", Value: "1"},
			{ID: 5, Thread: 1, Source: 0, Kind: "R", Loc: "flag", Value: "1"},
			{ID: 6, Thread: 1, Source: 1, Kind: "R", Loc: "x", Value: "0"},
			{ID: 7, Thread: 1, Source: 1, Kind: "W", Loc: "x", Value: "2"},
		},
		Relations: []models.GraphEdges{
			{Name: "po", Edges: []models.Pair{{2, 3}, {3, 4}, {5, 6}, {6, 7}}},
			{Name: "rf", Edges: []models.Pair{{4, 5}, {0, 6}}},
			{Name: "spawn", Edges: []models.Pair{{2, 5}}},
			{Name: "co", Edges: []models.Pair{{0, 7}, {7, 3}, {1, 4}}},
		},
	}
	base := func() *solver.Verification {
		return &solver.Verification{
			Path: "mp.c", Name: "mp", Model: "pso", Engine: "axiomatic", Property: "assertion",
			Status: solver.OK, Verdict: solver.Safe, Complete: true, Bounds: map[string]int{"unroll": 2}, MS: 1.5,
		}
	}
	fails := func() *solver.Failure {
		return &solver.Failure{
			File: "mp.c", Line: 5, Column: 3, Thread: "t", Property: ir.Assertion, Text: "x == 1",
			Reordered: []string{"main: the write of flag (mp.h:2) took effect before the write of x (mp.c:11)"},
			Graph:     g,
		}
	}
	sc := *g
	sc.Events = append([]models.GraphEvent{}, g.Events...)
	sc.Events[5].Value = "0"
	sc.Relations = append([]models.GraphEdges{}, g.Relations...)
	sc.Relations[1] = models.GraphEdges{Name: "rf", Edges: []models.Pair{{1, 5}, {0, 6}}}
	safe, bounded, counted, unsafe, ordered, stepped, race, unknown, bad := base(), base(), base(), base(), base(),
		base(), base(), base(), base()
	bounded.Complete, bounded.Bounds, bounded.Short = false, map[string]int{"unroll": 2, "rounds": 3},
		[]string{"rounds", "unroll"}
	one := 1
	counted.Executions = &one
	unsafe.Verdict, unsafe.Failure = solver.Unsafe, fails()
	ordered.Verdict, ordered.Failure = solver.Unsafe, fails()
	ordered.Failure.Graph, ordered.Failure.Reordered = &sc, nil
	stepped.Verdict, stepped.Failure = solver.Unsafe, fails()
	stepped.Failure.Trace = []solver.TraceStep{
		{Thread: 0, Source: 1, Action: "x:=1 into buffer"},
		{Thread: 0, Source: -1, Action: "flush x:=1"},
		{Thread: 1, Source: 1, Action: "read x\x1b[2J (0 from memory)"},
	}
	race.Verdict, race.Failure = solver.Unsafe, &solver.Failure{
		File: "mp.c", Line: 11, Thread: "main", Property: ir.DataRace, Text: "data race: main writes x while t reads x",
		Others: []solver.Failure{{File: "mp.c", Line: 5, Thread: "t", Text: "reads x"}},
	}
	race.Property = "data-race"
	unknown.Status, unknown.Verdict, unknown.Complete, unknown.Reason = solver.Unknown, solver.Undecided, false,
		"time limit of 10s reached"
	bad.Status, bad.Verdict, bad.Complete, bad.Error = solver.Failed, "", false,
		"mp.c:3:4: got ), want an expression\nmp.c:4:1: flag is not declared"
	bad.Faults = []solver.Fault{{File: "mp.c", Line: 3, Column: 4, Message: "got ), want an expression"}}
	undefined := base()
	undefined.Race = race.Failure
	return []*solver.Verification{safe, bounded, counted, unsafe, stepped, race, unknown, bad, ordered, undefined}
}

func TestVerificationText(t *testing.T) {
	var b strings.Builder
	write := Verifications("text", &b, Options{})
	for _, v := range verifications() {
		if err := write(v); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/verification.txt")
	if err != nil || b.String() != string(want) {
		t.Errorf("%v, got\n%s\nwant\n%s", err, b.String(), want)
	}
}

// The lines have the keys of the contract, in its order, and leave out what the question did not ask for.
func TestVerificationLines(t *testing.T) {
	var b strings.Builder
	write := Verifications("jsonl", &b, Options{})
	for _, v := range verifications() {
		v.Stats = &solver.Stats{Vars: 3}
		if err := write(v); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	head := `{"path":"mp.c","name":"mp","model":"pso","engine":"axiomatic","property":"assertion","status":"ok","verdict":`
	for i, want := range map[int]string{
		0: head + `"safe","complete":true,"bounds":{"unroll":2},"ms":1.5}`,
		2: head + `"safe","complete":true,"bounds":{"unroll":2},"executions":1,"ms":1.5}`,
		3: head +
			`"unsafe","complete":true,"bounds":{"unroll":2},"failure":{"file":"mp.c","line":5,"column":3,"thread":"t","property":"assertion","text":"x == 1",` +
			`"reordered":["main: the write of flag (mp.h:2) took effect before the write of x (mp.c:11)"]},"ms":1.5}`,
	} {
		if lines[i] != want {
			t.Errorf("line %d is\n%s, want\n%s", i, lines[i], want)
		}
	}
	for _, line := range lines {
		if strings.Contains(line, "graph") || strings.Contains(line, "stats") || strings.Contains(line, "faults") {
			t.Errorf("nobody asked for all of %s", line)
		}
	}
	b.Reset()
	write = Verifications("jsonl", &b, Options{Witnesses: true, Stats: true})
	if err := write(verifications()[4]); err != nil {
		t.Fatal(err)
	}
	var back solver.Verification
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || len(back.Failure.Trace) != 3 ||
		len(back.Failure.Graph.Events) != 8 {
		t.Errorf("%v: %s", err, b.String())
	}
}
