// Package library has the texts of the built-in models and of the files that every model may include: one file of
// this folder each, embedded. [Text] returns a file, [Files] lists those that a model may name, and [Words] the names
// that every model may use. Package models parses them.
//
// It imports models/cat alone.
package library

import (
	"embed"
	"errors"
	"slices"
	"strings"

	"litmuscope/models/cat"
)

// Prelude is the file that every model includes by itself.
const Prelude = "stdlib.cat"

//go:embed *.cat
var embedded embed.FS

// Text returns the text of a file.
func Text(name string) (string, error) {
	text, err := embedded.ReadFile(name)
	if err != nil {
		return "", errors.New("the library has no such file")
	}
	return string(text), nil
}

// Has reports whether the library has a file of this name, which every model may include.
func Has(name string) bool {
	if !strings.HasSuffix(name, ".cat") {
		return false
	}
	_, err := Text(name)
	return err == nil
}

// Words lists the names that every model may use, without tags, for editors: the names of the language and those that
// the prelude defines.
func Words() []cat.Word {
	text, err := Text(Prelude)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	defined, err := cat.Definitions(Prelude, text)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return append(cat.Words(), defined...)
}

// File is a file of the library, which models may include.
type File struct{ Name, Text string }

// Files lists the library by name, without the prelude.
func Files() []File {
	return slices.DeleteFunc(All(), func(f File) bool { return f.Name == Prelude })
}

// All lists the library by name.
func All() []File {
	entries, err := embedded.ReadDir(".")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	var out []File
	for _, e := range entries {
		text, err := Text(e.Name())
		if err != nil {
			panic("BUG: " + err.Error())
		}
		out = append(out, File{e.Name(), text})
	}
	return out
}

// WithIncluded lists a file and those that it includes, in the order of inclusion, and last the prelude.
func WithIncluded(name string) ([]File, error) {
	main, err := Text(name)
	if err != nil {
		return nil, err
	}
	out := []File{{name, main}}
	seen := map[string]bool{Prelude: true, name: true}
	for i := 0; i < len(out); i++ {
		f, _ := cat.Parse(out[i].Name, out[i].Text)
		for _, included := range f.Includes() {
			if text, err := Text(included); err == nil && !seen[included] {
				seen[included] = true
				out = append(out, File{included, text})
			}
		}
	}
	if name != Prelude {
		if text, err := Text(Prelude); err == nil {
			out = append(out, File{Prelude, text})
		}
	}
	return out, nil
}
