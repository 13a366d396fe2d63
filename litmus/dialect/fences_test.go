package dialect_test

import (
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
)

// Every tongue with fences offers some, the first of which is full.
func TestFences(t *testing.T) {
	for _, arch := range dialect.Tongues() {
		list := dialect.Fences(arch)
		if len(list) == 0 && arch != "BPF" { // in which atomics alone are barriers
			t.Errorf("%s has no fences", arch)
		}
		for i, f := range list {
			tags := effectsOf(t, arch, f).fence
			if len(tags) == 0 {
				t.Errorf("%s: %s is no fence", arch, f)
			}
			full := tags.Has(ir.TagRR) && tags.Has(ir.TagRW) && tags.Has(ir.TagWR) && tags.Has(ir.TagWW)
			if full != (i == 0) && !dialect.HasScopes(arch) { // where each scope has a full one, or none has

				t.Errorf("%s: %s is number %d, and full: %v", arch, f, i, full)
			}
		}
	}
}
