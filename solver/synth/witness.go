package synth

import (
	"litmuscope/litmus/change"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/models/replay"
	"litmuscope/solver/axiomatic"
)

// witness is an execution that has the outcome under a model, with some changes made.
type witness struct {
	model     int
	execution *models.Execution
	memory    []int // its accesses and initial writes, by ID
}

func newWitness(model int, x *models.Execution) *witness {
	return &witness{model, x, memory(x)}
}

// memory are the events of an execution but its fences.
func memory(x *models.Execution) (out []int) {
	for i := range x.Events {
		if x.Events[i].Kind != models.Fence {
			out = append(out, i)
		}
	}
	return out
}

// moved is the same execution of a program with other changes made: threads read the same values of the same writes,
// and writes are in the same order. It is nil where there is none that is well-formed.
func (w *witness) moved(p *ir.Program) *models.Execution {
	from := w.execution
	x, err := replay.Replay(p, from.Reads)
	if err != nil {
		return nil
	}
	to := memory(x)
	if len(to) != len(w.memory) {
		return nil
	}
	at := make(map[int]int, len(to)) // by event: where it is now
	for i, id := range to {
		a, b := &from.Events[w.memory[i]], &x.Events[id]
		if a.Thread != b.Thread || a.Kind != b.Kind || a.Loc != b.Loc || a.Value != b.Value || a.Piece != b.Piece ||
			a.Half != b.Half {
			return nil
		}
		at[w.memory[i]] = id
	}
	for i, r := range w.memory {
		if from.Events[r].Kind == models.Read {
			x.RF[to[i]] = at[from.RF[r]]
		}
	}
	for loc, order := range from.CO {
		x.CO[loc] = nil
		for _, write := range order {
			x.CO[loc] = append(x.CO[loc], at[write])
		}
	}
	if x.WellFormed() != nil {
		return nil
	}
	return x
}

// grounded reports whether no value of an execution comes of itself, as far as dependencies say.
func grounded(x *models.Execution) bool {
	next := make([][]int, len(x.Events))
	for r, w := range x.RF {
		if w >= 0 {
			next[w] = append(next[w], r)
		}
	}
	for _, p := range x.Data {
		next[p[0]] = append(next[p[0]], p[1])
	}
	for _, p := range x.RMW {
		next[p[0]] = append(next[p[0]], p[1])
	}
	state := make([]int8, len(x.Events))
	var visit func(int) bool
	visit = func(e int) bool {
		state[e] = 1
		for _, f := range next[e] {
			if state[f] == 1 || state[f] == 0 && !visit(f) {
				return false
			}
		}
		state[e] = 2
		return true
	}
	for e := range next {
		if state[e] == 0 && !visit(e) {
			return false
		}
	}
	return true
}

// survives reports whether a witness is an execution with a choice made, and has the outcome.
func (s *search) survives(w *witness, c change.Choice) bool {
	p, err := s.prepared(c)
	if err != nil {
		return false
	}
	m := s.models[w.model]
	x := w.moved(p.unrolled(m, s.Options.Unroll))
	if x == nil || !m.ForbidsThinAir() && !grounded(x) {
		return false
	}
	checker := evaluation.NewChecker(m) // one is for one program
	if len(checker.Check(x)) > 0 {
		return false
	}
	if p.program.Satisfies(p.program.Condition.Prop, x.Final()) {
		return true
	}
	if s.Anyhow {
		return false
	}
	for i, raised := range checker.Flags(x) {
		if raised && m.Flags[i].Undefined() {
			return true
		}
	}
	return false
}

// unrolled is the program as a model's executions have it.
func (p *prepared) unrolled(m *models.Model, rounds int) *ir.Program {
	if p.loops == nil {
		p.loops = map[*models.Model]*ir.Program{}
	}
	u := p.loops[m]
	if u == nil {
		u, _ = axiomatic.Unrolled(p.program, m, rounds)
		p.loops[m] = u
	}
	return u
}
