package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/solver/suites"
)

// cells makes a suite of tests with the codes given, a text for each test.
func cells(
	t interface{ Fatal(...any) }, ctx context.Context, s *Store, id string, models int, names, codes []string,
) *suites.Suite {
	of := &suites.Suite{ID: id, Version: "v", State: suites.Receiving, Created: time.Now()}
	for m := range models {
		of.Request.Models = append(of.Request.Models, suites.Model{Name: fmt.Sprint("m", m)})
	}
	err := s.CreateSuite(ctx, of)
	var tests []suites.Test
	for i, name := range names {
		tests = append(tests, suites.Test{N: i, Path: "dir/" + name + ".litmus", Name: name, Source: "X86 " + name})
	}
	if err == nil {
		err = s.AddTests(ctx, of.Number, tests)
	}
	if err == nil {
		_, err = s.SealSuite(ctx, of.Number, "", nil)
	}
	var rows []suites.Row
	for n, letters := range codes {
		for m, c := range []byte(letters) {
			if c == Waiting {
				continue
			}
			row := suites.Row{
				Suite: of.Number, Version: "v", Test: n, Model: m, Code: suites.Code(c),
				MS: float64(n*models + m + 1), Body: []byte(`{}`),
			}
			if c == 'e' || c == 'u' {
				row.Cause = fmt.Sprintf("cause %c%d", c, n%2)
			}
			rows = append(rows, row)
		}
	}
	if err == nil {
		_, err = s.Record(ctx, rows)
	}
	if err == nil {
		of, err = s.Suite(ctx, id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return of
}

func TestMatrix(t *testing.T) {
	s := open(t, ":memory:")
	names := []string{"SB", "MP+po", "LB_100%", "<b>IRIW</b>", "SB+mfences"}
	cells(t, t.Context(), s, "other", 3, names, []string{"eee", "eee", "eee", "eee", "eee"})
	of := cells(t, t.Context(), s, "s", 3, names, []string{"faa", "fff", "ae.", "...", "fua"})

	rows, err := s.Matrix(t.Context(), of, []int{4, 2, 3, 99})
	if err != nil {
		t.Fatal(err)
	}
	want := []MatrixRow{
		{2, "dir/LB_100%.litmus", "LB_100%", "ae.", 7 + 8, nil},
		{3, "dir/<b>IRIW</b>.litmus", "<b>IRIW</b>", "...", 0, nil},
		{4, "dir/SB+mfences.litmus", "SB+mfences", "fua", 13 + 14 + 15, nil},
	}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("rows %v, want %v", rows, want)
	}

	for _, c := range []struct {
		f    Filter
		want []int
	}{
		{Filter{}, []int{0, 1, 2, 3, 4}},
		{Filter{Text: "sb"}, []int{0, 4}},
		{Filter{Text: "_100%"}, []int{2}},
		{Filter{Text: "%"}, []int{2}},
		{Filter{Text: "dir/m"}, []int{1}},
		{Filter{Text: "nothing"}, nil},
		{Filter{Codes: map[int]string{0: "f"}}, []int{0, 1, 4}},
		{Filter{Codes: map[int]string{0: "f", 2: "a"}}, []int{0, 4}},
		{Filter{Codes: map[int]string{1: "eu"}}, []int{2, 4}},
		{Filter{Codes: map[int]string{2: "."}}, []int{2, 3}},
		{Filter{Codes: map[int]string{2: "f."}}, []int{1, 2, 3}},
		{Filter{Any: "e"}, []int{2}},
		{Filter{Any: "eu"}, []int{2, 4}},
		{Filter{Differ: true}, []int{0, 4}},
		{Filter{Differ: true, Text: "mfence"}, []int{4}},
		{Filter{Cause: "cause u0"}, []int{4}},
		{Filter{Cause: "cause"}, nil},
	} {
		got, err := s.Matching(t.Context(), of, c.f)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v (%v), want %v", c.f, got, err, c.want)
		}
	}

	causes, err := s.Causes(t.Context(), of, 10)
	if want := []Cause{
		{'e', "cause e0", 1, 2, "dir/LB_100%.litmus"},
		{'u', "cause u0", 1, 4, "dir/SB+mfences.litmus"},
	}; err != nil || !slices.Equal(causes, want) {
		t.Errorf("causes %v (%v)", causes, err)
	}
	slow, err := s.Slowest(t.Context(), of, 2)
	if want := []SlowRow{
		{4, 2, "dir/SB+mfences.litmus", 'a', 15},
		{4, 1, "dir/SB+mfences.litmus", 'u', 14},
	}; err != nil || !slices.Equal(slow, want) {
		t.Errorf("slowest %v (%v)", slow, err)
	}
}

// Whatever the filter, SQL and a look at each test agree.
func TestFilterAgrees(t *testing.T) {
	s := open(t, ":memory:")
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		models := rapid.IntRange(1, 4).Draw(t, "models")
		codes := rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("afue.")), models, models, -1), 1,
			12).Draw(t, "codes")
		names := make([]string, len(codes))
		for i := range names {
			names[i] = rapid.SampledFrom([]string{"SB", "sb+x", "MP", "M_P", "%"}).Draw(t, "name")
		}
		f := Filter{
			Text:   rapid.SampledFrom([]string{"", "sb", "_", "%", "litmus"}).Draw(t, "text"),
			Any:    rapid.SampledFrom([]string{"", "e", "ue"}).Draw(t, "any"),
			Differ: rapid.Bool().Draw(t, "differ"),
			Cause:  rapid.SampledFrom([]string{"", "", "cause e1"}).Draw(t, "cause"),
			Codes: rapid.MapOfN(rapid.IntRange(0, models-1), rapid.SampledFrom([]string{"a", "f", ".", "ue", "f."}), 0,
				2).Draw(t, "per model"),
		}
		made++
		of := cells(t, t.Context(), s, fmt.Sprint("s", made), models, names, codes)
		var want []int
		for n, row := range codes {
			ok := f.Text == "" || strings.Contains(strings.ToLower("dir/"+names[n]+".litmus"), f.Text)
			ok = ok && (f.Any == "" || strings.ContainsAny(row, f.Any))
			ok = ok && (!f.Differ || strings.Contains(row, "a") && strings.Contains(row, "f"))
			ok = ok && (f.Cause == "" || n%2 == 1 && strings.Contains(row, "e"))
			for m, some := range f.Codes {
				ok = ok && strings.IndexByte(some, row[m]) >= 0
			}
			if ok {
				want = append(want, n)
			}
		}
		if got, err := s.Matching(t.Context(), of, f); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%+v: %v (%v), want %v", f, got, err, want)
		}
	})
}

// BenchmarkMatrix runs the queries of a suite's page. MATRIX_TESTS=1000000 is a large one.
func BenchmarkMatrix(b *testing.B) {
	tests, models := 25000, 5
	if n := os.Getenv("MATRIX_TESTS"); n != "" {
		if _, err := fmt.Sscan(n, &tests); err != nil {
			b.Fatal(err)
		}
	}
	ctx := b.Context()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	of := cells(b, ctx, s, "s", models, nil, nil)
	const numbers = `WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < ?2 - 1) `
	for _, q := range []string{
		numbers +
			`INSERT INTO suite_tests SELECT ?1, n, printf('ring-%d/t%07d.litmus', n % 97, n), printf('T%07d+mfence', n), hex(randomblob(250)), '' FROM c WHERE ?3`,
		numbers + `INSERT INTO suite_rows (suite, test, model, code, ms, cause, packed, body)
			SELECT ?1, n / ?3, n % ?3, CASE WHEN n / ?3 % 1000 = 7 THEN 'e' WHEN n % ?3 > n / ?3 % 6 THEN 'a' ELSE 'f' END,
				(n * 7919 % 10007) / 100.0, CASE WHEN n / ?3 % 1000 = 7 THEN 'cause ' || (n / ?3 % 7) END, 1, randomblob(300) FROM (` + numbers + `SELECT n FROM c)`,
	} {
		rows := tests
		if strings.Contains(q, "suite_rows") {
			q, rows = strings.TrimPrefix(q, numbers), tests*models
		}
		if _, err := s.db.ExecContext(ctx, q, of.Number, rows, models); err != nil {
			b.Fatal(err)
		}
	}
	of.Tests = tests
	window := make([]int, 200)
	for i := range window {
		window[i] = tests/2 + i*7%tests
	}
	for _, f := range []struct {
		name string
		Filter
	}{
		{"text", Filter{Text: "99+"}},
		{"model", Filter{Codes: map[int]string{1: "a"}}},
		{"waiting", Filter{Codes: map[int]string{1: "."}}},
		{"errors", Filter{Any: "e"}},
		{"differ", Filter{Differ: true}},
		{"cause", Filter{Cause: "cause 3"}},
	} {
		b.Run("filter="+f.name, func(b *testing.B) {
			for b.Loop() {
				list, err := s.Matching(ctx, of, f.Filter)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(list)), "tests")
			}
		})
	}
	for name, ask := range map[string]func() error{
		"window":  func() error { _, err := s.Matrix(ctx, of, window); return err },
		"causes":  func() error { _, err := s.Causes(ctx, of, 100); return err },
		"slowest": func() error { _, err := s.Slowest(ctx, of, 20); return err },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := ask(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
