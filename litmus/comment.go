package litmus

import (
	"sort"
	"strings"
)

// blankComments replaces each (* comment *) by blanks, but keeps line breaks, so that offsets stay valid. In the
// header, which ends at the line that begins with {, a quote at the beginning of a line opens a doc string, in which (*
// is text. A comment that is not closed in the header ends there too. In C tests, comments of C count as well, in the
// header only at the beginning of a line; bodies have no others, because (*x) is an expression there.
func (s *scanner) blankComments(source string) string {
	if !strings.Contains(source, "(*") && !(s.inC && strings.Contains(source, "/")) {
		return source
	}
	out := []byte(source)
	var b blocks
	open := findBraces(source)
	header, fresh := true, true // fresh: only blanks so far on the line
	depth, start := 0, 0
	for i := 0; i < len(out); i++ {
		c := out[i]
		switch {
		case s.inC && depth == 0 && (fresh || !header) && commentC(source[i:]) > 0:
			end := i + commentC(source[i:])
			if strings.HasPrefix(source[i:], "/*") && !closedC(source[i:end]) {
				s.at = i
				s.failf("comment is not closed: want */")
			}
			blank(out[i:end])
			i = end - 1
		case strings.HasPrefix(source[i:], "(*") && !(depth == 0 && s.inC && b.body()):
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
		case c == '\n':
			fresh = true
		case depth > 0:
			out[i] = ' '
		case isBlank(c):
		case header && fresh && c == '"':
			end, closed := open.docEnd(source, i+1)
			switch {
			case closed:
				i, fresh = end, false
			case end >= 0:
				i = end - 1
			default:
				return string(out)
			}
		default:
			header = header && !(fresh && c == '{')
			fresh = false
			if !header {
				b.pass(c)
			}
		}
		if i == len(out)-1 && depth > 0 && header {
			if end := open.from(start); end >= 0 {
				s.remarkf(start, "the comment is not closed: it ends before the init block")
				copy(out[end:], source[end:])
				depth, fresh, i = 0, true, end-1
			}
		}
	}
	if depth > 0 {
		s.at = start
		s.failf("comment is not closed: want *)")
	}
	return string(out)
}

// Uncommented returns a test's text with its comments replaced by blanks; with a comment that is not closed, it returns
// the text unchanged.
func Uncommented(source string) (text string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			text = source
		default:
			panic(e)
		}
	}()
	return newScanner("", source).text
}

// isC reports whether the header, after comments of any kind, is that of a C test.
func isC(source string) bool {
	for {
		source = source[countBlanks(source):]
		n := commentC(source)
		if strings.HasPrefix(source, "(*") {
			n = 2
			for depth := 1; depth > 0 && n < len(source); n++ {
				switch {
				case strings.HasPrefix(source[n:], "(*"):
					depth++
					n++
				case strings.HasPrefix(source[n:], "*)"):
					depth--
					n++
				}
			}
		}
		if n == 0 {
			return inBodies(ArchName(wordOf(source)))
		}
		source = source[min(n, len(source)):]
	}
}

// commentC returns the length of the C comment at the beginning of s, or 0. A comment that is not closed extends to the
// end.
func commentC(s string) int {
	end, n := "", 0
	switch {
	case strings.HasPrefix(s, "//"):
		end = "\n"
	case strings.HasPrefix(s, "/*"):
		end, n = "*/", 2
	default:
		return 0
	}
	i := strings.Index(s[2:], end)
	if i < 0 {
		return len(s)
	}
	return 2 + i + n
}

func closedC(comment string) bool { return len(comment) >= 4 && strings.HasSuffix(comment, "*/") }

func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

// blocks counts the braces of a C test after its header: first those of the init block, then those of bodies.
type blocks struct {
	depth int
	init  bool // the init block has ended
}

func (b *blocks) pass(c byte) {
	switch {
	case c == '{':
		b.depth++
	case c == '}' && b.depth > 0:
		b.depth--
		b.init = b.init || b.depth == 0
	}
}

func (b *blocks) body() bool { return b.init && b.depth > 0 }

// docEnd returns where a doc string whose text begins at offset at ends: at its quote or, if no init block follows a
// quote, before the init block; -1 if there is no init block either.
func (b braces) docEnd(text string, at int) (end int, closed bool) {
	open, quote := b.from(at), strings.IndexByte(text[at:], '"')
	if quote < 0 {
		return open, false
	}
	quote += at
	after := text[quote+1:]
	if open < 0 || quote < open || b.from(quote) >= 0 || strings.HasPrefix(after[countBlanks(after):], "{") {
		return quote, true
	}
	return open, false
}

// braces are the offsets of each { that is the first character of its line.
type braces []int

func findBraces(text string) (b braces) {
	fresh := true // only blanks so far on the line
	for i := range len(text) {
		if fresh && text[i] == '{' {
			b = append(b, i)
		}
		fresh = text[i] == '\n' || fresh && isBlank(text[i])
	}
	return b
}

// from returns the first brace at or after offset at, or -1.
func (b braces) from(at int) int {
	if i := sort.SearchInts(b, at); i < len(b) {
		return b[i]
	}
	return -1
}
