package models

import (
	"strings"

	"litmuscope/models/library"
)

// Texts returns the texts of a built-in model or a library file: first its own, then the files that it includes, in the
// order of inclusion, and last the prelude. It returns false for other names.
func Texts(name string) ([]library.File, bool) {
	file, title := strings.ToLower(name), strings.ToLower(name)
	if _, builtin := builtins[file]; builtin {
		file += ".cat"
	} else if !library.Has(name) {
		return nil, false
	} else {
		file, title = name, name
	}
	out, err := library.WithIncluded(file)
	if err != nil {
		return nil, false
	}
	out[0].Name = title
	return out, true
}
