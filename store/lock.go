package store

import (
	"errors"
	"fmt"
	"os"
)

// errLocked is a lock that another process has.
var errLocked = errors.New("locked")

// Lock makes this process the only server of the database at path, until unlock is called
// or the process ends. Others may still read it, and use its result cache.
func Lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		f.Close()
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("%s: another server serves this database: end it, or give this one its own with --db", path)
		}
		return nil, fmt.Errorf("%s.lock: %w", path, err)
	}
	return func() { f.Close() }, nil
}
