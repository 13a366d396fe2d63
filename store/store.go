// Package store keeps data in one SQLite file: the cache of results, permalinks, tokens, suites and their rows, what
// machines have shown of tests, what students of courses hand in, and, for a day, classes. [Open] opens a [Store],
// [OpenAlone] one that no other process may use. It implements batch.Cache, suites.Ledger and the other interfaces of
// the packages that need storage.
//
//	s, err := store.Open(ctx, "litmuscope.db")
//	s.Maintain(…)
//	runner := &batch.Cached{Runner: pool, Cache: s}
//
// The cache and the permalinks have limits in bytes of the file, approximately. [Store.Maintain] enforces them a few
// rows at a time, so that no request waits. The file is in write-ahead mode: a process may die at any moment and loses
// only what it has not committed, and several processes may use the file at once. The numbered files in migrations
// define the schema; the store applies each once, in one transaction.
//
// It imports solver and solver/suites, and alone imports SQLite.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Store is an open database. Many goroutines may use it.
type Store struct {
	// MaxBytes bounds the result cache: beyond it, the least recently used answers go. Set it before the first use of
	// the store.
	MaxBytes int64
	// MaxAnswer bounds an answer, in bytes of its JSON form, of which reading takes some times as much memory: the
	// store neither accepts nor finds larger ones.
	MaxAnswer int64
	// MaxLinkBytes bounds permalinks alike.
	MaxLinkBytes int64
	// MaxRooms bounds classrooms. The store keeps an unused one for KeepRoom.
	MaxRooms int
	KeepRoom time.Duration

	leastFree int64 // bytes of the disk, for Ping to call it well
	db        *sql.DB
	writing   chan struct{}         // holds something while a goroutine writes
	path      string                // of the file; "" where there is none
	failed    atomic.Pointer[error] // of the last failed write, unless a later one succeeded
	locked    *os.File              // the file, by which OpenAlone has locked it; nil: it has not
	written   atomic.Int64          // bytes put into the cache since its size was last looked at
	maintenance
}

// DefaultMaxBytes is the size of the result cache unless MaxBytes says otherwise.
const DefaultMaxBytes = 1 << 30

// applicationID marks a database file as ours, in SQLite's own header field.
const applicationID = 0x6c69746d // "litm"

// memory is the path of a database that is in no file.
const memory = ":memory:"

// Open opens the database file at path, made when there is none, and brings its schema up to date. ":memory:" is a
// database that ends with its Store. Open rejects a file of another program, or of a newer version of this one.
func Open(ctx context.Context, path string) (*Store, error) {
	if path != memory {
		if err := create(path); err != nil {
			return nil, err
		}
	}
	const settings = "?_foreign_keys=on&_journal_mode=WAL&_busy_timeout=5000&_txlock=immediate&_auto_vacuum=incremental"
	db, err := sql.Open("sqlite3", dataSource(path)+settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if path == memory {
		// Each connection would have a database of its own.
		db.SetMaxOpenConns(1)
	} else {
		db.SetMaxOpenConns(8)
		db.SetMaxIdleConns(8)
	}
	s := &Store{
		MaxBytes: DefaultMaxBytes, MaxAnswer: DefaultMaxAnswer, MaxLinkBytes: DefaultMaxLinkBytes,
		MaxRooms: DefaultMaxRooms, KeepRoom: DefaultKeepRoom, leastFree: defaultLeastFree, db: db,
		writing: make(chan struct{}, 1),
	}
	if err := s.begin(ctx); err != nil {
		db.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if path != memory {
		s.path = path
		if err := s.makeShrinkable(ctx); err != nil {
			db.Close()
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return s, nil
}

// longestBusy is how long a database may be locked by others.
const longestBusy = 5 * time.Second

// begin brings the schema up to date. The first connection to a new file sets its journal mode, and SQLite does not
// wait for the locks of others who do the same: it asks again.
func (s *Store) begin(ctx context.Context) error {
	patient, stop := context.WithTimeout(ctx, longestBusy)
	defer stop()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		err := s.migrate(ctx)
		if kindOf(err) != busy {
			return err
		}
		select {
		case <-time.After(pause):
		case <-patient.Done():
			return err
		}
	}
}

// makeShrinkable rewrites a file of earlier versions, once, in the form that can return free space. Where somebody else
// uses it, that is for another time.
func (s *Store) makeShrinkable(ctx context.Context) error {
	var mode int
	if err := s.db.QueryRowContext(ctx, `SELECT auto_vacuum FROM pragma_auto_vacuum`).Scan(&mode); err != nil ||
		mode != 0 {
		return err
	}
	_, err := s.db.ExecContext(ctx, `VACUUM`)
	if kindOf(err) == busy {
		return nil
	}
	return err
}

// dataSource is a path as the driver takes it.
func dataSource(path string) string {
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
}

// create makes sure that the database file exists, with read permission for its owner alone: SQLite's other files get
// the permissions of the file itself. And the system's own error describes best what is wrong with a path.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		var e *fs.PathError
		if errors.As(err, &e) {
			return fmt.Errorf("%s: unable to open the database: %w", path, e.Err)
		}
		return err
	}
	return f.Close()
}

// Identity is a name of the database, which no other has.
func (s *Store) Identity(ctx context.Context) (name string, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT name FROM identity`).Scan(&name)
	return name, err
}

// Close ends the use of the database.
func (s *Store) Close() error {
	s.endMaintenance()
	err := s.db.Close()
	if s.locked != nil {
		_ = s.locked.Close() // nothing wrote through it
	}
	return err
}

//go:embed migrations/*.sql
var migrations embed.FS

// migrate applies the migrations that the database has not seen. The number of
// the last one is in its user_version.
func (s *Store) migrate(ctx context.Context) error {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for done := false; !done; {
		err := s.update(ctx, func(tx *sql.Tx) error {
			version, err := schemaVersion(ctx, tx)
			switch {
			case err != nil:
				return err
			case version < 0:
				return fmt.Errorf("the database has schema %d, which no version of litmuscope writes: the file "+
					"is damaged",
					version)
			case version > len(files):
				return fmt.Errorf("the database has schema %d, but this program knows only %d: it was written "+
					"by a newer "+
					"version of litmuscope",
					version, len(files))
			case version == len(files):
				done = true
				return nil
			}
			return apply(ctx, tx, files[version], version+1)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func schemaVersion(ctx context.Context, tx *sql.Tx) (int, error) {
	var version, app, tables int
	err := tx.QueryRowContext(ctx, `SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_user_version, pragma_application_id`).Scan(&version, &app, &tables)
	if err != nil {
		return 0, err
	}
	if app != applicationID && (app != 0 || tables > 0) {
		return 0, fmt.Errorf("the file is the database of another program")
	}
	return version, nil
}

func apply(ctx context.Context, tx *sql.Tx, file string, number int) error {
	text, err := migrations.ReadFile(file)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(file, fmt.Sprintf("migrations/%04d_", number)) {
		return fmt.Errorf("BUG: %s is not migration %d", file, number)
	}
	for _, sql := range []string{
		string(text),
		"PRAGMA application_id = " + strconv.Itoa(applicationID),
		"PRAGMA user_version = " + strconv.Itoa(number),
	} {
		if _, err := tx.ExecContext(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// update runs f in one transaction, which holds the write lock from its start.
func (s *Store) update(ctx context.Context, f func(*sql.Tx) error) error {
	done, err := s.turn(ctx)
	if err != nil {
		return err
	}
	defer done()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.wrote(err)
	}
	defer func() { _ = tx.Rollback() }() // nothing to undo once committed
	if err := f(tx); err != nil {
		return s.wrote(err)
	}
	return s.wrote(tx.Commit())
}

// exec changes something in a transaction of its own.
func (s *Store) exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	done, err := s.turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	r, err := s.db.ExecContext(ctx, query, args...)
	return r, s.wrote(err)
}

// turn waits until no other goroutine of this process writes. SQLite has those that find
// its lock taken look again after longer and longer pauses, while others pass them.
func (s *Store) turn(ctx context.Context) (done func(), err error) {
	select {
	case s.writing <- struct{}{}:
		return func() { <-s.writing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
