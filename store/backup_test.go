package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"litmuscope/solver"
)

// A backup while somebody writes is a sound database with all that was there before.
func TestBackup(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "l.db"))
	put := func(ctx context.Context, name string) {
		if err := s.PutAnswer(ctx, keyed(name, 1), false, &solver.Result{Status: solver.OK, Name: name}); err != nil &&
			ctx.Err() == nil {
			t.Error(err)
		}
	}
	id, err := s.SaveLink(t.Context(), Link{Source: "X86 SB"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		put(t.Context(), fmt.Sprint("before ", i))
	}
	writing, stop := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; writing.Err() == nil; i++ {
			put(writing, fmt.Sprint("meanwhile ", i))
		}
	})
	file := filepath.Join(dir, "backup.db")
	if err := s.Backup(t.Context(), file, false); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), file, false); !errors.Is(err, ErrBackupExists) {
		t.Errorf("over another file: %v", err)
	}
	if err := s.Backup(t.Context(), file, true); err != nil {
		t.Fatal(err)
	}
	stop()
	writer.Wait()
	if left, err := filepath.Glob(filepath.Join(dir, "*.part*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := s.Backup(t.Context(), filepath.Join(dir, "nowhere", "b.db"), false); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("into no folder: %v", err)
	}

	b := open(t, file)
	was, err := s.Identity(t.Context())
	if is, err1 := b.Identity(t.Context()); err != nil || err1 != nil || is == was || len(is) != len(was) {
		t.Errorf("the copy of %s calls itself %s in the queue: %v, %v", was, is, err, err1)
	}
	var sound string
	var shrinks int
	if err := b.db.QueryRow("SELECT integrity_check, auto_vacuum FROM pragma_integrity_check, pragma_auto_vacuum").Scan(
		&sound, &shrinks); err != nil || sound != "ok" || shrinks != 2 {
		t.Error(sound, shrinks, err)
	}
	if l, err := b.Link(t.Context(), id); err != nil || l.Source != "X86 SB" {
		t.Error(l, err)
	}
	for i := range 500 {
		if r, ok, err := answer(t, b, keyed(fmt.Sprint("before ", i), 1), false); !ok || err != nil || r.Name == "" {
			t.Fatal(i, ok, err)
		}
	}
}
