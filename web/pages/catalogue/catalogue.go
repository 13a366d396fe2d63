package catalogue

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"litmuscope/litmus/catalogue"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// catalogueView is the content of the catalogue page for one query.
type catalogueView struct {
	Query, Arch, Allowed, Forbidden string
	Shape                           *catalogue.Shape // the chosen shape; nil: none
	Cycles, Others                  []shapeGroup     // the table
	Columns                         []string         // the column heads of Cycles: kinds of communication edges
	Models                          []string
	Usual                           []string // the models whose verdicts the table shows
	Found                           []testGroup
	Also                            []classic.Part // programs, bugs and lessons that the words of the query find
	Asked                           bool           // the query is not empty
	Count, Shown                    int
	Problem                         string
}

// UsualLabels returns the labels of the models that the table's marks stand for, in order.
func (v catalogueView) UsualLabels() string {
	var out []string
	for _, m := range v.Usual {
		out = append(out, question.Label(m))
	}
	return strings.Join(out, ", ")
}

// shapeGroup is one group of shapes in the table: a row, or several if it needs them.
type shapeGroup struct {
	Title string
	Cells []shapeCell
}

// shapeCell is a shape in the table, with its picture and the verdicts on a plain test of the shape.
type shapeCell struct {
	catalogue.Shape
	Plain  catalogue.Entry
	Column int // counted from 1; 0: no column
	Tests  int
	Marks  []citedVerdict
	Found  bool // the query matches one of its tests
}

// Said describes the marks in words, for screen readers.
func (c shapeCell) Said() string {
	by := map[string][]string{}
	for _, m := range c.Marks {
		by[m.Verdict.Verdict] = append(by[m.Verdict.Verdict], question.Label(m.Model))
	}
	var out []string
	for _, v := range []string{"allowed", "forbidden"} {
		if len(by[v]) > 0 {
			out = append(out, v+" under "+strings.Join(by[v], ", "))
		}
	}
	return c.Plain.Name + ": " + strings.Join(out, "; ")
}

// citedVerdict is a verdict with the number of its source; 0 means no source.
type citedVerdict struct {
	catalogue.Verdict
	Ref int
}

// Sign returns the verdict's mark, "" if the model has no verdict on the test.
func (m citedVerdict) Sign() string {
	if m.Verdict.Verdict == "" {
		return ""
	}
	return answer.VerdictMark(solver.Verdict(m.Verdict.Verdict))
}

// Title describes the verdict and its source in words.
func (m citedVerdict) Title() string {
	if m.Verdict.Verdict == "" {
		return question.Label(m.Model) + " has no verdict"
	}
	by := "computed by litmuscope"
	if m.Source != "" {
		by = m.Source
	}
	return question.Label(m.Model) + ": " + m.Verdict.Verdict + " – " + by
}

// testGroup is the tests of one architecture that the query matches.
type testGroup struct {
	Arch    string
	Models  []string // one column each
	Rows    []testRow
	Sources []string
}

type testRow struct {
	catalogue.Entry
	Marks []citedVerdict
}

// mostRows is the maximum number of tests that the page lists.
const mostRows = 160

func (s *page) getCatalogue(w http.ResponseWriter, r *http.Request) {
	v := viewCatalogue(r.URL.Query())
	if v.Query != "" && v.Arch == "" && v.Shape == nil && v.Allowed == "" && v.Forbidden == "" {
		v.Also = s.also(v.Query)
	}
	if r.URL.Query().Get("part") == "found" {
		s.server.Render(w, r, http.StatusOK, catalogueFound(v))
		return
	}
	s.server.Render(w, r, http.StatusOK, cataloguePage(server.Nonce(r.Context()), v))
}

// maxQuery is the maximum length of a query, in bytes.
const maxQuery = 500

// viewCatalogue runs the query in the address: words, an architecture, a shape, and verdicts.
func viewCatalogue(q url.Values) catalogueView {
	v := catalogueView{
		Query: strings.TrimSpace(q.Get("q")), Arch: q.Get("arch"), Allowed: q.Get("allowed"),
		Forbidden: q.Get("forbidden"),
		Models:    models.Arranged(models.Names(), q.Get("arch")), Usual: question.Usual, Columns: columnsOfCycles,
	}
	if shape, ok := catalogue.FindShape(strings.ReplaceAll(q.Get("shape"), " ", "+")); ok {
		v.Shape = &shape
	} else if name := q.Get("shape"); name != "" {
		v.Problem = fmt.Sprintf("There is no shape named %q.", name)
	}
	want := catalogueSearch{arch: v.Arch}
	if len(v.Query) > maxQuery {
		v.Problem, v.Query = tooLong(v.Query), ""
	}
	if v.Problem == "" {
		v.Problem = want.read(v.Query + " " + verdictWord("allowed", v.Allowed) + " " +
			verdictWord("forbidden", v.Forbidden))
	}
	v.Asked = v.Query != "" || v.Arch != "" || v.Allowed != "" || v.Forbidden != "" || v.Shape != nil
	count := map[string]int{}
	if v.Problem == "" {
		for _, e := range want.find() {
			count[e.Shape]++
			if v.Shape != nil && e.Shape != v.Shape.Name {
				continue // a chosen shape does not dim the other shapes
			}
			v.Count++
			if v.Asked && v.Shown < mostRows {
				v.Shown++
				v.Found = listed(v.Found, e)
			}
		}
	}
	numberSources(v.Found)
	v.Cycles, v.Others = shapeTable(v.Arch, count)
	return v
}

func verdictWord(verdict, model string) string {
	if model == "" {
		return ""
	}
	return verdict + ":" + model
}

// listed adds a test to the group of its architecture.
func listed(groups []testGroup, e catalogue.Entry) []testGroup {
	if n := len(groups); n == 0 || groups[n-1].Arch != e.Arch {
		groups = append(groups, testGroup{Arch: e.Arch, Models: models.Arranged(models.Names(), e.Arch)})
	}
	g := &groups[len(groups)-1]
	row := testRow{Entry: e}
	for _, m := range g.Models {
		v, ok := e.Under(m)
		if !ok {
			v.Model = m
		}
		row.Marks = append(row.Marks, citedVerdict{Verdict: v})
	}
	g.Rows = append(g.Rows, row)
	return groups
}

// numberSources numbers the sources in each group, from 1.
func numberSources(groups []testGroup) {
	for i := range groups {
		g := &groups[i]
		for _, row := range g.Rows {
			for j := range row.Marks {
				m := &row.Marks[j]
				if m.Source == "" {
					continue
				}
				n := slices.Index(g.Sources, m.Source)
				if n < 0 {
					n = len(g.Sources)
					g.Sources = append(g.Sources, m.Source)
				}
				m.Ref = n + 1
			}
		}
	}
}

// catalogueSearch is a parsed query. A test must match all of it.
type catalogueSearch struct {
	arch               string
	words              []string
	allowed, forbidden []string // models
}

// read parses the words of a query. allowed:MODEL and forbidden:MODEL select by verdict. It returns a message for the
// reader if the query is wrong, "" otherwise.
func (s *catalogueSearch) read(query string) string {
	for w := range strings.FieldsSeq(query) {
		verdict, model, ok := strings.Cut(strings.ToLower(w), ":")
		if !ok || verdict != "allowed" && verdict != "forbidden" {
			s.words = append(s.words, strings.ToLower(w))
			continue
		}
		if !slices.Contains(models.Names(), model) {
			return fmt.Sprintf("There is no model %q: want one of %s.", model, strings.Join(models.Names(), ", "))
		}
		if verdict == "allowed" {
			s.allowed = append(s.allowed, model)
		} else {
			s.forbidden = append(s.forbidden, model)
		}
	}
	return ""
}

// find returns the tests that match the whole query: in the order of the catalogue, or, if it has words, by
// architecture, the best matches first.
func (s *catalogueSearch) find() []catalogue.Entry {
	var out []catalogue.Entry
	for _, found := range classic.Search(strings.Join(s.words, " "), "", s.arch) {
		for _, id := range found.IDs {
			if e, ok := catalogue.Find(id); ok && s.agrees(e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// agrees reports whether the models have the verdicts on a test that the query wants.
func (s *catalogueSearch) agrees(e catalogue.Entry) bool {
	for _, m := range s.allowed {
		if v, _ := e.Under(m); !v.Allowed() {
			return false
		}
	}
	for _, m := range s.forbidden {
		if v, _ := e.Under(m); v.Allowed() {
			return false
		}
	}
	return true
}

// shapeTable makes the two parts of the table: the critical cycles, each in the column of its communication edges, and
// the other shapes. It shows plain tests of arch if there are some. found has the number of matching tests by shape.
func shapeTable(arch string, found map[string]int) (cycles, others []shapeGroup) {
	all := map[string]int{}
	plain := map[string]catalogue.Entry{}
	for _, e := range catalogue.All() {
		all[e.Shape]++
		best, ok := plain[e.Shape]
		if rank := plainness(e, arch); !ok || rank > plainness(best, arch) {
			plain[e.Shape] = e
		}
	}
	for _, s := range catalogue.Shapes() {
		c := shapeCell{
			Shape: s, Plain: plain[s.Name], Column: columnOf(s), Tests: all[s.Name],
			Found: found[s.Name] > 0,
		}
		for _, m := range question.Usual {
			v, _ := c.Plain.Under(m)
			c.Marks = append(c.Marks, citedVerdict{Verdict: v})
		}
		to := &others
		if c.Column > 0 {
			to = &cycles
		}
		if n := len(*to); n == 0 || (*to)[n-1].Title != s.Group {
			*to = append(*to, shapeGroup{Title: s.Group})
		}
		g := &(*to)[len(*to)-1]
		g.Cells = append(g.Cells, c)
	}
	return cycles, others
}

// plainness ranks how well a test represents its shape, by name and then by architecture; lower is better.
func plainness(e catalogue.Entry, arch string) int {
	n := 0
	if e.Name == e.Shape || e.Name == "lock" || e.Name == "inc" {
		n += 4
	}
	if e.Arch == arch {
		n += 2
	}
	if e.Arch == "X86" {
		n++
	}
	return n
}

// counted formats a number of tests: "1 test", "12 tests".
func counted(n int) string {
	if n == 1 {
		return "1 test"
	}
	return strconv.Itoa(n) + " tests"
}

// foundShapes returns the names of the shapes that the query matches. The script dims the others.
func foundShapes(v catalogueView) string {
	var out []string
	for _, groups := range [][]shapeGroup{v.Cycles, v.Others} {
		for _, g := range groups {
			for _, c := range g.Cells {
				if c.Found {
					out = append(out, c.Name)
				}
			}
		}
	}
	return strings.Join(out, " ")
}

// classicsList returns the list of classic tests that the page's script fetches, with its ETag.
var classicsList = sync.OnceValues(func() ([]byte, string) {
	body, err := json.Marshal(classic.List())
	if err != nil {
		panic("BUG: cannot write the classic tests as JSON: " + err.Error())
	}
	return body, server.ETagOf(body)
})

// getClassicsList answers with the classic tests or, with ?q=WORDS, with what the words find: the tests, best first,
// and programs, bugs and lessons.
func (s *page) getClassicsList(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if !q.Has("q") {
		body, etag := classicsList()
		s.server.WriteKept(w, r, body, etag)
		return
	}
	words := q.Get("q")
	if len(words) > maxQuery {
		s.server.Fail(w, r, http.StatusBadRequest, tooLong(words))
		return
	}
	out := classic.Results{Found: classic.Search(words, q.Get("here"), q.Get("only"))}
	if q.Get("only") == "" {
		out.Also = s.also(words)
	}
	s.server.WriteJSON(w, out)
}

func tooLong(words string) string {
	return fmt.Sprintf("The search text has %d bytes. The limit is %d.", len(words), maxQuery)
}
