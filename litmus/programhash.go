package litmus

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// ProgramHash identifies what a test runs and observes: its architecture, its initial values, its threads, its filter,
// and the registers and locations that its condition and its locations name. Tests with one hash have the same
// outcomes, with the same names, on every machine. The name, the doc string, the header's other lines, comments,
// blanks, the order of initial values, and what the condition says of the observed values do not matter.
//
// Tests with different hashes may still mean the same: the hash compares texts, and knows no dialect.
func ProgramHash(t *Test) [sha256.Size]byte {
	h := sha256.New()
	part := func(kind string, texts ...string) {
		for _, text := range texts {
			fmt.Fprintf(h, "%s%d:%s", kind, len(text), text)
		}
	}
	part("arch", t.Arch)
	var init []string
	for _, i := range t.Init {
		init = append(init, squeezed(i.String()))
	}
	slices.Sort(init)
	part("init", init...)
	for _, th := range t.Threads {
		part("thread", fmt.Sprint(th.ID))
		if t.HasBodies() {
			part("parameters", squeezed(th.Signature()))
		}
		for _, c := range th.Cells {
			part("cell", squeezed(c.Text))
		}
	}
	for _, th := range t.Handlers {
		part("handler", fmt.Sprint(th.ID))
		for _, c := range th.Cells {
			part("cell", squeezed(c.Text))
		}
	}
	if len(t.Handlers) > 0 || t.SystemInfo() != "" {
		part("info", t.SystemInfo())
	}
	for _, s := range t.Trees {
		var b strings.Builder
		printScope(&b, s)
		part("scope", b.String())
	}
	for _, r := range t.Regions {
		part("region", r.Location.Text, r.Name.Text)
	}
	if t.Filter != nil {
		part("filter", PropString(Flat(t.Filter)))
	}
	part("observed", observed(t)...)
	var out [sha256.Size]byte
	h.Sum(out[:0])
	return out
}

// observed lists the registers and locations that a test's outcomes name, sorted, each once.
func observed(t *Test) []string {
	var names []string
	for _, o := range t.Locations {
		names = append(names, o.String())
	}
	if t.Condition.Prop != nil {
		MapAtoms(t.Condition.Prop, func(a Atom) Prop {
			places := []Place{a.Left}
			if a.Other != nil {
				places = append(places, *a.Other)
			}
			for _, o := range places {
				if o.Whole > 0 { // outcomes show the array as one
					o.Index = -1
				}
				names = append(names, o.String())
			}
			return a
		})
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// squeezed is a statement without the blanks that separate nothing. A blank between two words, or between two signs
// that would be one operator (a - -b), stays.
func squeezed(text string) string {
	const operators = "++ -- && || << >> <= >= == != += -= *= /= %= &= |= ^= -> // /* */ ::"
	var b strings.Builder
	for i, f := range fields(text) {
		if i > 0 {
			before := b.String()
			x, y := before[len(before)-1], f[0]
			word := func(c byte) bool { return isWordPart(c) || c == '$' || c == '%' || c >= 0x80 }
			if word(x) && word(y) || strings.Contains(operators, string([]byte{x, y})) {
				b.WriteByte(' ')
			}
		}
		b.WriteString(f)
	}
	return b.String()
}
