package dialecttest

import (
	"fmt"
	"slices"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/lower"
)

// Words checks that the dialect can parse every form and register that it declares, and returns the mnemonics.
func Words(t *testing.T, d lower.Dialect) map[string]bool {
	t.Helper()
	mnemonics := map[string]bool{}
	for _, arch := range d.Archs() {
		words := d.Words(arch)
		seen := map[[2]string]bool{}
		for _, f := range words.Forms() {
			mnemonics[f.Mnemonic] = true
			if _, err := Lower(d, lower.Example(arch, f)); err != nil {
				t.Errorf("%s: %s %s: %v", arch, f.Mnemonic, f.Operands, err)
			}
			if f.Help == "" {
				t.Errorf("%s: %s has no help", arch, f.Mnemonic)
			}
			if key := [2]string{f.Mnemonic, f.Operands}; seen[key] {
				t.Errorf("%s: %s %s comes twice", arch, f.Mnemonic, f.Operands)
			} else {
				seen[key] = true
			}
		}
		for _, r := range slices.Concat(words.Registers, words.Aliases) {
			place := litmus.SomePlace(arch)
			source := fmt.Sprintf("%s T\n{ 0:%s=0; }\nP0%s;\nL: ;\nexists true\n", arch, r, place)
			if words.Bodies {
				source = fmt.Sprintf("%s T\n{ 0:%s=0; }\nP0%s() { }\n", arch, r, place)
			}
			if _, err := Lower(d, source); err != nil {
				t.Errorf("%s: register %s: %v", arch, r, err)
			}
		}
		if len(words.Forms()) == 0 || len(words.Registers) == 0 {
			t.Errorf("%s: %d forms, %d registers", arch, len(words.Forms()), len(words.Registers))
		}
	}
	return mnemonics
}
