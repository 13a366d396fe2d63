package lisa

import (
	"strconv"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// alternatives are the weaker and stronger forms of accesses.
var alternatives = lower.AlternativeMnemonics([][]lower.Way{
	{{Text: "r[once]"}, {Text: "r[acquire]", Name: "r[acquire]"}},
	{{Text: "w[once]"}, {Text: "w[release]", Name: "w[release]"}},
})

// cycles declares LISA's words for cycles of relaxations, which are those of the Linux kernel, and how to write their
// tests.
var cycles = &lower.Cycles{
	Exchange: "Xchg", Update: updateWord,
	Fences: []lower.Word{
		{
			Name: "FenceMb", Tag: tagMB, Code: "f[mb]", Like: "full",
			Text: "f[mb]: orders all accesses before it before all after it, for every thread",
		},
		{
			Name: "FenceWmb", Tag: "Wmb", Code: "f[wmb]", Like: "writes",
			Text: "f[wmb]: orders writes before it before writes after it",
		},
		{
			Name: "FenceRmb", Tag: "Rmb", Code: "f[rmb]",
			Text: "f[rmb]: orders reads before it before reads after it",
		},
		{
			Name: "FenceSync-rcu", Tag: "Sync-rcu", Code: "call[sync]",
			Text: "call[sync]: a grace period, which waits for all read-side critical sections that began before it",
		},
		{
			Name: "Rscs",
			Text: "both are in one read-side critical section, from f[rcu_read_lock] to f[rcu_read_unlock]",
			Section: &lower.Section{
				Enter: "f[rcu_read_lock]", Leave: "f[rcu_read_unlock]", Entered: tagRcuLock, Left: tagRcuUnlock,
			},
		},
	},
	Atomics: []lower.Word{
		{
			Name: "Xchg", Text: "rmw with a number: the read and the write of an exchange", Code: "rmw",
			Like: "exchange", Orders: updateOrders,
		},
		{
			Name: "Add", Text: "rmw with add: the read and the write of an addition", Code: "rmw", Makes: lower.Adds,
			Like: "addition", Orders: updateOrders,
		},
	},
	Marks: []lower.Mark{
		{
			Mark: "Once", Tags: ir.Tags{tagOnce}, Reads: true, Writes: true, Like: lower.Relaxed,
			Text: "r[once] or w[once]: exactly one access, without order",
		},
		{
			Mark: "Acquire", Tags: ir.Tags{ir.TagAcquire}, Reads: true, Like: "acquire",
			Text: "r[acquire]: before all later accesses",
		},
		{
			Mark: "Release", Tags: ir.Tags{ir.TagRelease}, Writes: true, Like: "release",
			Text: "w[release]: after all earlier accesses",
		},
		{
			Mark: "Mb", Tags: ir.Tags{tagMB}, Reads: true, Writes: true, Atomic: true,
			Text: "an atomic update that orders all before it before all after it",
		},
	},
	Standard: "Rfe Fre Wse Pod**OnceOnce Pod*WOnceRelease PodR*AcquireOnce PodRWAcquireRelease FenceMbd**OnceOnce " +
		"FenceWmbdWWOnceOnce FenceRmbdRROnceOnce DpAddrd*OnceOnce DpDatadWOnceOnce DpCtrldWOnceOnce",
	Finer: "Pos**OnceOnce RfiOnceOnce FriOnceOnce WsiOnceOnce XchgOnceOnce FenceSync-rcud**OnceOnce " +
		"[DpAddrdWOnceOnce,RfiOnceOnce] [DpDatadWOnceOnce,RfiOnceOnce]",
	Presets: []lower.Preset{
		{
			Name: "with mb, wmb and rmb",
			List: "Rfe Fre Wse Pod**OnceOnce FenceMbd**OnceOnce FenceWmbdWWOnceOnce FenceRmbdRROnceOnce",
		},
		{Name: "release and acquire", List: "Rfe Fre Wse Pod**OnceOnce Pod*WOnceRelease PodR*AcquireOnce"},
		{Name: "RCU", List: "Rfe Fre Wse FenceMbd**OnceOnce FenceSync-rcud**OnceOnce Rscsd**OnceOnce"},
	},
	Assembler: assembler,
}

var updateOrders = lower.OrdersOf("mb Mb Mb", "acquire Acquire Once", "release Once Release", "once Once Once")

// updateWord returns the word for an atomic update, "" if cycles have none.
func updateWord(instruction string) string {
	_, operands, found := strings.Cut(instruction, "]")
	words := strings.Fields(operands)
	switch {
	case !strings.HasPrefix(instruction, "rmw") || !found || len(words) < 3:
		return ""
	case strings.HasPrefix(words[1], "(add"):
		return "Add"
	case len(words) == 3 && !strings.HasPrefix(words[1], "("):
		return "Xchg"
	}
	return ""
}

// annotation returns the brackets of an access with a mark.
func annotation(mark string) string { return "[" + strings.ToLower(mark) + "]" }

// where returns an address with the register that it depends on.
func where(at lower.Place) string {
	if at.Index < 0 {
		return at.Location
	}
	return at.Location + "+" + name(at.Index)
}

func name(r int) string { return "r" + strconv.Itoa(r+1) }

// assembler names locations in instructions.
var assembler = &lower.Assembler{
	Absolute: true, Registers: 256, Full: "FenceMb", Seen: "Once",
	Shown: lower.Counted("r", 1), Pointer: lower.Counted("r", 1),
	Set:    func(w *lower.Writer, r, value int) { w.Emit("mov %s %d", name(r), value) },
	Zero:   func(w *lower.Writer, dst, src int) { w.Emit("mov %s (xor %s %[2]s)", name(dst), name(src)) },
	Add:    func(w *lower.Writer, r, value int) { w.Emit("mov %s (add %[1]s %d)", name(r), value) },
	Branch: func(w *lower.Writer, r int, label string) { w.Emit("b[] %s %s", name(r), label) },
	Load: func(w *lower.Writer, dst int, at lower.Place, mark string) {
		w.Emit("r%s %s %s", annotation(mark), name(dst), where(at))
	},
	Store: func(w *lower.Writer, src, value int, at lower.Place, mark string) {
		text := strconv.Itoa(value)
		if src >= 0 {
			text = name(src)
		}
		w.Emit("w%s %s %s", annotation(mark), where(at), text)
	},
	Atomic: func(w *lower.Writer, at lower.Place, a lower.Atomic) {
		order := "once"
		for _, o := range a.Orders {
			if o.Read == a.Load && o.Write == a.Store {
				order = o.Text
			}
		}
		w.Read = w.NewRegister()
		op := strconv.Itoa(a.Step)
		if a.Makes == lower.Adds {
			op = "(add " + name(w.Read) + " " + op + ")"
		}
		w.Emit("rmw[%s] %s %s %s", order, name(w.Read), op, where(at))
		w.Observe(w.Read, a.Read)
	},
}
