package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"litmuscope/solver/suites"
)

var _ suites.Ledger = (*Store)(nil)

// ofSuites puts an error into its context; errors of the package suites are its users'.
func ofSuites(err error) error {
	if err == nil || errors.Is(err, suites.ErrNoSuite) || errors.Is(err, suites.ErrKeyReused) {
		return err
	}
	return fmt.Errorf("suites: %w", err)
}

// CreateSuite implements [suites.Ledger].
func (s *Store) CreateSuite(ctx context.Context, of *suites.Suite) error {
	request, err := json.Marshal(of.Request)
	if err != nil {
		return err
	}
	return ofSuites(s.update(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx,
			`INSERT INTO suites (id, owner, version, request, state, created, models) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			of.ID, of.Owner, of.Version, request, of.State, of.Created.UnixMilli(), len(of.Request.Models))
		if err != nil {
			return err
		}
		if of.Number, err = r.LastInsertId(); err != nil {
			return err
		}
		for label, value := range of.Request.Labels {
			if _, err := tx.ExecContext(ctx, `INSERT INTO suite_labels (suite, label, value) VALUES (?, ?, ?)`,
				of.Number, label, value); err != nil {
				return err
			}
		}
		return insertTotals(ctx, tx, of.Number, len(of.Request.Models))
	}))
}

func insertTotals(ctx context.Context, tx *sql.Tx, suite int64, models int) error {
	for m := range models {
		if _, err := tx.ExecContext(ctx, `INSERT INTO suite_totals (suite, model) VALUES (?, ?)`, suite,
			m); err != nil {
			return err
		}
	}
	return nil
}

// AddTests implements [suites.Ledger].
func (s *Store) AddTests(ctx context.Context, suite int64, tests []suites.Test) error {
	return ofSuites(s.update(ctx, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx,
			`INSERT INTO suite_tests (suite, n, path, name, source, error, program) VALUES (?, ?, ?, ?, ?, ?, ?)`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, t := range tests {
			if _, err := insert.ExecContext(ctx, suite, t.N, t.Path, t.Name, t.Source, t.Err, t.Program); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, `UPDATE suites SET tests = tests + ? WHERE number = ?`, len(tests), suite)
		return err
	}))
}

// SealSuite implements [suites.Ledger].
func (s *Store) SealSuite(ctx context.Context, suite int64, key string, digest []byte) (other string, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		if key != "" {
			var same bool
			err := tx.QueryRowContext(ctx, `SELECT id, digest = ? FROM suites WHERE key = ?`, digest,
				key).Scan(&other, &same)
			switch {
			case err == nil && !same:
				other = ""
				return suites.ErrKeyReused
			case err == nil:
				return removeSuite(ctx, tx, suite)
			case !errors.Is(err, sql.ErrNoRows):
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE suites SET state = ?, key = nullif(?, ''), digest = ? WHERE number = ?`,
			suites.Running, key, digest, suite)
		return err
	})
	return other, ofSuites(err)
}

// removeSuite removes a suite and what belongs to it.
func removeSuite(ctx context.Context, tx *sql.Tx, suite int64) error {
	for _, q := range []string{
		`DELETE FROM suite_rows WHERE suite = ?`, `DELETE FROM suite_tests WHERE suite = ?`,
		`DELETE FROM suites WHERE number = ?`,
	} {
		if _, err := tx.ExecContext(ctx, q, suite); err != nil {
			return err
		}
	}
	return nil
}

// DropSuite implements [suites.Ledger]. The suite is gone at once, and its rows follow in small steps.
func (s *Store) DropSuite(ctx context.Context, suite int64) error {
	_, err := s.exec(ctx, `UPDATE suites SET state = ?, key = NULL WHERE number = ?`, suites.Receiving, suite)
	if err == nil {
		err = steps(ctx, func() (more bool, err error) { return s.dropSomeRows(ctx, suite) })
	}
	if err == nil {
		err = steps(ctx, func() (more bool, err error) { return s.dropSomeTests(ctx, suite) })
	}
	if err == nil {
		err = s.update(ctx, func(tx *sql.Tx) error { return removeSuite(ctx, tx, suite) })
	}
	return ofSuites(err)
}

func (s *Store) dropSomeRows(ctx context.Context, suite int64) (more bool, err error) {
	return s.remove(ctx, "suite_rows WHERE seq", `SELECT seq, octet_length(body) FROM suite_rows WHERE suite = ?`, 0,
		suite)
}

func (s *Store) dropSomeTests(ctx context.Context, suite int64) (more bool, err error) {
	return s.remove(ctx, fmt.Sprintf("suite_tests WHERE suite = %d AND n", suite),
		`SELECT n, octet_length(source) FROM suite_tests WHERE suite = ?`, 0, suite)
}

// DropUnsealed implements [suites.Ledger].
func (s *Store) DropUnsealed(ctx context.Context) error {
	numbers, err := s.numbers(ctx, `SELECT number FROM suites WHERE state = ?`, suites.Receiving)
	return s.dropAll(ctx, numbers, err)
}

// ExpireSuites implements [suites.Ledger].
func (s *Store) ExpireSuites(ctx context.Context, before time.Time) (int, error) {
	numbers, err := s.numbers(ctx, `SELECT number FROM suites WHERE finished > 0 AND finished < ?`, before.UnixMilli())
	return len(numbers), s.dropAll(ctx, numbers, err)
}

func (s *Store) dropAll(ctx context.Context, numbers []int64, err error) error {
	for _, n := range numbers {
		if err == nil {
			err = s.DropSuite(ctx, n)
		}
	}
	return ofSuites(err)
}

func (s *Store) numbers(ctx context.Context, query string, args ...any) ([]int64, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, rows.Err()
}

// CancelSuite implements [suites.Ledger].
func (s *Store) CancelSuite(ctx context.Context, suite int64) error {
	_, err := s.exec(ctx, `UPDATE suites SET state = ?, finished = ? WHERE number = ? AND state = ?`,
		suites.Cancelled, time.Now().UnixMilli(), suite, suites.Running)
	return ofSuites(err)
}

// RestartSuite implements [suites.Ledger].
func (s *Store) RestartSuite(ctx context.Context, suite int64, version string) error {
	if err := steps(ctx, func() (more bool, err error) { return s.dropSomeRows(ctx, suite) }); err != nil {
		return ofSuites(err)
	}
	return ofSuites(s.update(ctx, func(tx *sql.Tx) error {
		var models int
		if err := tx.QueryRowContext(ctx, `SELECT models FROM suites WHERE number = ?`,
			suite).Scan(&models); err != nil {
			return err
		}
		for _, q := range []string{
			`DELETE FROM suite_rows WHERE suite = ?`, `DELETE FROM suite_totals WHERE suite = ?`,
			`UPDATE suites SET tests = tests - (SELECT count(*) FROM suite_tests WHERE suite = number AND path = '` +
				left + `' AND source LIKE '` + suites.PartSource + `%') WHERE number = ?`,
			`DELETE FROM suite_tests WHERE suite = ? AND path = '` + left + `' AND source LIKE '` +
				suites.PartSource + `%'`,
		} {
			if _, err := tx.ExecContext(ctx, q, suite); err != nil {
				return err
			}
		}
		if err := insertTotals(ctx, tx, suite, models); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx,
			`UPDATE suites SET version = ?, done = 0, unknown = 0, failed = 0, cached = 0, set_aside = 0 WHERE number = ?`, version, suite)
		return err
	}))
}

const suiteColumns = `SELECT number, id, owner, version, request, state, created, finished, tests, done, unknown, failed, cached, set_aside,
	coalesce((SELECT max(seq) FROM suite_rows WHERE suite = number), 0) FROM suites `

// Suite implements [suites.Ledger].
func (s *Store) Suite(ctx context.Context, id string) (*suites.Suite, error) {
	found, err := s.suites(ctx, suiteColumns+`WHERE id = ? AND state <> ?`, id, suites.Receiving)
	if err == nil && len(found) == 0 {
		err = suites.ErrNoSuite
	}
	if err != nil {
		return nil, ofSuites(err)
	}
	return found[0], nil
}

// RunningSuites implements [suites.Ledger].
func (s *Store) RunningSuites(ctx context.Context) ([]*suites.Suite, error) {
	found, err := s.suites(ctx, suiteColumns+`WHERE state = ? ORDER BY number`, suites.Running)
	return found, ofSuites(err)
}

// Suites lists suites, the newest first: those older than the one with number before,
// unless that is 0, and with a label, unless that is "".
func (s *Store) Suites(ctx context.Context, before int64, label, value string, limit int) ([]*suites.Suite, error) {
	where, args := []string{`state <> ?`}, []any{suites.Receiving}
	if before > 0 {
		where, args = append(where, `number < ?`), append(args, before)
	}
	if label != "" {
		where = append(where, `number IN (SELECT suite FROM suite_labels WHERE label = ? AND value = ?)`)
		args = append(args, label, value)
	}
	found, err := s.suites(ctx, suiteColumns+`WHERE `+strings.Join(where, " AND ")+` ORDER BY number DESC LIMIT ?`,
		append(args, limit)...)
	return found, ofSuites(err)
}

// suites reads the suites that a query selects, with their totals.
func (s *Store) suites(ctx context.Context, query string, args ...any) ([]*suites.Suite, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []*suites.Suite
	for rows.Next() {
		var (
			f                 = new(suites.Suite)
			request           []byte
			created, finished int64
		)
		if err := rows.Scan(&f.Number, &f.ID, &f.Owner, &f.Version, &request, &f.State, &created, &finished, &f.Tests,
			&f.Done, &f.Unknown, &f.Failed, &f.Cached, &f.SetAside, &f.Seq); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(request, &f.Request); err != nil {
			return nil, err
		}
		f.Created = time.UnixMilli(created)
		if finished > 0 {
			f.Finished = time.UnixMilli(finished)
		}
		out = append(out, f)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	rows.Close() // the code below needs the one connection of a database in memory
	for _, f := range out {
		if err := s.totals(ctx, f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Store) totals(ctx context.Context, of *suites.Suite) error {
	rows, err := s.db.QueryContext(ctx,
		`SELECT allowed, forbidden, undecided, failed, holds FROM suite_totals WHERE suite = ? ORDER BY model`,
		of.Number)
	if err != nil {
		return err
	}
	defer rows.Close()
	for i := 0; rows.Next(); i++ {
		t := suites.ModelTotals{Model: of.Request.Models[i].Name}
		if err := rows.Scan(&t.Allowed, &t.Forbidden, &t.Undecided, &t.Failed, &t.Holds); err != nil {
			return err
		}
		of.Totals = append(of.Totals, t)
	}
	return rows.Err()
}

// Pending implements [suites.Ledger].
func (s *Store) Pending(ctx context.Context, of *suites.Suite, from, limit int) ([]suites.JobTest, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT n, path, name, source, error,
			(SELECT group_concat(model) FROM suite_rows r WHERE r.suite = t.suite AND r.test = t.n) AS have
		FROM suite_tests t WHERE suite = ? AND n >= ?
			AND (SELECT count(*) FROM suite_rows r WHERE r.suite = t.suite AND r.test = t.n) < ?
		ORDER BY n LIMIT ?`, of.Number, from, len(of.Request.Models), limit)
	if err != nil {
		return nil, ofSuites(err)
	}
	defer rows.Close()
	var out []suites.JobTest
	for rows.Next() {
		var (
			t    suites.JobTest
			have sql.NullString
		)
		if err := rows.Scan(&t.N, &t.Path, &t.Name, &t.Source, &t.Err, &have); err != nil {
			return nil, ofSuites(err)
		}
		there := strings.Split(have.String, ",")
		for m := range of.Request.Models {
			if !slices.Contains(there, fmt.Sprint(m)) {
				t.Models = append(t.Models, m)
			}
		}
		out = append(out, t)
	}
	return out, ofSuites(rows.Err())
}
