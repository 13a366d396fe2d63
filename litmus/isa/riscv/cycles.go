package riscv

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// cycles declares RISC-V's words for cycles of relaxations, and how to write their tests.
var cycles = &lower.Cycles{
	Deps: []lower.Word{
		{
			Name: "CtrlFenceI", Text: "a branch on what was read, then fence.i", Code: "fence.i",
			Like: "branch and fence",
		},
	},
	Fences: fences(),
	Atomics: []lower.Word{
		{
			Name: "Rmw", Text: "amoswap.w: the read and the write of an atomic exchange", Code: "amoswap",
			Like: "exchange",
		},
		{
			Name: "Amo.Add", Text: "amoadd.w: the read and the write of an atomic addition", Code: "amoadd",
			Makes: lower.Adds, Like: "addition",
		},
		{Name: "Amo.Or", Text: "amoor.w: the read and the write of an atomic or", Code: "amoor", Makes: lower.Sets},
		{
			Name: "Amo.Xor", Text: "amoxor.w: the read and the write of an atomic exclusive or", Code: "amoxor",
			Makes: lower.Flips,
		},
		{
			Name: "Amo.And", Text: "amoand.w: the read and the write of an atomic and", Code: "amoand",
			Makes: lower.Keeps,
		},
		{
			Name: "Amo.Min", Text: "amomin.w: the read and the write of an atomic minimum", Code: "amomin.",
			Makes: lower.Keeps,
		},
		{
			Name: "Amo.Minu", Text: "amominu.w: the read and the write of an atomic minimum, unsigned",
			Code:  "amominu.",
			Makes: lower.Keeps,
		},
		{
			Name: "Amo.Max", Text: "amomax.w: the read and the write of an atomic maximum", Code: "amomax.",
			Makes: lower.Greater,
		},
		{
			Name: "Amo.Maxu", Text: "amomaxu.w: the read and the write of an atomic maximum, unsigned",
			Code:  "amomaxu.",
			Makes: lower.Greater,
		},
		pair,
	},
	Marks: []lower.Mark{
		{Mark: "Aq", Reads: true, Text: "acquire: comes before all later " +
			"accesses", Tags: ir.Tags{"Acq"}, Like: "acquire"},
		{Mark: "Rl", Writes: true, Text: "release: comes after all earlier " +
			"accesses", Tags: ir.Tags{"Rel"}, Like: "release"},
		{
			Mark: "AR", Reads: true, Writes: true, Tags: ir.Tags{"AcqRel"}, Rewrites: true,
			Text: "acquire and release, an atomic instruction: comes before all later and after all earlier accesses",
		},
		paired,
	},
	Sized: true,
	Presets: []lower.Preset{
		{Name: "with fence rw,rw", List: "Rfe Fre Wse Pod** Fence.rw.rwd**"},
		{Name: "release and acquire", List: "Rfe Fre Wse Pod** Pod*WPRl PodR*AqP"},
	},
	Standard: "Rfe Fre Wse Pod** Fence.rw.rwd** Fence.r.rwdR* Fence.rw.wd*W Fence.tsod** DpAddrd* DpDatadW " +
		"DpCtrldW DpCtrlFenceIdR PodR*AqP Pod*WPRl PodRWAqRl",
	Finer:     "Pos** Rfi RfiPAq Fri Wsi Rmw LxSx PodWRRlAq [DpAddrd*,Pod*W] [DpAddrdW,Rfi] [DpDatadW,Rfi]",
	Silent:    func(instruction string) bool { return noResult().MatchString(instruction) },
	Assembler: assembler,
}

// pair and paired exist only for words and doublewords.
var (
	pair   = func() lower.Word { w := lower.WordOf("lr.w", "sc.w"); w.Least = 4; return w }()
	paired = func() lower.Mark { m := lower.PairOf("lr.w", "sc.w"); m.Least = 4; return m }()
)

// noResult matches atomic instructions that return nothing.
var noResult = litmus.Pattern(`\bamo\S+\s+(x0|zero)\b`)

func fences() []lower.Word {
	out := []lower.Word{
		{
			Name: "Fence.tso", Text: "fence.tso: as fence rw,rw, except earlier writes and later " +
				"reads", Code: "fence.tso",
			Like: "light",
		},
		{Name: "Fence.i", Text: "fence.i: for instructions; it orders no data", Code: "fence.i"},
	}
	sets := []struct{ name, text string }{{"rw", "accesses"}, {"r", "reads"}, {"w", "writes"}}
	like := map[string]string{"Fence.rw.rw": "full", "Fence.w.w": "writes", "Fence.r.rw": "reads"}
	for _, before := range sets {
		for _, after := range sets {
			name, code := "Fence."+before.name+"."+after.name, "fence "+before.name+","+after.name
			text := code + ": orders earlier " + before.text + " before later " + after.text
			out = append(out, lower.Word{Name: name, Text: text, Code: code, Like: like[name]})
		}
	}
	return out
}

var assembler = &lower.Assembler{
	Registers: 27, Full: "Fence.rw.rw", Largest: 1<<11 - 1,
	Shown: lower.Counted("x", 5), Pointer: lower.Counted("x", 5),
	Set:    func(w *lower.Writer, r, value int) { w.Emit("ori x%d,x0,%d", r+5, value) },
	Zero:   func(w *lower.Writer, dst, src int) { w.Emit("xor x%d,x%d,x%d", dst+5, src+5, src+5) },
	Add:    func(w *lower.Writer, r, value int) { w.Emit("ori x%d,x%d,%d", r+5, r+5, value) },
	AddTo:  func(w *lower.Writer, r, other int) { w.Emit("add x%d,x%d,x%d", r+5, r+5, other+5) },
	Branch: func(w *lower.Writer, r int, label string) { w.Emit("bne x%d,x0,%s", r+5, label) },
	Sum:    func(w *lower.Writer, dst, a, b int) { w.Emit("add x%d,x%d,x%d", dst+5, a+5, b+5) },
	Load: func(w *lower.Writer, dst int, at lower.Place, mark string) {
		base := indexed(w, at)
		if mark == "AR" {
			w.Emit("amoor.%s.aq.rl x%d,x0,(x%d)", at.Letter(), dst+5, withOffset(w, base, at)+5)
			return
		}
		w.Emit("l%s%s x%d,%d(x%d)", at.Letter(), order(mark), dst+5, at.At, base+5)
	},
	Store: func(w *lower.Writer, src, _ int, at lower.Place, mark string) {
		base := indexed(w, at)
		if mark == "AR" {
			w.Emit("amoswap.%s.aq.rl x0,x%d,(x%d)", at.Letter(), src+5, withOffset(w, base, at)+5)
			return
		}
		w.Emit("s%s%s x%d,%d(x%d)", at.Letter(), order(mark), src+5, at.At, base+5)
	},
	Pair: func(w *lower.Writer, dst, src int, at lower.Place, load, store string) (status, ok int) {
		base := withOffset(w, indexed(w, at), at)
		status = w.NewRegister()
		w.Emit("lr.%s%s x%d,0(x%d)", at.Letter(), order(load), dst+5, base+5)
		w.Emit("sc.%s%s x%d,x%d,0(x%d)", at.Letter(), order(store), status+5, src+5, base+5)
		return status, 0
	},
	Atomic: func(w *lower.Writer, at lower.Place, a lower.Atomic) {
		base := withOffset(w, indexed(w, at), at)
		w.Read = w.NewRegister()
		operand := w.Constant(a.Step)
		order := order(a.Load) + order(a.Store)
		if strings.Count(order, ".aq") > 1 || strings.Count(order, ".rl") > 1 {
			order = ".aq.rl"
		}
		w.Emit("%s.%s%s x%d,x%d,(x%d)", strings.TrimSuffix(a.Code, "."), at.Letter(), order,
			w.Read+5, operand+5, base+5)
		w.AskAt(at, w.Read, a.Read)
	},
}

// order is the suffix of an instruction with a mark.
func order(mark string) string {
	return map[string]string{"Aq": ".aq", "Rl": ".rl", "AR": ".aq.rl"}[mark]
}

// indexed returns a register with the address, without the offset, which behind adds.
func indexed(w *lower.Writer, at lower.Place) int {
	if at.Index < 0 {
		return at.Base
	}
	sum := w.NewRegister()
	w.Emit("add x%d,x%d,x%d", sum+5, at.Base+5, at.Index+5)
	return sum
}

func withOffset(w *lower.Writer, base int, at lower.Place) int {
	if at.At == 0 {
		return base
	}
	sum := w.NewRegister()
	w.Emit("addi x%d,x%d,%d", sum+5, base+5, at.At)
	return sum
}
