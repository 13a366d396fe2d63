package read

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// spelled rewrites notation that the C parser does not know: multi-character constants, attributes in [[ ]], and digit
// separators. It does not change line numbers.
//
// It scans the text once and skips comments, strings and characters, in which the same bytes mean something else. A
// notation that it does not recognise is left to the parser, which reports it.
func spelled(text string) string {
	if !strings.ContainsAny(text, "'") && !strings.Contains(text, "[[") {
		return text
	}
	var out strings.Builder
	fresh := true // at the beginning of a line
	for i := 0; i < len(text); {
		rest, from := text[i:], i
		c := text[i]
		switch {
		case c == '\n':
			fresh = true
			i++
			out.WriteByte(c)
			continue
		case strings.HasPrefix(rest, "//"):
			i += strings.IndexByte(rest+"\n", '\n')
		case strings.HasPrefix(rest, "/*"):
			i = min(len(text), i+2+strings.Index(rest[2:]+"*/", "*/")+2)
		case c == '#' && fresh && isForPeople(rest):
			i += strings.IndexByte(rest+"\n", '\n')
			out.WriteString(strings.ReplaceAll(text[from:i], "'", "’"))
			continue
		case c == '"' || c == '\'':
			i = min(len(text), i+literal(rest)+1)
			if n, ok := characters(text[from:i]); ok && (from == 0 || !isWord(text[from-1])) {
				fmt.Fprintf(&out, "%d", n)
				fresh = false
				continue
			}
		case '0' <= c && c <= '9' || c == '.' && len(rest) > 1 && '0' <= rest[1] && rest[1] <= '9':
			for i++; i < len(text) &&
				(isWord(text[i]) || text[i] == '.' || text[i] == '\'' && i+1 < len(text) && isWord(text[i+1])); i++ {
			}
			out.WriteString(strings.ReplaceAll(text[from:i], "'", ""))
			fresh = false
			continue
		case isWord(c):
			for i < len(text) && isWord(text[i]) {
				i++
			}
		case strings.HasPrefix(rest, "[["):
			if n, to := attributesOf(rest); n > 0 {
				out.WriteString(to)
				i += n
				continue
			}
			i++
		default:
			i++
		}
		fresh = fresh && (c == ' ' || c == '\t' || strings.HasPrefix(rest, "/*"))
		out.WriteString(text[from:i])
	}
	return out.String()
}

// isForPeople reports whether a directive contains text for people, in which quotes have no meaning.
func isForPeople(directive string) bool {
	word := strings.TrimLeft(directive[1:], " \t")
	for _, w := range []string{"error", "warning", "include", "ident", "pragma"} {
		if strings.HasPrefix(word, w) {
			return true
		}
	}
	return false
}

// escapes maps escape sequences of one letter to characters.
var escapes = map[byte]int32{
	'n': 10, 't': 9, 'r': 13, 'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27, '\\': '\\',
	'\'': '\'', '"': '"', '?': '?',
}

// characters returns the value of a multi-character constant in GCC and clang, which the last four characters
// determine.
func characters(quoted string) (int32, bool) {
	if len(quoted) < 4 || quoted[0] != '\'' || quoted[len(quoted)-1] != '\'' {
		return 0, false
	}
	n, count := int32(0), 0
	for rest := quoted[1 : len(quoted)-1]; rest != ""; count++ {
		c, size := int32(rest[0]), 1
		if rest[0] == '\\' {
			if len(rest) < 2 {
				return 0, false
			}
			e, known := escapes[rest[1]]
			switch {
			case known:
				c, size = e, 2
			case rest[1] == 'x':
				size = 2 + len(rest[2:]) - len(strings.TrimLeft(rest[2:], "0123456789abcdefABCDEF"))
				v, err := strconv.ParseUint(rest[2:size], 16, 8)
				if err != nil {
					return 0, false
				}
				c = int32(v)
			default:
				digits := rest[1:min(len(rest), 4)]
				digits = digits[:len(digits)-len(strings.TrimLeft(digits, "01234567"))]
				v, err := strconv.ParseUint(digits, 8, 8)
				if err != nil {
					return 0, false
				}
				c, size = int32(v), 1+len(digits)
			}
		}
		n = n<<8 | c&0xff
		rest = rest[size:]
	}
	return n, count > 1
}

// standard lists C23's own attributes, which have no effect on the checked properties.
var standard = strings.Fields(
	"deprecated fallthrough maybe_unused nodiscard noreturn _Noreturn unsequenced reproducible likely unlikely")

// attributesOf returns the size in bytes of a list of attributes in [[ ]] at the beginning of a text, and its GCC
// notation without the attributes that have no effect. The size is 0 if there is no list.
func attributesOf(text string) (size int, as string) {
	depth := 0
	var list []string
	for i, from := 2, 2; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'':
			i += literal(text[i:])
		case c == '(' || c == '[' || c == '{':
			depth++
		case depth > 0 && (c == ')' || c == ']' || c == '}'):
			depth--
		case c == ';' || c == '{' || c == '}':
			return 0, ""
		case depth == 0 && (c == ',' || strings.HasPrefix(text[i:], "]]")):
			list = append(list, strings.TrimSpace(text[from:i]))
			from = i + 1
			if c == ']' {
				return i + 2, written(list, text[:i+2])
			}
		}
	}
	return 0, ""
}

// written returns attributes in GCC's notation, on as many lines as before.
func written(list []string, was string) string {
	var kept []string
	for _, a := range list {
		name, arguments := a, ""
		if i := strings.IndexByte(a, '('); i >= 0 {
			name, arguments = strings.TrimSpace(a[:i]), a[i:]
		}
		whose, own, prefixed := strings.Cut(name, "::")
		if !prefixed {
			if bared := bare(name); name != "" && !slices.Contains(standard, bared) &&
				!slices.Contains(standard, name) {
				kept = append(kept, name+arguments)
			}
			continue
		}
		own = strings.TrimSpace(own)
		what, known := attributes[bare(own)]
		if whose = bare(strings.TrimSpace(whose)); whose != "gnu" && whose != "clang" && whose != "_Clang" {
			own, known = whose+"_"+own, false
		}
		if !known || what != "" || slices.Contains(implementedAttributes, bare(own)) {
			kept = append(kept, own+arguments)
		}
	}
	lines := strings.Repeat("\n", strings.Count(was, "\n"))
	if kept == nil {
		if lines != "" {
			return lines
		}
		return strings.Repeat(" ", len(was))
	}
	return "__attribute__((" + strings.ReplaceAll(strings.Join(kept, ", "), "\n", " ") + "))" + lines
}
