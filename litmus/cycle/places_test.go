package cycle

import (
	"fmt"
	"strings"
	"testing"
)

func TestPlaces(t *testing.T) {
	for _, c := range []struct{ arch, text, want string }{
		{"X86", "PodWR Fre PodWR Fre", "0Wx1 0Ry0 1Wy1 1Rx0"},
		{"X86", "Fre PodWR Fre PodWR", "1Rx0 0Wx1 0Ry0 1Wy1"},
		{"PPC", "Rfe DpAddrdR Fre LwSyncdWW", "1Wx1 0Rx1 0Ry0 1Wy1"},
		{"AArch64", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", "0Wx16843009 0Wy257 1Ry16842752 1Rx0"},
		// the first byte is the highest
		{"PPC", "PodWWw0h2 Rfeh2w0 PodRRw0w0 Frew0w0", "0Wx16843009 0Wy257 1Ry257 1Rx0"},
		{"PPC", "DetourW PodRR Fre PodWW Wse", "0Wx2 0Rx3 0Ry0 2Wy1 2Wx1"},
	} {
		parsed, err := ParseCycle(c.arch, c.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range parsed.Places(c.arch) {
			got = append(got, fmt.Sprintf("%d%s%s%d", p.Thread, p.letter(), p.Location, p.Value))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.text, strings.Join(got, " "), c.want)
		}
	}
}
