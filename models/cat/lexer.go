package cat

import (
	"strings"

	"litmuscope/litmus"
)

// token is one word or symbol; kind is the symbol itself, or one of name, tag,
// string, end of file.
type token struct {
	kind string
	text string
	pos  litmus.Pos
}

const (
	nameToken = "name"
	textToken = "string"
	tagToken  = "tag"
	endToken  = "end of file"
)

var symbols = []string{"^-1", "^+", "^*", "^?", "||", "&&", "->", "++", "|", ";", "\\", "&", "*", "+", "?", "~", "(", ")", "[", "]", "{", "}", "=", ",", "_", "0"}

// lex splits a file into tokens. It panics with a *litmus.Error.
func lex(file, source string) []token {
	var out []token
	line, start := 1, 0
	for i := 0; i < len(source); {
		pos := litmus.Pos{File: file, Line: line, Col: i - start + 1}
		c := source[i]
		switch {
		case c == '\n':
			i++
			line, start = line+1, i
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '#' || strings.HasPrefix(source[i:], "//"):
			for i < len(source) && source[i] != '\n' {
				i++
			}
		case strings.HasPrefix(source[i:], "(*"):
			n := comment(source[i:], pos)
			for _, b := range []byte(source[i : i+n]) {
				i++
				if b == '\n' {
					line, start = line+1, i
				}
			}
		case c == '"':
			n := strings.IndexByte(source[i+1:], '"')
			if n < 0 {
				panic(litmus.Errorf(pos, "string is not closed: want \""))
			}
			text := source[i+1 : i+1+n]
			out = append(out, token{textToken, text, pos})
			i += n + 2
			if k := strings.LastIndexByte(text, '\n'); k >= 0 {
				line += strings.Count(text, "\n")
				start = i - (len(text) - k)
			}
		case c == '\'' && i+1 < len(source) && nameStart(source[i+1]):
			n := i + 1
			for n < len(source) && namePart(source[n]) {
				n++
			}
			out = append(out, token{tagToken, source[i+1 : n], pos})
			i = n
		case nameStart(c) && !(c == '_' && (i+1 == len(source) || !namePart(source[i+1]))):
			n := i
			for n < len(source) && namePart(source[n]) {
				n++
			}
			for source[n-1] == '-' {
				n--
			}
			out = append(out, token{nameToken, source[i:n], pos})
			i = n
		default:
			s := symbolAt(source[i:])
			if s == "" {
				panic(litmus.Errorf(pos, "unexpected character %q", c))
			}
			out = append(out, token{s, s, pos})
			i += len(s)
		}
	}
	return append(out, token{endToken, "", litmus.Pos{File: file, Line: line, Col: len(source) - start + 1}})
}

func symbolAt(s string) string {
	for _, sym := range symbols {
		if strings.HasPrefix(s, sym) {
			return sym
		}
	}
	return ""
}

// comment gives the length of the comment that s begins with.
func comment(s string, pos litmus.Pos) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "(*"):
			depth++
			i++
		case strings.HasPrefix(s[i:], "*)"):
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		}
	}
	panic(litmus.Errorf(pos, "comment is not closed: want *)"))
}

func nameStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func namePart(c byte) bool {
	return nameStart(c) || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '\''
}
