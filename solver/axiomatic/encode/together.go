package encode

import (
	"reflect"
	"slices"

	"litmuscope/litmus/ir"
	"litmuscope/solver/symbolic"
)

// meeting is how other threads know one: where it is begun and with what, and where it is waited for.
//
// To exchange two threads that are begun one right after the other, and waited for so, changes two things besides what
// they do. The second of the spawns comes before one of them in program order, and then before the other: but so does
// the first spawn before both, a fence just like it, with nothing of its thread in between that the second could keep
// in order and the first does not. And where but one of the two has ended, its join is passed or not, by which it comes
// first or last: but the thread that waits does nothing in between, so that this join, or its not being there, is the
// last of it. What keeps order by what is before and what is behind a fence sees no difference in either, and so do the
// built-in models.
type meeting struct {
	spawns, joins []symbolic.Site // the first steps of the stretches that they are in, one of each
	args          []ir.Arg
	apart         bool // what it is given may be another value where another thread of the stretch is begun
}

// together reports whether two threads are begun and waited for together.
func (m *meeting) together(o *meeting) bool {
	return slices.Equal(m.spawns, o.spawns) && slices.Equal(m.joins, o.joins) && !m.apart && !o.apart &&
		reflect.DeepEqual(m.args, o.args)
}

// meetings are those of a program's threads.
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
		spawning, joining := 0, 0 // where the stretches begin that the step may be part of
		assigned := map[int]int{} // by register: the step that has set it last
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
