package drawing

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/web/graph"
	"litmuscope/web/sketch"
)

// TestGallery writes a page with all drawings, light and dark, for a person to
// look at: GALLERY=file.html go test -run Gallery.
func TestGallery(t *testing.T) {
	file := os.Getenv("GALLERY")
	if file == "" {
		t.Skip("GALLERY is not set")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><meta charset=utf-8><style>body{margin:0;font:14px sans-serif}section{padding:12px;display:flex;flex-wrap:wrap;gap:16px}"+
		"figure{margin:0}section{%s}.dark{background:#16181d;color:#eee;color-scheme:dark}</style>", graph.Variables())
	for _, mode := range []string{"light", "dark"} {
		if only := os.Getenv("GALLERY_MODE"); only != "" && only != mode {
			continue
		}
		fmt.Fprintf(&b, "<section class=%s>", mode)
		for _, s := range sketch.All() {
			if only := os.Getenv("GALLERY_ONLY"); only != "" && !strings.Contains(","+only+",", ","+s.Name+",") {
				continue
			}
			g := s.Graph()
			q := of(g, s.Name)
			if r := g.Relations[len(g.Relations)-1]; r.Flag {
				q.Cycle = r.Edges
			}
			p, err := Draw(q)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "<figure><figcaption>%s</figcaption>%s</figure>", s.Name, p.SVG)
		}
		b.WriteString("</section>")
	}
	if err := os.WriteFile(filepath.Clean(file), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
