package layout

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
)

func TestTagsInWords(t *testing.T) {
	for _, c := range []struct{ kind, tags, want string }{
		{"R", "", ""},
		{"R", "A ACQUIRE RCSC", "acquire"},
		{"R", "Q ACQUIRE", "acquire, RCpc"},
		{"W", "L RELEASE RCSC", "release"},
		{"R", "X", "exclusive"},
		{"W", "X LOCKED", "exclusive"},
		{"R", "AMO CAS LOCKED A", "atomic compare-and-swap (acquire)"},
		{"R", "AMO LOCKED", "atomic update"},
		{"R", "AMO A L", "atomic update (acquire-release)"},
		{"W", "FULL LOCKED", "locked"},
		{"W", "StCond Rel RELEASE RCSC LOCKED", "store-conditional (release)"},
		{"R", "LR AcqRel", "load-reserved (acquire-release)"},
		{"F", "MFENCE FRR FWR", "MFENCE"},
		{"F", "DMB.ISHLD FRR FRW", "DMB ISHLD"},
		{"F", "Fence.rw.w FRW", "fence rw,w"},
		{"F", "Fence.tso", "fence.tso"},
		{"F", "PICK", "choice"},
	} {
		e := models.GraphEvent{Kind: c.kind}
		for tag := range strings.FieldsSeq(c.tags) {
			e.Tags = append(e.Tags, ir.Tag(tag))
		}
		got := inWords(e)
		if c.kind == "F" {
			got = fenceName(e)
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.kind, c.tags, got, c.want)
		}
	}
}

// Every tag of every dialect has words, or is one that says nothing by itself, or is the name of a
// fence.
func TestEveryTagHasWords(t *testing.T) {
	said := map[string]bool{"NoRet": true, "RCSC": true, "FULL": true, "LOCKED": true, "PICK": true}
	for _, list := range [][]wording{updates, orders} {
		for _, w := range list {
			for _, tag := range w.tags {
				said[tag] = true
			}
		}
	}
	fences := map[string]bool{}
	for _, e := range catalogue.All() {
		p, err := dialect.Parse(e.ID(), e.Source)
		if err != nil {
			t.Fatal(err)
		}
		if p.Arch == "C" || p.Scopes != nil || p.Annotated != nil {
			continue // whose events are named by models/display
		}
		if p.System {
			continue // the tags of implicit events say what they are of, not how they are ordered
		}
		for _, th := range p.Threads {
			for _, s := range th.Code {
				switch op := s.Op.(type) {
				case ir.Fence:
					fences[string(op.Tags[0])] = true
				case ir.Load:
					for _, tag := range op.Tags {
						if !said[string(tag)] && !tag.Orders() {
							t.Errorf("%s: no words for %s", e.ID(), tag)
						}
					}
				case ir.Store:
					for _, tag := range op.Tags {
						if !said[string(tag)] && !tag.Orders() {
							t.Errorf("%s: no words for %s", e.ID(), tag)
						}
					}
				}
			}
		}
	}
	if len(fences) == 0 {
		t.Error("no classic test has a fence")
	}
	for name := range fences {
		if words := fenceName(models.GraphEvent{Kind: "F", Tags: ir.Tags{ir.Tag(name)}}); strings.Contains(words,
			".") && words != "fence.tso" && words != "fence.i" {
			t.Errorf("the fence %s is called %q", name, words)
		}
	}
}

// Lines can be told from the paper, and words can be read on it, in both themes.
func TestContrast(t *testing.T) {
	colours := map[string][2]string{}
	for _, i := range Inks {
		colours["--graph-"+i.Name] = [2]string{i.Light, i.Dark}
	}
	for _, list := range [][]tone{tones, spares} {
		for _, x := range list {
			colours["--rel-"+x.name] = [2]string{x.light, x.dark}
		}
	}
	least := map[string]float64{"--graph-line": 3, "--graph-hot": 3}
	for name, c := range colours {
		if name == "--graph-paper" || name == "--graph-node" {
			continue
		}
		want := least[name]
		if want == 0 {
			want = 4.5 // names of relations are written in their colour
		}
		for i, on := range []string{"--graph-paper", "--graph-node"} {
			for theme := range 2 {
				if got := contrast(c[theme], colours[on][theme]); got < want &&
					(i == 0 || strings.HasPrefix(name, "--graph")) {
					t.Errorf("%s %s on %s: %.2f, want %.1f", name, c[theme], on, got, want)
				}
			}
		}
	}
}

// Every relation has a dash or a colour of its own, in a drawing of usual size
// both.
func TestTonesDiffer(t *testing.T) {
	colours, dashes := map[string]bool{}, map[string]bool{}
	for _, list := range [][]tone{tones, spares} {
		for _, x := range list {
			if colours[x.light] || colours[x.dark] || dashes[x.dash] {
				t.Errorf("%s looks like another relation", x.name)
			}
			colours[x.light], colours[x.dark], dashes[x.dash] = true, true, true
		}
	}
}

// contrast is the ratio that WCAG defines.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(colour string) float64 {
	sum := 0.
	for i, weight := range []float64{.2126, .7152, .0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		c := float64(n) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// No text of a drawing is smaller than 11 pixels at the scale that it is shown in to begin with.
func TestTextCanBeRead(t *testing.T) {
	for _, size := range []float64{EventSize, TagSize, LabelSize} {
		if size*LeastScale < 11 {
			t.Errorf("text of %g px is shown at %g", size, size*LeastScale)
		}
	}
	if seenWidth != math.Floor(paneWidth/LeastScale) || seenHeight != math.Floor(paneHeight/LeastScale) {
		t.Errorf("%g by %g pixels of a drawing are not what is seen of it", seenWidth, seenHeight)
	}
}
