package promising

import "litmuscope/litmus/ir"

// view bounds from below the timestamps that are possible for an access. It has a part for each way in which the models
// order an access after an earlier read:
//
//   - order: after everything up to this timestamp.
//   - dep: what an access with a dependency on the read comes after. It exceeds order only behind an atomic update,
//     whose inner data dependency orders what depends on it further, but not the read that takes its value.
//   - pick: the same for dependencies through choices (PICK events), which order writes only.
//   - late, lateDep, latePick: the same three for what orders only the writes that are locally ordered after an access:
//     pick-lob in aarch64.cat.
//
// Registers carry all parts. What orders events, such as a fence, has order and late.
type view struct {
	order, dep, pick        int
	late, lateDep, latePick int
}

// at is the view of a message that another access reads.
func at(t int) view { return view{order: t, dep: t, pick: t} }

// join returns the larger of both views, part by part.
func (v view) join(w view) view {
	return view{
		max(v.order, w.order), max(v.dep, w.dep), max(v.pick, w.pick),
		max(v.late, w.late), max(v.lateDep, w.lateDep), max(v.latePick, w.latePick),
	}
}

// used is the view of an access with a dependency on a value that has the view v.
func (v view) used() view {
	return view{v.dep, v.dep, v.pick, v.lateDep, v.lateDep, v.latePick}
}

// ordered is what the event with view v adds to events that are ordered after it.
func (v view) ordered() view {
	late := max(v.late, v.pick)
	return view{order: v.order, late: late}
}

// closed makes the parts of a value's view include each other: what is ordered also is a dependency, and a dependency
// is one through choices, too.
func (v view) closed() view {
	v.dep = max(v.dep, v.order)
	v.pick = max(v.pick, v.dep)
	v.lateDep = max(v.lateDep, v.late)
	v.latePick = max(v.latePick, v.lateDep)
	return v
}

// write is the timestamp that a write with the view v comes after: each part orders writes.
func (v view) write() int {
	return max(v.order, v.dep, v.pick, v.late, v.lateDep, v.latePick)
}

// rules says in which points the machines differ.
type rules struct {
	// choices: a dependency through a PICK event orders writes only, as in Armv8-A. Otherwise it is a dependency like
	// others.
	choices bool
	// forwards: a plain read may take the value of its own thread's atomic update before that is in memory.
	forwards bool
	// updates: what comes after the read of an atomic instruction comes after its write, too.
	updates bool
	// addresses: an instruction barrier also orders reads after what determines the addresses of earlier accesses.
	addresses bool
	// unread: light fences do not order reads whose values the instruction drops.
	unread bool
}

// machines are the rules by model.
var machines = map[string]rules{
	"aarch64": {choices: true, forwards: true, addresses: true, unread: true},
	"riscv":   {updates: true},
}

// Tags of AArch64's accesses that matter to the machine.
const (
	tagNoRet ir.Tag = "NoRet"
	tagCAS   ir.Tag = "CAS"
)
