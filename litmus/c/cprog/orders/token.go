package orders

import (
	"strings"
	"unicode/utf8"
)

// kind is what a token is.
type kind int

const (
	word    kind = iota // an identifier or a keyword
	number              // which may have letters
	literal             // a string or a character
	sign                // anything else, a byte each
)

// token is a piece of a text. Comments and white space are none.
type token struct {
	kind     kind
	from, to int
	// line is the directive of the preprocessor that it stands in, by the number of its first token; -1 where it stands
	// in none.
	line int
	text string
}

func letter(b byte) bool {
	return b == '_' || b == '$' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= utf8.RuneSelf
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// tokens takes a text apart.
func tokens(text string) (out []token) {
	directive, first := -1, true // nothing stands before on this line
	for i := 0; i < len(text); {
		rest := text[i:]
		b := text[i]
		switch {
		case strings.HasPrefix(rest, "\\\n"), strings.HasPrefix(rest, "\\\r\n"):
			i += strings.IndexByte(rest, '\n') + 1
			continue
		case b == '\n':
			directive, first = -1, true
			i++
			continue
		case b == ' ' || b == '\t' || b == '\r' || b == '\v' || b == '\f':
			i++
			continue
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return out
			}
			i += end + 4
			continue
		case strings.HasPrefix(rest, "//"):
			for i < len(text) && text[i] != '\n' {
				if text[i] == '\\' { // which may join the next line
					i++
				}
				i++
			}
			i = min(i, len(text))
			continue
		}
		if b == '#' && first {
			if line, _, _ := strings.Cut(rest[1:], "\n"); isLineMarker(line) {
				i += 1 + len(line)
				continue
			}
			directive = len(out)
		}
		first = false
		t := token{from: i, to: i + 1, line: directive, kind: sign}
		switch {
		case letter(b):
			t.kind = word
			for t.to < len(text) && (letter(text[t.to]) || digit(text[t.to])) {
				t.to++
			}
		case digit(b):
			t.kind = number
			for t.to < len(text) && (letter(text[t.to]) || digit(text[t.to]) || text[t.to] == '.') {
				t.to++
			}
		case b == '"' || b == '\'':
			t.kind = literal
			for t.to < len(text) && text[t.to] != b && text[t.to] != '\n' {
				if text[t.to] == '\\' {
					t.to++
				}
				t.to++
			}
			t.to = min(t.to+1, len(text))
		}
		t.text = text[t.from:t.to]
		out = append(out, t)
		i = t.to
	}
	return out
}

// isLineMarker tells whether a directive, behind its #, is one by which a preprocessor says where a text comes from.
func isLineMarker(directive string) bool {
	rest := strings.TrimLeft(directive, " \t")
	return rest != "" && digit(rest[0])
}

// closing is the number of the token that closes the bracket at open, -1 where there is none before end. Of a line of
// the preprocessor's, brackets are its own.
func closing(all []token, open, end int) int {
	depth := 0
	for i := open; i < end; i++ {
		if all[i].line != all[open].line {
			if all[open].line >= 0 {
				return -1
			}
			continue // a condition of the preprocessor's amid the brackets
		}
		switch all[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// split are the arguments between two brackets, by the numbers of their tokens, from one to behind the last.
func split(all []token, open, shut int) (args [][2]int) {
	depth, from := 0, open+1
	for i := open + 1; i < shut; i++ {
		switch all[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				args = append(args, [2]int{from, i})
				from = i + 1
			}
		}
	}
	if shut > open+1 {
		args = append(args, [2]int{from, shut})
	}
	return args
}
