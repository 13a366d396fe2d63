package litmus_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"litmuscope/litmus"
)

// seeds adds the tests of testdata and of the catalogue to a fuzz target.
func seeds(f *testing.F) {
	f.Helper()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if strings.HasSuffix(file.Name, ".litmus") {
				f.Add(string(file.Data))
			}
		}
	}
	err = fs.WalkDir(os.DirFS("catalogue/tests"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".litmus") {
			return err
		}
		text, err := os.ReadFile(filepath.Join("catalogue/tests", path))
		f.Add(string(text))
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
}

// FuzzParse: Parse refuses with a place or gives a test that Print writes and
// Parse reads back.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, source string) {
		test, err := litmus.Parse("t", source)
		if _, all := litmus.ParseAll("t", source); (len(all) == 0) != (err == nil) || err != nil &&
			*all[0] != *litmus.Errors(err)[0] {
			t.Errorf("Parse says %v, ParseAll %v, of\n%s", err, all, source)
		}
		if err == nil {
			checkPrint(t, test)
			return
		}
		for _, e := range litmus.Errors(err) {
			if e.Pos.Line < 1 || e.Pos.Col < 1 || e.Msg == "" {
				t.Errorf("%v of\n%s", err, source)
			}
		}
	})
}
