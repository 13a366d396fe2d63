package display_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/modelstest"
	"litmuscope/models/replay"
)

// cThread is a thread of a C test in short: "R x ONCE", "W x 1 REL", "W x r0 Srcu-unlock" (the value of
// the thread's first read) or "F MB", with its tags behind.
func cThread(p *ir.Program, id int, events ...string) {
	locs := map[string]int{}
	for i, l := range p.Locs {
		locs[l.Name] = i
	}
	t := ir.Thread{ID: id, Regs: []ir.Register{}}
	addr := func(name string) ir.Expr { return ir.Addr{Loc: locs[name], Bits: 64} }
	tags := func(words []string) (out ir.Tags) {
		for _, w := range words {
			out = append(out, ir.Tag(w))
		}
		return out
	}
	for i, e := range events {
		f := strings.Fields(e)
		var op ir.Op
		switch f[0] {
		case "R":
			t.Regs = append(t.Regs, ir.Register{Bits: 64})
			op = ir.Load{Dst: len(t.Regs) - 1, Addr: addr(f[1]), Bits: 64, Tags: tags(f[2:])}
		case "W":
			var value ir.Expr = ir.Const{Value: 1, Bits: 64}
			if f[2] == "r0" {
				value = ir.Reg{Index: 0, Bits: 64}
			} else if f[2] == "0" {
				value = ir.Const{Value: 0, Bits: 64}
			}
			op = ir.Store{Addr: addr(f[1]), Value: value, Tags: tags(f[3:])}
		case "F":
			op = ir.Fence{Tags: tags(f[1:])}
		}
		t.Source = append(t.Source, litmus.Cell{Text: e})
		t.Code = append(t.Code, ir.Step{Op: op, Source: i})
	}
	p.Threads = append(p.Threads, t)
}

func cProgram(locs ...string) *ir.Program {
	p := &ir.Program{Arch: "C", Name: "test"}
	for i, l := range locs {
		p.Locs = append(p.Locs, ir.Location{Name: l, Bits: 64, Address: uint64(64 + 8*i)})
	}
	return p
}

// run replays a program whose reads all read from initial writes; co is the order of events.
func run(t *testing.T, p *ir.Program) *models.Execution {
	t.Helper()
	reads := make([][]uint64, len(p.Threads))
	for i, th := range p.Threads {
		reads[i] = make([]uint64, len(th.Regs))
	}
	x, err := replay.Replay(p, reads)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range x.Events {
		switch e.Kind {
		case models.Read:
			x.RF[e.ID] = e.Loc
		case models.Write:
			x.CO[e.Loc] = append(x.CO[e.Loc], e.ID)
		}
	}
	return x
}

// The names of the events of C tests, by the model that they address.
func TestNotation(t *testing.T) {
	m, _ := models.Find("sc")
	for _, c := range []struct{ events, want string }{
		{
			"R x ATOMIC ACQ ACQUIRE|W x 1 ATOMIC REL RELEASE|R x NA|F SC FRR|W x 1 ATOMIC ACQ_REL RMW",
			"R[acq] W[rel] R[na] F[sc] W[acq_rel]",
		},
		{
			"R x ONCE|R x ACQUIRE|W x 1 RELEASE|W x 1 NA|F MB FRR|F Rmb|F Before-atomic|R x NORETURN RMW",
			"R[once] R[acquire] W[release] W[plain] F[mb] F[rmb] F[before-atomic] R[noreturn]",
		},
		{
			"F Rcu-lock|F Rcu-unlock|F Sync-rcu FRR|R x Srcu-lock|W x r0 Srcu-unlock|F Sync-srcu",
			"F:rcu_read_lock F:rcu_read_unlock F:synchronize_rcu R:srcu_read_lock W:srcu_read_unlock " +
				"F:synchronize_srcu",
		},
		{
			"R x LKR ACQUIRE|W x 1 LKW|W x 0 UL RELEASE|R x LF|R x RL",
			"R:lock W:lock W:unlock R:trylock fails R:is_locked",
		},
		{"R x LS ACQ ACQUIRE|W x 1 LS|W x 0 U REL RELEASE|R x LF", "R:lock W:lock W:unlock R:trylock fails"},
	} {
		p := cProgram("x")
		cThread(p, 0, strings.Split(c.events, "|")...)
		var got []string
		for _, e := range display.Graph(run(t, p), m).Events[1:] {
			name := e.Kind
			if e.Order != "" {
				name += "[" + e.Order + "]"
			}
			if e.Does != "" {
				name += ":" + e.Does
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.events, strings.Join(got, " "), c.want)
		}
	}
	x := modelstest.Execution(t, modelstest.SB, [][]uint64{{0}, {0}}, map[int]int{3: 1, 5: 0}, []int{0, 1, 2, 4})
	for _, e := range display.Graph(x, m).Events {
		if e.Order != "" || e.Does != "" {
			t.Errorf("an X86 event is annotated: %+v", e)
		}
	}
}

// Every tag of C has words for the picture, except those that accompany others.
func TestEveryTagOfCIsNamed(t *testing.T) {
	m, _ := models.Find("sc")
	for _, tag := range (c.Dialect{}).Tags() {
		p := cProgram("x")
		cThread(p, 0, "R x "+string(tag))
		e := display.Graph(run(t, p), m).Events[1]
		silent := slices.Contains([]ir.Tag{"ATOMIC", "RMW", "VOLATILE"}, tag)
		if named := e.Order != "" || e.Does != ""; named == silent {
			t.Errorf("%s: order %q, does %q", tag, e.Order, e.Does)
		}
	}
}

// The fences of a C test relate the events around them, except for the ends of critical sections.
func TestFencesOfC(t *testing.T) {
	p := cProgram("x")
	cThread(p, 0, "R x ONCE", "F Rcu-lock", "R x ONCE", "F MB FRR", "R x ONCE", "F Rcu-unlock", "F SC", "R x ONCE")
	m, _ := models.Find("sc")
	var got []string
	for _, r := range display.Graph(run(t, p), m).Relations {
		if r.Name != "po" && r.Name != "rf" {
			got = append(got, fmt.Sprint(r.Name, r.Edges))
		}
	}
	if s := strings.Join(got, " "); s != "mb[[3 5]] F[sc][[5 8]]" {
		t.Errorf("got %s", s)
	}
}

// Sections nest, overlap if threads pass locks on, and end at the return of their own index.
func TestSections(t *testing.T) {
	m, _ := models.Find("sc")
	for _, c := range []struct {
		name   string
		events []string
		want   string
	}{
		{
			"nested",
			[]string{"F Rcu-lock", "R x ONCE", "F Rcu-lock", "F Rcu-unlock", "F Rcu-unlock"},
			"RCU 3-7, RCU 5-6",
		},
		{
			"one after the other",
			[]string{"F Rcu-lock", "F Rcu-unlock", "F Rcu-lock", "F Rcu-unlock"},
			"RCU 3-4, RCU 5-6",
		},
		{"never left", []string{"F Rcu-lock", "F Rcu-lock", "F Rcu-unlock"}, "RCU 4-5"},
		{"never entered", []string{"F Rcu-unlock", "R x ONCE"}, ""},
		{"a lock", []string{"R x LKR ACQUIRE", "W x 1 LKW", "R y NA", "W x 0 UL RELEASE"}, "lock x 3-6"},
		{"a mutex", []string{"R x LS ACQ", "W x 1 LS", "W x 0 U REL"}, "lock x 3-5"},
		{
			"hand over hand",
			[]string{"R x LKR", "W x 1 LKW", "R y LKR", "W y 1 LKW", "W x 0 UL", "W y 0 UL"},
			"lock x 3-7, lock y 5-8",
		},
		{"of another lock", []string{"R x LKR", "W x 1 LKW", "W y 0 UL"}, ""},
		{"SRCU", []string{"R x Srcu-lock", "R y ONCE", "W x r0 Srcu-unlock"}, "SRCU x 3-5"},
		{"SRCU with another index", []string{"R y ONCE", "R x Srcu-lock", "W x r0 Srcu-unlock"}, ""},
		{"SRCU of another", []string{"R x Srcu-lock", "W y r0 Srcu-unlock"}, ""},
		{"trylock that fails", []string{"R x LF", "W x 0 UL"}, ""},
	} {
		p := cProgram("x", "y", "z")
		cThread(p, 0, c.events...)
		cThread(p, 1, "F Rcu-unlock") // ends nothing of P0's
		var got []string
		for _, s := range display.Graph(run(t, p), m).Sections {
			got = append(got, strings.TrimSpace(s.Kind+" "+s.Loc)+fmt.Sprintf(" %d-%d", s.First, s.Last))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: got %s, want %s", c.name, s, c.want)
		}
	}
}

// The picture shows the cause of a flag once, under the name by which the model shows it, if it does.
func TestFlagInGraph(t *testing.T) {
	weakMP := modelstest.Execution(t, modelstest.MP, [][]uint64{nil, {1, 0}}, map[int]int{4: 3, 5: 0},
		[]int{0, 1, 2, 3})
	const race = "empty 0\nlet race = (R * W) & loc & ext \\ (_ * IW)\nflag ~empty race as data-race\n"
	for model, want := range map[string]string{
		race:                   "data-race true [[2 5] [3 4]]",
		race + "show race, po": "race true [[2 5] [3 4]]",
		race + "show race | rmw as more, race & id as none": "more true [[2 5] [3 4]]",
	} {
		m, err := models.Parse("own.cat", model, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		g := display.Graph(weakMP, m)
		before := len(g.Relations)
		g.Flag("data-race", evaluation.NewChecker(m).Causes(weakMP, 0))
		last := g.Relations[len(g.Relations)-1]
		if got := fmt.Sprint(last.Name, " ", last.Flag, " ", last.Cyclic); got != want ||
			fmt.Sprint(last.Edges) != fmt.Sprint(last.Cyclic) {
			t.Errorf("%s: got %s, want %s", model, got, want)
		}
		if added := len(g.Relations) - before; added != 1 && !last.Shown {
			t.Errorf("%s: %d relations more", model, added)
		}
	}
}

// What raises a flag: pairs that conflict, once each; events alone; a cycle; and nothing, if something absent raises
// it.
func TestCauses(t *testing.T) {
	// Events 0 and 1 are the initial writes of x and y; then P0's, then P1's.
	weakMP := modelstest.Execution(t, modelstest.MP, [][]uint64{nil, {1, 0}}, map[int]int{4: 3, 5: 0},
		[]int{0, 1, 2, 3})
	for _, c := range []struct{ model, want string }{
		{"flag ~empty (W * M | M * W) & loc & ext as race", "[[2 5] [3 4] [0 2] [0 5] [1 3] [1 4]]"},
		{"undefined_unless empty (W * M | M * W) & loc & ext \\ (IW * _ | _ * IW) as Dr", "[[2 5] [3 4]]"},
		{"flag ~empty R as reads", "[[4 4] [5 5]]"},
		{"flag ~irreflexive po | id as odd", "[[0 0]]"},
		{"flag ~acyclic po | rf | fr as odd", "[[2 3] [3 4] [4 5] [5 2]]"},
		{"flag empty rmw as plain", "[]"},
	} {
		m, err := models.Parse("own.cat", "empty 0\n"+c.model, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		check := evaluation.NewChecker(m)
		if got := fmt.Sprint(check.Causes(weakMP, 0)); got != c.want || !check.Flags(weakMP)[0] {
			t.Errorf("%s: got %s, want %s", c.model, got, c.want)
		}
	}
}
