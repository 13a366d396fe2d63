package riscv

import (
	"sync"

	"litmuscope/litmus/lower"
)

// alternatives returns the acquire and release forms of loads, stores and atomic instructions.
var alternatives = sync.OnceValue(func() func(string) []lower.Alternative {
	var all [][]lower.Way
	for _, bits := range []string{"w", "d"} {
		all = append(all, []lower.Way{{Text: "l" + bits}, {Text: "l" + bits + ".aq", Name: "load .aq"}},
			[]lower.Way{{Text: "s" + bits}, {Text: "s" + bits + ".rl", Name: "store .rl"}})
		all = append(all, ordered("lr."+bits, "atomic"), ordered("sc."+bits, "atomic"))
	}
	for _, op := range []string{"swap", "add", "and", "or", "xor", "min", "max", "minu", "maxu", "cas"} {
		for _, bits := range []string{"w", "d", "b", "h"} {
			all = append(all, ordered("amo"+op+"."+bits, "atomic"))
		}
	}
	return lower.AlternativeMnemonics(all)
})

func ordered(mnemonic, name string) (out []lower.Way) {
	out = append(out, lower.Way{Text: mnemonic})
	for _, order := range []string{".aq", ".rl", ".aq.rl"} {
		out = append(out, lower.Way{Text: mnemonic + order, Name: name + " " + order})
	}
	return out
}
