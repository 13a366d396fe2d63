package graph

import "litmuscope/litmus/ir"

// place is a position of a thread, determined by its inputs so far: the values of its reads, its choices, the results
// of the threads that it has joined. A thread with the same inputs reaches the same place, in whatever graph, and runs
// there once: revisits take threads back by going there again.
type place struct {
	of     *Places
	run    Runner // never changed by any graph
	looked bool
	next   Step // the thread's next step, once computed
	deps   *Deps
	// What has just been: the tags of the read, and of the write of an update, if it writes; the argument of the
	// spawned thread.
	first, second ir.Tags
	written       uint64
	writes        bool
	carried       *Deps
	call          *Call

	told map[uint64]*place // where it leads from here
}

// Places are the known places of a program. It drops them from time to time, so that there are not too many.
type Places struct {
	p     Program
	apart bool           // each graph runs its threads itself: they run ahead
	roots map[int]*place // by thread
	known int
	lead  []*place // their predecessors among known places
}

// MostPlaces bounds the known places, not counting those where some graph has a thread; fewer in tests.
var MostPlaces = 4096

// Call is what a spawned thread begins with.
type Call struct {
	With  any // never changed
	begun *place
}

// Locks reports whether a thread that has begun takes a lock first.
func (c *Call) Locks() bool { return c.begun.next.Locks }

// NewPlaces are those of a program, which graphs share unless each runs its threads itself: apart.
func NewPlaces(p Program, apart bool) *Places {
	return &Places{p: p, apart: apart, roots: map[int]*place{}}
}

// root is where a thread is before anything has happened.
func (s *Places) root(t int) *place {
	at := s.roots[t]
	if at == nil {
		at = &place{of: s, run: s.p.NewRunner(t)}
		s.roots[t] = at
	}
	return at
}

// begin is the place where a spawned thread begins.
func (at *place) begin(c *Call) *place {
	if c.begun == nil {
		c.begun = at.from()
		c.begun.run.Begin(c.With)
	}
	return c.begun
}

// from returns a new place with a thread in the same state.
func (at *place) from() *place { return &place{of: at.of, run: at.run.Copy()} }

// look runs the thread to its next step.
func (at *place) look() (*Step, error) {
	if !at.looked {
		var err error
		if at.next, err = at.run.Next(); err != nil {
			return &at.next, err
		}
		at.looked, at.deps = true, at.run.Deps()
	}
	return &at.next, nil
}

// after returns the place that the thread reaches if its next action has the value v.
func (at *place) after(v uint64) *place {
	if to := at.told[v]; to != nil {
		return to
	}
	to := at.from()
	switch at.next.Kind {
	case ir.ActLoad, ir.ActRMW:
		to.first, to.second = at.run.Tags(v)
		if to.written, to.writes = to.run.Read(v); to.writes {
			to.carried = to.run.Carried()
		}
	case ir.ActStoreCond:
		to.run.Conditional(v == 1)
	case ir.ActChoose:
		to.run.Choose(v == 1)
	case ir.ActSpawn:
		to.call = &Call{With: to.run.Spawn(int(at.next.Other))}
	default:
		to.run.Pass(v)
	}
	if at.of.known++; at.of.known > MostPlaces {
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
func (s *Places) forget() {
	for _, at := range s.lead {
		at.told = nil
	}
	clear(s.lead)
	s.known, s.lead = 0, s.lead[:0]
}
