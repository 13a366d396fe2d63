package ptx

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// scoped says how accesses and fences of PTX are made stronger or weaker: another order, another scope.
var scoped = &lower.Scoped{
	Ways: ways, Fences: fences,
	Includes: map[ir.Tag]ir.Tags{
		tagRLX: {tagWeak}, tagACQ: {tagRLX, tagWeak}, tagREL: {tagRLX, tagWeak}, tagSC: {tagAcqRel},
	},
	Scopes: []ir.Tag{"CTA", "GPU", "SYS"},
}

// scopeNames are the scopes of instructions, the narrowest first.
var scopeNames = []string{"cta", "gpu", "sys"}

// ordered are the instructions with an order, by their first part: their name in tables of costs, their orders, and how
// they are written without one.
var ordered = map[string]struct {
	kind        string
	orders      []string
	order, wide string
}{
	"ld":   {"load", []string{"weak", "relaxed", "acquire"}, "weak", ""},
	"st":   {"store", []string{"weak", "relaxed", "release"}, "weak", ""},
	"atom": {"update", []string{"relaxed", "acquire", "release", "acq_rel"}, "relaxed", "gpu"},
	"red":  {"update", []string{"relaxed", "release"}, "relaxed", "gpu"},
}

// ways returns the mnemonics that a load, a store or an update can have.
func ways(_ *litmus.Test, statement string) []lower.Alternative {
	mnemonic, operands := litmus.Cell{Text: statement}.Split()
	parts := strings.Split(strings.ToLower(mnemonic.Text), ".")
	of, ok := ordered[parts[0]]
	if !ok || parts[0] == "ld" && len(operands) == 2 && !names(operands[1].Text) {
		return nil
	}
	order, scope, rest := of.order, of.wide, parts[1:]
	switch {
	case len(rest) > 0 && rest[0] == "volatile":
		order, scope, rest = "relaxed", "sys", rest[1:]
	case len(rest) > 0 && rest[0] == "weak":
		order, scope, rest = "weak", "", rest[1:]
	case len(rest) > 1 && slices.Contains(of.orders, rest[0]):
		order, scope, rest = rest[0], rest[1], rest[2:]
	}
	way := func(o, s string) lower.Way {
		w := lower.Way{Text: strings.Join(append([]string{parts[0], o, s}, rest...), "."), Scope: s}
		if o != of.order {
			w.Name = of.kind + " " + o
		}
		if o == "weak" {
			w.Text, w.Scope = strings.Join(append([]string{parts[0], o}, rest...), "."), ""
		}
		if o == order && s == scope {
			w.Text = mnemonic.Text
		}
		return w
	}
	a := lower.Alternative{Length: len(mnemonic.Text)}
	for _, o := range of.orders {
		if o == "weak" {
			a.Ways = append(a.Ways, way(o, ""))
			continue
		}
		for _, s := range scopeNames {
			a.Ways = append(a.Ways, way(o, s))
		}
	}
	return []lower.Alternative{a}
}

// names reports whether an operand of ld is a location, and not a number.
func names(operand string) bool {
	return operand != "" && !strings.ContainsAny(operand[:1], "0123456789+-")
}

// fences returns the fences of each scope, and those of proxies if the test has several names of a location.
func fences(t *litmus.Test) [][]lower.Way {
	var all []lower.Way
	for _, o := range []string{"fence.acq_rel", "fence.sc"} {
		for _, s := range scopeNames {
			all = append(all, lower.Way{Text: o + "." + s, Name: o, Scope: s})
		}
	}
	out := [][]lower.Way{all}
	proxies := map[string]bool{}
	for _, item := range t.Init {
		switch item.Proxy {
		case "":
		case litmus.DefaultProxy:
			proxies["alias"] = true
		default:
			proxies[item.Proxy] = true
		}
	}
	for _, proxy := range lower.Names(proxies) {
		text := "fence.proxy." + proxy
		out = append(out, []lower.Way{{Text: text, Name: text}})
	}
	return out
}
