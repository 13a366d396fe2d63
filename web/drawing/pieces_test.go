package drawing

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
	"litmuscope/web/drawing/layout"
)

// torn is an execution in which a read takes its bytes from three writes.
func torn(t *testing.T) *models.Graph {
	t.Helper()
	const source = `AArch64 Torn
{ uint64_t x; 0:X1=x; 0:X2=0x0101010101010101; 1:X1=x; 1:X2=0x22222222; 2:X1=x; }
 P0          | P1             | P2          ;
 STR X2,[X1] | STR W2,[X1,#4] | LDR X3,[X1] ;
             | MOV W4,#3      |             ;
             | STRH W4,[X1]   |             ;
exists (2:X3=0x2222222201010003)
`
	list, err := drawingtest.Found(t.Context(), "torn", source, "sc", 20)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range list {
		if slices.ContainsFunc(g.Events, func(e models.GraphEvent) bool {
			return e.Kind == "R" && e.Access != nil && e.Access.Value == "2459565875938787331"
		}) {
			return g
		}
	}
	t.Fatal("no such execution")
	return nil
}

func TestAccessesOfPiecesAreOneBox(t *testing.T) {
	g := torn(t)
	r := Request{Request: layout.Request{Graph: g}}
	p, err := Draw(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]map[string][]string{
		"accesses": {
			p.SVG: {
				"W.q x=0x0101010101010101", ">rf [2..3]<", ">=0x2222222201010003<",
				"read of 8 bytes, x=0x2222222201010003, P2: LDR X3,[X1]", `data-event="8 9 10"`,
			},
		},
		"pieces": {p.Pieces: {"a2:</tspan> W.h x+2=0x0101", "R.w x+4=0x22222222", `class="execution-graph pieces`}},
	} {
		for svg, all := range want {
			checkXML(t, name, svg)
			for _, text := range all {
				if !strings.Contains(svg, text) {
					t.Errorf("%s: no %s in\n%s", name, text, svg)
				}
			}
		}
	}
	for format, want := range map[string]string{"dot": ">rf [2..3]<", "tikz": "{rf [2..3]}", "svg": ">rf [2..3]<"} {
		r.Format = format
		if p, err := Draw(r); err != nil || !strings.Contains(p.File, want) {
			t.Errorf("%s: no %s in\n%s%v", format, want, p.File, err)
		}
	}
	r.Format = "json"
	p, err = Draw(r)
	if err != nil {
		t.Fatal(err)
	}
	var j JSON
	if err := json.Unmarshal([]byte(p.File), &j); err != nil {
		t.Fatal(err)
	}
	if len(j.Events) != len(g.Events) {
		t.Errorf("%d events, want those of all pieces, %d", len(j.Events), len(g.Events))
	}
	boxes := 0
	for _, e := range j.Drawing.Events {
		if len(e.Pieces) == 3 {
			boxes++
		}
	}
	if boxes != 3 { // the initial write, the write and the read of all of x
		t.Errorf("%d boxes of three pieces, want 3: %s", boxes, p.File)
	}
	if !slices.ContainsFunc(j.Drawing.Edges, func(e JSONEdge) bool { return slices.Contains(e.Bytes, "[2..3]") }) {
		t.Errorf("no edge of bytes 2 to 3: %s", p.File)
	}
}

// Where accesses do not overlap in part there is nothing else to draw.
func TestNoPiecesWithoutMixedSizes(t *testing.T) {
	for _, s := range drawingtest.All() {
		p, err := Draw(Request{Request: layout.Request{Graph: s.Graph()}})
		if err != nil || p.Pieces != "" {
			t.Errorf("%s: %v, a drawing of pieces: %t", s.Name, err, p.Pieces != "")
		}
		if s.Graph().Whole() != nil {
			t.Errorf("%s is said to have accesses of pieces", s.Name)
		}
	}
}
