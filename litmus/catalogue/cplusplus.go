package catalogue

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

// CPlusPlusBuild is a C++ program of the catalogue with some macros defined, and the verdicts for it. The programs lie
// in the folder cpp.
type CPlusPlusBuild struct {
	Build
	Program  string
	Property string // properties joined by +, or "" for those that verify checks without --property
	Twin     string // the program of [Programs] that does the same with the same macros, or ""
}

//go:embed cpp/verdicts.txt
var cPlusPlusFiles embed.FS

// CPlusPlus returns the builds of the C++ programs, by program. The caller must not change them.
func CPlusPlus() []CPlusPlusBuild { return cPlusPlus() }

var cPlusPlus = sync.OnceValue(func() (all []CPlusPlusBuild) {
	var models []string
	for n, line := range numberedIn(cPlusPlusFiles, "cpp/verdicts.txt") {
		fail := func(what string) { panic(fmt.Sprintf("BUG: cpp/verdicts.txt:%d: %s", n, what)) }
		f := strings.Fields(line)
		if f[0] == "models" {
			models = f[1:]
			continue
		}
		if len(f) <= len(models) {
			fail(fmt.Sprintf("want a program and a verdict for each of %d models", len(models)))
		}
		b := CPlusPlusBuild{Program: f[0]}
		var how []string
		for _, word := range f[1 : len(f)-len(models)] {
			if property, ok := strings.CutPrefix(word, "property="); ok {
				b.Property = property
			} else if twin, ok := strings.CutPrefix(word, "twin="); ok {
				b.Twin = twin
			} else if word == "twin" {
				b.Twin = b.Program
			} else {
				how = append(how, word)
			}
		}
		var err error
		if b.Build, err = build(how, models, f[len(f)-len(models):]); err != nil {
			fail(err.Error())
		}
		all = append(all, b)
	}
	return all
})
