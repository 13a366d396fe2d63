package dialect

import (
	"slices"
	"sync"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// archOf is the architecture of a tongue's tests.
func archOf(tongue string) string {
	if tongue == Kernel {
		return "C"
	}
	return tongue
}

// words are what tests of a tongue are written in; nil for one that is not in the table.
func words(tongue string) lower.Words {
	for _, d := range dialects {
		if slices.Contains(d.Archs(), archOf(tongue)) {
			return d.Words(tongue)
		}
	}
	return lower.Words{}
}

// Fences are the barriers of a tongue that order the accesses around them, a full one first.
func Fences(tongue string) []string { return words(tongue).Barriers }

// Alternatives are the parts of a statement of a tongue, without labels, that could be written so as to keep more in
// order, or less.
func Alternatives(tongue, statement string) []lower.Alternative {
	if find := words(tongue).Alternatives; find != nil {
		return find(statement)
	}
	return nil
}

// Cycles is what a tongue gives to cycles of relaxations.
func Cycles(tongue string) *lower.Cycles { return words(tongue).Cycles }

// Strongest are the tags of every instruction set's and the kernel's full fence, for a barrier that is one
// under each of their models. C's is not among them: it synchronises with others, too.
var Strongest = sync.OnceValue(func() ir.Tags {
	return tagsOf(func(tongue string) []string {
		if tongue == "C" {
			return nil
		}
		return Fences(tongue)[:min(len(Fences(tongue)), 1)]
	})
})

// Light are the tags of a fence that keeps writes in order in every tongue, and writes before later reads
// in none.
var Light = sync.OnceValue(func() ir.Tags {
	return tagsOf(func(tongue string) []string {
		for _, f := range Fences(tongue) {
			if tags := fenceTags(tongue, f); tags.Has(ir.TagWW) && !tags.Has(ir.TagWR) {
				return []string{f}
			}
		}
		return nil
	})
})

// BehindBranch are the tags of a fence that keeps what is behind it after what a branch before it depends on,
// in every tongue, and keeps nothing else.
var BehindBranch = sync.OnceValue(func() ir.Tags {
	return tagsOf(func(tongue string) (all []string) {
		for _, d := range Cycles(tongue).Deps {
			if tags := fenceTags(tongue, d.Code); tags.Has(ir.TagBranch) {
				all = append(all, d.Code)
			}
		}
		return all
	})
})

// tagsOf are the tags of fences that each tongue has.
func tagsOf(fences func(tongue string) []string) (all ir.Tags) {
	for _, tongue := range Tongues() {
		for _, f := range fences(tongue) {
			all = append(all, fenceTags(tongue, f)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fenceTags are those of an instruction of a tongue that is a fence.
func fenceTags(tongue, instruction string) ir.Tags {
	code, err := Code(archOf(tongue), "", instruction)
	if err != nil {
		panic("BUG: " + tongue + "'s " + instruction + ": " + err.Error())
	}
	return code[0].Op.(ir.Fence).Tags
}
