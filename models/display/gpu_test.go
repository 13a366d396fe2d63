package display

import (
	"testing"

	"litmuscope/litmus/ir"
)

func TestGPUOrders(t *testing.T) {
	for _, c := range []struct {
		tags        ir.Tags
		want, fence string
	}{
		{ir.Tags{"REL", ir.TagRelease, "GPU", "GEN"}, "rel, gpu", "F[rel]"},
		{ir.Tags{"SC", "ACQ_REL", "CTA", "GEN"}, "sc, cta", "F[sc]"},
		{ir.Tags{"ATOM", "ACQ", "REL", "DV"}, "acq_rel, dv", "F[acq]"},
		{ir.Tags{"WEAK", "TEX"}, "weak, tex", "F[weak]"},
		{ir.Tags{"ALIAS", "PROXY", "GEN"}, "proxy, alias", "F[proxy]"},
		{ir.Tags{"CBAR", "CTA", "GEN"}, "barrier, cta", "F[barrier]"},
		{ir.Tags{"NONPRIV"}, "", ""},
	} {
		if got := gpuOrder(c.tags); got != c.want {
			t.Errorf("%v: %q, want %q", c.tags, got, c.want)
		}
		if got := gpuFence(c.tags).name; got != c.fence {
			t.Errorf("%v: fences %q, want %q", c.tags, got, c.fence)
		}
	}
}
