package models

import (
	"slices"
	"strings"

	"litmuscope/models/cat"
)

// Words lists the names that every model may use but for tags, for those who write one:
// the language's own and what the prelude defines.
func Words() []cat.Word {
	text, err := library(prelude)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	defined, err := cat.Definitions(prelude, text)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return append(cat.Words(), defined...)
}

// File is one of the library, which models may include.
type File struct{ Name, Text string }

// Files lists the library by name, but for what every model includes by itself.
func Files() []File {
	entries, err := embedded.ReadDir("library")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	var out []File
	for _, e := range entries {
		text, err := library(e.Name())
		if err != nil {
			panic("BUG: " + err.Error())
		}
		if strings.HasSuffix(e.Name(), ".cat") && e.Name() != prelude {
			out = append(out, File{e.Name(), text})
		}
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return out
}
