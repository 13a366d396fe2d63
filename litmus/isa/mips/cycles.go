package mips

import (
	"litmuscope/litmus/lower"
)

// cycles declares MIPS's words for cycles of relaxations, and how to write their tests.
var cycles = &lower.Cycles{
	Fences: []lower.Word{
		{Name: "Sync", Text: "sync: orders all earlier accesses before all later ones", Code: "sync", Like: "full"},
	},
	Atomics:   []lower.Word{lower.WordOf("ll", "sc")},
	Marks:     []lower.Mark{lower.PairOf("ll", "sc")},
	Presets:   []lower.Preset{{Name: "with sync", List: "Rfe Fre Wse Pod** Syncd**"}},
	Standard:  "Rfe Fre Wse Pod** Syncd**",
	Finer:     "Pos** Rfi Fri Wsi LxSx",
	Assembler: assembler,
}

var assembler = &lower.Assembler{
	Registers: 24, Full: "Sync",
	Shown: lower.Counted("$", 2), Pointer: lower.Counted("$", 2),
	Set:    func(w *lower.Writer, r, value int) { w.Emit("ori $%d,$0,%d", r+2, value) },
	Zero:   func(w *lower.Writer, dst, src int) { w.Emit("xor $%d,$%d,$%d", dst+2, src+2, src+2) },
	Add:    func(w *lower.Writer, r, value int) { w.Emit("ori $%d,$%d,%d", r+2, r+2, value) },
	Branch: func(w *lower.Writer, r int, label string) { w.Emit("bne $%d,$0,%s", r+2, label) },
	Sum:    func(w *lower.Writer, dst, a, b int) { w.Emit("addu $%d,$%d,$%d", dst+2, a+2, b+2) },
	Load: func(w *lower.Writer, dst int, at lower.Place, _ string) {
		w.Emit("lw $%d,0($%d)", dst+2, wholeAddress(w, at)+2)
	},
	Store: func(w *lower.Writer, src, _ int, at lower.Place, _ string) {
		w.Emit("sw $%d,0($%d)", src+2, wholeAddress(w, at)+2)
	},
	Pair: func(w *lower.Writer, dst, src int, at lower.Place, _, _ string) (status, ok int) {
		base := wholeAddress(w, at)
		status = w.NewRegister()
		w.Emit("ll $%d,0($%d)", dst+2, base+2)
		w.Emit("move $%d,$%d", status+2, src+2)
		w.Emit("sc $%d,0($%d)", status+2, base+2)
		return status, 1
	},
}

func wholeAddress(w *lower.Writer, at lower.Place) int {
	if at.Index < 0 {
		return at.Base
	}
	sum := w.NewRegister()
	w.Emit("addu $%d,$%d,$%d", sum+2, at.Index+2, at.Base+2)
	return sum
}
