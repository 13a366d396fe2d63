package cycles

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/classic"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// cyclesView is the content of the cycles page.
type cyclesView struct {
	cycleView
	Verdicts *cycleVerdicts // nil if there is no test
	Family   cycleFamilyView
}

// cycleView is a cycle without verdicts.
type cycleView struct {
	Arch   string
	Archs  []string
	Text   string     // as entered
	Parts  []wordPart // Text, split at its errors
	Errors []string
	Lost   []string
	Shapes []shapeView
	Ring   *ringView // nil if there are Errors
	Menu   *menuView // nil unless a part of the ring is selected
	Name   string
	Source string
	Why    string // why there is no Source
	Models []string
	Known  string // address of the catalogue's test with that name; "": none
}

// wordPart is a piece of a cycle's text.
type wordPart struct {
	Text string
	Bad  bool
}

// shapeView is a link to a well-known cycle.
type shapeView struct {
	Name, URL string
	Current   bool
}

// ringView is the drawing of a cycle. Its parts are links to their menus.
type ringView struct {
	cyclediagram.Drawing
	Title   string
	Prefix  string    // prefix of the IDs of its parts
	Tall    *ringView // narrow form for phones; nil: not needed
	Pressed string    // the selected part: "edge-2", "event-0"; "": none
	Events  []string
	Edges   []string // addresses
	Removed []cyclediagram.Choice
	Middle  []cyclediagram.Text // the name
}

// menuView is the menu of a part of the ring.
type menuView struct {
	cyclediagram.Menu
	ID   string // ID of the part
	Arch string
	Back string // address of the page without the menu
}

// shapes lists well-known cycles to start with, in relaxations that every dialect has.
var shapes = []struct{ name, cycle string }{
	{"SB", "PodWR Fre PodWR Fre"},
	{"MP", "PodWW Rfe PodRR Fre"},
	{"LB", "PodRW Rfe PodRW Rfe"},
	{"S", "PodWW Rfe PodRW Wse"},
	{"R", "PodWW Wse PodWR Fre"},
	{"2+2W", "PodWW Wse PodWW Wse"},
	{"WRC", "Rfe PodRW Rfe PodRR Fre"},
	{"RWC", "Rfe PodRR Fre PodWR Fre"},
	{"ISA2", "PodWW Rfe PodRW Rfe PodRR Fre"},
	{"W+RWC", "PodWW Rfe PodRR Fre PodWR Fre"},
	{"IRIW", "Rfe PodRR Fre Rfe PodRR Fre"},
	{"3.SB", "PodWR Fre PodWR Fre PodWR Fre"},
}

// firstShape is the cycle on a new visitor's page.
const firstShape = "PodWR Fre PodWR Fre"

// viewCycle returns the view for the address: ?arch= and ?cycle=; ?was= is the dialect of the cycle's text if it
// differs; ?edge= or ?event= selects a part of the ring.
func (s *page) viewCycle(r *http.Request) (cycleView, error) {
	q := r.URL.Query()
	v := cycleView{Arch: q.Get("arch"), Archs: cycle.Archs(), Text: strings.TrimSpace(q.Get("cycle"))}
	if v.Arch == "" {
		v.Arch = v.Archs[0]
	}
	if !slices.Contains(v.Archs, v.Arch) {
		return v, server.Refuse("There are no cycles for architecture %q: want one of %s.", litmus.Shorten(v.Arch),
			strings.Join(v.Archs, ", "))
	}
	if !q.Has("cycle") {
		v.Text = translateShape(v.Arch, firstShape)
	}
	asked := cyclediagram.Request{Arch: v.Arch, Cycle: v.Text}
	if was := q.Get("was"); was != v.Arch && slices.Contains(v.Archs, was) {
		asked.Arch, asked.Into = was, v.Arch
	}
	read, err := s.questions.ReadCycle(r.Context(), asked)
	if err == nil && read.Errors != nil && asked.Into != "" { // the text may be in the new dialect already
		asked.Arch, asked.Into = v.Arch, ""
		read, err = s.questions.ReadCycle(r.Context(), asked)
	}
	if err != nil {
		return v, err
	}
	for _, shape := range shapes {
		text := translateShape(v.Arch, shape.cycle)
		v.Shapes = append(v.Shapes, shapeView{shape.name, question.CycleURL(v.Arch, text), text == read.Cycle.String()})
	}
	v.Lost = read.Lost
	if read.Errors != nil {
		v.Parts, v.Errors = markWords(v.Text, read.Errors)
		return v, nil
	}
	v.Arch, v.Text = read.Arch, read.Cycle.String()
	v.Name, v.Source, v.Why = read.Name, read.Source, read.Why
	v.Models = question.FirstModels(v.Arch)
	if e, ok := classic.Named(v.Arch, v.Name); ok {
		v.Known = question.CatalogueAddress(e.Shape, e.Arch, e.ID())
	}
	v.Ring = viewRing(v.Arch, read)
	v.Menu = viewMenu(v.Arch, read.Cycle, q)
	if v.Menu != nil {
		v.Ring.Pressed = v.Menu.ID
		if v.Ring.Tall != nil {
			v.Ring.Tall.Pressed = v.Menu.ID
		}
	}
	return v, nil
}

// translateShape translates a cycle of shapes to a dialect. C, for example, has marks for plain and relaxed accesses.
func translateShape(arch, shape string) string {
	c, err := cycle.ParseCycle("X86", shape)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	c, _ = cyclediagram.Translate("X86", arch, c)
	return c.String()
}

// viewRing draws a cycle, and links its parts to their menus.
func viewRing(arch string, read *cyclediagram.Reading) *ringView {
	text := read.Cycle.String()
	round, tall := cyclediagram.Draw(arch, read.Cycle)
	v := &ringView{Drawing: round, Title: read.Name, Middle: round.Inside(read.Name)}
	for i := range read.Cycle {
		n := strconv.Itoa(i)
		v.Events = append(v.Events, question.CycleURL(arch, text)+"&event="+n)
		v.Edges = append(v.Edges, question.CycleURL(arch, text)+"&edge="+n)
		v.Removed = append(v.Removed, cyclediagram.Removed(read.Cycle, i))
	}
	if tall != nil {
		t := *v
		t.Drawing, t.Prefix, t.Middle = *tall, "tall-", tall.Inside(read.Name)
		v.Tall = &t
	}
	return v
}

// viewMenu returns the menu of the part that the address selects; nil if it selects none.
func viewMenu(arch string, c cycle.Cycle, q url.Values) *menuView {
	for _, of := range []struct {
		name string
		menu func(string, cycle.Cycle, int) cyclediagram.Menu
	}{{"edge", cyclediagram.EdgeMenu}, {"event", cyclediagram.EventMenu}} {
		if i, err := strconv.Atoi(q.Get(of.name)); err == nil && i >= 0 && i < len(c) {
			return &menuView{
				of.menu(arch, c, i), fmt.Sprintf("%s-%d", of.name, i), arch,
				question.CycleURL(arch, c.String()),
			}
		}
	}
	return nil
}

// markWords splits a text at the words with errors, and returns the messages.
func markWords(text string, errs litmus.ErrorList) (parts []wordPart, out []string) {
	bad := map[int]bool{} // by byte offset
	lines := strings.SplitAfter(text, "\n")
	for _, e := range errs {
		out = append(out, e.Msg)
		at := e.Pos.Col - 1
		for _, l := range lines[:min(max(e.Pos.Line-1, 0), len(lines))] {
			at += len(l)
		}
		bad[at] = true
	}
	from := 0
	for at := range text {
		if !bad[at] || at < from {
			continue
		}
		end := at + strings.IndexAny(text[at:]+" ", " \t\r\n,[]")
		end = max(end, at+1)
		parts = append(parts, wordPart{text[from:at], false}, wordPart{text[at:end], true})
		from = end
	}
	return append(parts, wordPart{text[from:], false}), out
}

// cycleVerdicts has the verdict of every model on a cycle's test.
type cycleVerdicts struct {
	Groups  []verdictGroup
	Silent  []string // models that do not support the test's mixed-size accesses
	Summary string   // for screen readers
	Problem string
}

type verdictGroup struct {
	Title    string
	Verdicts []modelVerdict
}

type modelVerdict struct {
	Label, Title string
	Verdict      solver.Verdict
	Own          bool // the default model of the test's architecture
	Why          string
}

// viewVerdicts asks every model for its verdict on a test.
func (s *page) viewVerdicts(ctx context.Context, arch, source string) (*cycleVerdicts, error) {
	q := question.Question{
		Source: source, Models: models.Arranged(models.For(dialect.Tongue(source)), dialect.Tongue(source)),
		Options: solver.DefaultOptions(), Again: true,
	}
	q.Options.States = 0 // only the verdict
	a, err := s.questions.Explore(ctx, q)
	if err != nil {
		return nil, err
	}
	v := &cycleVerdicts{
		Groups: []verdictGroup{
			{Title: "Models of architectures"},
			{Title: "Models of languages"},
			{Title: "Models of theory"},
		},
	}
	for i, r := range a.Results {
		name := a.Columns[i].Model
		m, _ := models.Find(name)
		if _, err := m.Mixed(); err != nil && strings.Contains(r.Error, err.Error()) {
			v.Silent = append(v.Silent, question.Label(name))
			continue
		}
		one := modelVerdict{
			Label: question.Label(name), Title: m.Title, Verdict: r.Verdict, Own: name == models.Default(arch),
			Why: r.Reason,
		}
		if r.Status == solver.Failed {
			one.Why = a.Fault(i)
		}
		g := &v.Groups[0]
		switch {
		case models.FactsOf(name).IsLanguage():
			g = &v.Groups[1]
		case models.FactsOf(name).IsTheory():
			g = &v.Groups[2]
		}
		g.Verdicts = append(g.Verdicts, one)
	}
	v.Groups = slices.DeleteFunc(v.Groups, func(g verdictGroup) bool { return len(g.Verdicts) == 0 })
	var spoken []string
	for _, l := range answer.VerdictLines(a) {
		spoken = append(spoken, l.String())
	}
	v.Summary = strings.Join(spoken, " ")
	return v, nil
}

// verdictsOrProblem is viewVerdicts with the error as a message in the view.
func (s *page) verdictsOrProblem(r *http.Request, arch, source string) *cycleVerdicts {
	v, err := s.viewVerdicts(r.Context(), arch, source)
	if err != nil {
		return &cycleVerdicts{Problem: s.server.Fault(r.Context(), err).View.String()}
	}
	return v
}

// cyclePages mounts the pages that build cycles.
func (s *page) cyclePages(r chi.Router) {
	r.Get("/cycles", s.getCycles)
	r.Get("/cycles/ring", s.getRing)
	r.Get("/cycles/menu", s.getCycleMenu)
	r.Get("/cycles/verdicts", s.getCycleVerdicts)
	r.Get("/cycles/test", s.getCycleTest)
	r.Get("/cycles/families", s.getFamilies)
	r.Get("/cycles/family", s.getFamily)
	r.Get("/cycles/family.zip", s.getFamilyArchive)
}

// getCycles shows the whole page, with verdicts.
func (s *page) getCycles(w http.ResponseWriter, r *http.Request) {
	v := cyclesView{}
	var err error
	if v.cycleView, err = s.viewCycle(r); err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	if v.Source != "" {
		v.Verdicts = s.verdictsOrProblem(r, v.Arch, v.Source)
	}
	if v.Family, err = s.viewFamily(r, v.Arch); err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.Render(w, r, http.StatusOK, cyclesPage(server.Nonce(r.Context()), v))
}

// getRing sends the part that scripts replace when the cycle changes: everything except the verdicts.
func (s *page) getRing(w http.ResponseWriter, r *http.Request) {
	v, err := s.viewCycle(r)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.Render(w, r, http.StatusOK, cycleBench(v, nil))
}

// getCycleMenu sends the menu of a part of the ring.
func (s *page) getCycleMenu(w http.ResponseWriter, r *http.Request) {
	v, err := s.viewCycle(r)
	switch {
	case err != nil:
		s.server.FailOf(w, r, err)
	case v.Menu == nil:
		s.server.Fail(w, r, http.StatusNotFound, "The ring has no such part.")
	default:
		s.server.Render(w, r, http.StatusOK, cycleMenu(*v.Menu))
	}
}

// getCycleVerdicts sends the verdict of every model.
func (s *page) getCycleVerdicts(w http.ResponseWriter, r *http.Request) {
	v, err := s.viewCycle(r)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	if v.Source == "" {
		s.server.Fail(w, r, http.StatusUnprocessableEntity, "This cycle has no test.")
		return
	}
	s.server.Render(w, r, http.StatusOK, cycleVerdictsList(s.verdictsOrProblem(r, v.Arch, v.Source)))
}

// getCycleTest sends the test as a file.
func (s *page) getCycleTest(w http.ResponseWriter, r *http.Request) {
	v, err := s.viewCycle(r)
	switch {
	case err != nil:
		s.server.FailOf(w, r, err)
	case v.Source == "":
		s.server.Fail(w, r, http.StatusUnprocessableEntity, strings.Join(append(v.Errors, v.Why), " "))
	default:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="`+v.Name+`.litmus"`)
		_, _ = w.Write([]byte(v.Source)) // the client may have gone
	}
}

// testNames matches the names that a test can have.
var testNames = litmus.Pattern(`^[A-Za-z0-9][][A-Za-z0-9+._-]{0,127}$`)
