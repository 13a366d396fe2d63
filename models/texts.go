package models

import (
	"strings"

	"litmuscope/models/library"
)

// Texts are the texts of a built-in model or a file of the library: first its own, then what
// it includes in the order of their inclusion, and last what every model includes. There are
// none by other names.
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
