package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// errLocked is a lock that another process has.
var errLocked = errors.New("locked")

// OpenAlone is [Open] for the one server of a database: no other server can open its file, by any name or link, until
// Close or until the process ends. Others may still read it, and use its result cache, by the same name.
func OpenAlone(ctx context.Context, path string) (*Store, error) {
	if path == memory {
		return Open(ctx, path)
	}
	if err := create(path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		f.Close()
		if errors.Is(err, errLocked) {
			return nil,
				fmt.Errorf("%s: another server uses this database: stop it, or give this one its own database "+
					"with --db", path)
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	s, err := Open(ctx, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	// Closed before the database is, any descriptor of its file takes all of SQLite's locks with it, which are of
	// another kind (fcntl(2)).
	s.locked = f
	return s, nil
}
