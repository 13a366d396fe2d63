package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// collect returns the texts of the files below a folder, in the order of their paths and places.
func collect(root string) ([]text, error) {
	var all []text
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && name != root || slices.Contains(noTexts, d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		name, err = filepath.Rel(root, name)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		read := reader(name)
		if read == nil {
			return nil
		}
		source, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		texts, err := read(name, source)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, texts...)
		return nil
	})
	return all, err
}

// noTexts are folders without the program's own texts: tests, bundles, and files of other authors.
var noTexts = []string{"testdata", "node_modules", "dist", "words", "webtest", "tests"}

// reader returns the function that reads the texts of a file, or nil if such files have none.
func reader(name string) func(string, []byte) ([]text, error) {
	switch base := path.Base(name); {
	case strings.HasSuffix(base, ".templ"):
		return ofTemplate
	case strings.HasSuffix(base, "_templ.go"), strings.HasSuffix(base, "_test.go"),
		strings.HasSuffix(path.Dir(name), "test"):
		return nil
	case strings.HasSuffix(base, ".go"):
		return ofGo
	case strings.HasPrefix(name, "static/src/") && strings.HasSuffix(base, ".js"):
		return ofScript
	case base == "glossary.txt":
		return ofGlossary
	}
	return nil
}

// code are signs that a string is not for people: languages, addresses, patterns and layouts of time.
var code = regexp.MustCompile(
	`(?i)^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|BEGIN|WITH)\b.*\b(FROM|INTO|SET|TABLE|INDEX|ON|AS)\b` +
		`|^[#/.]?[\w-]+/[\w./-]*$|\(\?[:i]|^<[a-z!/]|[{};]\s*\n|^\s*#(include|define|if)|=> ?\{|function ?\(`)

// words reports whether a string has two words or more and is not code.
func words(s string) bool {
	n := 0
	for _, f := range strings.Fields(s) {
		letters := strings.TrimFunc(f, func(r rune) bool { return !unicode.IsLetter(r) })
		if len([]rune(letters)) >= 2 && strings.ToUpper(letters) != letters &&
			!strings.ContainsAny(letters, "_=$<>{}[]()|\\") {
			n++
		}
	}
	return n >= 2 && !code.MatchString(s)
}

// places matches verbs of fmt, which values replace.
var places = regexp.MustCompile(`%[-+# 0]*(\[\d+\])?[\d*]*(\.[\d*]*)?[a-zA-Z]`)

// withoutVerbs returns a format with … for each verb.
func withoutVerbs(s string) string {
	return strings.ReplaceAll(places.ReplaceAllString(s, "…"), "%%", "%")
}

// ofGlossary returns the lines of the glossary's terms unchanged.
func ofGlossary(name string, source []byte) ([]text, error) {
	var out []text
	for i, line := range bytes.Split(source, []byte("\n")) {
		if s := strings.TrimSpace(string(line)); s != "" && !strings.HasPrefix(s, "#") {
			out = append(out, text{name, i + 1, s})
		}
	}
	return out, nil
}
