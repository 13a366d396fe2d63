package models_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/models"
)

// The models of a test's own architecture or language come first, then those of others, then those of theory.
func TestArranged(t *testing.T) {
	for _, c := range []struct{ tongue, names, want string }{
		{"AArch64", "sc tso pso riscv aarch64 power", "aarch64 tso riscv power sc pso"},
		{"X86", "sc tso pso riscv aarch64 power", "tso riscv aarch64 power sc pso"},
		{"PPC", "sc power-cav10 power mips", "power power-cav10 mips sc"},
		{"C", "sc tso imm rc11 lkmm", "rc11 imm tso lkmm sc"},
		{"LKMM", "sc tso lkmm", "lkmm tso sc"},
		{"", "alpha sc mine tso rc11 yours", "tso rc11 sc alpha mine yours"},
		{"X86", "sc~order mine tso sc tso~consensus", "tso tso~consensus sc~order sc mine"},
	} {
		got := models.Arranged(strings.Fields(c.names), c.tongue)
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%q for %q: got %v, want %s", c.names, c.tongue, got, c.want)
		}
	}
	for _, tongue := range []string{"AArch64", "X86", "PPC", "C", "LKMM", "RISCV", "ARM", "MIPS", "BPF"} {
		got := models.Arranged(models.Names(), tongue)
		if got[0] != models.Default(tongue) || len(got) != len(models.Names()) {
			t.Errorf("%s: %v", tongue, got)
		}
	}
}
