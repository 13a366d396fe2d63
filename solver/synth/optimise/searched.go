package optimise

import (
	"path"
	"regexp"
	"slices"
	"sync"

	"litmuscope/solver"
)

// programTexts are the texts of a program, by name: of its files, and of what these may include.
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

// searched are the files that a repair changes unless it is told which: those of the programs, and what they include by
// quotes, one from another. What is included by <…> is a library's.
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

// included are a program's files, and what these include, one from another, of what there is: by quotes alone, or by
// either.
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

var including = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]`)
})
