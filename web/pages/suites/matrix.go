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

// filter selects tests of a suite's matrix by query parameters: q matches paths and names, m0 has the codes of the
// first model (m1 of the second, and so on), show is "differ", "seen" (a machine has shown what a model forbids) or
// codes that any model gave, and cause selects by the cause of an error.
type filter struct {
	store.Filter
	Show string
}

// matrixCodes are the codes of a cell in the order of the choices, with their marks and words.
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

// codesOf parses the codes of a parameter; false if one is unknown. The code for waiting is "w" there, which needs no
// escaping in an address.
func codesOf(text string) (string, bool) {
	text = strings.ReplaceAll(text, "w", string(store.Waiting))
	for _, c := range text {
		if !strings.ContainsRune("afue.", c) {
			return "", false
		}
	}
	return text, true
}

// maxFilter is the maximum length of a filter's text and cause, in bytes.
const maxFilter = 500

// filterOf parses a filter.
func filterOf(q url.Values, models int) (filter, error) {
	f := filter{Filter: store.Filter{Text: strings.TrimSpace(q.Get("q")), Cause: q.Get("cause")}, Show: q.Get("show")}
	if len(f.Text) > maxFilter || len(f.Cause) > maxFilter {
		return f, server.Refuse("The filter text is longer than %d bytes.", maxFilter)
	}
	if f.Show == "differ" {
		f.Differ = true
	} else if f.Show == seenShow {
		// matching applies it.
	} else if codes, ok := codesOf(f.Show); ok {
		f.Any = codes
	} else {
		return f, server.Refuse("show: want differ, seen, or letters of a (allowed), f (forbidden), u (unknown), " +
			"e (error).")
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

// All reports whether every test passes the filter.
func (f *filter) All() bool { return f.Filter.All() && f.Show == "" }

// query returns the filter as query parameters.
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

// plainRows is the number of tests in the page itself, windowRows the maximum number that its script can request at
// once.
const (
	plainRows  = 200
	windowRows = 500
)

// matrixView is a part of the matrix as a plain table.
type matrixView struct {
	Suite   string
	Filter  filter
	Columns []columnView
	// Machines are the columns after those of models.
	Machines []machineView
	Rows     []store.MatrixRow
	Count    int // number of tests that match the filter
	First    int // index of Rows among them, from 0
	Prev     string
	Next     string // addresses; "": none
	Any      bool   // there are several models, which can differ
}

type columnView struct {
	Name, Label, Title string
	Field, Value       string // field and value of the column's filter
}

// viewMatrix returns a part of the matrix after a test, for browsers without scripts.
func (s *page) viewMatrix(r *http.Request, of *suites.Suite, f filter) (matrixView, error) {
	v := matrixView{Suite: of.ID, Filter: f, Any: len(of.Request.Models) > 1}
	for m, model := range of.Request.Models {
		v.Columns = append(v.Columns, columnView{
			Name: model.Name, Label: suiteModelLabel(model.Name), Title: suiteModelTitle(model),
			Field: "m" + strconv.Itoa(m), Value: strings.ReplaceAll(f.Codes[m], string(store.Waiting), "w"),
		})
	}
	var err error
	if v.Machines, err = s.viewMachines(r.Context(), of); err != nil {
		return v, err
	}
	list, err := s.matching(r.Context(), of, f)
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
	v.Rows, err = s.matrixRows(r, of, v.Machines, list[v.First:end])
	return v, err
}

// matrixRows reads tests with the cells of machines, and makes their texts safe to display.
func (s *page) matrixRows(
	r *http.Request, of *suites.Suite, machines []machineView, places []int,
) ([]store.MatrixRow, error) {
	rows, err := s.Store.Matrix(r.Context(), of, places)
	for i := range rows {
		rows[i].Path, rows[i].Name = server.Visible(rows[i].Path), server.Visible(rows[i].Name)
	}
	if err == nil {
		err = s.addMachines(r.Context(), of, machines, rows)
	}
	return rows, err
}

// suiteMatrix sends the tests with some indices to the page's script: ?n=0-199,250.
func (s *page) suiteMatrix(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	places, err := placesOf(r.URL.Query().Get("n"))
	var rows []store.MatrixRow
	var machines []machineView
	if err == nil {
		machines, err = s.viewMachines(r.Context(), of)
	}
	if err == nil {
		rows, err = s.matrixRows(r, of, machines, places)
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.WriteJSON(w, rows)
}

// placesOf parses a list of indices and ranges: "0-199,250".
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

// matchingTests are the tests that match a filter, as indices: the first one, then the distance from each to the next.
type matchingTests struct {
	Steps []int `json:"steps"`
}

// suiteMatching sends the tests that match a filter to the page's script.
func (s *page) suiteMatching(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	f, err := filterOf(r.URL.Query(), len(of.Request.Models))
	var list []int
	if err == nil {
		list, err = s.matching(r.Context(), of, f)
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

// markOf returns the mark and word of a code.
func markOf(code byte) (mark, word string) {
	for _, c := range matrixCodes {
		if c.Code == code {
			return c.Mark, c.Word
		}
	}
	return "", fmt.Sprintf("code %q", code)
}
