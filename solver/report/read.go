package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"litmuscope/solver"
)

// Bounds on what a log may have in memory at once.
const (
	maxLine = 64 << 20 // bytes of a line
	maxRow  = 64 << 20 // bytes of a test's states
)

// Reader reads the results of any of these tools, row by row. The content says which tool wrote it: JSON lines as
// [Formats] has them, or a log of herd7 (its own or ours) or of litmus7, whatever else stands between the tests. The
// rows come in the order of the log; the reader holds one at a time.
//
//	r := report.NewReader("run.log", f)
//	for row, err := r.Next(); !errors.Is(err, io.EOF); row, err = r.Next() { … }
//
// An error says file:line:col, and is the last thing that Next returns but itself.
type Reader struct {
	lines lines
	rows  interface{ next() (*Row, error) } // nil before the reader knows the format
	err   error
}

// NewReader reads from r; file is its name in errors.
func NewReader(file string, r io.Reader) *Reader {
	return &Reader{lines: lines{file: file, r: bufio.NewReaderSize(r, 1<<16)}}
}

// Next is the next row, or io.EOF after the last.
func (r *Reader) Next() (*Row, error) {
	if r.err != nil {
		return nil, r.err
	}
	var row *Row
	if r.rows == nil {
		r.err = r.begin()
	}
	if r.err == nil {
		row, r.err = r.rows.next()
	}
	return row, r.err
}

// begin passes over blank lines and looks at the first byte that is none.
func (r *Reader) begin() error {
	for {
		line, err := r.lines.next()
		if err != nil {
			return err
		}
		text := bytes.TrimSpace(line)
		if len(text) == 0 {
			continue
		}
		r.lines.back = true
		switch {
		case text[0] == '{':
			r.rows = &jsonRows{lines: &r.lines}
		case bytes.HasPrefix(text, []byte("path,name,arch,")):
			return r.lines.errorf(1, "got CSV, which contains no states: want JSON lines or a log of herd7 or litmus7")
		case bytes.HasPrefix(text, []byte("PK")), bytes.HasPrefix(text, []byte{0x1f, 0x8b}):
			return r.lines.errorf(1, "got an archive: unpack it first")
		default:
			r.rows = &logRows{lines: &r.lines}
		}
		return nil
	}
}

// lines reads lines of a bounded length, and knows where it is.
type lines struct {
	file string
	r    *bufio.Reader
	n    int // the number of the line in buf
	buf  []byte
	back bool // the next read returns the line in buf again
}

// next is the next line without its end, valid until the next call.
func (l *lines) next() ([]byte, error) {
	if l.back {
		l.back = false
		return l.buf, nil
	}
	l.n++
	l.buf = l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.buf)+len(part) > maxLine {
			return nil, l.errorf(1, "the line is longer than %d MiB, the limit", maxLine>>20)
		}
		l.buf = append(l.buf, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(l.buf) == 0:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("%s:%d: %w", l.file, l.n, err)
		}
		l.buf = bytes.TrimSuffix(bytes.TrimSuffix(l.buf, []byte("\n")), []byte("\r"))
		return l.buf, nil
	}
}

// errorf is an error in the line read last, at a column from 1.
func (l *lines) errorf(column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %s", l.file, l.n, column, fmt.Sprintf(format, args...))
}

// column is the column of a byte of the line, in characters from 1.
func (l *lines) column(offset int) int {
	return utf8.RuneCount(l.buf[:max(0, min(offset, len(l.buf)))]) + 1
}

// jsonRows reads a result a line. It ignores members that a result has and a row has not.
type jsonRows struct{ lines *lines }

func (j *jsonRows) next() (*Row, error) {
	for {
		line, err := j.lines.next()
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		return j.row(line)
	}
}

// row reads a line of run -f jsonl, or of a reference. A missing status or verdict follows from the other fields. An
// error names the line and column.
func (j *jsonRows) row(line []byte) (*Row, error) {
	l := j.lines
	// Members that references of other tools leave out count as good.
	var r struct {
		Path           string
		Name           string
		Arch           string
		Model          string
		Engine         string
		Status         solver.Status
		Error          string
		Reason         string
		Verdict        solver.Verdict
		Observation    solver.Observation
		ConditionHolds *bool `json:"condition_holds"`
		Condition      string
		States         []solver.State
		StatesComplete *bool `json:"states_complete"`
		Complete       *bool
	}
	if err := json.Unmarshal(line, &r); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &syntax):
			return nil, l.errorf(l.column(int(syntax.Offset)-1), "not JSON: %s", syntax)
		case errors.As(err, &kind) && kind.Field != "":
			return nil, l.errorf(l.column(int(kind.Offset)-1), "%s: got a JSON %s", kind.Field, kind.Value)
		}
		return nil, l.errorf(1, "%s", err)
	}
	if r.Name == "" && r.Path == "" {
		return nil, l.errorf(1, "want a result with the test's name or path")
	}
	result := solver.Result{
		Path: r.Path, Name: r.Name, Arch: r.Arch, Model: r.Model, Engine: r.Engine, Status: r.Status,
		Error: r.Error, Reason: r.Reason, Verdict: r.Verdict, Observation: r.Observation,
		ConditionHolds: r.ConditionHolds, Condition: r.Condition, States: r.States, StatesComplete: r.StatesComplete,
		Complete: r.Complete == nil || *r.Complete,
	}
	switch r.Status {
	case solver.OK, solver.Unknown, solver.Failed:
	case "":
		if r.Observation == "" && r.Verdict == "" {
			return nil, l.errorf(1, "want a result with a status, a verdict or an observation")
		}
		result.Status = solver.OK
	default:
		return nil, l.errorf(1, "status %q: want one of %s, %s, %s", r.Status, solver.OK, solver.Unknown, solver.Failed)
	}
	switch r.Observation {
	case "", solver.Always, solver.Sometimes, solver.Never:
	default:
		return nil, l.errorf(1, "observation %q: want one of %s, %s, %s", r.Observation, solver.Always,
			solver.Sometimes, solver.Never)
	}
	if r.Verdict == "" {
		result.Verdict = verdictOf(r.Observation)
	}
	return RowOf(&result), nil
}

// verdictOf is the verdict that goes with an observation.
func verdictOf(o solver.Observation) solver.Verdict {
	switch o {
	case solver.Always, solver.Sometimes:
		return solver.Allowed
	case solver.Never:
		return solver.Forbidden
	}
	return ""
}
