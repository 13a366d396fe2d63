package engines

import (
	"fmt"

	"litmuscope/models"
	"litmuscope/models/relaxed"
)

// maxRelaxed bounds the events of an execution whose relaxations the engine computes: it closes relations over them
// many times.
const maxRelaxed = 400

// reordered says in words which pairs of accesses take effect the other way round in an execution
// that SC forbids: what the model does not keep of a shortest cycle. It says nothing where the
// model's orders do not tell.
func reordered(m *models.Model, g *models.Graph) []string {
	if len(g.Events) > maxRelaxed {
		return nil
	}
	r, err := relaxed.Relax(m, m.Name, g)
	if err != nil {
		return nil
	}
	var out []string
	for _, s := range r.Cycle {
		if s.Relaxed {
			out = append(out, relaxedWords(g, s))
		}
	}
	return out
}

// relaxedWords says how a step that the model does not keep came about.
func relaxedWords(g *models.Graph, s relaxed.RelaxedStep) string {
	thread := func(event int) string {
		if t := g.Events[event].Thread; t >= 0 {
			return g.Threads[t].Name
		}
		return "the start"
	}
	a, b := g.Access(s.From), g.Access(s.To)
	inside := g.Events[s.From].Thread == g.Events[s.To].Thread
	switch {
	case s.Relation == "rmw^-1":
		return fmt.Sprintf("%s: another thread's write came between %s and %s, which form one atomic access",
			thread(s.From), b, a)
	case s.Relation == "rf" && inside:
		return fmt.Sprintf("%s: %s took its value from %s before other threads could see that", thread(s.To), b, a)
	case s.Relation == "rf":
		return fmt.Sprintf("%s: %s saw %s of %s before other threads did", thread(s.To), b, a, thread(s.From))
	case inside:
		return fmt.Sprintf("%s: %s took effect before %s", thread(s.To), b, a)
	case s.Relation == "fr":
		return fmt.Sprintf("%s: %s reached %s only after %s", thread(s.To), b, thread(s.From), a)
	}
	return fmt.Sprintf("%s: %s overwrote %s of %s, which orders nothing else", thread(s.To), b, a,
		thread(s.From))
}
