package x86

import (
	"fmt"
	"strings"

	"litmuscope/litmus/lower"
)

// Accesses of other sizes than a word are written only in AT&T syntax.

// emit writes an instruction with the suffix of the access's width.
func (a *assembler) emit(w *lower.Writer, code string, at lower.Place, format string, operands ...any) {
	letter := map[int]string{1: "b", 2: "w", 4: "l", 8: "q"}[at.Size()]
	w.Emit("%s%s "+format, append([]any{code, letter}, operands...)...)
}

// part returns the part of a register with the width of the access.
func (a *assembler) part(r int, at lower.Place) string {
	name := a.shown[r%len(a.shown)]
	switch bytes, numbered := at.Size(), name[1] >= '0' && name[1] <= '9'; {
	case bytes == 8:
		return "%" + name
	case numbered:
		return "%" + name + map[int]string{1: "b", 2: "w", 4: "d"}[bytes]
	case bytes == 4:
		return "%e" + name[1:]
	case bytes == 2:
		return "%" + name[1:]
	case strings.HasSuffix(name, "x"):
		return "%" + name[1:2] + "l"
	}
	return "%" + name[1:] + "l"
}

// place returns an address.
func place(at lower.Place, shown func(int) string) string {
	if at.Base < 0 {
		return "(" + at.Location + ")"
	}
	return fmt.Sprintf("%d(%%%s)", at.At, shown(at.Base))
}

// number returns a number to write: in the instruction, or in a register.
func (a *assembler) number(w *lower.Writer, value int, at lower.Place) string {
	if value > w.Assembler.Largest {
		return a.part(w.Number(value), at)
	}
	return fmt.Sprintf("$%s", lower.Spell(value, true))
}

// replace writes an exchange or a compare-and-exchange.
func (a *assembler) replace(w *lower.Writer, at lower.Place, u lower.Atomic) {
	shown := w.Assembler.Shown
	if u.Name != compares {
		w.Read = w.Number(u.Write)
		a.emit(w, u.Code, at, "%s,%s", a.part(w.Read, at), place(at, shown))
		w.AskAt(at, w.Read, u.Read)
		return
	}
	// The accumulator is reserved for the value that it contains already.
	whole := lower.Place{Bytes: 8}
	kept := -1
	if w.Next > 0 {
		kept = w.NewRegister()
		a.emit(w, "mov", whole, "%s,%s", a.part(0, whole), a.part(kept, whole))
		if at.Base == 0 {
			at.Base = kept
		}
	}
	w.Read = w.NewRegister()
	next := w.Number(u.Write)
	expected := w.Number(u.Read)
	a.emit(w, "mov", whole, "%s,%s", a.part(expected, whole), a.part(0, whole))
	a.emit(w, u.Code, at, "%s,%s", a.part(next, at), place(at, shown))
	if kept >= 0 {
		a.emit(w, "mov", whole, "%s,%s", a.part(0, whole), a.part(w.Read, whole))
		a.emit(w, "mov", whole, "%s,%s", a.part(kept, whole), a.part(0, whole))
	}
	w.AskAt(at, w.Read, u.Read)
}
