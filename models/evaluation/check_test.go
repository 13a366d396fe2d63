package evaluation_test

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/modelstest"
	"litmuscope/models/replay"
)

const (
	sf = "X86 SB+mfences\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MFENCE | MFENCE ;\n" +
		" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)"
	xc = "X86 XCHGs\n{ x=0; }\n P0 | P1 ;\n MOV EAX,$1 | MOV EAX,$2 ;\n XCHG [x],EAX | XCHG [x],EAX ;\n" +
		"exists (0:EAX=0 /\\ 1:EAX=0)"
)

// The weak outcomes of the classics, and the axiom and cycle that forbid each.
func TestCheck(t *testing.T) {
	// Events 0 and 1 are the initial writes of x and y; then P0's, then P1's.
	weakSB := modelstest.Execution(t, modelstest.SB, [][]uint64{{0}, {0}}, map[int]int{3: 1, 5: 0}, []int{0, 1, 2, 4})
	weakMP := modelstest.Execution(t, modelstest.MP, [][]uint64{nil, {1, 0}}, map[int]int{4: 3, 5: 0},
		[]int{0, 1, 2, 3})
	fenced := modelstest.Execution(t, sf, [][]uint64{{0}, {0}}, map[int]int{4: 1, 7: 0}, []int{0, 1, 2, 5})
	// Both XCHGs read the initial value: the write of one comes between the halves of the other.
	torn := modelstest.Execution(t, xc, [][]uint64{{0}, {0}}, map[int]int{1: 0, 3: 0}, []int{0, 2, 4})
	for _, c := range []struct {
		name  string
		x     *models.Execution
		model string
		want  string
	}{
		{"SB", weakSB, "sc", "consensus (acyclic) at events [2 3 4 5]"},
		{"SB", weakSB, "tso", ""},
		{"SB", weakSB, "pso", ""},
		{"MP", weakMP, "sc", "consensus (acyclic) at events [2 3 4 5]"},
		{"MP", weakMP, "tso", "consensus (acyclic) at events [2 3 4 5]"},
		{"MP", weakMP, "pso", ""},
		{"SB+mfences", fenced, "tso", "consensus (acyclic) at events [2 4 5 7]"},
		{"SB+mfences", fenced, "pso", "consensus (acyclic) at events [2 4 5 7]"},
		{"torn XCHG", torn, "pso", "atomicity (empty) at events [3 4]"},
	} {
		if err := c.x.WellFormed(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		m, _ := models.Find(c.model)
		got := strings.Trim(fmt.Sprint(evaluation.Check(m, c.x)), "[]")
		if !strings.Contains(got+"]", c.want) || c.want == "" && got != "" {
			t.Errorf("%s under %s: got %q, want %q", c.name, c.model, got, c.want)
		}
	}
}

// A derivation goes down to base edges, through recursion and out of the names that
// the model gives.
func TestDerive(t *testing.T) {
	weakMP := modelstest.Execution(t, modelstest.MP, [][]uint64{nil, {1, 0}}, map[int]int{4: 3, 5: 0},
		[]int{0, 1, 2, 3})
	fenced := modelstest.Execution(t, sf, [][]uint64{{0}, {0}}, map[int]int{4: 1, 7: 0}, []int{0, 1, 2, 5})
	for _, c := range []struct {
		x           *models.Execution
		model, want string
	}{
		{
			weakMP, "let ppo = po & (W * W | R * R)\nacyclic ppo | rfe | fr",
			"ppo[2 po 3] rfe[3 rf 4] ppo[4 po 5] fr[5 fr 2]",
		},
		{
			weakMP, "let hb = po | rfe\nlet prop = hb+ ; fr\nirreflexive prop as p",
			"hb[2 po 3] hb[3 rf 4] hb[4 po 5] fr[5 fr 2]",
		},
		{
			weakMP, "let hb = po | rfe\nlet prop = hb+\nirreflexive prop ; fr as p",
			"prop[2 po 3 3 rf 4 4 po 5] fr[5 fr 2]",
		},
		{
			weakMP, "let rec a = po | b ; po and b = a ; rf\nirreflexive a ; fr as p",
			"po[2 po 3] rf[3 rf 4] po[4 po 5] fr[5 fr 2]",
		},
		{fenced, "acyclic po ; [F] ; po | fr", "mfence[2 mfence 4] fr[4 fr 5] mfence[5 mfence 7] fr[7 fr 2]"},
		{fenced, "empty W * R & po & (fr ; po ; fr)^-1 as e", "po[2 po 4] fr;po;fr[4 fr 5 5 po 7 7 fr 2]"},
		{weakMP, "~empty rmw as atomic", ""},
	} {
		m, err := models.Parse("own.cat", c.model, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range evaluation.NewChecker(m).Derive(c.x) {
			for _, e := range v.Edges {
				got = append(got, fmt.Sprintf("%s[%s]", e.Relation, strings.Trim(fmt.Sprint(path(e)), "[]")))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.model, strings.Join(got, " "), c.want)
		}
	}
}

func path(e evaluation.Edge) []string {
	var out []string
	for _, p := range e.Path {
		out = append(out, fmt.Sprint(p.From, " ", p.Relation, " ", p.To))
	}
	return out
}

func TestWellFormed(t *testing.T) {
	for _, c := range []struct {
		name string
		rf   map[int]int
		co   []int
		want string
	}{
		{
			"a read of another value",
			map[int]int{3: 4, 5: 0},
			[]int{0, 1, 2, 4},
			"read 3 does not take its value from event 4",
		},
		{
			"a read of another location",
			map[int]int{3: 0, 5: 0},
			[]int{0, 1, 2, 4},
			"read 3 does not take its value from event 0",
		},
		{"a read of nothing", map[int]int{3: 1}, []int{0, 1, 2, 4}, "read 5 does not take its value from event -1"},
		{"co without a write", map[int]int{3: 1, 5: 0}, []int{0, 1, 2}, "write 4 is not in the coherence order"},
		{
			"co that begins late",
			map[int]int{3: 1, 5: 0},
			[]int{2, 0, 1, 4},
			"event 2 is out of place in the coherence order of x",
		},
	} {
		x := modelstest.Execution(t, modelstest.SB, [][]uint64{{0}, {0}}, c.rf, c.co)
		if err := x.WellFormed(); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestReplay(t *testing.T) {
	p, err := dialect.Parse("test.litmus", modelstest.SB)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := replay.Replay(p, [][]uint64{{0, 1}, {0}}); err == nil || err.Error() != "P0: 1 values left unread" {
		t.Errorf("too many values: %v", err)
	}
	if _, err := replay.Replay(p, [][]uint64{{}, {0}}); err == nil || err.Error() != "P0: more reads than values" {
		t.Errorf("too few values: %v", err)
	}
	// Dependencies through an address, through data and through a branch. EBX being 0 whatever the read returns makes
	// no difference: a false dependency is one.
	p, err = dialect.Parse("test.litmus", `X86 deps
{ p=x; }
 P0 ;
 MOV EAX,[p] ;
 MOV EBX,[EAX] ;
 XOR EBX,EBX ;
 MOV [y],EBX ;
 CMP EBX,$0 ;
 JNE L ;
 MOV [z],$1 ;
L: ;
exists (z=1)`)
	if err != nil {
		t.Fatal(err)
	}
	i, _ := p.LocationAt(p.Locs[0].Init)
	x, err := replay.Replay(p, [][]uint64{{p.Locs[i].Address, 0}})
	if err != nil {
		t.Fatal(err)
	}
	n := len(p.Locs) // the thread's events are n, n+1 …
	want := fmt.Sprintf("addr %v data %v ctrl %v", []models.Pair{{n, n + 1}}, []models.Pair{{n + 1, n + 2}},
		[]models.Pair{{n + 1, n + 3}})
	if got := fmt.Sprintf("addr %v data %v ctrl %v", x.Addr, x.Data, x.Ctrl); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What a graph shows: names in program order, immediate po and co, fr, the fences'
// pairs, and which edges lie on a cycle.
func TestGraph(t *testing.T) {
	m, _ := models.Find("tso")
	x := modelstest.Execution(t, sf, [][]uint64{{0}, {1}}, map[int]int{4: 1, 7: 2}, []int{0, 1, 2, 5})
	g := display.Graph(x, m)
	var b strings.Builder
	for _, e := range g.Events {
		fmt.Fprintf(&b, "%s:%s%s%s ", e.Name, e.Kind, e.Loc, e.Value)
	}
	for _, r := range g.Relations {
		fmt.Fprintf(&b, "\n%s %v cyclic %v", r.Name, r.Edges, r.Cyclic)
	}
	want := `ix:Wx0 iy:Wy0 a:Wx1 b:F c:Ry0 d:Wy1 e:F f:Rx1 
po [[2 3] [3 4] [5 6] [6 7]] cyclic []
rf [[1 4] [2 7]] cyclic []
co [[0 2] [1 5]] cyclic []
fr [[4 5]] cyclic []
mfence [[2 4] [5 7]] cyclic []`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
