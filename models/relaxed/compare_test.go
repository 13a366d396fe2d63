package relaxed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/display"
	"litmuscope/models/evaluation"
	"litmuscope/models/replay"
)

// graphOf is the execution of a classic test in which its threads read the values, and coherence is in the order of
// the threads.
func graphOf(t *testing.T, id string, reads [][]uint64) *models.Graph {
	t.Helper()
	e, ok := catalogue.Find(id)
	if !ok {
		t.Fatalf("no test %s", id)
	}
	p, err := dialect.Parse(id, e.Source)
	if err != nil {
		t.Fatal(err)
	}
	x, err := replay.Replay(p, reads)
	if err != nil {
		t.Fatal(err)
	}
	settle(t, x)
	return display.Graph(x, mustFind(t, "sc"))
}

// marks are the marks of one side: "a-b given up".
func marks(g *models.Graph, s Side) string {
	var out []string
	for _, m := range s.Marks {
		out = append(out, g.Events[m.Pair[0]].Name+"-"+g.Events[m.Pair[1]].Name+" "+m.Word)
	}
	return strings.Join(out, ", ")
}

// Two models on one execution: the steps that one keeps and the other gives up, and the sentence.
func TestCompare(t *testing.T) {
	own := func(text string) *models.Model {
		m, err := models.Parse("own", text, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	zero, mp := [][]uint64{{0}, {0}}, [][]uint64{{}, {1, 0}}
	iriw := [][]uint64{{}, {1, 0}, {}, {1, 0}}
	for _, c := range []struct {
		id     string
		reads  [][]uint64
		models [2]*models.Model
		labels [2]string
		want   [3]string // the marks of both sides, and the sentence
	}{
		{
			"SB", zero,
			[2]*models.Model{mustFind(t, "sc"), mustFind(t, "tso")},
			[2]string{"SC", "TSO"},
			[3]string{
				"a-b kept, c-d kept", "a-b given up, c-d given up",
				"TSO gives up the order from Wx to Ry on P0 and from Wy to Rx on P1, which SC keeps; so the cycle is " +
					"no cycle in TSO.",
			},
		},
		{
			"AArch64/MP", mp,
			[2]*models.Model{mustFind(t, "tso"), mustFind(t, "aarch64")},
			[2]string{"TSO", "AArch64"},
			[3]string{
				"a-b kept, c-d kept", "a-b given up, c-d given up",
				"AArch64 gives up the order from Wx to Wy on P0 and from Ry to Rx on P1, which TSO keeps; so the " +
					"cycle is no cycle in AArch64.",
			},
		},
		{
			"AArch64/LB",
			[][]uint64{{1}, {1}},
			[2]*models.Model{mustFind(t, "tso"), mustFind(t, "aarch64")},
			[2]string{"TSO", "AArch64"},
			[3]string{
				"a-b kept, c-d kept", "a-b given up, c-d given up",
				"AArch64 gives up the order from Rx to Wy on P0 and from Ry to Wx on P1, which TSO keeps; so the " +
					"cycle is no cycle in AArch64.",
			},
		},
		{
			"PPC/IRIW+addrs", iriw,
			[2]*models.Model{mustFind(t, "power"), mustFind(t, "aarch64")},
			[2]string{"Power", "AArch64"},
			[3]string{
				"c-d given up, f-a given up", "c-d kept, f-a kept",
				"Power gives up the order from Ry on P1 to Wy on P2 and from Rx on P3 to Wx on P0, which AArch64 " +
					"keeps; so the cycle is no cycle in Power.",
			},
		},
		{
			"PPC/IRIW", iriw,
			[2]*models.Model{mustFind(t, "power"), mustFind(t, "aarch64")},
			[2]string{"Power", "AArch64"},
			[3]string{"", "", "Both models allow this execution and give up the order from Rx to Ry on P1 and from " +
				"Ry to Rx on P3: nothing in it differs."},
		},
		{
			"X86/R",
			[][]uint64{{}, {0}},
			[2]*models.Model{mustFind(t, "tso"), mustFind(t, "sc")},
			[2]string{"TSO", "SC"},
			[3]string{
				"c-d given up", "c-d kept",
				"TSO gives up the order from Wy to Rx on P1, which SC keeps; so the cycle is no cycle in TSO.",
			},
		},
		{
			"AArch64/MP", mp,
			[2]*models.Model{mustFind(t, "sc"), mustFind(t, "tso")},
			[2]string{"SC", "TSO"},
			[3]string{"", "", "Both models forbid this execution by the same cycle: nothing in it differs."},
		},
		{
			"SB",
			[][]uint64{{1}, {1}},
			[2]*models.Model{mustFind(t, "sc"), mustFind(t, "tso")},
			[2]string{"SC", "TSO"},
			[3]string{"", "", "Both models allow this execution. SC would allow it too, so neither model gives up " +
				"any order: nothing in it differs."},
		},
		{
			"SB", zero,
			[2]*models.Model{mustFind(t, "tso"), mustFind(t, "pso")},
			[2]string{"TSO", "PSO"},
			[3]string{"", "", "Both models allow this execution and give up the order from Wx to Ry on P0 and from " +
				"Wy to Rx on P1: nothing in it differs."},
		},
		{
			"AArch64/MP", mp,
			[2]*models.Model{
				own("acyclic po & (W * W) | rf | fr | co as order"),
				own("acyclic po & (R * R) | rf | fr | co as order"),
			},
			[2]string{"ONE", "TWO"},
			[3]string{
				"a-b kept, c-d given up", "a-b given up, c-d kept",
				"Both models allow this execution. ONE gives up the order from Ry to Rx on P1, which TWO keeps. TWO " +
					"gives up the order from Wx to Wy on P0, which ONE keeps.",
			},
		},
		{
			"SB", zero,
			[2]*models.Model{mustFind(t, "sc"), own("empty rf & (W * R) as none")},
			[2]string{"SC", "NONE"},
			[3]string{"", "", "Both models forbid this execution, SC by its axiom consensus and NONE by none."},
		},
	} {
		g := graphOf(t, c.id, c.reads)
		r, err := Compare(c.models, c.labels, g)
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]string{marks(g, r.Sides[0]), marks(g, r.Sides[1]), r.Sentence}; got != c.want {
			t.Errorf("%s, %v:\n%q\nwant\n%q", c.id, c.labels, got, c.want)
		}
	}
}

// Of any two models on any execution: a step is marked kept only where the model keeps it in some order of its own, and
// given up only where no single order of the model has the whole cycle.
func TestCompareAnyModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGraph(t)
		x, err := executionOf(g)
		if err != nil {
			t.Fatal(err)
		}
		names := models.Names()
		a, b := rapid.SampledFrom(names).Draw(t, "first"), rapid.SampledFrom(names).Draw(t, "second")
		ma, _ := models.Find(a)
		mb, _ := models.Find(b)
		two := [2]*models.Model{ma, mb}
		r, err := Compare(two, [2]string{a, b}, g)
		if err != nil {
			t.Fatal(err)
		}
		say := func() string { return fmt.Sprintf("%s, %s: %+v", a, b, r) }
		for i, m := range two {
			s := r.Sides[i]
			if s.Allowed != (len(evaluation.Check(m, x)) == 0) {
				t.Fatalf("the verdict is wrong: %s", say())
			}
			orders := ordersOf(m, x, evaluation.NewEvaluator(x))
			for _, mark := range s.Marks {
				kept := slices.ContainsFunc(
					orders,
					func(o order) bool { return o.kept.Has(mark.Pair[0], mark.Pair[1]) },
				)
				if mark.Word != GivenUp && !kept {
					t.Fatalf("%v is not kept: %s", mark, say())
				}
				if mark.Word == OnlyHere && s.Allowed || mark.Word == GivenUp && !s.Allowed {
					t.Fatalf("%v does not fit the verdict: %s", mark, say())
				}
			}
			if a == b && len(s.Marks) > 0 {
				t.Fatalf("a model differs from itself: %s", say())
			}
		}
		if r.Sentence == "" {
			t.Fatalf("no sentence: %s", say())
		}
	})
}
