package synth

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/models"
	"litmuscope/solver"
)

// The table of fences: the cheapest repairs of every classic test that its own model allows, the name of the repaired
// test, and the publication that says of that test that the model forbids it. A tenth of it is enough where tests are
// to be short.
func TestClassics(t *testing.T) {
	path := filepath.Join("testdata", "classics.txt")
	want, err := os.ReadFile(path)
	if err != nil && !dialecttest.Updating() {
		t.Fatal(err)
	}
	wanted := map[string]string{}
	for block := range strings.SplitSeq(string(want), "\n\n") {
		id, _, _ := strings.Cut(block, " ")
		wanted[id] = strings.TrimSpace(block)
	}
	var all strings.Builder
	all.WriteString(
		`# The cheapest repairs of the classic tests under their own models (costs.txt), all that cost least: what is put where; behind =,
# the name of the test that it makes by the field's convention, and the publication that says that this one is forbidden, where
# one does. Tests that need no repair are left out. go test ./solver/synth -run Classics -short=false -update writes it.

`)
	published := 0
	for i, e := range catalogue.All() {
		if testing.Short() && i%10 != 0 {
			continue
		}
		block := told(t, e)
		if block == "" {
			continue
		}
		published += strings.Count(block, "“")
		all.WriteString(block + "\n\n")
		if w := wanted[e.ID()]; w != strings.TrimSpace(block) && !dialecttest.Updating() {
			t.Errorf("got\n%s\nwant\n%s", block, w)
		}
	}
	if dialecttest.Updating() && !testing.Short() {
		if err := os.WriteFile(path, []byte(strings.TrimSuffix(all.String(), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if published == 0 {
		t.Error("no repair is one that has been published")
	}
}

// mostTold bounds the repairs of a test in the table.
const mostTold = 6

// told is the block of a test in the table; "" for one that needs no repair.
func told(t *testing.T, e catalogue.Entry) string {
	options := solver.DefaultOptions()
	options.Timeout = 0
	r, err := Answer(t.Context(), Question{Path: e.ID(), Source: e.Source, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	if r.Already {
		return ""
	}
	if len(r.Repairs) == 0 {
		return fmt.Sprintf("%s %s: %s", e.ID(), r.Model, r.Summary(false))
	}
	if !r.Minimal {
		t.Errorf("%s: %s", e.ID(), r.Reason)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: cost %d", e.ID(), r.Model, r.Repairs[0].Cost)
	if r.More {
		b.WriteString(", and more")
	}
	for i, a := range r.Repairs {
		if i == mostTold {
			fmt.Fprintf(&b, "\n  … %d more", len(r.Repairs)-i)
			break
		}
		var parts []string
		for _, c := range a.Changes {
			parts = append(parts, fmt.Sprintf("P%d:%d %s", c.Thread, c.Line, c.Words()))
		}
		b.WriteString("\n  " + strings.Join(parts, "; "))
		name, source := literature(t, e, r.Model, a.Source)
		if name != "" {
			b.WriteString(" = " + name)
		}
		if source != "" {
			b.WriteString(": " + source)
		}
	}
	return b.String()
}

// literature is the name of a repaired test, and the publication that says it is forbidden.
func literature(t *testing.T, e catalogue.Entry, model, source string) (name, by string) {
	test, err := litmus.Parse(e.ID(), source)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cycle.Of(test)
	if err != nil {
		return "", ""
	}
	if name = c.Name(); name == e.Name { // of two things that stand beside one another, its cycle names the old one
		return "", ""
	}
	for _, known := range catalogue.All() {
		if known.Arch == e.Arch && known.Name == name {
			v, ok := known.Under(model)
			if !ok || v.Allowed() {
				t.Errorf("%s is repaired as %s, which %s allows", e.ID(), name, models.Label(model))
			}
			return name, v.Source
		}
	}
	return name, ""
}
