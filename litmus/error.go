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

// Error is what is wrong with a test or a model, and where, in words for its author.
type Error struct {
	Pos Pos
	Msg string
	Fix Fix `json:",omitzero"` // what mends it; none where nobody can tell
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// Remark is what an author should know of a text that is not wrong: something in it
// means less, or something else, than it seems to say.
type Remark struct {
	Pos Pos
	Msg string
	Fix Fix // where something else may have been meant
}

func (r Remark) String() string { return r.Pos.String() + ": " + r.Msg }

// Remarkf makes a [Remark] at a place. A [Guess] among the arguments is of the word there, and its Fix.
func Remarkf(pos Pos, format string, args ...any) Remark {
	return Remark{pos, fmt.Sprintf(format, args...), guessed(pos, args)}
}

// Errorf makes an [Error] at a place, as Remarkf does a Remark.
func Errorf(pos Pos, format string, args ...any) *Error {
	return &Error{Pos: pos, Msg: fmt.Sprintf(format, args...), Fix: guessed(pos, args)}
}

// guessed is what mends a word at a place by a Guess among the arguments of what is said of it.
func guessed(pos Pos, args []any) (f Fix) {
	for _, a := range args {
		if g, ok := a.(Guess); ok && g.Near != "" {
			f = Fix{pos, g.Word, g.Near}
		}
	}
	return f
}

// Mend has an error mended by other text at a place than was there; by none if that is "".
func (e *Error) Mend(pos Pos, was, text string) *Error {
	if e.Fix = (Fix{}); text != "" {
		e.Fix = Fix{pos, was, text}
	}
	return e
}

// ErrorList is several errors, those of one source in its order.
type ErrorList []*Error

// Sorted is the list by place, each error once.
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

// Errors takes an error apart into the positioned errors it carries; an error
// without a place yields one entry with the zero Pos.
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
