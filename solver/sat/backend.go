package sat

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"litmuscope/solver/proof"
)

// Problem is the input of a backend: clauses over variables 1 to Vars, each with two or more literals of distinct
// variables, and graphs without cycles. Only backends that know orders get graphs.
type Problem struct {
	Vars    int
	Clauses [][]int
	Graphs  []Edges
	Options Options
}

// Edges are those of a graph of so many nodes. Each exists if its literal is true; 0 is always.
type Edges struct {
	Nodes int
	Edges [][3]int // from, to, literal
	Alone [][3]int // so, too: groups of them of which a cycle contains at most one
}

// Backend is a SAT solver as [Solver] drives it: the Solver opens it with a problem. It solves under assumptions until
// the first appended clause, and without any from then on. The Solver checks every answer, except an Unsat without
// Options.Certify.
type Backend interface {
	// Append adds a clause, of one literal or more.
	Append(clause []int)
	// Solve decides the clauses. Only Unknown comes with an error.
	Solve(ctx context.Context, assume []int) (Status, error)
	// Model is the assignment after Sat, by variable from 0.
	Model() []bool
	// Proof is the refutation after an Unsat without assumptions, with Options.Certify, and its size in bytes. The
	// caller reads it once.
	Proof() (steps proofSteps, bytes int64, err error)
}

type proofSteps = iter.Seq2[proof.Step, error]

// known is a solver.
type known struct {
	name   string
	proofs bool // it can write them
	orders bool // it knows graphs without cycles
	open   func(Problem) (Backend, error)
}

// backends are the solvers by name, the default first.
var backends = []known{
	{"auto", true, true, openAuto},
	{"gophersat", true, false, openGophersat},
	{"cdcl", true, true, openCDCL},
	{cadical.name, true, false, cadical.open},
	{kissat.name, true, false, kissat.open},
	{minisat.name, false, false, minisat.open},
}

// Backends lists the solvers' names, the default first.
func Backends() []string {
	out := make([]string, len(backends))
	for i, b := range backends {
		out[i] = b.name
	}
	return out
}

// small is how many clauses a formula has at most that gophersat decides well.
const small = 1000

// KnowsOrders reports whether a backend accepts graphs, see [Circuit.NewGraph]. For others, the encoding must put
// orders into clauses.
func KnowsOrders(backend string) bool {
	return slices.ContainsFunc(backends, func(b known) bool { return b.name == backend && b.orders }) ||
		backend == "" && backends[0].orders
}

// openAuto chooses by the size of the problem. For many questions it chooses a backend that continues from its last
// answer.
func openAuto(p Problem) (Backend, error) {
	if len(p.Clauses) <= small && p.Graphs == nil && (!p.Options.Lists || p.Options.Certify) {
		return openGophersat(p)
	}
	return openCDCL(p)
}

// open makes the backend that a problem's options name.
func open(p Problem) (Backend, error) {
	for i, b := range backends {
		if b.name != p.Options.Backend && (i > 0 || p.Options.Backend != "") {
			continue
		}
		if p.Options.Certify && !b.proofs {
			return nil, fmt.Errorf("%s writes no proofs: choose another solver to certify with", b.name)
		}
		if p.Graphs != nil && !b.orders {
			return nil, fmt.Errorf("BUG: %s does not support graphs", b.name)
		}
		return b.open(p)
	}
	return nil, fmt.Errorf("unknown solver %q: want one of %s", p.Options.Backend, strings.Join(Backends(), ", "))
}
