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
	"sync"
	"time"

	"litmuscope/solver"
)

// packFrom is the size in bytes from which the store compresses answers.
const packFrom = 2 << 10

// DefaultMaxAnswer is the size of an answer unless MaxAnswer says otherwise; maxRow is that of any other compressed
// value, whose size was bounded when the store wrote it.
const (
	DefaultMaxAnswer = 32 << 20
	maxRow           = 64 << 20
)

// Answer looks an answer up in the cache, and reads it; ok is false if there is none, or none with witnesses though the
// caller wants them. Otherwise, it drops witnesses.
func (s *Store) Answer(ctx context.Context, k solver.Key, witnesses bool, into solver.Answer) (ok bool, err error) {
	var (
		id, used int64
		packed   bool
		body     []byte
	)
	err = s.db.QueryRowContext(ctx, `SELECT id, packed, body, used FROM results WHERE key = ? AND witnesses >= ?`,
		k.Hash[:], witnesses).Scan(&id, &packed, &body, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = unpack(body, packed, s.MaxAnswer, into)
	}
	if errors.Is(err, errTooLong) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("result cache: %w", err)
	}
	if !witnesses {
		into.DropWitnesses()
	}
	s.noteUse(results, id, used)
	return true, nil
}

// PutAnswer stores an answer. If there is no room left, it removes the least recently used ones. It does not store
// answers that are incomplete, for want of time or because of an error, nor huge ones; one with witnesses stays when
// one without arrives.
func (s *Store) PutAnswer(ctx context.Context, k solver.Key, witnesses bool, a solver.Answer) error {
	if *a.Head().Status != solver.OK || *a.Head().Cut != "" {
		return nil
	}
	body, err := json.Marshal(a)
	if err == nil && int64(len(body)) > s.MaxAnswer {
		return nil
	}
	packed := false
	if err == nil {
		body, packed, err = squeeze(body)
	}
	if err != nil {
		return fmt.Errorf("result cache: %w", err)
	}
	bytes := len(body) + rowOverhead
	if int64(bytes) > s.MaxBytes/16 {
		return nil
	}
	_, err = s.exec(ctx, putAnswer,
		k.Hash[:], k.Engine, k.Version, witnesses, packed, bytes, time.Now().Unix(), body)
	if err != nil {
		return fmt.Errorf("result cache: %w", err)
	}
	return s.grown(ctx, int64(bytes))
}

const putAnswer = `INSERT INTO results (key, engine, version, witnesses, packed, bytes, used, body)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (key) DO UPDATE SET witnesses = excluded.witnesses, packed = excluded.packed,
		bytes = excluded.bytes, body = excluded.body
	WHERE excluded.witnesses >= results.witnesses`

// grown keeps the cache within its bound after so many bytes were added: it removes answers every now and then, and
// about as much as was added.
func (s *Store) grown(ctx context.Context, bytes int64) error {
	every := min(s.MaxBytes/256, evictEvery)
	if s.written.Add(bytes) <= every {
		return nil
	}
	for left := s.written.Swap(0); left > 0; left -= every {
		more, err := s.evict(ctx, results)
		if err != nil {
			return fmt.Errorf("result cache: %w", err)
		}
		if !more {
			break
		}
	}
	return nil
}

// pack is v as JSON, compressed where that is worth it.
func pack(v any) (body []byte, packed bool, err error) {
	body, err = json.Marshal(v)
	if err != nil {
		return nil, false, err
	}
	return squeeze(body)
}

// compressors are reusable: a new one takes over half a megabyte.
var compressors = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return w
}}

// squeeze compresses what is worth it.
func squeeze(body []byte) (_ []byte, packed bool, err error) {
	if len(body) < packFrom {
		return body, false, nil
	}
	var b bytes.Buffer
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	if _, err := w.Write(body); err != nil {
		return nil, false, err
	}
	if err := w.Close(); err != nil {
		return nil, false, err
	}
	return b.Bytes(), true, nil
}

// errTooLong is unpack's for more bytes than there may be.
var errTooLong = errors.New("the stored data is larger than its limit")

// unpack reads what pack made, of so many bytes at most, into v.
func unpack(body []byte, packed bool, most int64, v any) error {
	if packed {
		var err error
		if body, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(body)), most+1)); err != nil {
			return err
		}
	}
	if int64(len(body)) > most {
		return errTooLong
	}
	return json.Unmarshal(body, v)
}
