//go:build unix

package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A database has one server, by whatever name that finds its file.
func TestLockIsTheFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.db")
	first, err := OpenAlone(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	hard, soft := filepath.Join(dir, "hard.db"), filepath.Join(dir, "soft.db")
	if err := os.Link(path, hard); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, soft); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, hard, soft} {
		if _, err := OpenAlone(t.Context(), name); err == nil ||
			!strings.HasPrefix(err.Error(), name+": another server uses this database") {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
	open(t, path) // others may use it
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := OpenAlone(t.Context(), soft)
	if err != nil {
		t.Fatalf("once its server has ended: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}
