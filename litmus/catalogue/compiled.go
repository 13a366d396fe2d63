package catalogue

import (
	"embed"
	"fmt"
	"strings"
	"sync"
)

// CompiledBuild is a program of the catalogue in C++ or Rust, with some macros defined, and the verdicts for it. The
// programs lie in the folders cpp and rust. In Rust, the macros are the names of --cfg.
type CompiledBuild struct {
	Build
	Program  string
	File     string // the name of its file
	Source   string
	Property string // properties joined by +, or "" for those that verify checks without --property
	Twin     string // the program of [Programs] that does the same with the same macros, or ""
}

//go:embed cpp/verdicts.txt cpp/*.cpp rust/verdicts.txt rust/*.rs
var compiledFiles embed.FS

// CPlusPlus returns the builds of the C++ programs, by program. The caller must not change them.
func CPlusPlus() []CompiledBuild { return cPlusPlus() }

// Rust returns the builds of the programs in Rust, by program. The caller must not change them.
func Rust() []CompiledBuild { return rust() }

var (
	cPlusPlus = sync.OnceValue(func() []CompiledBuild { return compiledBuilds("cpp", ".cpp") })
	rust      = sync.OnceValue(func() []CompiledBuild { return compiledBuilds("rust", ".rs") })
)

// Note returns the comment at the beginning of the program.
func (b CompiledBuild) Note() string {
	var out []string
	for line := range strings.Lines(b.Source) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok || strings.TrimSpace(text) == "" {
			break
		}
		out = append(out, strings.TrimSpace(text))
	}
	return strings.Join(out, " ")
}

// compiledBuilds reads the verdicts of the programs in a folder.
func compiledBuilds(folder, extension string) (all []CompiledBuild) {
	table := folder + "/verdicts.txt"
	var models []string
	for n, line := range numberedIn(compiledFiles, table) {
		fail := func(what string) { panic(fmt.Sprintf("BUG: %s:%d: %s", table, n, what)) }
		f := strings.Fields(line)
		if f[0] == "models" {
			models = f[1:]
			continue
		}
		if len(f) <= len(models) {
			fail(fmt.Sprintf("want a program and a verdict for each of %d models", len(models)))
		}
		b := CompiledBuild{Program: f[0], File: f[0] + extension}
		text, err := compiledFiles.ReadFile(folder + "/" + b.File)
		if err != nil {
			fail(err.Error())
		}
		b.Source = string(text)
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
		if b.Build, err = build(how, models, f[len(f)-len(models):]); err != nil {
			fail(err.Error())
		}
		all = append(all, b)
	}
	return all
}
