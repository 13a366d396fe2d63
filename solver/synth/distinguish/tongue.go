package distinguish

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/cycle"
	"litmuscope/models"
)

// Tongue is the architecture of the tests for some models: the one in the question or, without one, that of the first
// of the models with an architecture of its own.
func Tongue(names []string, asked string) (string, error) {
	arch := asked
	if arch == "" {
		arch = cycle.Archs()[0]
		for _, name := range slices.Backward(names) {
			base, _ := models.Split(name)
			if facts := models.FactsOf(strings.ToLower(base)); len(facts.Languages) > 0 && !facts.Generic {
				arch = facts.Languages[0]
			}
		}
	}
	if _, ok := cycle.Vocabulary(arch); !ok {
		return "", fmt.Errorf("no cycles are known for the architecture %q: want one of %s", arch,
			strings.Join(cycle.Archs(), ", "))
	}
	for _, name := range names {
		base, _ := models.Split(name)
		if models.IsBuiltIn(base) && !slices.Contains(models.For(arch), strings.ToLower(base)) {
			return "", fmt.Errorf("%s does not support tests of %s: choose another architecture or model",
				base, arch)
		}
	}
	return arch, nil
}
