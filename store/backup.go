package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrBackupExists is the error for a backup in the place of a file.
var ErrBackupExists = errors.New("the file already exists")

// Backup writes a copy of the database, as it is at one moment, to a file, while others read and write. The file is
// complete or absent; an existing one stays unless replace says otherwise, with ErrBackupExists.
func (s *Store) Backup(ctx context.Context, file string, replace bool) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("backup: %w", err)
		}
	}()
	if _, err := os.Lstat(file); err == nil && !replace {
		return fmt.Errorf("%s: %w", file, ErrBackupExists)
	}
	// SQLite fills an empty file, and leaves its permissions as they are: the owner's.
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.part")
	if err != nil {
		return err
	}
	defer func() {
		part.Close()
		if removed := os.Remove(part.Name()); err == nil && !errors.Is(removed, fs.ErrNotExist) {
			err = removed
		}
	}()
	if _, err := s.db.ExecContext(ctx, `VACUUM INTO ?`, part.Name()); err != nil {
		return err
	}
	if err := renameCopy(ctx, part.Name()); err != nil {
		return err
	}
	if err := part.Sync(); err != nil {
		return err
	}
	if replace {
		err = os.Rename(part.Name(), file)
	} else if err = os.Link(part.Name(), file); errors.Is(err, fs.ErrExist) { // which came meanwhile
		return fmt.Errorf("%s: %w", file, ErrBackupExists)
	} else if err != nil { // a file system without links
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// renameCopy gives a copy a name of its own in the queue. Its new suites get the same numbers as those that the
// database has accepted since, and the coordinator must not confuse their reports.
func renameCopy(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite3", dataSource(path))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, `UPDATE identity SET name = lower(hex(randomblob(8)))`)
	return err
}
