package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/suites"
)

// Record implements [suites.Ledger]. Rows and counts change in one transaction, and the
// answers that are worth it go into the result cache with them.
func (s *Store) Record(ctx context.Context, rows []suites.Row) (done []int64, err error) {
	var cached int64
	err = s.update(ctx, func(tx *sql.Tx) error {
		done, cached = nil, 0
		r, err := newRecorder(ctx, tx)
		if err != nil {
			return err
		}
		defer r.close()
		for i := range rows {
			n, err := r.add(ctx, &rows[i])
			if err != nil {
				return err
			}
			cached += n
		}
		done, err = r.count(ctx)
		return err
	})
	if err == nil {
		err = s.grown(ctx, cached)
	}
	return done, ofSuites(err)
}

// recorder records rows in one transaction.
type recorder struct {
	tx          *sql.Tx
	row, answer *sql.Stmt
	test        *sql.Stmt // for what a part has left
	suites      map[int64]*recorded
}

// recorded is what a transaction adds to a suite.
type recorded struct {
	version string // of the suite's engines
	taken   bool   // the suite is running
	done    int
	totals  map[int]*suites.ModelTotals // by model

	tests, models, before             int // the suite's, and its earlier rows
	grown                             int // tests, by what parts have left
	unknown, failed, cached, setAside int
}

func newRecorder(ctx context.Context, tx *sql.Tx) (*recorder, error) {
	row, err := tx.PrepareContext(ctx, `INSERT INTO suite_rows (suite, test, model, code, ms, cause, packed, body)
		VALUES (?, ?, ?, ?, ?, nullif(?, ''), ?, ?) ON CONFLICT (suite, test, model) DO NOTHING`)
	if err != nil {
		return nil, err
	}
	answer, err := tx.PrepareContext(ctx, putAnswer)
	if err != nil {
		row.Close()
		return nil, err
	}
	test, err := tx.PrepareContext(ctx,
		`INSERT INTO suite_tests (suite, n, path, name, source, error) VALUES (?, ?, ?, '', ?, '')`)
	if err != nil {
		return nil, errors.Join(err, row.Close(), answer.Close())
	}
	return &recorder{tx: tx, row: row, answer: answer, test: test, suites: map[int64]*recorded{}}, nil
}

func (r *recorder) close() { r.row.Close(); r.answer.Close(); r.test.Close() }

// left is the path of tests that are what parts have left: they go when a suite begins anew.
const left = "(left)"

// of looks a suite up once.
func (r *recorder) of(ctx context.Context, suite int64) (*recorded, error) {
	if c := r.suites[suite]; c != nil {
		return c, nil
	}
	c := &recorded{totals: map[int]*suites.ModelTotals{}}
	var state suites.State
	err := r.tx.QueryRowContext(ctx, `SELECT version, state, tests, models, done FROM suites WHERE number = ?`, suite).
		Scan(&c.version, &state, &c.tests, &c.models, &c.before)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	c.taken = state == suites.Running
	r.suites[suite] = c
	return c, nil
}

// add adds a row, unless the suite has it or no longer accepts it; cached is how many bytes its answer takes in the
// result cache.
func (r *recorder) add(ctx context.Context, row *suites.Row) (cached int64, err error) {
	c, err := r.of(ctx, row.Suite)
	if err != nil || !c.taken || c.version != row.Version {
		return 0, err
	}
	if row.Test < 0 || row.Test >= c.tests || row.Model < 0 || row.Model >= c.models {
		return 0, fmt.Errorf("BUG: a row for test %d and model %d of a suite that has %d and %d", row.Test, row.Model,
			c.tests, c.models)
	}
	body, packed, err := squeeze(row.Body)
	if err != nil {
		return 0, err
	}
	added, err := r.row.ExecContext(ctx, row.Suite, row.Test, row.Model, string(row.Code), row.MS,
		row.Cause, packed, body)
	if err != nil {
		return 0, err
	}
	if n, err := added.RowsAffected(); err != nil || n == 0 {
		return 0, err
	}
	c.count(row)
	for _, path := range row.RestPaths {
		if _, err := r.test.ExecContext(ctx, row.Suite, c.tests, left, suites.PartSource+path); err != nil {
			return 0, err
		}
		c.tests++
		c.grown++
	}
	if row.Key == nil || row.Cached {
		return 0, nil
	}
	k := row.Key
	bytes := len(body) + rowOverhead
	_, err = r.answer.ExecContext(ctx, k.Hash[:], k.Engine, k.Version, 0, packed, bytes, time.Now().Unix(), body)
	return int64(bytes), err
}

// count adds a row to the suite's totals.
func (c *recorded) count(row *suites.Row) {
	c.done++
	t := c.totals[row.Model]
	if t == nil {
		t = new(suites.ModelTotals)
		c.totals[row.Model] = t
	}
	switch row.Code {
	case suites.Allowed:
		t.Allowed++
	case suites.Forbidden:
		t.Forbidden++
	case suites.Undecided:
		t.Undecided++
		c.unknown++
	default:
		t.Failed++
		c.failed++
	}
	if row.Holds {
		t.Holds++
	}
	if row.Cached {
		c.cached++
	}
	if row.SetAside {
		c.setAside++
	}
}

// count adds the new rows to the suites' counts, and ends complete suites.
func (r *recorder) count(ctx context.Context) (done []int64, err error) {
	for suite, c := range r.suites {
		if c.done == 0 {
			continue
		}
		state, finished := suites.Running, int64(0)
		if c.before+c.done == c.tests*c.models {
			state, finished = suites.Done, time.Now().UnixMilli()
			done = append(done, suite)
		}
		_, err := r.tx.ExecContext(ctx,
			`UPDATE suites SET tests = tests + ?, done = done + ?, unknown = unknown + ?, failed = failed + ?,
			cached = cached + ?, set_aside = set_aside + ?, state = ?, finished = ? WHERE number = ?`,
			c.grown, c.done, c.unknown, c.failed, c.cached, c.setAside, state, finished, suite)
		if err != nil {
			return nil, err
		}
		for m, t := range c.totals {
			_, err := r.tx.ExecContext(ctx, `UPDATE suite_totals SET allowed = allowed + ?, forbidden = forbidden + ?,
				undecided = undecided + ?, failed = failed + ?, holds = holds + ? WHERE suite = ? AND model = ?`,
				t.Allowed, t.Forbidden, t.Undecided, t.Failed, t.Holds, suite, m)
			if err != nil {
				return nil, err
			}
		}
	}
	return done, nil
}

// answersAtOnce is how many answers one query looks up, and answersBytes how many bytes of them it reads; unpacked,
// they may well have packedRatio times that size.
const (
	answersAtOnce = 500
	answersBytes  = 32 << 20
	packedRatio   = 16
)

// Answers implements [suites.Ledger]. It records their use as [Store.Answer] does.
func (s *Store) Answers(ctx context.Context, keys []solver.Key, witnesses bool) (map[solver.Key]*solver.Result, error) {
	out := map[solver.Key]*solver.Result{}
	for some := range slices.Chunk(keys, answersAtOnce) {
		if err := s.answers(ctx, some, witnesses, out); err != nil {
			return nil, fmt.Errorf("result cache: %w", err)
		}
	}
	return out, nil
}

// answers looks up keys in the result cache and adds their results to out. It stops after answersBytes bytes, so that
// out may have fewer than the cache.
func (s *Store) answers(
	ctx context.Context, keys []solver.Key, witnesses bool, out map[solver.Key]*solver.Result,
) error {
	args := make([]any, 0, len(keys)+1)
	of := map[string]solver.Key{}
	for _, k := range keys {
		args = append(args, k.Hash[:])
		of[string(k.Hash[:])] = k
	}
	rows, err := s.db.QueryContext(ctx, `SELECT id, key, packed, body, used FROM results WHERE key IN (?`+
		strings.Repeat(",?", len(keys)-1)+`) AND witnesses >= ?`, append(args, witnesses)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	read := 0
	for rows.Next() {
		var (
			id, used int64
			packed   bool
			key      sql.RawBytes
			body     sql.RawBytes
		)
		if err := rows.Scan(&id, &key, &packed, &body, &used); err != nil {
			return err
		}
		r := new(solver.Result)
		if err := unpack(body, packed, s.MaxAnswer, r); errors.Is(err, errTooLong) {
			continue
		} else if err != nil {
			return err
		}
		if !witnesses {
			r.DropWitnesses()
		}
		out[of[string(key)]] = r
		s.noteUse(results, id, used)
		if packed {
			read += packedRatio * len(body)
		} else {
			read += len(body)
		}
		if read > answersBytes {
			break // engines answer the others anew
		}
	}
	return rows.Err()
}

// Rows yields the rows of a suite in the order of its tests and, for each, of its models, from a position on (a test's
// place times the number of models, and the model's), until there are no more, f returns false, or it has passed n. It
// reads a page at a time, so that it holds up nobody.
func (s *Store) Rows(
	ctx context.Context, of *suites.Suite, from, n int, f func(position int, r *solver.Result) (bool, error),
) error {
	models := len(of.Request.Models)
	for more := true; more && n > 0; {
		var page []storedRow
		var err error
		page, more, err = s.rowPage(ctx, of, from/models, from%models, min(n, rowPage))
		if err != nil {
			return ofSuites(err)
		}
		for _, row := range page {
			r := new(solver.Result)
			if err := unpack(row.body, row.packed, maxRow, r); err != nil {
				return ofSuites(err)
			}
			if more, err := f(row.test*models+row.model, r); err != nil || !more {
				return err
			}
		}
		if len(page) == 0 {
			break
		}
		last := page[len(page)-1]
		from = last.test*models + last.model + 1
		n -= len(page)
	}
	return nil
}

// rowPage and pageBytes are how many rows, and bytes of them, one query reads.
const (
	rowPage   = 500
	pageBytes = 8 << 20
)

type storedRow struct {
	test, model int
	packed      bool
	body        []byte
}

// rowPage reads some rows; more: there may be others behind them.
func (s *Store) rowPage(
	ctx context.Context, of *suites.Suite, test, model, limit int,
) (out []storedRow, more bool, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT test, model, packed, body FROM suite_rows
		WHERE suite = ? AND (test, model) >= (?, ?) ORDER BY test, model LIMIT ?`, of.Number, test, model, limit)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	size := 0
	for rows.Next() {
		var r storedRow
		if err := rows.Scan(&r.test, &r.model, &r.packed, &r.body); err != nil {
			return nil, false, err
		}
		out = append(out, r)
		if size += len(r.body); size > pageBytes {
			return out, true, nil
		}
	}
	return out, len(out) == limit, rows.Err()
}

// Mark is a row in short: its position, its code, its cost.
type Mark struct {
	Seq      int64
	Position int
	Code     suites.Code
	MS       float64
}

// RowsSince lists rows recorded after another, in the order of recording.
func (s *Store) RowsSince(ctx context.Context, of *suites.Suite, seq int64, limit int) ([]Mark, error) {
	rows, err := s.db.QueryContext(ctx,
		`SELECT seq, test * ? + model, code, ms FROM suite_rows WHERE suite = ? AND seq > ? ORDER BY seq LIMIT ?`,
		len(of.Request.Models), of.Number, seq, limit)
	if err != nil {
		return nil, ofSuites(err)
	}
	defer rows.Close()
	var out []Mark
	for rows.Next() {
		var (
			m    Mark
			code string
		)
		if err := rows.Scan(&m.Seq, &m.Position, &code, &m.MS); err != nil {
			return nil, ofSuites(err)
		}
		m.Code = suites.Code(code[0])
		out = append(out, m)
	}
	return out, ofSuites(rows.Err())
}

// SuiteTest is a suite's test of a place; suites.ErrNoSuite where there is none.
func (s *Store) SuiteTest(ctx context.Context, of *suites.Suite, n int) (suites.Test, error) {
	t := suites.Test{N: n}
	err := s.db.QueryRowContext(ctx, `SELECT path, name, source, error FROM suite_tests WHERE suite = ? AND n = ?`,
		of.Number, n).
		Scan(&t.Path, &t.Name, &t.Source, &t.Err)
	if errors.Is(err, sql.ErrNoRows) {
		err = suites.ErrNoSuite
	}
	return t, ofSuites(err)
}
