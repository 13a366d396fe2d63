package suites

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"mime"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/compare"
	"litmuscope/solver/report"
	"litmuscope/solver/suites"
	"litmuscope/web/server"
)

// comparedSide is one side of a comparison: a suite or a log.
type comparedSide struct {
	Suite string `json:"suite,omitempty" limit:"name" doc:"a suite's id"`
	Model string `json:"model,omitempty" limit:"name" doc:"only rows under this model, with any model of the other side that is named"`
	// Models pairs models: the first of a with the first of b, and so on.
	Models []string `json:"models,omitempty" limit:"models,name" doc:"instead of model: models to compare, the first of a with the first of b, and so on; a model can occur several times"`
	Engine string   `json:"engine,omitempty" limit:"name" doc:"only rows from this engine"`
	Text   string   `json:"text,omitempty" limit:"body" doc:"instead of a suite, a log of herd7 or litmus7, or results as JSON lines"`

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
	var kinds []compare.Kind
	for _, name := range c.Only {
		k, ok := compare.Find(name)
		if !ok {
			return out, server.Refuse("There is no kind of difference with the name %q.", name)
		}
		kinds = append(kinds, k)
	}
	if err := c.checkPairs(); err != nil {
		return out, err
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
		sides[i] = compare.Side{
			Rows: rows, Model: side.Model, Models: side.Models, Engine: side.Engine, Most: maxWaitingBytes,
		}
	}
	out.Differences = []compare.Difference{}
	out.Totals, err = compare.Run(ctx, sides[0], sides[1], func(d compare.Difference) error {
		switch {
		case !d.Kind.In(kinds):
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

// checkPairs refuses models that are not in pairs.
func (c *comparison) checkPairs() error {
	a, b := c.A, c.B
	switch {
	case len(a.Models) != len(b.Models):
		return server.Refuse("Side a has %s to compare, and side b has %d. Give as many for both: the first of a is "+
			"compared with the first of b, and so on.", solver.Count(len(a.Models), "model"), len(b.Models))
	case len(a.Models) > 0 && (a.Model != "" || b.Model != ""):
		return server.Refuse("A side has both model and models. Give one of them.")
	case slices.Contains(a.Models, "") || slices.Contains(b.Models, ""):
		return server.Refuse("Choose a model on both sides of each pair.")
	}
	return nil
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
	next, stop := iter.Pull2(s.suiteRows(ctx, of))
	return pulledRows(next), stop, nil
}

// suiteRows yields a row for each test and model of a suite: first those that it has answered, then the others with
// the status [compare.Pending].
func (s *page) suiteRows(ctx context.Context, of *suites.Suite) iter.Seq2[*report.Row, error] {
	return func(yield func(*report.Row, error) bool) {
		// A row that is recorded meanwhile is in waiting, and is found below or stays there.
		waiting, err := s.pendingRows(ctx, of)
		if err != nil {
			yield(nil, err)
			return
		}
		more := true
		err = s.Store.Rows(ctx, of, 0, math.MaxInt, func(position int, r *solver.Result) (bool, error) {
			delete(waiting, position)
			more = yield(report.RowOf(r), nil)
			return more, nil
		})
		if err != nil {
			yield(nil, err)
			return
		}
		for _, position := range slices.Sorted(maps.Keys(waiting)) {
			if more = more && yield(waiting[position], nil); !more {
				return
			}
		}
	}
}

// pendingRows returns the rows that a suite lacks, by position: a test's place times the number of models, and the
// model's.
func (s *page) pendingRows(ctx context.Context, of *suites.Suite) (map[int]*report.Row, error) {
	out := map[int]*report.Row{}
	if of.Done >= of.Rows() {
		return out, nil
	}
	why := "the suite is still running"
	if of.State == suites.Cancelled {
		why = "the suite was cancelled"
	}
	for from := 0; ; {
		tests, err := s.Store.Pending(ctx, of, from, pendingPage)
		if err != nil || len(tests) == 0 {
			return out, err
		}
		for _, t := range tests {
			from = t.N + 1
			for _, m := range t.Models {
				model := of.Request.Models[m].Name
				out[t.N*len(of.Request.Models)+m] = &report.Row{
					Test: t.Name, Path: t.Path, Model: cmp.Or(model, models.Default(dialect.Tongue(t.Source))),
					Status: compare.Pending, Error: why,
				}
			}
		}
	}
}

// pendingPage is how many tests pendingRows reads at once.
const pendingPage = 200

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
