package arm

import (
	"fmt"

	"litmuscope/litmus/isa/armasm"
	"litmuscope/litmus/lower"
)

// cycles declares ARM's words for cycles of relaxations, and how to write their tests.
var cycles = &lower.Cycles{
	Deps: []lower.Word{
		{Name: "CtrlIsb", Text: "a branch on what was read, then ISB", Code: "ISB", Like: "branch and fence"},
	},
	Fences: armasm.Domains([]lower.Word{
		{
			Name: "DMB", Tag: "DMB.SY", Text: "DMB: orders all earlier accesses before all later ones, for every " +
				"thread",
			Code: "DMB", Like: "full",
		},
		{Name: "DMB.ST", Text: "DMB ST: orders earlier writes before later writes", Code: "DMB ST", Like: "writes"},
		{
			Name: "DSB", Tag: "DSB.SY", Text: "DSB: as DMB; it also waits until they are done", Code: "DSB",
			Like: "waits",
		},
		{
			Name: "DSB.ST", Text: "DSB ST: as DMB ST; it also waits until they are done", Code: "DSB ST",
			Like: "waits for writes",
		},
		{Name: "ISB", Text: "ISB: orders nothing unless it follows a branch on a " +
			"read", Code: "ISB", Like: "instructions"},
	}),
	Atomics:   []lower.Word{lower.WordOf("LDREX", "STREX")},
	Marks:     []lower.Mark{lower.PairOf("LDREX", "STREX")},
	Presets:   []lower.Preset{{Name: "with DMB", List: "Rfe Fre Wse Pod** DMBd**"}},
	Standard:  "Rfe Fre Wse Pod** DMBd** DMB.STdWW DpAddrd* DpDatadW DpCtrldW DpCtrlIsbdR",
	Finer:     "Pos** Rfi Fri Wsi LxSx [DpAddrd*,Pod*W] [DpAddrdW,Rfi] [DpDatadW,Rfi]",
	Assembler: assembler,
}

var assembler = &lower.Assembler{
	Registers: 13, Full: "DMB",
	Shown: lower.Counted("R", 0), Pointer: lower.Counted("R", 0),
	Set:  func(w *lower.Writer, r, value int) { w.Emit("MOV R%d,#%d", r, value) },
	Zero: func(w *lower.Writer, dst, src int) { w.Emit("EOR R%d,R%d,R%d", dst, src, src) },
	Add:  func(w *lower.Writer, r, value int) { w.Emit("ADD R%d,R%d,#%d", r, r, value) },
	Branch: func(w *lower.Writer, r int, label string) {
		w.Emit("CMP R%d,R%d", r, r)
		w.Emit("BNE %s", label)
	},
	Sum:   func(w *lower.Writer, dst, a, b int) { w.Emit("ADD R%d,R%d,R%d", dst, a, b) },
	Load:  func(w *lower.Writer, dst int, at lower.Place, _ string) { w.Emit("LDR R%d,%s", dst, addressed(at)) },
	Store: func(w *lower.Writer, src, _ int, at lower.Place, _ string) { w.Emit("STR R%d,%s", src, addressed(at)) },
	Pair: func(w *lower.Writer, dst, src int, at lower.Place, _, _ string) (status, ok int) {
		base := at.Base
		if at.Index >= 0 {
			base = w.NewRegister()
			w.Emit("ADD R%d,R%d,R%d", base, at.Base, at.Index)
		}
		status = w.NewRegister()
		w.Emit("LDREX R%d,[R%d]", dst, base)
		w.Emit("STREX R%d,R%d,[R%d]", status, src, base)
		return status, 0
	},
}

func addressed(at lower.Place) string {
	if at.Index >= 0 {
		return fmt.Sprintf("[R%d,R%d]", at.Index, at.Base)
	}
	return fmt.Sprintf("[R%d]", at.Base)
}
