package suite

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
)

// Bounds on what a program may include.
const (
	maxIncluded      = 1000
	maxIncludedBytes = 16 << 20
)

// included is what a line of C includes. A name that a macro stands for is not found.
var included = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]`)

// Includes reads what a program's files may include, and what that includes in turn: by names as
// a compiler makes them, of the including file's folder or of one of dirs, those that there are.
// Which of them the program does include is for its preprocessor to say.
func Includes(files map[string]string, dirs []string) (map[string]string, error) {
	found := map[string]string{}
	size := 0
	var follow func(name, text string) error
	follow = func(name, text string) error {
		for _, m := range included.FindAllStringSubmatch(text, -1) {
			if path.IsAbs(m[1]) {
				continue
			}
			for _, dir := range append([]string{path.Dir(name)}, dirs...) {
				at := path.Join(filepath.ToSlash(dir), m[1])
				if _, ok := found[at]; ok {
					continue
				}
				f, err := os.Open(filepath.FromSlash(at))
				if err != nil {
					continue // the preprocessor misses it, where it is needed
				}
				info, err := f.Stat()
				if err != nil || !info.Mode().IsRegular() {
					f.Close()
					continue
				}
				text, err := io.ReadAll(io.LimitReader(f, maxIncludedBytes+1))
				f.Close()
				if err != nil {
					return fmt.Errorf("%s: %s", at, reason(err))
				}
				found[at] = string(text)
				if size += len(text); size > maxIncludedBytes || len(found) > maxIncluded {
					return fmt.Errorf("%s: more than %d files or %d MiB are included", name, maxIncluded, maxIncludedBytes>>20)
				}
				if err := follow(at, string(text)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for name, text := range files {
		if err := follow(name, text); err != nil {
			return nil, err
		}
	}
	return found, nil
}
