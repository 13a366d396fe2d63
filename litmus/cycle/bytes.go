package cycle

import (
	"fmt"
	"slices"
)

// This file lays out cycles whose accesses have parts. As in other cycles, the writes of each location are numbered
// from 1 up in the order of the cycle. Each write fills every byte of its part with its number, as in diyone7, so a
// read shows for each byte which write it is from. A location is divided into cells at the boundaries of parts; the
// bytes of a cell are always accessed together.

// maxNumber bounds the writes of a location, so that a byte can identify one.
const maxNumber = 127

// contents are the numbers in the bytes of a location.
type contents [8]int

// at returns the contents of a part.
func (c contents) at(p Part) (seen contents) {
	for i := range c {
		if p.covers(i) {
			seen[i] = c[i]
		}
	}
	return seen
}

// fill fills a part with a number.
func (c *contents) fill(p Part, number int) {
	for i := range c {
		if p.covers(i) {
			c[i] = number
		}
	}
}

// number returns the value of a part with the given contents.
func (p *plan) number(c contents, part Part) int {
	n := 0
	for i := range part.Bytes {
		at := part.At + part.Bytes - 1 - i // the lowest byte is the first
		if p.bigEndian {
			at = part.At + i
		}
		n = n<<8 | c[at]
	}
	return n
}

// width returns the size of a location in bytes: a word, or two if some access is after the first.
func (p *plan) width(loc int) int {
	for _, ev := range p.events {
		if ev.loc == loc && ev.access.Part.At+ev.access.Part.Bytes > 4 {
			return 8
		}
	}
	return 4
}

// cells returns the cells of a location that accesses of the cycle touch.
func (p *plan) cells(loc int) (cells []Part) {
	var ends []int
	for _, ev := range p.events {
		if part := ev.access.Part; ev.loc == loc {
			ends = append(ends, part.At, part.At+part.Bytes)
		}
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	for i, at := range ends[:len(ends)-1] {
		if slices.ContainsFunc(p.events, func(ev event) bool { return ev.loc == loc && ev.access.Part.covers(at) }) {
			cells = append(cells, Part{ends[i+1] - at, at})
		}
	}
	return cells
}

// begins returns the event at which the order of a location's writes starts: one that an edge between two locations
// leads to. If there is only one location, it is the first event of the canonical rotation that an edge within a thread
// leads to, preferably program order. The accesses before it come last, which is what no execution can have.
func (p *plan) begins() int {
	at := 0 // of the canonical rotation
	for canonical := p.words.Canonical(); !slices.Equal(slices.Concat(p.words[at:], p.words[:at]), canonical); {
		at++
	}
	best, least := -1, 4
	for n := range p.cycle {
		i := (at + n) % len(p.cycle)
		e, rank := p.before(i), 3
		switch {
		case !e.Same:
			rank = 0
		case e.External():
			continue
		case e.Kind == Rmw:
		case e.Com():
			rank = 2
		default:
			rank = 1
		}
		if rank < least {
			best, least = i, rank
		}
	}
	return best
}

// enterBytes is enterValues for a cycle with parts.
//
// The condition names the whole contents that each read finds in its part. A byte that both ends access shows an edge;
// other bytes of a read may be from other writes, which is what mixed-size cycles are about.
func (p *plan) enterBytes() {
	first := p.begins()
	p.cut = (first + len(p.cycle) - 1) % len(p.cycle)
	var last contents
	next := 1
	p.order = make([][]int, p.locs)
	for n := range p.cycle {
		i := (first + n) % len(p.cycle)
		ev := &p.events[i]
		if !p.before(i).Same {
			last, next = contents{}, 1
		}
		ev.seen = last.at(ev.access.Part)
		if !ev.access.Write {
			ev.asked = true // also for a read that no communication leads to, as in diyone7
			continue
		}
		ev.writes = next
		last.fill(ev.access.Part, next)
		next++
		p.order[ev.loc] = append(p.order[ev.loc], i)
	}
	if p.cycle[p.cut].Kind == Rmw {
		p.events[first].seen = p.events[p.cut].seen
	}
	for i := range p.events {
		ev := &p.events[i]
		ev.old = p.number(ev.seen, ev.access.Part)
		ev.value = ev.old
		if ev.access.Write {
			var written contents
			written.fill(ev.access.Part, ev.writes)
			ev.value = p.number(written, ev.access.Part)
			ev.step = ev.value
		}
	}
	p.enterByteOrder()
}

// ordered is a write that must be shown to come after another, in one of several ways: in a cell, after a write that is
// read there or comes before.
type ordered struct {
	to   int // by event
	ways []way
}

type way struct{ from, cell int }

// some reports whether f is true for one of the ways.
func (o ordered) some(f func(way) bool) bool { return slices.ContainsFunc(o.ways, f) }

// enterByteOrder adds to the condition what the cycle's order of writes needs, in one cell each: if two accesses of a
// thread do not show the order by coherence, the final value of the location does, or else an observer.
func (p *plan) enterByteOrder() {
	p.final = make([]int, p.locs)
	for loc := range p.locs {
		p.final[loc] = -1
		open := slices.DeleteFunc(p.toShow(loc), func(o ordered) bool {
			return o.some(func(w way) bool { return p.orderShown(o, w) })
		})
		if p.stores(loc) < 2 {
			continue
		}
		var last contents
		for _, w := range p.order[loc] {
			last.fill(p.events[w].access.Part, p.events[w].writes)
		}
		open = slices.DeleteFunc(open, func(o ordered) bool {
			return o.some(func(w way) bool { return last[w.cell] == p.events[o.to].writes })
		})
		p.final[loc] = p.number(last, Part{Bytes: p.width(loc)})
		p.observe(loc, open)
	}
}

// toShow returns the writes of a location whose positions the cycle's edges depend on.
func (p *plan) toShow(loc int) (all []ordered) {
	for i, e := range p.cycle {
		o := ordered{to: (i + 1) % len(p.cycle)}
		from, to := &p.events[i], &p.events[o.to]
		if from.loc != loc || i == p.cut || e.Kind != Fr && e.Kind != Co {
			continue
		}
		first := false // the read sees the initial value
		for _, cell := range p.cells(loc) {
			switch at := cell.At; {
			case !from.access.Part.covers(at) || !to.access.Part.covers(at):
			case e.Kind == Co:
				o.ways = append(o.ways, way{i, at})
			case from.seen[at] == 0:
				first = true
			case from.seen[at] != to.writes:
				o.ways = append(o.ways, way{p.writer(loc, from.seen[at]), at})
			}
		}
		if !first && o.ways != nil {
			all = append(all, o)
		}
	}
	return all
}

// writer returns the write of a location with a number.
func (p *plan) writer(loc, number int) int {
	return p.order[loc][slices.IndexFunc(p.order[loc], func(i int) bool { return p.events[i].writes == number })]
}

// orderShown reports whether coherence puts one write before another in a cell, given the condition: see orderKnown.
func (p *plan) orderShown(o ordered, w way) bool {
	to, from, cell := &p.events[o.to], p.events[w.from].writes, w.cell
	atomic := to.access.Mark == exclusive || to.after.Kind == Rmw
	if atomic && to.seen[cell] == from {
		return true
	}
	holds := func(ev *event, number int) bool {
		switch {
		case ev.loc != to.loc || !ev.access.Part.covers(cell):
			return false
		case ev.access.Write:
			return ev.writes == number
		}
		return ev.asked && ev.seen[cell] == number
	}
	for _, thread := range p.threads {
		for n, i := range thread {
			a := &p.events[i]
			if !holds(a, from) {
				continue
			}
			for _, j := range thread[n+1:] {
				if b := &p.events[j]; (a.access.Write || b.access.Write) && holds(b, to.writes) {
					return true
				}
			}
		}
	}
	return false
}

// observe adds a thread for each chain of writes whose order nothing else shows.
//
// An observer reads one byte, since a read of several bytes could be from several writes. Chains share their inner
// writes, so a chain of n writes needs one thread of n reads.
func (p *plan) observe(loc int, open []ordered) {
	for len(open) > 0 {
		at := open[0].ways[0]
		chain := []int{at.from, open[0].to}
		open = open[1:]
		for {
			next := way{chain[len(chain)-1], at.cell}
			i := slices.IndexFunc(open, func(o ordered) bool { return slices.Contains(o.ways, next) })
			if i < 0 {
				break
			}
			chain, open = append(chain, open[i].to), slices.Delete(open, i, i+1)
		}
		o := observer{loc: loc, part: Part{Bytes: 1, At: at.cell}}
		for _, w := range chain {
			o.values = append(o.values, p.events[w].writes)
		}
		p.observers = append(p.observers, o)
	}
}

// confused returns the reason why an execution that satisfies the condition might not have the cycle, if accesses have
// parts.
func (p *plan) confused() *problem {
	for loc := range p.order {
		if len(p.order[loc]) > maxNumber {
			return &problem{
				-1,
				fmt.Sprintf("%s is written more than %d times: its bytes could not tell which write they are from",
					locName(loc), maxNumber),
			}
		}
	}
	for i, e := range p.cycle {
		from, to := &p.events[i], &p.events[(i+1)%len(p.cycle)]
		if !e.Com() && e.Kind != Rmw || i == p.cut && e.Kind != Rmw {
			continue
		}
		is := false // in some byte
		for at := range from.seen {
			if !from.access.Part.covers(at) || !to.access.Part.covers(at) {
				continue
			}
			switch e.Kind {
			case Rf:
				is = is || to.seen[at] == from.writes
			case Fr, Rmw:
				is = is || from.seen[at] != to.writes
			case Hat:
				is = is || from.seen[at] == to.seen[at]
			default:
				is = true
			}
		}
		if !is {
			return &problem{
				p.at[i],
				fmt.Sprintf("%s is impossible: the bytes that its ends share would come from another write", e),
			}
		}
	}
	return nil
}
