package litmus

import (
	"strings"
	"unicode/utf16"
)

// UTF16 converts places in a text to columns as browsers and editors count them, in UTF-16 units. The total time for
// all places of a text is linear in its length and their number, in any order.
type UTF16 struct {
	lines []string
	marks map[int][]mark // by line
}

// mark is a character of a line: its offset in bytes, and the number of units before it.
type mark struct{ at, units int }

// markEvery is the approximate distance between marks, in bytes.
const markEvery = 256

// NewUTF16 prepares a text.
func NewUTF16(text string) *UTF16 {
	return &UTF16{lines: strings.Split(unixLines(text), "\n"), marks: map[int][]mark{}}
}

// Column returns the column of a place, from 0; ok is false if the line does not exist.
func (u *UTF16) Column(p Pos) (col int, ok bool) {
	if p.Line < 1 || p.Line > len(u.lines) {
		return 0, false
	}
	line := u.lines[p.Line-1]
	at := max(0, min(p.Col-1, len(line)))
	if at < markEvery {
		return LenUTF16(line[:at]), true
	}
	marks, made := u.marks[p.Line]
	if !made {
		marks = markLine(line)
		u.marks[p.Line] = marks
	}
	k := min(at/markEvery, len(marks)-1)
	for marks[k].at > at {
		k--
	}
	return marks[k].units + LenUTF16(line[marks[k].at:at]), true
}

// markLine marks the first character at or after every markEvery-th byte.
func markLine(line string) []mark {
	var out []mark
	units := 0
	for at, r := range line {
		if at >= len(out)*markEvery {
			out = append(out, mark{at, units})
		}
		units += units16(r)
	}
	return out
}

// LenUTF16 returns the length of a text in UTF-16 units.
func LenUTF16(s string) int {
	n := 0
	for _, r := range s {
		n += units16(r)
	}
	return n
}

func units16(r rune) int { return max(1, utf16.RuneLen(r)) } // a byte that is no character shows as one
