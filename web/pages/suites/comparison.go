package suites

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"mime"
	"net/http"
	"os"
	"runtime"
	"strings"

	"litmuscope/solver"
	"litmuscope/solver/compare"
	"litmuscope/solver/report"
	"litmuscope/web/server"
)

// comparedSide is one side of a comparison: a suite or a log.
type comparedSide struct {
	Suite  string `json:"suite,omitempty" limit:"name" doc:"a suite's id"`
	Model  string `json:"model,omitempty" limit:"name" doc:"only rows under this model"`
	Engine string `json:"engine,omitempty" limit:"name" doc:"only rows from this engine"`
	Text   string `json:"text,omitempty" limit:"body" doc:"instead of a suite, a log of herd7 or litmus7, or results as JSON lines"`

	log *os.File // an uploaded log instead of a suite
}

// comparison is a request to compare two sides.
type comparison struct {
	A    comparedSide `json:"a"`
	B    comparedSide `json:"b"`
	Only []string     `json:"only,omitempty" limit:"choices,name" doc:"kinds of differences to list; default: all"`
}

// comparisonResult is the result of a comparison.
type comparisonResult struct {
	Different   bool                 `json:"different" doc:"there are differences other than remarks"`
	Totals      compare.Tally        `json:"totals"`
	Differences []compare.Difference `json:"differences"`
	Cut         bool                 `json:"cut,omitempty" doc:"the list is incomplete"`
}

// maxWaitingBytes limits the memory for rows without a counterpart while both sides are read, in bytes.
const maxWaitingBytes = 256 << 20

// newComparing limits concurrent comparisons; a client can run one.
func newComparing() *server.Turns {
	return server.NewTurns(max(2, runtime.NumCPU()/2), 1, server.FamilyWait,
		"You are already running a comparison, or too many others are running. Try again soon.")
}

// badSide is the error of a log that cannot be parsed, or of a comparison that exceeds a limit.
type badSide struct{ error }

// Say returns the error as a sentence for the visitor.
func (b badSide) Say() server.Said { return server.Said{Text: server.Sentence(b)} }

// postCompare compares two suites, or a suite and a log, or two logs.
func (s *page) postCompare(w http.ResponseWriter, r *http.Request) {
	c, err := s.comparisonOf(w, r)
	defer c.close()
	var out comparisonResult
	if err == nil {
		out, err = s.compare(r.Context(), c)
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.WriteJSON(w, out)
}

// close removes uploaded files.
func (c *comparison) close() {
	for _, side := range []*comparedSide{&c.A, &c.B} {
		if side.log != nil {
			side.log.Close()
			_ = os.Remove(side.log.Name()) // a temporary file
		}
	}
}

// comparisonOf parses a request: JSON, or a form with the parts a and b, each a file or JSON.
func (s *page) comparisonOf(w http.ResponseWriter, r *http.Request) (c comparison, err error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" && kind != "multipart/form-data" {
		return c, server.Refuse("Content-Type: want application/json, or multipart/form-data with the parts a and b, " +
			"each a log or JSON such as {\"suite\":\"…\"}.")
	}
	if kind == "application/json" {
		if err := server.ReadJSON(r.Body, &c); err != nil {
			return c, err
		}
		return c, s.server.Limits.Within(&c)
	}
	server.AllowBody(w, r, 2*s.server.Limits.Upload.Bytes())
	parts, err := r.MultipartReader()
	if err != nil {
		return c, server.Unread(err)
	}
	for {
		p, err := parts.NextPart()
		switch {
		case err == io.EOF: //nolint:errorlint // NextPart returns io.EOF unwrapped
			return c, s.server.Limits.Within(&c)
		case err != nil:
			return c, server.Unread(err)
		}
		side := map[string]*comparedSide{"a": &c.A, "b": &c.B}[p.FormName()]
		switch {
		case side == nil:
			return c, server.Refuse("The form has an unknown part %q. Want a and b.", p.FormName())
		case p.FileName() == "":
			err = server.ReadJSON(io.LimitReader(p, server.MaxBody), side)
		case side.log != nil:
			err = server.Refuse("The form has the part %q twice.", p.FormName())
		default:
			if side.log, err = os.CreateTemp("", "litmuscope-*.log"); err == nil {
				_, err = io.Copy(side.log, p)
			}
			if err == nil {
				_, err = side.log.Seek(0, io.SeekStart)
			}
		}
		if err != nil {
			return c, err
		}
	}
}

// compare waits for its turn and compares two sides.
func (s *page) compare(ctx context.Context, c comparison) (out comparisonResult, err error) {
	only := map[compare.Kind]bool{}
	var kinds []compare.Kind
	for _, name := range c.Only {
		k, ok := compare.Find(name)
		if !ok {
			return out, server.Refuse("There is no kind of difference with the name %q.", name)
		}
		if !only[k] {
			only[k], kinds = true, append(kinds, k)
		}
	}
	over, err := s.comparing.Take(ctx)
	if err != nil {
		return out, err
	}
	defer over()
	var sides [2]compare.Side
	for i, side := range []comparedSide{c.A, c.B} {
		rows, stop, err := s.rowsOf(ctx, side, []string{"a", "b"}[i])
		if err != nil {
			return out, err
		}
		defer stop()
		sides[i] = compare.Side{Rows: rows, Model: side.Model, Engine: side.Engine, Most: maxWaitingBytes}
	}
	out.Differences = []compare.Difference{}
	out.Totals, err = compare.Run(ctx, sides[0], sides[1], func(d compare.Difference) error {
		switch {
		case len(only) > 0 && !only[d.Kind]:
		case len(out.Differences) == server.MaxDifferences:
			out.Cut = true
		default:
			out.Differences = append(out.Differences, d)
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return out, badSide{err}
	}
	out.Different = out.Totals.Different(kinds...)
	return out, err
}

// rowsOf returns the rows of a side. The caller must call stop.
func (s *page) rowsOf(ctx context.Context, side comparedSide, name string) (rows compare.Rows, stop func(), err error) {
	if side.log != nil {
		return report.NewReader(name, side.log), func() {}, nil
	}
	switch {
	case side.Suite != "" && side.Text != "":
		return nil, nil, server.Refuse("Side %s has both a suite and a log. Give one of them.", name)
	case side.Text != "":
		return report.NewReader(name, strings.NewReader(side.Text)), func() {}, nil
	case side.Suite == "":
		return nil, nil, server.Refuse("Side %s has neither a suite nor a log. Give one of them.", name)
	case s.Store == nil:
		return nil, nil, server.Refuse("Side %s is a suite, but this server stores no suites. Give a log instead.",
			name)
	}
	of, err := s.Store.Suite(ctx, side.Suite)
	if err != nil {
		return nil, nil, fmt.Errorf("side %s: %w", name, err)
	}
	next, stop := iter.Pull2(func(yield func(*report.Row, error) bool) {
		err := s.Store.Rows(ctx, of, 0, math.MaxInt, func(_ int, r *solver.Result) (bool, error) {
			return yield(report.RowOf(r), nil), nil
		})
		if err != nil {
			yield(nil, err)
		}
	})
	return pulledRows(next), stop, nil
}

// pulledRows reads rows from an iterator.
type pulledRows func() (*report.Row, error, bool)

// Next implements [compare.Rows].
func (p pulledRows) Next() (*report.Row, error) {
	row, err, more := p()
	if !more {
		return nil, io.EOF
	}
	return row, err
}
