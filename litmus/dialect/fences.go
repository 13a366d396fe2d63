package dialect

import (
	"slices"
	"sync"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// archOf returns the architecture of a tongue's tests.
func archOf(tongue string) string {
	if tongue == Kernel {
		return "C"
	}
	return tongue
}

// HasScopes reports whether the threads of a tongue's tests are in scopes, as those of GPUs are.
func HasScopes(tongue string) bool { return litmus.Scopes(archOf(tongue)) != nil }

// declared has what dialects declare, by tongue.
var declared sync.Map

// words returns what a dialect declares for a tongue; the zero value for an unknown one.
func words(tongue string) lower.Words {
	if w, ok := declared.Load(tongue); ok {
		return w.(lower.Words)
	}
	for _, d := range dialects {
		if slices.Contains(d.Archs(), archOf(tongue)) {
			w := d.Words(tongue)
			declared.Store(tongue, w)
			return w
		}
	}
	return lower.Words{}
}

// Fences returns the barriers of a tongue that order the accesses around them, a full one first.
func Fences(tongue string) []string { return words(tongue).Barriers }

// Alternatives returns the parts of a statement, without labels, that can be written in a stronger or weaker way.
func Alternatives(tongue, statement string) []lower.Alternative {
	if find := words(tongue).Alternatives; find != nil {
		return find(statement)
	}
	return nil
}

// Scoped returns how tests of a tongue are changed whose threads are in scopes; nil if they are in none.
func Scoped(tongue string) *lower.Scoped { return words(tongue).Scoped }

// Maintenance returns how tests of a tongue are changed that have a system side; nil if none of them has.
func Maintenance(tongue string) *lower.Maintenance { return words(tongue).Maintenance }

// Cycles returns what a tongue's dialect declares for cycles.
func Cycles(tongue string) *lower.Cycles { return words(tongue).Cycles }

// Strongest returns the tags of every instruction set's and the kernel's full fence, for a barrier that is a full fence
// under all their models. C's full fence is not included, because it also synchronises.
var Strongest = sync.OnceValue(func() ir.Tags {
	return tagsOf(func(tongue string) []string {
		if tongue == "C" {
			return nil
		}
		return Fences(tongue)[:min(len(Fences(tongue)), 1)]
	})
})

// Light returns the tags of fences that order writes before later writes in every tongue, and writes before later reads
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

// BehindBranch returns the tags of fences that, in every tongue, only order later accesses after the reads that an
// earlier branch depends on.
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

// tagsOf returns the tags of the fences of all tongues.
func tagsOf(fences func(tongue string) []string) (all ir.Tags) {
	for _, tongue := range Tongues() {
		if HasScopes(tongue) { // their fences order the threads of a scope
			continue
		}
		for _, f := range fences(tongue) {
			all = append(all, fenceTags(tongue, f)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fenceTags returns the tags of a fence instruction.
func fenceTags(tongue, instruction string) ir.Tags {
	code, err := Code(archOf(tongue), "", instruction)
	if err != nil {
		panic("BUG: " + tongue + "'s " + instruction + ": " + err.Error())
	}
	return code[0].Op.(ir.Fence).Tags
}
