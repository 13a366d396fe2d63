package encode

import (
	"litmuscope/models"
	"litmuscope/solver/sat"
	"litmuscope/solver/symbolic"
)

// Event is a symbolic event: executed where guard is true.
type Event struct {
	symbolic.Event

	Guard sat.Lit
	at    []sat.Lit // by Locs: the address is that location's
	Wild  sat.Lit   // the address is none of theirs
	value sat.Vec
	addr  []symbolic.Source[sat.Vec]
	data  []symbolic.Source[sat.Vec]
	ctrl  []symbolic.Source[sat.Vec]
	pairs []symbolic.Source[sat.Vec] // of a write: the reads it is one atomic access with
}

// newEvents makes the events of a structure, none of them executed but the initial
// writes: so they stay if the walk finds that it cannot get there.
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
