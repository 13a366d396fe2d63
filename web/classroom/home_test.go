package classroom

import "testing"

func TestListing(t *testing.T) {
	got := listing("PPC MP\n\"doc\"\nCycle=Rfe Fre\n{\n0:r1=x;\n}\n P0 ;\n existsnot ;\nlocations [x;]\nexists (x=1)\n")
	if want := "PPC MP\n{\n0:r1=x;\n}\n P0 ;\n existsnot ;"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
