package dialecttest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the results as expected; then read the difference")

// Updating reports whether tests write their results as the expected ones.
func Updating() bool { return *update }

// Golden runs f on each .litmus file of an archive in testdata, and compares the result with the .want file after it.
func Golden(t *testing.T, archive string, f func(t *testing.T, file, source string) string) {
	path := filepath.Join("testdata", archive)
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range a.Files {
		name, isTest := strings.CutSuffix(file.Name, ".litmus")
		if !isTest {
			continue
		}
		if i+1 == len(a.Files) || a.Files[i+1].Name != name+".want" {
			t.Fatalf("%s: want %s.want behind %s", path, name, file.Name)
		}
		want := &a.Files[i+1].Data
		t.Run(name, func(t *testing.T) {
			got := f(t, file.Name, string(file.Data))
			if *update {
				*want = []byte(got)
			} else if got != string(*want) {
				t.Errorf("%s\ngot\n%s\nwant\n%s", file.Data, got, *want)
			}
		})
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
