package class

import (
	"slices"
	"testing"
)

func TestListing(t *testing.T) {
	got := listing("PPC MP\n\"doc\"\nCycle=Rfe Fre\n{\n0:r1=x;\n}\n P0 ;\n existsnot ;\nlocations [x;]\nexists (x=1)\n")
	if want := "PPC MP\n{\n0:r1=x;\n}\n P0 ;\n existsnot ;"; got.Head != want || got.Threads != nil {
		t.Errorf("%q, want %q", got, want)
	}
	got = listing("C MP\n{}\nP0(int *x)\n{\n  *x = 1;\n}\n\nP1(int *x)\n{\n  int r0 = *x;\n}\n\nexists (1:r0=1)\n")
	if want := []string{"P0(int *x)\n{\n  *x = 1;\n}", "P1(int *x)\n{\n  int r0 = *x;\n}"}; got.Head != "C MP\n{}" ||
		!slices.Equal(got.Threads, want) {
		t.Errorf("%q, want threads %q", got, want)
	}
}

func TestInitOf(t *testing.T) {
	for source, want := range map[string]string{
		"PPC MP\n{\n0:r1=x;\n 1:r1=x; }\n P0 ;\n": "0:r1=x;\n1:r1=x;",
		"X86 SB\n{ }\n P0 ;\n":                    "",
		"C MP\n{}\nP0(int *x) { *x = 1; }\n":      "",
		"nothing":                                 "",
	} {
		if got := initOf(source); got != want {
			t.Errorf("%q has %q, want %q", source, got, want)
		}
	}
}
