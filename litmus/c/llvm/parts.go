package llvm

import (
	"regexp"
	"strings"
)

// The C library of a module is parsed for each module, so its text should be short: a module gets the parts of the
// runtime and the headers that it needs. Parsing all of them took four fifths of the time of a translation.

// isNeeded matches the tests for names in the conditions of the runtime's parts.
var isNeeded = regexp.MustCompile(`^(!?)defined\(NEED_(\w+)\)$`)

// neededParts returns a text of the runtime without the parts, from #if to its #endif, whose condition is false. It
// keeps those with an #else, and those whose condition has another form than tests for needed names joined with && or
// with ||.
func neededParts(text string, needed map[string]bool) string {
	var out, part strings.Builder
	depth, condition, continued, other := 0, "", false, false
	for line := range strings.Lines(text) {
		word := strings.TrimSpace(line)
		switch {
		case continued:
			condition += " " + word
		case strings.HasPrefix(word, "#if"):
			if depth == 0 {
				condition, continued, other = word, true, false
			}
			depth++
		}
		continued = continued && strings.HasSuffix(word, `\`)
		if depth == 0 {
			out.WriteString(line)
			continue
		}
		part.WriteString(line)
		other = other || depth == 1 && strings.HasPrefix(word, "#el")
		if strings.HasPrefix(word, "#endif") {
			depth--
		}
		if depth == 0 {
			if other || mayHold(condition, needed) {
				out.WriteString(part.String())
			}
			part.Reset()
		}
	}
	return out.String()
}

// mayHold evaluates a condition of the form that neededParts describes, and reports true for any other.
func mayHold(condition string, needed map[string]bool) bool {
	rest, is := strings.CutPrefix(strings.ReplaceAll(condition, `\`, " "), "#if ")
	if !is || strings.Contains(rest, "&&") && strings.Contains(rest, "||") {
		return true
	}
	both := strings.Contains(rest, "&&")
	for _, test := range strings.Split(strings.ReplaceAll(rest, "&&", "||"), "||") {
		m := isNeeded.FindStringSubmatch(strings.TrimSpace(test))
		if m == nil {
			return true
		}
		if holds := needed[m[2]] != (m[1] == "!"); holds != both {
			return holds
		}
	}
	return both
}

// headers are those of the C library that the runtime may need, each with what its names look like.
var headers = []struct {
	name string
	uses *regexp.Regexp
}{
	{"pthread", regexp.MustCompile(`pthread_|PTHREAD_`)},
	{"threads", regexp.MustCompile(`\b(thrd|mtx|cnd|tss)_|\bcall_once\b`)},
	{"semaphore", regexp.MustCompile(`\bsem_`)},
	{"syscall", regexp.MustCompile(`\bsyscall\b|\bSYS_`)},
	{"sched", regexp.MustCompile(`\bsched_`)},
	{"stdlib", regexp.MustCompile(`alloc\b|\b(free|abort|exit|_Exit|quick_exit|atexit|at_quick_exit|on_exit|s?rand|` +
		`getenv|q?sort|bsearch|ato[a-z]+|strto[a-z]+|l?l?abs)\b`)},
	{"string", regexp.MustCompile(`\b(mem[a-z]+|stp[a-z]+|str([a-tv-z]|u[a-bd-z])[a-z]*)\b`)},
	{"unistd", regexp.MustCompile(`\bu?sleep\b|\b_exit\b|\b(read|write|close|fork|getpid|sysconf)\b`)},
	{"time", regexp.MustCompile(`time|clock|sleep`)},
}

var comment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// includes returns the #include lines of the headers that a text may need; of all of them if all is set.
func includes(text string, all bool) string {
	text = comment.ReplaceAllString(text, "")
	out := "#include <stddef.h>\n#include <stdint.h>\n"
	for _, h := range headers {
		if all || h.uses.MatchString(text) {
			out += "#include <" + h.name + ".h>\n"
		}
	}
	return out
}
