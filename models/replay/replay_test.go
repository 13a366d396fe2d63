package replay_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/replay"
)

// Threads run as far as they get, a joined one before the thread that waits for it continues.
func TestRunsOfPrefixes(t *testing.T) {
	for _, c := range []struct {
		text  string
		run   replay.Run
		want  string // how the threads stop, by the kinds below
		steps []int
	}{
		{"spawn 1; join 1; a=x || x=1", replay.Run{Reads: [][]uint64{{1}, nil}}, "end end", []int{3, 1}},
		{
			"spawn 1; join 1; a=x || assume 0=1; x=1",
			replay.Run{Reads: make([][]uint64, 2)},
			"join blocked",
			[]int{1, 0},
		},
		{
			"spawn 1; join 1; a=x || b=y; assert b=0",
			replay.Run{Reads: [][]uint64{nil, {1}}},
			"join failed",
			[]int{1, 1},
		},
		{"a=x; if a=0 E; spawn 1; E: || x=1", replay.Run{Reads: [][]uint64{{0}, nil}}, "end unspawned", []int{4, -1}},
		{
			"spawn 1; x=1; y=1 || x=2; x=3",
			replay.Run{Reads: make([][]uint64, 2), Until: []int{2, 0}},
			"store store",
			[]int{2, 0},
		},
		{
			"a=t; assert a=7; unwound",
			replay.Run{Reads: [][]uint64{{7}}, Init: []uint64{7, 0, 0, 0, 0, 0, 0}},
			"unwound",
			[]int{2},
		},
	} {
		x, err := c.run.Replay(irtest.Parse(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		names := map[ir.ActionKind]string{
			ir.ActEnd: "end", ir.ActJoin: "join", ir.ActBlocked: "blocked", ir.ActFailed: "failed",
			ir.ActUnspawned: "unspawned", ir.ActStore: "store", ir.ActUnwound: "unwound",
		}
		var got []string
		for _, s := range x.Stops {
			got = append(got, names[s.Kind])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: threads stop as %v, want %s", c.text, got, c.want)
		}
		if c.run.Init != nil && x.Events[0].Value != 7 {
			t.Errorf("%s: t begins with %d", c.text, x.Events[0].Value)
		}
	}
	if _, err := replay.Replay(irtest.Parse("spawn 1; join 1 || assume 0=1"), make([][]uint64, 2)); err == nil ||
		!strings.Contains(err.Error(), "does not hold") && !strings.Contains(err.Error(), "waits") {
		t.Errorf("a run that does not end is replayed as if it did: %v", err)
	}
}

// Program order leads through spawns and joins, and so does the picture; a thread without events is no gap.
func TestProgramOrderAcrossThreads(t *testing.T) {
	p := irtest.Parse("x=1; spawn 1; y=1; join 1; z=1 || x=2")
	x, err := replay.Run{Reads: make([][]uint64, 2)}.Replay(p)
	if err != nil {
		t.Fatal(err)
	}
	event := func(thread, step int) int {
		return slices.IndexFunc(x.Events, func(e models.Event) bool { return e.Thread == thread && e.Step == step })
	}
	for l := range p.Locs {
		x.CO[l] = []int{l}
	}
	x.CO[p.Threads[0].Code[0].Op.(ir.Store).At[0]] = append(x.CO[4][:1:1], event(0, 0), event(1, 0))
	m, err := models.Parse("m.cat", "empty po & (W * W) \\ int as across", dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	bad := evaluation.Check(m, x)
	if len(bad) != 1 {
		t.Fatalf("no program order across threads: %v", bad)
	}
	for _, none := range []string{"acyclic po as order", "irreflexive po as order"} {
		m, err := models.Parse("m.cat", none, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		if bad := evaluation.Check(m, x); len(bad) > 0 {
			t.Errorf("%s: %v", none, bad)
		}
	}
	sc, _ := models.Find("sc")
	edges := map[string][]models.Pair{}
	for _, r := range display.Graph(x, sc).Relations {
		edges[r.Name] = r.Edges
	}
	if want := []models.Pair{{event(0, 1), event(1, 0)}}; !slices.Equal(edges["spawn"], want) {
		t.Errorf("spawn: %v, want %v", edges["spawn"], want)
	}
	if want := []models.Pair{{event(1, 0), event(0, 3)}}; !slices.Equal(edges["join"], want) {
		t.Errorf("join: %v, want %v", edges["join"], want)
	}
	empty, err := replay.Run{Reads: make([][]uint64, 2)}.Replay(irtest.Parse("spawn 1; join 1 || a=1"))
	if err != nil {
		t.Fatal(err)
	}
	if len(empty.Joins) != 1 || empty.Joins[0][0] >= empty.Joins[0][1] {
		t.Errorf("joins of a thread without events: %v", empty.Joins)
	}
}

// An execution in which somebody sees the middle of a section is none.
func TestAtomicSectionsAreJudged(t *testing.T) {
	p := irtest.Parse("spawn 1; a=x; b=y || atomic; x=1; y=1; end")
	sc, _ := models.Find("sc")
	for _, c := range []struct {
		x, y uint64
		ok   bool
	}{{0, 0, true}, {0, 1, true}, {1, 1, true}, {1, 0, false}} {
		x, err := replay.Run{Reads: [][]uint64{{c.x, c.y}, nil}}.Replay(p)
		if err != nil {
			t.Fatal(err)
		}
		last := map[int]int{}
		for l := range p.Locs {
			x.CO[l] = []int{l}
		}
		for _, e := range x.Events {
			if e.Kind == models.Write && e.Thread != models.InitThread {
				x.CO[e.Loc] = append(x.CO[e.Loc], e.ID)
				last[e.Loc] = e.ID
			}
		}
		for _, e := range x.Events {
			if e.Kind == models.Read {
				x.RF[e.ID] = e.Loc
				if e.Value == 1 {
					x.RF[e.ID] = last[e.Loc]
				}
			}
		}
		// Without the section, SC forbids none of these but x=1, y=0 with both reads after.
		if bad := evaluation.Check(sc, x); (len(bad) == 0) != c.ok {
			t.Errorf("x=%d y=%d: %v", c.x, c.y, bad)
		}
	}
}
