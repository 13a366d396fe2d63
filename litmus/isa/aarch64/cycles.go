package aarch64

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus/isa/armasm"
	"litmuscope/litmus/lower"
)

// cycles declares AArch64's words for cycles of relaxations, and how to write their tests.
var cycles = &lower.Cycles{
	Deps: []lower.Word{
		{Name: "CtrlIsb", Text: "a branch on what was read, then ISB", Code: "ISB", Like: "branch and fence"},
	},
	Fences: slices.Concat(armasm.Domains([]lower.Word{
		{Name: "DMB.SY", Text: "DMB SY: orders all earlier accesses before all later ones", Code: "DMB " +
			"SY", Like: "full"},
		{Name: "DMB.LD", Text: "DMB LD: orders earlier reads before all later accesses", Code: "DMB LD", Like: "reads"},
		{Name: "DMB.ST", Text: "DMB ST: orders earlier writes before later writes", Code: "DMB ST", Like: "writes"},
		{Name: "DSB.SY", Text: "DSB SY: as DMB SY, and waits until they are done", Code: "DSB SY", Like: "waits"},
		{Name: "DSB.LD", Text: "DSB LD: as DMB LD; it also waits until they are done", Code: "DSB LD"},
		{
			Name: "DSB.ST", Text: "DSB ST: orders earlier writes before all later accesses", Code: "DSB ST",
			Like: "waits for writes",
		},
		{Name: "ISB", Text: "ISB: orders nothing unless it follows a branch on a " +
			"read", Code: "ISB", Like: "instructions"},
	}), sequences),
	Atomics: []lower.Word{
		{Name: "Amo.Swp", Text: "SWP: the read and the write of an atomic exchange", Code: "SWP", Like: "exchange"},
		{Name: "Amo.Cas", Text: "CAS: the read and the write of a compare-and-swap that succeeds", Code: "CAS"},
		{
			Name: "Amo.LdAdd", Text: "LDADD: the read and the write of an atomic addition", Code: "LDADD",
			Makes: lower.Adds, Like: "addition",
		},
		{Name: "Amo.LdSet", Text: "LDSET: the read and the write of an atomic or", Code: "LDSET", Makes: lower.Sets},
		{
			Name: "Amo.LdEor", Text: "LDEOR: the read and the write of an atomic exclusive or", Code: "LDEOR",
			Makes: lower.Flips,
		},
		{
			Name: "Amo.LdSmax", Text: "LDSMAX: the read and the write of an atomic maximum", Code: "LDSMAX",
			Makes: lower.Greater,
		},
		{
			Name: "Amo.LdUmax", Text: "LDUMAX: the read and the write of an atomic maximum, unsigned", Code: "LDUMAX",
			Makes: lower.Greater,
		},
		{
			Name: "Amo.LdClr", Text: "LDCLR: the read and the write of an atomic and with the complement",
			Code:  "LDCLR",
			Makes: lower.Takes,
		},
		{
			Name: "Amo.LdSmin", Text: "LDSMIN: the read and the write of an atomic minimum", Code: "LDSMIN",
			Makes: lower.Keeps,
		},
		{
			Name: "Amo.LdUmin", Text: "LDUMIN: the read and the write of an atomic minimum, unsigned", Code: "LDUMIN",
			Makes: lower.Keeps,
		},
		{
			Name: "Amo.StAdd", Text: "STADD: an atomic addition that returns nothing: its read cannot be observed",
			Code: "STADD", Makes: lower.Adds, Unseen: true,
		},
		{
			Name: "Amo.StSet", Text: "STSET: an atomic or that returns nothing", Code: "STSET", Makes: lower.Sets,
			Unseen: true,
		},
		{
			Name: "Amo.StEor", Text: "STEOR: an atomic exclusive or that returns nothing", Code: "STEOR",
			Makes: lower.Flips, Unseen: true,
		},
		{
			Name: "Amo.StClr", Text: "STCLR: an atomic and with the complement that returns nothing", Code: "STCLR",
			Makes: lower.Takes, Unseen: true,
		},
		{
			Name: "Amo.StSmin", Text: "STSMIN: an atomic minimum that returns nothing", Code: "STSMIN",
			Makes: lower.Keeps, Unseen: true,
		},
		{
			Name: "Amo.StUmin", Text: "STUMIN: an atomic minimum, unsigned,that returns nothing", Code: "STUMIN",
			Makes: lower.Keeps, Unseen: true,
		},
		{
			Name: "Amo.StSmax", Text: "STSMAX: an atomic maximum that returns nothing", Code: "STSMAX",
			Makes: lower.Greater, Unseen: true,
		},
		{
			Name: "Amo.StUmax", Text: "STUMAX: an atomic maximum, unsigned,that returns nothing", Code: "STUMAX",
			Makes: lower.Greater, Unseen: true,
		},
		lower.WordOf("LDXR", "STXR"),
	},
	Marks: slices.Concat([]lower.Mark{
		{Mark: "A", Reads: true, Text: "acquire, LDAR: comes before all later accesses", Like: "acquire"},
		{
			Mark: "Q", Reads: true, Alone: true,
			Text: "weak acquire, LDAPR: comes before all later accesses, but need not come after an earlier release",
		},
		{Mark: "L", Writes: true, Text: "release, STLR: comes after all earlier accesses", Like: "release"},
		lower.PairOf("LDXR", "STXR"),
	}, systemMarks),
	Presets: []lower.Preset{
		{Name: "with DMB", List: "Rfe Fre Wse Pod** DMB.SYd**"},
		{Name: "release and acquire", List: "Rfe Fre Wse Pod** Pod*WPL PodR*AP PodWRLA"},
		{
			Name: "page tables", List: "RfePteV1P FrePPteV1 Fre Rfe PodWWPteV1P TLBI-sync.ISHdWWPteV1P PodRR " +
				"DSB.ISH-ISBdRR DpAddrdR",
		},
	},
	Sized: true,
	Standard: "Rfe Fre Wse Pod** DMB.SYd** DMB.LDdR* DMB.STdWW DpAddrd* DpDatadW DpCtrldW DpCtrlIsbdR PodR*AP " +
		"Pod*WPL PodWRLA PodRWAL",
	Finer: "Pos** Rfi RfiPA RfiPQ Fri Wsi Amo.Swp Amo.Cas Amo.StAdd LxSx PodR*QP PodWRLQ [DpAddrd*,Pod*W] " +
		"[DpAddrdW,Rfi] [DpDatadW,Rfi]",
	Assembler: assembler, System: systemCycles,
}

var assembler = &lower.Assembler{
	Registers: 31, Full: "DMB.SY", Largest: 1<<12 - 1,
	Shown: lower.Counted("X", 0), Pointer: lower.Counted("X", 0),
	Set:    func(w *lower.Writer, r, value int) { w.Emit("MOV W%d,#%d", r, value) },
	Zero:   func(w *lower.Writer, dst, src int) { w.Emit("EOR W%d,W%d,W%d", dst, src, src) },
	Add:    func(w *lower.Writer, r, value int) { w.Emit("ADD W%d,W%d,#%d", r, r, value) },
	AddTo:  func(w *lower.Writer, r, other int) { w.Emit("ADD X%d,X%d,X%d", r, r, other) },
	Branch: func(w *lower.Writer, r int, label string) { w.Emit("CBNZ W%d,%s", r, label) },
	Sum:    func(w *lower.Writer, dst, a, b int) { w.Emit("ADD W%d,W%d,W%d", dst, a, b) },
	Offset: func(w *lower.Writer, dst, a, b int) { w.Emit("ADD X%d,X%d,W%d,SXTW", dst, a, b) },
	Load: func(w *lower.Writer, dst int, at lower.Place, mark string) {
		if at.Memory == lower.OfTag {
			w.Emit("MOV X%d,X%d", dst, at.Base)
			w.Emit("LDG X%d,%s", dst, operand(w, at, false))
			return
		}
		code := map[string]string{"": "LDR", "A": "LDAR", "Q": "LDAPR"}[mark] + suffix(at)
		w.Emit("%s %s,%s", code, named(dst, at), operand(w, at, mark == ""))
	},
	Store: func(w *lower.Writer, src, _ int, at lower.Place, mark string) {
		if at.Memory == lower.OfTag {
			w.Emit("STG X%d,%s", src, operand(w, at, false))
			return
		}
		code := map[string]string{"": "STR", "L": "STLR"}[mark] + suffix(at)
		w.Emit("%s %s,%s", code, named(src, at), operand(w, at, mark == ""))
	},
	Pair: func(w *lower.Writer, dst, src int, at lower.Place, load, store string) (status, ok int) {
		base := operand(w, at, false)
		status = w.NewRegister()
		w.Emit("LD%sXR%s %s,%s", strings.Trim(load, lower.Exclusive), suffix(at), named(dst, at), base)
		w.Emit("ST%sXR%s W%d,%s,%s", strings.Trim(store, lower.Exclusive), suffix(at), status, named(src, at), base)
		return status, 0
	},
	Atomic: func(w *lower.Writer, at lower.Place, a lower.Atomic) {
		base := operand(w, at, false)
		code := a.Code + a.Load + a.Store + suffix(at)
		switch {
		case a.Unseen:
			w.Emit("%s %s,%s", code, named(w.Constant(a.Step), at), base)
			return
		case a.Code == "CAS":
			w.Read = w.Constant(a.Read)
			w.Emit("%s %s,%s,%s", code, named(w.Read, at), named(w.Constant(a.Write), at), base)
		default:
			w.Read = w.NewRegister()
			w.Emit("%s %s,%s,%s", code, named(w.Constant(a.Step), at), named(w.Read, at), base)
		}
		w.AskAt(at, w.Read, a.Read)
	},
}

// suffix and named are how an instruction says how much it accesses.
func suffix(at lower.Place) string { return map[int]string{1: "B", 2: "H"}[at.Size()] }

func named(r int, at lower.Place) string {
	if at.Size() == 8 || at.Memory == lower.OfEntry {
		return fmt.Sprintf("X%d", r)
	}
	return fmt.Sprintf("W%d", r)
}

// operand writes an address; parts tells an instruction that takes an index or an offset.
func operand(w *lower.Writer, at lower.Place, parts bool) string {
	base := at.Base
	switch {
	case parts && at.Index >= 0 && at.At == 0:
		return fmt.Sprintf("[X%d,W%d,SXTW]", base, at.Index)
	case at.Index >= 0:
		base = w.NewRegister()
		w.Emit("ADD X%d,X%d,W%d,SXTW", base, at.Base, at.Index)
	}
	switch {
	case at.At > 0 && parts:
		return fmt.Sprintf("[X%d,#%d]", base, at.At)
	case at.At > 0:
		sum := w.NewRegister()
		w.Emit("ADD X%d,X%d,#%d", sum, base, at.At)
		base = sum
	}
	return fmt.Sprintf("[X%d]", base)
}
