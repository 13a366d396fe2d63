package explore

import (
	"errors"
	"math/rand/v2"

	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/graph"
)

// Estimate estimates the number of executions by random walks (Knuth, “Estimating the Efficiency of Backtrack
// Programs”, 1975): a walk takes one of the exploration's alternatives in each graph, all with the same probability,
// and the execution at its end represents as many as the product of the numbers of alternatives.
type Estimate struct {
	x     *Exploration
	first *graph.Graph // before anything has happened
	draw  *rand.Rand
	Walks int     // that were taken
	Sum   float64 // over the executions that each of them represents
	found int     // executions that the end of the walk represents
}

// NewEstimate estimates the executions of an exploration; is recognises them.
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
				e.found = e.x.Represents(g)
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
		if err != nil && !errors.Is(err, ErrApart) { // the caller of the exploration sees that error itself
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

// Executions is the estimated number, and the number of known ones.
func (e *Estimate) Executions(known int) float64 {
	return max(e.Sum/float64(max(e.Walks, 1)), float64(known))
}
