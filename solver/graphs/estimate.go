package graphs

import (
	"errors"
	"math/rand/v2"

	"litmuscope/solver/graphs/consistency"
	"litmuscope/solver/graphs/graph"
)

// estimate is how many executions there are, by random walks (Knuth, “Estimating the Efficiency of Backtrack Programs”, 1975): a walk takes one
// of the ways that exploration would take from a graph, each as likely as the others, and one that comes to an execution stands for as
// many as there were ways, multiplied.
type estimate struct {
	x     *exploration
	first *graph.Graph // before anything has happened
	draw  *rand.Rand
	walks int
	sum   float64
	found int // executions that what the walk has come to stands for
}

// newEstimate is for an exploration of which is tells what an execution is.
func newEstimate(x *exploration, is func(*graph.Graph) bool) *estimate {
	e := &estimate{draw: rand.New(rand.NewPCG(1, 1))}
	e.x = &exploration{
		p: x.p, places: x.places, threads: x.threads, check: consistency.NewChecker(x.check.Formula()), ctx: x.ctx, ahead: x.ahead, rounds: x.rounds, mixed: x.mixed, walks: true,
		partial: func(*graph.Graph) error { return nil },
		unset:   func(*graph.Graph, int32) error { return nil },
		leaf: func(g *graph.Graph) error {
			if is(g) {
				e.found = e.x.stands(g)
			}
			return nil
		},
	}
	e.x.likely = x.likely
	if y := x.symmetry; y != nil {
		e.x.symmetry = &symmetry{alike: y.alike, maker: y.maker}
	}
	return e
}

// walk takes one more.
func (e *estimate) walk() error {
	if e.first == nil {
		e.first = e.x.first()
	}
	g, weight := e.x.copy(e.first), 1.0
	e.found = 0
	for {
		e.x.ways = e.x.ways[:0]
		alive, err := e.x.goOn(g)
		if err != nil && !errors.Is(err, errApart) { // which it is for others to say
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
	e.walks++
	e.sum += weight * float64(e.found)
	return nil
}

// unused is how many graphs are there for later walks.
func (e *estimate) unused() int { return len(e.x.free) }

// executions is how many there seem to be, of which so many are known.
func (e *estimate) executions(known int) float64 {
	return max(e.sum/float64(max(e.walks, 1)), float64(known))
}
