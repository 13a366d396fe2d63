package litmus

import (
	"sort"
	"strconv"
	"strings"
)

// scanner reads a test's text, comments blanked out, from left to right. It
// panics with a *Error, which Parse recovers.
type scanner struct {
	file  string
	text  string // comments replaced by blanks, same offsets as the source
	lines []int  // offset of each line's start
	at    int
}

func newScanner(file, source string) *scanner {
	s := &scanner{file: file, lines: []int{0}}
	for i := 0; i < len(source); i++ {
		if source[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	s.text = s.blankComments(source)
	return s
}

// blankComments replaces each (* comment *) by blanks, keeping line breaks.
func (s *scanner) blankComments(source string) string {
	if !strings.Contains(source, "(*") {
		return source
	}
	out := []byte(source)
	depth, start, quoted := 0, 0, false
	for i := 0; i < len(out); i++ {
		switch {
		case depth == 0 && out[i] == '"':
			quoted = !quoted
		case quoted:
		case strings.HasPrefix(source[i:], "(*"):
			if depth == 0 {
				start = i
			}
			depth++
			out[i], out[i+1] = ' ', ' '
			i++
		case depth > 0 && strings.HasPrefix(source[i:], "*)"):
			depth--
			out[i], out[i+1] = ' ', ' '
			i++
		case depth > 0 && out[i] != '\n':
			out[i] = ' '
		}
	}
	if depth > 0 {
		s.at = start
		s.failf("comment is not closed: want *)")
	}
	return string(out)
}

func (s *scanner) posAt(offset int) Pos {
	line := sort.SearchInts(s.lines, offset+1)
	return Pos{File: s.file, Line: line, Col: offset - s.lines[line-1] + 1}
}

func (s *scanner) pos() Pos { return s.posAt(s.at) }

func (s *scanner) failf(format string, args ...any) {
	panic(Errorf(s.pos(), format, args...))
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isWordStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordPart(c byte) bool { return isWordStart(c) || isDigit(c) || c == '.' || c == '\'' }

func (s *scanner) skipBlanks() {
	for s.at < len(s.text) && isBlank(s.text[s.at]) {
		s.at++
	}
}

// rest is the text that is left, after blanks.
func (s *scanner) rest() string {
	s.skipBlanks()
	return s.text[s.at:]
}

func (s *scanner) done() bool { return s.rest() == "" }

// next tells what stands at the cursor, for error messages.
func (s *scanner) next() string {
	r := s.rest()
	if r == "" {
		return "end of file"
	}
	if w := wordOf(r); w != "" {
		return strconv.Quote(w)
	}
	if i := strings.IndexAny(r[1:], " \t\r\n;|(){}[]\"") + 1; i > 0 && isDigit(r[0]) {
		return strconv.Quote(r[:i])
	}
	return strconv.Quote(r[:1])
}

// wordOf is the identifier that r begins with.
func wordOf(r string) string {
	if r == "" || !isWordStart(r[0]) {
		return ""
	}
	i := 1
	for i < len(r) && isWordPart(r[i]) {
		i++
	}
	return r[:i]
}

// peek tells whether the symbol comes next.
func (s *scanner) peek(symbol string) bool { return strings.HasPrefix(s.rest(), symbol) }

// accept passes the symbol if it comes next.
func (s *scanner) accept(symbol string) bool {
	if s.peek(symbol) {
		s.at += len(symbol)
		return true
	}
	return false
}

func (s *scanner) expect(symbol, where string) {
	if !s.accept(symbol) {
		s.failf("got %s, want %q %s", s.next(), symbol, where)
	}
}

// peekWord is the identifier that comes next, or "".
func (s *scanner) peekWord() string { return wordOf(s.rest()) }

// acceptWord passes the identifier w if it comes next.
func (s *scanner) acceptWord(w string) bool {
	if s.peekWord() == w {
		s.at += len(w)
		return true
	}
	return false
}

func (s *scanner) word(what string) string {
	w := s.peekWord()
	if w == "" {
		s.failf("got %s, want %s", s.next(), what)
	}
	s.at += len(w)
	return w
}

// number reads a decimal, hexadecimal or octal number of up to 64 bits, with an
// optional sign.
func (s *scanner) number(what string) uint64 {
	r := s.rest()
	n := 0
	if n < len(r) && (r[n] == '-' || r[n] == '+') {
		n++
	}
	for n < len(r) && isWordPart(r[n]) {
		n++
	}
	v, err := ParseNumber(r[:n])
	if err != nil {
		s.failf("got %s, want %s", s.next(), what)
	}
	s.at += n
	return v
}

// ParseNumber reads a decimal, 0x… or 0b… number of up to 64 bits, signed or not;
// a negative one comes in two's complement.
func ParseNumber(text string) (uint64, error) {
	digits, negative := strings.TrimPrefix(text, "+"), false
	if strings.HasPrefix(text, "-") {
		digits, negative = text[1:], true
	}
	base := 10
	lower := strings.ToLower(digits)
	switch {
	case strings.HasPrefix(lower, "0x"):
		base, digits = 16, digits[2:]
	case strings.HasPrefix(lower, "0b"):
		base, digits = 2, digits[2:]
	}
	v, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return 0, err
	}
	if negative {
		v = -v
	}
	return v, nil
}
