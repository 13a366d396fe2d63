package encode

import (
	"litmuscope/models"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// Event is a symbolic event. It executes if Guard is true.
type Event struct {
	symbolic.Event

	Guard sat.Lit
	at    []sat.Lit // by Locs: the address is that location
	Wild  sat.Lit   // the address is none of Locs
	value sat.Vec
	addr  []symbolic.Source[sat.Vec]
	data  []symbolic.Source[sat.Vec]
	ctrl  []symbolic.Source[sat.Vec]
	pairs []symbolic.Source[sat.Vec] // of a write: the reads that form one atomic access with it
}

// The events exist before the walk that gives them guards and values, because a loop-free program has a fixed list of
// memory accesses. Package symbolic has made this list with partly known values, which bound the locations of each
// access and the bits of its value.

// newEvents makes the events of a structure. Only initial writes execute, so that events which the walk never reaches
// do not.
func newEvents(s *symbolic.Structure) []Event {
	events := make([]Event, len(s.Events))
	for i := range events {
		ev := &events[i]
		ev.Event = s.Events[i]
		ev.Guard, ev.Wild, ev.value = sat.False, sat.False, sat.ConstVec(0, ev.Known.Bits)
		ev.at = make([]sat.Lit, len(ev.Locs))
		for k := range ev.at {
			ev.at[k] = sat.False
		}
		if ev.Thread == models.InitThread {
			ev.Guard, ev.at, ev.value = sat.True, []sat.Lit{sat.True}, sat.ConstVec(ev.Known.Value, ev.Known.Bits)
		}
	}
	return events
}
