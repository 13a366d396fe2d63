package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"litmuscope/solver/suites"
)

// Filter selects tests of a suite; the zero Filter is all of them.
type Filter struct {
	Text   string         // in the path or the name, in whatever case
	Codes  map[int]string // the codes that a model, by index, may have given; Waiting = none yet
	Any    string         // the codes of which some model has given one
	Differ bool           // some models allow what others forbid
	Cause  string         // some model has failed, or does not know, for this
}

// Waiting means a test and a model that have no row yet.
const Waiting = '.'

// All tells whether every test passes the filter.
func (f *Filter) All() bool {
	return f.Text == "" && len(f.Codes) == 0 && f.Any == "" && !f.Differ && f.Cause == ""
}

// Matching lists the tests of a suite that pass a filter, by their places, in order. It
// reads no test and no answer, but two indexes, and paths and names for a text.
func (s *Store) Matching(ctx context.Context, of *suites.Suite, f Filter) ([]int, error) {
	all := make([]int, of.Tests)
	for i := range all {
		all[i] = i
	}
	out := all
	narrow := func(list []int, err error) error {
		out = common(out, list)
		return err
	}
	var err error
	if f.Cause != "" {
		err = narrow(s.places(ctx, `SELECT test FROM suite_rows WHERE suite = ? AND cause = ?`, of.Number, f.Cause))
	}
	if err == nil && f.Any != "" {
		err = narrow(s.places(ctx, `SELECT test FROM suite_rows WHERE suite = ? AND instr(?, code)`, of.Number, f.Any))
	}
	for m, codes := range f.Codes {
		if err == nil {
			err = narrow(s.given(ctx, of, m, codes, all))
		}
	}
	if err == nil && f.Differ {
		const verdict = `(CASE code WHEN 'a' THEN 1 WHEN 'f' THEN 0 END)`
		err = narrow(
			s.places(ctx,
				`SELECT test FROM suite_rows WHERE suite = ? GROUP BY test HAVING min`+verdict+` <> max`+verdict,
				of.Number))
	}
	if err == nil && f.Text != "" {
		like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(f.Text) + "%"
		err = narrow(
			s.places(ctx,
				`SELECT n AS test FROM suite_tests WHERE suite = ? AND (path LIKE ?2 ESCAPE '\' OR name LIKE ?2 ESCAPE '\')`, of.Number, like))
	}
	return out, ofSuites(err)
}

// given lists the tests that have one of some codes from a model.
func (s *Store) given(ctx context.Context, of *suites.Suite, model int, codes string, all []int) ([]int, error) {
	out, err := s.places(ctx, `SELECT test FROM suite_rows WHERE suite = ? AND model = ? AND instr(?, code)`, of.Number,
		model, codes)
	if err != nil || !strings.ContainsRune(codes, Waiting) {
		return out, err
	}
	have, err := s.places(ctx, `SELECT test FROM suite_rows WHERE suite = ? AND model = ?`, of.Number, model)
	for _, n := range all {
		if _, found := slices.BinarySearch(have, n); !found {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, err
}

// places asks for tests, once each. They come as one text: a million rows would take the
// driver seconds.
func (s *Store) places(ctx context.Context, query string, args ...any) ([]int, error) {
	var text sql.NullString
	if err := s.db.QueryRowContext(ctx, `SELECT group_concat(test) FROM (`+query+`)`,
		args...).Scan(&text); err != nil || !text.Valid {
		return nil, err
	}
	out := make([]int, 0, strings.Count(text.String, ",")+1)
	for n := range strings.SplitSeq(text.String, ",") {
		i, err := strconv.Atoi(n)
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// common is what two lists in order share.
func common(a, b []int) []int {
	var out []int
	for _, n := range a {
		for len(b) > 0 && b[0] < n {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == n {
			out = append(out, n)
		}
	}
	return out
}

// MatrixRow is a test with what its models say, a letter each.
type MatrixRow struct {
	N     int     `json:"n"`
	Path  string  `json:"path"`
	Name  string  `json:"name"`
	Codes string  `json:"codes"` // by model; Waiting where there is none
	MS    float64 `json:"ms"`    // all models together
	// Machines has the cells of the suite's machines, which readers add.
	Machines []MatrixSeen `json:"machines,omitempty"`
}

// MatrixSeen is what a machine has shown of a test, in short.
type MatrixSeen struct {
	Text  string `json:"text"`
	Title string `json:"title"`
	Alarm bool   `json:"alarm,omitempty"` // an outcome that a model forbids
}

// Matrix reads the tests of some places, in order; it ignores places beyond the suite's.
func (s *Store) Matrix(ctx context.Context, of *suites.Suite, places []int) ([]MatrixRow, error) {
	list, err := json.Marshal(places)
	if err != nil {
		return nil, err
	}
	out, err := s.matrix(ctx, of, string(list))
	return out, ofSuites(err)
}

// matrix reads the rows of the tests whose numbers are in list, a JSON array.
func (s *Store) matrix(ctx context.Context, of *suites.Suite, list string) ([]MatrixRow, error) {
	// The codes of a test are one text of "model:code", by blanks.
	rows, err := s.db.QueryContext(ctx, `SELECT n, path, name,
			(SELECT group_concat(model || ':' || code, ' ') FROM suite_rows r WHERE r.suite = t.suite AND r.test = t.n),
			(SELECT total(ms) FROM suite_rows r WHERE r.suite = t.suite AND r.test = t.n)
		FROM suite_tests t WHERE suite = ? AND n IN (SELECT value FROM json_each(?)) ORDER BY n`, of.Number, list)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []MatrixRow{}
	for rows.Next() {
		var (
			r    MatrixRow
			have sql.NullString
		)
		if err := rows.Scan(&r.N, &r.Path, &r.Name, &have, &r.MS); err != nil {
			return nil, err
		}
		codes := []byte(strings.Repeat(string(Waiting), len(of.Request.Models)))
		for _, c := range strings.Fields(have.String) {
			model, code, _ := strings.Cut(c, ":")
			if m, err := strconv.Atoi(model); err == nil && m < len(codes) && code != "" {
				codes[m] = code[0]
			}
		}
		r.Codes = string(codes)
		out = append(out, r)
	}
	return out, rows.Err()
}

// Cause is why some rows of a suite have failed, or are unknown.
type Cause struct {
	Code  suites.Code
	Cause string
	Rows  int
	Test  int // the first that has it
	Path  string
}

// Causes lists the causes of failures and of not knowing, the most frequent first.
func (s *Store) Causes(ctx context.Context, of *suites.Suite, limit int) ([]Cause, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT code, cause, number, first, path FROM
			(SELECT suite, code, cause, count(*) AS number, min(test) AS first FROM suite_rows
				WHERE suite = ? AND cause IS NOT NULL GROUP BY cause, code ORDER BY number DESC, first LIMIT ?) c
		JOIN suite_tests t ON t.suite = c.suite AND t.n = c.first ORDER BY number DESC, first`, of.Number, limit)
	if err != nil {
		return nil, ofSuites(err)
	}
	defer rows.Close()
	var out []Cause
	for rows.Next() {
		var (
			c    Cause
			code string
		)
		if err := rows.Scan(&code, &c.Cause, &c.Rows, &c.Test, &c.Path); err != nil {
			return nil, ofSuites(err)
		}
		c.Code = suites.Code(code[0])
		out = append(out, c)
	}
	return out, ofSuites(rows.Err())
}

// SlowRow is a row that took long.
type SlowRow struct {
	Test, Model int
	Path        string
	Code        suites.Code
	MS          float64
}

// Slowest lists the rows of a suite that took the longest.
func (s *Store) Slowest(ctx context.Context, of *suites.Suite, limit int) ([]SlowRow, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT test, model, path, code, ms FROM
			(SELECT suite, test, model, code, ms FROM suite_rows WHERE suite = ? ORDER BY ms DESC LIMIT ?) r
		JOIN suite_tests t ON t.suite = r.suite AND t.n = r.test ORDER BY ms DESC, test, model`, of.Number, limit)
	if err != nil {
		return nil, ofSuites(err)
	}
	defer rows.Close()
	var out []SlowRow
	for rows.Next() {
		var (
			r    SlowRow
			code string
		)
		if err := rows.Scan(&r.Test, &r.Model, &r.Path, &code, &r.MS); err != nil {
			return nil, ofSuites(err)
		}
		r.Code = suites.Code(code[0])
		out = append(out, r)
	}
	return out, ofSuites(rows.Err())
}

// PlacesByPath finds tests by their paths, the first of each.
func (s *Store) PlacesByPath(ctx context.Context, of *suites.Suite, paths []string) (map[string]int, error) {
	list, err := json.Marshal(paths)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx,
		`SELECT path, min(n) FROM suite_tests WHERE suite = ? AND path IN (SELECT value FROM json_each(?)) GROUP BY path`,
		of.Number, string(list))
	if err != nil {
		return nil, ofSuites(err)
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var (
			path string
			n    int
		)
		if err := rows.Scan(&path, &n); err != nil {
			return nil, ofSuites(err)
		}
		out[path] = n
	}
	return out, ofSuites(rows.Err())
}
