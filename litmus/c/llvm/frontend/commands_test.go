package frontend

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The flags of a file in a compilation database are those that change the program, and the others are left out.
func TestRecorded(t *testing.T) {
	dir := t.TempDir()
	database := filepath.Join(dir, "compile_commands.json")
	text := `[{"directory": "build", "file": "../queue.cpp",
  "command": "c++ -c -O2 -Wall '-DNAME=\"a b\"' -D SIZE=2 -I../include -isystem /opt/x -std=c++17 -o q.o ../queue.cpp"},
 {"directory": "/", "file": "/other.cpp", "arguments": ["cc", "-DX"]}]`
	if err := os.WriteFile(database, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Recorded(database, filepath.Join(dir, "queue.cpp"))
	want := []string{
		"-O2", `-DNAME="a b"`, "-DSIZE=2", "-I" + filepath.Join(dir, "include"), "-isystem", "/opt/x", "-std=c++17",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := Recorded(database, "absent.cpp"); err == nil || !strings.Contains(err.Error(), "has no command for") {
		t.Errorf("a file without a command: %v", err)
	}
}
