package read

import (
	"regexp"
	"strings"
	"sync"

	"litmuscope/litmus"
)

// preferred are the headers that are named for names that several declare.
var preferred = map[string]string{"ssize_t": "sys/types.h", "size_t": "stddef.h", "NULL": "stddef.h"}

// declares is, by each name that a built-in header declares at file scope or defines as a macro, the header: found in
// the headers' texts, so that it says what they do. Of the kernel's, lkmm.h alone is named.
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

// declaredNames lists the names that the text of a header of ours declares at file scope or defines. The headers are
// written plainly enough for that: no declaration has a body and further declarators but typedefs.
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

// declarationText is a declaration at file scope without what is in its braces, and that.
type declarationText struct{ outside, body string }

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
				if strings.Contains(now.outside, "(") && !strings.HasPrefix(strings.TrimSpace(now.outside), "typedef") {
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

// undeclared is the name of a type that a syntax error comes of, where it is no type that is declared: a word in the
// place of a type, with the beginning of a declarator or a value behind it. All are the file's lexemes, of which the
// parser has come to number here.
func undeclared(text string, all []lexeme, here int) (lexeme, bool) {
	word := func(i int) string {
		if i < 0 || i >= len(all) {
			return ""
		}
		return text[all[i].from:min(all[i].to, len(text))]
	}
	isName := func(s string) bool { return s != "" && isWord(s[0]) && (s[0] < '0' || s[0] > '9') && !cKeywords[s] }
	starts := func(i int, known bool) bool { // a type may come here
		switch w := word(i); w {
		case "(", ",":
			return known // else it may be an expression
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

// cKeywords are words that are no names in C.
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

// notDeclared says that a name is not declared, and which header declares it.
func notDeclared(at litmus.Pos, name string) *litmus.Error {
	if h := declares()[name]; h != "" {
		top := litmus.Pos{File: at.File, Line: 1, Col: 1}
		return litmus.Errorf(at, "%s is not declared; add #include <%s>", name, h).Mend(top, "", "#include <"+h+">\n")
	}
	return litmus.Errorf(at, "%s is not declared: want a type or a defined macro here", name)
}
