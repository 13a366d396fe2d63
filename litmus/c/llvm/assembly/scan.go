package assembly

import (
	"fmt"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// kind is the kind of a token.
type kind int

const (
	end      kind = iota
	word          // a keyword, a type such as i32, a number's or a label's name
	local         // %name
	global        // @name
	comdat        // $name
	metadata      // !name or !12; "" for the ! before { or a string
	group         // #12
	integer       // 12, -3
	real          // 1.0e+00, 0x3FF0000000000000
	text          // "..."
	chars         // c"..."
	label         // name:
	sign          // punctuation
)

// token is a token with its position. text is its name or content, without the sigil and the quotes.
type token struct {
	kind kind
	text string
	at   int // byte offset in the source
}

// scanner splits a module into tokens, one at a time.
type scanner struct {
	file   string
	source string
	at     int
	line   int // of offset seen
	begin  int // offset of that line
	seen   int
}

// pos converts an offset to a position. Offsets must not decrease by much: it counts lines as it goes.
func (s *scanner) pos(at int) litmus.Pos {
	if at < s.seen {
		s.line, s.begin, s.seen = 1, 0, 0
	}
	for i := s.seen; i < at && i < len(s.source); i++ {
		if s.source[i] == '\n' {
			s.line, s.begin = s.line+1, i+1
		}
	}
	s.seen = at
	return litmus.Pos{File: s.file, Line: s.line, Col: at - s.begin + 1}
}

func (s *scanner) fail(at int, format string, args ...any) {
	panic(failure{&litmus.Error{Pos: s.pos(at), Msg: fmt.Sprintf(format, args...)}})
}

// failure is what the parser panics with; Parse recovers it.
type failure struct{ err *litmus.Error }

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || strings.IndexByte("$._-", c) >= 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// next returns the next token.
func (s *scanner) next() token {
	for s.at < len(s.source) {
		switch c := s.source[s.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
			continue
		case c == ';':
			for s.at < len(s.source) && s.source[s.at] != '\n' {
				s.at++
			}
			continue
		}
		break
	}
	from := s.at
	if from == len(s.source) {
		return token{end, "", from}
	}
	switch c := s.source[from]; {
	case c == '"':
		t := token{text, s.quoted(), from}
		if s.at < len(s.source) && s.source[s.at] == ':' {
			s.at++
			t.kind = label
		}
		return t
	case c == 'c' && strings.HasPrefix(s.source[from+1:], `"`):
		s.at++
		return token{chars, s.quoted(), from}
	case c == '%' || c == '@' ||
		c == '$' && from+1 < len(s.source) && (isName(s.source[from+1]) || s.source[from+1] == '"'):
		s.at++
		return token{map[byte]kind{'%': local, '@': global, '$': comdat}[c], s.name(from), from}
	case c == '!':
		s.at++
		if s.at < len(s.source) && isName(s.source[s.at]) || s.at < len(s.source) && s.source[s.at] == '\\' {
			begin := s.at
			for s.at < len(s.source) && (isName(s.source[s.at]) || s.source[s.at] == '\\') {
				s.at++
			}
			return token{metadata, unescape(s.source[begin:s.at]), from}
		}
		return token{metadata, "", from}
	case c == '#' || c == '^':
		s.at++
		return token{group, string(c) + s.run(), from}
	case isDigit(c) || c == '-' || c == '+':
		return s.number(from)
	case strings.HasPrefix(s.source[from:], "..."):
		s.at += 3
		return token{sign, "...", from}
	case isName(c):
		name := s.run()
		if s.at < len(s.source) && s.source[s.at] == ':' && !strings.HasPrefix(s.source[s.at:], "::") {
			s.at++
			return token{label, name, from}
		}
		return token{word, name, from}
	case strings.IndexByte("=,*(){}[]<>|", c) >= 0:
		s.at++
		return token{sign, string(c), from}
	default:
		s.fail(from, "unexpected character %q", c)
		panic("unreachable")
	}
}

// run reads the letters of a name.
func (s *scanner) run() string {
	from := s.at
	for s.at < len(s.source) && isName(s.source[s.at]) {
		s.at++
	}
	return s.source[from:s.at]
}

// name reads the name behind a sigil.
func (s *scanner) name(from int) string {
	if s.at < len(s.source) && s.source[s.at] == '"' {
		return s.quoted()
	}
	name := s.run()
	if name == "" {
		s.fail(from, "want a name after %q", s.source[from])
	}
	return name
}

// quoted reads a string, from its first quote on.
func (s *scanner) quoted() string {
	from := s.at + 1
	length := strings.IndexByte(s.source[from:], '"')
	if length < 0 {
		s.fail(s.at, "the string has no end")
	}
	s.at = from + length + 1
	return unescape(s.source[from : from+length])
}

// unescape replaces \xx by the byte with that hexadecimal number.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+2 < len(text) {
			if v, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		if text[i] == '\\' && i+1 < len(text) && text[i+1] == '\\' {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// number reads an integer, a real number, or a label that is a number.
func (s *scanner) number(from int) token {
	s.at++
	if strings.HasPrefix(s.source[from:], "0x") {
		name := s.run()
		return token{real, "0" + name, from}
	}
	kind := integer
	for s.at < len(s.source) {
		switch c := s.source[s.at]; {
		case isDigit(c):
		case c == '.' && kind == integer:
			kind = real
		case (c == 'e' || c == 'E') && kind == real:
			if n := s.at + 1; n < len(s.source) && (s.source[n] == '+' || s.source[n] == '-') {
				s.at++
			}
		case c == ':' && kind == integer:
			t := token{label, s.source[from:s.at], from}
			s.at++
			return t
		case isName(c) && kind == integer: // a label such as 1.bb: is not printed by LLVM
			s.fail(from, "%q is no number", s.source[from:s.at+1])
		default:
			return token{kind, s.source[from:s.at], from}
		}
		s.at++
	}
	return token{kind, s.source[from:s.at], from}
}
