package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
)

// What a state prints of an address, a condition reads as that address, in each dialect: so that the condition can ask
// for any outcome.
func TestPrintedAddressesAreRead(t *testing.T) {
	for _, arch := range dialect.Archs() {
		place := litmus.SomePlace(arch)
		test := func(value string) string {
			return fmt.Sprintf("%s T\n{ int x; int64_t y; int8_t z; int t[3]; int *p; }\nP0%s ;\n %s\nexists (p=%s)\n",
				arch, place, ";", value)
		}
		if words, _ := dialect.Words(arch); words.Bodies {
			test = func(value string) string {
				return fmt.Sprintf("%s T\n{ int t[3]; }\nP0%s(int *x, long *y, char *z, int **p) { }\nexists (p=%s)\n",
					arch, place, value)
			}
		}
		p, err := dialect.Parse("", test("t"))
		if err != nil {
			t.Errorf("%s: %v", arch, err)
			continue
		}
		rapid.Check(t, func(t *rapid.T) {
			loc := rapid.SampledFrom(p.Locs).Draw(t, "location")
			at := p.Observed[0]
			v := loc.Address + rapid.Uint64Range(0, litmus.MaxBehind+1).Draw(t, "behind")
			text := p.FormatValue(v, at.Bits, at.Signed)
			again, err := dialect.Parse("", test(text))
			if err != nil {
				t.Fatal(err)
			}
			c := again.Condition.Prop.(litmus.Compare)
			if c.Value != v {
				t.Errorf("%s: %#x is printed as %s, which is read as %#x", arch, v, text, c.Value)
			}
			parsed, err := litmus.Parse("", test(text))
			if err != nil {
				t.Fatal(err)
			}
			if out := litmus.Print(parsed); !strings.Contains(out, "(p="+text+")") {
				t.Errorf("%s: %s is printed as %s", arch, text, out)
			}
		})
	}
}
