package witness

import (
	"errors"

	"litmuscope/models"
	"litmuscope/models/display"
)

// errWeak is the error of an execution that is none of SC.
var errWeak = errors.New(
	"the execution is not an interleaving of the threads' statements: only a weak model allows it, and a witness " +
		"cannot express it")

// step is a statement of the interleaving.
type step struct {
	thread int
	place  models.GraphPlace
	text   string
	starts int // the thread that it starts; -1 for none
}

// steps are the statements of an execution in an order that SC has; events of one statement
// that follow one another are one step.
func steps(g *models.Graph) ([]step, error) {
	order, ok := display.Interleaving(g)
	if !ok {
		return nil, errWeak
	}
	starts := g.Next("spawn")
	var out []step
	lastSource := -1
	for _, i := range order {
		e := &g.Events[i]
		t := &g.Threads[e.Thread]
		if e.Source < 0 || e.Source >= len(t.Places) {
			continue
		}
		begun, begins := starts[i]
		if n := len(out); n > 0 && out[n-1].thread == e.Thread && lastSource == e.Source && !begins {
			continue
		}
		s := step{e.Thread, t.Places[e.Source], t.Source[e.Source], -1}
		if begins {
			s.starts = g.Events[begun].Thread
		}
		out, lastSource = append(out, s), e.Source
	}
	return out, nil
}
