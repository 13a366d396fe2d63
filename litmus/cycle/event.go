package cycle

import (
	"fmt"
	"math"
	"slices"

	"litmuscope/litmus/lower"
)

// A cycle laid out as a test. The events are the points where edges meet. Three things are chosen so that the condition
// holds in exactly the executions that have the cycle: threads, locations and values.
//
// Threads and locations follow from the edges: an edge to another thread ends one, and an edge between two locations
// (d) changes the location. The order of events of one location along the cycle is then the order that the cycle gives
// to its writes, since Rf, Fr and Co all lead forward in it. Stores get the values 1, 2, 3 … in that order, and each
// read expects the value of the last write before it. So the value of a read identifies its write, and an Fr is a read
// that sees an older one.
//
// The values of reads do not show the order of writes by themselves. Some neighbours are ordered by coherence, given
// what reads see (orderKnown). The condition asks for the final value of a location with several writes, which must be
// that of the last one. For the remaining neighbours, an additional thread, the observer, reads their values one after
// another.
//
// An atomic instruction computes the value that it writes from the one that it reads. Its operand is chosen so that the
// result is a new number (makes).

// event is an access of the planned test.
type event struct {
	edge   int // the edge of the cycle that starts here
	thread int
	loc    int
	access Access
	value  int // the value of a write, or the expected value of a read
	old    int // the value that a write overwrites
	step   int // the operand of an atomic instruction
	// In a cycle whose accesses have parts: the contents that an access finds in its part, and the number with which a
	// write fills its part.
	seen   contents
	writes int
	// asked: the condition names the value of the read.
	asked bool
	// state is the tag, entry or instruction that the event uses or begins, in a location that has such. about is the
	// location that the maintenance before the event is about, -1 for none.
	state state
	about int
	// after says how the event follows the previous one of its thread: by an Inside edge, or by
	// plain program order for the first of a thread and after a Back.
	after Edge
}

// observer lists the values that an additional thread must read from a location, in order, for the writes to have the
// order of the cycle.
type observer struct {
	loc    int
	part   Part
	values []int
}

// plan is a test before it is text.
type plan struct {
	arch      string
	sized     bool    // accesses have parts
	bigEndian bool    // then: the first byte of a number is its highest
	words     Cycle   // from the first edge of the first thread
	cycle     Cycle   // the same, with Detours split
	at        []int   // by edge: its index in the caller's order
	round     bool    // on one location, with a cyclic order of writes
	cut       int     // if accesses have parts: the edge that ends where the order of writes begins
	events    []event // by edge: the event where it starts
	threads   [][]int // events, in program order
	locs      int     // in the order in which threads access them
	falls     []int   // by location: the number of writes that make its value less
	order     [][]int // by location: its writes in the order of the cycle
	final     []int   // by location: its final value, -1 if the condition does not name it
	observers []observer
	// In a cycle of a system's side: by location, what it has beside its value, and its states in the order of the
	// cycle.
	memory  []lower.Memory
	states  [][]state
	refused *problem // why no test has the cycle
}

// parts splits a Detour into the edge to the other thread and the edge back.
func (e Edge) parts() []Edge {
	if e.Kind != Detour {
		return []Edge{e}
	}
	there := Edge{Kind: Fr, Turn: Leave, Same: true, From: e.From, To: write}
	if e.From.Write {
		there.Kind = Co
	}
	return []Edge{there, {Kind: Rf, Turn: Back, Same: true, From: write, To: e.To}}
}

// problem returns the reason why no execution of any model has a cycle whose edges meet.
func (p *plan) problem() *problem {
	if i := p.scattered(); i >= 0 {
		return &problem{p.at[i], fmt.Sprintf("%s: other edges put its two threads closer together. All edges between "+
			"threads must agree on which threads share a scope", p.cycle[i])}
	}
	if p.refused != nil {
		return p.refused
	}
	if p.sized {
		return p.confused()
	}
	for i, e := range p.cycle {
		j := (i + 1) % len(p.cycle)
		from, to := p.events[i], p.events[j]
		if !e.Same || from.loc != to.loc || !to.access.Write || p.memoryOf(to.loc) != lower.OfValue {
			continue
		}
		switch {
		case e.Kind == Fr && from.value == to.value:
			return &problem{p.at[i], fmt.Sprintf("%s ends at the write that its read takes its value from", e)}
		case e.Kind == Rmw && p.round && adds(e.Name):
			return &problem{p.at[i], fmt.Sprintf("%s would add to a value that depends on its own sum", e)}
		case (e.Kind == Rmw || to.access.Mark == exclusive) && to.old == to.value && !p.rewritten(to.value):
			return &problem{p.at[i], fmt.Sprintf("%s would read the value that it writes itself", e)}
		case e.Kind == Rmw && (to.value > math.MaxInt32 && atomics()[e.Name].Makes < lower.Counts || p.written(j)):
			return &problem{p.at[i], fmt.Sprintf("%s would write a value that its location also has at another "+
				"time, or a number too large: the value would not identify its write", e)}
		case e.Kind == Rmw && p.interchangeable(j):
			return &problem{p.at[i], fmt.Sprintf("%s could change places with another write to the location: the "+
				"values would not tell them apart", e)}
		}
	}
	return nil
}

// written reports whether a location can have the value of a write without that write.
func (p *plan) written(write int) bool {
	ev := p.events[write]
	return ev.value == p.initial(ev.loc) || slices.ContainsFunc(p.order[ev.loc],
		func(i int) bool { return i != write && p.events[i].value == ev.value })
}

// interchangeable reports whether an earlier atomic instruction on the location returns nothing and has no operand, and
// the write does the same to the value that it finds. In the other order the two would leave the same values.
func (p *plan) interchangeable(write int) bool {
	does := func(write int) string { return p.before(write).Name }
	name := does(write)
	if atomics()[name].Makes < lower.Counts || !unseen(name) {
		return false
	}
	writes := p.order[p.events[write].loc]
	return slices.ContainsFunc(writes[:slices.Index(writes, write)], func(i int) bool { return does(i) == name })
}

// rewritten reports whether some read writes back the value that it has read.
func (p *plan) rewritten(value int) bool {
	for i, ev := range p.events {
		if !ev.access.Write && ev.value == value && p.cycle[i].Kind != Rmw && marked()[ev.access.Mark].Rewrites {
			return true
		}
	}
	return false
}

// planned lays out a cycle as a test.
//
// Check uses the layout as well, to find out whether the values identify the writes (problem).
func planned(arch string, c Cycle) *plan {
	start := c.start()
	c = slices.Concat(c[start:], c[:start])
	p := &plan{arch: arch, words: c, sized: c.Sized()}
	if v := find(arch); v != nil {
		p.bigEndian = v.BigEndian
	}
	for i, e := range c {
		for _, part := range e.parts() {
			p.cycle = append(p.cycle, part)
			p.at = append(p.at, (start+i)%len(c))
		}
	}
	p.events = make([]event, len(p.cycle))
	p.enterThreads()
	p.enterLocations()
	if p.sized {
		p.enterBytes()
	} else {
		p.enterValues()
	}
	p.enterStates()
	return p
}

// enterThreads sets the thread of each event, and how it follows the previous one.
func (p *plan) enterThreads() {
	thread := 0
	p.threads = [][]int{nil}
	var left []int
	for i, e := range p.cycle {
		ev := &p.events[i]
		*ev = event{edge: i, thread: thread, access: e.From, after: Edge{Kind: Po}}
		if i > 0 && p.cycle[i-1].Turn == Inside {
			ev.after = p.cycle[i-1]
		}
		p.threads[thread] = append(p.threads[thread], i)
		switch e.Turn {
		case Back:
			thread, left = left[len(left)-1], left[:len(left)-1]
		case Leave:
			left = append(left, thread)
			fallthrough
		case Across:
			if i+1 < len(p.cycle) {
				thread = len(p.threads)
				p.threads = append(p.threads, nil)
			}
		}
	}
}

// enterLocations gives events the same location if edges on one location join them.
//
// Groups have numbers in the order of threads, and within a thread in program order, so that the first thread accesses
// x first, as in the field's tests.
func (p *plan) enterLocations() {
	names := map[int]int{} // first event of a group of such events → its location
	first := p.first()
	heads := make([]int, len(p.events))
	head := first
	for n := range p.cycle {
		i := (first + n) % len(p.cycle)
		heads[i] = head
		if !p.cycle[i].Same {
			head = (i + 1) % len(p.cycle)
		}
	}
	for _, events := range p.threads {
		for _, i := range events {
			loc, ok := names[heads[i]]
			if !ok {
				loc = len(names)
				names[heads[i]] = loc
			}
			p.events[i].loc = loc
		}
	}
	p.locs = len(names)
}

// before returns the edge that leads to event i.
func (p *plan) before(i int) Edge {
	n := len(p.cycle)
	return p.cycle[(i%n+n-1)%n]
}

// first returns the event at which the order of a location's writes starts: one that an edge between two locations
// leads to. If there is only one location, the cycle must have a cut: before a write that follows a read whose value no
// edge determines, because that read can see the initial value; else before a read; else before any write.
func (p *plan) first() int {
	cuts := make([]int, 4)
	for i := range cuts {
		cuts[i] = -1
	}
	for i := range p.cycle {
		e, rank := p.before(i), 3
		switch {
		case !e.Same:
			rank = 0
		case p.free(i):
			rank = 1
		case e.Kind == Rf:
			rank = 2
		case e.Kind == Fr || e.Kind == Co:
		default:
			continue
		}
		if cuts[rank] < 0 {
			cuts[rank] = i
		}
	}
	for _, i := range cuts {
		if i >= 0 {
			return i
		}
	}
	panic("BUG: a cycle without communications")
}

// free reports whether an Fr leads from a read to write i, and no edge determines which write that read sees, or
// another read that sees the same write.
func (p *plan) free(i int) bool {
	if p.before(i).Kind != Fr {
		return false
	}
	for i--; p.before(i).Kind == Hat; i-- {
	}
	return p.before(i).Kind != Rf
}

// enterValues numbers the writes of each location in the order of the cycle, and finds what the condition must say for
// them to have that order. If there is one location, numbering starts at the first thread's writes, wherever their
// order begins. If some writes clear bits of the old value, such as an and, as many of the lowest bits are set
// initially, one for each such write; the numbers of other writes are above those bits.
func (p *plan) enterValues() {
	first := p.first()
	p.falls = make([]int, p.locs)
	for i := range p.events {
		if atomics()[p.before(i).Name].Makes.Falls() {
			p.falls[p.events[i].loc]++
		}
	}
	closing := p.before(first)
	single := closing.Same
	numbers := make([]int, len(p.events))
	for i, n := 0, 0; i < len(p.events) && single; i++ {
		single = !adds(p.before(i).Name)
		if p.events[i].access.Write {
			n++
			numbers[i] = n
		}
	}
	last, next := p.initial(p.events[first].loc), 1
	p.order = make([][]int, p.locs)
	for n := range p.cycle {
		i := (first + n) % len(p.cycle)
		ev := &p.events[i]
		in, out := p.before(i), p.cycle[i]
		if !in.Same {
			last, next = p.initial(ev.loc), 1
		}
		if !ev.access.Write {
			ev.value = last
			ev.asked = (in.Kind == Rf || in.Kind == Hat || out.Kind == Fr || out.Kind == Hat || out.Kind == Rmw) &&
				!unseen(out.Name)
			continue
		}
		if single {
			next = numbers[i]
		}
		ev.old = last
		ev.step, ev.value = makes(in.Name, last, next, p.falls[ev.loc])
		last = ev.value
		if atomics()[in.Name].Makes < lower.Negates { // their results are large numbers
			next = max(next, ev.value>>p.falls[ev.loc]+1)
		}
		p.order[ev.loc] = append(p.order[ev.loc], i)
	}
	switch {
	case !closing.Same:
	case p.free(first):
		for i := first; p.before(i).Kind == Fr && i == first || p.before(i).Kind == Hat; {
			i = (i + len(p.cycle) - 1) % len(p.cycle)
			p.events[i].value = p.initial(p.events[i].loc)
		}
	default:
		// Cut at its first event, a cycle on one location returns to it with the last
		// value: reads there see it, and a write directly after them follows it.
		i := first
		for ; !p.events[i].access.Write; i = (i + 1) % len(p.cycle) {
			if i != first && p.before(i).Kind != Hat {
				break
			}
			p.events[i].value = last
		}
		if p.events[i].access.Write {
			p.events[i].old, p.round = last, true
		}
	}
	p.enterOrder()
}

// enterOrder adds to the condition what the order of each location's writes needs, if coherence and the rest of the
// condition leave it open: the last write by the final value, others by an observer.
func (p *plan) enterOrder() {
	p.final = make([]int, p.locs)
	for loc, writes := range p.order {
		p.final[loc] = -1
		if len(writes) == 0 {
			continue
		}
		var open [][2]int // pairs of neighbours
		pairs := len(writes) - 1
		if p.round {
			pairs++
		}
		for n := range pairs {
			pair := [2]int{writes[n], writes[(n+1)%len(writes)]}
			if !p.orderKnown(pair[0], pair[1]) {
				open = append(open, pair)
			}
		}
		last := writes[len(writes)-1]
		switch {
		case p.round && len(open) > 0:
			// A cyclic order has no last write: the final value can replace an observer for one pair.
			p.final[loc] = p.events[open[len(open)-1][1]].value
			open = open[:len(open)-1]
		case !p.round && p.stores(loc) > 1:
			p.final[loc] = p.events[last].value
			open = slices.DeleteFunc(open, func(pair [2]int) bool { return pair[1] == last })
		}
		var chain []int
		for n, pair := range open {
			if n == 0 || open[n-1][1] != pair[0] {
				chain = append(chain, p.events[pair[0]].value)
			}
			chain = append(chain, p.events[pair[1]].value)
		}
		if chain != nil {
			p.observers = append(p.observers, observer{loc: loc, values: chain})
		}
	}
}

// stores counts the instructions that store to a location. A pair of exclusives for a write counts twice, because its
// success depends on other threads.
func (p *plan) stores(loc int) int {
	n := 0
	for i, ev := range p.events {
		if ev.loc != loc {
			continue
		}
		if ev.access.Write {
			n++
		}
		if ev.access.Mark == exclusive || ev.access.Write && p.before(i).Name == pairName {
			n++
		}
	}
	return n
}

// orderKnown reports whether coherence puts one write before another, given the condition: because of two accesses of a
// thread, or because the other write is atomic and its read sees the first.
func (p *plan) orderKnown(from, to int) bool {
	w, v := p.events[from], p.events[to]
	atomic := v.access.Mark == exclusive || v.after.Kind == Rmw && !unseen(v.after.Name)
	if atomic && v.old == w.value {
		return true
	}
	for _, thread := range p.threads {
		for n, i := range thread {
			a := p.events[i]
			if a.loc != w.loc || a.value != w.value || !a.access.Write && !a.asked {
				continue
			}
			for _, j := range thread[n+1:] {
				b := p.events[j]
				if b.loc == w.loc && b.value == v.value && (b.access.Write || a.access.Write && b.asked) {
					return true
				}
			}
		}
	}
	return false
}

// initial returns the initial value of a location.
func (p *plan) initial(loc int) int { return 1<<p.falls[loc] - 1 }

// adds reports whether the write of an atomic instruction depends on its read.
func adds(rmw string) bool { return atomics()[rmw].Makes != lower.Puts }

// unseen reports whether an atomic instruction returns nothing.
func unseen(rmw string) bool { return atomics()[rmw].Unseen }

// makes returns the operand with which a write changes the value old to a new one, and that new value: a new number
// above the bits that will be cleared, or one of these bits less.
func makes(rmw string, old, next, falls int) (operand, value int) {
	least := old & (1<<falls - 1)
	switch atomics()[rmw].Makes {
	case lower.Adds:
		return next << falls, old + next<<falls
	case lower.Sets:
		bit := 1 << falls
		for bit <= old {
			bit *= 2
		}
		return bit, old | bit
	case lower.Flips:
		value = (old>>falls+next)<<falls | least
		return old ^ value, value
	case lower.Greater:
		value = (old>>falls+next)<<falls | least
		return value, value
	case lower.Keeps:
		return old & (old - 1), old & (old - 1)
	case lower.Takes:
		return old &^ (old - 1), old & (old - 1)
	case lower.Counts:
		return 0, old + 1
	case lower.Drops:
		return 0, old - 1
	case lower.Negates:
		return 0, int(uint32(-old))
	case lower.Inverts:
		return 0, int(^uint32(old))
	}
	value = (next+1)<<falls - 1
	return value, value
}

// pairName is the read-modify-write that consists of two instructions; exclusive is the mark of its
// accesses.
const (
	pairName  = lower.Pair
	exclusive = lower.Exclusive
)

// locName returns the name of a location as people choose it: x, y, z, a, b …
func locName(i int) string {
	const names = "xyzabcdefghijklmnopqrstuvw"
	if i < len(names) {
		return names[i : i+1]
	}
	return fmt.Sprintf("x%d", i-len(names))
}
