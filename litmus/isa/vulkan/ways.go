package vulkan

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// scoped says how accesses and fences of Vulkan's tests are made stronger or weaker: not private, available or visible,
// atomic, ordered, each at a scope.
var scoped = &lower.Scoped{Ways: ways, Fences: fences, Scopes: []ir.Tag{"SG", "WG", "QF", "DV"}}

// scopeNames are the scopes of instructions, the narrowest first.
var scopeNames = []string{"sg", "wg", "qf", "dv"}

// strengths are what an access may be, by the first part of its mnemonic: its parts, and its name in tables of costs.
// Those with a dot have a scope in place of it, and those with an order the semantics of storage classes behind.
var strengths = map[string][][2]string{
	"ld": {
		{"", ""},
		{"nonpriv", "load nonpriv"},
		{"vis .", "load visible"},
		{"atom .", "load atomic"},
		{"atom acq .", "load acquire"},
		{"atom acq . semvis", "load acquire visible"},
	},
	"st": {
		{"", ""},
		{"nonpriv", "store nonpriv"},
		{"av .", "store available"},
		{"atom .", "store atomic"},
		{"atom rel .", "store release"},
		{"atom rel . semav", "store release available"},
	},
	"rmw": {
		{"atom .", ""},
		{"atom acq .", "update acquire"},
		{"atom acq . semvis", "update acquire visible"},
		{"atom rel .", "update release"},
		{"atom rel . semav", "update release available"},
		{"atom acq_rel .", "update acq_rel"},
		{"atom acq_rel . semav semvis", "update acq_rel visible"},
	},
	"membar": {
		{"acq .", "membar.acq"},
		{"acq . semvis", "membar.acq.semvis"},
		{"rel .", "membar.rel"},
		{"rel . semav", "membar.rel.semav"},
		{"acq_rel .", "membar.acq_rel"},
		{"acq_rel . semav semvis", "membar.acq_rel.semav.semvis"},
	},
}

// ways returns the mnemonics that a load, a store or an update can have. One that gets an order has the semantics of
// all storage classes of the test.
func ways(t *litmus.Test, statement string) []lower.Alternative {
	mnemonic, _ := litmus.Cell{Text: statement}.Split()
	parts := strings.Split(strings.ToLower(mnemonic.Text), ".")
	all, class, operation := strengths[parts[0]], "", ""
	if all == nil || parts[0] == "membar" {
		return nil
	}
	for _, part := range parts[1:] {
		if classTags[part] != "" {
			class = part
		} else if !isStrength(part) {
			operation = part
		}
	}
	a := lower.Alternative{Length: len(mnemonic.Text)}
	for _, w := range written(parts[0], class, classes(t), operation) {
		if equal(parts, strings.Split(w.Text, ".")) {
			w.Text = mnemonic.Text
		}
		a.Ways = append(a.Ways, w)
	}
	if !slices.ContainsFunc(a.Ways, func(w lower.Way) bool { return w.Text == mnemonic.Text }) {
		a.Ways = append(a.Ways, asItIs(parts, mnemonic.Text, a.Ways))
	}
	return []lower.Alternative{a}
}

// isStrength reports whether a part of a mnemonic says an order, a scope or semantics.
func isStrength(part string) bool {
	return part == "atom" || part == "nonpriv" || part == "av" || part == "vis" || part == "semav" ||
		part == "semvis" || slices.Contains(orders, part) || scopeTags[part] != "" || semanticTag[part] != ""
}

// written returns the mnemonics with all strengths and scopes.
func written(first, class string, classes []string, operation string) (out []lower.Way) {
	for _, s := range strengths[first] {
		for _, scope := range scopeNames {
			parts, ordered, scoped := []string{first}, strings.Contains(s[0], "acq") || strings.Contains(s[0], "rel"),
				false
			var behind []string
			for _, part := range strings.Fields(s[0]) {
				switch {
				case part == ".":
					parts, scoped = append(parts, scope), true
				case strings.HasPrefix(part, "sem"):
					behind = append(behind, part)
				default:
					parts = append(parts, part)
				}
			}
			if class != "" {
				parts = append(parts, class)
			}
			if ordered {
				for _, c := range classes {
					parts = append(parts, "sem"+c)
				}
			}
			parts = append(parts, behind...)
			if operation != "" {
				parts = append(parts, operation)
			}
			w := lower.Way{Text: strings.Join(parts, "."), Name: s[1], Scope: scope}
			if !scoped {
				w.Scope = ""
			}
			out = append(out, w)
			if !scoped {
				break
			}
		}
	}
	return out
}

// asItIs returns the way of an access that is written otherwise than all others: it costs as much as the dearest way
// whose parts it has.
func asItIs(parts []string, mnemonic string, all []lower.Way) lower.Way {
	out := lower.Way{Text: mnemonic}
	for _, w := range all {
		if !slices.ContainsFunc(strings.Split(w.Text, "."), func(part string) bool {
			return semanticTag[part] == "" && !slices.Contains(parts, part)
		}) {
			out.Name, out.Scope = w.Name, w.Scope
		}
	}
	return out
}

// equal reports whether two mnemonics have the same parts, in any order.
func equal(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// classes are the storage classes of the test's accesses; sc0 if there are none.
func classes(t *litmus.Test) []string {
	all := map[string]bool{}
	for _, th := range t.Threads {
		for _, cell := range th.Cells {
			_, rest := cell.Labels()
			mnemonic, _ := rest.Split()
			for _, part := range strings.Split(strings.ToLower(mnemonic.Text), ".") {
				if classTags[part] != "" {
					all[part] = true
				}
			}
		}
	}
	if len(all) == 0 {
		return []string{"sc0"}
	}
	return lower.Names(all)
}

// fences returns the memory barriers, with the semantics of all storage classes of the test, and what makes memory
// available and visible to the device if threads synchronise outside of the test.
func fences(t *litmus.Test) [][]lower.Way {
	out := [][]lower.Way{written("membar", "", classes(t), "")}
	if len(t.Meetings) > 0 {
		for _, f := range []string{"avdevice", "visdevice"} {
			out = append(out, []lower.Way{{Text: f, Name: f}})
		}
	}
	return out
}
