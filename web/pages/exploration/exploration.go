// Package exploration serves the page that shows how the engine graphs explores the executions of a test or of a C
// program, graph by graph: a solver.Tour as a tree, with one graph drawn. The address contains the whole question, so
// that it can be shared.
//
// It imports web/server and web/parts: no other page.
package exploration

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

type page struct {
	server    *server.Server
	questions *question.Service
	pictures  *picture.Pictures
}

// New returns the page. The pages of tests and programs link to it.
func New(p *picture.Pictures) server.Page {
	s := &page{p.Server, p.Questions, p}
	return server.Page{
		Mount: func(r chi.Router) { r.Get("/exploration", s.get) },
		Costs: map[string]server.Cost{"GET /exploration": server.Asks},
	}
}

// pageView is the content of the page.
type pageView struct {
	picture.TourView
	Label  string // the model's label
	Models []modelView
	Kept   []fieldView // the fields of the question except the model
	Note   string      // why the page shows another model than requested
	Back   string      // address of the page that can edit the text
	Text   string
}

type modelView struct {
	Name, Label string
	Chosen      bool
}

type fieldView struct{ Name, Value string }

// request is the parsed address.
type request struct {
	test    string // ID of a classic test; "": source is the visitor's text
	source  string
	program bool
	model   string
	models  []string // the models that support exploration
	other   string   // a requested model that is not in models
	at      int
	fields  url.Values // further options of the question
}

// programName is the file name of a visitor's program.
const programName = "program.c"

// read parses the fields of an address. If none of the requested models supports exploration, it takes the first that
// does and puts the requested one into other. Options at their defaults are dropped, so that equal questions have equal
// addresses.
func read(f url.Values) (*request, error) {
	q := &request{test: f.Get("test"), source: server.UnixLines(f.Get("source")), fields: url.Values{}}
	if strings.TrimSpace(q.source) == "" {
		e, ok := classic.Find(cmp.Or(q.test, classic.First))
		if !ok {
			return nil, server.Refuse(classic.Missing, server.Shortened(q.test))
		}
		q.test, q.source = e.ID(), e.Source
	} else {
		q.test = classic.Of(q.source)
	}
	q.program = question.IsProgram(q.source)
	tongue := dialect.Tongue(q.source)
	if q.program {
		tongue = "C"
	}
	known := engines.TourModels(tongue) // without a model in the address, it is the strongest
	q.models = models.Arranged(known, tongue)
	for _, name := range f["model"] {
		name = question.ReadColumn(name).Model
		if q.model == "" && slices.Contains(q.models, name) {
			q.model = name
		} else if q.other == "" && name != "" {
			q.other = name
		}
	}
	if q.model == "" && len(q.models) > 0 {
		q.model = known[0]
	}
	usual := map[string]string{"option-unroll": strconv.Itoa(solver.DefaultOptions().Unroll)}
	names := []string{"option-unroll"}
	if q.program {
		names = append(names, "option-defines", "option-entry", "option-data-model", "option-char", "option-target")
	}
	for _, name := range names {
		if v := f.Get(name); v != "" && v != usual[name] {
			q.fields.Set(name, v)
		}
	}
	if at := f.Get("at"); at != "" {
		n, err := strconv.Atoi(at)
		if err != nil || n < 1 {
			return nil, server.Refuse("at: got %q, want the number of a graph.", server.Shortened(at))
		}
		q.at = n - 1
	}
	return q, nil
}

// address returns the address of the page that shows the graph at index at.
func (q *request) address(at int) string {
	f := q.formFields()
	f.Set("model", q.model)
	return picture.TourAddress(f, at)
}

// formFields returns the fields of the question without the model.
func (q *request) formFields() url.Values {
	f := url.Values{}
	for name, v := range q.fields {
		f[name] = v
	}
	if q.test != "" {
		f.Set("test", q.test)
	} else {
		f.Set("source", q.source)
	}
	return f
}

// question returns the question for the engine.
func (q *request) question() (engines.Touring, error) {
	out := engines.Touring{Most: picture.MostStops, At: q.at}
	o := solver.DefaultOptions()
	unroll := url.Values{}
	if v := q.fields.Get("option-unroll"); v != "" {
		unroll.Set("option-unroll", v)
	}
	if err := optionform.SetAll(&o, unroll); err != nil {
		return out, err
	}
	if !q.program {
		out.Test = &solver.Task{Path: question.FileName, Source: q.source, Model: q.model, Options: o}
		return out, nil
	}
	defines := strings.Fields(q.fields.Get("option-defines"))
	if len(defines) > server.MaxDefines {
		return out, server.Refuse("There are more than %d macros.", server.MaxDefines)
	}
	out.Program = &solver.VerifyTask{
		Path: programName, Files: []solver.SourceFile{{Name: programName, Text: q.source}}, Model: q.model, Options: o,
		Defines: defines, Entry: q.fields.Get("option-entry"), DataModel: q.fields.Get("option-data-model"),
		Char: q.fields.Get("option-char"), Target: q.fields.Get("option-target"),
		Verify: solver.Verify{Properties: []ir.Property{ir.Assertion}},
	}
	return out, nil
}

// get shows an exploration. With field part, it sends only the selected graph.
func (s *page) get(w http.ResponseWriter, r *http.Request) {
	q, err := read(r.URL.Query())
	if err == nil {
		err = s.questions.Fits(q.source, &question.Question{})
	}
	if err == nil && q.model == "" {
		err = server.Refuse("No model supports graph-by-graph exploration of tests in %s, where each read gets its "+
			"value when it is added.", dialect.Tongue(q.source))
	}
	var asked engines.Touring
	if err == nil {
		asked, err = q.question()
	}
	var tour *picture.TourView
	if err == nil {
		tour, err = s.pictures.ViewTour(r.Context(), asked, q.address)
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	if r.URL.Query().Has("part") {
		s.server.Render(w, r, http.StatusOK, picture.TourGraph(tour.Shown))
		return
	}
	v := pageView{TourView: *tour, Label: question.Label(q.model), Text: q.source, Back: "/explore"}
	v.ID = "tour"
	if q.program {
		v.Back, v.Title = "/programs", "the program"
	}
	if q.other != "" && !slices.Contains(r.URL.Query()["model"], q.model) {
		v.Note = question.Label(q.other) + " does not support this exploration. The page shows " + v.Label + " instead."
	}
	for _, name := range q.models {
		v.Models = append(v.Models, modelView{name, question.Label(name), name == q.model})
	}
	for name, values := range q.formFields() {
		v.Kept = append(v.Kept, fieldView{name, values[0]})
	}
	slices.SortFunc(v.Kept, func(a, b fieldView) int { return strings.Compare(a.Name, b.Name) })
	s.server.Render(w, r, http.StatusOK, fullPage(server.Nonce(r.Context()), v))
}
