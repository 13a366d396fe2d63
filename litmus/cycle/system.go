package cycle

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"litmuscope/litmus/lower"
)

// Tests of a system's side access more than values. A mark says that an access is of the tag of its location (T), of
// the entry of its page table (Pte, PteV0 …), or that it fetches an instruction (I). Other accesses of such a location
// read the tag or the entry implicitly: they communicate with its writes, too. RfePteV0P leads from the write of an
// invalid entry to a read that faults, since its translation reads that entry. FrePPteV0 leads from a read that is
// translated by the entry before.
//
// A location then has two sequences: that of its values, of the accesses without marks, and that of its states, which
// are its tags, entries or instructions. Along the cycle, each write with a mark begins the next state. Every access
// expects the state that the last such write before it has begun. It shows that state by what it does: it reads a
// value, has a fault or none. Where two states would show in the same way, no test has the cycle (unclear).

// state is what a location's tag, entry or instruction is at one time.
type state struct {
	entry  lower.Entry
	number int // of a tag or an instruction: how often it has been written before
}

// sight is how an access shows the state that it uses.
type sight struct {
	state state  // of an access with a mark
	fault string // of one without: its fault, or the page that it accesses
	page  int
}

// systemCycles is that of the one dialect that has words for a system's side.
var systemCycles = sync.OnceValue(func() *lower.SystemCycles {
	for _, v := range vocabularies() {
		if v.System != nil {
			return v.System
		}
	}
	return nil
})

// System reports whether accesses of the cycle are of tags, entries or instructions.
func (c Cycle) System() bool {
	return slices.ContainsFunc(c, func(e Edge) bool { return marked()[e.From.Mark].Memory != lower.OfValue })
}

// memoryOf returns what a location of the cycle has beside its value.
func (p *plan) memoryOf(loc int) lower.Memory {
	if p.memory == nil {
		return lower.OfValue
	}
	return p.memory[loc]
}

// explicit reports whether event i accesses what its location has beside its value because its instruction says so: an
// instruction at a location is accessed as data, unless it is fetched.
func (p *plan) explicit(i int) bool {
	ev := p.events[i]
	m := marked()[ev.access.Mark].Memory
	if p.memoryOf(ev.loc) == lower.OfCode {
		return m == lower.OfValue
	}
	return m != lower.OfValue
}

// beginsState reports whether event i begins a state.
func (p *plan) beginsState(i int) bool {
	return p.events[i].access.Write && p.memoryOf(p.events[i].loc) != lower.OfValue && p.explicit(i)
}

// onState reports whether a communication is by the state of its location, and whether it is one at all: writes without
// a mark write no state, and accesses with one use no value.
func (p *plan) onState(edge int) (state, ok bool) {
	e, from, to := p.cycle[edge], edge, (edge+1)%len(p.events)
	m := p.memoryOf(p.events[from].loc)
	switch {
	case m == lower.OfValue:
		return false, true
	case m == lower.OfCode:
		return true, e.Kind != Hat
	case !p.explicit(from) && !p.explicit(to):
		return false, true
	case e.Kind == Rf:
		return true, p.beginsState(from)
	case e.Kind == Fr:
		return true, p.beginsState(to)
	case e.Kind == Co:
		return true, p.beginsState(from) || p.beginsState(to)
	}
	return true, false
}

// refuse records why no test has the cycle, at an edge of the plan.
func (p *plan) refuse(edge int, format string, args ...any) {
	if p.refused == nil {
		p.refused = &problem{p.at[edge], fmt.Sprintf(format, args...)}
	}
}

// enterStates lays out what locations have beside their values. It replaces what enterValues has found for these.
func (p *plan) enterStates() {
	p.memory = make([]lower.Memory, p.locs)
	some := false
	for i := range p.events {
		ev := &p.events[i]
		ev.about = -1
		m := marked()[ev.access.Mark].Memory
		if is := p.memory[ev.loc]; m != lower.OfValue && is != lower.OfValue && is != m {
			p.refuse(i, "%s: %s and another mark are of one location: use marks of one kind for each location",
				p.cycle[i], ev.access.Mark)
		}
		p.memory[ev.loc] = max(p.memory[ev.loc], m)
		some = some || m != lower.OfValue
	}
	p.enterMaintenance()
	if !some || p.refused != nil {
		return
	}
	if slices.Contains(p.memory, lower.OfCode) && slices.ContainsFunc(p.memory, func(m lower.Memory) bool {
		return m != lower.OfCode && m != lower.OfValue
	}) {
		at := slices.IndexFunc(p.events, func(ev event) bool { return p.isFetch(ev) })
		p.refuse(at, "%s begins at a fetch, and the cycle has tags or page tables, too: leave out either", p.cycle[at])
		return
	}
	if p.sized {
		p.refuse(0, "a cycle with tags, entries or instructions has no access sizes: leave out its sizes or its marks")
		return
	}
	p.states = make([][]state, p.locs)
	start := p.first()
	if p.before(start).Same {
		if start = p.firstState(); p.refused != nil {
			return
		}
		p.round = false
	}
	groups := make([][]int, p.locs) // the events of each location, in the order of the cycle
	for n := range p.events {
		i := (start + n) % len(p.events)
		if loc := p.events[i].loc; p.memory[loc] != lower.OfValue {
			groups[loc] = append(groups[loc], i)
		}
	}
	p.observers = slices.DeleteFunc(p.observers, func(o observer) bool { return p.memory[o.loc] != lower.OfValue })
	for loc, events := range groups {
		if len(events) > 0 {
			p.enterLocation(loc, events)
		}
	}
	for i := range p.events {
		p.checkState(i)
	}
}

// firstState returns where the states of a cycle on one location begin: at a write of one that a communication leads to
// from an access which then uses the initial state.
func (p *plan) firstState() int {
	for i := range p.events {
		from := (i + len(p.events) - 1) % len(p.events)
		state, ok := p.onState(from)
		if p.beginsState(i) && ok && state && !p.beginsState(from) && !p.before(from).Com() {
			return i
		}
	}
	p.refuse(p.first(), "on one location with tags, entries or instructions, a cycle needs an edge to a write of such "+
		"a thing from an access that uses the initial one, as in PosRR FrePPteV1")
	return 0
}

// enterLocation gives the events of one location their states and values. The last event of a cycle on one location
// comes before all others.
func (p *plan) enterLocation(loc int, events []int) {
	m := p.memory[loc]
	now := state{}
	for seen, i := map[lower.EntryField]bool{}, 0; i < len(events); i++ {
		if mark := marked()[p.events[events[i]].access.Mark]; mark.Field != lower.NoField && !seen[mark.Field] {
			seen[mark.Field] = true
			if mark.Field != lower.FieldOutput && !seen[lower.FieldOutput] {
				now.entry = now.entry.Set(mark.Field, !mark.On)
			}
		}
	}
	p.states[loc] = []state{now}
	p.order[loc], p.final[loc] = nil, -1
	for _, i := range events {
		p.events[i].asked = false
	}
	value := 0
	if len(events) == len(p.events) { // the cycle is on one location
		last := events[len(events)-1]
		p.events[last].state, p.events[last].asked = now, false
		events = events[:len(events)-1]
	}
	for _, i := range events {
		ev := &p.events[i]
		if p.beginsState(i) {
			mark := marked()[ev.access.Mark]
			now.number++
			now.entry = now.entry.Set(mark.Field, mark.On)
			if slices.ContainsFunc(p.states[loc], func(s state) bool {
				return s.entry == now.entry && (m == lower.OfEntry || s.number == now.number)
			}) {
				p.refuse(i, "%s begins at a write of an entry that the page table has at another time, too: the value "+
					"would not identify its write", p.cycle[i])
			}
			p.states[loc] = append(p.states[loc], now)
		} else if m != lower.OfCode && !p.explicit(i) && ev.access.Write {
			value++
			p.order[loc] = append(p.order[loc], i)
		}
		ev.state, ev.value, ev.old = now, value, max(value-1, 0)
		ev.asked = !ev.access.Write && m != lower.OfCode && !p.explicit(i) && p.usesValue(i)
	}
	p.checkLocation(loc)
	if value == 2 {
		p.final[loc] = 2
	}
}

// usesValue reports whether a communication of event i is by the value of its location.
func (p *plan) usesValue(i int) bool {
	from := (i + len(p.events) - 1) % len(p.events)
	into, _ := p.onState(from)
	out, _ := p.onState(i)
	in, on := p.before(i), p.cycle[i]
	return !into && (in.Kind == Rf || in.Kind == Hat) || !out && (on.Kind == Fr || on.Kind == Hat)
}

// checkLocation refuses locations whose order of writes the condition could not name, and instructions at several
// places.
func (p *plan) checkLocation(loc int) {
	m, fetches, fetch := p.memory[loc], 0, 0
	at := slices.IndexFunc(p.events, func(ev event) bool { return ev.loc == loc })
	for i, ev := range p.events {
		if ev.loc == loc && m == lower.OfCode && !p.explicit(i) {
			fetches, fetch = fetches+1, i
		}
	}
	if m == lower.OfEntry {
		for _, s := range p.states[loc] {
			if s.entry.Output > 0 && len(p.order[loc]) > 0 {
				p.refuse(at, "%s: the location has another output address and writes of its value: leave out either",
					p.cycle[at])
			}
		}
	}
	switch states := len(p.states[loc]); {
	case fetches > 1:
		p.refuse(fetch, "%s begins at a second fetch of one location: an instruction is at one place, where one "+
			"access fetches it", p.cycle[fetch])
	case m == lower.OfCode && states > 2:
		p.refuse(at, "%s: the location has %d writes of its instruction: want at most one", p.cycle[at], states-1)
	case states > 3:
		p.refuse(at, "%s: the location has %d writes of its tag or entry: want at most 2", p.cycle[at], states-1)
	case len(p.order[loc]) > 2:
		p.refuse(at, "%s: the location has %d writes of its value beside those with marks: want at most 2", p.cycle[at],
			len(p.order[loc]))
	}
}

// checkState refuses edges at event i that do not fit what its location has beside its value.
func (p *plan) checkState(i int) {
	e, j := p.cycle[i], (i+1)%len(p.events)
	from := p.events[i]
	m := p.memory[from.loc]
	state, ok := p.onState(i)
	fails := p.faultOf(i)
	switch {
	case e.Turn == Leave || e.Turn == Back:
		p.refuse(i, "%s: a cycle with tags, entries or instructions passes through each thread once: want edges such "+
			"as Rfe, Fre and Wse", e)
	case e.Kind == Rmw && (m != lower.OfValue) || m != lower.OfValue && (from.access.Mark == exclusive):
		p.refuse(i, "%s: atomic updates of locations with a tag, an entry or an instruction are not supported in "+
			"cycles: want loads and stores", e)
	case e.Com() && !ok:
		p.refuse(i, "%s: its ends have nothing in common: a write without a mark writes no tag and no entry, and an "+
			"access with a mark uses no value", e)
	case e.Com() && state:
		p.refuseUnclear(i, i)
		p.refuseUnclear(i, j)
	case e.Com() && m != lower.OfValue && (fails != "" || p.faultOf(j) != ""):
		p.refuse(i, "%s: one of its ends faults, and so accesses no value", e)
	}
	if mark := from.access.Mark; fails != "" && mark != "" {
		p.refuse(i, "%s begins at an access that faults (%s), and so is neither acquire nor release: leave out its %s",
			e, fails, mark)
	}
	if e.Kind == Dp {
		p.checkDependency(i, j)
	}
	if events := p.threads[from.thread]; fails != "" && events[len(events)-1] != i {
		p.refuse(i, "%s begins at an access that faults (%s), which ends its thread: make it the last one "+
			"there", e, fails)
	}
}

// checkDependency refuses a dependency that no instruction could have.
func (p *plan) checkDependency(i, j int) {
	e, from, to := p.cycle[i], p.events[i], p.events[j]
	branch := strings.HasPrefix(e.Name, "Ctrl")
	switch {
	case marked()[from.access.Mark].Memory == lower.OfCode:
		p.refuse(i, "%s begins at a fetch, on which no value depends: want Po or a fence", e)
	case marked()[to.access.Mark].Memory == lower.OfCode && !branch:
		p.refuse(i, "%s ends at a fetch, which has no address or value to compute: want Ctrl or CtrlIsb", e)
	case e.Name == "Data" && p.faultOf(j) != "":
		p.refuse(i, "%s ends at a write that faults, which depends on no value: want Addr or Ctrl", e)
	}
}

// faultOf returns the kind of the fault that event i expects, "" for none.
func (p *plan) faultOf(i int) string {
	ev := p.events[i]
	if p.memoryOf(ev.loc) != lower.OfEntry || p.explicit(i) {
		return ""
	}
	return systemCycles().Fault(ev.state.entry, ev.access.Write)
}

// sightOf returns how event i shows a state of its location.
func (p *plan) sightOf(i int, s state) sight {
	ev := p.events[i]
	if p.memoryOf(ev.loc) != lower.OfEntry || p.explicit(i) {
		return sight{state: s}
	}
	fault := systemCycles().Fault(s.entry, ev.access.Write)
	if fault == "" && !ev.access.Write {
		return sight{page: s.entry.Output}
	}
	return sight{fault: fault}
}

// refuseUnclear refuses an edge if event i would show another state of its location in the same way as its own.
func (p *plan) refuseUnclear(edge, i int) {
	ev := p.events[i]
	if p.beginsState(i) {
		return
	}
	same := 0
	for _, s := range p.states[ev.loc] {
		if p.sightOf(i, s) == p.sightOf(i, ev.state) {
			same++
		}
	}
	if same > 1 {
		p.refuse(edge, "%s: its %s does the same by the entry before and after a write of it: want a write that makes "+
			"a difference to it, such as PteV1", p.cycle[edge], access[Access{Write: ev.access.Write}])
	}
}

// enterMaintenance finds what the maintenance of each fence is about: the location before it, if that is accessed with
// a mark or as data, or else the one behind it, or else the one before it.
func (p *plan) enterMaintenance() {
	for i, e := range p.cycle {
		if e.Kind != Fence {
			continue
		}
		m := fences()[e.Name].Maintains
		if m == lower.OfValue {
			continue
		}
		j := (i + 1) % len(p.events)
		before, after := p.memory[p.events[i].loc] == m, p.memory[p.events[j].loc] == m
		switch {
		case before && (p.explicit(i) || !after):
			p.events[j].about = p.events[i].loc
		case after:
			p.events[j].about = p.events[j].loc
		case m == lower.OfCode:
			p.refuse(i, "%s: neither of its accesses is of a location that is fetched: give another access there the "+
				"mark I", e)
		default:
			p.refuse(i, "%s: neither of its accesses is of a location whose entry is accessed: give another access "+
				"there a mark such as PteV1", e)
		}
	}
}
