package aarch64

import (
	"slices"
	"sync"

	"litmuscope/litmus/lower"
)

// alternatives are loads, stores and atomic instructions with their acquire and release forms.
var alternatives = sync.OnceValue(func() func(string) []lower.Alternative {
	var all [][]lower.Way
	// Words and doublewords, bytes, halfwords; only the first where the registers give the width.
	add := func(sizes []string, forms ...lower.Way) {
		for _, size := range sizes {
			f := slices.Clone(forms)
			for i := range f {
				f[i].Text += size
			}
			all = append(all, f)
		}
	}
	any, whole := []string{"", "B", "H"}, []string{""}
	way := func(text string) lower.Way { return lower.Way{Text: text, Name: text} }
	plain := func(text string) lower.Way { return lower.Way{Text: text} }
	add(any, plain("LDR"), way("LDAPR"), way("LDAR"))
	add(any, plain("STR"), way("STLR"))
	add(any, plain("LDUR"), way("LDAPUR"))
	add(any, plain("STUR"), way("STLUR"))
	add(any, plain("LDXR"), way("LDAXR"))
	add(any, plain("STXR"), way("STLXR"))
	add(whole, plain("LDXP"), way("LDAXP"))
	add(whole, plain("STXP"), way("STLXP"))
	atomics := []string{"SWP", "CAS", "CASP"}
	for _, op := range []string{"ADD", "CLR", "EOR", "SET", "SMAX", "SMIN", "UMAX", "UMIN"} {
		atomics = append(atomics, "LD"+op)
	}
	for _, op := range atomics {
		sizes := any
		if op == "CASP" {
			sizes = whole
		}
		add(sizes, plain(op), lower.Way{Text: op + "A", Name: "atomic A"}, lower.Way{Text: op + "L", Name: "atomic L"},
			lower.Way{Text: op + "AL", Name: "atomic AL"})
	}
	return lower.AlternativeMnemonics(all)
})
