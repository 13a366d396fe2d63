package web_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Whatever signs pages have are among those that their typefaces are cut down to.
func TestTypefacesHaveEverySign(t *testing.T) {
	const home = "../static/src/typefaces.mjs"
	script, err := os.ReadFile(home)
	if err != nil {
		t.Fatal(err)
	}
	signs := regexp.MustCompile(`const signs = "(.*)";`).FindStringSubmatch(string(script))
	if signs == nil {
		t.Fatalf("%s names no signs", home)
	}
	read := 0
	missing := map[rune]string{}
	for _, root := range []string{".", "../static/src", "../litmus", "../models", "../solver"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir():
				if d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == "typefaces" {
					return fs.SkipDir
				}
				return nil
			case strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go") ||
				!strings.Contains(".go.templ.js.css.md.txt.cat.litmus.c.", filepath.Ext(path)+"."):
				return nil
			}
			text, err := os.ReadFile(path)
			read++
			for _, r := range string(text) {
				if r > '~' && r != '⌘' && !strings.ContainsRune(signs[1], r) { // see there for the command key's
					missing[r] = path
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if read < 500 {
		t.Errorf("only %d files were read", read)
	}
	for r, path := range missing {
		t.Errorf("%s has %q, which %s does not name: run task assets once it does", path, r, home)
	}
}
