package read

import (
	"fmt"
	"strings"
	"unicode"
)

// measure counts the tokens after preprocessing, and how deep they nest. The parser uses recursion for brackets, but
// also for casts, prefix operators, and statements that control a statement. The number of tokens since the last
// separator bounds these.
//
// It sees the output of the preprocessor, and not the text, because macros can nest brackets that no file contains.
type measure struct {
	tokens, run int
	levels      []int          // open tokens outside each bracket
	names       map[string]int // number of mentions outside brackets
	packed      bool           // there is an attribute packed or aligned
	bits        bool           // there may be a bit-field
	statement   []string       // the beginning of the current statement
	given       given
	err         error
}

// Write implements io.Writer. The C parser writes one token at a time.
func (m *measure) Write(token []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	text := strings.TrimSpace(string(token))
	if text == "" {
		return len(token), nil
	}
	m.tokens++
	m.run++
	switch text {
	case "(", "[", "{":
		m.levels = append(m.levels, m.run)
	case ")", "]", "}":
		if n := len(m.levels); n > 0 {
			m.run, m.levels = m.levels[n-1], m.levels[:n-1]
		}
		if text == "}" {
			m.separate()
		}
	case ";", ",":
		m.separate()
	}
	if len(m.levels) == 0 && (text[0] == '_' || unicode.IsLetter(rune(text[0]))) && !keywords[text] {
		if m.names == nil {
			m.names = map[string]int{}
		}
		m.names[text]++
	}
	m.given.token(text)
	m.colon(text)
	m.packed = m.packed || text == packed || strings.Trim(text, "_") == "packed" || strings.Trim(text, "_") == "aligned"
	switch {
	case m.names[text] > maxMentions:
		m.err = fmt.Errorf("%.100s is declared more than %d times", text, maxMentions)
	case m.tokens > maxTokens:
		m.err = fmt.Errorf("the program is too large: more than %d tokens after the preprocessor", maxTokens)
	case len(m.levels) > maxNesting:
		m.err = fmt.Errorf("brackets nest more than %d deep", maxNesting)
	case m.run > maxRun:
		m.err = fmt.Errorf("an expression or a statement has more than %d tokens", maxRun)
	}
	return len(token), m.err
}

// keywords may occur any number of times outside functions.
var keywords = map[string]bool{
	"int": true, "void": true, "char": true, "long": true, "short": true, "unsigned": true, "signed": true,
	"_Bool": true, "const": true,
	"volatile": true, "static": true, "extern": true, "inline": true, "struct": true, "union": true, "enum": true,
	"typedef": true,
	"_Atomic": true, "__attribute__": true, "__inline": true, "_Static_assert": true,
}

// separate begins a new run of tokens, at the depth of the enclosing bracket.
func (m *measure) separate() {
	m.run = 0
	if n := len(m.levels); n > 0 {
		m.run = m.levels[n-1]
	}
}

// colon records a colon that may belong to a bit-field: after a type, or after a name and its type.
func (m *measure) colon(text string) {
	switch s := m.statement; {
	case strings.ContainsAny(text, ";{}"):
		m.statement = s[:0]
	case text == ":" && (len(s) < 2 || s[0] == "case"): // a label
		m.statement = s[:0]
	case text == "?": // its colon follows
		m.statement = append(s[:0], "case", "?")
	case text == ":":
		m.bits = true
	case len(s) < 2:
		m.statement = append(s, text)
	}
}
