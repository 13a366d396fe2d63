package lower

import (
	"strconv"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Lines calls line for the instructions in the test's cells, thread by thread, without their labels. begin, unless nil,
// is called before each thread.
func (b *Builder) Lines(begin func(), line func(litmus.Cell)) {
	for t, th := range b.Test.Threads {
		b.Thread = t
		if begin != nil {
			begin()
		}
		for i, cell := range th.Cells {
			b.source = i
			if _, rest := cell.Labels(); rest.Text != "" {
				b.starts[t] = append(b.starts[t], len(b.Program.Threads[t].Code))
				line(rest)
			}
		}
		b.starts[t] = append(b.starts[t], len(b.Program.Threads[t].Code))
	}
}

// At sets the cell of the thread that the next operations come from.
func (b *Builder) At(cell int) { b.source = cell }

// Emit appends an operation of the current instruction to the thread.
func (b *Builder) Emit(op ir.Op) {
	th := &b.Program.Threads[b.Thread]
	th.Code = append(th.Code, ir.Step{Op: op, Source: b.source})
}

// Assign sets a register of the thread.
func (b *Builder) Assign(reg int, v ir.Expr) { b.Emit(ir.Assign{Dst: reg, Value: v}) }

// Value returns the value of a register of the thread.
func (b *Builder) Value(reg int) ir.Expr {
	return ir.Reg{Index: reg, Bits: b.Program.Threads[b.Thread].Regs[reg].Bits}
}

// Keep copies a value to a temporary, so that later writes to its registers do not change it.
func (b *Builder) Keep(v ir.Expr) ir.Expr {
	tmp := b.Temp(v.Width())
	b.Assign(tmp, v)
	return b.Value(tmp)
}

// Load emits a load into a temporary that otherwise is as op says.
func (b *Builder) Load(op ir.Load) ir.Expr {
	op.Dst = b.Temp(op.Bits)
	b.Emit(op)
	return b.Value(op.Dst)
}

// When emits body after a branch that skips it if cond is 0.
func (b *Builder) When(cond ir.Expr, body func()) {
	th := b.Thread
	pc := len(b.Program.Threads[th].Code)
	b.Emit(ir.Branch{Cond: ir.Not(cond)})
	body()
	code := b.Program.Threads[th].Code
	br := code[pc].Op.(ir.Branch)
	br.Target = len(code)
	code[pc].Op = br
}

// Unknown reports an instruction that the dialect does not have or, with a reason, does not support.
func (b *Builder) Unknown(mnemonic litmus.Word, why string) {
	if why == "" {
		b.Failf(mnemonic.Pos, "%s: unknown instruction %s%s", b.Test.Arch, mnemonic.Text,
			litmus.DidYouMean(mnemonic.Text, b.mnemonics()))
		return
	}
	b.Failf(mnemonic.Pos, "%s: %s is not supported: "+why, b.Test.Arch, mnemonic.Text)
}

// HasOperands reports whether an instruction with least to most operands has a permitted number of them, and records an
// error if not.
func (b *Builder) HasOperands(mnemonic litmus.Word, least, most, got int) bool {
	if least <= got && got <= most {
		return true
	}
	want := strconv.Itoa(most) + " operands"
	switch {
	case least < most:
		want = strconv.Itoa(least) + " to " + want
	case most == 0:
		want = "no operands"
	case most == 1:
		want = "one operand"
	}
	b.Failf(mnemonic.Pos, "%s: %s takes %s, got %d", b.Test.Arch, mnemonic.Text, want, got)
	return false
}
