package litmus

import (
	"strconv"
	"strings"
)

// Word is a part of a cell's text, trimmed, with its place.
type Word struct {
	Pos  Pos
	Text string
}

// Split takes an instruction apart, as most assemblers write them: labels with a
// colon each, a mnemonic that a blank ends, and operands with commas between them;
// commas inside (), [] or {} part nothing. The mnemonic is empty in a cell of labels
// alone.
func (c Cell) Split() (labels []Word, mnemonic Word, operands []Word) {
	at := 0
	for {
		at += countBlanks(c.Text[at:])
		n := labelLength(c.Text[at:])
		end := at + n
		end += countBlanks(c.Text[end:])
		if n == 0 || end == len(c.Text) || c.Text[end] != ':' {
			break
		}
		labels = append(labels, Word{c.At(at), c.Text[at : at+n]})
		at = end + 1
	}
	end := at + strings.IndexAny(c.Text[at:]+" ", " \t\r\n")
	mnemonic = Word{c.At(at), c.Text[at:end]}
	if trim(c.Text[end:]) == "" {
		return labels, mnemonic, nil
	}
	depth, start := 0, end
	for i := end; i <= len(c.Text); i++ {
		if i == len(c.Text) || c.Text[i] == ',' && depth == 0 {
			first := start + countBlanks(c.Text[start:i])
			operands = append(operands, Word{c.At(first), trim(c.Text[start:i])})
			start = i + 1
			continue
		}
		switch c.Text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
	}
	return labels, mnemonic, operands
}

// labelLength is the length of the label that s begins with.
func labelLength(s string) int {
	n := 0
	for n < len(s) && (isWordPart(s[n]) || s[n] == '.' || s[n] == '$') {
		n++
	}
	if n > 0 && isDigit(s[0]) && strings.Trim(s[:n], "0123456789") != "" {
		return 0 // a number, not a local label such as 1:
	}
	return n
}

// IsLabel tells whether a branch may name s as its target.
func IsLabel(s string) bool { return s != "" && labelLength(s) == len(s) }

// OperandCount is n operands, in words for an error.
func OperandCount(n int) string {
	switch n {
	case 0:
		return "no operands"
	case 1:
		return "one operand"
	}
	return strconv.Itoa(n) + " operands"
}
