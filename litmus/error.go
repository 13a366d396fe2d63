package litmus

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a source file. Line and Col count from 1; Col counts bytes.
type Pos struct {
	File string
	Line int
	Col  int
}

// String returns file:line:col, without the parts that are unknown.
func (p Pos) String() string {
	file := p.File
	if file == "" {
		file = "-"
	}
	if p.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, p.Line, p.Col)
}

// Compare orders places of one file.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// Error is a mistake in a test or a model: its place, and a message for the author.
type Error struct {
	Pos Pos
	Msg string
	Fix Fix `json:",omitzero"` // a correction; the zero Fix if none is known
	// More, unless 0, is the number of errors that this one stands for, because a list was cut.
	More int `json:",omitempty"`
}

// Error implements the error interface.
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// Remark is a warning about a text that is not wrong: something in it means less than it seems to, or something else.
type Remark struct {
	Pos Pos
	Msg string
	Fix Fix // a possible correction
}

// String returns the place and the message.
func (r Remark) String() string { return r.Pos.String() + ": " + r.Msg }

// Remarkf returns a [Remark] at a place. If the arguments include a [Guess], it must be about the word at that place,
// and becomes the remark's Fix.
func Remarkf(pos Pos, format string, args ...any) Remark {
	return Remark{pos, fmt.Sprintf(format, args...), guessed(pos, args)}
}

// Errorf returns an [Error] at a place, as Remarkf does a Remark.
func Errorf(pos Pos, format string, args ...any) *Error {
	return &Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Fix: guessed(pos, args)}
}

// guessed returns the correction of the word at a place by a Guess among the arguments of a message.
func guessed(pos Pos, args []any) (f Fix) {
	for _, a := range args {
		if g, ok := a.(Guess); ok && g.Near != "" {
			f = Fix{Pos: pos, Was: g.Word, Text: g.Near}
		}
	}
	return f
}

// WithFix sets the error's correction: to replace the text was at pos by text, or to delete it if text is "".
func (e *Error) WithFix(pos Pos, was, text string) *Error {
	if e.Fix = (Fix{}); text != "" {
		e.Fix = Fix{Pos: pos, Was: was, Text: text}
	}
	return e
}

// ErrorList is a list of errors, those of one source in order.
type ErrorList []*Error

// Sorted returns the list in order of place, without duplicates.
func (l ErrorList) Sorted() ErrorList {
	out := slices.Clone(l)
	slices.SortStableFunc(out, func(a, b *Error) int {
		return cmp.Or(
			strings.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			strings.Compare(a.Msg, b.Msg),
		)
	})
	return slices.CompactFunc(out, func(a, b *Error) bool { return *a == *b })
}

// MaxErrors is how many errors of one text people see.
const MaxErrors = 20

// Most returns the first n errors, in order of place, and one that says how many more there are.
func (l ErrorList) Most(n int) ErrorList {
	if l = l.Sorted(); len(l) <= n {
		return l
	}
	more := 0
	for _, e := range l[n:] {
		more += max(1, e.More)
	}
	s := "s"
	if more == 1 {
		s = ""
	}
	rest := Errorf(l[n].Pos, "and %d more error%s from here on", more, s)
	rest.More = more
	return append(l[:n:n], rest)
}

// Error implements the error interface: one error a line.
func (l ErrorList) Error() string {
	lines := make([]string, len(l))
	for i, e := range l {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns the list as an error, or nil when it is empty.
func (l ErrorList) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Errors returns the positioned errors that an error carries. An error without a place becomes one entry with the zero
// Pos.
func Errors(err error) ErrorList {
	if err == nil {
		return nil
	}
	var list ErrorList
	if errors.As(err, &list) {
		return list
	}
	var one *Error
	if errors.As(err, &one) {
		return ErrorList{one}
	}
	return ErrorList{{Msg: err.Error()}}
}
