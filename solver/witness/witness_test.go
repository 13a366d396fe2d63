package witness

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
)

var update = flag.Bool("update", false, "write the witnesses of testdata anew; then read the difference")

// unsafe is message passing that fails: main starts t, which sees the flag and not the data.
// Under SC the read of the data comes too late for that, unless swapped.
func unsafe(stale bool) *solver.Verification {
	at := func(lines ...int) (out []models.GraphPlace) {
		for _, l := range lines {
			out = append(out, models.GraphPlace{File: "mp.c", Line: l, Column: 3})
		}
		return out
	}
	g := &models.Graph{
		Threads: []models.GraphThread{
			{
				Name: "main", Source: []string{"pthread_create(&id, 0, t, 0);", "x = 1 < 2;", "flag = 1;"},
				Places: at(10, 11, 12),
			},
			{Name: "t", Source: []string{"flag++;", "assert(x);"}, Places: at(4, 5)},
		},
		Events: []models.GraphEvent{
			{ID: 0, Thread: -1, Source: -1, Kind: "W", Loc: "x", Value: "0"},
			{ID: 1, Thread: -1, Source: -1, Kind: "W", Loc: "flag", Value: "0"},
			{ID: 2, Thread: 0, Source: 0, Kind: "F"},
			{ID: 3, Thread: 0, Source: 1, Kind: "W", Loc: "x", Value: "1"},
			{ID: 4, Thread: 0, Source: 2, Kind: "W", Loc: "flag", Value: "1"},
			{ID: 5, Thread: 1, Source: 0, Kind: "R", Loc: "flag", Value: "1"},
			{ID: 6, Thread: 1, Source: 0, Kind: "W", Loc: "flag", Value: "2"},
			{ID: 7, Thread: 1, Source: 1, Kind: "R", Loc: "x", Value: "1"},
		},
		Relations: []models.GraphEdges{
			{Name: "po", Edges: []models.Pair{{2, 3}, {3, 4}, {5, 6}, {6, 7}}},
			{Name: "spawn", Edges: []models.Pair{{2, 5}}},
			{Name: "rf", Edges: []models.Pair{{4, 5}, {3, 7}}},
			{Name: "co", Edges: []models.Pair{{0, 3}, {1, 4}, {4, 6}}},
			{Name: "rmw", Edges: []models.Pair{{5, 6}}},
		},
	}
	if stale {
		g.Events[7].Value = "0"
		g.Relations[2].Edges = []models.Pair{{4, 5}, {0, 7}}
		g.Relations = append(g.Relations, models.GraphEdges{Name: "fr", Edges: []models.Pair{{7, 3}}})
	}
	return &solver.Verification{
		Path: "mp.c", Model: "sc", Engine: "axiomatic", Version: 7, Property: "assertion", Status: solver.OK,
		Verdict: solver.Unsafe, Complete: true,
		Failure: &solver.Failure{
			File: "mp.c", Line: 5, Column: 3, Thread: "t", Property: ir.Assertion,
			Text: "assert(x)", Graph: g,
		},
	}
}

var task = Task{
	Files:   []solver.SourceFile{{Name: "mp.c", Text: "int x;\n"}},
	Created: time.Date(2026, 11, 22, 3, 4, 5, 0, time.UTC),
}

func TestGolden(t *testing.T) {
	safe := unsafe(false)
	safe.Verdict, safe.Failure = solver.Safe, nil
	for file, v := range map[string]*solver.Verification{
		"unsafe.graphml": unsafe(false), "unsafe.yml": unsafe(false), "safe.graphml": safe, "safe.yml": safe,
	} {
		var b strings.Builder
		if err := Write(&b, FormatOf(file), task, v); err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile("testdata/"+file, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s is\n%s", file, b.String())
		}
		if strings.HasSuffix(file, "graphml") {
			for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Errorf("%s is no XML: %v", file, err)
					break
				}
			}
		}
	}
}

// A failure without an interleaving has no witness, and neither has an uncertain one.
func TestNoWitness(t *testing.T) {
	bounded, unknown, bare := unsafe(false), unsafe(false), unsafe(false)
	bounded.Verdict, bounded.Complete = solver.Safe, false
	unknown.Status = solver.Unknown
	bare.Failure.Graph = nil
	for want, v := range map[string]*solver.Verification{
		"not an interleaving": unsafe(true), "within bounds": bounded, "undecided answer": unknown,
		"needs an execution": bare,
	} {
		if err := Write(io.Discard, ".yml", task, v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
