package read

import (
	"io"
	"path"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// maxDecision bounds what macros in conditions may expand to while only directives are read, in tokens.
const maxDecision = 20_000

// kernelInclude is an include of one of the kernel's headers, wherever it stands.
var kernelInclude = litmus.Pattern(`(?m)^[ \t]*#[ \t]*include(?:_next)?[ \t]*["<](?:[^">\n]*/)?(lkmm\.h|linux/|asm/)`)

// IncludesKernel tells whether a program includes a header of the Linux kernel's, in text that conditions leave in. It
// reads directives alone, in time that is linear in the program, so that it may be asked of anybody's text: where the
// preprocessor fails, such an include anywhere counts.
func IncludesKernel(s Source) bool {
	mentioned := false
	for _, f := range s.Files {
		mentioned = mentioned || kernelInclude().MatchString(f.Text)
	}
	if each, ok := s.Include.(interface{ Each(func(text string)) }); ok {
		each.Each(func(text string) { mentioned = mentioned || kernelInclude().MatchString(text) })
	}
	if !mentioned {
		return false
	}
	defines, err := definitions(s.Defines)
	if err != nil {
		return true
	}
	for _, f := range s.Files {
		in := &inclusion{source: reading{Source: s}, directives: true}
		in.note(f.Name, f.Text)
		if in.refused != nil {
			return true
		}
		config := in.config()
		config.ExpansionLimit = maxDecision
		err := try(func() error { return cc.Preprocess(config, in.sources(f, defines), io.Discard) })
		if in.kernel || err != nil || in.refused != nil {
			return true
		}
	}
	return false
}

// isKernels tells the kernel's headers from others by the name of the file.
func isKernels(name string) bool {
	if rest, ok := strings.CutPrefix(name, BuiltIn+"/"); ok {
		return IsKernels(rest)
	}
	return path.Base(name) == "lkmm.h" || strings.Contains("/"+name, "/linux/") && !isUsers(name) ||
		strings.Contains("/"+name, "/asm/")
}

// forUsers are headers below linux/ that programs of users include, too.
var forUsers = []string{"linux/futex.h", "linux/membarrier.h", "linux/types.h"}

func isUsers(name string) bool {
	for _, h := range forUsers {
		if strings.HasSuffix("/"+name, "/"+h) {
			return true
		}
	}
	return false
}

// directivesOf is a text with the lines of the preprocessor alone; the others are blank.
func directivesOf(text string) string {
	lines := strings.Split(text, "\n")
	comment, continued, kept := false, false, false
	for i, line := range lines {
		fresh := !comment && !continued
		if fresh {
			kept = strings.HasPrefix(strings.TrimLeft(line, " \t"), "#")
		}
		comment, continued = ends(line, comment), strings.HasSuffix(strings.TrimSuffix(line, "\r"), "\\")
		if !kept {
			lines[i] = ""
		}
		if !fresh && !comment && !continued {
			kept = false
		}
	}
	return strings.Join(lines, "\n")
}
