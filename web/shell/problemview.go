package shell

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
}

// RemarkMark puts a remark to its place.
func RemarkMark(at func(line, col int, message string) Mark, r solver.Remark) Mark {
	if r.File != "" {
		return Mark{r.Line, r.Column, r.Message, r.File}
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
