package axiomatic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/evaluation"
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
		mp = "X86 MP\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n" +
			"exists (1:EAX=1 /\\ 1:EBX=0)"
		sb = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
			"exists (0:EAX=0 /\\ 1:EAX=0)"
		fenced = "X86 SB+mfences\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MFENCE | MFENCE ;\n" +
			" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)"
		corr  = "X86 CoRR\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\n | MOV EBX,[x] ;\nexists (1:EAX=1 /\\ 1:EBX=0)"
		xchgs = "X86 XCHGs\n{}\n P0 | P1 ;\n MOV EAX,$1 | MOV EAX,$2 ;\n XCHG [x],EAX | XCHG [x],EAX ;\n" +
			"exists (0:EAX=0 /\\ 1:EAX=0)"
		three = "X86 three\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\nexists (1:EAX=3 /\\ x=1)"
		isa2  = "PPC ISA2\n{ 0:r1=1; 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=z; 1:r5=1; 2:r2=z; 2:r4=x; }\n P0 | P1 | P2 ;\n" +
			" stw r1,0(r2) | lwz r1,0(r2) | lwz r1,0(r2) ;\n sync | xor r3,r1,r1 | xor r3,r1,r1 ;\n" +
			" stw r1,0(r4) | addi r3,r3,1 | lwzx r5,r3,r4 ;\n | stw r3,0(r4) | ;\nexists (1:r1=1 /\\ 2:r1=1 /\\ 2:r5=0)"
		lwsync = "PPC MP+lwsync+addr\n{ 0:r1=1; 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }\n P0 | P1 ;\n" +
			" stw r1,0(r2) | lwz r1,0(r2) ;\n lwsync | xor r3,r1,r1 ;\n stw r1,0(r4) | lwzx r5,r3,r4 ;\n" +
			"exists (1:r1=1 /\\ 1:r5=0)"
		lb = "PPC LB+datas\n{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }\n P0 | P1 ;\n lwz r1,0(r2) | lwz r1,0(r2) ;\n" +
			" xor r3,r1,r1 | xor r3,r1,r1 ;\n addi r3,r3,1 | addi r3,r3,1 ;\n stw r3,0(r4) | stw r3,0(r4) ;\n" +
			"exists (0:r1=1 /\\ 1:r1=1)"
		oota = "PPC OOTA\n{ 0:r2=x; 0:r4=y; 1:r2=y; 1:r4=x; }\n P0 | P1 ;\n lwz r1,0(r2) | lwz r1,0(r2) ;\n" +
			" stw r1,0(r4) | stw r1,0(r4) ;\nexists (0:r1=1 /\\ 1:r1=1)"
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
			"no execution ends with 1:EAX=3",
			"",
		}},
		{isa2, "power", []string{
			"forbidden by observation (and propagation): a -sync-> c -rf-> d -data-> e -rf-> f -addr-> g -fr-> a",
			"a: P0 W x=1, c: P0 W y=1, d: P1 R y=1, e: P1 W z=1, f: P2 R z=1, g: P2 R x=0",
			"light hbs fre",
		}},
		{lwsync, "power", []string{
			"forbidden by observation: a -lwsync-> c -rf-> d -addr-> e -fr-> a",
			"a: P0 W x=1, c: P0 W y=1, d: P1 R y=1, e: P1 R x=0",
			"light hbs fre",
		}},
		{lb, "power", []string{
			"forbidden by no-thin-air: a -data-> b -rf-> c -data-> d -rf-> a",
			"a: P0 R x=1, b: P0 W y=1, c: P1 R y=1, d: P1 W x=1",
			"ppo rfe ppo rfe",
		}},
		{oota, "power", []string{
			"no execution ends with 0:r1=1, or with 1:r1=1",
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
		if got := strings.Join(r.Explanation.Lines(), "\n") + "\n" +
			strings.Join(labels, " "); got != strings.Join(c.want, "\n") {
			t.Errorf("%s under %s:\n%s\nwant\n%s", r.Name, c.model, got, strings.Join(c.want, "\n"))
		}
	}
}

// Explanations also work for models with negation, recursion or closures.
func TestExplainOwnModels(t *testing.T) {
	const mp = "X86 MP\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n" +
		"exists (1:EAX=1 /\\ 1:EBX=0)"
	for _, c := range []struct{ axioms, want string }{
		{"~empty rf & int as own", "forbidden by own, which does not hold"},
		{
			"let rec hb = po | rf | fr | hb ; hb\nirreflexive hb as order",
			"forbidden by order: a -po-> b -rf-> c -po-> d -fr-> a",
		},
		{"let hb = (po | com)+\nacyclic hb as order", "forbidden by order: a -po-> b -rf-> c -po-> d -fr-> a"},
		{"irreflexive po ; (rf ; po ; rf^-1 ; co) as order", "forbidden by order: a -po-> b -rf-> c -po-> d -fr-> a"},
		{"empty (po ; rf) & (po ; fr)^-1 as order", "forbidden by order: a -po-> b -rf-> c -po-> d -fr-> a"},
		{"acyclic po | (W * R) & rfe | ext \\ (W * _) as order", "forbidden by order: ix -rf-> d -ext-> ix"},
		{
			"empty rmw\nacyclic po ; ([W] ; (rf ; po ; (rf^-1 ; co)?)) as order",
			"forbidden by order: a -po-> b -rf-> c -po-> d -fr-> a",
		},
	} {
		m, err := models.Parse("own.cat", c.axioms, dialect.Vocabulary())
		if err != nil {
			t.Errorf("%s: %v", c.axioms, err)
			continue
		}
		p, err := dialect.Parse("test.litmus", mp)
		if err != nil {
			t.Fatal(err)
		}
		o := solver.DefaultOptions()
		o.Explain = true
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
		if err != nil || r.Explanation == nil {
			t.Errorf("%s: %s, %v", c.axioms, r.Verdict, err)
			continue
		}
		if got := r.Explanation.Lines()[0]; got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.axioms, got, c.want)
		}
	}
}

// Derivations consist of base edges that the execution has, one after another, on
// random executions under random models; cycles are closed.
func TestDerivationsAreReal(t *testing.T) {
	irtest.AtMost(t, 20)
	derived := 0
	rapid.Check(t, func(t *rapid.T) {
		text, source := drawModel(t), drawSmallTest(t)
		m, err := models.Parse("random.cat", text, dialect.Vocabulary())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p, err := dialect.Parse("random.litmus", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		checker, seen := evaluation.NewChecker(m), 0
		for x := range runs(p, map[uint64]bool{0: true, 1: true, 2: true}) {
			for x := range communicate(x) {
				if seen++; seen > 40 {
					return
				}
				for _, v := range checker.Derive(x) {
					if err := genuine(x, v); err != nil {
						t.Fatalf("%v: %v\n%s\n%s", v, err, text, source)
					}
					derived++
				}
			}
		}
	})
	t.Logf("%d violations", derived)
}

// genuine checks a violation's edges against the execution.
func genuine(x *models.Execution, v evaluation.Violation) error {
	var path []models.BaseEdge
	for i, e := range v.Edges {
		if len(e.Path) == 0 || e.Path[0].From != e.From || e.Path[len(e.Path)-1].To != e.To {
			return fmt.Errorf("edge %v does not lead from its first event to its last", e)
		}
		if i > 0 && v.Edges[i-1].To != e.From {
			return fmt.Errorf("edge %v does not go on from %v", e, v.Edges[i-1])
		}
		path = append(path, e.Path...)
	}
	for i, e := range path {
		if i > 0 && path[i-1].To != e.From {
			return fmt.Errorf("%v does not go on from %v", e, path[i-1])
		}
		if !holds(x, e) {
			return fmt.Errorf("%v is no edge of the execution", e)
		}
	}
	if v.Kind != cat.Empty && len(path) > 0 && path[0].From != path[len(path)-1].To {
		return fmt.Errorf("the cycle %v is open", path)
	}
	return nil
}

// holds tells whether an execution has a base edge.
func holds(x *models.Execution, e models.BaseEdge) bool {
	a, b := e.From, e.To
	name, back := strings.CutSuffix(e.Relation, "^-1")
	if back && !strings.ContainsAny(e.Relation, "(~*") {
		a, b = b, a
	}
	po := func(a, b int) bool {
		return a < b && x.Events[a].Thread == x.Events[b].Thread && x.Events[a].Thread != models.InitThread
	}
	co := func(a, b int) bool {
		for _, order := range x.CO {
			if i, j := slices.Index(order, a), slices.Index(order, b); i >= 0 && j >= 0 {
				return i < j
			}
		}
		return false
	}
	own := x.Events[a].Thread == x.Events[b].Thread && x.Events[a].Thread != models.InitThread
	switch name {
	case "po":
		return po(a, b)
	case "rf":
		return x.RF[b] == a
	case "co":
		return co(a, b)
	case "fr":
		return x.RF[a] >= 0 && co(x.RF[a], b)
	case "addr":
		return slices.Contains(x.Addr, models.Pair{a, b})
	case "data":
		return slices.Contains(x.Data, models.Pair{a, b})
	case "ctrl":
		return slices.Contains(x.Ctrl, models.Pair{a, b})
	case "rmw":
		return slices.Contains(x.RMW, models.Pair{a, b})
	case "int":
		return own
	case "ext":
		return a != b && !own
	case "loc":
		return x.Events[a].Loc >= 0 && x.Events[a].Loc == x.Events[b].Loc
	case "o": // the model's choice: the execution has none without it
		return a != b
	case "mfence":
		return slices.ContainsFunc(x.Events,
			func(f models.Event) bool { return f.Tags.Has("MFENCE") && po(a, f.ID) && po(f.ID, b) })
	}
	return strings.ContainsAny(e.Relation, "(~*[") // a kind of pair
}

// Every outcome of a random program that a built-in model forbids has an explanation, an execution with that outcome.
func TestExplainsAll(t *testing.T) {
	explained, never := map[string]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		source, want := drawOutcome(t)
		m, _ := models.Find(rapid.SampledFrom(models.Names()).Draw(t, "model"))
		p, err := dialect.Parse("random.litmus", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		o := solver.DefaultOptions()
		o.Explain, o.States = true, 0
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
		if err != nil {
			t.Fatalf("%v under %s\n%s", err, m.Name, source)
		}
		e := r.Explanation
		switch {
		case (r.Verdict == solver.Forbidden) != (e != nil):
			t.Fatalf("%s under %s, explanation %v\n%s", r.Verdict, m.Name, e, source)
		case e == nil:
		case e.Axiom == "":
			never++
		default:
			explained[e.Axiom]++
			path := e.BasePath()
			if len(path) == 0 || path[0].From != path[len(path)-1].To {
				t.Fatalf("%s under %s: no cycle\n%s", m.Name, e.Axiom, source)
			}
			for _, b := range e.State {
				if v, asked := want[b.Name]; asked && b.Value != v {
					t.Fatalf("the near miss ends in %v\n%s", e.State, source)
				}
			}
		}
	})
	t.Logf("explained %v, %d without any execution", explained, never)
}

// drawOutcome draws a test that asks for one value of each register it loads, and of x.
func drawOutcome(t *rapid.T) (source string, want map[string]string) {
	want = map[string]string{}
	var columns [2][]string
	for i := range columns {
		free := []string{"EAX", "EBX", "ECX"}
		if rapid.Bool().Draw(t, "stores") || i == 0 {
			columns[i] = append(columns[i], "MOV ["+[]string{"x", "y"}[i]+"],$1")
		}
		for range rapid.IntRange(1, 3).Draw(t, "length") {
			loc := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "loc")
			instruction := rapid.SampledFrom(
				[]string{
					"MOV [LOC],$1", "MOV REG,[LOC]", "MOV REG,[LOC]", "MOV REG,[LOC]", "MFENCE",
					"XCHG [LOC],REG",
				}).Draw(t, "instruction")
			if strings.Contains(instruction, "REG") {
				if len(free) == 0 {
					continue
				}
				reg := free[0]
				free = free[1:]
				want[fmt.Sprintf("%d:%s", i, reg)] = rapid.SampledFrom([]string{"0", "1"}).Draw(t, "value")
				instruction = strings.ReplaceAll(instruction, "REG", reg)
			}
			columns[i] = append(columns[i], strings.ReplaceAll(instruction, "LOC", loc))
		}
	}
	want["x"] = "1"
	var atoms []string
	for name, v := range want {
		atoms = append(atoms, name+"="+v)
	}
	slices.Sort(atoms)
	for i, c := range columns {
		columns[i] = append(c, make([]string, 4-len(c))...)
	}
	var b strings.Builder
	b.WriteString("X86 random\n{ 0:EAX=1; 0:EBX=1; 1:EAX=1; 1:EBX=1; }\n P0 | P1 ;\n")
	for i := range 4 {
		b.WriteString(" " + columns[0][i] + " | " + columns[1][i] + " ;\n")
	}
	return b.String() + "exists (" + strings.Join(atoms, ` /\ `) + ")\n", want
}
