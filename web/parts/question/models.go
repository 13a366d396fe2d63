package question

import (
	"slices"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Usual are the models that most people come for, from the strongest on.
var Usual = models.InFront(models.InTests)

// FrontOf says which models are in front with tests of a tongue.
func FrontOf(tongue string) models.Front {
	if models.FactsOf(models.Default(tongue)).IsLanguage() {
		return models.InC
	}
	return models.InTests
}

// FirstModels are ticked for a new test: the usual ones of those that know what it says, and
// its own.
func FirstModels(tongue string) []string {
	return slices.DeleteFunc(models.For(tongue), func(name string) bool {
		return models.FactsOf(name).Front&FrontOf(tongue) == 0 && name != models.Default(tongue)
	})
}

// FirstProgramModels are those of a program: what one expects of memory, processors that people have, and the language
// itself; or what the kernel has.
func FirstProgramModels(t solver.VerifyTask) []string {
	_, own := engines.VerifyModels(t)
	if own == models.Default(dialect.Kernel) {
		return FirstModels(dialect.Kernel)
	}
	return append(models.InFront(models.InPrograms), own)
}
