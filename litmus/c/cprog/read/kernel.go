package read

import (
	"io"
	"path"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
)

// maxDecision is the maximum number of tokens to which macros in conditions expand while only directives are read.
const maxDecision = 20_000

// kernelInclude matches an include of a kernel header anywhere.
var kernelInclude = litmus.Pattern(`(?m)^[ \t]*#[ \t]*include(?:_next)?[ \t]*["<](?:[^">\n]*/)?(lkmm\.h|linux/|asm/)`)

// IncludesKernel reports whether a program includes a header of the Linux kernel in a part that conditions keep. It
// reads only directives, in time linear in the program's size, so it is safe on untrusted text. If the preprocessor
// fails, any such include counts.
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

// isKernels reports, by the name of the file, whether a header belongs to the kernel.
func isKernels(name string) bool {
	if rest, ok := strings.CutPrefix(name, BuiltIn+"/"); ok {
		return IsKernels(rest)
	}
	return path.Base(name) == "lkmm.h" || strings.Contains("/"+name, "/linux/") && !isUsers(name) ||
		strings.Contains("/"+name, "/asm/")
}

// forUsers lists headers below linux/ that user programs include, too.
var forUsers = []string{"linux/futex.h", "linux/membarrier.h", "linux/types.h"}

// isUsers reports whether a header below linux/ is one that user programs include.
func isUsers(name string) bool {
	for _, h := range forUsers {
		if strings.HasSuffix("/"+name, "/"+h) {
			return true
		}
	}
	return false
}

// directivesOf returns a text with all lines blank except directives.
func directivesOf(text string) string {
	lines := strings.Split(text, "\n")
	comment, continued, kept := false, false, false
	for i, line := range lines {
		fresh := !comment && !continued
		if fresh {
			kept = strings.HasPrefix(strings.TrimLeft(line, " \t"), "#")
		}
		comment, continued = endsInComment(line, comment), strings.HasSuffix(strings.TrimSuffix(line, "\r"), "\\")
		if !kept {
			lines[i] = ""
		}
		if !fresh && !comment && !continued {
			kept = false
		}
	}
	return strings.Join(lines, "\n")
}
