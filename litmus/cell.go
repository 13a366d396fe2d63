package litmus

import "strings"

// Word is a trimmed part of a cell's text, with its place.
type Word struct {
	Pos  Pos
	Text string
}

// Labels splits the labels at the beginning of a cell, with their colons, from the rest.
func (c Cell) Labels() (labels []Word, rest Cell) {
	for rest = c.From(0); ; {
		n := labelLength(rest.Text)
		end := n + countBlanks(rest.Text[n:])
		if n == 0 || end == len(rest.Text) || rest.Text[end] != ':' {
			return labels, rest
		}
		labels = append(labels, Word{rest.Pos, rest.Text[:n]})
		rest = rest.From(end + 1)
	}
}

// From returns the rest of a cell from a byte of its text on, without leading blanks.
func (c Cell) From(offset int) Cell {
	offset += countBlanks(c.Text[offset:])
	return Cell{c.At(offset), c.Text[offset:]}
}

// Flat returns a cell on one line for display. Places inside it are no longer right.
func (c Cell) Flat() Cell {
	if strings.Contains(c.Text, "\n") {
		c.Text = strings.Join(fields(c.Text), " ")
	}
	return c
}

// Split splits an instruction without labels, as most assemblers write it: a mnemonic, a blank, and operands.
func (c Cell) Split() (mnemonic Word, operands []Word) {
	end := strings.IndexAny(c.Text+" ", " \t\r\n")
	return Word{c.Pos, c.Text[:end]}, c.From(end).Operands()
}

// Operands splits a cell at its commas, except those inside (), [] or {}.
func (c Cell) Operands() (operands []Word) {
	if trim(c.Text) == "" {
		return nil
	}
	depth, start := 0, 0
	for i := 0; i <= len(c.Text); i++ {
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
	return operands
}

// labelLength returns the length in bytes of the label at the beginning of s; 0 if there is none.
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

// IsLabel reports whether a branch may have s as its target.
func IsLabel(s string) bool { return s != "" && labelLength(s) == len(s) }
