package aarch64

import (
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Address translation instructions (DDI 0487, C5.5 and D8.9). AT S1E1R,X0 translates an address as a read at EL1 would,
// and never faults: PAR_EL1 has the result. An instruction sees it for sure behind an ISB; before, PAR_EL1 has the
// result before or the new one. A result has the output address, or the bit F for a translation with a fault. Outcomes
// name it parel1_t:(f:1) or parel1_t:(oa:PA(x)).

const (
	resultFault = 1<<11 | 1               // F, and a bit that is always set
	resultFound = 0xff<<56 | 1<<11 | 3<<7 // Normal memory that all threads share
	resultName  = "(parel1_t:("           // how outcomes name results
)

// atResults are the registers of a thread for results: the last one of AT, the one in PAR_EL1, and 1 bit that says
// whether the last one may not be in PAR_EL1 yet.
type atResults struct{ last, seen, waits int }

// atResults returns the registers for results of the current thread.
func (x *instr) atResults() atResults {
	r, ok := x.sys.results[x.Thread]
	if !ok {
		r = atResults{x.Temp(64), x.Temp(64), x.Temp(1)}
		x.sys.results[x.Thread] = r
	}
	return r
}

// defineQuestions adds address translation instructions.
func defineQuestions() {
	define("AT", 2, 2, func(x *instr) {
		if x.sys == nil || !x.sys.translates {
			x.needs("page tables", false)
			return
		}
		what := strings.ToUpper(x.Ops[0].Text)
		if len(what) != 5 || what[:3] != "S1E" || !strings.Contains("01", what[3:4]) ||
			!strings.Contains("RW", what[4:]) {
			x.Fail(0, "%s is not supported: want S1E0R, S1E0W, S1E1R or S1E1W", x.Ops[0].Text)
			return
		}
		if x.sys.hardware[x.Thread].access {
			x.Fail(0, "%s together with updates of entries by hardware (TTHM=) is not supported", x.Ops[0].Text)
			return
		}
		x.ask(what[3] == '0', what[4] == 'W')
	})
}

// ask emits the translation of AT, at EL0 or EL1, for a read or a write.
func (x *instr) ask(el0, writes bool) {
	at := physical(x.Keep(x.read(x.regOf(1, 64))))
	page := ir.BitAnd.Of(at, ir.Number(addressMask&^(pageBytes-1), 64))
	read := ir.Load{
		Dst: x.Temp(64), Addr: ir.BitOr.Of(page, ir.Number(entryOffset, 64)), Bits: 64,
		Tags: ir.Tags{tagImplicit, tagEntry, tagAside},
	}
	x.EmitHidden(read)
	v := x.Value(read.Dst)
	found := ir.BitAnd.Of(bitOf(v, entryValid), bitOf(v, entryAF))
	faults := ir.BitOr.Of(ir.Not(found), entryDenies(v, writes, el0))
	output := ir.BitOr.Of(ir.BitAnd.Of(v, ir.Number(entryOutput, 64)), ir.Number(resultFound, 64))
	r := x.atResults()
	x.Assign(r.last, ir.Cond{If: faults, Then: ir.Number(resultFault, 64), Else: output})
	x.Assign(r.waits, ir.Number(1, 1))
}

// seeResult makes PAR_EL1 have the last result.
func (x *instr) seeResult() {
	if x.sys == nil || !x.sys.asks {
		return
	}
	r := x.atResults()
	x.Assign(r.seen, ir.Cond{If: x.Value(r.waits), Then: x.Value(r.last), Else: x.Value(r.seen)})
	x.Assign(r.waits, ir.Number(0, 1))
}

// result returns what is read from PAR_EL1.
func (x *instr) result() ir.Expr {
	r := x.atResults()
	early := x.Temp(1)
	x.Builder.Emit(ir.Choose{Dst: early})
	differ := ir.Not(ir.Eq.Of(x.Value(r.last), x.Value(r.seen)))
	may := ir.BitAnd.Of(x.Value(r.waits), differ)
	x.Builder.Emit(ir.Assume{Cond: ir.BitOr.Of(ir.Not(x.Value(early)), may)})
	return ir.Cond{If: x.Value(early), Then: x.Value(r.last), Else: x.Value(r.seen)}
}

// resultValue returns the number of a result that a test names: parel1_t:(f:1) or parel1_t:(oa:PA(x)), which may have
// f:0 too.
func (s *system) resultValue(b *lower.Builder, l litmus.Literal) uint64 {
	v := uint64(resultFound)
	for _, part := range entryParts(l.Entry) {
		name, value, _ := strings.Cut(part, ":")
		of, isPA := strings.CutPrefix(value, "PA(")
		switch {
		case name == "f" && value == "1":
			return resultFault
		case name == "f" && value == "0":
		case name == "oa" && isPA:
			v |= s.physicalOf(b, strings.TrimSuffix(of, ")"), l.Pos)
		default:
			b.Failf(l.Pos, "%s: got %s in parel1_t, want f:1 or oa:PA(x)", b.Test.Arch, part)
			return 0
		}
	}
	if v == resultFound {
		b.Failf(l.Pos, "%s: parel1_t has no output address: want parel1_t:(oa:PA(x)) or parel1_t:(f:1)", b.Test.Arch)
	}
	return v
}

// result names a result of AT.
func (n names) result(v uint64) (string, bool) {
	if !n.system.asks {
		return "", false
	}
	if v == resultFault {
		return resultName + "f:1))", true
	}
	page, ok := n.output(v & entryOutput)
	if v&^entryOutput != resultFound || !ok {
		return "", false
	}
	return resultName + "oa:PA(" + page + ")))", true
}

// findResult is the inverse of result.
func (n names) findResult(text string) (uint64, bool) {
	inside, ok := strings.CutPrefix(text, resultName)
	switch inside = strings.TrimSuffix(inside, "))"); {
	case !ok:
		return 0, false
	case inside == "f:1":
		return resultFault, true
	}
	entry, ok := n.findEntry("(" + inside + ")")
	return entry&entryOutput | resultFound, ok
}
