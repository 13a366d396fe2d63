package graphs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/explore"
	"litmuscope/solver/graphs/graph"
)

// explored visits the graphs of a test of the catalogue under a model; of one without loops.
func explored(t *testing.T, e catalogue.Entry, model string, leaf func(*explore.Exploration, *test, *graph.Graph)) {
	t.Helper()
	p, err := dialect.Parse(e.Name, e.Source)
	if err != nil {
		t.Fatal(err)
	}
	if unrolled, loops := ir.Unroll(p, 1, ir.Waits{}); loops {
		p = unrolled
	}
	m := named(t, model, p.Split)
	if m == nil {
		return
	}
	q, x, err := newExploration(context.Background(), p, m)
	if err != nil {
		t.Fatalf("%s: %v", e.ID(), err)
	}
	x.Leaf = func(g *graph.Graph) error { leaf(x, q, g); return nil }
	if err := x.Run(); err != nil {
		t.Fatalf("%s under %s: %v", e.ID(), model, err)
	}
}

// A store-conditional that fails is no event, and orders nothing.
func TestFailedStoreConditional(t *testing.T) {
	for _, c := range []struct{ code, asked, axiom string }{
		{
			" sw x5,0(x6) | lr.w x7,0(x6) ;\n | sc.w x8,x7,0(x6) ;\n | lr.w x9,0(x6) ;\n",
			"1:x7=1 /\\ 1:x8=1 /\\ 1:x9=0",
			"acyclic (po & loc) \\ (R * R) | rf | fr | co as uniproc",
		},
		{
			" sw x5,0(x6) | sw x5,0(x4) ;\n sc.w x8,x5,0(x3) | sc.w x8,x5,0(x3) ;\n lw x7,0(x4) | lw x7,0(x6) ;\n",
			"0:x7=0 /\\ 1:x7=0",
			"acyclic po \\ (W * R) | rf | fr | co as tso\nacyclic po & loc | rf | fr | co as uniproc",
		},
	} {
		p, err := dialect.Parse("test",
			"RISCV test\n{ 0:x5=1; 1:x5=1; 0:x6=x; 1:x6=x; 0:x4=y; 1:x4=y; 0:x3=z; 1:x3=z; }\n P0 | P1 ;\n"+c.code+
				"exists ("+c.asked+")\n")
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.Parse("own", "\"own\"\n"+c.axiom+"\n", dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		r, err := Engine{}.Explore(t.Context(), solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
		if err != nil || r.Observation == "Never" {
			t.Errorf("%s: %v, never %s", c.axiom, err, c.asked)
		}
	}
}

// named is a built-in model in its version for tests with, or without, accesses of mixed size; nil where it says
// nothing of them.
func named(t *testing.T, name string, split bool) *models.Model {
	t.Helper()
	m, err := models.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	if !split {
		return m
	}
	if m, err = m.Mixed(); err != nil {
		return nil
	}
	return m
}

// withEach calls f with tests of the catalogue and the models under which the engine can explore them.
func withEach(t *testing.T, f func(e catalogue.Entry, model string)) {
	all := catalogue.All()
	for i, e := range all {
		if e.Large || testing.Short() && i%3 != 0 || dialect.HasScopes(e.Arch) || e.System() {
			continue
		}
		for j, model := range admitted() {
			if (i/3+j)%3 != 0 && j > 2 {
				continue // all would take long
			}
			if model == "rmo" || slices.Contains(models.For(dialect.Tongue(e.Source)), model) {
				// rmo leaves only the order between reads open
				f(e, model)
			}
		}
	}
}

// key tells graphs apart: who reads from whom, and in which order writes are.
func key(g *graph.Graph) string {
	name := func(id int32) string {
		if id < 0 {
			return "-"
		}
		return fmt.Sprintf("%d.%d", g.Events[id].Thread, g.Events[id].Pos)
	}
	var out []string
	for i := range g.Events {
		if e := &g.Events[i]; e.Kind == graph.Read {
			out = append(out, name(int32(i))+"<"+name(e.RF))
		} else {
			out = append(out, fmt.Sprintf("%s:%d=%d", name(int32(i)), e.Kind, e.Value))
		}
	}
	slices.Sort(out)
	for _, list := range g.CO {
		for _, w := range list {
			out = append(out, name(w))
		}
		out = append(out, ";")
	}
	return strings.Join(out, " ")
}

// The exploration visits no graph twice.
func TestEachGraphOnce(t *testing.T) {
	graphs := 0
	withEach(t, func(e catalogue.Entry, model string) {
		seen := map[string]bool{}
		explored(t, e, model, func(_ *explore.Exploration, _ *test, g *graph.Graph) {
			key := key(g)
			if seen[key] {
				t.Errorf("%s under %s is visited twice: %s", e.ID(), model, key)
			}
			seen[key] = true
			graphs++
		})
	})
	if graphs < 1000 {
		t.Errorf("%d graphs", graphs)
	}
	t.Logf("%d graphs, each once", graphs)
}

// What the compiled axioms say of an execution is what package models says, which evaluates them as they stand: for
// visited graphs, and for such with random rf and co.
func TestCompiledAxioms(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	said := map[bool]int{}
	withEach(t, func(e catalogue.Entry, model string) {
		var judge *evaluation.Checker
		n := 0
		explored(t, e, model, func(x *explore.Exploration, p *test, g *graph.Graph) {
			ended := true
			for i := range g.Threads {
				ended = ended && g.Threads[i].Next.Kind == ir.ActEnd
			}
			if n++; n > 20 || !ended {
				return
			}
			if judge == nil {
				judge = evaluation.NewChecker(named(t, model, p.Split))
			}
			check := consistency.NewChecker(x.Check.Formula())
			for round := range 4 {
				c := graph.New(len(g.Threads))
				c.CopyFrom(g)
				if round > 0 {
					shuffle(draw, c)
				}
				exec, err := p.execution(g)
				if err == nil {
					err = relate(exec, c)
				}
				if err != nil {
					t.Fatal(err)
				}
				want := len(judge.Check(exec)) == 0
				said[want]++
				if got := check.Consistent(c); got != want {
					t.Fatalf("%s under %s: compiled, the axioms say %v of %s; as they stand, %v", e.ID(), model, got,
						key(c), want)
				}
			}
		})
	})
	if said[true] < 500 || said[false] < 500 {
		t.Errorf("judged: %v", said)
	}
	t.Logf("judged: %v", said)
}

// shuffle has reads take their values from any writes, and puts writes in any order.
func shuffle(draw *rand.Rand, g *graph.Graph) {
	for _, list := range g.CO {
		draw.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for i := range g.Events {
		if e := &g.Events[i]; e.Kind == graph.Read {
			e.RF = graph.Initial
			if list := g.CO[e.Loc]; len(list) > 0 && draw.IntN(3) > 0 {
				e.RF = list[draw.IntN(len(list))]
			}
		}
	}
}

// An access outside of all locations is an error if the model lets a thread reach it, and only then.
func TestOutsideOfLocations(t *testing.T) {
	const source = `AArch64 MP+outside
{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; 1:X5=z; }
 P0          | P1                   ;
 MOV W0,#8   | LDR W0,[X3]          ;
 STR W0,[X1] | LDR W2,[X1]          ;
 MOV W2,#8   | BIC W4,W0,W2         ;
 STR W2,[X3] | LDR W6,[X5,W4,UXTW]  ;
exists (1:X0=8 /\ 1:X2=0)
`
	p, err := dialect.Parse("outside", source)
	if err != nil {
		t.Fatal(err)
	}
	for model, outside := range map[string]bool{"sc": false, "tso": false, "pso": true} {
		m, err := models.Named(model)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Engine{}.Explore(context.Background(),
			solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
		if is := err != nil && strings.Contains(err.Error(), "which is not a location"); is != outside ||
			err != nil && !is {
			t.Errorf("%s: %v", model, err)
		} else if !outside && r.Observation != solver.Never {
			t.Errorf("%s: %s", model, r.Verdict)
		}
	}
}
