package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"sync"
	"time"
)

// kept is a table with a size limit: the least recently used rows go.
type kept string

const (
	results kept = "results"
	links   kept = "links"
)

// rowOverhead is what a row takes in the file beside its body: its other columns, its
// entries in indexes, and the room left free in pages.
const rowOverhead = 250

// A step of maintenance holds the write lock for milliseconds: it removes at most so
// many rows, or bytes.
const (
	stepRows  = 256
	stepBytes = 1 << 20
	stepPages = 256
)

// sparePages is the least number of free pages: they are soon needed again.
const sparePages = 64

// evictEvery is how many bytes the cache gains between two checks of its size.
const evictEvery = 64 << 10

// usedEvery is how stale the note of a row's last use may be.
const usedEvery = time.Hour

// maxNotes bounds the unwritten records of uses.
const maxNotes = 10_000

// checkpointEvery is the interval between two checkpoints, which copy commits from the write-ahead log into the file.
// SQLite would have some commit do that, whose vote, say, would wait for the disk.
const checkpointEvery = 500 * time.Millisecond

// inspectEvery is the interval between two checks of the whole file, which take a second for each GiB.
const inspectEvery = time.Hour

// tidyEvery is how often Maintain looks for something to do.
const tidyEvery = 10 * time.Second

// maintenance is the work in the background, so that no question waits for it.
type maintenance struct {
	stop  context.CancelFunc // nil: not begun
	ended sync.WaitGroup

	mu    sync.Mutex
	notes map[kept]map[any]bool // ids of used rows
}

// Maintain begins to do, in the background and in small steps until Close, what keeps the file in order, and looks
// whether it still is: it drops the answers of engines older than the current version, which nobody can ask for any
// more, records uses, returns free space to the file system, and passes errors to fault. Call it once.
func (s *Store) Maintain(current func(engine string) int, fault func(error)) {
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	report := func(err error) {
		if err != nil && ctx.Err() == nil {
			fault(err)
		}
	}
	s.ended.Go(func() {
		tick := time.NewTicker(checkpointEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				report(s.checkpoint(ctx))
			}
		}
	})
	s.ended.Go(func() {
		tick := time.NewTicker(inspectEvery)
		defer tick.Stop()
		for {
			report(s.inspect(ctx))
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
	s.ended.Go(func() {
		tick := time.NewTicker(tidyEvery)
		defer tick.Stop()
		report(s.DropStale(ctx, current))
		for {
			report(s.tidy(ctx))
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
}

// checkpoint copies as much as it can without making anybody wait.
func (s *Store) checkpoint(ctx context.Context) error {
	if s.path == "" {
		return nil
	}
	rows, err := s.db.QueryContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

// endMaintenance waits until Maintain has ended, and writes down the last uses.
func (s *Store) endMaintenance() {
	if s.stop == nil {
		return
	}
	s.stop()
	s.ended.Wait()
	_ = s.writeUses(context.Background()) // they are a hint
}

// DropStale removes the answers of engines older than the current version.
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
		err := steps(ctx, func() (more bool, err error) {
			return s.remove(ctx, "results WHERE id", `SELECT id, bytes FROM results WHERE engine = ? AND version < ?`,
				0, e, current(e))
		})
		if err != nil {
			return fmt.Errorf("result cache: %w", err)
		}
	}
	return nil
}

// tidy does all else that there is to do.
func (s *Store) tidy(ctx context.Context) error {
	if err := s.writeUses(context.WithoutCancel(ctx)); err != nil { // otherwise a half-finished write would be lost
		return err
	}
	for _, k := range []kept{results, links} {
		err := steps(ctx, func() (more bool, err error) {
			return s.evict(ctx, k)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", k, err)
		}
	}
	if err := steps(ctx, func() (more bool, err error) { return s.sweepRooms(ctx) }); err != nil {
		return err
	}
	if err := s.release(ctx); err != nil {
		return fmt.Errorf("release free pages: %w", err)
	}
	return nil
}

// steps repeats a step until there is no more to do, and leaves as much time to others as it takes.
func steps(ctx context.Context, step func() (more bool, err error)) error {
	for {
		start := time.Now()
		more, err := step()
		if err != nil || !more {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Since(start)):
		}
	}
}

// maxBytes is what a table may take.
func (s *Store) maxBytes(k kept) int64 {
	if k == links {
		return s.MaxLinkBytes
	}
	return s.MaxBytes
}

// evict removes some rows of a table that takes more than it may; more says whether it
// still does.
func (s *Store) evict(ctx context.Context, k kept) (more bool, err error) {
	var size int64
	if err := s.db.QueryRowContext(ctx, `SELECT bytes FROM sizes WHERE kept = ?`, k).Scan(&size); err != nil {
		return false, err
	}
	excess := size - s.maxBytes(k)
	if excess <= 0 {
		return false, nil
	}
	return s.remove(ctx, string(k)+" WHERE id", `SELECT id, bytes FROM `+string(k)+` ORDER BY used, rowid`, excess)
}

// remove removes a step's worth of the rows that the query selects, by what distinguishes each in from, with how many
// bytes it has, and no more than make up for the excess, unless that is 0. More says whether there are others to
// remove.
func (s *Store) remove(ctx context.Context, from, query string, excess int64, args ...any) (more bool, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, fmt.Sprintf("%s LIMIT %d", query, stepRows), args...)
		if err != nil {
			return err
		}
		var ids []any
		var total int64
		for rows.Next() && total < stepBytes && (excess == 0 || total < excess) {
			var id any
			var bytes int64
			if err := rows.Scan(&id, &bytes); err != nil {
				rows.Close()
				return err
			}
			ids, total = append(ids, id), total+bytes
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+from+` = ?`, id); err != nil {
				return err
			}
		}
		full := len(ids) == stepRows || total >= stepBytes
		more = full && (excess == 0 || total < excess)
		return nil
	})
	return more, err
}

// noteUse records a use of a row at this time, unless its last record is recent. A hit is a read, and never waits for
// whoever writes.
func (s *Store) noteUse(k kept, id any, last int64) {
	if time.Since(time.Unix(last, 0)) < usedEvery {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.notes == nil {
		s.notes = map[kept]map[any]bool{results: {}, links: {}}
	}
	if len(s.notes[k]) < maxNotes {
		s.notes[k][id] = true
	}
}

// writeUses writes the recorded uses.
func (s *Store) writeUses(ctx context.Context) error {
	s.mu.Lock()
	notes := s.notes
	s.notes = nil
	s.mu.Unlock()
	now := time.Now().Unix()
	for k, ids := range notes {
		var batch []any
		flush := func() error {
			err := s.update(ctx, func(tx *sql.Tx) error {
				for _, id := range batch {
					if _, err := tx.ExecContext(ctx, `UPDATE `+string(k)+` SET used = ? WHERE id = ?`, now,
						id); err != nil {
						return err
					}
				}
				return nil
			})
			batch = batch[:0]
			return err
		}
		for id := range ids {
			if batch = append(batch, id); len(batch) == stepRows {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		if len(batch) > 0 {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// release returns free pages to the file system, except some for the next writes, and shortens the write-ahead log.
func (s *Store) release(ctx context.Context) error {
	c, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	err = steps(ctx, func() (more bool, err error) {
		var all, free int
		if err := c.QueryRowContext(ctx,
			`SELECT page_count, freelist_count FROM pragma_page_count, pragma_freelist_count`).Scan(&all,
			&free); err != nil {
			return false, err
		}
		surplus := free - max(sparePages, all/16)
		if surplus <= 0 {
			return false, nil
		}
		// The statement frees a page with each row that the caller fetches, though it has none.
		rows, err := c.QueryContext(ctx, fmt.Sprintf(`PRAGMA incremental_vacuum(%d)`, min(surplus, stepPages)))
		if err != nil {
			return false, err
		}
		for rows.Next() {
		}
		rows.Close()
		var left int
		if err := c.QueryRowContext(ctx, `SELECT freelist_count FROM pragma_freelist_count`).Scan(&left); err != nil {
			return false, err
		}
		return left < free, rows.Err() // not where the file cannot shrink
	})
	if err != nil || s.path == "" {
		return err
	}
	if log, err := os.Stat(s.path + "-wal"); err != nil || log.Size() < maxLog {
		return nil // there is none, in a database that is nowhere else in use
	}
	// Readers may prevent the shortening of the log for as long as they read; writers must not wait for them meanwhile.
	for _, q := range []string{
		`PRAGMA busy_timeout = 50`, `PRAGMA wal_checkpoint(TRUNCATE)`,
		`PRAGMA busy_timeout = 5000`,
	} {
		rows, err := c.QueryContext(ctx, q)
		if err != nil {
			return err
		}
		for rows.Next() {
		}
		rows.Close()
	}
	return nil
}

// maxLog is the length from which release shortens the write-ahead log.
const maxLog = 16 << 20
