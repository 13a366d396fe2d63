package aarch64

import (
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Code of other threads. A thread that jumps to addresses may run instructions of another thread, as a function that is
// modified while it is called. Such a thread gets a copy of the other one's code behind its own. A copy has the other
// thread's addresses, so its fetches read the same locations. Faults in a copy are errors of the execution.

// foreign is a copy of the code of a thread in another one, while it is emitted.
type foreign struct {
	thread int // index of the thread whose code it is
	at     int // number of the current instruction
	starts []int
}

// landing is a branch to an instruction in a copy.
type landing struct {
	pc         int
	thread, at int
}

// usesForeignCode reports whether a thread jumps to code of another one or accesses it as data: a location has the
// address of a label, and a thread without that label jumps to addresses; or a register has the address of another
// thread's label, and an instruction accesses what it points to.
func usesForeignCode(t *litmus.Test) bool {
	for _, i := range t.Init {
		for _, v := range i.Values {
			if v.Label && slices.ContainsFunc(t.Threads, func(th litmus.Thread) bool {
				return v.Thread != th.ID && usesCodeAt(th.Cells, th.ID, i.Target)
			}) {
				return true
			}
		}
	}
	return false
}

// usesCodeAt reports whether a thread jumps to addresses, or accesses what a register of it points to. The register or
// a location has the address of an instruction.
func usesCodeAt(cells []litmus.Cell, thread int, has litmus.Place) bool {
	if has.IsRegister() && has.Thread != thread {
		return false
	}
	return slices.ContainsFunc(cells, func(c litmus.Cell) bool {
		_, rest := c.Labels()
		name, ops := rest.Split()
		return jumpsToAddress(name.Text) || has.IsRegister() &&
			slices.ContainsFunc(ops, func(o litmus.Word) bool { return hasBase(o.Text, has.Name) })
	})
}

// jumpsToAddress reports whether an instruction jumps to the address in a register.
func jumpsToAddress(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "BR") || strings.HasPrefix(name, "BLR")
}

// hasBase reports whether an operand is an address whose first part is a register.
func hasBase(operand, register string) bool {
	inside, is := strings.CutPrefix(operand, "[")
	base, _, _ := strings.Cut(strings.TrimLeft(inside, " "), ",")
	return is && strings.EqualFold(strings.Trim(base, "] "), register)
}

// foreignThreads lists the threads whose code a thread may run: those with labels that are values, if the thread jumps
// to addresses.
func (s *system) foreignThreads(t *litmus.Test, thread int) (out []int) {
	jumps := false
	for _, c := range t.Threads[thread].Cells {
		_, rest := c.Labels()
		name, _ := rest.Split()
		jumps = jumps || jumpsToAddress(name.Text)
	}
	if !jumps {
		return nil
	}
	seen := map[int]bool{}
	eachPlace(t, func(litmus.Place) {}, func(l litmus.Literal) {
		for k, th := range t.Threads {
			if l.Label && th.ID == l.Thread && k != thread && !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
	})
	slices.Sort(out)
	return out
}

// emitCopies emits the copies of other threads' code that a thread may run, behind its own code. x is an instruction of
// the thread; the copies are first a list of operations, and then the branches between them get their targets.
func (x *instr) emitCopies(t *litmus.Test) {
	threads := x.sys.foreignThreads(t, x.Thread)
	if len(threads) == 0 {
		return
	}
	x.At(len(t.Threads[x.Thread].Cells) - 1)
	x.End(nil)
	copies := map[int]*foreign{}
	for _, u := range threads {
		c := &foreign{thread: u}
		copies[u] = c
		first := x.AddSource(t.Threads[u].Cells)
		for i, cell := range t.Threads[u].Cells {
			_, rest := cell.Labels()
			if rest.Text == "" {
				continue
			}
			x.At(first + i)
			c.starts = append(c.starts, x.PC())
			y := *x
			y.Reset(rest)
			y.copy = c
			y.lower()
			c.at++
		}
		c.starts = append(c.starts, x.PC())
		x.End(nil)
	}
	for _, l := range x.sys.landings[x.Thread] {
		x.SetTarget(l.pc, copies[l.thread].starts[l.at])
	}
}

// here returns the number of the current instruction in the thread whose code it is, and codeThread that thread.
func (x *instr) here() int {
	if x.copy != nil {
		return x.copy.at
	}
	return x.Here()
}

func (x *instr) codeThread() int {
	if x.copy != nil {
		return x.copy.thread
	}
	return x.Thread
}

// land appends a branch to an instruction in a copy.
func (x *instr) land(cond ir.Expr, thread, at int) {
	x.sys.landings[x.Thread] = append(x.sys.landings[x.Thread], landing{x.PC(), thread, at})
	x.Builder.Emit(ir.Branch{Cond: cond})
}

// branchInCopy jumps to a label or over a distance within the copy.
func (x *instr) branchInCopy(i int, cond ir.Expr) {
	u, text := x.copy.thread, x.Ops[i].Text
	if bytes, err := strconv.Atoi(strings.TrimPrefix(text, ".")); err == nil && strings.HasPrefix(text, ".") {
		x.land(cond, u, min(max(x.copy.at+bytes/4, 0), x.LengthOf(u)))
		return
	}
	if _, at, ok := x.LabelAt(x.Test.Threads[u].ID, x.Ops[i]); ok {
		x.land(cond, u, at)
	}
}

// jumpAnywhere jumps to an address in the thread's own code or in a copy. Another address is an error of the execution
// or, for a return, the end of the thread.
func (x *instr) jumpAnywhere(v ir.Expr, returns bool, threads []int) {
	for _, u := range append([]int{x.Thread}, threads...) {
		for at := 0; at <= x.LengthOf(u); at++ {
			if len(x.LabelsOf(u, at)) == 0 && !slices.Contains(x.returns[u], at) {
				continue
			}
			cond := ir.Eq.Of(v, ir.Number(x.CodeAddress(u, at), 64))
			if u == x.Thread {
				x.JumpToNumber(cond, at, x.Name)
			} else {
				x.land(cond, u, at)
			}
		}
	}
	if !returns {
		x.Builder.Emit(ir.Lost{To: v})
	}
	x.End(nil)
}
