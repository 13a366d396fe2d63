package models_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
)

// A set of events that no test has gets a remark at the first place with one: not where a try provides for it, nor in
// what the library says.
func TestAbsentEvents(t *testing.T) {
	p, err := dialect.Parse("test.litmus", "X86 SB\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ model, want string }{
		{"acyclic po | rf | fr | co", "[]"},
		{"let tags = try TagCheck with {}\nempty tags", "[]"},
		{
			"let a = [TLBIIS] ; po\nlet b = [TLBIIS] | [TLBI] | [PTE]\nacyclic a | b | po",
			"[m.cat:1:10: no test has such events, so these sets of the model are empty: TLBIIS, TLBI " +
				"(invalidations of translations); PTE (accesses of page tables)]",
		},
		{"include \"theirs.cat\"\nempty a", "[theirs.cat:1:9: no test has such events, so these sets of the model " +
			"are empty: MMU (accesses of page tables)]"},
	} {
		m, err := models.ParseWith("m.cat", c.model, map[string]string{"theirs.cat": "let a = MMU"},
			dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(m.Remarks(p)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.model, got, c.want)
		}
	}
}

// A model that knows the barriers of one architecture alone says where it meets others;
// the built-in ones hear of all of the tests that they are for.
func TestRemarks(t *testing.T) {
	const (
		coherence = "acyclic po-loc | rf | fr | co\n"
		ordered   = coherence + "let mf = po ; [MFENCE] ; po\nacyclic po & (R * M | W * W) | mf | rfe | fr | co"
		adds      = " adds no order: the model names none of its tags, "
	)
	for _, c := range []struct{ id, model, want string }{
		{"SB+mfences", ordered, ""},
		{"SB+xchgs", ordered, "XCHG [x],EBX" + adds + "FULL, LOCKED"},
		{"PPC/SB+syncs", ordered, "sync" + adds + "FRR, FRW, FWR, FWW, SYNC"},
		{"PPC/SB", ordered, ""},
		{"PPC/SB+syncs", strings.ReplaceAll(ordered, "MFENCE", "F"), ""},
		{"AArch64/MP+popl+poap", ordered, "STLR W1,[X11]" + adds + "L, RCSC, RELEASE"},
		{"PPC/SB+syncs", "acyclic po | rf | fr | co", ""},

		// What keeps an order without a tag: a fence by being in program order, an update by its rmw, an
		// access by not being one of those that the model leaves out.
		{"SB+mfences", coherence + "acyclic po \\ (W * R) | rfe | fr | co", ""},
		{"SB+mfences", coherence + "acyclic po & ~(W * R) | rfe | fr | co", ""},
		{"SB+mfences", coherence + "acyclic po & (R * M | W * W) | po & (_ * F) ; po | rfe | fr | co", ""},
		{"SB+mfences", coherence + "let f = _ \\ M\nacyclic po & (R * M | W * W) | fencerel(f) | rfe | fr | co", ""},
		{"SB+mfences", coherence + "irreflexive (po \\ (W * R)) ; (po \\ (W * R)) ; fr ; (po \\ (W * R))+ ; fr", ""},
		{
			"SB+mfences", coherence + "acyclic ([M] ; (po \\ (W * R)) ; [M])+ | rfe | fr | co",
			"MFENCE" + adds + "FRR, FRW, FWR, FWW, MFENCE",
		},
		{"SB+mfences", coherence + "let hb = (po | rf)+\nacyclic hb", "MFENCE" + adds + "FRR, FRW, FWR, FWW, MFENCE"},
		{
			"SB+mfences",
			coherence + "let rec hb = (po & (R * M | W * W)) | (hb ; rfe) | (hb ; hb)\nirreflexive hb ; fr?",
			"MFENCE" + adds + "FRR, FRW, FWR, FWW, MFENCE",
		},
		{"SB+mfences", coherence + "let rec hb = po \\ (W * R) | hb ; hb\nirreflexive hb ; fr ; hb ; fr", ""},
		{
			"SB+xchgs",
			coherence +
				"let u = domain(rmw) | range(rmw)\nacyclic po & (R * M | W * W) | po ; [u] | [u] ; po | rfe | fr | co",
			"",
		},
		{
			"SB+xchgs", coherence + "empty rmw & (fre ; coe)\nacyclic po & (R * M | W * W) | rfe | fr | co",
			"XCHG [x],EBX" + adds + "FULL, LOCKED",
		},
		{"AArch64/MP+popl+poap", coherence + "acyclic po & ((M \\ X) * M) | rfe | fr | co", ""},
	} {
		e, ok := catalogue.Find(c.id)
		if !ok {
			t.Fatalf("no test %s", c.id)
		}
		p, err := dialect.Parse(c.id, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.Parse("m.cat", c.model, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		got := m.Remarks(p)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 2 || !strings.HasPrefix(got[0].Msg, c.want)) {
			t.Errorf("%s under %s: got %v, want twice %q", c.id, c.model, got, c.want)
		}
	}
	for _, e := range catalogue.All() {
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range models.For(dialect.Tongue(e.Source)) {
			want := 0
			if p.Split && models.FactsOf(name).Unsettled != "" { // accesses of mixed size are an experiment there
				want = 1
			}
			if m, _ := models.Find(name); len(m.Remarks(p)) != want {
				t.Errorf("%s on %s: %v, want %d", name, e.ID(), m.Remarks(p), want)
			}
		}
	}
}
