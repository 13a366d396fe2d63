package store

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"litmuscope/solver"
)

func open(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestReopen(t *testing.T) {
	// Characters that mean something in a URI are plain ones in a path.
	path := filepath.Join(t.TempDir(), "a%41 ?#.db")
	s := open(t, path)
	id, err := s.SaveLink(t.Context(), Link{Source: "X86 SB"})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	if l, err := open(t, path).Link(t.Context(), id); err != nil || l.Source != "X86 SB" {
		t.Errorf("got %v, %v", l, err)
	}
}

func TestOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			s, err := Open(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	group.Wait()
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	change := func(name, statement string) string {
		path := filepath.Join(dir, name)
		db, err := sql.Open("sqlite3", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		return path
	}
	open(t, filepath.Join(dir, "newer.db")).Close()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 100)), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		change("newer.db", "PRAGMA user_version = 99"): "newer version of litmuscope",
		change("other.db", "CREATE TABLE albums (a)"):  "another program",
		text:                                  "not a database",
		filepath.Join(dir, "nowhere", "l.db"): "unable to open the database: no such file",
		dir:                                   "is a directory",
		change("under.db", "PRAGMA user_version = -1"): "the file is damaged",
	} {
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: error %q, want %q", path, err, want)
		}
	}
}

// Open passes on the system's error for a file.
func TestForbiddenFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "l.db")
	open(t, path).Close()
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	// Root may do all; this thread stands back for as long as it takes.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if os.Geteuid() == 0 {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := syscall.Setfsuid(0); err != nil {
				t.Fatal(err)
			}
		}()
	}
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("error %v", err)
	}
	if _, err := Open(t.Context(), "/proc/version"); err == nil || !strings.Contains(err.Error(), "denied") {
		t.Errorf("error %v", err)
	}
}

func TestFilesAreTheOwners(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l.db")
	s := open(t, path)
	if _, err := s.SaveLink(t.Context(), Link{Source: "X86 SB"}); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(path + end); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", end, info, err)
		}
	}
}

func TestSettings(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "l.db"))
	var mode string
	var keys, busy int
	err := s.db.QueryRow(`SELECT journal_mode, foreign_keys, timeout
		FROM pragma_journal_mode, pragma_foreign_keys, pragma_busy_timeout`).Scan(&mode, &keys, &busy)
	if err != nil || mode != "wal" || keys != 1 || busy != 5000 {
		t.Error(mode, keys, busy, err)
	}
}

// The file survives the death of a writer at any moment: this process starts itself as the writer, kills it, and reads
// what it said it had written.
func TestKilled(t *testing.T) {
	const env = "LITMUSCOPE_TEST_WRITE"
	if path := os.Getenv(env); path != "" {
		writeForever(path)
	}
	path := filepath.Join(t.TempDir(), "l.db")
	for round := range 6 {
		c := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		c.Env = append(os.Environ(), env+"="+path)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		said := bufio.NewReader(out)
		first := ""
		if round%2 == 1 { // else the kill may come before it has the file open
			if first, err = said.ReadString('\n'); err != nil {
				t.Fatal("the writer never wrote: ", err)
			}
		}
		time.Sleep(time.Duration(150+37*round) * time.Millisecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		rest, _ := io.ReadAll(said)
		_ = c.Wait() // it was killed

		s, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		var sound string
		if err := s.db.QueryRow("PRAGMA integrity_check").Scan(&sound); err != nil || sound != "ok" {
			t.Fatalf("integrity check: %s, %v", sound, err)
		}
		lines := strings.SplitAfter(first+string(rest), "\n")
		lines = lines[:len(lines)-1] // the last one may be incomplete
		for _, l := range lines {
			name := strings.TrimSpace(l)
			r, ok, err := answer(t, s, keyed(name, 1), false)
			if err != nil || !ok || r.Name != name {
				t.Fatalf("round %d: lost %q: %v", round, name, err)
			}
		}
		s.Close()
	}
}

func writeForever(path string) {
	ctx := context.Background()
	s, err := Open(ctx, path)
	for i := 0; err == nil; i++ {
		name := fmt.Sprintf("test-%d-%d", os.Getpid(), i)
		err = s.PutAnswer(ctx, keyed(name, 1), false, &solver.Result{
			Name: name, Status: solver.OK, Reason: strings.Repeat("padding ", i%2000),
		})
		fmt.Println(name)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
