package textpage

import (
	"strings"

	"litmuscope/web/server"
)

// Beside shows a text in C and its compiled forms side by side.
type Beside struct {
	Address server.Address // of this result
	Title   string         // "" where the page has its own
	Hint    string
	Source  []CodeLine
	Said    Said // of the language; with no text where it was not asked
	Columns []BesideColumn
}

// Said is a model's verdict, with its mark.
type Said struct{ Class, Mark, Text string }

// BesideColumn is the compiled form for one architecture, or the reason why there is none.
type BesideColumn struct {
	Title, To      string
	Problem        *server.ProblemView
	Said           Said
	Class, Mapping string // whether the mapping is right
	Hint           string
	Threads        []BesideThread
	URL            string // of the page with what it was compiled to
}

// BesideThread is the compiled form of a thread.
type BesideThread struct {
	Name  string
	Lines []CodeLine
}

// CodeLine is a line of the source or of compiled code. Compiled lines have the Tint of their source line, from 1; 0
// means no tint.
type CodeLine struct {
	Text string
	Line int
	Tint int
}

// tints is the number of tints, after which they repeat.
const tints = 6

// Numbered returns the lines of a text, with tints for those from which compiled code comes.
func Numbered(source string, comes func(line int) bool) []CodeLine {
	var out []CodeLine
	n := 0
	for i, text := range strings.Split(strings.TrimRight(source, "\n"), "\n") {
		l := CodeLine{Text: text, Line: i + 1}
		if comes(l.Line) {
			l.Tint = n%tints + 1
			n++
		}
		out = append(out, l)
	}
	return out
}
