package suite

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"litmuscope/litmus"
)

// Bounds on what a program may include.
const (
	maxIncluded      = 1000
	maxIncludedBytes = 16 << 20
)

var (
	// included matches the file name in an include; computed matches an include whose name is a macro.
	included = litmus.Pattern(`(?m)^[ \t]*#[ \t]*include(?:_next)?[ \t]*["<]([^">\n]+)[">]`)
	computed = litmus.Pattern(`(?m)^[ \t]*#[ \t]*include[ \t]+[A-Za-z_].*$`)
	defined  = litmus.Pattern(`(?m)^[ \t]*#[ \t]*define[ \t]+.*$`)
	file     = litmus.Pattern(`[\w./+-]+\.[a-z]+\b`)
)

// Includes reads the files that a program's files may include, directly and indirectly. It looks for names as a
// compiler does, in the including file's folder and in dirs, and for absolute paths. Like a compiler, it reads any file
// that the user may read: use it only for programs of the person who runs the process, never for text from visitors. If
// a macro gives the name of an include, Includes reads whatever any of the files, or one of defines, names. The
// program's preprocessor decides which files it really includes.
func Includes(files map[string]string, dirs, defines []string) (map[string]string, error) {
	found := map[string]string{}
	size := 0
	named := map[string]bool{} // by macros
	var askers []string        // files with an include that a macro names
	for _, d := range defines {
		for _, name := range file().FindAllString(d, -1) {
			named[name] = true
		}
	}
	var follow func(name, text string) error
	include := func(name string, these []string) error {
		for _, what := range these {
			folders := append([]string{path.Dir(name)}, dirs...)
			if path.IsAbs(what) {
				folders = []string{"/"}
			}
			for _, dir := range folders {
				at := path.Join(filepath.ToSlash(dir), what)
				if _, ok := found[at]; ok {
					continue
				}
				// Opening a file that is not regular may block.
				if info, err := os.Stat(filepath.FromSlash(at)); err != nil || !info.Mode().IsRegular() {
					continue // the preprocessor reports it if the program needs it
				}
				f, err := os.Open(filepath.FromSlash(at))
				if err != nil {
					continue
				}
				text, err := io.ReadAll(io.LimitReader(f, maxIncludedBytes+1))
				f.Close()
				if err != nil {
					return fmt.Errorf("%s: %s", at, reason(err))
				}
				found[at] = string(text)
				if size += len(text); size > maxIncludedBytes || len(found) > maxIncluded {
					return fmt.Errorf("%s: more than %d files or %d MiB are included", name, maxIncluded,
						maxIncludedBytes>>20)
				}
				if err := follow(at, string(text)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	follow = func(name, text string) error {
		var these []string
		for _, m := range included().FindAllStringSubmatch(text, -1) {
			these = append(these, m[1])
		}
		lines := computed().FindAllString(text, -1)
		if len(lines) > 0 {
			askers = append(askers, name)
		}
		for _, line := range append(lines, defined().FindAllString(text, -1)...) {
			for _, what := range file().FindAllString(line, -1) {
				if len(named) < maxIncluded {
					named[what] = true
				}
			}
		}
		return include(name, these)
	}
	for name, text := range files {
		if err := follow(name, text); err != nil {
			return nil, err
		}
	}
	for before := -1; before < len(found); { // new files may include others
		before = len(found)
		for _, name := range askers {
			if err := include(name, slices.Sorted(maps.Keys(named))); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}
