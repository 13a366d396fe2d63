package x86

import (
	"math"
	"strings"

	"litmuscope/litmus/lower"
)

// cycles32 and cycles64 are its words for cycles of relaxations, and the spelling of their tests, in Intel's syntax and
// in AT&T's.
var (
	cycles32 = cyclesOf(&assembler{
		registers: []string{"EAX", "EBX", "ECX", "EDX", "ESI", "EDI"},
		shown:     []string{"EAX", "EBX", "ECX", "EDX", "ESI", "EDI"},
		load:      "MOV %s,[%s]", store: "MOV [%[2]s],$%[1]d", set: "MOV %s,$%d",
		move: "MOV %s,%s", swap: "%s [%[3]s],%[2]s", update: "%s [%[3]s],$%[2]d", step: "%s [%s]",
	})
	cycles64 = cyclesOf(&assembler{
		registers: []string{
			"%eax", "%ebx", "%ecx", "%edx", "%esi", "%edi", "%r8d", "%r9d", "%r10d", "%r11d", "%r12d",
			"%r13d", "%r14d", "%r15d",
		},
		shown: []string{
			"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
			"r13", "r14", "r15",
		},
		load: "movl (%[2]s),%[1]s", store: "movl $%d,(%s)", set: "movl $%[2]d,%[1]s",
		move: "movl %[2]s,%[1]s", swap: "%s %s,(%s)", update: "%s $%d,(%s)", step: "%s (%s)",
		suffix: "l",
	})
)

// cyclesOf declares x86's words for cycles of relaxations, in the syntax of an assembler. Every locked instruction is a
// full fence on both sides, so there are no marks.
func cyclesOf(a *assembler) *lower.Cycles {
	code := func(text string) string {
		if a.suffix == "" {
			return text
		}
		return strings.ToLower(text)
	}
	words := &lower.Cycles{
		Bare: true, Exchange: "Rmw",
		Fences: []lower.Word{
			{Name: "MFence", Text: "MFENCE: orders all earlier accesses before all later " +
				"ones", Code: code("MFENCE"), Like: "full"},
			{
				Name: "SFence", Text: "SFENCE: orders earlier writes before later writes", Code: code("SFENCE"),
				Like: "writes",
			},
			{Name: "LFence", Text: "LFENCE: orders earlier reads before all later " +
				"accesses", Code: code("LFENCE"), Like: "reads"},
		},
		Atomics: []lower.Word{
			{
				Name: "Rmw", Text: "XCHG: the read and the write of an exchange, which is a full fence on both sides",
				Code: code("XCHG"), Like: "exchange",
			},
			{
				Name: "Xadd", Text: "LOCK XADD: the read and the write of an addition, a full fence on both sides",
				Code: code("LOCK XADD"), Makes: lower.Adds, Like: "addition",
			},
			{Name: compares, Text: "LOCK CMPXCHG: the read and the write of a compare-and-exchange that succeeds, a " +
				"full fence on both sides", Code: code("LOCK CMPXCHG")},
		},
		Presets:   []lower.Preset{{Name: "with MFENCE", List: "Rfe Fre Wse Pod** MFenced**"}},
		Sized:     a.suffix != "",
		Standard:  "Rfe Fre Wse Pod** MFenced** Rmw [Rfi,PodR*] [Rfi,MFencedR*]",
		Finer:     "Pos** Rfi Fri Wsi Lock.Inc",
		Assembler: a.assembler(),
	}
	for _, u := range []struct {
		name, text string
		makes      lower.Makes
	}{
		{"Add", "an addition", lower.Adds},
		{"Or", "an or", lower.Sets},
		{"Xor", "an exclusive or", lower.Flips},
		{"And", "an and", lower.Keeps},
		{"Sub", "a subtraction", lower.Takes},
		{"Adc", "an addition, with the carry,", lower.Adds},
		{"Sbb", "a subtraction, with the borrow,", lower.Takes},
		{"Inc", "an increment", lower.Counts},
		{"Dec", "a decrement", lower.Drops},
		{"Neg", "a change of sign", lower.Negates},
		{"Not", "an inversion of all bits", lower.Inverts},
	} {
		locked := "LOCK " + strings.ToUpper(u.name)
		words.Atomics = append(words.Atomics, lower.Word{
			Name: "Lock." + u.name,
			Text: locked + ": " + u.text + "that returns nothing, a full fence on both sides",
			Code: code(locked), Makes: u.makes, Unseen: true,
		})
	}
	return words
}

// assembler is a syntax: the names of registers in instructions and in conditions, and forms of instructions.
type assembler struct {
	registers, shown                           []string // the accumulator is the first
	load, store, set, move, swap, update, step string
	// of instructions on words; if there is one, other widths have other suffixes
	suffix string
}

// assembler returns the functions that write instructions for cycles. An access with a part uses the suffix of its
// width.
func (a *assembler) assembler() *lower.Assembler {
	// A thread that needs too many registers is rejected when it is complete.
	name := func(r int) string { return a.registers[r%len(a.registers)] }
	shown := func(r int) string { return a.shown[r%len(a.shown)] }
	return &lower.Assembler{
		Absolute: true, Registers: len(a.registers), Full: "MFence", Largest: math.MaxInt32,
		Shown: shown, Pointer: shown,
		Set: func(w *lower.Writer, r, value int) { w.Emit("movl $%s,%s", lower.Spell(value, w.Bytes), name(r)) },
		Load: func(w *lower.Writer, dst int, at lower.Place, _ string) {
			if at.Bytes > 0 {
				a.emit(w, "mov", at, "%s,%s", place(at, shown), a.part(dst, at))
				return
			}
			w.Emit(a.load, name(dst), at.Location)
		},
		Store: func(w *lower.Writer, _, value int, at lower.Place, _ string) {
			if at.Bytes > 0 {
				a.emit(w, "mov", at, "%s,%s", a.number(w, value, at), place(at, shown))
				return
			}
			w.Emit(a.store, value, at.Location)
		},
		Atomic: func(w *lower.Writer, at lower.Place, u lower.Atomic) {
			if at.Bytes > 0 {
				a.replace(w, at, u)
				return
			}
			u.Code += a.suffix
			if u.Makes >= lower.Counts {
				w.Emit(a.step, u.Code, at.Location)
				return
			}
			if u.Unseen {
				w.Emit(a.update, u.Code, u.Step, at.Location)
				return
			}
			if u.Name == compares {
				a.compare(w, name, at, u)
				return
			}
			w.Read = w.NewRegister()
			w.Emit(a.set, name(w.Read), u.Step)
			w.Emit(a.swap, u.Code, name(w.Read), at.Location)
			w.Observe(w.Read, u.Read)
		},
	}
}

// compares is the word for a compare-and-exchange.
const compares = "Lock.Cmpxchg"

// compare writes a compare-and-exchange. The accumulator is reserved for the read that it contains already.
func (a *assembler) compare(w *lower.Writer, name func(int) string, at lower.Place, u lower.Atomic) {
	kept := -1
	if w.Next > 0 {
		kept = w.NewRegister()
		w.Emit(a.move, name(kept), name(0))
	}
	w.Read = w.NewRegister()
	next := w.NewRegister()
	w.Emit(a.set, name(next), u.Write)
	w.Emit(a.set, name(0), u.Read)
	w.Emit(a.swap, u.Code, name(next), at.Location)
	if kept >= 0 {
		w.Emit(a.move, name(w.Read), name(0))
		w.Emit(a.move, name(0), name(kept))
	}
	w.Observe(w.Read, u.Read)
}
