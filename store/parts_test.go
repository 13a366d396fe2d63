package store

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/suites"
)

// The rest of a part of an exploration becomes tests of its suite together with its row, once, however often and with
// whatever else a worker reports it; the suite ends when nothing remains. Where it begins anew, so do its tests.
func TestPartsAreRecordedOnce(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "db"))
	ctx := t.Context()
	of := &suites.Suite{
		ID: "parts", Version: "v", State: suites.Receiving, Created: time.Now(),
		Request: suites.Request{
			Models: []suites.Model{{Name: "rc11"}}, Engine: "graphs",
			Program: &solver.VerifyTask{Path: "a.c"},
		},
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(s.CreateSuite(ctx, of))
	check(s.AddTests(ctx, of.Number, []suites.Test{{N: 0, Path: "a.c", Source: suites.PartSource + "01"}}))
	_, err := s.SealSuite(ctx, of.Number, "", nil)
	check(err)
	row := func(test int, more ...string) suites.Row {
		body, err := json.Marshal(solver.Result{Path: "a.c", Status: solver.OK})
		check(err)
		return suites.Row{
			Suite:     of.Number,
			Version:   "v",
			Test:      test,
			Code:      suites.Forbidden,
			Body:      body,
			RestPaths: more,
		}
	}
	record := func(rows ...suites.Row) (done bool) {
		t.Helper()
		over, err := s.Record(ctx, rows)
		check(err)
		return len(over) > 0
	}
	pending := func(want ...string) {
		t.Helper()
		is, err := s.Suite(ctx, "parts")
		check(err)
		tests, err := s.Pending(ctx, is, 0, 100)
		check(err)
		var got []string
		for _, p := range tests {
			got = append(got, p.Source)
		}
		if len(got) != len(want) {
			t.Fatalf("left are %q, want %q", got, want)
		}
		for i := range want {
			if got[i] != suites.PartSource+want[i] {
				t.Fatalf("left are %q, want %q", got, want)
			}
		}
	}
	pending("01")
	if record(row(0, "012", "013")) {
		t.Error("it is done, and parts are left")
	}
	record(row(0, "0120", "0121", "013")) // by another worker, which was slower
	pending("012", "013")
	if record(row(1), row(1, "0129")) {
		t.Error("it is done, and a part is left")
	}
	pending("013")
	check(s.RestartSuite(ctx, of.Number, "w"))
	pending("01")
	check(s.RestartSuite(ctx, of.Number, "v"))
	if !record(row(0)) {
		t.Error("it is not done, and nothing is left")
	}
}
