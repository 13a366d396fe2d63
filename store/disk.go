package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/mattn/go-sqlite3"
)

// ErrFull is the error of whatever could not be kept because the disk is full.
var ErrFull = errors.New("the disk of the database is full")

// ErrDamaged is the error of a database in whose file are other things than SQLite has written.
var ErrDamaged = errors.New("the file of the database is damaged: end the server, and restore a backup")

// defaultLeastFree is what SQLite may want beside the database at any time, about.
const defaultLeastFree = 8 << 20

// Ping tells whether the database answers, and keeps what it is given.
func (s *Store) Ping(ctx context.Context) error {
	if last := s.failed.Load(); last != nil && errors.Is(*last, ErrDamaged) {
		return *last
	}
	var version int
	if err := s.db.QueryRowContext(ctx, `SELECT user_version FROM pragma_user_version`).Scan(&version); err != nil {
		return err
	}
	if s.path != "" {
		free, err := freeOf(filepath.Dir(s.path))
		if err != nil {
			return err
		}
		if free < s.leastFree {
			return fmt.Errorf("%w: of that of %s, %d KiB are left", ErrFull, s.path, free>>10)
		}
	}
	if s.failed.Load() == nil {
		return nil
	}
	// Nothing else may be written before somebody has been told that it can be.
	if _, err := s.exec(ctx, `UPDATE identity SET name = name`); err != nil {
		return err
	}
	if last := s.failed.Load(); last != nil {
		return *last
	}
	return nil
}

// wrote notes how it went to write: whether the disk is at fault, or what is on it, which no later success makes good.
func (s *Store) wrote(err error) error {
	last := s.failed.Load()
	if last != nil && errors.Is(*last, ErrDamaged) {
		return err
	}
	switch code := codeOf(err); {
	case err == nil && last != nil:
		s.failed.CompareAndSwap(last, nil)
	case code == sqlite3.ErrFull:
		err = fmt.Errorf("%w: %w", ErrFull, err)
		s.failed.Store(&err)
	case code == sqlite3.ErrCorrupt:
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
		s.failed.Store(&err)
	case code == sqlite3.ErrIoErr || code == sqlite3.ErrReadonly || code == sqlite3.ErrCantOpen:
		s.failed.Store(&err)
	}
	return err
}

// inspect looks whether any page of the file is damaged, which is noted then. It reads all of them.
func (s *Store) inspect(ctx context.Context) error {
	var said string
	err := s.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&said)
	if err == nil && said != "ok" {
		err = fmt.Errorf("%w: %s", sqlite3.Error{Code: sqlite3.ErrCorrupt}, said)
	}
	if codeOf(err) == sqlite3.ErrCorrupt {
		return s.wrote(err)
	}
	return err
}

// codeOf is SQLite's code for an error; 0: it is none of SQLite's.
func codeOf(err error) sqlite3.ErrNo {
	var e sqlite3.Error
	errors.As(err, &e)
	return e.Code
}
