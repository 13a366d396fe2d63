package orders

import (
	"strings"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind int

const (
	word    kind = iota // an identifier or a keyword
	number              // a number, with letters
	literal             // a string or a character
	sign                // any other byte
)

// token is a token of a text. Comments and white space are not tokens.
//
// The tokens are those before the preprocessor: directives are tokens as well, and both branches of a condition are
// there. A backslash at the end of a line does not end a directive.
type token struct {
	kind     kind
	from, to int
	// line is the first token of the preprocessor directive that contains it; -1 if it is
	// in none.
	line int
	text string
}

func letter(b byte) bool {
	return b == '_' || b == '$' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b >= utf8.RuneSelf
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// tokens splits a text into tokens.
func tokens(text string) (out []token) {
	directive, first := -1, true // first: no token precedes it on this line
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
				if text[i] == '\\' { // it may continue the line
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

// isLineMarker reports whether a directive, after its #, is a line marker of a preprocessor.
func isLineMarker(directive string) bool {
	rest := strings.TrimLeft(directive, " \t")
	return rest != "" && digit(rest[0])
}

// closing returns the token that closes the bracket at open, or -1 if there is none before end. Brackets in
// preprocessor directives are separate.
func closing(all []token, open, end int) int {
	depth := 0
	for i := open; i < end; i++ {
		if all[i].line != all[open].line {
			if all[open].line >= 0 {
				return -1
			}
			continue // a preprocessor condition inside the brackets
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

// split returns the arguments between two brackets, as half-open ranges of tokens.
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
