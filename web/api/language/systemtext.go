package language

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus"
)

// The words of Arm's system side in the init block and behind the threads: patterns of faults, names such as PTE(x) and
// pacda(x,0x0), memory tags, the fields of entries, and instructions as values.

// aFaultKind matches the kind of a fault.
var aFaultKind = sync.OnceValue(func() *regexp.Regexp {
	kinds := slices.Clone(litmus.FaultKinds)
	for i, kind := range kinds {
		kinds[i] = regexp.QuoteMeta(kind)
	}
	return regexp.MustCompile(`^(?:(?:[DI]-)?MMU(?::\w+)?|` + strings.Join(kinds, "|") + `)\b`)
})

var (
	aFault     = litmus.Pattern(`^(?i:fault)\s*\(`)
	aField     = litmus.Pattern(`^\w+\s*:\s*(?:\d|\(|\w+\()`) // valid:0, attrs:(Normal), oa:PA(x), parel1_t:(f:1)
	aMemoryTag = litmus.Pattern(`^:\s*[A-Za-z]\w*(?:[^\w(]|$)`)
	anInstr    = litmus.Pattern(`^instr\s*:\s*"`)
	aQuotation = litmus.Pattern(`^"[^"\n]*"`)
	oldEntry   = litmus.Pattern(`^(?:pte|phy)_\w`)
)

// within says which parentheses the scanner is in.
type within struct {
	fault      bool
	depth      int // of those in a fault
	attributes bool
	quotation  bool // an instruction in quotes follows
}

// see heeds a character that may be a parenthesis.
func (w *within) see(c byte) {
	switch {
	case c == '(' && w.fault:
		w.depth++
	case c == ')':
		w.attributes = false
		w.depth = max(0, w.depth-1)
		w.fault = w.fault && w.depth > 0
	}
}

// systemValue passes a word of a system's side, and reports whether there is one. Only dialects with such words have
// some for completion.
func (s *testScanner) systemValue(to int) bool {
	if len(s.vocabulary.frame) == 0 {
		return false
	}
	from, text := s.at, s.plain[s.at:to]
	word := aWord().FindString(text)
	add := func(length int, k kind) {
		s.at = from + length
		s.add(from, s.at, k, symbol{})
	}
	s.in.see(text[0])
	quotation := s.in.quotation && text[0] == '"'
	s.in.quotation = s.in.quotation && text[0] == ':'
	switch {
	case quotation && aQuotation().MatchString(text):
		add(len(aQuotation().FindString(text)), quoted)
	case aMemoryTag().MatchString(text):
		add(1, punctuation)
		s.blanks(to)
		from = s.at
		add(len(aWord().FindString(s.plain[from:to])), tag)
	case word == "":
		return false
	case s.part == final && aFault().MatchString(text):
		s.in.fault, s.in.depth = true, 0
		add(len(word), keyword)
	case s.in.fault && threadName().MatchString(text):
		add(len(threadName().FindString(text)), number)
	case s.in.fault && aFaultKind().MatchString(text):
		add(len(aFaultKind().FindString(text)), tag)
	case s.in.attributes, word == "caller" && s.signs():
		add(len(word), tag)
	case anInstr().MatchString(text):
		s.in.quotation = true
		add(len(word), typeName)
	case word == "NOP":
		add(len(word), mnemonic)
	case litmus.IsSystemName(word) && strings.HasPrefix(strings.TrimLeft(text[len(word):], " \t\r\n"), "("):
		add(len(word), function)
	case aField().MatchString(text):
		s.in.attributes = word == "attrs"
		add(len(word), tag)
	case oldEntry().MatchString(text):
		add(len("pte_"), function)
	default:
		return false
	}
	return true
}

// signs reports whether the last tokens are those of pacia( and its like.
func (s *testScanner) signs() bool {
	n := len(s.tokens)
	return n > 1 && s.tokens[n-2].kind == function && s.plain[s.tokens[n-1].from] == '('
}
