package store

import (
	"crypto/rand"
	"strings"
	"testing"

	"litmuscope/solver/suites"
)

// However large a suite's tests and rows are, a step of its removal takes little, so that others can write in between;
// and in the end nothing remains.
func TestSuitesGoInSmallSteps(t *testing.T) {
	ctx := t.Context()
	s := open(t, ":memory:")
	const n, size = 60, 100 << 10
	of := cells(t, ctx, s, "large", 1, nil, nil)
	var rows []suites.Row
	var tests []suites.Test
	for i := range n {
		body := make([]byte, size) // random bytes do not compress
		_, _ = rand.Read(body)
		tests = append(tests, suites.Test{N: i, Path: "a.litmus", Source: strings.Repeat("x", size)})
		rows = append(rows, suites.Row{Suite: of.Number, Version: "v", Test: i, Code: 'a', Body: body})
	}
	if err := s.AddTests(ctx, of.Number, tests); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(ctx, rows); err != nil {
		t.Fatal(err)
	}
	left := func(query string) (bytes int) {
		if err := s.db.QueryRowContext(ctx, query).Scan(&bytes); err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	const ofRows, ofTests = `SELECT coalesce(sum(octet_length(body)), 0) FROM suite_rows`,
		`SELECT coalesce(sum(octet_length(source)), 0) FROM suite_tests`
	removals := 0
	for query, remove := range map[string]func() (bool, error){
		ofRows:  func() (bool, error) { return s.dropSomeRows(ctx, of.Number) },
		ofTests: func() (bool, error) { return s.dropSomeTests(ctx, of.Number) },
	} {
		for more := true; more; removals++ {
			before := left(query)
			var err error
			if more, err = remove(); err != nil {
				t.Fatal(err)
			}
			if gone := before - left(query); gone > stepBytes+size {
				t.Errorf("a step removes %d KiB", gone>>10)
			}
		}
	}
	if removals < 2*n*size/(stepBytes+size) {
		t.Errorf("%d steps", removals)
	}
	if err := s.DropSuite(ctx, of.Number); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"suites", "suite_rows", "suite_tests", "suite_totals"} {
		if rows := left(`SELECT count(*) FROM ` + table); rows != 0 {
			t.Errorf("%d rows are left of %s", rows, table)
		}
	}
}
