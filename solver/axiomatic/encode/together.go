package encode

import (
	"reflect"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/symbolic"
)

// meeting says where other threads start and join a thread, and with which arguments.
//
// Consider two threads with adjacent spawns and adjacent joins. Exchanging them changes two things besides their
// events. First, the second spawn precedes only one of them in program order, and then only the other; but the first
// spawn precedes both, it is a fence like the second, and its thread does nothing in between that the second could
// order and the first does not. Second, if only one of the two has ended, the main thread passes its join or does not,
// depending on which comes first; but the waiting thread does nothing in between, so that this join, or its absence, is
// the thread's last event. A model that orders events before a fence with events after it sees no difference in either
// case. The built-in models are of this kind.
type meeting struct {
	spawns, joins []symbolic.Site // the first steps of the groups of spawns and joins that they belong to
	args          []ir.Arg
	apart         bool // an argument may have another value for another thread of the group
}

// together reports whether two threads start and join together.
func (m *meeting) together(o *meeting) bool {
	return slices.Equal(m.spawns, o.spawns) && slices.Equal(m.joins, o.joins) && !m.apart && !o.apart &&
		reflect.DeepEqual(m.args, o.args)
}

// meetings scans each thread for groups: spawns, or joins, that follow each other with nothing but assignments and
// scopes in between. A jump's target begins a new group. If an argument of a spawn uses a register that the group
// assigns, meetings marks the spawn as apart, since another thread of the group gets another value.

// meetings returns the meeting of each thread of a program.
func meetings(p *ir.Program) []*meeting {
	out := make([]*meeting, len(p.Threads))
	for t := range out {
		out[t] = &meeting{}
	}
	for t := range p.Threads {
		code := p.Threads[t].Code
		target := make([]bool, len(code)+1)
		for _, s := range code {
			if b, ok := s.Op.(ir.Branch); ok {
				target[b.Target] = true
			}
		}
		spawning, joining := 0, 0 // the start of the groups that the step may belong to
		assigned := map[int]int{} // by register: the last step that assigned it
		for pc, s := range code {
			if target[pc] {
				spawning, joining = pc, pc
			}
			switch op := s.Op.(type) {
			case ir.Spawn:
				joining = pc + 1
				m := out[op.Thread]
				m.spawns, m.args = append(m.spawns, symbolic.Site{Thread: t, Step: spawning}), op.Args
				for _, a := range op.Args {
					ir.Registers(a.Value, func(r int) {
						if at, ok := assigned[r]; ok && at >= spawning {
							m.apart = true
						}
					})
				}
				m.apart = m.apart || len(m.spawns) > 1
			case ir.Join:
				spawning = pc + 1
				out[op.Thread].joins = append(out[op.Thread].joins, symbolic.Site{Thread: t, Step: joining})
			case ir.Assign:
				assigned[op.Dst] = pc
			case ir.Scope:
			default:
				spawning, joining = pc+1, pc+1
			}
		}
	}
	return out
}
