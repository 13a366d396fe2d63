package elaborate

import (
	"slices"

	"litmuscope/litmus/ir"
)

// meeting joins paths that lead to the same step.
//
// The state after the join has the facts that hold on all paths: for each register the union of its values. Registers
// are many and few of them differ, so states share pages of registers, and a join costs as much as has changed since
// the paths separated (package paged).
//
// Joining paths needs steps on them in two cases. A number that is known on each path, but differs between them, was
// never written to its register and must be written at the end of each path (assignLate). And if one path has started
// threads while another has not, the other must first write the initial values (flushBefore). The paths then end in
// branches of their own, behind which these steps fit (detach).
type meeting struct {
	elab  *elaboration
	out   *output
	regs  *threadRegisters
	cells *cells
}

// state holds the facts that are known at one place of a thread's code.
type state struct {
	registers
	single bool
	atomic int      // number of open atomic sections
	ended  []*block // locals whose blocks may have ended
	effects
}

// edge is a path to a step: the branch at step from leads there, with a state.
type edge struct {
	from int
	st   *state
}

// land makes edges lead to the next step and returns the join of their states.
func (mt *meeting) land(edges []edge) *state {
	single := true
	for _, g := range edges {
		single = single && g.st.single
	}
	if !single {
		mt.flushBefore(edges)
	}
	mt.assignLate(edges)
	var out *state
	for _, g := range edges {
		if g.from >= 0 {
			mt.out.patch(g.from, len(mt.out.th.Code))
		}
		out = mt.merge(out, g.st)
	}
	return out
}

// flushBefore initialises memory on those paths that arrive before the first thread starts, if others arrive after it.
func (mt *meeting) flushBefore(edges []edge) {
	if !slices.ContainsFunc(edges, func(g edge) bool { return g.st.single }) {
		return
	}
	mt.detach(edges)
	for i, g := range edges {
		if g.st.single {
			mt.out.patch(g.from, len(mt.out.th.Code))
			mt.cells.flush(g.st)
			edges[i].from = mt.out.emit(ir.Branch{Target: -1})
		}
	}
}

// detach replaces falling through by branches, so that steps can be inserted on each edge.
func (mt *meeting) detach(edges []edge) {
	for i := range edges {
		if edges[i].from < 0 {
			edges[i].from = mt.out.emit(ir.Branch{Target: -1})
		}
	}
}

// assignLate writes known numbers to their registers if they differ between the paths.
func (mt *meeting) assignLate(edges []edge) {
	if len(edges) < 2 {
		return
	}
	states := make([]*registers, len(edges))
	for i, g := range edges {
		states[i] = &g.st.registers
	}
	var needs [][]int
	for r := range differing(states) {
		var one *value
		differ := false
		for _, g := range edges {
			v := mt.regs.valueOrNil(&g.st.registers, r)
			if v == nil || v == one {
				continue
			}
			differ = differ || one != nil && !(one.equal(v) && one.unset == v.unset)
			one = v
		}
		if !differ {
			continue
		}
		for i, g := range edges {
			if v := mt.regs.valueOrNil(&g.st.registers, r); v != nil && (v.late || mt.regs.fills(r, v)) {
				if needs == nil {
					needs = make([][]int, len(edges))
				}
				needs[i] = append(needs[i], r)
			}
		}
	}
	if needs == nil {
		return
	}
	mt.detach(edges)
	for i, g := range edges {
		if len(needs[i]) == 0 {
			continue
		}
		mt.out.patch(g.from, len(mt.out.th.Code))
		edges[i].st = g.st.clone()
		for _, r := range needs[i] {
			v := mt.regs.valueOrNil(&g.st.registers, r)
			if mt.regs.fills(r, v) {
				mt.regs.fill(edges[i].st, r)
				continue
			}
			mt.out.emit(ir.Assign{Dst: r, Value: ir.Number(v.set[0], mt.out.th.Regs[r].Bits)})
		}
		edges[i].from = mt.out.emit(ir.Branch{Target: -1})
	}
}

// merge returns the facts that hold on both of two paths.
func (mt *meeting) merge(a, b *state) *state {
	if a == nil {
		return b
	}
	if a.atomic != b.atomic {
		mt.out.failf("an atomic section is open on one path to this point but not on the other")
	}
	out := &state{registers: a.shared(), single: a.single, atomic: a.atomic}
	for r := range differing([]*registers{&a.registers, &b.registers}) {
		x, y := a.at(r), b.at(r)
		if x != y {
			x, y = mt.regs.valueOrNil(&a.registers, r), mt.regs.valueOrNil(&b.registers, r)
		}
		out.set(r, mt.elab.join(x, y))
	}
	out.effects, out.ended = either(a.effects, b.effects), a.ended
	for _, o := range b.ended {
		out.addEnded(o)
	}
	return out
}

func (s *state) clone() *state {
	out := *s
	out.registers = s.shared()
	return &out
}

// given calls do for the paths on which a condition (nil: always) holds.
func (mt *meeting) given(st *state, when ir.Expr, do func(*state)) {
	if when == nil {
		do(st)
		return
	}
	past := mt.out.emit(ir.Branch{Cond: ir.Not(when), Target: -1})
	other := st.clone()
	do(st)
	*st = *mt.land([]edge{{past, other}, {-1, st.clone()}})
}
