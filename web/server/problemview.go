package server

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/solver"
)

// ProblemView is what is wrong with a question.
type ProblemView struct {
	Text  string
	Marks []Mark
	Notes []string // what is wrong elsewhere than in the test
	// Program: it would do on the page on programs.
	Program bool
}

// String is what is wrong in one line, or as many as it needs.
func (v ProblemView) String() string {
	text := v.Text
	for _, m := range v.Marks {
		text += fmt.Sprintf(" line %d, column %d: %s", m.Line, m.Col, m.Message)
	}
	return strings.Join(append([]string{text}, v.Notes...), " ")
}

// Mark is what is wrong at a place of the test, counted as browsers do, from 1.
type Mark struct {
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"` // of a place in another text: the model's
	Fix     *Fix   `json:"fix,omitempty"`  // what mends it, where one can tell
}

// Fix is what mends what is wrong: text for that which is at a place, which is counted as that of a mark.
type Fix struct {
	Title string `json:"title"`
	Line  int    `json:"line"`
	Col   int    `json:"col"`
	Was   string `json:"was"`
	Text  string `json:"text"`
}

// Mended is the mark with what mends the error in a text.
func (m Mark) Mended(source string, f litmus.Fix) Mark {
	if _, ok := f.Apply(source); ok {
		at := Marker(source)(f.Pos.Line, f.Pos.Col, "")
		m.Fix = &Fix{f.String(), at.Line, at.Col, f.Was, f.Text}
	}
	return m
}

// RemarkMark puts a remark to its place.
func RemarkMark(at func(line, col int, message string) Mark, r solver.Remark) Mark {
	if r.File != "" {
		return Mark{Line: r.Line, Col: r.Column, Message: r.Message, File: r.File}
	}
	return at(r.Line, r.Column, r.Message)
}

// Marker puts messages to their places in a text.
func Marker(source string) func(line, col int, message string) Mark {
	columns := litmus.NewUTF16(source)
	return func(line, col int, message string) Mark {
		m := Mark{Line: max(line, 1), Col: 1, Message: message}
		if c, ok := columns.Column(litmus.Pos{Line: line, Col: col}); ok {
			m.Col = c + 1
		}
		return m
	}
}
