package language

import (
	"regexp"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// testTokens takes a test's text apart, as far as it is there: it may be half written.
func testTokens(text string) []token {
	s := &testScanner{vocabulary: vocabularyFor(text)}
	s.read(text)
	return s.tokens
}

// testScanner goes over a test's text once. Comments are blanks to it.
type testScanner struct {
	*vocabulary
	plain string
	at    int
	part  part

	open, closed int   // the braces of the init block; len(plain) where there is none
	end          int   // where the code ends
	ids          []int // of threads, by column

	in     within // parentheses of a system's side
	tokens []token
}

var (
	behindCode = litmus.Pattern(`(?:^|[;}\n])\s*(?:exists\b|forall\b|locations\b|filter\b|final\b|~)`)
	openBrace  = litmus.Pattern(`(?m)^[ \t]*\{`)
	threadName = litmus.Pattern(`^P(\d+)(?:\.F)?\b`) // P0, or its handler P0.F
	threadOf   = litmus.Pattern(`^P?(\d+):`)
	aLabel     = litmus.Pattern(`^[A-Za-z_.][\w.$]*\s*:`)
	aMnemonic  = litmus.Pattern(`^[A-Za-z_.][\w.$]*[-+]?`)
	aWord      = litmus.Pattern(`^[$%]?[A-Za-z_.][\w.$]*`)
	aNumber    = litmus.Pattern(`^[$#]?-?(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*`)
	sigilWord  = litmus.Pattern(`^\$\d+`) // a register of MIPS
	aKeyword   = litmus.Pattern(`^(?:exists|forall|locations|filter|final|with|not|true|false)\b`)
	anOperator = litmus.Pattern(`^(?:/\\|\\/|=>|!=|==|<=|>=|&&|\|\||.)`)
	anEquation = litmus.Pattern(`(?m)^[A-Za-z]\w*=[^\n]*$`)
)

// plainText has blanks for a text's comments, at the same places.
func plainText(text string) string {
	plain := litmus.Uncommented(text)
	return strings.Repeat(" ", len(text)-len(plain)) + plain // a byte order mark is gone
}

func (s *testScanner) read(text string) {
	s.plain = plainText(text)
	s.frame()
	s.header()
	s.part = initial
	if s.open < len(s.plain) {
		s.add(s.open, s.open+1, punctuation, symbol{})
		s.at = s.open + 1
		s.values(s.closed)
	}
	if s.closed < len(s.plain) {
		s.add(s.closed, s.closed+1, punctuation, symbol{})
		s.at, s.part = s.closed+1, code
		if s.isC() {
			s.bodies()
		} else {
			s.columns()
		}
	}
	s.part = final
	s.values(len(s.plain))
	s.tokens = withComments(s.tokens, text, s.plain)
}

// frame finds the parts.
func (s *testScanner) frame() {
	s.open = len(s.plain)
	if at := openBrace().FindStringIndex(s.plain); at != nil {
		s.open = at[1] - 1
	} else if at := strings.IndexByte(s.plain, '{'); at >= 0 {
		s.open = at
	}
	s.closed = closing(s.plain, s.open)
	s.end = len(s.plain)
	if s.closed == len(s.plain) {
		return
	}
	from := s.closed + 1
	if s.isC() { // what is behind the last body
		for ends := -1; ; {
			if ends < from {
				if ends = len(s.plain); behindCode().MatchString(s.plain[from:]) {
					ends = from + behindCode().FindStringIndex(s.plain[from:])[1]
				}
			}
			brace := strings.IndexByte(s.plain[from:], '{')
			if brace < 0 || ends <= from+brace {
				break
			}
			from = closing(s.plain, from+brace)
			if from == len(s.plain) {
				return
			}
			from++
		}
	}
	if at := behindCode().FindStringIndex(s.plain[from:]); at != nil {
		word := from + at[0]
		s.end = word + len(s.plain[word:from+at[1]]) - len(strings.TrimLeft(s.plain[word:from+at[1]], ";} \t\r\n"))
	}
}

// closing is where the brace that is opened at a place closes, or the text's end.
func closing(text string, open int) int {
	depth := 0
	for at := open; at < len(text); at++ {
		if text[at] == '{' {
			depth++
		} else if text[at] == '}' {
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return len(text)
}

func (s *testScanner) add(from, to int, k kind, of symbol) {
	s.tokens = append(s.tokens, token{from: from, to: to, kind: k, part: s.part, column: -1, of: of})
}

// pass is the text at the cursor that a pattern matches, which is gone past; "" where it does not.
func (s *testScanner) pass(re *regexp.Regexp, to int) string {
	m := re.FindString(s.plain[s.at:to])
	s.at += len(m)
	return m
}

func (s *testScanner) blanks(to int) bool {
	for s.at < to && strings.IndexByte(" \t\r\n\v\f", s.plain[s.at]) >= 0 {
		s.at++
	}
	return s.at < to
}

// begins tells whether blanks alone are before the cursor in its line.
func (s *testScanner) begins() bool {
	for i := s.at - 1; i >= 0 && s.plain[i] != '\n'; i-- {
		if strings.IndexByte(" \t\r\v\f", s.plain[i]) < 0 {
			return false
		}
	}
	return true
}

// header has the architecture and the name, a text in quotes, and lines Key=value.
func (s *testScanner) header() {
	for first := true; s.blanks(s.open); {
		from := s.at
		begins := s.begins()
		switch {
		case s.plain[from] == '"':
			end := strings.IndexByte(s.plain[from+1:s.open], '"')
			if s.at = s.open; end >= 0 {
				s.at = from + end + 2
			}
			s.add(from, s.at, quoted, symbol{})
		case begins && !first && s.pass(anEquation(), s.open) != "":
			s.add(from, s.at, comment, symbol{})
		default:
			for s.at < s.open && strings.IndexByte(" \t\r\n\"", s.plain[s.at]) < 0 {
				s.at++
			}
			k := heading
			if first {
				k = keyword
			}
			s.add(from, s.at, k, symbol{})
		}
		first = false
	}
}

// values reads the init block, or what is behind the threads: registers of threads, locations, numbers.
func (s *testScanner) values(to int) {
	thread, ofCode := -1, false
	for s.blanks(to) {
		from := s.at
		of := thread
		thread = -1
		if m := threadOf().FindStringSubmatch(s.plain[from:to]); m != nil {
			s.at += len(m[0])
			thread, _ = strconv.Atoi(m[1])
			ofCode = s.plain[from] == 'P'
			s.add(from, s.at, number, symbol{})
			continue
		}
		switch {
		case of >= 0 && (s.pass(sigilWord(), to) != "" || s.pass(aWord(), to) != ""):
			s.register(from, of, ofCode)
		case of < 0 && s.systemValue(to):
		case s.pass(aNumber(), to) != "":
			s.add(from, s.at, number, symbol{})
		case s.part == final && s.pass(aKeyword(), to) != "":
			s.add(from, s.at, keyword, symbol{})
		case s.pass(aWord(), to) != "":
			rest := strings.TrimLeft(s.plain[s.at:to], " \t*")
			if s.part == initial && len(rest) < len(s.plain[s.at:to]) && aWord().MatchString(rest) ||
				s.part == initial && threadOf().MatchString(strings.TrimLeft(s.plain[s.at:to], " \t*")) {
				s.add(from, s.at, typeName, symbol{})
			} else if name := s.plain[from:s.at]; strings.HasPrefix(name, "%") {
				s.add(from, s.at, register, symbol{})
			} else {
				s.add(from, s.at, locationName, symbol{locations, 0, name})
				s.tokens[len(s.tokens)-1].defines = s.part == initial
			}
		default:
			s.at += len(anOperator().FindString(s.plain[from:to]))
			s.at = max(s.at, from+1)
			s.add(from, s.at, punctuation, symbol{})
		}
	}
	s.at = to
}

// register adds a register of a thread, or a local in C, by its number. In instructions, P0:L0 is a label.
func (s *testScanner) register(from, thread int, ofCode bool) {
	name := s.plain[from:s.at]
	if whole, ok := s.whole(name); ok {
		s.add(from, s.at, register, symbol{registers, thread, whole})
		return
	}
	if ofCode && !s.isC() {
		s.add(from, s.at, label, symbol{labels, thread, name})
		return
	}
	sym := symbol{locals, thread, name}
	if !s.isC() {
		sym = symbol{}
	}
	s.add(from, s.at, register, sym)
}

// columns reads threads that stand side by side.
func (s *testScanner) columns() {
	column, begins, jump := 0, true, false
	first := len(s.tokens)
	id := func() int {
		if column < len(s.ids) {
			return s.ids[column]
		}
		return column
	}
	names := 0 // whether the row of threads' names is over
	add := func(from int, k kind, of symbol) {
		s.add(from, s.at, k, of)
		s.tokens[len(s.tokens)-1].column = column
	}
	for s.blanks(s.end) {
		from := s.at
		c := s.plain[from]
		m := threadName().FindStringSubmatch(s.plain[from:s.end])
		switch {
		case c == '|' || c == ';':
			s.at++
			add(from, punctuation, symbol{})
			if column++; c == ';' {
				column = 0
				names++
			}
			begins, jump = true, false
		case begins && names == 0 && m != nil:
			s.at += len(m[0])
			n, _ := strconv.Atoi(m[1])
			for len(s.ids) < column {
				s.ids = append(s.ids, len(s.ids))
			}
			s.ids = append(s.ids[:column], n)
			add(from, heading, symbol{})
		case begins && aLabel().MatchString(s.plain[from:s.end]):
			name := strings.TrimRight(strings.TrimSuffix(aLabel().FindString(s.plain[from:s.end]), ":"), " \t\r\n")
			s.at += len(name)
			add(from, label, symbol{labels, id(), name})
			s.tokens[len(s.tokens)-1].defines = true
			s.at += strings.IndexByte(s.plain[s.at:], ':') + 1
		case begins && s.assigns(from): // r1 = …, in tests of BPF
			begins = false
			s.operand(false, id(), add)
		case begins && s.pass(aMnemonic(), s.end) != "":
			word := strings.ToUpper(s.plain[from:s.at])
			add(from, mnemonic, symbol{})
			begins = word == "LOCK" || word == "REP"
			jump = s.jumps[strings.TrimRight(word, "-+")]
		default:
			s.operand(jump, id(), add)
		}
	}
	// What is a label of the thread is one wherever it is named.
	known := map[symbol]bool{}
	for _, t := range s.tokens[first:] {
		known[t.of] = known[t.of] || t.of.space == labels && t.defines
	}
	for i := first; i < len(s.tokens); i++ {
		t := &s.tokens[i]
		thread := t.column
		if t.column >= 0 && t.column < len(s.ids) {
			thread = s.ids[t.column]
		}
		if as := (symbol{labels, thread, t.of.name}); t.of.space == locations && known[as] {
			t.kind, t.of = label, as
		}
	}
}

// assigns tells whether a statement begins with a register.
func (s *testScanner) assigns(from int) bool {
	_, ok := s.whole(aWord().FindString(s.plain[from:s.end]))
	return ok
}

// operand scans one operand at s.at and adds its token: a number, a register, a label after a jump, or a location. Any
// other character is punctuation.
func (s *testScanner) operand(jump bool, thread int, add func(from int, k kind, of symbol)) {
	from := s.at
	word := sigilWord().FindString(s.plain[from:s.end])
	if _, ok := s.whole(word); word == "" || !ok {
		word = aWord().FindString(s.plain[from:s.end])
	}
	whole, isRegister := s.whole(word)
	s.at += len(word)
	switch {
	case word == "":
		if s.pass(aNumber(), s.end) != "" {
			add(from, number, symbol{})
			return
		}
		s.at = from + max(1, len(anOperator().FindString(s.plain[from:s.end])))
		if s.plain[from] == '|' || strings.Contains(s.plain[from:s.at], "|") ||
			strings.Contains(s.plain[from:s.at], ";") {
			s.at = from + 1
		}
		add(from, punctuation, symbol{})
	case s.modifiers[strings.ToUpper(word)]:
		add(from, mnemonic, symbol{})
	case isRegister:
		add(from, register, symbol{registers, thread, whole})
	case jump:
		add(from, label, symbol{labels, thread, word})
	default:
		name := strings.TrimLeft(word, "$") // of X86_64: $x is the address of x
		s.at = from + len(word)
		add(from+len(word)-len(name), locationName, symbol{locations, 0, name})
	}
}

// withComments adds the comments, which are where a text and what is plain of it differ.
func withComments(tokens []token, text, plain string) []token {
	out := make([]token, 0, len(tokens))
	at := len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	upTo := func(end int) {
		for at < end {
			if text[at] == plain[at] {
				at++
				continue
			}
			from := at
			at = min(from+commentLength(text[from:]), end) // one in the header that is not closed ends there
			out = append(out, token{from: from, to: at, kind: comment, column: -1})
		}
	}
	for _, t := range tokens {
		upTo(t.from)
		out = append(out, t)
		at = max(at, t.to)
	}
	upTo(len(text))
	return out
}

// commentLength is the length of the comment that a text begins with.
func commentLength(text string) int {
	switch {
	case strings.HasPrefix(text, "//"):
		if n := strings.IndexByte(text, '\n'); n >= 0 {
			return n
		}
	case strings.HasPrefix(text, "/*"):
		if n := strings.Index(text[2:], "*/"); n >= 0 {
			return n + 4
		}
	case strings.HasPrefix(text, "(*"):
		for at, depth := 0, 0; at+1 < len(text); at++ {
			switch text[at : at+2] {
			case "(*":
				depth++
				at++
			case "*)":
				depth--
				at++
			}
			if depth == 0 {
				return at + 1
			}
		}
	default:
		return 1
	}
	return len(text)
}
