package graph

import (
	"fmt"
	"strings"
	"testing"

	"litmuscope/models"
)

// longTest is store buffering with much else done in between, so much that nobody sees it at once.
func longTest(writes int) string {
	var b strings.Builder
	b.WriteString("X86 long\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n")
	for i := range writes {
		fmt.Fprintf(&b, " MOV [a],$%d | MOV [b],$%[1]d ;\n", i+1)
	}
	b.WriteString(" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n")
	return b.String()
}

// allowed is an execution of a test in which its condition holds.
func allowed(t *testing.T, source, model string) *models.Graph {
	t.Helper()
	list := witnesses(t, "long", source, model, 12)
	for _, g := range list {
		if len(Layout(g).Cycle) > 0 {
			return g
		}
	}
	t.Fatalf("of %d executions none has a cycle", len(list))
	return nil
}

// A long execution is folded to what its cycle leads through, which fits into a page with words that can be
// read; what is beside the point is counted and named, and nothing is missing from what is saved.
func TestLongExecutionsAreFolded(t *testing.T) {
	g := allowed(t, longTest(30), "tso")
	p, err := Draw(Request{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	checkXML(t, "folded", p.Folded)
	if n := strings.Count(p.Folded, ">30 more</text>"); n != 2 {
		t.Errorf("%d runs of 30 events are folded, want one in each thread", n)
	}
	for _, told := range []string{"W x=1", "R y=0", "W y=1", "R x=0"} {
		if !strings.Contains(p.Folded, "</tspan> "+told+"</text>") {
			t.Errorf("the cycle’s %s is not drawn", told)
		}
	}
	if !strings.Contains(p.Folded, "30 more of P0: b: W a=1, c: W a=2, d: W a=3,") {
		t.Error("what is folded is not named")
	}
	d := Layout(g)
	if f := d.fold(Request{Graph: g}); textIn(f) < leastText || textIn(d) > leastText {
		t.Errorf("words are %.1f pixels high folded, %.1f not", textIn(f), textIn(d))
	}
	for _, format := range Formats {
		p, err := Draw(Request{Graph: g, Format: format.Name})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.File, "30 more") || !strings.Contains(p.File, "=29") {
			t.Errorf("saved as %s, events are missing", format.Title)
		}
	}
}

// What is seen whole is not folded.
func TestShortExecutionsAreNotFolded(t *testing.T) {
	for _, writes := range []int{0, 3} {
		p, err := Draw(Request{Graph: allowed(t, longTest(writes), "tso")})
		if err != nil {
			t.Fatal(err)
		}
		if p.Folded != "" {
			t.Errorf("with %d writes in between it is folded", writes)
		}
	}
}

// Whatever is folded, each event is drawn or among those of one run, each run is between its neighbours, and every
// edge of the story between what is drawn is there.
func TestFoldingLosesNothing(t *testing.T) {
	sources := map[string]*models.Graph{"long": allowed(t, longTest(30), "tso")}
	for _, s := range sketches() {
		sources[s.name] = s.graph()
	}
	for name, g := range sources {
		d := Layout(g)
		for _, kept := range []map[int]bool{{}, d.corners(Request{}), {d.Nodes[len(d.Nodes)-1].Event.ID: true}} {
			f := d.folded(Request{Graph: g}, kept)
			f.settle(Request{})
			found, at := map[int]int{}, map[int]float64{}
			for _, n := range f.Nodes {
				if n.Run == nil {
					found[n.Event.ID]++
				}
				for _, m := range n.Run {
					found[m.Event.ID]++
					if kept[m.Event.ID] || m.col != n.col {
						t.Errorf("%s: %s is folded into %s", name, m.Name, n.Title)
					}
				}
				if !n.Init() {
					if y, ok := at[n.col]; ok && n.Top() < y {
						t.Errorf("%s: %s lies on what is before it", name, n.Title)
					}
					at[n.col] = n.Bottom()
				}
			}
			for _, e := range g.Events {
				if found[e.ID] != 1 {
					t.Errorf("%s: %s is drawn %d times", name, e.Name, found[e.ID])
				}
			}
			for _, p := range d.Cycle {
				if kept[p[0]] && kept[p[1]] && !f.lit(&Edge{From: p[0], To: p[1]}) {
					t.Errorf("%s: the story’s %v is not made out", name, p)
				}
			}
		}
	}
}
