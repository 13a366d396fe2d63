package synth

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var updateCosts = flag.Bool("update-costs", false, "write the tables of costs into the manual")

// The manual has the costs of all changes, in a section for each language, to which the page links.
func TestCostsAreDocumented(t *testing.T) {
	const page = "../../static/docs/barriers.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "## Costs\n"
	before, _, _ := strings.Cut(string(text), begin)
	costs, err := ReadCosts("", "")
	if err != nil {
		t.Fatal(err)
	}
	want := before + begin + `
[Repair and weaken](repair.md) minimise these relative costs. Compare costs in one table only, not between tables. They
are no cycles: cycles depend on the processor and on what else it does. ` +
		"`repair --show-costs` prints the sources of\nthe numbers, and `--cost FILE` changes them.\n"
	for _, tongue := range tongues() {
		prices := costs[tongue]
		if len(prices) == 0 {
			continue
		}
		want += fmt.Sprintf("\n### Costs in %s\n\n| change | costs |\n|---|---|\n", tongue)
		var names []string
		for name := range prices {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int {
			if prices[a] != prices[b] {
				return prices[a] - prices[b]
			}
			return strings.Compare(a, b)
		})
		for _, name := range names {
			kind, what, _ := strings.Cut(name, " ")
			want += fmt.Sprintf("| %s `%s` | %d |\n", kind, what, prices[name])
		}
	}
	if *updateCosts {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s has other costs: run go test ./solver/synth -run CostsAreDocumented -update-costs", page)
	}
}
