package lattice

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"litmuscope/litmus/cycle"
	"litmuscope/models"
	"litmuscope/models/published"
	"litmuscope/solver"
	"litmuscope/solver/synth/distinguish"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// pageView is the content of the page that compares two models.
type pageView struct {
	*surveyParams
	Labels []string
	Known  []string // the models to choose from
	Archs  []string
	Fields []formfields.OwnView
	News   iter.Seq[progress] // nil: no search

	Address server.Address // of the search
}

func viewQuestion(q *surveyParams, n iter.Seq[progress]) pageView {
	v := pageView{
		surveyParams: q, Archs: cycle.Archs(), Fields: formfields.ViewOwn(q.Own), News: n,
		Known: models.Arranged(models.Names(), q.Arch),
	}
	for _, p := range published.All() {
		if p.Text != "" {
			v.Known = append(v.Known, p.Name)
		}
	}
	for _, o := range q.Own {
		v.Known = append(v.Known, o.Name)
	}
	for _, m := range q.Models {
		v.Labels = append(v.Labels, label(m))
	}
	return v
}

// label returns the label of a model.
func label(name string) string {
	if v, ok := published.Find(name); ok && v.Text != "" {
		return v.Title
	}
	return question.Label(name)
}

// directions splits the tests: those that the left model forbids, and those that the right one forbids.
func directions(a *distinguish.Apart) (out [2][]distinguish.Distinction) {
	for _, d := range a.Found {
		if d.Left == solver.Forbidden {
			out[0] = append(out[0], d)
		} else {
			out[1] = append(out[1], d)
		}
	}
	return out
}

// none says up to which size there is no test.
func none(a *distinguish.Apart) string {
	if a.ExhaustedTo < leastSize {
		return "No test found."
	}
	return fmt.Sprintf("No test with up to %s.", solver.Count(a.ExhaustedTo, "event"))
}

// asked says how many tests were compared.
func asked(a *distinguish.Apart) string {
	text := fmt.Sprintf("%s in %s compared", solver.Count(a.Tests, "test"), a.Arch)
	if a.Undefined > 0 {
		text += fmt.Sprintf(", %d of them with undefined behaviour, which do not count", a.Undefined)
	}
	if a.More > 0 {
		text += fmt.Sprintf("; %d more of the same sizes distinguish the models", a.More)
	}
	if len(a.Open) > 0 {
		text += fmt.Sprintf("; %d undecided", len(a.Open))
	}
	return text + "."
}

// link returns the address that opens a test in the explorer under some models.
func link(source string, names []string, own []solver.OwnModel) string {
	q := question.Question{Source: source, Options: solver.DefaultOptions()}
	for _, name := range names {
		base, _ := models.Split(name)
		if v, ok := published.Find(base); ok && v.Text != "" &&
			!slices.ContainsFunc(q.Own, func(o solver.OwnModel) bool { return o.Name == base }) {
			q.Own = append(q.Own, solver.OwnModel{Name: base, Text: v.Text})
		}
		for _, o := range own {
			if o.Name == base && !slices.ContainsFunc(q.Own, func(x solver.OwnModel) bool { return x.Name == base }) {
				q.Own = append(q.Own, o)
			}
		}
		q.Models = append(q.Models, name)
	}
	return question.ExplorerLink(question.LinkStateOf(q, ""))
}

// latticeView is the content of the page of an architecture's models.
type latticeView struct {
	Arch     string
	Archs    []string
	Picture  picture
	Labels   []string
	Rows     []rowView
	Says     string
	Fields   []formfields.OwnView
	Versions []versionView
	Own      bool
	Address  server.Address // of an order with the visitor's models
	Usual    bool           // the address names no architecture, so a script may open the visitor's last one
}

// pairsTable arranges the rows and columns of the table of model pairs in the order of [models.Place].
func pairsTable(l *distinguish.Lattice, labels []string, cells [][]cellView) (heads []string, rows []rowView) {
	order := make([]int, len(l.Models))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(models.Place(l.Models[a], l.Arch), models.Place(l.Models[b], l.Arch))
	})
	for _, i := range order {
		heads = append(heads, labels[i])
		row := rowView{Label: labels[i]}
		for _, j := range order {
			row.Cells = append(row.Cells, cells[i][j])
		}
		rows = append(rows, row)
	}
	return heads, rows
}

type rowView struct {
	Label string
	Cells []cellView
}

// cellView is the smallest test that the row's model forbids and the column's model allows.
type cellView struct{ Name, URL, Title string }

type versionView struct {
	published.Version
	Same []string // other versions that no test distinguishes from it
}

// viewLattice arranges a lattice for the page. own are the visitor's models in it. ended says why the comparison is
// incomplete; "" means that it is complete.
func viewLattice(l *distinguish.Lattice, own []solver.OwnModel, ended string) (latticeView, error) {
	v := latticeView{Arch: l.Arch, Archs: distinguish.Archs(), Fields: formfields.ViewOwn(own), Own: len(own) > 0}
	for _, m := range l.Models {
		v.Labels = append(v.Labels, label(m))
	}
	cells := make([][]cellView, len(l.Models))
	for i := range l.Models {
		cells[i] = make([]cellView, len(l.Models))
		for j, told := range l.Apart[i] {
			if told.Name == "" {
				continue
			}
			source, err := l.Source(told)
			if err != nil {
				return v, err
			}
			cells[i][j] = cellView{
				told.Name, link(source, []string{l.Models[i], l.Models[j]}, own),
				fmt.Sprintf("%s forbids %s; %s allows it", v.Labels[i], told.Name, v.Labels[j]),
			}
		}
	}
	v.Picture = draw(l, v.Labels, cells)
	v.Labels, v.Rows = pairsTable(l, v.Labels, cells)
	v.Says = fmt.Sprintf("The order uses all %d tests of critical cycles of up to %d accesses in %s", l.Tests-l.Also,
		l.ExhaustedTo, l.Arch)
	if l.Also > 0 {
		v.Says += fmt.Sprintf(", and %s more", solver.Count(l.Also, "test"))
	}
	if l.Undefined > 0 {
		v.Says += fmt.Sprintf(", except %d with undefined behaviour under some model", l.Undefined)
	}
	v.Says += ". None of these tests distinguishes models in the same box."
	if l.Open > 0 {
		v.Says += fmt.Sprintf(" The models did not decide %s.", solver.Count(l.Open, "test"))
	}
	if ended != "" {
		v.Says = v.Says + " The comparison is incomplete: " + ended + "."
	}
	for _, p := range published.All() {
		if !slices.Contains(p.Archs, l.Arch) {
			continue
		}
		x := versionView{Version: p}
		at := slices.Index(l.Models, p.Name)
		for j, m := range l.Models {
			if at >= 0 && at != j && l.Alike(at, j) {
				x.Same = append(x.Same, label(m))
			}
		}
		v.Versions = append(v.Versions, x)
	}
	return v, nil
}
