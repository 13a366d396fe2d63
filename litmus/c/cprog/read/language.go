package read

import (
	"path"
	"regexp"
	"slices"

	"litmuscope/litmus"
)

// languages maps file name extensions to other languages.
var languages = map[string]string{
	".cpp": "C++", ".cc": "C++", ".cxx": "C++", ".C": "C++", ".hpp": "C++", ".hh": "C++", ".hxx": "C++",
	".ii": "preprocessed C++",
	".rs": "Rust", ".go": "Go", ".java": "Java", ".py": "Python", ".js": "JavaScript", ".ts": "TypeScript",
	".swift": "Swift", ".zig": "Zig",
	".cs": "C#", ".kt": "Kotlin", ".ml": "OCaml", ".m": "Objective-C", ".cu": "CUDA", ".cl": "OpenCL C",
	".ll": "LLVM IR", ".bc": "LLVM bitcode",
	".s": "assembly", ".S": "assembly", ".f90": "Fortran",
}

// inC returns an error if a file's name says that it is in another language.
func inC(f File) error {
	language := languages[path.Ext(f.Name)]
	switch {
	case path.Ext(f.Name) == ".litmus":
		return litmus.Errorf(litmus.Pos{File: f.Name, Line: 1, Col: 1},
			"this is a litmus test, not a C program: use litmuscope run")
	case language != "":
		return litmus.Errorf(litmus.Pos{File: f.Name, Line: 1, Col: 1},
			"this file is in %s, according to its name: programs must be in C (.c, or .i if preprocessed)", language)
	}
	return nil
}

// Useless returns remarks on definitions of the source that have no effect: on names that no file mentions, and on
// names that a file redefines unconditionally, whose position redefined returns. Names that begin with an underscore
// are excluded, because they configure system headers that are not read here.
func (s Source) Useless(redefined func(name string) (litmus.Pos, bool)) []litmus.Remark {
	if len(s.Files) == 0 {
		return nil
	}
	at := litmus.Pos{File: s.Files[0].Name, Line: 1, Col: 1}
	var out []litmus.Remark
	for i, d := range s.Defines {
		m, err := definition(d)
		later := slices.ContainsFunc(s.Defines[i+1:], func(d string) bool {
			other, err := definition(d)
			return err == nil && other.name == m.name
		})
		if err != nil || m.undefine || later || m.name[0] == '_' {
			continue
		}
		if !s.mentions(m.name) {
			out = append(out, litmus.Remarkf(at, "-D %s has no effect: nothing in the program mentions %s", d, m.name))
		} else if pos, again := redefined(m.name); again {
			out = append(out,
				litmus.Remarkf(at, "-D %s has no effect after %s: %s is defined again there", d, pos, m.name))
		}
	}
	return out
}

// mentions reports whether a text of the program, or of a built-in header, contains a word. It is true if the texts are
// unknown.
func (s Source) mentions(word string) bool {
	form := regexp.MustCompile(`\b` + regexp.QuoteMeta(word) + `\b`)
	pasted := regexp.MustCompile(`##`)
	found := false
	look := func(text string) { found = found || form.MatchString(text) || pasted.MatchString(text) }
	for _, f := range s.Files {
		look(f.Text)
	}
	if each, ok := s.Include.(interface{ Each(func(text string)) }); ok {
		each.Each(look)
	} else if s.Include != nil {
		return true
	}
	EachHeader(func(_, text string) { found = found || form.MatchString(text) })
	return found
}
