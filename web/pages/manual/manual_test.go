package manual

import (
	"strings"
	"testing"
	"testing/fstest"
)

// files is a small manual.
var files = fstest.MapFS{
	"index.md": {Data: []byte("# Everything\n\nWhat there is.\n\n| page | what |\n|---|---|\n" +
		"| [Fences](fences.md) | x |\n| [Times](results/times.md) | y |\n")},
	"fences.md": {Data: []byte("# Fences\n\nA fence orders accesses. See " +
		"[times](results/times.md#on-two-cores), [itself](#why), [power](../../models/library/power.cat) and\n" +
		"[the list](../../litmus/isa/x86/testdata/instructions.txt#place).\n\n## Why\n\n" +
		"<b>bold</b> `mfence` and ![steps](steps.png)\n\n```\nMFENCE drains\n```\n")},
	"results/times.md": {
		Data: []byte(
			"# Times\n\nMeasured.\n\n## On two cores\n\nA *fence* takes 1 < 2 ms; back to [fences](../fences.md).\n"),
	},
}

// Links to pages become addresses, links to source files become paths, and HTML is left out.
func TestRead(t *testing.T) {
	all, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	html := all["fences"].HTML
	for _, want := range []string{
		`<a href="/docs/results/times#on-two-cores">times</a>`, `<a href="#why">itself</a>`,
		`<a href="/models/power.cat">power</a>`,
		"the list (<code>litmus/isa/x86/testdata/instructions.txt</code>)", `<h2 id="why">Why</h2>`, "/steps.",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in %s", want, html)
		}
	}
	if strings.Contains(html, "<b>") || strings.Contains(html, "<h1") {
		t.Errorf("HTML of the file's own, or its title, in %s", html)
	}
	if got := all["results/times"].HTML; !strings.Contains(got, `<a href="/docs/fences">fences</a>`) {
		t.Errorf("no link back in %s", got)
	}
	if index, fences := all[""], all["fences"]; index.After != fences || fences.After != all["results/times"] ||
		fences.After.Before != fences || fences.After.After != nil {
		t.Error("the pages are not in the index's order")
	}
}

func TestSearch(t *testing.T) {
	all, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, want string }{
		{"fence", "/docs/fences /docs/fences#why /docs/results/times#on-two-cores"},
		{"FENCE takes", "/docs/results/times#on-two-cores"},
		{"drains mfence", "/docs/fences#why"},
		{"why", "/docs/fences#why"},
		{"cores", "/docs/results/times#on-two-cores"},
		{"nothing", ""},
		{"  ", ""},
		{
			strings.Repeat("e ", 10_000),
			"/docs/fences /docs/results/times /docs/results/times#on-two-cores /docs/fences#why",
		},
	} {
		var got []string
		for _, f := range search(all[""], c.query) {
			got = append(got, f.Path())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%.20q: got %q, want %q", c.query, got, c.want)
		}
	}
}

// The built-in manual can be read, and its index lists every page.
func TestManual(t *testing.T) {
	reached := map[*Page]bool{}
	for p := pages()[""]; p != nil; p = p.After {
		reached[p] = true
	}
	for name, p := range pages() {
		if !reached[p] {
			t.Errorf("%s is not listed in the index", name)
		}
		if len(p.HTML) < 500 || p.Title == "" {
			t.Errorf("%s: %q has %d bytes", name, p.Title, len(p.HTML))
		}
	}
}

func FuzzSearch(f *testing.F) {
	all, err := Read(files)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("fence")
	f.Add("İ ſ K")
	f.Fuzz(func(t *testing.T, query string) {
		for _, found := range search(all[""], query) {
			if strings.ToValidUTF8(found.Around, "") != found.Around {
				t.Errorf("%q: %q", query, found.Around)
			}
		}
	})
}
