package suites

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/server"
)

// filter is what a visitor wants to see of a suite's matrix, as the address says:
// q for text in paths and names, m0 for what the first model says and so on, show for
// differ or codes of which some model gave one, and cause.
type filter struct {
	store.Filter
	Show string
}

// matrixCodes are what a cell may hold, in the order of choices, with their words.
var matrixCodes = []struct {
	Code byte
	Mark string
	Word string
}{
	{'a', "✓", "allowed"},
	{'f', "✗", "forbidden"},
	{'u', "?", "unknown"},
	{'e', "!", "error"},
	{store.Waiting, "·", "waiting"},
}

// codesOf are the codes in a parameter. Waiting is w there, which an address need not quote.
func codesOf(text string) (string, bool) {
	text = strings.ReplaceAll(text, "w", string(store.Waiting))
	for _, c := range text {
		if !strings.ContainsRune("afue.", c) {
			return "", false
		}
	}
	return text, true
}

// maxFilter bounds a filter's text and cause, in bytes.
const maxFilter = 500

// filterOf reads a filter.
func filterOf(q url.Values, models int) (filter, error) {
	f := filter{Filter: store.Filter{Text: strings.TrimSpace(q.Get("q")), Cause: q.Get("cause")}, Show: q.Get("show")}
	if len(f.Text) > maxFilter || len(f.Cause) > maxFilter {
		return f, server.Refuse("The filter text is longer than %d bytes.", maxFilter)
	}
	if f.Show == "differ" {
		f.Differ = true
	} else if codes, ok := codesOf(f.Show); ok {
		f.Any = codes
	} else {
		return f, server.Refuse("show: want differ, or letters of a (allowed), f (forbidden), u (unknown), e (error).")
	}
	for m := range models {
		text := q.Get("m" + strconv.Itoa(m))
		codes, ok := codesOf(text)
		if !ok {
			return f,
				server.Refuse("m%d: want letters of a (allowed), f (forbidden), u (unknown), e (error), w (waiting).",
					m)
		}
		if codes != "" {
			if f.Codes == nil {
				f.Codes = map[int]string{}
			}
			f.Codes[m] = codes
		}
	}
	return f, nil
}

// query is the filter as an address has it.
func (f *filter) query() url.Values {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("q", f.Text)
	set("show", f.Show)
	set("cause", f.Cause)
	for m, codes := range f.Codes {
		set("m"+strconv.Itoa(m), strings.ReplaceAll(codes, string(store.Waiting), "w"))
	}
	return q
}

// plainRows is how many tests the page itself has, and windowRows how many its script
// may ask for at once.
const (
	plainRows  = 200
	windowRows = 500
)

// matrixView is a part of the matrix as a plain table.
type matrixView struct {
	Suite   string
	Filter  filter
	Columns []columnView
	Rows    []store.MatrixRow
	Count   int // tests that pass the filter
	First   int // the place of Rows among them, from 0
	Prev    string
	Next    string // addresses; "" = there are none
	Any     bool   // some models may differ: there are several
}

type columnView struct {
	Name, Label, Title string
	Field, Value       string // of its filter
}

// viewMatrix is the part of the matrix behind a test, for browsers without scripts.
func (s *page) viewMatrix(r *http.Request, of *suites.Suite, f filter) (matrixView, error) {
	v := matrixView{Suite: of.ID, Filter: f, Any: len(of.Request.Models) > 1}
	for m, model := range of.Request.Models {
		v.Columns = append(v.Columns, columnView{
			Name: model.Name, Label: suiteModelLabel(model.Name), Title: suiteModelTitle(model),
			Field: "m" + strconv.Itoa(m), Value: strings.ReplaceAll(f.Codes[m], string(store.Waiting), "w"),
		})
	}
	list, err := s.Store.Matching(r.Context(), of, f.Filter)
	if err != nil {
		return v, err
	}
	after := -1
	if text := r.URL.Query().Get("after"); text != "" {
		if after, err = strconv.Atoi(text); err != nil {
			return v, server.Refuse("after: want a test's number.")
		}
	}
	v.Count = len(list)
	v.First, _ = slices.BinarySearch(list, after+1)
	end := min(v.First+plainRows, len(list))
	page := func(place int) string {
		q := f.query()
		if place > 0 {
			q.Set("after", strconv.Itoa(list[place-1]))
		}
		return "/suites/" + of.ID + "?" + q.Encode() + "#matrix"
	}
	if v.First > 0 {
		v.Prev = page(max(0, v.First-plainRows))
	}
	if end < len(list) {
		v.Next = page(end)
	}
	v.Rows, err = s.matrixRows(r, of, list[v.First:end])
	return v, err
}

// matrixRows reads tests for the eyes of visitors.
func (s *page) matrixRows(r *http.Request, of *suites.Suite, places []int) ([]store.MatrixRow, error) {
	rows, err := s.Store.Matrix(r.Context(), of, places)
	for i := range rows {
		rows[i].Path, rows[i].Name = server.Visible(rows[i].Path), server.Visible(rows[i].Name)
	}
	return rows, err
}

// suiteMatrix gives the page's script the tests of some places: ?n=0-199,250.
func (s *page) suiteMatrix(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	places, err := placesOf(r.URL.Query().Get("n"))
	var rows []store.MatrixRow
	if err == nil {
		rows, err = s.matrixRows(r, of, places)
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.WriteJSON(w, rows)
}

func placesOf(text string) ([]int, error) {
	wrong := server.Refuse("n: want at most %d test numbers such as 0-199,250.", windowRows)
	var out []int
	for part := range strings.SplitSeq(text, ",") {
		first, last, ranged := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && ranged {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 0 || to < from || to-from >= windowRows-len(out) {
			return nil, wrong
		}
		for n := from; n <= to; n++ {
			out = append(out, n)
		}
	}
	return out, nil
}

// matchingTests are the tests that pass a filter: the first one's place, and then from each to the next.
type matchingTests struct {
	Steps []int `json:"steps"`
}

// suiteMatching gives the page's script the tests that pass a filter: the first one's
// place, and then from each to the next.
func (s *page) suiteMatching(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	f, err := filterOf(r.URL.Query(), len(of.Request.Models))
	var list []int
	if err == nil {
		list, err = s.Store.Matching(r.Context(), of, f.Filter)
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	steps := make([]int, len(list))
	before := 0
	for i, n := range list {
		steps[i], before = n-before, n
	}
	s.server.WriteJSON(w, matchingTests{steps})
}

// markOf is a code's mark and word.
func markOf(code byte) (mark, word string) {
	for _, c := range matrixCodes {
		if c.Code == code {
			return c.Mark, c.Word
		}
	}
	return "", fmt.Sprintf("code %q", code)
}
