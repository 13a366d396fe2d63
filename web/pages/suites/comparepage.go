package suites

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"litmuscope/litmus"
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
	Pairs   [][2]string     // the models of A and B that are compared; "": every model. At least one pair
	Result  *comparisonView // nil: no comparison yet
	Problem string
}

// sideView is one side: a suite with one of its models, or a log.
type sideView struct {
	ID, Title, URL string
	Models         []choice
	Log            string // the log's file name
}

// comparisonView has the differences by kind.
type comparisonView struct {
	Totals    compare.Tally
	Different bool
	Summary   string
	Sides     [2]string // what becomes of the rows of each side
	Kinds     []kindView
	More      bool // the list is incomplete
}

type kindView struct {
	Kind   compare.Kind
	Text   string
	Remark bool
	Hint   string // what to do about it
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

// getCompare compares two suites: ?a=ID&b=ID&model-a=…&model-b=…, the last two once for each pair of models. With
// choose=suites or choose=pair it only shows the form, with the models of the suites or with one more pair.
func (s *page) getCompare(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	c := comparison{A: comparedSide{Suite: q.Get("a")}, B: comparedSide{Suite: q.Get("b")}}
	pairs := pairsOf(q["model-a"], q["model-b"])
	choose := q.Get("choose")
	switch {
	case choose == "suites":
		pairs = nil // they are other suites' models
	case choose == "pair" && len(pairs) < suites.MaxModels:
		pairs = append(pairs, [2]string{})
	}
	c.pair(pairs)
	s.answerCompare(w, r, c, "", choose == "" && c.A.Suite != "" && c.B.Suite != "", nil)
}

// pairsOf pairs the models of two lists. It leaves out pairs without any model, unless there is no other.
func pairsOf(a, b []string) (out [][2]string) {
	for i := range max(len(a), len(b)) {
		var p [2]string
		if i < len(a) {
			p[0] = a[i]
		}
		if i < len(b) {
			p[1] = b[i]
		}
		if p != [2]string{} {
			out = append(out, p)
		}
	}
	return out
}

// pair sets the models of both sides. One pair may leave a model open, which means every model.
func (c *comparison) pair(pairs [][2]string) {
	c.A.Model, c.B.Model, c.A.Models, c.B.Models = "", "", nil, nil
	if len(pairs) == 1 {
		c.A.Model, c.B.Model = pairs[0][0], pairs[0][1]
		return
	}
	for _, p := range pairs {
		c.A.Models, c.B.Models = append(c.A.Models, p[0]), append(c.B.Models, p[1])
	}
}

// pairs returns the models of both sides as pair takes them, at least one pair.
func (c *comparison) pairs() [][2]string {
	if len(c.A.Models) == 0 {
		return [][2]string{{c.A.Model, c.B.Model}}
	}
	var out [][2]string
	for i := range c.A.Models {
		out = append(out, [2]string{c.A.Models[i], c.B.Models[i]})
	}
	return out
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
		len(c.A.Models) == 0 && len(sides[0].Request.Models) > 1 {
		// The two sides are the same suite, so compare two of its models.
		c.A.Model, c.B.Model = sides[0].Request.Models[0].Name, sides[0].Request.Models[1].Name
	}
	v.Pairs = c.pairs()
	for i, to := range []*sideView{&v.A, &v.B} {
		switch {
		case sides[i] != nil:
			*to = s.viewSide(sides[i])
		case len(listed) > 0 && err == nil && log == "" && to.ID == "":
			// The form begins with the two newest suites, the older as A.
			*to = s.viewSide(listed[min(1-i, len(listed)-1)])
		}
		v.Suites = to.among(v.Suites)
	}
	for i, side := range []comparedSide{c.A, c.B} {
		if err == nil && asked && sides[i] != nil {
			err = side.checkModels([]string{"A", "B"}[i], sides[i])
		}
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

// checkModels refuses a model that the side's suite was not asked about. A suite that runs each test under its
// architecture's model may have any.
func (side *comparedSide) checkModels(name string, of *suites.Suite) error {
	var labels []string
	for _, m := range of.Request.Models {
		if m.Name == "" {
			return nil
		}
		labels = append(labels, suiteModelLabel(m.Name))
	}
	for _, m := range append([]string{side.Model}, side.Models...) {
		if m != "" && !slices.Contains(of.Request.ModelNames(), m) {
			return server.Refuse("Suite %s has no model %q. Choose one of its models: %s.", name, litmus.Shorten(m),
				strings.Join(labels, ", "))
		}
	}
	return nil
}

func (s *page) viewSide(of *suites.Suite) sideView {
	view := s.viewSuite(of)
	v := sideView{ID: of.ID, Title: view.Title, URL: "/suites/" + of.ID}
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
		if k.Kind == compare.ModelA || k.Kind == compare.ModelB {
			view.Hint = "To compare these answers with those under another model, choose a pair of models above."
		}
		for _, d := range by[k.Kind] {
			row := differenceView{Test: server.Visible(d.Test), Detail: server.Visible(d.Detail)}
			for i, a := range []*compare.Answer{d.A, d.B} {
				cell := viewAnswer(a)
				if a == nil && (d.Kind == compare.ModelA || d.Kind == compare.ModelB) {
					cell.Word = "not under this model"
				}
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
		server.Thousands(t.Differing()))
	if t.OneSided > 0 {
		v.Summary += fmt.Sprintf(", %s answered on one side", server.Thousands(t.OneSided))
	}
	if t.Unanswered > 0 {
		v.Summary += fmt.Sprintf(", %s unanswered on both sides", server.Thousands(t.Unanswered))
	}
	if t.Pairs == 0 {
		v.Summary = fmt.Sprintf("Nothing to compare: no row of %s in A has a counterpart among %s in B",
			server.Thousands(t.Rows[0]), server.Thousands(t.Rows[1]))
	}
	for i := range v.Sides {
		v.Sides[i] = rowsText(t, i)
	}
	return v, nil
}

// rowsText says what becomes of the rows of a side. Its counts add up to the rows of the side's suite.
func rowsText(t compare.Tally, i int) string {
	text := fmt.Sprintf("%s in pairs, %s without a counterpart", server.Thousands(t.Rows[i]-t.Alone[i]),
		server.Thousands(t.Alone[i]))
	if t.Skipped[i] > 0 {
		text += fmt.Sprintf(", %s under other models", server.Thousands(t.Skipped[i]))
	}
	if t.Pending[i] > 0 {
		text += fmt.Sprintf(". The suite has not answered %s of them", server.Thousands(t.Pending[i]))
	}
	return text + "."
}

// pairLabel names the choice of a model for a side.
func pairLabel(side string, n, pairs int) string {
	if pairs == 1 {
		return side + ": model"
	}
	return fmt.Sprintf("%s: model of pair %d", side, n+1)
}

// pairedText says in a title which models of a side are compared.
func pairedText(pairs [][2]string, side int) string {
	var labels []string
	for _, p := range pairs {
		if p[side] != "" {
			labels = append(labels, suiteModelLabel(p[side]))
		}
	}
	if len(labels) == 0 {
		return ""
	}
	return " under " + strings.Join(labels, ", ")
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
	case a.Status == compare.Pending:
		c = answerCell{Mark: "·", Word: "no answer yet", Class: "code-w"}
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
