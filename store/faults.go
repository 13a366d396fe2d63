//go:build !js

package store

import (
	"errors"

	"github.com/mattn/go-sqlite3"
)

// errCorrupt is what SQLite says of a file that it finds damaged.
var errCorrupt error = sqlite3.Error{Code: sqlite3.ErrCorrupt}

func kindOf(err error) kind {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return other
	}
	switch e.Code {
	case sqlite3.ErrFull:
		return full
	case sqlite3.ErrCorrupt:
		return corrupt
	case sqlite3.ErrIoErr, sqlite3.ErrReadonly, sqlite3.ErrCantOpen:
		return unusable
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return busy
	}
	if e.ExtendedCode == sqlite3.ErrConstraintUnique {
		return taken
	}
	return other
}
