package read

import (
	"regexp"
	"strings"
	"sync"

	"litmuscope/litmus"
)

// preferred has the header to name for names that several headers declare.
var preferred = map[string]string{"ssize_t": "sys/types.h", "size_t": "stddef.h", "NULL": "stddef.h"}

// declares maps each name that a built-in header declares at file scope, or defines as a macro, to the header. It is
// computed from the headers' texts. Of the kernel's headers, only lkmm.h is named.
var declares = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, header := range BuiltInHeaders() {
		if IsKernels(header) && header != "lkmm.h" || isUsers(header) && header == "linux/types.h" {
			continue
		}
		text, err := headers.ReadFile("headers/" + header)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		for _, name := range declaredNames(string(text)) {
			if _, known := out[name]; !known && !strings.HasPrefix(name, "__litmus") {
				out[name] = header
			}
		}
	}
	for name, header := range preferred {
		out[name] = header
	}
	return out
})

var (
	comments       = litmus.Pattern(`(?s)/\*.*?\*/|//[^\n]*`)
	macroNamed     = litmus.Pattern(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`)
	wholeDirective = litmus.Pattern(`(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$`)
	constants      = litmus.Pattern(`\b(\w+)\s*(?:=[^,}]*)?[,}]`)
	toFunction     = litmus.Pattern(`\(\s*\*\s*(\w+)\s*\)`)
	tagged         = litmus.Pattern(`^(?:typedef\s+)?(?:struct|union|enum)\s+(\w+)`)
	attributed     = litmus.Pattern(`__attribute__\s*\(\(.*?\)\)`)
	function       = litmus.Pattern(`(\w+)\s*\(`)
	lastWord       = litmus.Pattern(`(\w+)\s*(?:\[[^\]]*\])*\s*$`)
)

// declaredNames lists the names that the text of a built-in header declares at file scope or defines. It relies on the
// headers' simple style: except for typedefs, no declaration has both a body and further declarators.
func declaredNames(text string) (names []string) {
	text = comments().ReplaceAllString(text, " ")
	for _, m := range macroNamed().FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	text = wholeDirective().ReplaceAllString(text, "")
	take := func(pattern *regexp.Regexp, of string) bool {
		m := pattern.FindStringSubmatch(of)
		if m != nil {
			names = append(names, m[1])
		}
		return m != nil
	}
	for _, d := range declarations(text) {
		outside := attributed().ReplaceAllString(d.outside, " ")
		words := strings.Fields(outside)
		if len(words) == 0 {
			continue
		}
		if strings.Contains(outside, "enum") {
			for _, m := range constants().FindAllStringSubmatch(d.body, -1) {
				names = append(names, m[1])
			}
		}
		switch {
		case words[0] == "typedef":
			if !take(toFunction(), outside) {
				take(lastWord(), outside)
			}
		case d.body != "" && tagged().MatchString(outside) && !strings.Contains(outside, "("):
		case take(function(), outside):
		default:
			for part := range strings.SplitSeq(outside, ",") {
				take(lastWord(), part)
			}
		}
	}
	return names
}

// declarationText is a declaration at file scope, split into the text outside braces and the text in them.
type declarationText struct{ outside, body string }

// declarations splits a text at file scope into declarations: at semicolons and after the bodies of functions.
func declarations(text string) (out []declarationText) {
	var now declarationText
	depth := 0
	for _, c := range text {
		switch {
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				now.body += "}"
				if strings.Contains(now.outside, "(") &&
					!strings.HasPrefix(strings.TrimSpace(now.outside), "typedef") {
					// a function
					out = append(out, now)
					now = declarationText{}
				}
			}
		case depth > 0:
			now.body += string(c)
		case c == ';':
			out = append(out, now)
			now = declarationText{}
		default:
			now.outside += string(c)
		}
	}
	return out
}

// undeclared returns the lexeme that is an undeclared type and causes a syntax error at lexeme here. Such a lexeme is a
// word at the position of a type, followed by the beginning of a declarator or by a value.
//
// C's grammar depends on which names are types, so a missing typedef is a syntax error, usually at the word after it.
// This recognises the patterns in which the word before, or the one at the error, must be meant as a type. It looks at
// words only, because there is no tree after a syntax error.
func undeclared(text string, all []lexeme, here int) (lexeme, bool) {
	word := func(i int) string {
		if i < 0 || i >= len(all) {
			return ""
		}
		return text[all[i].from:min(all[i].to, len(text))]
	}
	isName := func(s string) bool { return s != "" && isWord(s[0]) && (s[0] < '0' || s[0] > '9') && !cKeywords[s] }
	starts := func(i int, known bool) bool { // a type can be here
		switch w := word(i); w {
		case "(", ",":
			return known // otherwise it may be an expression
		case "", ";", "{", "}", "static", "const", "extern", "volatile", "inline", "register", "_Thread_local",
			"__thread", "typedef":
			return true
		}
		return false
	}
	for _, at := range []int{here - 1, here} {
		known := declares()[word(at)] != ""
		next := word(at + 1)
		declarator := isName(next) || next == "*" &&
			(known || isName(word(at+2)) && strings.ContainsAny(word(at+3), ";,=)("))
		if isName(word(at)) && starts(at-1, known) && declarator {
			return all[at], true
		}
	}
	if word(here-1) == ")" && isName(word(here-2)) && word(here-3) == "(" && declares()[word(here-2)] != "" { // a cast
		return all[here-2], true
	}
	return lexeme{}, false
}

// cKeywords are the keywords, which are not names in C.
var cKeywords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(
		`auto break case char const continue default do double else enum extern float for goto if inline int long
		register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		_Alignas _Alignof _Atomic _Bool _Complex _Generic _Noreturn _Static_assert _Thread_local __thread asm __asm __asm__ typeof __typeof__
		__typeof __attribute__ __attribute __inline __inline__ __const __volatile__ __volatile __restrict __extension__ __signed__`) {
		out[w] = true
	}
	return out
}()

// notDeclared is the error for a name that is not declared. It names the header that declares it, if any.
func notDeclared(at litmus.Pos, name string) *litmus.Error {
	if h := declares()[name]; h != "" {
		top := litmus.Pos{File: at.File, Line: 1, Col: 1}
		return litmus.Errorf(at, "%s is not declared; add #include <%s>", name, h).
			WithFix(top, "", "#include <"+h+">\n")
	}
	return litmus.Errorf(at, "%s is not declared: want a type or a defined macro here", name)
}
