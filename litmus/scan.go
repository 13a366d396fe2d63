package litmus

import (
	"errors"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner reads a test's text from left to right, with comments replaced by blanks. It panics with a *Error, which
// Parse recovers.
type scanner struct {
	file  string
	text  string // comments replaced by blanks, same offsets as the source
	lines []int  // offset of each line's start
	at    int
	inC   bool // the test is in C

	braces braces // of text

	remarks []Remark
}

func newScanner(file, source string) *scanner {
	source = plainBlanks(unixLines(source))
	s := &scanner{file: file, lines: make([]int, 1, 1+strings.Count(source, "\n"))}
	for i := 0; i < len(source); i++ {
		if source[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	s.inC = isC(source)
	s.text = s.blankComments(source)
	s.braces = findBraces(s.text)
	return s
}

func (s *scanner) remarkf(offset int, format string, args ...any) {
	s.remarks = append(s.remarks, Remarkf(s.posAt(offset), format, args...))
}

func (s *scanner) posAt(offset int) Pos {
	line := sort.SearchInts(s.lines, offset+1)
	return Pos{File: s.file, Line: line, Col: offset - s.lines[line-1] + 1}
}

func (s *scanner) pos() Pos { return s.posAt(s.at) }

func (s *scanner) failf(format string, args ...any) {
	panic(Errorf(s.pos(), format, args...))
}

// unixLines replaces each carriage return that ends a line by a line feed. Lines and offsets stay the same.
func unixLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	out := []byte(text)
	for i, c := range out {
		if c == '\r' && (i+1 == len(out) || text[i+1] != '\n') {
			out[i] = '\n'
		}
	}
	return string(out)
}

// plainBlanks replaces Unicode blanks by ASCII blanks of the same number of bytes: no-break spaces, which texts from
// web pages and PDF files contain, and the byte order mark.
func plainBlanks(text string) string {
	foreign := func(r rune) bool { return r >= 0x80 && (unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b') }
	if strings.IndexFunc(text, foreign) < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i, r := range text {
		_, n := utf8.DecodeRuneInString(text[i:])
		if foreign(r) {
			b.WriteString("   "[:n])
		} else {
			b.WriteString(text[i : i+n])
		}
	}
	return b.String()
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// trim removes the blanks at both ends. Everywhere, only ASCII blanks count.
func trim(s string) string {
	s = s[countBlanks(s):]
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// countBlanks returns the number of blanks at the beginning of s.
func countBlanks(s string) int {
	n := 0
	for n < len(s) && isBlank(s[n]) {
		n++
	}
	return n
}

// fields splits at runs of blanks.
func fields(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r < 0x80 && isBlank(byte(r)) })
}

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

// rest returns the remaining text, without leading blanks.
func (s *scanner) rest() string {
	s.skipBlanks()
	return s.text[s.at:]
}

func (s *scanner) done() bool { return s.rest() == "" }

// next describes the next text for error messages.
func (s *scanner) next() string {
	r := s.rest()
	if r == "" {
		return "end of file"
	}
	if w := wordOf(r); w != "" {
		return strconv.Quote(Shorten(w))
	}
	i := 0
	for i < len(r) && isWordPart(r[i]) {
		i++
	}
	if i > 0 {
		return strconv.Quote(Shorten(r[:i]))
	}
	_, i = utf8.DecodeRuneInString(r)
	return strconv.Quote(r[:i])
}

// Shorten shortens a text so that a message can quote it.
func Shorten(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// wordOf returns the identifier at the beginning of r.
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

// peek reports whether the symbol comes next.
func (s *scanner) peek(symbol string) bool { return strings.HasPrefix(s.rest(), symbol) }

// accept reads the symbol if it comes next.
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

// MaxName bounds names of all sorts, in bytes.
const MaxName = 256

// peekWord returns the identifier that comes next, or "".
func (s *scanner) peekWord() string {
	w := wordOf(s.rest())
	if len(w) > MaxName {
		s.failf("the name %q has %d bytes: want at most %d", Shorten(w), len(w), MaxName)
	}
	return w
}

// acceptWord reads the identifier w if it comes next.
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

// number reads a decimal, hexadecimal or binary number of up to 64 bits, with an optional sign.
func (s *scanner) number(what string) uint64 {
	r := s.rest()
	n := 0
	if n < len(r) && (r[n] == '-' || r[n] == '+') {
		n++
	}
	for n < len(r) && isWordPart(r[n]) {
		n++
	}
	digits := r[:n]
	if s.inC {
		digits = strings.TrimRight(digits, "uUlL")
	}
	v, err := ParseNumber(digits)
	if errors.Is(err, strconv.ErrRange) {
		s.failf("number %s does not fit in 64 bits", Shorten(r[:n]))
	}
	if err != nil {
		s.failf("got %s, want %s", s.next(), what)
	}
	s.at += n
	return v
}

// ParseNumber parses a decimal, 0x… or 0b… number of up to 64 bits, signed or not. A negative one, down to -2^63, is
// returned in two's complement.
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
		if v > 1<<63 {
			return 0, strconv.ErrRange
		}
		v = -v
	}
	return v, nil
}
