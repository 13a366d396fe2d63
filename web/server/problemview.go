package server

import (
	"fmt"
	"strings"

	"litmuscope/litmus"
	"litmuscope/solver"
)

// ProblemView is an error as a part of a page.
type ProblemView struct {
	Text  string
	Marks []Mark   // errors in the test
	Notes []string // errors elsewhere
	// Command, unless "", is a shell command that helps. One click selects it.
	Command string
	// Open, unless "", is the address of a page that can show the text; Title is the button's.
	Open, Title string
}

// String returns the error with its marks and notes as text.
func (v ProblemView) String() string {
	text := v.Text
	for _, m := range v.Marks {
		text += fmt.Sprintf(" line %d, column %d: %s", m.Line, m.Col, m.Message)
	}
	return strings.Join(append([]string{text, v.Command}, v.Notes...), " ")
}

// Mark is a message at a place of the test. Line and column count from 1, columns in UTF-16 units as in browsers.
type Mark struct {
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"` // set for a place in a model's file
	Fix     *Fix   `json:"fix,omitempty"`  // a correction, if there is one
	More    int    `json:"more,omitempty"` // how many errors it stands for, if the list was cut
}

// Fix is a correction: it replaces the text Was at a place, which counts as in Mark, by Text.
type Fix struct {
	Title string `json:"title"`
	Line  int    `json:"line"`
	Col   int    `json:"col"`
	Was   string `json:"was"`
	Text  string `json:"text"`
	Open  string `json:"open,omitempty"` // a page that reads the text: /programs or /explore; such a Fix changes nothing
}

// openers are the addresses that show a text on a page.
var openers = map[litmus.Page]string{litmus.Programs: "/programs", litmus.Explorer: "/explore"}

// Mended returns the mark with the correction f if it applies to the text source.
func (m Mark) Mended(source string, f litmus.Fix) Mark {
	if f.Opens != "" {
		m.Fix = &Fix{Title: f.String(), Line: m.Line, Col: m.Col, Open: openers[f.Opens]}
	} else if _, ok := f.Apply(source); ok {
		at := Marker(source)(f.Pos.Line, f.Pos.Col, "")
		m.Fix = &Fix{Title: f.String(), Line: at.Line, Col: at.Col, Was: f.Was, Text: f.Text}
	}
	return m
}

// RemarkMark returns the mark of a remark. at makes marks in the test.
func RemarkMark(at func(line, col int, message string) Mark, r solver.Remark) Mark {
	if r.File != "" {
		return Mark{Line: r.Line, Col: r.Column, Message: r.Message, File: r.File}
	}
	return at(r.Line, r.Column, r.Message)
}

// Marker returns a function that makes marks in a text from lines and columns in bytes.
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
