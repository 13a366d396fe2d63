package relaxed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/relation"
	"litmuscope/models/replay"
)

// anyGraph draws an execution of a few threads over two locations, consistent or not.
func anyGraph(t *rapid.T) *models.Graph {
	g := &models.Graph{}
	rel := map[string][]models.Pair{}
	locs := []string{"x", "y"}
	co := map[string][]int{}
	for i, l := range locs {
		g.Events = append(g.Events,
			models.GraphEvent{
				ID: i, Name: "i" + l, Thread: models.InitThread, Source: -1, Kind: "W",
				Loc: l, Value: "0",
			})
		co[l] = []int{i}
	}
	threads := rapid.IntRange(2, 4).Draw(t, "threads")
	for th := range threads {
		name := fmt.Sprint("P", th)
		g.Threads = append(g.Threads, models.GraphThread{Name: name, Source: []string{}})
		last := -1
		var reads []int
		for range rapid.IntRange(1, 3).Draw(t, "length of "+name) {
			e := models.GraphEvent{
				ID: len(g.Events), Name: fmt.Sprint("e", len(g.Events)), Thread: th,
				Kind: rapid.SampledFrom([]string{"R", "R", "W", "W", "F"}).Draw(t, "kind"),
			}
			switch e.Kind {
			case "F":
				e.Tags = rapid.SampledFrom(
					[]ir.Tags{append(ir.Tags{"SYNC"}, ir.FullFence...), {"LWSYNC", ir.TagRR, ir.TagRW, ir.TagWW}}).Draw(
					t, "fence")
			default:
				e.Loc, e.Value = rapid.SampledFrom(locs).Draw(t, "location"), fmt.Sprint(len(g.Events))
				if len(reads) > 0 && rapid.Bool().Draw(t, "depends") {
					how := rapid.SampledFrom([]string{"addr", "data", "ctrl"}).Draw(t, "dependency")
					if how != "data" || e.Kind == "W" {
						rel[how] = append(rel[how], models.Pair{rapid.SampledFrom(reads).Draw(t, "on"), e.ID})
					}
				}
			}
			if e.Kind == "W" {
				co[e.Loc] = append(co[e.Loc], e.ID)
			}
			if e.Kind == "R" {
				reads = append(reads, e.ID)
			}
			if last >= 0 {
				rel["po"] = append(rel["po"], models.Pair{last, e.ID})
			}
			last = e.ID
			g.Events = append(g.Events, e)
		}
	}
	for _, e := range g.Events {
		if e.Kind == "R" {
			rel["rf"] = append(rel["rf"], models.Pair{rapid.SampledFrom(co[e.Loc]).Draw(t, "rf"), e.ID})
		}
	}
	for _, l := range locs {
		order := append([]int{co[l][0]}, rapid.Permutation(co[l][1:]).Draw(t, "co of "+l)...)
		for i := range order[1:] {
			rel["co"] = append(rel["co"], models.Pair{order[i], order[i+1]})
		}
	}
	for _, name := range []string{"po", "rf", "co", "addr", "data", "ctrl"} {
		g.Relations = append(g.Relations, models.GraphEdges{Name: name, Edges: rel[name]})
	}
	return g
}

// The report on an execution that a model allows: it calls the execution SC exactly if SC allows it; the steps are a
// cycle of it; no order of the model preserves a relaxed step, or not the named one; and were it kept, the model would
// forbid the execution.
func TestRelaxedIsWhy(t *testing.T) {
	sc, _ := models.Find("sc")
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t)
		x, err := executionOf(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range models.Names() {
			m, _ := models.Find(name)
			if len(evaluation.Check(m, x)) > 0 {
				continue
			}
			r, err := Relax(m, name, g)
			if err != nil {
				t.Fatal(err)
			}
			if ofSC := len(evaluation.Check(sc, x)) == 0; ofSC != (len(r.Cycle) == 0) {
				t.Fatalf("%s: of SC %v, cycle %v", name, ofSC, r.Cycle)
			}
			if len(r.Cycle) > 0 {
				wantRelaxed(t, m, x, r)
			}
		}
	})
}

// wantRelaxed checks the reported relaxations.
func wantRelaxed(t *rapid.T, m *models.Model, x *models.Execution, r *Relaxed) {
	say := func() string { return fmt.Sprintf("%s: %+v", m.Name, r) }
	e := evaluation.NewEvaluator(x)
	var axiom relation.Relation
	for _, o := range ordersOf(m, x, e) {
		if o.axiom.Name == r.Axiom {
			axiom = o.kept
		}
	}
	if axiom.Bits == nil && !r.Would {
		t.Fatalf("no order %s", say())
	}
	base := map[string]relation.Relation{}
	for _, n := range []string{"po", "rf", "co"} {
		base[n] = e.Eval(cat.Base{Name: n, Kind: cat.Relation})
	}
	base["fr"] = base["rf"].Inverse().Then(base["co"])
	var fences []fenceAfter
	external := false
	for i, s := range r.Cycle {
		if next := r.Cycle[(i+1)%len(r.Cycle)]; s.To != next.From || !base[s.Relation].Has(s.From, s.To) {
			t.Fatalf("no cycle: %s", say())
		}
		internal := x.Events[s.From].Thread == x.Events[s.To].Thread
		if !s.Relaxed {
			continue
		}
		if s.Words == "" || internal && axiom.Bits != nil && axiom.Has(s.From, s.To) {
			t.Fatalf("step %d is kept, or has no words: %s", i, say())
		}
		if external = external || !internal; internal {
			fences = append(fences, fenceAfter{s.From, fullFence()})
		}
	}
	if !slices.ContainsFunc(r.Cycle, func(s RelaxedStep) bool { return s.Relaxed }) {
		t.Fatalf("nothing is relaxed: %s", say())
	}
	if external || strings.HasPrefix(m.Name, "c11") { // C11's fences do not restore SC
		return
	}
	// Kept by fences, or by dependencies where there can be any, they forbid the execution.
	fixed, _ := withFences(x, fences)
	depends := *x
	depends.Addr = slices.Clone(x.Addr)
	fences = slices.DeleteFunc(fences, func(f fenceAfter) bool { return x.Events[f.behind].Kind == models.Read })
	for _, s := range r.Cycle {
		if s.Relaxed && x.Events[s.From].Kind == models.Read {
			depends.Addr = append(depends.Addr, models.Pair{s.From, s.To})
		}
	}
	bound, _ := withFences(&depends, fences)
	if len(evaluation.Check(m, fixed)) == 0 && len(evaluation.Check(m, bound)) == 0 {
		t.Fatalf("neither fences nor dependencies forbid it: %s", say())
	}
	if !strings.Contains(r.Remedy, "would forbid") {
		t.Fatalf("no remedy: %s", say())
	}
}

// Users' models: without fences, without orders, without atomicity.
func TestRelaxOwnModels(t *testing.T) {
	sb := &models.Graph{
		Threads: []models.GraphThread{{Name: "P0"}, {Name: "P1"}},
		Events: []models.GraphEvent{
			{ID: 0, Name: "ix", Thread: models.InitThread, Kind: "W", Loc: "x", Value: "0"},
			{ID: 1, Name: "iy", Thread: models.InitThread, Kind: "W", Loc: "y", Value: "0"},
			{ID: 2, Name: "a", Thread: 0, Kind: "W", Loc: "x", Value: "1"},
			{ID: 3, Name: "b", Thread: 0, Kind: "R", Loc: "y", Value: "0"},
			{ID: 4, Name: "c", Thread: 1, Kind: "W", Loc: "y", Value: "1"},
			{ID: 5, Name: "d", Thread: 1, Kind: "R", Loc: "x", Value: "0"},
		},
		Relations: []models.GraphEdges{
			{Name: "po", Edges: []models.Pair{{2, 3}, {4, 5}}},
			{Name: "rf", Edges: []models.Pair{{1, 3}, {0, 5}}},
			{Name: "co", Edges: []models.Pair{{0, 2}, {1, 4}}},
			{Name: "addr", Edges: []models.Pair{{3, 2}}, Shown: true},
		},
	}
	torn := &models.Graph{
		Threads: sb.Threads,
		Events: []models.GraphEvent{
			{ID: 0, Name: "ix", Thread: models.InitThread, Kind: "W", Loc: "x", Value: "0"},
			{ID: 1, Name: "a", Thread: 0, Kind: "R", Loc: "x", Value: "0"},
			{ID: 2, Name: "b", Thread: 0, Kind: "W", Loc: "x", Value: "1"},
			{ID: 3, Name: "c", Thread: 1, Kind: "W", Loc: "x", Value: "2"},
		},
		Relations: []models.GraphEdges{
			{Name: "po", Edges: []models.Pair{{1, 2}}},
			{Name: "rf", Edges: []models.Pair{{0, 1}}},
			{Name: "co", Edges: []models.Pair{{0, 3}, {3, 2}}},
			{Name: "rmw", Edges: []models.Pair{{1, 2}}},
		},
	}
	for _, c := range []struct {
		model string
		g     *models.Graph
		want  []string
	}{
		{"acyclic po & (W * W | R * M) | rfe | fr | co as order", sb, []string{
			"SC forbids this cycle. MINE does not preserve two of its steps, and at least one of them is out of order:",
			"P0's load of y may take place before its earlier store to x.",
			"P1's load of x may take place before its earlier store to y.",
		}},
		{"irreflexive (rf | fr | co | po-loc)+ as order", sb, []string{
			"SC forbids this cycle. MINE does not preserve two of its steps, and at least one of them is out of order:",
			"P0's load of y may take place before its earlier store to x.",
			"P1's load of x may take place before its earlier store to y.",
		}},
		{
			"empty rmw as none", sb,
			[]string{"SC forbids this cycle. MINE has no axiom that puts all its steps into one order."},
		},
		{"acyclic po | rf | fr | co as order", torn, []string{
			"P1's store to x comes between the load and the store of P0's atomic update, and no axiom of MINE " +
				"forbids that.",
		}},
	} {
		m, err := models.Parse("own", c.model, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		r, err := Relax(m, "MINE", c.g)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{r.Sentence}
		for _, s := range r.Cycle {
			if s.Words != "" {
				got = append(got, s.Words)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.model, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	broken := *torn
	broken.Relations = broken.Relations[:1]
	if _, err := Relax(mustFind(t, "sc"), "SC", &broken); err == nil {
		t.Error("a graph without rf is compared")
	}
}

// The named order is the one that lacks the relaxed step, and not another that has as many of the other steps.
func TestRelaxedOrder(t *testing.T) {
	for _, c := range []struct{ id, model, want string }{
		{"SB", "tso", "consensus"},
		{"SB", "pso", "consensus"},
		{"PPC/SB", "rmo", "consensus"},
		{"AArch64/SB", "aarch64", "external"},
		{"RISCV/SB", "riscv", "model"},
		{"C/SB+porlxrlxs", "rc11", "sc"},
		{"PPC/SB", "power", "propagation"},
		{"PPC/SB", "power-cav10", "consensus"},
		{"ARM/SB", "arm", "propagation"},
		{"BPF/SB", "bpf", "propagation"},
	} {
		e, ok := catalogue.Find(c.id)
		if !ok {
			t.Fatalf("no test %s", c.id)
		}
		p, err := dialect.Parse(c.id, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		x, err := replay.Replay(p, [][]uint64{{0}, {0}})
		if err != nil {
			t.Fatal(err)
		}
		settle(t, x)
		r, err := Relax(mustFind(t, c.model), c.model, display.Graph(x, mustFind(t, c.model)))
		if err != nil {
			t.Fatal(err)
		}
		if r.Axiom != c.want {
			t.Errorf("%s under %s: got %q, want %q", c.id, c.model, r.Axiom, c.want)
		}
	}
}

// Under a model of C11 the report says what does not synchronise, or is not sequentially consistent, and why.
func TestRelaxedOrders(t *testing.T) {
	const (
		neither = "P0's store to y is relaxed, and so is P1's load of y, which reads from it: they do not synchronise."
		store   = "P0's store to y is relaxed, so that P1's load of y, which reads from it, does not synchronise " +
			"with it."
		load = "P1's load of y is relaxed, so that it does not synchronise with P0's store to y, which it reads " +
			"from."
		both = "If the store were a release and the load were an acquire, it would forbid this execution."
		all  = " not sequentially consistent: only sequentially consistent accesses have a single order for all " +
			"threads."
	)
	for _, c := range []struct{ id, model, want string }{
		{"C/MP+porlxrlxs", "rc11", neither + " " + both},
		{"C/MP+porlxrlxs", "imm", neither + " " + both},
		{"C/MP+ponarlx+ctrlrlxna", "rc11", neither + " " + both},
		{"C/MP+porlxrlx+poacqrlx", "rc11", store + " If the store were a release, it would forbid this execution."},
		{"C/MP+porlxrel+porlxrlx", "rc11", load + " If the load were an acquire, it would forbid this execution."},
		{
			"C/SB+porelacqs", "rc11",
			"P0's store to x and its load of y are" + all + " P1's store to y and its load of x are" + all +
				" If these stores and these loads were sequentially consistent, it would forbid this execution.",
		},
		{
			"C/SB+poscsc+poscrlx", "rc11",
			"P1's load of x is" + all + " If the load were sequentially consistent, it would forbid this execution.",
		},
		{"C/LB+porlxrlxs", "imm", "P0's store to y may take effect before its earlier load of x. P1's store to x " +
			"may take effect before its earlier load of y. Full fences in these places would forbid this execution."},
	} {
		e, ok := catalogue.Find(c.id)
		if !ok {
			t.Fatalf("no test %s", c.id)
		}
		p, err := dialect.Parse(c.id, e.Source)
		if err != nil {
			t.Fatal(err)
		}
		reads := map[string][][]uint64{"MP": {nil, {1, 0}}, "SB": {{0}, {0}}, "LB": {{1}, {1}}}[c.id[2:4]]
		x, err := replay.Replay(p, reads)
		if err != nil {
			t.Fatal(err)
		}
		settle(t, x)
		m := mustFind(t, c.model)
		r, err := Relax(m, "it", display.Graph(x, m))
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, s := range r.Cycle {
			if s.Words != "" {
				words = append(words, s.Words)
			}
		}
		if got := strings.Join(append(words, r.Remedy), " "); got != c.want {
			t.Errorf("%s under %s:\ngot  %s\nwant %s", c.id, c.model, got, c.want)
		}
	}
}

// settle has each read take its value from the write of that value, and orders writes as they come.
func settle(t *testing.T, x *models.Execution) {
	t.Helper()
	x.CO = make([][]int, len(x.Program.Locs))
	for _, e := range x.Events {
		if e.Kind == models.Write {
			x.CO[e.Loc] = append(x.CO[e.Loc], e.ID)
		}
	}
	x.RF = make([]int, len(x.Events))
	for i, e := range x.Events {
		if x.RF[i] = -1; e.Kind == models.Read {
			x.RF[i] = x.CO[e.Loc][slices.IndexFunc(x.CO[e.Loc],
				func(w int) bool { return x.Events[w].Value == e.Value })]
		}
	}
	if err := x.WellFormed(); err != nil {
		t.Fatal(err)
	}
}

func mustFind(t *testing.T, name string) *models.Model {
	t.Helper()
	m, ok := models.Find(name)
	if !ok {
		t.Fatalf("no model %s", name)
	}
	return m
}
