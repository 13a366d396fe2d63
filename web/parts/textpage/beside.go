package textpage

import (
	"strings"

	"litmuscope/web/server"
)

// Beside is a text in C, and what it is compiled to, side by side.
type Beside struct {
	Title   string // "" where the page has its own
	Hint    string
	Source  []CodeLine
	Said    Said // of the language; with no text where it was not asked
	Columns []BesideColumn
}

// Said is what a model says, with its mark.
type Said struct{ Class, Mark, Text string }

// BesideColumn is one architecture: what there is of it, or why there is nothing.
type BesideColumn struct {
	Title, To      string
	Problem        *server.ProblemView
	Said           Said
	Class, Mapping string // whether the mapping is right
	Hint           string
	Threads        []BesideThread
	URL            string // of the page with what it was compiled to
}

// BesideThread is what a thread is compiled to.
type BesideThread struct {
	Name  string
	Lines []CodeLine
}

// CodeLine is a line of the text, or one that comes of it: its Tint, from 1, is that line's, and 0 where nothing does.
type CodeLine struct {
	Text string
	Line int
	Tint int
}

// tints is how many lines that follow one another look different.
const tints = 6

// Numbered are the lines of a text, with tints for those that something comes of.
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
