package museum

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
)

// listView is the list of exhibits by kind of mistake.
type listView struct {
	Heads []headView
	Kinds []kindView
}

type kindView struct {
	catalogue.Mistake
	ID       string
	Exhibits []entryView
}

// entryView is an exhibit in the list.
type entryView struct {
	*catalogue.Exhibit
	Before, After []cellView
	Said          string // the marks in words, for screen readers
}

// headView is the head of a column.
type headView struct {
	Label, Title string
	Gap          bool // a new group of models starts
}

// cellView is the verdict on a build under a model.
type cellView struct {
	catalogue.Known
	Label string
	Gap   bool
	Href  templ.SafeURL // address of the execution; "": the build does not fail
	Shown bool          // the execution is shown
	Wrong bool          // the verdict of a new run differs from the museum's
}

// Sign returns the verdict's mark.
func (c cellView) Sign() string {
	if c.Verdict == "" {
		return ""
	}
	return answer.ProgramMark(solver.Verdict(c.Verdict))
}

// Class returns the CSS class.
func (c cellView) Class() string {
	var out []string
	switch {
	case c.Verdict == string(solver.Unsafe):
		out = append(out, "unsafe")
	case c.Verdict == string(solver.Safe):
		out = append(out, "safe")
	case c.Verdict != "":
		out = append(out, "u")
	}
	if c.Bounded {
		out = append(out, "bounded")
	}
	if c.Gap {
		out = append(out, "gap")
	}
	if c.Wrong {
		out = append(out, "wrong")
	}
	return strings.Join(out, " ")
}

// Title describes the cell in words.
func (c cellView) Title() string {
	switch {
	case c.Verdict == "":
		return c.Label + ": not asked"
	case c.Bounded:
		return c.Label + ": safe within the bounds of its loop"
	}
	return c.Label + ": " + c.Verdict
}

// heads returns the columns, with a gap before each group of models.
func heads() []headView {
	var out []headView
	for _, g := range catalogue.MuseumGroups() {
		for i, name := range g {
			h := headView{Label: question.Label(name), Gap: i == 0 && len(out) > 0}
			if m, err := models.Named(name); err == nil {
				h.Title = m.Title
			}
			out = append(out, h)
		}
	}
	return out
}

func cells(b catalogue.Build) []cellView {
	var out []cellView
	for i, h := range heads() {
		out = append(out, cellView{Known: b.Under(catalogue.MuseumModels()[i]), Label: h.Label, Gap: h.Gap})
	}
	return out
}

// said describes the cells in words.
func said(cells []cellView) string {
	by := map[string][]string{}
	for _, c := range cells {
		by[c.Verdict] = append(by[c.Verdict], c.Label)
	}
	var out []string
	for _, v := range []string{"unsafe", "safe"} {
		switch {
		case len(by[v]) == len(cells):
			return v + " under every model"
		case len(by[v]) > 0:
			labels, _ := answer.Enumerate(by[v])
			out = append(out, v+" under "+labels)
		}
	}
	return strings.Join(out, ", ")
}

func viewList() listView {
	v := listView{Heads: heads()}
	for _, k := range catalogue.Mistakes() {
		kind := kindView{Mistake: k, ID: strings.ReplaceAll(strings.ToLower(k.Name), " ", "-")}
		for _, e := range catalogue.WholeMuseum() {
			if e.Mistake == k.Name {
				x := entryView{Exhibit: &e, Before: cells(e.Before()), After: cells(e.After())}
				x.Said = "Original: " + said(x.Before) + "; fixed: " + said(x.After)
				kind.Exhibits = append(kind.Exhibits, x)
			}
		}
		v.Kinds = append(v.Kinds, kind)
	}
	return v
}

// exhibitView is the content of an exhibit's page.
type exhibitView struct {
	*catalogue.Exhibit
	Heads         []headView
	Tables        []tableView
	Build         catalogue.Build // the selected build
	Piece         catalogue.Piece
	From, To      string // the labels of the two builds in Lines
	Lines         []lineView
	Ways          []wayView
	Repairs       []repairView
	Fix           []textpage.DiffLine // the project's changes
	Partly        []string            // sentences about fixes that are correct on some machines but not in C
	Picture       templ.Component     // nil: no failure
	Opens         openView
	Command       string             // the command that verifies a program that needs a compiler
	InC           *catalogue.Exhibit // the same bug in C, for such a program; nil: the museum has none
	Before, After *catalogue.Exhibit // the neighbours
	Place         string
}

// tableView is the table of verdicts on a program.
type tableView struct {
	Shows, Property string
	Rows            []rowView
}

type rowView struct {
	catalogue.Build
	Href  templ.SafeURL
	Shown bool
	Cells []cellView
	Anew  *askedRow
}

// askedRow is the result of a new run.
type askedRow struct {
	Build string
	Cells []cellView
	Says  string
}

// wayView is a link to a build to compare with the original.
type wayView struct {
	Label string
	Href  templ.SafeURL
	Shown bool
}

// lineView is a line of the program; Number is 0 if the line is not in the selected build.
type lineView struct {
	Mark, Text string
	Number     int
}

// openView is the form that opens the program on the programs page.
type openView struct {
	Source, File, Target, Property string
	Models                         []modelView
}

type modelView struct {
	Name, Label string
	Chosen      bool
}

// address returns the address of an exhibit, or of one of its builds or executions.
func address(name, build, model, part string) templ.SafeURL {
	q := url.Values{}
	if build != "" {
		q.Set("build", build)
	}
	if model != "" {
		q.Set("model", model)
	}
	u := url.URL{Path: "/museum/" + name, RawQuery: q.Encode(), Fragment: part}
	return templ.URL(u.String())
}

func properties(p catalogue.Piece) []ir.Property { return []ir.Property{ir.Property(p.Property)} }

// viewExhibit makes the page of an exhibit. anew is the result of a new run, nil if there was none.
func viewExhibit(e *catalogue.Exhibit, p pick, anew *askedRow) exhibitView {
	v := exhibitView{Exhibit: e, Heads: heads(), Build: p.build, Piece: p.piece}
	for _, piece := range e.Programs {
		t := tableView{Shows: piece.Shows, Property: piece.Property}
		for _, b := range piece.Builds {
			r := rowView{Build: b, Href: address(e.Name, b.ID, "", "work"), Shown: b.ID == p.build.ID, Cells: cells(b)}
			for i := range r.Cells {
				c := &r.Cells[i]
				if c.Verdict == string(solver.Unsafe) && !e.IsCompiled() {
					c.Href, c.Shown = address(e.Name, b.ID, c.Model, "work"), r.Shown && c.Model == p.model
				}
			}
			if anew != nil && anew.Build == b.ID {
				r.Anew = anew
			}
			t.Rows = append(t.Rows, r)
		}
		v.Tables = append(v.Tables, t)
	}
	v.beside(p)
	v.Repairs, v.Partly = viewRepairs(e), partialFixes(e)
	for _, l := range e.Programs[0].SideBySide(e.Before(), e.After()) {
		if l.Mark != "" {
			v.Fix = append(v.Fix, textpage.DiffLine{Sign: l.Mark, Text: strings.TrimSpace(l.Text)})
		}
	}
	t := p.piece.Task(p.build)
	v.Opens = openView{Source: t.Text, File: t.File, Target: p.build.Target, Property: p.piece.Property}
	for _, name := range catalogue.MuseumModels() {
		if p.build.Under(name).Verdict != "" {
			v.Opens.Models = append(v.Opens.Models,
				modelView{name, question.Label(name), name == cmp.Or(p.model, "rc11")})
		}
	}
	if e.IsCompiled() {
		v.Command = command(p)
		if twin, ok := catalogue.FindExhibit(e.Twin); ok {
			v.InC = &twin
		}
	}
	all := catalogue.WholeMuseum()
	at := slices.IndexFunc(all, func(x catalogue.Exhibit) bool { return x.Name == e.Name })
	if at > 0 {
		v.Before = &all[at-1]
	}
	if at < len(all)-1 {
		v.After = &all[at+1]
	}
	v.Place = fmt.Sprintf("%d of %d", at+1, len(all))
	return v
}

// command returns the command that verifies the selected build of a program that needs a compiler.
func command(p pick) string {
	words := []string{"litmuscope", "verify", "-m", "rc11", "--property", p.piece.Property}
	if p.build.Unroll > 0 {
		words = append(words, "--unroll", fmt.Sprint(p.build.Unroll))
	}
	for _, d := range p.build.Defines {
		words = append(words, "-D", d)
	}
	return strings.Join(append(words, "litmus/catalogue/"+p.piece.Path), " ")
}

// beside compares the original with the selected build or, if that has the same text, with the fix.
func (v *exhibitView) beside(p pick) {
	first := p.piece.Builds[0]
	same := func(a, b catalogue.Build) bool { return slices.Equal(a.Defines, b.Defines) }
	to, side := p.build, 1
	var texts []catalogue.Build // the builds with different texts, without the first
	for _, b := range p.piece.Builds[1:] {
		if !same(b, first) && !slices.ContainsFunc(texts, func(x catalogue.Build) bool { return same(x, b) }) {
			texts = append(texts, b)
		}
	}
	if same(p.build, first) {
		to, side = texts[0], 0
		for _, b := range texts {
			if len(b.Defines) == 1 && strings.EqualFold(b.Defines[0], "FIXED") {
				to = b
			}
		}
	}
	for _, b := range texts {
		v.Ways = append(v.Ways, wayView{b.Label, address(v.Name, b.ID, "", "work"), same(b, to)})
	}
	v.From, v.To = first.Label, to.Label
	for _, l := range p.piece.SideBySide(first, to) {
		v.Lines = append(v.Lines, lineView{l.Mark, l.Text, l.Numbers[side]})
	}
}

// repairView is a repair.
type repairView struct {
	Under string // the models in words
	catalogue.MuseumRepair
	Lines []textpage.DiffLine
}

// viewRepairs arranges the repairs for C and, if it differs, for all models.
func viewRepairs(e *catalogue.Exhibit) (out []repairView) {
	for i, r := range catalogue.MuseumRepairs(e.Name) {
		v := repairView{Under: "in C (RC11)", MuseumRepair: r}
		if i > 0 {
			v.Under = fmt.Sprintf("under all %d models at once", len(r.Models))
		}
		if r.Impossible != "" {
			v.Under = "under any model"
		}
		for _, l := range textpage.Difference(r.Diff) {
			switch l.Sign {
			case "…":
				v.Lines = append(v.Lines, textpage.DiffLine{Text: l.Sign})
			case "+", "-":
				v.Lines = append(v.Lines, textpage.DiffLine{Sign: l.Sign, Text: strings.TrimSpace(l.Text)})
			}
		}
		if i > 0 && (r.Impossible != "" || r.Diff == out[0].Diff && !r.Already) {
			if r.Impossible == "" {
				out[0].Under = "in C (RC11) and " + v.Under
			}
			continue
		}
		out = append(out, v)
	}
	return out
}

// partialFixes describes the fixes that are correct on some machine but wrong under the models of C.
func partialFixes(e *catalogue.Exhibit) (out []string) {
	groups := catalogue.MuseumGroups()
	labels := func(models []string, is func(m string) bool) string {
		var all []string
		for _, m := range models {
			if is(m) {
				all = append(all, question.Label(m))
			}
		}
		if len(all) < 2 {
			return strings.Join(all, "")
		}
		return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
	}
	p := e.Programs[0]
	was := p.Builds[0]
	for _, b := range p.Builds[1:] {
		if b.Target != was.Target {
			continue
		}
		mends := func(m string) bool {
			return was.Under(m).Verdict == string(solver.Unsafe) && b.Under(m).Verdict == string(solver.Safe)
		}
		still := labels(groups[1], func(m string) bool { return b.Under(m).Verdict == string(solver.Unsafe) })
		if mended := labels(slices.Concat(groups[2], groups[3]), mends); mended != "" && still != "" {
			out = append(out,
				fmt.Sprintf("%s, the program is correct for %s but wrong in C: it still fails under %s.",
					strings.ToUpper(b.Label[:1])+b.Label[1:], mended, still))
		}
	}
	return out
}

// viewAsked arranges the results of a new run.
func viewAsked(b catalogue.Build, results []*solver.Verification, took time.Duration) *askedRow {
	row := &askedRow{Build: b.ID, Cells: cells(b)}
	wrong := 0
	var by []string
	for i := range row.Cells {
		c := &row.Cells[i]
		at := slices.IndexFunc(b.Known, func(k catalogue.Known) bool { return k.Model == c.Model })
		if at < 0 {
			continue
		}
		r := results[at]
		got := string(cmp.Or(r.Verdict, solver.Undecided))
		c.Wrong, c.Verdict, c.Bounded = got != c.Verdict, got, r.Verdict == solver.Safe && !r.Complete
		if c.Wrong {
			wrong++
		}
		if !slices.Contains(by, r.Engine) {
			by = append(by, r.Engine)
		}
	}
	slices.Sort(by)
	row.Says = fmt.Sprintf("New run: %s, with %s, in %.1f s. ", solver.Count(len(b.Known), "question"),
		strings.Join(by, " and "), took.Seconds())
	if wrong == 0 {
		row.Says += "All verdicts match the museum."
	} else {
		row.Says += fmt.Sprintf("%s match the museum.",
			map[bool]string{true: "One verdict does not", false: fmt.Sprintf("%d verdicts do not", wrong)}[wrong == 1])
	}
	return row
}
