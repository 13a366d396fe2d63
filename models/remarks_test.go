package models

import (
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
)

// A model that knows the barriers of one architecture alone says where it meets others;
// the built-in ones hear of all of the tests that they are for.
func TestRemarks(t *testing.T) {
	tso := "acyclic po-loc | rf | fr | co\nlet mf = po ; [MFENCE] ; po\nacyclic po & (R * M | W * W) | mf | rfe | fr | co"
	for _, c := range []struct{ id, model, want string }{
		{"SB+mfences", tso, ""},
		{"SB+xchgs", tso, "XCHG [x],EBX adds no order: the model names none of its tags, FULL, LOCKED"},
		{"PPC/SB+syncs", tso, "sync adds no order: the model names none of its tags, FRR, FRW, FWR, FWW, SYNC"},
		{"PPC/SB", tso, ""},
		{"PPC/SB+syncs", strings.ReplaceAll(tso, "MFENCE", "F"), ""},
		{"AArch64/MP+popl+poap", tso, "STLR W1,[X11] adds no order: the model names none of its tags, L, RCSC, RELEASE"},
		{"PPC/SB+syncs", "acyclic po | rf | fr | co", ""},
	} {
		e, ok := catalogue.Find(c.id)
		if !ok {
			t.Fatalf("no test %s", c.id)
		}
		p, err := dialect.Parse(c.id, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse("m.cat", c.model, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		got := m.Remarks(p)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 2 || !strings.HasPrefix(got[0].Msg, c.want)) {
			t.Errorf("%s: got %v, want twice %q", c.id, got, c.want)
		}
	}
	for _, e := range catalogue.All() {
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range For(dialect.Tongue(e.Source)) {
			if m, _ := Find(name); len(m.Remarks(p)) > 0 {
				t.Errorf("%s on %s: %v", name, e.ID(), m.Remarks(p))
			}
		}
	}
}
