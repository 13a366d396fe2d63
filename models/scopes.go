package models

import (
	"maps"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/models/cat"
)

// UsesScopes reports whether the model uses relations between events of tests for GPUs, and one of these relations.
func (m *Model) UsesScopes() (relation string, ok bool) {
	for _, name := range slices.Sorted(maps.Keys(m.names)) {
		if m.names[name] && ir.OfScopes(name) {
			return name, true
		}
	}
	return "", false
}

// HasPartialCoherence reports whether the model has the coherence order of published models of PTX, which need not
// order all writes of a location (library/ptx-words.cat).
func (m *Model) HasPartialCoherence() bool {
	return slices.ContainsFunc(m.Orders, func(o *cat.Order) bool { return o.Name == "partial-co" })
}
