package ask

import (
	"slices"

	"litmuscope/models"
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
