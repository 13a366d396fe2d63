package models

import (
	"slices"

	"litmuscope/models/cat"
)

// HasPartialCoherence reports whether the model has the coherence order of published models of PTX, which need not
// order all writes of a location (library/ptx-words.cat).
func (m *Model) HasPartialCoherence() bool {
	return slices.ContainsFunc(m.Orders, func(o *cat.Order) bool { return o.Name == "partial-co" })
}
