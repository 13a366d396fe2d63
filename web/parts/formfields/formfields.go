package formfields

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/glossary"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
)

// ModelView is a model to tick.
type ModelView struct {
	Name, Label, Title string
	Chosen             bool
	In                 []string // what tests are written in with which it is in sight, though nobody chose it
	Front              bool     // in sight; the others are behind "more models"
	Added              bool     // a model's column of another kind, which can be taken away
	// Place and Own give the script the order for tests in other languages: see [models.Place].
	Place int
	Own   []string
}

// ViewModels lists the models for a test of an architecture, in the order of [models.Place], and with each what else is
// chosen of it: without some axiom, by another engine. In sight are the usual ones, the architecture's own, and what is
// chosen.
func ViewModels(chosen []string, arch string) []ModelView {
	var out []ModelView
	names := models.Names()
	for _, name := range models.ScopedNames() { // for the tests of GPUs alone
		isChosen := func(text string) bool {
			c := question.ReadColumn(text)
			return c.Base() == name
		}
		if slices.Contains(models.FactsOf(name).Languages, arch) || slices.ContainsFunc(chosen, isChosen) {
			names = append(names, name)
		}
	}
	for _, name := range models.Arranged(names, arch) {
		m, _ := models.Find(name)
		v := ModelView{
			Name: m.Name, Label: question.Label(m.Name), Title: m.Title,
			Chosen: slices.Contains(chosen, m.Name),
			Place:  models.Place(m.Name, ""), Own: models.FactsOf(m.Name).Languages,
		}
		for _, tongue := range dialect.Tongues() {
			if !dialect.HasScopes(tongue) && inSight(m.Name, tongue) {
				v.In = append(v.In, tongue)
			}
		}
		v.Front = v.Chosen || inSight(m.Name, arch)
		out = append(out, v)
		for _, text := range chosen {
			if c := question.ReadColumn(text); text != m.Name && c.Base() == m.Name {
				added := v
				added.Name, added.Label, added.In = text, c.Label(), nil
				added.Chosen, added.Front, added.Added = true, true, true
				out = append(out, added)
			}
		}
	}
	return out
}

// inSight tells whether a model is offered with tests of a tongue though nobody chose it: its own is, and
// the usual ones, of which in C what machines do is not.
func inSight(model, tongue string) bool {
	if dialect.HasScopes(tongue) {
		return slices.Contains(models.FactsOf(model).Languages, tongue)
	}
	return slices.Contains(question.Usual, model) &&
		(models.FactsOf(model).Generic || question.PagesFor(tongue) != models.InC) || models.Default(tongue) == model
}

// EngineGroup is the engines that answer for the same models.
type EngineGroup struct {
	Models  []string // none: any
	Engines []engineView
}

type engineView struct {
	Name, Title, Help string
	Chosen            bool
}

// Label is "TSO", or "SC, TSO, PSO".
func (g EngineGroup) Label() string {
	if len(g.Models) == 0 {
		return "any model"
	}
	labels := make([]string, len(g.Models))
	for i, m := range g.Models {
		labels[i] = question.Label(m)
	}
	return strings.Join(labels, ", ")
}

// ViewEngines lists engines, "" being the first.
func ViewEngines(all []engines.Engine, chosen string) []EngineGroup {
	var out []EngineGroup
	for n, e := range all {
		i := slices.IndexFunc(out, func(g EngineGroup) bool { return slices.Equal(g.Models, e.Models) })
		if i < 0 {
			i = len(out)
			out = append(out, EngineGroup{Models: e.Models})
		}
		v := engineView{Name: e.Name, Title: e.Title, Chosen: e.Name == chosen || chosen == "" && n == 0}
		if t, ok := glossary.Find(e.Name); ok {
			v.Help = t.Plain()
		}
		out[i].Engines = append(out[i].Engines, v)
	}
	return out
}

// OptionView is an option's control: a number with a range, a choice, a tick or
// free text.
type OptionView struct {
	Field, Name, Help, Value string
	Default                  string // the value that it has unless somebody says otherwise
	Number                   bool
	Min, Max                 int
	Choices                  []string
	Tick                     bool
	Engines                  []string // that heed it; none: every one
	Arch                     string   // whose tests it is about; "" for all
}

// OwnView is a model of the visitor's own, as the form has it.
type OwnView struct {
	Name, Text string
	Files      string // what it includes, as JSON; "" = nothing
}

// ViewOwn returns the fields of the visitor's own models; one empty field if there are none.
func ViewOwn(own []solver.OwnModel) []OwnView {
	out := make([]OwnView, max(len(own), 1))
	out[0].Name = question.OwnModel
	for i, m := range own {
		out[i] = OwnView{Name: m.Name, Text: m.Text}
		if len(m.Files) > 0 {
			out[i].Files = FilesJSON(m.Files)
		}
	}
	return out
}

// AddOwn adds the fields of an own model to a form.
func AddOwn(f url.Values, m solver.OwnModel) {
	f.Add("own-name", m.Name)
	f.Add("own-text", m.Text)
	files := ""
	if len(m.Files) > 0 {
		files = FilesJSON(m.Files)
	}
	f.Add("own-files", files)
}

// FilesJSON is a model's files as the form keeps them.
func FilesJSON(files map[string]string) string {
	b, err := json.Marshal(files)
	if err != nil {
		panic("BUG: texts have no JSON: " + err.Error())
	}
	return string(b)
}

// ViewOption returns the control of an option with its value in in.
func ViewOption(o solver.Option, in *solver.Options) OptionView {
	v := OptionView{
		Field: optionform.Field(o.Name), Name: o.Name, Help: o.Help, Min: o.Min, Max: o.Max, Choices: o.Choices,
		Engines: engines.Heeding(o.Name), Arch: o.Arch,
	}
	switch o.Field(in).(type) {
	case *int:
		v.Number = true
	case *bool:
		v.Tick = true
	}
	defaults := solver.DefaultOptions()
	v.Value, v.Default = optionform.Text(o, in), optionform.Text(o, &defaults)
	return v
}
