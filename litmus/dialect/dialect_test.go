package dialect

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/litmus"
)

// corpus is the folder of the reference tests; tests that read it are left out,
// and say so, where there is none.
func corpus(t *testing.T) string {
	dir := os.Getenv("LITMUSCOPE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no corpus at %s (set LITMUSCOPE_CORPUS)", dir)
	}
	return dir
}

func TestCorpusLowers(t *testing.T) {
	for _, arch := range []string{"x86", "x86_64", "scaling"} {
		err := filepath.WalkDir(filepath.Join(corpus(t), arch), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".litmus") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			p, err := Parse(path, string(text))
			if err != nil {
				t.Error(err)
				return nil
			}
			litmus.Unroll(p, 2, true)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
