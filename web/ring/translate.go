package ring

import (
	"fmt"
	"slices"

	"litmuscope/litmus/cycle"
)

// equivalents are words of different dialects for the same thing: a row for each, a name
// by dialect.
var equivalents = []struct {
	kind  cycle.Kind
	names map[string]string
}{
	{cycle.Fence, map[string]string{"X86": "MFence", "PPC": "Sync", "ARM": "DMB", "AArch64": "DMB.SY", "RISCV": "Fence.rw.rw", "MIPS": "Sync", "C": "FenceSc", "LKMM": "FenceMb"}},
	{cycle.Fence, map[string]string{"X86": "SFence", "PPC": "Eieio", "ARM": "DMB.ST", "AArch64": "DMB.ST", "RISCV": "Fence.w.w", "LKMM": "FenceWmb"}},
	{cycle.Fence, map[string]string{"X86": "LFence", "AArch64": "DMB.LD", "RISCV": "Fence.r.rw"}},
	{cycle.Fence, map[string]string{"PPC": "LwSync", "RISCV": "Fence.tso"}},
	{cycle.Fence, map[string]string{"ARM": "DSB", "AArch64": "DSB.SY"}},
	{cycle.Fence, map[string]string{"ARM": "DSB.ST", "AArch64": "DSB.ST"}},
	{cycle.Fence, map[string]string{"PPC": "ISync", "ARM": "ISB", "AArch64": "ISB"}},
	{cycle.Dp, map[string]string{"PPC": "CtrlIsync", "ARM": "CtrlIsb", "AArch64": "CtrlIsb", "RISCV": "CtrlFenceI"}},
	{cycle.Rmw, map[string]string{"X86": "Rmw", "AArch64": "Amo.Swp", "RISCV": "Rmw", "C": "Exch", "LKMM": "Xchg"}},
}

// sameMarks are marks of different dialects for the same thing.
var sameMarks = []map[string]string{
	{"AArch64": "A", "RISCV": "Aq", "C": "Acq", "LKMM": "Acquire"},
	{"AArch64": "L", "RISCV": "Rl", "C": "Rel", "LKMM": "Release"},
	{"AArch64": "X", "RISCV": "X"},
	{"C": "Rlx", "LKMM": "Once"},
}

// relaxed are the marks of accesses in C that are as a machine's plain ones.
var relaxed = map[string]string{"C": "Rlx", "LKMM": "Once"}

// family is the dialect that another is as far as cycles go.
func family(arch string) string {
	if arch == "X86_64" {
		return "X86"
	}
	return arch
}

// Translate says in the words of one dialect what a cycle says in those of another, and in
// lost what there are no words for: plain program order stands where a fence, a dependency
// or an atomic was, and a plain access where one was marked.
func Translate(from, to string, c cycle.Cycle) (out cycle.Cycle, lost []string) {
	w := wordsOf(to)
	name := "litmus tests of " + to
	say := func(text string) {
		if !slices.Contains(lost, text) {
			lost = append(lost, text)
		}
	}
	less := func(was, is cycle.Access) bool {
		return was.Mark != "" && was.Mark != relaxed[from] && is.Mark == relaxed[to]
	}
	for _, e := range c {
		was := e
		for _, end := range []*cycle.Access{&e.From, &e.To} {
			end.Mark = translateMark(w, from, to, *end)
		}
		e.Name = translateName(from, to, e)
		if !w.knows(e) || e.Misfit() != "" {
			e.Kind, e.Name = cycle.Po, ""
			say(fmt.Sprintf("%s has become %s: %s have nothing like it", was, e, name))
		} else if less(was.From, e.From) || less(was.To, e.To) {
			say(fmt.Sprintf("%s has become %s: %s have no such mark", was, e, name))
		}
		out = append(out, e)
	}
	return out, lost
}

func translateName(from, to string, e cycle.Edge) string {
	for _, row := range equivalents {
		if name, ok := row.names[family(to)]; ok && row.kind == e.Kind && row.names[family(from)] == e.Name {
			return name
		}
	}
	return e.Name
}

func translateMark(w words, from, to string, a cycle.Access) string {
	switch {
	case relaxed[from] == "" && relaxed[to] != "" && a.Mark == "":
		return relaxed[to]
	case a.Mark == "", relaxed[from] == a.Mark && relaxed[to] == "":
		return ""
	}
	for _, row := range sameMarks {
		if row[from] == a.Mark && row[to] != "" {
			return w.marked(a, row[to]).Mark
		}
	}
	if mark := w.marked(a, a.Mark).Mark; mark != "" {
		return mark
	}
	return relaxed[to]
}
