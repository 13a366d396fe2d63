package explore

import (
	"errors"
	"math/rand/v2"

	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/graph"
)

// Estimate is how many executions there are, by random walks (Knuth, “Estimating the Efficiency of Backtrack Programs”,
// 1975): a walk takes one of the ways that exploration would take from a graph, each as likely as the others, and one
// that comes to an execution stands for as many as there were ways, multiplied.
type Estimate struct {
	x     *Exploration
	first *graph.Graph // before anything has happened
	draw  *rand.Rand
	Walks int     // that were taken
	Sum   float64 // of the executions that each of them stands for
	found int     // executions that what the walk has come to stands for
}

// NewEstimate is for an exploration of which is tells what an execution is.
func NewEstimate(x *Exploration, is func(*graph.Graph) bool) *Estimate {
	e := &Estimate{draw: rand.New(rand.NewPCG(1, 1))}
	e.x = &Exploration{
		Context: x.Context, Program: x.Program, Places: x.Places, Threads: x.Threads,
		Check: consistency.NewChecker(x.Check.Formula()), Ahead: x.Ahead, Rounds: x.Rounds,
		MixedLock: x.MixedLock, walks: true,
		Partial: func(*graph.Graph) error { return nil },
		Unset:   func(*graph.Graph, int32) error { return nil },
		Leaf: func(g *graph.Graph) error {
			if is(g) {
				e.found = e.x.StandsFor(g)
			}
			return nil
		},
	}
	e.x.Likely = x.Likely
	if y := x.Symmetry; y != nil {
		e.x.Symmetry = &Symmetry{Alike: y.Alike, Maker: y.Maker}
	}
	return e
}

// Walk takes one more.
func (e *Estimate) Walk() error {
	if e.first == nil {
		e.first = e.x.first()
	}
	g, weight := e.x.copy(e.first), 1.0
	e.found = 0
	for {
		e.x.ways = e.x.ways[:0]
		alive, err := e.x.goOn(g)
		if err != nil && !errors.Is(err, ErrApart) { // which it is for others to say
			return err
		}
		if alive {
			e.x.ways = append(e.x.ways, g)
		} else {
			e.x.free = append(e.x.free, g)
		}
		n := len(e.x.ways)
		if n == 0 {
			break
		}
		weight *= float64(n)
		i := e.draw.IntN(n)
		g = e.x.ways[i]
		for j, other := range e.x.ways {
			if j != i {
				e.x.free = append(e.x.free, other)
			}
		}
	}
	e.Walks++
	e.Sum += weight * float64(e.found)
	return nil
}

// Unused is how many graphs are there for later walks.
func (e *Estimate) Unused() int { return len(e.x.free) }

// Executions is how many there seem to be, of which so many are known.
func (e *Estimate) Executions(known int) float64 {
	return max(e.Sum/float64(max(e.Walks, 1)), float64(known))
}
