package synth

import (
	"slices"

	"litmuscope/litmus/change"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/models/replay"
	"litmuscope/solver/axiomatic"
)

// witness is an execution that has the outcome under a model, with some changes made. Moving it to other choices
// (moved) decides without an engine whether it speaks against these too: a change adds a fence, strengthens an access
// or adds a dependency, so that the accesses correspond one to one.
type witness struct {
	model     int
	execution *models.Execution
	memory    []int // IDs of its accesses and initial writes
}

// newWitness prepares an execution for moving: it finds the accesses once.
func newWitness(model int, x *models.Execution) *witness {
	return &witness{model, x, memory(x)}
}

// memory returns the events of an execution without fences, and without the initial writes of locations that nothing
// accesses: maintenance of caches and TLBs, which a change may insert, has such a location for addresses that are none.
func memory(x *models.Execution) (out []int) {
	accessed := map[int]bool{}
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind != models.Fence && e.Thread != models.InitThread {
			accessed[e.Loc] = true
		}
	}
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind != models.Fence && (e.Thread != models.InitThread || accessed[e.Loc]) {
			out = append(out, i)
		}
	}
	return out
}

// moved returns the same execution of a program with other changes: each read reads from the same write, and writes
// are in the same order. It returns nil if the execution is not well-formed there.
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
	at := make(map[int]int, len(to)) // by event: the new event
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
	for id := range x.Events {
		if e := &x.Events[id]; e.Thread == models.InitThread && e.Kind == models.Write && !slices.Contains(to, id) {
			x.CO[e.Loc] = []int{id}
		}
	}
	for _, order := range from.CO {
		for i, write := range order {
			id, moved := at[write]
			if !moved {
				continue
			}
			loc := x.Events[id].Loc
			if i == 0 {
				x.CO[loc] = nil
			}
			x.CO[loc] = append(x.CO[loc], id)
		}
	}
	if x.WellFormed() != nil {
		return nil
	}
	return x
}

// Models that do not forbid values from thin air by an axiom are understood as if they did
// (solver/axiomatic/thinair.go). A moved execution has to pass the same test, or the search could reject a repair
// because of an execution that no engine would find.

// grounded reports whether no value of an execution depends on itself, through data dependencies and updates.
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

// A witness that does not survive a choice proves nothing: the model may allow another execution there. So survives may
// answer false for any reason, such as an impossible text, which only costs a question to an engine. The answer true
// must be right. It rests on the model's checker, which is independent of the encoding that found the execution.

// survives reports whether a witness is still an execution, and still has the outcome, with a choice made.
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
	checker := evaluation.NewChecker(m) // a checker serves one program
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

// unrolled returns the program as it is in executions of a model.
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
