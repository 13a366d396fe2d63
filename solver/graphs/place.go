package graphs

import "litmuscope/litmus/ir"

// place is where a thread has come to by what it has been told so far: what its reads gave, how choices went, what those that it has joined have
// returned. Whoever is told the same comes to the same place, in whatever graph, and it is run there once: revisits
// take threads back by going there again.
type place struct {
	of     *places
	run    runner // never changed by any graph
	looked bool
	next   step // what the thread comes to, once somebody has looked
	deps   *deps
	// What has just been: the tags of what was read, and of what an update then writes, if it does; what the thread that was spawned begins with.
	first, second ir.Tags
	written       uint64
	writes        bool
	carried       *deps
	call          *call

	told map[uint64]*place // where it leads from here
}

// places are those of a program that are known. They are forgotten from time to time, so that there are not too many.
type places struct {
	p     program
	apart bool           // each graph runs its threads itself: they run ahead
	roots map[int]*place // by thread
	known int
	lead  []*place // that known ones have been come to from
}

// mostPlaces are known at a time, beside those where some graph has a thread; fewer in tests.
var mostPlaces = 4096

// call is what a spawned thread begins with.
type call struct {
	with  any // never changed
	begun *place
}

// locks tells whether a thread that has begun takes a lock first.
func (c *call) locks() bool { return c.begun.next.locks }

// newPlaces are those of a program, which graphs share unless each runs its threads itself: apart.
func newPlaces(p program, apart bool) *places {
	return &places{p: p, apart: apart, roots: map[int]*place{}}
}

// root is where a thread is before anything has happened.
func (s *places) root(t int) *place {
	at := s.roots[t]
	if at == nil {
		at = &place{of: s, run: s.p.thread(t)}
		s.roots[t] = at
	}
	return at
}

// begin is where a thread begins that is spawned.
func (at *place) begin(c *call) *place {
	if c.begun == nil {
		c.begun = at.from()
		c.begun.run.begin(c.with)
	}
	return c.begun
}

// from is a new place, whose thread is as it is here.
func (at *place) from() *place { return &place{of: at.of, run: at.run.copy()} }

// look runs the thread to what it does next.
func (at *place) look() (*step, error) {
	if !at.looked {
		var err error
		if at.next, err = at.run.next(); err != nil {
			return &at.next, err
		}
		at.looked, at.deps = true, at.run.deps()
	}
	return &at.next, nil
}

// tell is where the thread comes to by what it is told of what it does next.
func (at *place) tell(v uint64) *place {
	if to := at.told[v]; to != nil {
		return to
	}
	to := at.from()
	switch at.next.kind {
	case ir.ActLoad, ir.ActRMW:
		to.first, to.second = at.run.tags(v)
		if to.written, to.writes = to.run.read(v); to.writes {
			to.carried = to.run.carried()
		}
	case ir.ActStoreCond:
		to.run.conditional(v == 1)
	case ir.ActChoose:
		to.run.choose(v == 1)
	case ir.ActSpawn:
		to.call = &call{with: to.run.spawn(int(at.next.other))}
	default:
		to.run.pass(v)
	}
	if at.of.known++; at.of.known > mostPlaces {
		at.of.forget()
		return to
	}
	if at.told == nil {
		at.told = map[uint64]*place{}
		at.of.lead = append(at.of.lead, at)
	}
	at.told[v] = to
	return to
}

// forget leaves no more places than threads of graphs are at.
func (s *places) forget() {
	for _, at := range s.lead {
		at.told = nil
	}
	clear(s.lead)
	s.known, s.lead = 0, s.lead[:0]
}
