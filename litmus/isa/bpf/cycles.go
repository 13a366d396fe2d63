package bpf

import (
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// cycles declares BPF's words for cycles of relaxations, and how to write their tests.
var cycles = &lower.Cycles{
	Anywhere: true,
	Atomics: []lower.Word{
		{
			Name: "Amo.Cas",
			Text: "cmpxchg: the read and the write of a compare-and-exchange that succeeds, a full fence on both sides",
			Code: "cmpxchg",
		},
		{
			Name: "Amo.Swp", Text: "xchg: the read and the write of an exchange, a full fence on both sides",
			Code: "xchg",
			Like: "exchange",
		},
		{
			Name: "Amo.Add",
			Text: "atomic_fetch_add: the read and the write of an addition, a full fence on both sides",
			Code: "atomic_fetch_add", Makes: lower.Adds, Like: "addition",
		},
		{
			Name: "Amo.Or", Text: "atomic_fetch_or: the read and the write of an or, a full fence on both sides",
			Code: "atomic_fetch_or", Makes: lower.Sets,
		},
		{
			Name: "Amo.Xor",
			Text: "atomic_fetch_xor: the read and the write of an exclusive or, a full fence on both sides",
			Code: "atomic_fetch_xor", Makes: lower.Flips,
		},
		{
			Name: "Amo.And", Text: "atomic_fetch_and: the read and the write of an and, a full fence on both sides",
			Code: "atomic_fetch_and", Makes: lower.Keeps,
		},
		{
			Name: "Lock.Add", Text: "lock +=: an atomic addition that returns nothing and orders nothing",
			Code:  "+=",
			Makes: lower.Adds, Unseen: true,
		},
		{
			Name: "Lock.Xor", Text: "lock ^=: an atomic exclusive or that returns nothing and orders nothing",
			Code: "^=", Makes: lower.Flips, Unseen: true,
		},
		{
			Name: "Lock.And", Text: "lock &=: an atomic and that returns nothing and orders nothing", Code: "&=",
			Makes: lower.Keeps, Unseen: true,
		},
	},
	Exchange: "Amo.Swp",
	Marks: []lower.Mark{
		{
			Mark: "A", Reads: true, Text: "load_acquire: comes before all later accesses", Tags: ir.Tags{tagAcq},
			Like: "acquire",
		},
		{
			Mark: "L", Writes: true, Text: "store_release: comes after all earlier accesses", Tags: ir.Tags{tagRel},
			Like: "release",
		},
	},
	Standard: "Rfe Fre Wse Pod** DpAddrd* DpDatadW DpCtrldW PodR*AP Pod*WPL PodRWAL Amo.Add",
	Finer:    "Pos** Rfi Fri Wsi Amo.Swp Amo.Cas Lock.Add [DpAddrd*,Pod*W] [DpAddrdW,Rfi] [DpDatadW,Rfi]",
	Presets: []lower.Preset{
		{Name: "release and acquire", List: "Rfe Fre Wse Pod** Pod*WPL PodR*AP"},
		{Name: "with atomics", List: "Rfe Fre Wse Pod** Amo.Add Amo.Swp"},
	},
	Assembler: assembler,
}

// assembler leaves r0 for compare-and-exchange.
var assembler = &lower.Assembler{
	Registers: 10, Seen: "A",
	Shown: lower.Counted("r", 1), Pointer: lower.Counted("r", 1),
	Set: func(w *lower.Writer, r, value int) { w.Emit("r%d = %d", r+1, value) },
	Zero: func(w *lower.Writer, dst, src int) {
		w.Emit("r%d = r%d", dst+1, src+1)
		w.Emit("r%d ^= r%[1]d", dst+1)
	},
	Add:    func(w *lower.Writer, r, value int) { w.Emit("r%d += %d", r+1, value) },
	Branch: func(w *lower.Writer, r int, label string) { w.Emit("if r%d == 0 goto %s", r+1, label) },
	Load: func(w *lower.Writer, dst int, at lower.Place, mark string) {
		form := map[string]string{"": "r%d = *(u32 *)(r%d + 0)", "A": "r%d = load_acquire((u32 *)(r%d + 0))"}[mark]
		w.Emit(form, dst+1, wholeAddress(w, at)+1)
	},
	Store: func(w *lower.Writer, src, _ int, at lower.Place, mark string) {
		form := map[string]string{"": "*(u32 *)(r%d + 0) = r%d", "L": "store_release((u32 *)(r%d + 0), r%d)"}[mark]
		w.Emit(form, wholeAddress(w, at)+1, src+1)
	},
	Atomic: func(w *lower.Writer, at lower.Place, a lower.Atomic) {
		base := wholeAddress(w, at) + 1
		switch {
		case a.Unseen:
			w.Emit("lock *(u32 *)(r%d + 0) %s r%d", base, a.Code, w.Constant(a.Step)+1)
			return
		case a.Name == "Amo.Cas":
			w.Emit("r0 = %d", a.Read)
			w.Emit("r0 = cmpxchg_32(r%d + 0, r0, r%d)", base, w.Constant(a.Write)+1)
			w.Read = w.NewRegister()
			w.Emit("r%d = r0", w.Read+1)
		case a.Name == "Amo.Swp":
			w.Read = w.Constant(a.Step)
			w.Emit("r%d = xchg_32(r%d + 0, r%[1]d)", w.Read+1, base)
		default:
			w.Read = w.Constant(a.Step)
			w.Emit("r%d = %s((u32 *)(r%d + 0), r%[1]d)", w.Read+1, a.Code, base)
		}
		w.Observe(w.Read, a.Read)
	},
}

// wholeAddress returns a register with the complete address.
func wholeAddress(w *lower.Writer, at lower.Place) int {
	if at.Index < 0 {
		return at.Base
	}
	w.Emit("r%d += r%d", at.Index+1, at.Base+1)
	return at.Index
}
