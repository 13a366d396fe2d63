package elaborate

import (
	"slices"

	"litmuscope/litmus/ir"
)

// edge is a way to a place: the branch at step from leads there, with a state.
type edge struct {
	from int
	st   *state
}

// land has edges lead to the step that comes next, and joins their states.
func (t *thread) land(edges []edge) *state {
	single := true
	for _, g := range edges {
		single = single && g.st.single
	}
	if !single {
		t.agree(edges)
	}
	t.settleLate(edges)
	var out *state
	for _, g := range edges {
		if g.from >= 0 {
			t.patch(g.from, len(t.th.Code))
		}
		out = t.merge(out, g.st)
	}
	return out
}

// agree has memory begin on those ways that come here before the first spawn, where others
// come after it.
func (t *thread) agree(edges []edge) {
	if !slices.ContainsFunc(edges, func(g edge) bool { return g.st.single }) {
		return
	}
	t.detach(edges)
	for i, g := range edges {
		if g.st.single {
			t.patch(g.from, len(t.th.Code))
			t.flush(g.st)
			edges[i].from = t.emit(ir.Branch{Target: -1})
		}
	}
}

// detach has no way fall through, so that each can be given steps of its own.
func (t *thread) detach(edges []edge) {
	for i := range edges {
		if edges[i].from < 0 {
			edges[i].from = t.emit(ir.Branch{Target: -1})
		}
	}
}

// settleLate puts numbers into their registers that are not the same on all ways that meet.
func (t *thread) settleLate(edges []edge) {
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
			v := t.has(&g.st.registers, r)
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
			if v := t.has(&g.st.registers, r); v != nil && (v.late || t.fills(r, v)) {
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
	t.detach(edges)
	for i, g := range edges {
		if len(needs[i]) == 0 {
			continue
		}
		t.patch(g.from, len(t.th.Code))
		edges[i].st = g.st.clone()
		for _, r := range needs[i] {
			v := t.has(&g.st.registers, r)
			if t.fills(r, v) {
				t.fill(edges[i].st, r)
				continue
			}
			t.emit(ir.Assign{Dst: r, Value: ir.Number(v.set[0], t.th.Regs[r].Bits)})
		}
		edges[i].from = t.emit(ir.Branch{Target: -1})
	}
}

// fills tells whether a register that other ways have set is to be given any number.
func (t *thread) fills(r int, v *value) bool {
	_, doubtful := t.doubts[r]
	return doubtful && v.unfilled()
}

func (t *thread) patch(from, to int) {
	b := t.th.Code[from].Op.(ir.Branch)
	b.Target = to
	t.th.Code[from].Op = b
}

// merge is what is known where two ways meet.
func (t *thread) merge(a, b *state) *state {
	if a == nil {
		return b
	}
	if a.atomic != b.atomic {
		t.failf("an atomic section is begun on one way here, and not on the other")
	}
	out := &state{registers: a.shared(), single: a.single, atomic: a.atomic}
	for r := range differing([]*registers{&a.registers, &b.registers}) {
		x, y := a.at(r), b.at(r)
		if x != y {
			x, y = t.has(&a.registers, r), t.has(&b.registers, r)
		}
		out.set(r, t.join(x, y))
	}
	out.effects, out.ended = either(a.effects, b.effects), a.ended
	for _, o := range b.ended {
		out.end(o)
	}
	return out
}
