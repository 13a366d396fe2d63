package axiomatic_test

import (
	"context"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// explained runs a test under a model and gives the explanation of a forbidden outcome.
func explained(t testing.TB, source, model string) *solver.Result {
	t.Helper()
	p, err := dialect.Parse("test.litmus", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	m, ok := models.Find(model)
	if !ok {
		t.Fatalf("no model %s", model)
	}
	o := solver.DefaultOptions()
	o.Explain = true
	r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return r
}

// The classics, each with the axiom that forbids it, its cycle as the model names the
// edges, and the cycle in base edges.
func TestExplainClassics(t *testing.T) {
	const (
		mp     = "X86 MP\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\nexists (1:EAX=1 /\\ 1:EBX=0)"
		sb     = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)"
		fenced = "X86 SB+mfences\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MFENCE | MFENCE ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)"
		corr   = "X86 CoRR\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\n | MOV EBX,[x] ;\nexists (1:EAX=1 /\\ 1:EBX=0)"
		xchgs  = "X86 XCHGs\n{}\n P0 | P1 ;\n MOV EAX,$1 | MOV EAX,$2 ;\n XCHG [x],EAX | XCHG [x],EAX ;\nexists (0:EAX=0 /\\ 1:EAX=0)"
		three  = "X86 three\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\nexists (1:EAX=3 /\\ x=1)"
		isa2   = "PPC ISA2\n{ 0:r1=1; 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=z; 1:r5=1; 2:r2=z; 2:r4=x; }\n P0 | P1 | P2 ;\n stw r1,0(r2) | lwz r1,0(r2) | lwz r1,0(r2) ;\n sync | xor r3,r1,r1 | xor r3,r1,r1 ;\n stw r1,0(r4) | addi r3,r3,1 | lwzx r5,r3,r4 ;\n | stw r3,0(r4) | ;\nexists (1:r1=1 /\\ 2:r1=1 /\\ 2:r5=0)"
		lwsync = "PPC MP+lwsync+addr\n{ 0:r1=1; 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }\n P0 | P1 ;\n stw r1,0(r2) | lwz r1,0(r2) ;\n lwsync | xor r3,r1,r1 ;\n stw r1,0(r4) | lwzx r5,r3,r4 ;\nexists (1:r1=1 /\\ 1:r5=0)"
		lb     = "PPC LB+datas\n{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }\n P0 | P1 ;\n lwz r1,0(r2) | lwz r1,0(r2) ;\n xor r3,r1,r1 | xor r3,r1,r1 ;\n addi r3,r3,1 | addi r3,r3,1 ;\n stw r3,0(r4) | stw r3,0(r4) ;\nexists (0:r1=1 /\\ 1:r1=1)"
		oota   = "PPC OOTA\n{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }\n P0 | P1 ;\n lwz r1,0(r2) | lwz r1,0(r2) ;\n stw r1,0(r4) | stw r1,0(r4) ;\nexists (0:r1=1 /\\ 1:r1=1)"
	)
	for _, c := range []struct {
		source, model string
		want          []string // the lines, then the model's names for the edges
	}{
		{mp, "tso", []string{
			"forbidden by consensus: a -po-> b -rf-> c -po-> d -fr-> a",
			"a: P0 W x=1, b: P0 W y=1, c: P1 R y=1, d: P1 R x=0",
			"ppo rfe ppo fr",
		}},
		{sb, "sc", []string{
			"forbidden by consensus: a -po-> b -fr-> c -po-> d -fr-> a",
			"a: P0 W x=1, b: P0 R y=0, c: P1 W y=1, d: P1 R x=0",
			"po fr po fr",
		}},
		{fenced, "tso", []string{
			"forbidden by consensus: a -mfence-> c -fr-> d -mfence-> f -fr-> a",
			"a: P0 W x=1, c: P0 R y=0, d: P1 W y=1, f: P1 R x=0",
			"ab fr ab fr",
		}},
		{corr, "tso", []string{
			"forbidden by uniproc (and consensus): a -rf-> b -po-> c -fr-> a",
			"a: P0 W x=1, b: P1 R x=1, c: P1 R x=0",
			"rf po-loc fr",
		}},
		{corr, "power", []string{
			"forbidden by uniproc: a -rf-> b -po-> c -fr-> a",
			"a: P0 W x=1, b: P1 R x=1, c: P1 R x=0",
			"rf po-loc fr",
		}},
		{xchgs, "tso", []string{
			"forbidden by atomicity: a -fr-> d -co-> b -rmw^-1-> a",
			"a: P0 R x=0, b: P0 W x=1, d: P1 W x=2",
			"fre coe rmw^-1",
		}},
		{three, "sc", []string{
			"no execution at all: nothing gives 1:EAX=3",
			"",
		}},
		{isa2, "power", []string{
			"forbidden by observation (and propagation): g -fr-> a -sync-> c -rf-> d -data-> e -rf-> f -addr-> g",
			"a: P0 W x=1, c: P0 W y=1, d: P1 R y=1, e: P1 W z=1, f: P2 R z=1, g: P2 R x=0",
			"fre light hbs",
		}},
		{lwsync, "power", []string{
			"forbidden by observation: e -fr-> a -lwsync-> c -rf-> d -addr-> e",
			"a: P0 W x=1, c: P0 W y=1, d: P1 R y=1, e: P1 R x=0",
			"fre light hbs",
		}},
		{lb, "power", []string{
			"forbidden by no-thin-air: a -data-> b -rf-> c -data-> d -rf-> a",
			"a: P0 R x=1, b: P0 W y=1, c: P1 R y=1, d: P1 W x=1",
			"ppo rfe ppo rfe",
		}},
		{oota, "power", []string{
			"no execution at all: nothing gives 0:r1=1, or 1:r1=1",
			"",
		}},
	} {
		r := explained(t, c.source, c.model)
		if r.Explanation == nil {
			t.Errorf("%s under %s: %s, not explained", r.Name, c.model, r.Verdict)
			continue
		}
		var labels []string
		for _, e := range r.Explanation.Cycle {
			labels = append(labels, e.Relation)
		}
		if got := strings.Join(r.Explanation.Lines(), "\n") + "\n" + strings.Join(labels, " "); got != strings.Join(c.want, "\n") {
			t.Errorf("%s under %s:\n%s\nwant\n%s", r.Name, c.model, got, strings.Join(c.want, "\n"))
		}
	}
}
