package store

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/solver"
)

// An error says that a full disk rejected the write, here at SQLite's own bound on the file. Existing data stays
// readable, and the store is well again after the first successful write.
func TestFullDisk(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "l.db"))
	s.db.SetMaxOpenConns(1) // the bound is a connection's
	room := newRoom(t, s, "ABCDEF")
	if err := s.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec(`PRAGMA max_page_count = 1`); err != nil { // the current number of pages
		t.Fatal(err)
	}
	large := RoomItem{Body: make([]byte, 1<<20), State: []byte("{}")}
	if err := s.AddRoomItems(t.Context(), room.Number, []byte("{}"), 0, []RoomItem{large}); !errors.Is(err, ErrFull) {
		t.Errorf("a class's question: %v", err)
	}
	if _, err := s.SaveLink(t.Context(),
		Link{Source: string(incompressible(1 << 15)), Options: solver.DefaultOptions()}); !errors.Is(err, ErrFull) {
		t.Errorf("a permalink: %v", err)
	}
	if s.failed.Load() == nil {
		t.Error("nothing is noted of it")
	}
	if _, err := s.RoomByCode(t.Context(), "ABCDEF"); err != nil {
		t.Error(err)
	}
	if err := s.Ping(t.Context()); err != nil || s.failed.Load() != nil {
		t.Errorf("when what takes no more room is kept: %v", err)
	}
	s.leastFree = math.MaxInt64
	if err := s.Ping(t.Context()); !errors.Is(err, ErrFull) {
		t.Errorf("with less left than there is to be: %v", err)
	}
}

func incompressible(n int) []byte {
	out, x := make([]byte, n), uint32(1)
	for i := range out {
		x = x*1664525 + 1013904223
		out[i] = ' ' + byte(x>>24)%95
	}
	return out
}

// A corrupt database is not well again because another part of it accepts writes.
func TestCorruptPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	s := open(t, path)
	newRoom(t, s, "ABCDEF")
	var page, size int64
	if err := s.db.QueryRow(
		`SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = 'rooms'`).Scan(&page,
		&size); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("this is no page of a database"), (page-1)*size); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	if err := s.CreateRoom(t.Context(),
		&Room{Code: "GHIJKL", Secret: []byte("2"), State: []byte("{}")}); kindOf(err) != corrupt {
		t.Fatal(err)
	}
	if _, err := s.SaveLink(t.Context(), Link{Source: "X86 SB", Options: solver.DefaultOptions()}); err != nil {
		t.Error(err)
	}
	if err := s.Ping(t.Context()); kindOf(err) != corrupt {
		t.Errorf("it is said to be well: %v", err)
	}
}

// The check finds a damaged page, wherever it is.
func TestDamagedPagesAreFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "db")
	s := open(t, path)
	for n := range 20 {
		if _, err := s.SaveLink(t.Context(), Link{Source: strings.Repeat("abcdefg", 100*n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	if sound[16] != page>>8 {
		t.Fatal("pages are not what this test takes them for")
	}
	found := 0
	for at := 2 * page; at < len(sound); at += page {
		// opening checks the schema, and the map of pages
		spoilt := append([]byte{}, sound...)
		for i := range 64 {
			spoilt[at+i] ^= 0xa5
		}
		damaged := filepath.Join(t.TempDir(), "damaged")
		if err := os.WriteFile(damaged, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Open(t.Context(), damaged)
		if err != nil {
			found++
			continue
		}
		if err := d.inspect(t.Context()); errors.Is(err, ErrDamaged) {
			if found++; !errors.Is(d.Ping(t.Context()), ErrDamaged) {
				t.Errorf("page %d is found damaged, and all is well", at/page)
			}
		} else {
			t.Errorf("page %d of %d is damaged, and is not found: %v", at/page, len(sound)/page, err)
		}
		_ = d.Close()
	}
	if found < 10 {
		t.Errorf("%d pages were tried", found)
	}
}
