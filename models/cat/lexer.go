package cat

import (
	"strings"
	"unicode/utf8"

	"litmuscope/litmus"
)

// token is one word or symbol; kind is the symbol itself, or one of name, tag,
// string, end of file.
type token struct {
	kind string
	text string
	pos  litmus.Pos
	span Span // of the file
}

// Span is a part of a text, in bytes: from From up to, and without, To.
type Span struct{ From, To int }

const (
	nameToken = "name"
	// A number occurs in titles alone, except 0, which is a symbol.
	numberToken = "number"
	textToken   = "string"
	tagToken    = "tag"
	endToken    = "end of file"
	unreadToken = "unread" // could not be read; the lexer has already reported the error
)

var symbols = []string{
	"^-1", "^+", "^*", "^?", "||", "&&", "->", "++", "|", ";", "\\", "&", "*", "+", "?", "~", "(",
	")", "[", "]", "{", "}", "=", ",", "_",
}

// remark is a comment: its words on one line, and its lines.
type remark struct {
	text     string
	from, to int
	before   int  // index of the token that follows it
	alone    bool // nothing precedes it on its first line
	span     Span
}

// lex splits a file into tokens and comments. It skips characters that begin neither. An unclosed string ends with its
// line, an unclosed comment with the file.
func lex(file, source string) (out []token, remarks []remark, errs litmus.ErrorList) {
	line, start := 1, 0
	add := func(kind, text string, pos litmus.Pos) {
		if len(text) > maxName && len(errs) < MaxErrors {
			errs = append(errs, litmus.Errorf(pos, "%s of %d bytes: want at most %d", kind, len(text), maxName))
			text = text[:maxName]
		}
		out = append(out, token{kind: kind, text: text, pos: pos})
	}
	i := 0
	spanned := func(from, tokens, comments int) {
		for k := range out[tokens:] {
			out[tokens+k].span = Span{from, i}
		}
		for k := range remarks[comments:] {
			remarks[comments+k].span = Span{from, i}
		}
	}
	for i < len(source) {
		from, tokens, comments := i, len(out), len(remarks)
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
			n := comment(source[i:])
			if n < 0 {
				errs = append(errs, litmus.Errorf(pos, "comment is not closed: want *)"))
				n = len(source) - i
				out = append(out, token{kind: unreadToken, pos: pos})
			}
			words := strings.Trim(strings.TrimSuffix(source[i+2:i+n], "*)"), "*")
			remarks = append(remarks, remark{
				text: strings.Join(strings.Fields(words), " "), from: line,
				to:     line + strings.Count(source[i:i+n], "\n"),
				before: len(out), alone: len(out) == 0 || out[len(out)-1].pos.Line < line,
			})
			for _, b := range []byte(source[i : i+n]) {
				i++
				if b == '\n' {
					line, start = line+1, i
				}
			}
		case c == '"':
			n := strings.IndexByte(source[i+1:], '"')
			if n < 0 {
				errs = append(errs, litmus.Errorf(pos, "string is not closed: want \""))
				out = append(out, token{kind: unreadToken, pos: pos})
				for i < len(source) && source[i] != '\n' {
					i++
				}
				spanned(from, tokens, comments)
				continue
			}
			text := source[i+1 : i+1+n]
			add(textToken, text, pos)
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
			add(tagToken, source[i+1:n], pos)
			i = n
		case nameStart(c) && !(c == '_' && (i+1 == len(source) || !namePart(source[i+1]))):
			n := i
			for n < len(source) && namePart(source[n]) {
				n++
			}
			for source[n-1] == '-' {
				n--
			}
			add(nameToken, source[i:n], pos)
			i = n
		case '0' <= c && c <= '9':
			n := i
			for n < len(source) && namePart(source[n]) {
				n++
			}
			kind := numberToken
			if source[i:n] == "0" {
				kind = "0"
			}
			add(kind, source[i:n], pos)
			i = n
		default:
			s, n := symbolAt(source[i:])
			if c == '^' && s == "" {
				errs = append(errs, litmus.Errorf(pos, `got "^", want ^-1, ^+, ^* or ^? behind a relation`))
				out = append(out, token{kind: unreadToken, pos: pos})
				if i++; len(errs) == MaxErrors {
					i = len(source)
				}
				spanned(from, tokens, comments)
				continue
			}
			if s == "" {
				r, n := utf8.DecodeRuneInString(source[i:])
				errs = append(errs, litmus.Errorf(pos, "unexpected character %q", r))
				if i += n; len(errs) == MaxErrors {
					i = len(source)
				}
				continue
			}
			out = append(out, token{kind: s, text: s, pos: pos})
			i += n
		}
		spanned(from, tokens, comments)
	}
	end := token{
		kind: endToken, pos: litmus.Pos{File: file, Line: line, Col: len(source) - start + 1},
		span: Span{len(source), len(source)},
	}
	return append(out, end), remarks, errs
}

// symbolAt returns the symbol that s begins with, and its length in bytes. Blanks may follow a ^, as in "r ^ -1".
func symbolAt(s string) (symbol string, length int) {
	blanks := 0
	if strings.HasPrefix(s, "^") {
		for 1+blanks < len(s) && (s[1+blanks] == ' ' || s[1+blanks] == '\t') {
			blanks++
		}
	}
	for _, sym := range symbols {
		if s[0] == sym[0] && strings.HasPrefix(s[1+blanks:], sym[1:]) {
			return sym, len(sym) + blanks
		}
	}
	return "", 0
}

// comment returns the length of the comment that s begins with, or -1 if it is not closed.
func comment(s string) int {
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
	return -1
}

func nameStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func namePart(c byte) bool {
	return nameStart(c) || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '\''
}
