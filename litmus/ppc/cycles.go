package ppc

import (
	"fmt"

	"litmuscope/litmus/lower"
)

// cycles are its words for cycles of relaxations, and how tests of them are written.
var cycles = &lower.Cycles{
	Deps: []lower.Word{{Name: "CtrlIsync", Text: "a branch on what was read, then isync", Code: "isync", Like: "branch and fence"}},
	Fences: []lower.Word{
		{Name: "Sync", Text: "sync: all before it, before all after it, in the eyes of every thread", Code: "sync", Like: "full"},
		{Name: "LwSync", Text: "lwsync: as sync, but for writes before reads", Code: "lwsync", Like: "light"},
		{Name: "Eieio", Text: "eieio: writes before it, before writes after it", Code: "eieio", Like: "writes"},
		{Name: "ISync", Text: "isync: orders nothing unless behind a branch on a read", Code: "isync", Like: "instructions"},
	},
	Atomics:   []lower.Word{lower.WordOf("lwarx", "stwcx.")},
	Marks:     []lower.Mark{lower.PairOf("lwarx", "stwcx.")},
	Presets:   []lower.Preset{{Name: "with sync and lwsync", List: "Rfe Fre Wse Pod** Syncd** LwSyncd**"}},
	Standard:  "Rfe Fre Wse Pod** Syncd** LwSyncd** DpAddrd* DpDatadW DpCtrldW DpCtrlIsyncdR [Rfi,DpAddrd*] [Rfi,DpDatadW]",
	Finer:     "Pos** Rfi Fri Wsi LxSx EieiodWW [DpAddrd*,Pod*W] [DpAddrdW,Rfi] [DpDatadW,Rfi]",
	Retries:   true,
	Assembler: assembler,
}

var assembler = &lower.Assembler{
	Registers: 31, Full: "Sync",
	Shown: lower.Counted("r", 1), Pointer: lower.Counted("r", 1),
	Set:  func(w *lower.Writer, r, value int) { w.Emit("li r%d,%d", r+1, value) },
	Zero: func(w *lower.Writer, dst, src int) { w.Emit("xor r%d,r%d,r%d", dst+1, src+1, src+1) },
	Add:  func(w *lower.Writer, r, value int) { w.Emit("addi r%d,r%d,%d", r+1, r+1, value) },
	Branch: func(w *lower.Writer, r int, label string) {
		w.Emit("cmpw r%d,r%d", r+1, r+1)
		w.Emit("beq  %s", label)
	},
	Sum: func(w *lower.Writer, dst, a, b int) { w.Emit("add r%d,r%d,r%d", dst+1, a+1, b+1) },
	Load: func(w *lower.Writer, dst int, at lower.Place, _ string) {
		if at.Index >= 0 {
			w.Emit("lwzx r%d,r%d,r%d", dst+1, at.Index+1, at.Base+1)
		} else {
			w.Emit("lwz r%d,0(r%d)", dst+1, at.Base+1)
		}
	},
	Store: func(w *lower.Writer, src, _ int, at lower.Place, _ string) {
		if at.Index >= 0 {
			w.Emit("stwx r%d,r%d,r%d", src+1, at.Index+1, at.Base+1)
		} else {
			w.Emit("stw r%d,0(r%d)", src+1, at.Base+1)
		}
	},
	Pair: func(w *lower.Writer, dst, src int, at lower.Place, _, _ string) (status, ok int) {
		address := fmt.Sprintf("r0,r%d", at.Base+1)
		if at.Index >= 0 {
			address = fmt.Sprintf("r%d,r%d", at.Index+1, at.Base+1)
		}
		w.Emit("lwarx r%d,%s", dst+1, address)
		w.Emit("stwcx. r%d,%s", src+1, address)
		w.Emit("bne  %s", w.End())
		return -1, 0
	},
}
