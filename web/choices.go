package web

import (
	"slices"
	"strings"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver/engines"
)

// modelView is a model to tick.
type modelView struct {
	Name, Label, Title string
	Chosen             bool
	In                 []string // what tests are written in with which it is in sight, though nobody chose it
	Front              bool     // in sight; the others are behind "more models"
	Added              bool     // a model's column of another kind, which can be taken away
}

// usual are the models that most people come for, from the strongest on.
var usual = models.InFront(models.InTests)

// frontOf says which models are in front with tests of a tongue.
func frontOf(tongue string) models.Front {
	if models.FactsOf(models.Default(tongue)).IsLanguage() {
		return models.InC
	}
	return models.InTests
}

// firstModels are ticked for a new test: the usual ones of those that know what it says, and
// its own.
func firstModels(tongue string) []string {
	return slices.DeleteFunc(models.For(tongue), func(name string) bool {
		return models.FactsOf(name).Front&frontOf(tongue) == 0 && name != models.Default(tongue)
	})
}

// viewModels lists the models for a test of an architecture, from the strongest on, and with
// each what else is chosen of it: without some axiom, by another engine. In sight are the
// usual ones, the architecture's own, and what is chosen.
func viewModels(chosen []string, arch string) []modelView {
	var out []modelView
	for _, name := range models.Names() {
		m, _ := models.Find(name)
		v := modelView{
			Name: m.Name, Label: modelLabel(m.Name), Title: m.Title,
			Chosen: slices.Contains(chosen, m.Name),
		}
		for _, tongue := range dialect.Tongues() {
			if inSight(m.Name, tongue) {
				v.In = append(v.In, tongue)
			}
		}
		v.Front = v.Chosen || inSight(m.Name, arch)
		out = append(out, v)
		for _, text := range chosen {
			if c := readColumn(text); text != m.Name && c.Base() == m.Name {
				out = append(out, modelView{Name: text, Label: c.Label(), Title: m.Title, Chosen: true, Front: true, Added: true})
			}
		}
	}
	return out
}

// inSight tells whether a model is offered with tests of a tongue though nobody chose it: its own is, and
// the usual ones, of which in C what machines do is not.
func inSight(model, tongue string) bool {
	return slices.Contains(usual, model) && (models.FactsOf(model).Generic || frontOf(tongue) != models.InC) || models.Default(tongue) == model
}

// engineGroup is the engines that answer for the same models.
type engineGroup struct {
	Models  []string // none: any
	Engines []engineView
}

type engineView struct {
	Name, Title, Help string
	Chosen            bool
}

// Label is "TSO", or "SC, TSO, PSO".
func (g engineGroup) Label() string {
	if len(g.Models) == 0 {
		return "any model"
	}
	labels := make([]string, len(g.Models))
	for i, m := range g.Models {
		labels[i] = modelLabel(m)
	}
	return strings.Join(labels, ", ")
}

// viewEngines lists engines, "" being the first.
func viewEngines(all []engines.Engine, chosen string) []engineGroup {
	var out []engineGroup
	for n, e := range all {
		i := slices.IndexFunc(out, func(g engineGroup) bool { return slices.Equal(g.Models, e.Models) })
		if i < 0 {
			i = len(out)
			out = append(out, engineGroup{Models: e.Models})
		}
		v := engineView{Name: e.Name, Title: e.Title, Chosen: e.Name == chosen || chosen == "" && n == 0}
		if t, ok := findTerm(e.Name); ok {
			v.Help = t.Plain()
		}
		out[i].Engines = append(out[i].Engines, v)
	}
	return out
}
