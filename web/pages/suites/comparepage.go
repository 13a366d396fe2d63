package suites

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"litmuscope/solver"
	"litmuscope/solver/compare"
	"litmuscope/solver/suites"
	"litmuscope/web/parts/answer"
	"litmuscope/web/server"
)

// comparePageView is the content of the comparison page: the two sides, and the result.
type comparePageView struct {
	Suites  []choice // the suites to choose from
	A, B    sideView
	Result  *comparisonView // nil: no comparison yet
	Problem string
}

// sideView is one side: a suite with one of its models, or a log.
type sideView struct {
	ID, Title, URL string
	Model          string
	Models         []choice
	Log            string // the log's file name
}

// comparisonView has the differences by kind.
type comparisonView struct {
	Totals    compare.Tally
	Different bool
	Summary   string
	Kinds     []kindView
	More      bool // the list is incomplete
}

type kindView struct {
	Kind   compare.Kind
	Text   string
	Remark bool
	Count  int
	Rows   []differenceView
}

// differenceView is one difference.
type differenceView struct {
	Test   string
	Path   string // "" if it is the name with .litmus
	A, B   answerCell
	States []string
	Detail string
}

// answerCell is the answer of one side to a test.
type answerCell struct {
	Mark, Word, Class string
	Note              string // the model and an error
	URL               string // address of the test in the explorer
}

// shownDifferences is the maximum number of differences per kind on the page.
const shownDifferences = 200

// getCompare compares two suites: ?a=ID&b=ID&model-a=…&model-b=….
func (s *page) getCompare(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	c := comparison{
		A: comparedSide{Suite: q.Get("a"), Model: q.Get("model-a")},
		B: comparedSide{Suite: q.Get("b"), Model: q.Get("model-b")},
	}
	s.answerCompare(w, r, c, "", c.A.Suite != "" && c.B.Suite != "", nil)
}

// postComparePage compares a suite with an uploaded log.
func (s *page) postComparePage(w http.ResponseWriter, r *http.Request) {
	server.AllowBody(w, r, s.server.Limits.Upload.Bytes())
	var c comparison
	defer c.close()
	form, name, file, err := formAndFile(r, "log")
	c.A = comparedSide{Suite: form.Get("a"), Model: form.Get("model-a")}
	if err == nil && file == nil {
		err = server.Refuse("Choose a log file.")
	}
	if err == nil {
		if c.B.log, err = os.CreateTemp("", "litmuscope-*.log"); err == nil {
			_, err = io.Copy(c.B.log, file)
		}
		if err == nil {
			_, err = c.B.log.Seek(0, io.SeekStart)
		}
	}
	if err != nil {
		_, _ = io.Copy(io.Discard, r.Body) // a browser shows the response only after it has sent everything
	}
	s.answerCompare(w, r, c, name, err == nil, err)
}

// answerCompare compares the two sides, if asked is set and err is nil, and shows the page.
func (s *page) answerCompare(w http.ResponseWriter, r *http.Request, c comparison, log string, asked bool, err error) {
	v := comparePageView{B: sideView{Log: server.Visible(log)}}
	listed, listErr := s.Store.Suites(r.Context(), 0, "", "", pageSuites)
	if listErr != nil {
		s.server.FailOf(w, r, listErr)
		return
	}
	for _, f := range listed {
		view := s.viewSuite(f)
		v.Suites = append(v.Suites, choice{f.ID, view.Title + ", " + view.When.Text})
	}
	var sides [2]*suites.Suite
	for i, side := range []*comparedSide{&c.A, &c.B} {
		if side.Suite == "" || err != nil {
			continue
		}
		if sides[i], err = s.Store.Suite(r.Context(), side.Suite); err != nil {
			err = fmt.Errorf("side %s: %w", []string{"a", "b"}[i], err)
		}
	}
	if err == nil && sides[0] != nil && sides[1] != nil && c.A.Suite == c.B.Suite && c.A.Model == c.B.Model &&
		len(sides[0].Request.Models) > 1 {
		// The two sides are the same suite, so compare two of its models.
		c.A.Model, c.B.Model = sides[0].Request.Models[0].Name, sides[0].Request.Models[1].Name
	}
	for i, to := range []*sideView{&v.A, &v.B} {
		if side := []comparedSide{c.A, c.B}[i]; sides[i] != nil {
			*to = s.viewSide(sides[i], side.Model)
		}
		v.Suites = to.among(v.Suites)
	}
	var result comparisonResult
	if err == nil && asked {
		result, err = s.compare(r.Context(), c)
	}
	if err == nil && asked {
		v.Result, err = s.viewComparison(r, sides, result)
	}
	status := http.StatusOK
	if err != nil {
		f := s.server.Fault(r.Context(), err)
		status, v.Problem = f.Status, f.Detail
	}
	s.server.Render(w, r, status, comparePage(server.Nonce(r.Context()), v))
}

func (s *page) viewSide(of *suites.Suite, model string) sideView {
	view := s.viewSuite(of)
	v := sideView{ID: of.ID, Title: view.Title, URL: "/suites/" + of.ID, Model: model}
	for _, m := range of.Request.Models {
		if m.Name != "" {
			v.Models = append(v.Models, choice{m.Name, suiteModelLabel(m.Name)})
		}
	}
	return v
}

// among adds a side's suite to the list of choices if it is too old to be there.
func (v *sideView) among(list []choice) []choice {
	for _, c := range list {
		if c.Value == v.ID {
			return list
		}
	}
	if v.ID == "" {
		return list
	}
	return append(list, choice{v.ID, v.Title})
}

// viewComparison arranges differences by kind, at most shownDifferences of each, and links each answer to the test in
// the explorer.
func (s *page) viewComparison(r *http.Request, sides [2]*suites.Suite, in comparisonResult) (*comparisonView, error) {
	v := &comparisonView{Totals: in.Totals, Different: in.Different, More: in.Cut}
	by := map[compare.Kind][]compare.Difference{}
	var paths [2][]string
	for _, d := range in.Differences {
		if len(by[d.Kind]) == shownDifferences {
			v.More = true
			continue
		}
		by[d.Kind] = append(by[d.Kind], d)
		for i, a := range []*compare.Answer{d.A, d.B} {
			if a != nil {
				paths[i] = append(paths[i], a.Path)
			}
		}
	}
	var places [2]map[string]int
	for i, of := range sides {
		if of == nil {
			continue
		}
		var err error
		if places[i], err = s.Store.PlacesByPath(r.Context(), of, paths[i]); err != nil {
			return nil, err
		}
	}
	for _, k := range compare.Kinds {
		count := in.Totals.Kinds[k.Kind]
		if count == 0 {
			continue
		}
		view := kindView{Kind: k.Kind, Text: k.Text, Remark: k.Remark, Count: count}
		for _, d := range by[k.Kind] {
			row := differenceView{Test: server.Visible(d.Test), Detail: server.Visible(d.Detail)}
			for i, a := range []*compare.Answer{d.A, d.B} {
				cell := viewAnswer(a)
				if a != nil && a.Path != "" && a.Path != d.Test+".litmus" {
					row.Path = server.Visible(a.Path)
				}
				if a != nil && sides[i] != nil {
					if n, ok := places[i][a.Path]; ok {
						cell.URL = cellURL(sides[i].ID, n, a.Model)
					}
				}
				*[]*answerCell{&row.A, &row.B}[i] = cell
			}
			for _, state := range d.States {
				text := answer.StateText(state.State)
				if state.Count != nil {
					text = fmt.Sprintf("%s (%s)", text, server.Thousands(int(*state.Count)))
				}
				row.States = append(row.States, server.Visible(text))
			}
			view.Rows = append(view.Rows, row)
		}
		v.Kinds = append(v.Kinds, view)
	}
	t := in.Totals
	v.Summary = fmt.Sprintf("%s of %s rows in A and %s in B: %s the same, %s different",
		server.Thousands(t.Pairs)+" "+server.Plural(t.Pairs, "pair"),
		server.Thousands(t.Rows[0]), server.Thousands(t.Rows[1]), server.Thousands(t.Same),
		server.Thousands(t.Pairs-t.Same-t.Unanswered))
	if t.Unanswered > 0 {
		v.Summary += fmt.Sprintf(", %s unanswered on both sides", server.Thousands(t.Unanswered))
	}
	return v, nil
}

// viewAnswer describes a side's answer.
func viewAnswer(a *compare.Answer) answerCell {
	if a == nil {
		return answerCell{Mark: "–", Word: "missing", Class: "code-w"}
	}
	var c answerCell
	switch {
	case a.Hardware:
		c = answerCell{Mark: "⚙", Word: "seen " + strings.ToLower(cmp.Or(string(a.Observation), "sometimes"))}
	case a.Status == solver.Failed:
		c.Mark, c.Word = markOf(byte(suites.Failed))
		c.Class = "code-e"
	case a.Status == solver.Unknown || a.Verdict == solver.Undecided:
		c.Mark, c.Word = markOf(byte(suites.Undecided))
		c.Class = "code-u"
	case a.Verdict == solver.Allowed:
		c.Mark, c.Word = markOf(byte(suites.Allowed))
		c.Class = "code-a"
	case a.Verdict == solver.Forbidden:
		c.Mark, c.Word = markOf(byte(suites.Forbidden))
		c.Class = "code-f"
	default:
		c.Word = solver.Count(a.States, "state")
	}
	if a.Model != "" {
		c.Note = suiteModelLabel(a.Model)
	}
	if a.Error != "" {
		c.Note = strings.TrimSpace(c.Note + " " + server.Visible(a.Error))
	}
	return c
}

// formAndFile reads a form's fields and returns a reader of the file in the given field, nil if there is none. The file
// must be the last part of the form.
func formAndFile(r *http.Request, field string) (form url.Values, name string, file io.Reader, err error) {
	form = url.Values{}
	parts, err := r.MultipartReader()
	if err != nil {
		return form, "", nil, server.Unread(err)
	}
	left := int64(server.MaxBody)
	for {
		p, err := parts.NextPart()
		if err == io.EOF { //nolint:errorlint // NextPart returns io.EOF unwrapped
			return form, "", nil, nil
		}
		if err != nil {
			return form, "", nil, server.Unread(err)
		}
		if p.FormName() == field {
			file := bufio.NewReader(p)
			if _, err := file.Peek(1); err == io.EOF { //nolint:errorlint // Peek returns io.EOF unwrapped
				return form, "", nil, nil
			}
			return form, p.FileName(), file, nil
		}
		value, err := io.ReadAll(io.LimitReader(p, left+1))
		if err != nil {
			return form, "", nil, server.Unread(err)
		}
		if left -= int64(len(value)); left < 0 {
			return form, "", nil, server.Refuse("The texts in the form are longer than %d MiB. Upload a file instead.",
				server.MaxBody>>20)
		}
		form.Add(p.FormName(), string(value))
	}
}
