package drawing

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/models"
	"litmuscope/web/drawing/drawingtest"
	"litmuscope/web/drawing/layout"
)

// exhibit is a drawing of the gallery.
type exhibit struct {
	name string
	g    *models.Graph
}

// rooms of the gallery: the sketches, and 20 each of the classic tests, of the corpus, and of the catalogue's programs,
// taken from all of them at even distances.
var rooms = map[string]func(t *testing.T) []exhibit{
	"sketches": func(*testing.T) (out []exhibit) {
		for _, s := range drawingtest.All() {
			out = append(out, exhibit{s.Name, s.Graph()})
		}
		return out
	},
	"classics": func(t *testing.T) (out []exhibit) {
		all := slices.DeleteFunc(catalogue.All(), func(e catalogue.Entry) bool { return e.Large })
		for i := range 20 {
			e := all[i*len(all)/20]
			out = append(out, first(t, e.ID(), e.Source)...)
		}
		return out
	},
	"corpus": func(t *testing.T) (out []exhibit) {
		for _, path := range drawingtest.Corpus() {
			if len(out) == 20 {
				break
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, first(t, filepath.Base(path), string(source))...)
		}
		return out
	},
	"programs": func(t *testing.T) (out []exhibit) {
		var all []exhibit
		for _, p := range catalogue.Programs() {
			for _, b := range p.Builds {
				for _, k := range b.Known {
					g, err := drawingtest.Failure(t.Context(), p, b, k)
					if err != nil {
						t.Fatal(err)
					}
					if g != nil {
						all = append(all, exhibit{p.File() + " under " + k.Model, g})
					}
				}
			}
		}
		for i := range min(20, len(all)) {
			out = append(out, all[i*len(all)/20])
		}
		return out
	},
}

// first is the last execution of a test that is found: the most telling.
func first(t *testing.T, name, source string) []exhibit {
	t.Helper()
	list, err := drawingtest.Found(t.Context(), name, source, "", 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		return nil
	}
	return []exhibit{{name, list[len(list)-1]}}
}

var measures = regexp.MustCompile(`width="([\d.]+)" height="([\d.]+)" role="group"`)

// TestGallery writes pages of drawings, each as the pane of a small laptop shows it, for a person to look at; GALLERY
// says into which folder, GALLERY_ROOMS which (else all), GALLERY_MODE that it is to be dark.
func TestGallery(t *testing.T) {
	folder := os.Getenv("GALLERY")
	if folder == "" {
		t.Skip("GALLERY is not set")
	}
	for name, room := range rooms {
		if only := strings.Fields(os.Getenv("GALLERY_ROOMS")); len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "<!doctype html><meta charset=utf-8><style>:root{%s}body{margin:0;padding:6px;font:14px "+
			"sans-serif;display:flex;flex-wrap:wrap;gap:10px;"+
			"align-items:flex-start;background:#8884}figure{margin:0}"+
			".dark{background:#333;color:#eee;color-scheme:dark}</style>"+
			"<body class=%q>", layout.Variables(), os.Getenv("GALLERY_MODE"))
		for _, x := range room(t) {
			q := of(x.g, x.name)
			if r := x.g.Relations[len(x.g.Relations)-1]; r.Flag {
				q.Cycle = r.Edges
			}
			p, err := Draw(q)
			if err != nil {
				t.Fatal(err)
			}
			svg, words := p.SVG, x.name
			if p.Folded != "" {
				svg, words = p.Folded, words+", folded"
			}
			m := measures.FindStringSubmatch(svg)
			w, err1 := strconv.ParseFloat(m[1], 64)
			h, err2 := strconv.ParseFloat(m[2], 64)
			if err1 != nil || err2 != nil {
				t.Fatalf("%s: a drawing of %s by %s", x.name, m[1], m[2])
			}
			scale := max(layout.LeastScale, min(1, 640/w, 480/h))
			fmt.Fprintf(&b, "<figure><figcaption>%s: %.0f by %.0f</figcaption>%s</figure>", words, w*scale, h*scale,
				strings.Replace(svg, m[0], fmt.Sprintf(`width="%g" height="%g"`, w*scale, h*scale), 1))
		}
		if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
