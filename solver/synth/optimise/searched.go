package optimise

import (
	"path"
	"regexp"
	"slices"
	"sync"

	"litmuscope/solver"
)

// programTexts returns the texts of a program's files and of all that they may include, by name.
func programTexts(t solver.VerifyTask) map[string]string {
	out := map[string]string{}
	for name, text := range t.Include {
		out[name] = text
	}
	for _, f := range t.Files {
		out[f.Name] = f.Text
	}
	return out
}

// By default a repair changes the user's own code only. It reads headers of libraries, but their orders stay.

// searched returns the files that a repair changes by default: the programs' files and what these include with
// quotes, transitively. Files included with <…> belong to libraries.
func searched(pairs []solver.VerifyTask) (out []string) {
	for _, t := range pairs {
		for _, name := range included(t, true) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// included returns a program's files and the available files that they include, transitively: those in #include "…" if
// quoted is true, otherwise all.
func included(t solver.VerifyTask, quoted bool) (out []string) {
	texts := programTexts(t)
	for _, f := range t.Files {
		out = append(out, f.Name)
	}
	for i := 0; i < len(out); i++ {
		for _, m := range including().FindAllStringSubmatch(texts[out[i]], -1) {
			what, dirs := m[2], t.Dirs
			if m[1] == `"` {
				dirs = append([]string{path.Dir(out[i])}, t.Dirs...)
			} else if quoted {
				continue
			}
			for _, dir := range dirs {
				name := path.Join(dir, what)
				if _, ok := texts[name]; ok {
					if !slices.Contains(out, name) {
						out = append(out, name)
					}
					break
				}
			}
		}
	}
	return out
}

// including matches an #include directive at the start of a line, in quotes or angle brackets. It does not evaluate
// the preprocessor: a directive in an excluded part counts as well.
var including = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]`)
})
