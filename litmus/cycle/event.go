package cycle

import (
	"fmt"
	"slices"
)

// event is an access of the test to be.
type event struct {
	edge   int // the edge of the cycle that starts here
	thread int
	loc    int
	access Access
	value  int // what a write writes, and a read is to see
	old    int // what a write comes right after
	step   int // what an atomic addition adds
	// asked: the condition says what the read sees.
	asked bool
	// after is how the event follows the one before it in its thread: an Inside edge, or
	// plain program order for the first of a thread and behind a Back.
	after Edge
}

// observer is what a thread of its own has to see of a location, one after the other, for
// the writes to have the order of the cycle.
type observer struct {
	loc    int
	values []int
}

// plan is a test before it is text.
type plan struct {
	arch      string
	cycle     Cycle   // Detours taken apart, from the first edge of the first thread
	events    []event // that of each edge
	threads   [][]int // events, in program order
	locs      int     // in the order in which threads come to them
	final     []int   // what a location holds in the end, -1 where nobody asks
	observers []observer
}

// taken apart, a Detour is the way there and the way back.
func (c Cycle) undetoured() Cycle {
	var out Cycle
	for _, e := range c {
		if e.Kind != Detour {
			out = append(out, e)
			continue
		}
		there := Edge{Kind: Fr, Turn: Leave, Same: true, From: e.From, To: write}
		if e.From.Write {
			there.Kind = Co
		}
		out = append(out, there, Edge{Kind: Rf, Turn: Back, Same: true, From: write, To: e.To})
	}
	return out
}

// planned lays a cycle out.
func planned(arch string, c Cycle) *plan {
	start := c.start()
	c = slices.Concat(c[start:], c[:start]).undetoured()
	p := &plan{arch: arch, cycle: c, events: make([]event, len(c))}
	p.enterThreads()
	p.enterLocations()
	p.enterValues()
	return p
}

// enterThreads gives each event its thread, and how it comes after the one before.
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

// enterLocations gives events that are joined by edges of one location the same one.
func (p *plan) enterLocations() {
	names := map[int]int{} // the first event of a round of edges → its location
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

// before is the edge that leads to event i.
func (p *plan) before(i int) Edge { return p.cycle[(i+len(p.cycle)-1)%len(p.cycle)] }

// first is the event that the order of a location's writes starts from: one that an edge
// of two locations leads to. Where there is one location, the round of its accesses has
// to be cut somewhere: before a write that a read comes before which nothing says the
// value of, for it can see the initial one; else before a read; else before any write.
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

// free tells that a read comes before write i by an Fr, and that no edge says what it sees.
func (p *plan) free(i int) bool {
	n := len(p.cycle)
	from := p.before((i + n - 1) % n)
	return p.before(i).Kind == Fr && from.Kind != Rf && from.Kind != Hat
}

// enterValues numbers the writes of each location in the order that the cycle says, and
// finds what the condition has to ask for it to be that order.
func (p *plan) enterValues() {
	first := p.first()
	last, next := 0, 1
	for n := range p.cycle {
		i := (first + n) % len(p.cycle)
		ev := &p.events[i]
		in, out := p.before(i), p.cycle[i]
		if !in.Same {
			last, next = 0, 1
		}
		if ev.access.Write {
			ev.old, ev.step, ev.value = last, next, next
			if adds(in.Name) {
				ev.value = last + next
			}
			last, next = ev.value, ev.value+1
		} else {
			ev.value = last
			ev.asked = (in.Kind == Rf || in.Kind == Hat || out.Kind == Fr || out.Kind == Hat || out.Kind == Rmw && !unseen(out.Name))
		}
	}
	// A round of one location has been cut at its first event.
	closing, round := p.before(first), false
	switch {
	case !closing.Same:
	case p.free(first):
		p.events[(first+len(p.events)-1)%len(p.events)].value = 0
	case closing.Kind == Rf:
		p.events[first].value = last
	default:
		p.events[first].old, round = last, true
	}
	p.enterOrder(round)
}

// adds tells an atomic addition; unseen, an instruction that gives nothing back.
func adds(rmw string) bool   { return rmw == "Amo.LdAdd" || rmw == "Amo.StAdd" }
func unseen(rmw string) bool { return rmw == "Amo.StAdd" }

// enterOrder asks for the order of each location's writes, as far as coherence and what
// is asked anyhow leave it open: the last one by the final value, others by an observer.
// In a round of writes there is no last one.
func (p *plan) enterOrder(round bool) {
	p.final = make([]int, p.locs)
	for loc := range p.final {
		values, stores := []int{}, 0
		for i, ev := range p.events {
			if ev.loc != loc {
				continue
			}
			if ev.access.Write {
				values = append(values, ev.value)
				stores++
			}
			if ev.access.Mark == exclusive || ev.access.Write && p.before(i).Name == pairName {
				stores++
			}
		}
		slices.Sort(values)
		p.final[loc] = -1
		if stores >= 2 && !round {
			p.final[loc] = values[len(values)-1]
		}
		if len(values) == 0 {
			p.final[loc] = -1
			continue
		}
		var chain []int
		link := func(from, to int) {
			if p.known(loc, from, to) {
				return
			}
			if len(chain) == 0 || chain[len(chain)-1] != from {
				chain = append(chain, from)
			}
			chain = append(chain, to)
		}
		for k := 1; k < len(values); k++ {
			if round || k < len(values)-1 {
				link(values[k-1], values[k])
			}
		}
		if round {
			link(values[len(values)-1], values[0])
		}
		if chain != nil {
			p.observers = append(p.observers, observer{loc, chain})
		}
	}
}

// known tells that coherence puts one write of a location before another, given what is
// asked: because of two accesses of a thread, or because one follows the other in an
// atomic one.
func (p *plan) known(loc, from, to int) bool {
	for _, thread := range p.threads {
		for n, i := range thread {
			a := p.events[i]
			atomic := a.access.Mark == exclusive || a.after.Kind == Rmw && !unseen(a.after.Name)
			if a.loc == loc && a.access.Write && a.value == to && a.old == from && atomic {
				return true
			}
			for _, j := range thread[n+1:] {
				b := p.events[j]
				if a.loc != loc || b.loc != loc || a.value != from || b.value != to {
					continue
				}
				if a.access.Write && (b.access.Write || b.asked) || a.asked && b.access.Write {
					return true
				}
			}
		}
	}
	return false
}

// pairName is the read-modify-write that is two instructions, and exclusive the mark of an
// access that is.
const (
	pairName  = "LxSx"
	exclusive = "X"
)

// locName names a location as people do: x, y, z, a, b …
func locName(i int) string {
	const names = "xyzabcdefghijklmnopqrstuvw"
	if i < len(names) {
		return names[i : i+1]
	}
	return fmt.Sprintf("x%d", i-len(names))
}
