package store

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"litmuscope/solver"
)

// packFrom is the size in bytes from which answers are compressed.
const packFrom = 2 << 10

// usedEvery is how stale the note of an answer's last use may be: a hit is then
// a read, and seldom a write.
const usedEvery = time.Hour

// Answer looks an answer up in the cache; ok is false when there is none, or none with
// witnesses though they are wanted. Where they are not, they are dropped.
func (s *Store) Answer(ctx context.Context, k solver.Key, witnesses bool) (r *solver.Result, ok bool, err error) {
	var (
		id, used int64
		packed   bool
		body     []byte
	)
	err = s.db.QueryRowContext(ctx, `SELECT id, packed, body, used FROM results WHERE key = ? AND witnesses >= ?`,
		k.Hash[:], witnesses).Scan(&id, &packed, &body, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err == nil {
		r, err = unpack(body, packed)
	}
	if err != nil {
		return nil, false, fmt.Errorf("result cache: %w", err)
	}
	if !witnesses {
		r.Outcomes = nil
	}
	if now := time.Now(); now.Sub(time.Unix(used, 0)) > usedEvery {
		if _, err := s.db.ExecContext(ctx, `UPDATE results SET used = ? WHERE id = ?`, now.Unix(), id); err != nil {
			return nil, false, fmt.Errorf("result cache: %w", err)
		}
	}
	return r, true, nil
}

// PutAnswer keeps an answer. Answers that are not complete, for
// want of time or because of an error, are not kept; one with witnesses is not
// replaced by one without.
func (s *Store) PutAnswer(ctx context.Context, k solver.Key, witnesses bool, r *solver.Result) error {
	if r.Status != solver.OK {
		return nil
	}
	body, packed, err := pack(r)
	if err != nil {
		return fmt.Errorf("result cache: %w", err)
	}
	_, err = s.db.ExecContext(ctx, putAnswer,
		k.Hash[:], k.Engine, k.Version, witnesses, packed, body, time.Now().Unix())
	if err != nil {
		return fmt.Errorf("result cache: %w", err)
	}
	return s.grown(ctx, int64(len(body)))
}

const putAnswer = `INSERT INTO results (key, engine, version, witnesses, packed, body, used)
	VALUES (?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (key) DO UPDATE SET witnesses = excluded.witnesses, packed = excluded.packed,
		body = excluded.body, used = excluded.used
	WHERE excluded.witnesses >= results.witnesses`

// grown keeps the cache within its bound once so many bytes have been put into it. Adding
// up the rows takes a while, so it is done once in a sixteenth of the bound.
func (s *Store) grown(ctx context.Context, bytes int64) error {
	if s.written.Add(bytes) > s.MaxBytes/16 {
		s.written.Store(0)
		return s.Trim(ctx)
	}
	return nil
}

// Trim removes the answers that were not asked for the longest until the others
// fit in MaxBytes.
func (s *Store) Trim(ctx context.Context) error {
	_, err := s.db.ExecContext(ctx, `DELETE FROM results WHERE id IN (
		SELECT id FROM (SELECT id, sum(length(body)) OVER (ORDER BY used DESC, id DESC) AS kept FROM results)
		WHERE kept > ?)`, s.MaxBytes)
	if err != nil {
		return fmt.Errorf("result cache: %w", err)
	}
	return nil
}

// DropStale removes the answers of engines older than the current version, which
// nobody can ask for any more.
func (s *Store) DropStale(ctx context.Context, current func(engine string) int) error {
	rows, err := s.db.QueryContext(ctx, `SELECT DISTINCT engine FROM results`)
	if err != nil {
		return fmt.Errorf("result cache: %w", err)
	}
	defer rows.Close()
	var engines []string
	for rows.Next() {
		var e string
		if err := rows.Scan(&e); err != nil {
			return fmt.Errorf("result cache: %w", err)
		}
		engines = append(engines, e)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("result cache: %w", err)
	}
	for _, e := range engines {
		if _, err := s.db.ExecContext(ctx, `DELETE FROM results WHERE engine = ? AND version < ?`, e, current(e)); err != nil {
			return fmt.Errorf("result cache: %w", err)
		}
	}
	return nil
}

func pack(r *solver.Result) (body []byte, packed bool, err error) {
	body, err = json.Marshal(r)
	if err != nil {
		return nil, false, err
	}
	return squeeze(body)
}

// squeeze compresses what is worth it.
func squeeze(body []byte) (_ []byte, packed bool, err error) {
	if len(body) < packFrom {
		return body, false, nil
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return nil, false, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, false, err
	}
	if err := w.Close(); err != nil {
		return nil, false, err
	}
	return b.Bytes(), true, nil
}

func unpack(body []byte, packed bool) (*solver.Result, error) {
	if packed {
		var err error
		if body, err = io.ReadAll(flate.NewReader(bytes.NewReader(body))); err != nil {
			return nil, err
		}
	}
	r := new(solver.Result)
	if err := json.Unmarshal(body, r); err != nil {
		return nil, err
	}
	return r, nil
}
