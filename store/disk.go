package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
)

// ErrFull is the error for a write that failed because the disk is full.
var ErrFull = errors.New("the database's disk is full")

// ErrDamaged is the error of a database in whose file are other things than SQLite has written.
var ErrDamaged = errors.New("the database file is damaged: stop the server and restore a backup")

// defaultLeastFree is what SQLite may want beside the database at any time, about.
const defaultLeastFree = 8 << 20

// Ping checks that the database answers and accepts writes.
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
			return fmt.Errorf("%w: the disk of %s has %d KiB left", ErrFull, s.path, free>>10)
		}
	}
	if s.failed.Load() == nil {
		return nil
	}
	// No other write may come before somebody knows that one succeeds.
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
	switch kind := kindOf(err); {
	case err == nil && last != nil:
		s.failed.CompareAndSwap(last, nil)
	case kind == full:
		err = fmt.Errorf("%w: %w", ErrFull, err)
		s.failed.Store(&err)
	case kind == corrupt:
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
		s.failed.Store(&err)
	case kind == unusable:
		s.failed.Store(&err)
	}
	return err
}

// inspect checks the file for damaged pages, and records the result. It reads all of them.
func (s *Store) inspect(ctx context.Context) error {
	var said string
	err := s.db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&said)
	if err == nil && said != "ok" {
		return s.wrote(fmt.Errorf("%w: %s", errCorrupt, said))
	}
	if kindOf(err) == corrupt {
		return s.wrote(err)
	}
	return err
}

// kind classifies a fault of SQLite:
type kind int

const (
	other    kind = iota // or none of SQLite's
	full                 // the disk
	corrupt              // the file
	unusable             // reading or writing it fails
	taken                // another process holds the lock of the only server
	busy                 // another has the database
)
