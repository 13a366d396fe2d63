package aarch64

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// Exceptions (DDI 0487, chapter D1). An instruction with a synchronous exception does not take effect. Its fault is an
// event. Then the exception is entered and the thread's handler runs, or the thread ends if it has none.
// The handler's code is emitted at each instruction that may fault, so that the address to return to is known there:
// most jumps of ERET lead forward then, and no loop has to be cut.

// handling is a copy of a handler that is being emitted.
type handling struct {
	site   int // number of the instruction with the exception
	labels map[string]int
	jumps  []handlerJump
	cells  []litmus.Cell
	first  int // of the cells, in the source of the thread
	begin  int // its first operation

	at     int         // number of the current cell
	starts []int       // by cell: its first operation
	faults bool        // an instruction of it may fault
	backs  map[int]int // by operation: a branch of ERET to a cell
}

// handlerJump is a branch within a handler.
type handlerJump struct {
	pc int
	to litmus.Word
}

// attempts are the executions of one instruction of a thread that executes an instruction with a fault again, without a
// handler. No outcome needs an instruction to have the same fault twice: without the second one and all between the
// two, an execution remains an execution, because what an instruction with a fault does is read and synchronise. So
// there are as many attempts as the instruction has faults, and one more.
type attempts struct {
	seen  []int // by fault, in the order of their code: the register of 1 bit that says whether it has been
	at    int   // number of the fault in the current attempt
	last  bool  // no attempt follows
	jumps []int // from the faults of the current attempt to the next one
}

// lowerRepeated emits an instruction with the attempts that it needs.
func (x *instr) lowerRepeated() {
	if x.sys == nil || !x.sys.retry || x.sys.handlers[x.Thread] != nil {
		x.lower()
		return
	}
	a := &attempts{}
	var ends []int
	for n := 0; n == 0 || len(a.jumps) > 0; n++ {
		if n > 0 {
			ends = append(ends, x.PC())
			x.Builder.Emit(ir.Branch{})
		}
		for _, pc := range a.jumps {
			x.SetTarget(pc, x.PC())
		}
		a.at, a.jumps, a.last = 0, nil, n > 0 && n == len(a.seen)
		y := *x
		y.attempts = a
		y.lower()
	}
	for _, pc := range ends {
		x.SetTarget(pc, x.PC())
	}
}

// again ends an attempt with a fault that no earlier attempt had.
func (x *instr) again() {
	a := x.attempts
	if a.last {
		x.Builder.Emit(ir.Assume{Cond: ir.Number(0, 1)})
		x.End(nil)
		return
	}
	if a.at == len(a.seen) {
		a.seen = append(a.seen, x.Temp(1))
	} else {
		x.Builder.Emit(ir.Assume{Cond: ir.Not(x.Value(a.seen[a.at]))})
	}
	x.Assign(a.seen[a.at], ir.Number(1, 1))
	a.jumps = append(a.jumps, x.PC())
	x.Builder.Emit(ir.Branch{})
	a.at++
}

// labelsHere returns the labels of the current instruction.
func (x *instr) labelsHere() []string {
	if x.handling != nil {
		return nil
	}
	return x.LabelsOf(x.codeThread(), x.here())
}

// fault emits a fault of the current instruction and what follows it: the thread does not come back to the caller's
// place. addr is the address that it is about, or nil.
func (x *instr) fault(kind string, addr ir.Expr, tags ir.Tags) {
	if x.handling != nil {
		x.faultAgain(kind, addr, tags)
		return
	}
	if x.copy != nil {
		x.lost("faults in code of another thread, which is not supported")
		return
	}
	x.RecordFault(kind, x.labelsHere(), addr, nil)
	if x.sys.skip {
		x.Builder.Emit(ir.Fence{Tags: append(ir.Tags{tagFault}, tags...)})
		x.JumpToNumber(nil, x.Here()+1, x.Name)
		return
	}
	x.Builder.Emit(ir.Fence{Tags: append(ir.Tags{tagFault}, tags...)})
	if x.sys.handlers[x.Thread] != nil {
		x.Builder.Emit(ir.Fence{Tags: x.entry()})
	} else if x.sys.retry {
		x.Builder.Emit(ir.Fence{Tags: x.entry()})
		x.exit()
		x.again()
		return
	}
	x.handle(x.Here())
}

// addressHere returns the address of the current instruction.
func (x *instr) addressHere() ir.Expr { return ir.Number(x.CodeAddress(x.codeThread(), x.here()), 64) }

// entry returns the tags of the entry of an exception.
func (x *instr) entry() ir.Tags {
	tags := ir.Tags{tagEnter}
	if x.sys.entrySyncs {
		tags = append(tags, tagContext)
	}
	return tags
}

// exit emits the return from an exception.
func (x *instr) exit() {
	tags := ir.Tags{tagReturn}
	if x.sys.returnSyncs {
		tags = append(tags, tagContext)
	}
	x.Builder.Emit(ir.Fence{Tags: tags})
}

// elr returns the thread's register with the address to return to.
func (x *instr) elr() int {
	r, ok := x.sys.at[x.Thread]
	if !ok {
		r = x.Temp(64)
		x.sys.at[x.Thread] = r
	}
	return r
}

// handle emits the thread's handler for an exception that returns to an instruction unless the handler changes that.
func (x *instr) handle(returnTo int) {
	h := x.sys.handlers[x.Thread]
	if h == nil {
		x.End(nil)
		return
	}
	x.Assign(x.elr(), ir.Number(x.CodeAddress(x.Thread, returnTo), 64))
	x.runHandler(h, returnTo)
	x.End(nil)
}

// runHandler emits a copy of a handler. Its labels are its own.
func (x *instr) runHandler(h *litmus.Thread, returnTo int) {
	cell := x.Cell()
	first, known := x.sys.shown[x.Thread]
	if !known {
		first = x.AddSource(h.Cells)
		x.sys.shown[x.Thread] = first
	}
	copy := &handling{
		site: returnTo, labels: map[string]int{}, cells: h.Cells, first: first, begin: x.PC(), backs: map[int]int{},
	}
	for _, c := range h.Cells {
		labels, _ := c.Labels()
		for _, l := range labels {
			copy.labels[l.Text] = -1
		}
	}
	for i, c := range h.Cells {
		labels, rest := c.Labels()
		copy.at, copy.starts = i, append(copy.starts, x.PC())
		for _, l := range labels {
			copy.labels[l.Text] = x.PC()
		}
		if rest.Text == "" {
			continue
		}
		x.At(first + i)
		y := &instr{Instr: x.Instr, flags: x.flags, wide: x.wide, sys: x.sys, handling: copy}
		y.Reset(rest)
		y.lower()
	}
	end := x.PC()
	for _, j := range copy.jumps {
		target := copy.labels[j.to.Text]
		if target > end {
			target = end
		}
		x.SetTarget(j.pc, target)
	}
	for pc, at := range copy.backs {
		x.SetTarget(pc, copy.starts[at])
	}
	x.At(cell)
}

// faultAgain emits a fault in a handler: the handler begins anew, and returns to its instruction with the fault unless
// it changes that.
func (x *instr) faultAgain(kind string, addr ir.Expr, tags ir.Tags) {
	h := x.handling
	h.faults = true
	x.RecordFault(kind, nil, addr, nil)
	x.Builder.Emit(ir.Fence{Tags: append(ir.Tags{tagFault}, tags...)})
	x.Builder.Emit(ir.Fence{Tags: x.entry()})
	x.Assign(x.elr(), ir.Number(x.handlerAddress(h.at), 64))
	pc := x.PC()
	x.Builder.Emit(ir.Branch{})
	x.SetTarget(pc, h.begin)
}

// handlerAddress returns the address of a cell of the thread's handler, behind the thread's code.
func (x *instr) handlerAddress(cell int) uint64 { return x.CodeAddress(x.Thread, x.Length()+1+cell) }

// Branch jumps to operand i, a label, if cond (nil: always) is 1. A handler has labels of its own, and those of its
// thread.
func (x *instr) Branch(i int, cond ir.Expr) {
	if x.handling != nil {
		if _, own := x.handling.labels[x.Ops[i].Text]; own {
			x.handling.jumps = append(x.handling.jumps, handlerJump{x.PC(), x.Ops[i]})
			x.Builder.Emit(ir.Branch{Cond: cond})
			return
		}
	}
	if x.copy != nil {
		x.branchInCopy(i, cond)
		return
	}
	if x.handling != nil && strings.HasPrefix(x.Ops[i].Text, ".") {
		x.Fail(i, "%s: a handler needs a label here", x.Ops[i].Text)
		return
	}
	x.Instr.Branch(i, cond)
}

// defineExceptions adds the instructions of exceptions and of the registers that handlers use.
func defineExceptions() {
	define("SVC", 0, 1, func(x *instr) {
		x.needs("exceptions", x.sys != nil)
		if x.sys == nil {
			return
		}
		if x.handling != nil || x.copy != nil {
			x.Fail(0, "exceptions in a handler, and in code that another thread runs, are not supported")
			return
		}
		x.RecordFault("SupervisorCall", x.labelsHere(), nil, nil)
		if x.sys.skip {
			return
		}
		x.Builder.Emit(ir.Fence{Tags: x.entry()})
		if x.sys.retry && x.sys.handlers[x.Thread] == nil {
			x.exit()
			return
		}
		x.handle(x.Here() + 1)
	})
	define("UDF", 0, 1, func(x *instr) {
		if x.sys == nil {
			x.needs("exceptions", false)
			return
		}
		x.fault("UndefinedInstruction", nil, nil)
	})
	define("ERET", 0, 0, func(x *instr) {
		x.exit()
		if h := x.handling; h != nil && h.faults {
			for i := range h.at + 1 {
				h.backs[x.PC()] = i
				here := ir.Number(x.handlerAddress(i), 64)
				x.Builder.Emit(ir.Branch{Cond: ir.Eq.Of(x.Value(x.elr()), here)})
			}
		}
		x.JumpAmong(x.Value(x.elr()), x.returnPoints(), x.Name)
	})
	define("MRS", 2, 2, func(x *instr) {
		reg := strings.ToUpper(x.Ops[1].Text)
		if x.sys != nil && x.sys.asks && reg == "PAR_EL1" {
			x.write(x.regOf(0, 64), x.result())
			return
		}
		if x.sys == nil || reg != "ELR_EL1" {
			x.Fail(1, "%s: only ELR_EL1 is supported, in tests with exceptions", x.Ops[1].Text)
			return
		}
		x.write(x.regOf(0, 64), x.Value(x.elr()))
	})
	define("MSR", 2, 2, func(x *instr) {
		if reg := strings.ToUpper(x.Ops[0].Text); x.sys == nil || reg != "ELR_EL1" {
			x.Fail(0, "%s: only ELR_EL1 is supported, in tests with exceptions", x.Ops[0].Text)
			return
		}
		x.Assign(x.elr(), x.read(x.regOf(1, 64)))
	})
}

// returnPoints lists the instructions to which the handler may return, by number: the one with the exception, the next
// one, and those with labels, forward ones first.
func (x *instr) returnPoints() (out []int) {
	site := -1
	if x.handling != nil {
		site = x.handling.site
	}
	seen := map[int]bool{}
	add := func(at int) {
		if !seen[at] && at <= x.Length() {
			seen[at] = true
			out = append(out, at)
		}
	}
	if site >= 0 {
		add(site)
		add(site + 1)
	}
	for at := 0; at <= x.Length(); at++ {
		if len(x.Labels(at)) > 0 {
			add(at)
		}
	}
	return out
}

// defineCalls adds calls of functions in the same thread.
func defineCalls() {
	define("BL", 1, 1, func(x *instr) {
		if x.handling != nil {
			x.Fail(0, "calls in a handler are not supported")
			return
		}
		x.write(reg{link, 64}, ir.Number(x.CodeAddress(x.codeThread(), x.here()+1), 64))
		x.pushReturn()
		x.Branch(0, nil)
	})
	define("BLR", 1, 1, func(x *instr) { x.callAt(x.Keep(x.read(x.regOf(0, 64)))) })
}

// callAt emits a call of the code at an address.
func (x *instr) callAt(to ir.Expr) {
	if x.handling != nil {
		x.Fail(0, "calls in a handler are not supported")
		return
	}
	x.write(reg{link, 64}, ir.Number(x.CodeAddress(x.codeThread(), x.here()+1), 64))
	x.pushReturn()
	x.jumpTo(x.fetchable(to), false)
}

// jumpTo jumps to an address: that of a label of the thread, or the one behind a call. Otherwise a return leads to the
// caller of the thread, and any other jump is an error of the execution.
func (x *instr) jumpTo(v ir.Expr, returns bool) {
	if x.sys != nil && x.sys.fetches {
		if threads := x.sys.foreignThreads(x.Test, x.Thread); len(threads) > 0 {
			x.jumpAnywhere(v, returns, threads)
			return
		}
	}
	points := x.returns[x.Thread]
	if len(points) == 0 {
		x.JumpTo(v, x.Name, returns)
		return
	}
	for at := 0; at <= x.Length(); at++ {
		if len(x.Labels(at)) > 0 && !containsInt(points, at) {
			points = append(points[:len(points):len(points)], at)
		}
	}
	for _, at := range points {
		x.JumpToNumber(ir.Eq.Of(v, ir.Number(x.CodeAddress(x.Thread, at), 64)), at, x.Name)
	}
	if !returns {
		x.Builder.Emit(ir.Lost{To: v})
	}
	x.End(nil)
}

func containsInt(list []int, v int) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}
