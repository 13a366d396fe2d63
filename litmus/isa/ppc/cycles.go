package ppc

import (
	"fmt"

	"litmuscope/litmus/lower"
)

// cycles declares Power's words for cycles of relaxations, and how to write their tests.
var cycles = &lower.Cycles{
	Deps: []lower.Word{
		{Name: "CtrlIsync", Text: "a branch on what was read, then isync", Code: "isync", Like: "branch and fence"},
	},
	Fences: []lower.Word{
		{
			Name: "Sync", Text: "sync: orders all earlier accesses before all later ones, for every " +
				"thread", Code: "sync",
			Like: "full",
		},
		{Name: "LwSync", Text: "lwsync: as sync, except earlier writes and later reads", Code: "lwsync", Like: "light"},
		{Name: "Eieio", Text: "eieio: orders earlier writes before later writes", Code: "eieio", Like: "writes"},
		{
			Name: "ISync", Text: "isync: orders nothing unless it follows a branch on a read", Code: "isync",
			Like: "instructions",
		},
	},
	Atomics: []lower.Word{lower.WordOf("lwarx", "stwcx.")},
	Marks:   []lower.Mark{lower.PairOf("lwarx", "stwcx.")},
	Presets: []lower.Preset{{Name: "with sync and lwsync", List: "Rfe Fre Wse Pod** Syncd** LwSyncd**"}},
	Standard: "Rfe Fre Wse Pod** Syncd** LwSyncd** DpAddrd* DpDatadW DpCtrldW DpCtrlIsyncdR [Rfi,DpAddrd*] " +
		"[Rfi,DpDatadW]",
	Finer:     "Pos** Rfi Fri Wsi LxSx EieiodWW [DpAddrd*,Pod*W] [DpAddrdW,Rfi] [DpDatadW,Rfi]",
	Retries:   true,
	Sized:     true,
	BigEndian: true,
	Assembler: assembler,
}

var assembler = &lower.Assembler{
	Registers: 31, Full: "Sync", Largest: 1<<15 - 1,
	Shown: lower.Counted("r", 1), Pointer: lower.Counted("r", 1),
	Set:   func(w *lower.Writer, r, value int) { w.Emit("li r%d,%d", r+1, value) },
	Zero:  func(w *lower.Writer, dst, src int) { w.Emit("xor r%d,r%d,r%d", dst+1, src+1, src+1) },
	Add:   func(w *lower.Writer, r, value int) { w.Emit("addi r%d,r%d,%d", r+1, r+1, value) },
	AddTo: func(w *lower.Writer, r, other int) { w.Emit("add r%d,r%d,r%d", r+1, r+1, other+1) },
	Branch: func(w *lower.Writer, r int, label string) {
		w.Emit("cmpw r%d,r%d", r+1, r+1)
		w.Emit("beq  %s", label)
	},
	Sum: func(w *lower.Writer, dst, a, b int) { w.Emit("add r%d,r%d,r%d", dst+1, a+1, b+1) },
	Load: func(w *lower.Writer, dst int, at lower.Place, _ string) {
		access(w, "l", map[int]string{1: "bz", 2: "hz", 4: "wz", 8: "d"}[at.Size()], dst, at)
	},
	Store: func(w *lower.Writer, src, _ int, at lower.Place, _ string) {
		access(w, "st", at.Letter(), src, at)
	},
	Pair: func(w *lower.Writer, dst, src int, at lower.Place, _, _ string) (status, ok int) {
		base := at.Base
		if at.At > 0 {
			base = w.NewRegister()
			w.Emit("addi r%d,r%d,%d", base+1, at.Base+1, at.At)
		}
		address := fmt.Sprintf("r0,r%d", base+1)
		if at.Index >= 0 {
			address = fmt.Sprintf("r%d,r%d", at.Index+1, base+1)
		}
		w.Emit("l%sarx r%d,%s", at.Letter(), dst+1, address)
		w.Emit("st%scx. r%d,%s", at.Letter(), src+1, address)
		w.Emit("bne  %s", w.End())
		return -1, 0
	},
}

// access writes a load or a store.
func access(w *lower.Writer, code, width string, r int, at lower.Place) {
	base := at.Base
	switch {
	case at.Index >= 0 && at.At == 0:
		w.Emit("%s%sx r%d,r%d,r%d", code, width, r+1, at.Index+1, base+1)
		return
	case at.Index >= 0:
		base = w.NewRegister()
		w.Emit("add r%d,r%d,r%d", base+1, at.Index+1, at.Base+1)
	}
	w.Emit("%s%s r%d,%d(r%d)", code, width, r+1, at.At, base+1)
}
