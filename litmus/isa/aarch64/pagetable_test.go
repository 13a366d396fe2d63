package aarch64

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus"
)

// shownTable writes the initial entries of a test, one a line: location, output address, fields, attributes.
func shownTable(t *testing.T, header, init string) string {
	t.Helper()
	parsed, err := litmus.Parse("t.litmus", "AArch64 T\n"+header+"{\n"+init+"\n0:X1=x;\n}\n P0 ;\n LDR W0,[X1] ;\n"+
		"exists (0:X0=1)\n")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Dialect{}.Lower(parsed)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range p.PageTable() {
		fmt.Fprintf(&b, "%s %s", e.Location, e.Output+e.Value)
		for _, f := range e.Fields {
			fmt.Fprintf(&b, " %s:%d", f.Name, map[bool]int{true: 1}[f.Set])
		}
		fmt.Fprintf(&b, " %s\n", e.Attributes)
	}
	return b.String()
}

// The table of a test has an entry for each location, with the fields that the test does not set.
func TestPageTable(t *testing.T) {
	for _, c := range []struct{ header, init, want string }{
		{"", "x=1;", ""}, // no page tables
		{"Variant=vmsa\n", "x=1;", "PTE(x) PA(x) valid:1 af:1 db:1 dbm:0 el0:1 x:1 Normal\n"},
		{"Variant=vmsa,memtag\n", "x=1;", "PTE(x) PA(x) valid:1 af:1 db:1 dbm:0 el0:1 x:1 TaggedNormal\n"},
		{
			"", "[PTE(x)]=(oa:PA(y),valid:0,dbm:1,db:0); y=1;",
			"PTE(x) PA(y) valid:0 af:1 db:0 dbm:1 el0:1 x:1 Normal\n" +
				"PTE(y) PA(y) valid:1 af:1 db:1 dbm:0 el0:1 x:1 Normal\n",
		},
		{
			"", "[PTE(x)]=(oa:PA(x),af:0,el0:0,x:0,attrs:(Normal,iNC,oNC));",
			"PTE(x) PA(x) valid:1 af:0 db:1 dbm:0 el0:0 x:0 Normal, iNC, oNC\n",
		},
	} {
		if got := shownTable(t, c.header, c.init); got != c.want {
			t.Errorf("%s%s:\ngot  %swant %s", c.header, c.init, got, c.want)
		}
	}
}
