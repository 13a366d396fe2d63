package models

import (
	"strings"

	"litmuscope/models/cat"
)

// Texts are the texts of a built-in model or a file of the library: first its own, then what
// it includes in the order of their inclusion, and last what every model includes. There are
// none by other names.
func Texts(name string) ([]File, bool) {
	file := strings.ToLower(name)
	if _, builtin := builtins[file]; builtin {
		file += ".cat"
	} else if !IsLibrary(name) {
		return nil, false
	} else {
		file = name
	}
	main, err := library(file)
	if err != nil {
		return nil, false
	}
	out := []File{{strings.TrimSuffix(file, ".cat"), main}}
	if file == name {
		out[0].Name = file
	}
	seen := map[string]bool{prelude: true, out[0].Name: true}
	for i := 0; i < len(out); i++ {
		f, _ := cat.Parse(out[i].Name, out[i].Text)
		for _, included := range f.Includes() {
			if text, err := library(included); err == nil && !seen[included] {
				seen[included] = true
				out = append(out, File{included, text})
			}
		}
	}
	if out[0].Name != prelude {
		if text, err := library(prelude); err == nil {
			out = append(out, File{prelude, text})
		}
	}
	return out, true
}

// IsLibrary tells whether a file of a name is the library's, which every model may include.
func IsLibrary(name string) bool {
	if !strings.HasSuffix(name, ".cat") {
		return false
	}
	_, err := library(name)
	return err == nil
}
