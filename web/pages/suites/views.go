package suites

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"time"

	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/suites"
	"litmuscope/store"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// suiteView is a suite for the pages.
type suiteView struct {
	suiteInfo
	Title   string
	Labels  []labelView
	Engine  string
	Options []string // options that differ from their defaults, as name=value
	Totals  []totalView
	Sum     suites.ModelTotals // totals over all models
	When    timeView
	Ended   timeView
	Left    string // "812 rows a second, about 2 min left"
	Running bool
}

type labelView struct{ Text, URL string }

type timeView struct{ Machine, Text string }

// totalView has the counts of a model.
type totalView struct {
	suites.ModelTotals
	Field string // field of the model's filter
	Label string
	Title string
}

// counts returns the counts by code, for links to the matrix.
func (t *totalView) counts() []countView {
	return []countView{
		{"a", "allowed", t.Allowed},
		{"f", "forbidden", t.Forbidden},
		{"u", "unknown", t.Undecided},
		{"e", "error", t.Failed},
	}
}

type countView struct {
	Code, Class string
	Count       int
}

// viewSuite arranges a suite for the pages: its totals, labels and times.
func (s *page) viewSuite(of *suites.Suite) suiteView {
	v := suiteView{
		suiteInfo: s.suiteInfo(of), Title: cmp.Or(server.Visible(of.Request.Name), "Suite "+of.ID),
		Engine: cmp.Or(of.Request.Engine, engines.Names()[0]), Running: of.State == suites.Running,
		When: viewTime(of.Created), Ended: viewTime(of.Finished),
	}
	for _, k := range slices.Sorted(maps.Keys(of.Request.Labels)) {
		text := k + "=" + of.Request.Labels[k]
		v.Labels = append(v.Labels, labelView{server.Visible(text), "/suites?" + url.Values{"label": {text}}.Encode()})
	}
	for _, o := range solver.OptionTable {
		if value := formfields.ViewOption(o, &of.Request.Options); value.Value != value.Default {
			v.Options = append(v.Options, o.Name+"="+value.Value)
		}
	}
	for m, t := range of.Totals {
		model := of.Request.Models[m]
		v.Totals = append(v.Totals,
			totalView{t, fmt.Sprint("m", m), suiteModelLabel(model.Name), suiteModelTitle(model)})
		v.Sum.Allowed += t.Allowed
		v.Sum.Forbidden += t.Forbidden
		v.Sum.Undecided += t.Undecided
		v.Sum.Failed += t.Failed
		v.Sum.Holds += t.Holds
	}
	if v.suiteInfo.Left != nil {
		v.Left = fmt.Sprintf("%s rows a second, %s left", server.Thousands(int(math.Ceil(v.Rate))),
			roughly(*v.suiteInfo.Left))
	}
	return v
}

// suiteModelLabel returns a model's label for a column.
func suiteModelLabel(name string) string {
	switch {
	case name == "":
		return "default"
	case models.IsBuiltIn(name):
		return question.Label(name)
	}
	return server.Visible(name)
}

func suiteModelTitle(m suites.Model) string {
	if b, ok := models.Find(m.Name); ok {
		return b.Title
	}
	if m.Name == "" {
		return "the model of each test's architecture"
	}
	return "the submitter's own model"
}

func viewTime(t time.Time) timeView {
	if t.IsZero() {
		return timeView{}
	}
	t = t.UTC()
	return timeView{t.Format(time.RFC3339), t.Format("2 Jan 2006, 15:04 UTC")}
}

// roughly describes a duration to come. The page's script has the same function.
func roughly(seconds float64) string {
	switch {
	case seconds < 10:
		return "a few seconds"
	case seconds < 90:
		return fmt.Sprintf("about %.0f s", math.Round(seconds/5)*5)
	case seconds < 90*60:
		return fmt.Sprintf("about %.0f min", seconds/60)
	}
	return fmt.Sprintf("about %.0f h", seconds/3600)
}

// tookText formats a duration in milliseconds.
func tookText(ms float64) string {
	switch {
	case ms < 9.95:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 999.5:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}

// suitesView is the list of suites and the form for a new one.
type suitesView struct {
	Suites []suiteView
	Label  string // the label of the filter
	Next   string // address of the next page
	First  bool   // the first page
	Form   submitView
}

// submitView is the form for a suite.
type submitView struct {
	Name, Labels, Catalogue, Text string
	ModelText                     string               // of a model without a name, from a browser without scripts
	Own                           []formfields.OwnView // saved models
	Models                        []formfields.ModelView
	Engines                       []formfields.EngineGroup
	Options                       []formfields.OptionView
	Changed                       bool // the engine or an option differs from its default
	Problem                       *server.ProblemView
}

// insightsView has the causes of errors and the slowest tests of a suite.
type insightsView struct {
	Suite   string
	Causes  []causeView
	More    bool // the list of causes is incomplete
	Slowest []slowView
}

type causeView struct {
	store.Cause
	Word, URL, Example string // URL: the matrix with this cause; Example: the test
}

type slowView struct {
	store.SlowRow
	Label, Mark, Word, URL string
}

const (
	shownCauses  = 100
	shownSlowest = 20
)

// testURL returns the address of a suite's test in the explorer, cellURL the same with one model selected.
func testURL(suite string, n int) string { return fmt.Sprintf("/suites/%s/tests/%d", suite, n) }

func cellURL(suite string, n int, model string) string {
	return testURL(suite, n) + "?model=" + url.QueryEscape(model)
}
