package language

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
)

var (
	aBodyOfC   = litmus.Pattern(`^P(\d+)\s*(?:@[\w\s,]*)?\(`) // with a place in scopes: P0@wg 0, dev 0 (
	aNameOfC   = litmus.Pattern(`^[A-Za-z_]\w*`)
	aNumberOfC = litmus.Pattern(`^(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?)[uUlLfF]*`)
	aTextOfC   = litmus.Pattern(`^(?:(?:L|u8?|U)?"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)`)
	aDirective = litmus.Pattern(`^#[ \t]*\w*`)
	anInclude  = litmus.Pattern(`^(?:<[^>\n]*>|"[^"\n]*")`)
)

// bodies reads threads that are functions of C.
func (s *testScanner) bodies() {
	column := -1
	for s.blanks(s.end) {
		m := aBodyOfC().FindStringSubmatch(s.plain[s.at:s.end])
		if m == nil { // something half written
			from := s.at
			if s.pass(aNameOfC(), s.end) == "" {
				s.at += max(1, len(anOperator().FindString(s.plain[from:s.end])))
			}
			s.add(from, s.at, punctuation, symbol{})
			continue
		}
		column++
		id, _ := strconv.Atoi(m[1])
		s.ids = append(s.ids, id)
		from, first := s.at, len(s.tokens)
		s.at += len(m[1]) + 1
		s.add(from, s.at, heading, symbol{})
		params := map[string]bool{}
		open := strings.IndexByte(s.plain[s.at:s.end], '{')
		if open < 0 {
			open = s.end - s.at
		}
		s.params(s.at+open, params)
		end := min(s.end, closing(s.plain[:s.end], s.at)+1)
		s.body(end, id, params)
		for i := first; i < len(s.tokens); i++ {
			s.tokens[i].column = column
		}
	}
}

// params reads those of a body: the last name of each is a location.
func (s *testScanner) params(to int, params map[string]bool) {
	for s.blanks(to) {
		from := s.at
		name := s.pass(aNameOfC(), to)
		rest := strings.TrimLeft(s.plain[s.at:to], " \t\r\n")
		switch {
		case name == "":
			s.at += max(1, len(anOperator().FindString(s.plain[from:to])))
			s.add(from, s.at, punctuation, symbol{})
		case strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, ")") || strings.HasPrefix(rest, "["):
			params[name] = true
			s.add(from, s.at, locationName, symbol{locations, 0, name})
		default:
			s.add(from, s.at, typeName, symbol{})
		}
	}
}

// body reads statements of a thread: names are its parameters or its locals.
func (s *testScanner) body(to, thread int, params map[string]bool) {
	for s.blanks(to) {
		from := s.at
		name := s.pass(aNameOfC(), to)
		if name == "" {
			s.symbolOfC(to)
			continue
		}
		k := s.wordOfC(name, s.plain[s.at:to])
		switch {
		case k != locationName:
			s.add(from, s.at, k, symbol{})
		case params[name]:
			s.add(from, s.at, locationName, symbol{locations, 0, name})
		default:
			s.add(from, s.at, register, symbol{locals, thread, name})
		}
	}
}

// wordOfC is what a word of C is, by what stands behind it: a locationName for one that somebody has given.
func (v *vocabulary) wordOfC(name, behind string) kind {
	rest := strings.TrimLeft(behind, " \t\r\n")
	called := strings.HasPrefix(rest, "(")
	assigned := strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
	switch {
	case v.controls[name] && !assigned:
		return keyword
	case (v.types[name] || strings.HasSuffix(name, "_t")) && !assigned && !called:
		return typeName
	case v.orders[name]:
		return label
	case called:
		return mnemonic
	}
	return locationName
}

// symbolOfC passes what is no word.
func (s *testScanner) symbolOfC(to int) {
	from := s.at
	k := number
	if s.pass(aNumberOfC(), to) == "" {
		if k = quoted; s.pass(aTextOfC(), to) == "" {
			k = punctuation
			s.at += max(1, len(anOperator().FindString(s.plain[from:to])))
		}
	}
	s.add(from, s.at, k, symbol{})
}

// programTokens takes a program in C apart.
func programTokens(text string) []token {
	s := &testScanner{vocabulary: programTongue(), plain: plainC(text)}
	for s.blanks(len(text)) {
		from := s.at
		if s.plain[from] == '#' && s.begins() && s.pass(aDirective(), len(text)) != "" {
			s.add(from, s.at, keyword, symbol{})
			line := len(text)
			if n := strings.IndexByte(s.plain[s.at:], '\n'); n >= 0 {
				line = s.at + n
			}
			if s.blanks(line) {
				from = s.at
				if s.pass(anInclude(), line) != "" {
					s.add(from, s.at, quoted, symbol{})
				}
			}
			continue
		}
		if s.pass(aTextOfC(), len(text)) != "" { // before words, for L"…"
			s.add(from, s.at, quoted, symbol{})
			continue
		}
		name := s.pass(aNameOfC(), len(text))
		if name == "" {
			s.symbolOfC(len(text))
			continue
		}
		k := s.wordOfC(name, s.plain[s.at:])
		of := symbol{}
		if k == locationName || k == mnemonic {
			of = symbol{programNames, 0, name}
		}
		s.add(from, s.at, k, of)
	}
	resolveProgram(text, s.tokens)
	return withComments(s.tokens, text, s.plain)
}

// programTongue is the vocabulary of programs, for what the text of tests in C has as well.
func programTongue() *vocabulary {
	p := programVocabulary()
	v := &vocabulary{
		controls: setOf(p.Controls, false), types: setOf(p.Types, false),
		orders: setOf(p.Modifiers, false),
	}
	v.Bodies = true
	return v
}

// plainC has blanks for the comments of a program.
func plainC(text string) string {
	out := []byte(text)
	for at := 0; at < len(text); {
		switch {
		case text[at] == '"' || text[at] == '\'':
			at += max(1, len(aTextOfC().FindString(text[at:min(len(text), at+maxQuoted)])))
		case strings.HasPrefix(text[at:], "//"), strings.HasPrefix(text[at:], "/*"):
			n := commentLength(text[at:])
			for i := at; i < at+n; i++ {
				if out[i] != '\n' && out[i] != '\r' {
					out[i] = ' '
				}
			}
			at += n
		default:
			at++
		}
	}
	return string(out)
}

// maxQuoted is as far as the end of a text in quotes is looked for.
const maxQuoted = 4096
