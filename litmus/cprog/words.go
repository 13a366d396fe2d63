package cprog

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Word is a function, or a macro like one, that programs can call without having defined it.
type Word struct {
	Name   string
	Takes  string // its parameters: "(pthread_t, void **)"
	Header string // to be included; "" where it is known without
}

var (
	declared = regexp.MustCompile(`(?m)^[A-Za-z_][\w \t*]*?\b(\w+)(\([^;{]*\))[^;{]*;`)
	defined  = regexp.MustCompile(`(?m)^#[ \t]*define[ \t]+(\w+)(\([^)]*\))`)
	spaces   = regexp.MustCompile(`\s+`)
)

// Words are all of them, by header and in its order.
func Words() []Word {
	var out []Word
	take := func(header, text string) {
		for _, form := range []*regexp.Regexp{defined, declared} {
			for _, m := range form.FindAllStringSubmatch(text, -1) {
				w := Word{m[1], spaces.ReplaceAllString(m[2], " "), header}
				if !ownWord(w.Name) && !slices.ContainsFunc(out, func(o Word) bool { return o.Name == w.Name }) {
					out = append(out, w)
				}
			}
		}
	}
	err := fs.WalkDir(headers, "headers", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := headers.ReadFile(name)
		take(strings.TrimPrefix(name, "headers/"), string(text))
		return err
	})
	if err != nil {
		panic("BUG: " + err.Error())
	}
	take("", prelude)
	return out
}

// ownWord tells names of the headers' own, and of the compiler's, from those for programs.
func ownWord(name string) bool {
	if !strings.HasPrefix(name, "_") {
		return false
	}
	for _, p := range []string{"__VERIFIER_", "__CPROVER_", "__atomic_", "__sync_"} {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return true
}
