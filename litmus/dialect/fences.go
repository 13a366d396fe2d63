package dialect

import (
	"slices"

	"litmuscope/litmus/lower"
)

// words are what tests of a tongue are written in; nil for one that is not in the table.
func words(tongue string) lower.Words {
	arch := tongue
	if tongue == Kernel {
		arch = "C"
	}
	for _, d := range dialects {
		if slices.Contains(d.Archs(), arch) {
			return d.Words(tongue)
		}
	}
	return lower.Words{}
}

// Fences are the barriers of a tongue that order the accesses around them, a full one first.
func Fences(tongue string) []string { return words(tongue).Barriers }

// Cycles is what an architecture gives to cycles of relaxations; nil for C.
func Cycles(arch string) *lower.Cycles { return words(arch).Cycles }
