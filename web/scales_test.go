package web_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"litmuscope/web/drawing/layout"
)

// scales are what style sheets may choose from, as tokens.css has it.
type scales struct {
	names  map[string]bool // of custom properties that are declared somewhere
	widths []string        // at which pages change
}

var (
	comments    = regexp.MustCompile(`(?s)/\*.*?\*/`)
	declaration = regexp.MustCompile(`[{;]\s*(--)?([a-z0-9-]+):\s*([^;{}]+)`)
	declared    = regexp.MustCompile(`(--[a-z0-9-]+):`)
	scripted    = regexp.MustCompile(`setProperty\(.(--[a-z-]+)`) // with a number behind it, perhaps
	taken       = regexp.MustCompile(`var\((--[a-z0-9-]+)\)`)
	query       = regexp.MustCompile(`@(?:media|container)[^{]*|matchMedia\("[^"]*"|inner(?:Width|Height) [<>]=? \d+`)
	length      = regexp.MustCompile(`\d+(?:px|r?em)?\b`)
	ownSize     = regexp.MustCompile(
		`(?:^|[\s(,])[\d.]+(?:px|pt|r?em|vh|vw|vmin|ch|ex|%)|\b(?:x+-)?(?:small|large)|\bmedium\b|\b(?:smaller|larger)\b`)
	ownColour = regexp.MustCompile(
		`#[0-9a-fA-F]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|light-dark)\(|\b(?:white|black|red|green|blue|gr[ae]y|silver|yellow|orange|purple|pink|brown)\b`)
	ofColour = regexp.MustCompile(`color|background|border|outline|fill|stroke|shadow|decoration`)
	corner   = regexp.MustCompile(`^(?:(?:0|inherit|50%|var\(--(?:round(?:-s|-l)?|pill)\))\s*)+$`)
)

// check says what of a style sheet, or of what a script asks the window, is of no scale.
func (s scales) check(text string) (faults []string) {
	text = comments.ReplaceAllString(text, "")
	for _, m := range declaration.FindAllStringSubmatch(text, -1) {
		own, name, value := m[1] != "", m[2], strings.TrimSpace(m[3])
		switch {
		case (name == "font" || name == "font-size") && !own && ownSize.MatchString(value):
			faults = append(faults, fmt.Sprintf("%s: %s: want a size of text of the scale", name, value))
		case strings.HasSuffix(name, "radius") && !corner.MatchString(value):
			faults = append(faults, fmt.Sprintf("%s: %s: want a corner of the scale", name, value))
		case (own || ofColour.MatchString(name)) && ownColour.MatchString(value):
			faults = append(faults, fmt.Sprintf("%s: %s: want a colour of the palette", name, value))
		}
	}
	for _, m := range taken.FindAllStringSubmatch(text, -1) {
		if !s.names[m[1]] && !s.names[strings.TrimRight(m[1], "0123456789")] {
			faults = append(faults, m[1]+" is declared nowhere")
		}
	}
	for _, q := range query.FindAllString(text, -1) {
		for _, l := range length.FindAllString(q, -1) {
			if !slices.Contains(s.widths, strings.TrimSuffix(l, "px")) {
				faults = append(faults, fmt.Sprintf("%s: want one of the widths %v", strings.TrimSpace(q), s.widths))
			}
		}
	}
	return faults
}

// sources reads the style sheets and scripts that the bundles are made of, and the scales in them.
func sources(t *testing.T) (texts map[string]string, of scales, tokens string) {
	texts = map[string]string{}
	for _, pattern := range []string{"*.css", "css/*.css", "*.js"} {
		files, err := filepath.Glob("../static/src/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			texts[f] = string(b)
		}
	}
	const home = "../static/src/css/tokens.css"
	tokens = texts[home]
	delete(texts, home)
	head, _, _ := strings.Cut(tokens, "*/")
	for _, w := range regexp.MustCompile(`(\d+)px`).FindAllStringSubmatch(head, -1) {
		of.widths = append(of.widths, w[1])
	}
	of.names = map[string]bool{}
	all := tokens + layout.Variables() + strings.Join(slices.Collect(maps.Values(texts)), "")
	for _, m := range slices.Concat(declared.FindAllStringSubmatch(all, -1), scripted.FindAllStringSubmatch(all, -1)) {
		of.names[m[1]] = true
	}
	return texts, of, tokens
}

// Sizes of text, corners, colours and widths at which pages change are those of tokens.css.
func TestStyleSheetsKeepToTheScales(t *testing.T) {
	texts, of, tokens := sources(t)
	for name, text := range texts {
		for _, fault := range of.check(text) {
			t.Errorf("%s: %s", strings.TrimPrefix(name, "../"), fault)
		}
	}
	for what, most := range map[string]int{`--text[a-z0-9-]*:`: 10, `--(?:round[a-z-]*|pill):`: 4} {
		if n := len(regexp.MustCompile(what).FindAllString(tokens, -1)); n == 0 || n > most {
			t.Errorf("tokens.css has %d of %s, want 1 to %d", n, what, most)
		}
	}
	if n := len(of.widths); n == 0 || n > 5 {
		t.Errorf("tokens.css has the widths %v, want 1 to 5", of.widths)
	}
	all := tokens + strings.Join(slices.Collect(maps.Values(texts)), "")
	for _, m := range declared.FindAllStringSubmatch(tokens, -1) {
		if !strings.Contains(all, "var("+m[1]+")") && !strings.Contains(all, `"`+m[1]+`"`) {
			t.Errorf("%s is used nowhere", m[1])
		}
	}
}

// What keeps to no scale is found.
func TestWhatIsOfNoScaleIsFound(t *testing.T) {
	_, of, _ := sources(t)
	for _, good := range []string{
		`p { font-size: var(--text-s); border-radius: 0 var(--round) var(--pill) 50%; color: currentColor; }`,
		`p { font: 600 var(--text-m)/1.4rem var(--mono); background: color-mix(in srgb, var(--accent) 7%, transparent); }`,
		`@media (width >= 900px) and (height < 480px) { p { font-size: max(var(--least-screen), var(--text-xs)); } }`,
		`#fff { --top: 10px; grid-area: red; white-space: pre; }`,
	} {
		if faults := of.check(good); faults != nil {
			t.Errorf("%s: %q", good, faults)
		}
	}
	for _, bad := range []string{
		`p { font-size: 13px; }`, `p { font-size: 0.9em; }`, `p { font-size: larger; }`,
		`p { font: 12.5px/1.4 var(--mono); }`,
		`p { font-size: max(2.4vh, var(--text-xs)); }`, `p { font-size: var(--text-tiny); }`,
		`p { border-radius: 5px; }`, `p { border-top-left-radius: 1rem; }`,
		`p { color: #123; }`, `p { --t0: light-dark(#2f63c9, #7ea6ff); }`,
		`p { box-shadow: 0 0 3px rgb(0 0 0 / 20%); }`, `p { fill: white; }`,
		`@media (width < 720px) { p { margin: 0; } }`, `@container run (min-width: 34rem) { p { margin: 0; } }`,
		`if (matchMedia("(max-width: 820px)").matches) return;`, `if (innerWidth < 1020) return;`,
	} {
		if of.check(bad) == nil {
			t.Errorf("%s: nothing is found", bad)
		}
	}
}
