package course

import (
	"bytes"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"litmuscope/litmus"
)

// Bounds on a roster. Codes are long enough not to be guessed.
const (
	maxStudents = 10_000
	maxName     = 200 // bytes
	leastCode   = 8
	mostCode    = 64
)

// RosterText is the roster file as written, with codes.
type RosterText struct {
	Roster
	rows       [][]string // the first has what columns are called
	lines      []int      // of each row
	name, code int        // their columns
}

// ReadRoster reads the roster of a course's folder. Without a file, the roster is empty. Students without codes are
// included. Its error is a [litmus.ErrorList].
func ReadRoster(files fs.FS) (*RosterText, error) {
	text, err := slurp(files, RosterFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &RosterText{}, nil
	}
	var errs litmus.ErrorList
	fail := func(line, col int, format string, args ...any) {
		errs = append(errs, litmus.Errorf(litmus.Pos{File: RosterFile, Line: line, Col: col}, format, args...))
	}
	if err != nil {
		fail(1, 1, "%v", err)
		return nil, errs
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))) // spreadsheets begin so
	roster := &RosterText{}
	names, codes := map[string]int{}, map[string]int{}
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		var e *csv.ParseError
		if errors.As(err, &e) {
			fail(e.Line, e.Column, "%v", e.Err)
			return nil, errs
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		roster.rows, roster.lines = append(roster.rows, row), append(roster.lines, line)
		if len(roster.rows) == 1 {
			roster.name, roster.code = slices.Index(row, "name"), slices.Index(row, "code")
			if roster.name < 0 || roster.code < 0 {
				fail(line, 1, "the first line names the columns: want name,code and perhaps more columns, "+
					"separated by commas: got %q", litmus.Shorten(strings.Join(row, ",")))
				return nil, errs
			}
			roster.Columns = roster.others(row)
			continue
		}
		if len(roster.rows) > maxStudents+1 {
			fail(line, 1, "the roster has more than %d students", maxStudents)
			return nil, errs
		}
		name, code := strings.TrimSpace(row[roster.name]), PlainCode(row[roster.code])
		_, at := r.FieldPos(roster.name)
		switch {
		case name == "" || len(name) > maxName:
			fail(line, at, "want a name or a number of at most %d bytes: got %q", maxName, litmus.Shorten(name))
		case names[name] > 0:
			fail(line, at, "%s is already in line %d: names must be different", litmus.Shorten(name), names[name])
		}
		names[name] = line
		if code != "" {
			_, at := r.FieldPos(roster.code)
			switch {
			case len(code) < leastCode || len(code) > mostCode ||
				strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "":
				fail(line, at, "a code has %d to %d letters A to Z and digits, which nobody can guess: leave it "+
					"out, and litmuscope course codes DIR makes one", leastCode, mostCode)
			case codes[code] > 0:
				fail(line, at, "line %d has the same code", codes[code])
			}
			codes[code] = line
		}
		roster.Students = append(roster.Students, Student{Name: name, More: roster.others(row), code: hashOf(code)})
	}
	if len(roster.rows) == 0 {
		fail(1, 1, "the file is empty: want a first line name,code, and a line for each student")
	}
	if errs != nil {
		return nil, errs
	}
	return roster, nil
}

// others returns the fields of a row other than name and code.
func (r *RosterText) others(row []string) (out []string) {
	for i, field := range row {
		if i != r.name && i != r.code {
			out = append(out, field)
		}
	}
	return out
}

// codeless returns an error for each student who has no code and so cannot hand in.
func (r *RosterText) codeless() (errs litmus.ErrorList) {
	for i, row := range r.rows {
		if i > 0 && PlainCode(row[r.code]) == "" {
			errs = append(errs,
				litmus.Errorf(litmus.Pos{File: RosterFile, Line: r.lines[i], Col: 1},
					"%s has no code: litmuscope course codes DIR makes one", litmus.Shorten(row[r.name])))
		}
	}
	return errs
}

// AddCodes makes codes for the students that have none, and returns their number. If there is no roster, it makes one
// with so many students, whose names are numbers.
func (r *RosterText) AddCodes(students int) (made int, err error) {
	switch {
	case students < 0 || students > maxStudents:
		return 0, fmt.Errorf("%d students: want at most %d", students, maxStudents)
	case len(r.rows) == 0 && students == 0:
		return 0,
			fmt.Errorf("there is no %s: write one with the first line name,code, or give the number of students",
				RosterFile)
	case len(r.rows) > 0 && students > 0:
		return 0, fmt.Errorf("%s already exists: add a line to it for each new student", RosterFile)
	case len(r.rows) == 0:
		r.rows, r.name, r.code = [][]string{{"name", "code"}}, 0, 1
		for i := range students {
			r.rows = append(r.rows, []string{fmt.Sprintf("student-%0*d", len(fmt.Sprint(students)), i+1), ""})
		}
	}
	for i, row := range r.rows {
		if i > 0 && PlainCode(row[r.code]) == "" {
			row[r.code] = newCode()
			made++
		}
	}
	return made, nil
}

// newCode returns a random code of 60 bits: ABCD-EFGH-2345.
func newCode() string {
	text := rand.Text()
	return text[:4] + "-" + text[4:8] + "-" + text[8:12]
}

// String formats the roster as a file.
func (r *RosterText) String() string {
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(r.rows); err != nil {
		panic("BUG: a roster that cannot be written: " + err.Error())
	}
	return b.String()
}
