package mappingcheck_test

import (
	"context"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/mappingcheck"
)

const (
	loadBuffering = `C LB
{}
P0 (atomic_int* x, atomic_int* y) {
  uint32_t r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, -1, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, -1, memory_order_relaxed);
}
exists (0:r0=4294967295 /\ 1:r0=-1)
`
	race = "C race\n{}\nP0 (int* x) { *x = 1; }\nP1 (int* x) { int r = *x; }\nexists (1:r=1)\n"
	spin = "C spin\n{}\nP0 (atomic_int* x) { atomic_store(x, 1); }\n" +
		"P1 (atomic_int* x, atomic_int* y) { while (!atomic_load(x)) { atomic_fetch_add(y, 1); } }\nexists (y=1)\n"
)

// A verdict says what one test tells of a mapping, and, where it is wrong, by how much.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		source, to, variant, model string
		verdict                    mappingcheck.Verdict
		text, hint                 string
	}{
		{loadBuffering, "riscv", "", "", mappingcheck.Wrong, "allowed by riscv, not by rc11: the mapping is wrong " +
			"(only the axiom no-thin-air of rc11 forbids it)", "the variant ctrl prevents that"},
		{loadBuffering, "riscv", "ctrl", "", mappingcheck.Right, "right for this test: rc11 allows every outcome " +
			"that riscv allows", ""},
		{
			loadBuffering, "ppc", "", "rc11~no-thin-air", mappingcheck.Right,
			"right for this test: rc11~no-thin-air allows every outcome that power allows", "",
		},
		{
			loadBuffering, "ppc", "ctrl", "rc11~no-thin-air", mappingcheck.Right,
			"right for this test: rc11~no-thin-air allows every outcome that power allows, and more", "",
		},
		{loadBuffering, "x86", "", "", mappingcheck.Right, "right for this test: rc11 allows every outcome that " +
			"tso allows", ""},
		{
			race, "aarch64", "", "", mappingcheck.Undefined,
			"the test's behaviour is undefined under rc11: any compilation is right", "",
		},
		{spin, "ppc", "", "", mappingcheck.Unknown, "unknown: ", ""},
	} {
		test, err := litmus.Parse("test", c.source)
		if err != nil {
			t.Fatal(err)
		}
		made, err := compile.Compile(test, c.to, c.variant)
		if err != nil {
			t.Fatal(err)
		}
		got, err := mappingcheck.Check(context.Background(), engines.Local{}, mappingcheck.Question{
			Source:   solver.Task{Path: "test", Source: c.source, Model: c.model, Options: solver.DefaultOptions()},
			Compiled: made,
		})
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict != c.verdict || !strings.HasPrefix(got.Text(), c.text) || c.verdict != mappingcheck.Unknown &&
			got.Text() != c.text || !strings.HasSuffix(got.Hint(made), c.hint) || c.hint == "" && got.Hint(made) != "" {
			t.Errorf("%s to %s %s under %s: got %s, %q, %q", test.Name, c.to, c.variant, c.model, got.Verdict,
				got.Text(), got.Hint(made))
		}
		if more := got.Verdict == mappingcheck.Wrong; more != (len(got.Unsound) > 0) || more &&
			(len(got.Unsound) != 1 || got.Unsound[0][0] != solver.Binding{Name: "0:r0", Value: "4294967295"}) {
			t.Errorf("%s to %s %s: more is %v", test.Name, c.to, c.variant, got.Unsound)
		}
	}
}
