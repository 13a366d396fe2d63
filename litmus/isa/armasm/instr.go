package armasm

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Instr is an instruction whose operands are parsed on demand. Only its first error is reported.
type Instr struct {
	*lower.Builder
	Name   litmus.Word
	Ops    []litmus.Word
	failed bool
}

// Fail reports an error at operand i, or at the instruction if it has fewer operands.
func (x *Instr) Fail(i int, format string, args ...any) {
	if x.failed {
		return
	}
	x.failed = true
	pos := x.Name.Pos
	if i < len(x.Ops) {
		pos = x.Ops[i].Pos
	}
	x.Failf(pos, "%s: %s: "+format, append([]any{x.Test.Arch, x.Name.Text}, args...)...)
}

// Branch jumps to operand i, a label, if cond (nil: always) is 1.
func (x *Instr) Branch(i int, cond ir.Expr) {
	if !x.IsTarget(x.Ops[i].Text) {
		x.Fail(i, "got operand %q, want a label", x.Ops[i].Text)
		return
	}
	x.Jump(cond, x.Ops[i])
}

// Number returns operand i, a number such as #1.
func (x *Instr) Number(i int) uint64 {
	v, ok := ParseNumber(x.Ops[i].Text)
	if !ok {
		x.Fail(i, "got operand %q, want a number such as #1", x.Ops[i].Text)
	}
	return v
}

// ParseNumber parses #1 or 1.
func ParseNumber(text string) (uint64, bool) {
	v, err := litmus.ParseNumber(strings.TrimSpace(strings.TrimPrefix(text, "#")))
	return v, err == nil
}

// Brackets splits an address such as [R1,R2,LSL #2]; pre reports whether ! follows it.
func Brackets(text string) (parts []string, pre, ok bool) {
	inside, pre := strings.CutSuffix(text, "!")
	inside, closed := strings.CutSuffix(strings.TrimSpace(inside), "]")
	inside, opened := strings.CutPrefix(inside, "[")
	parts = strings.Split(inside, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts, pre, opened && closed && len(parts) <= 3
}

// Reset makes x another instruction.
func (x *Instr) Reset(cell litmus.Cell) {
	x.Name, x.Ops = cell.Split()
	x.failed = false
}
