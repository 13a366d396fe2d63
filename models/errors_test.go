package models_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
)

// The parser reports all errors of a model at once, each at its place, and none that follows from another. A folder's
// first file is the model.
func TestAllErrorsAtOnce(t *testing.T) {
	paths, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, p := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(p), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(p)
			if err != nil {
				t.Fatal(err)
			}
			files, want := map[string]string{}, ""
			for _, f := range a.Files {
				if files[f.Name] = string(f.Data); f.Name == "errors" {
					want = string(f.Data)
				}
			}
			main := a.Files[0]
			included, _ := models.Includes(main.Name, string(main.Data), func(name string) (string, error) {
				if text, ok := files[name]; ok {
					return text, nil
				}
				return "", fs.ErrNotExist
			})
			_, err = models.ParseWith(main.Name, string(main.Data), included, dialect.Vocabulary())
			got := ""
			if err != nil {
				got = err.Error() + "\n"
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
