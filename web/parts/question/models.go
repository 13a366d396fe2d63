package question

import (
	"slices"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Usual lists the most popular models in the order of [models.Place].
var Usual = models.Arranged(models.ShownByDefault(models.InTests), "")

// PagesFor returns the kind of pages for tests of a dialect.
func PagesFor(tongue string) models.PageKinds {
	if models.FactsOf(models.Default(tongue)).IsLanguage() {
		return models.InC
	}
	return models.InTests
}

// FirstModels lists the models that are ticked for a new test: its default model, and the usual models that support its
// dialect; in the order of [models.Place]. For a test of a GPU, it is the default model alone: the others know no
// scopes.
func FirstModels(tongue string) []string {
	if dialect.HasScopes(tongue) {
		return []string{models.Default(tongue)}
	}
	return models.Arranged(slices.DeleteFunc(models.For(tongue), func(name string) bool {
		return models.FactsOf(name).ShownIn&PagesFor(tongue) == 0 && name != models.Default(tongue)
	}), tongue)
}

// FirstModelsOf lists the models that are ticked for a classic test: those of its dialect, or for a test of a system's
// side its default model alone.
func FirstModelsOf(e catalogue.Entry) []string {
	tongue := dialect.Tongue(e.Source)
	if e.System() {
		return []string{models.Default(tongue)}
	}
	return FirstModels(tongue)
}

// FirstProgramModels are those of a program: what one expects of memory, processors that people have, and the language
// itself, which comes first; or what the kernel has.
func FirstProgramModels(t solver.VerifyTask) []string {
	tongue := engines.ProgramTongue(t)
	_, own := engines.VerifyModels(t)
	if own == models.Default(dialect.Kernel) {
		return FirstModels(dialect.Kernel)
	}
	return models.Arranged(append(models.ShownByDefault(models.InPrograms), own), tongue)
}
