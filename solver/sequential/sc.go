package sequential

import "litmuscope/solver/sat"

// plain is memory under SC: the locations, as they are.
type plain struct {
	gates
	cells []sat.Vec
}

func newPlain(p *program) *plain {
	out := &plain{gates: gates{p.circuit}}
	for l := range p.Locs {
		out.cells = append(out.cells, p.initial(l))
	}
	return out
}

func (m *plain) turn(int, sat.Lit) sat.Lit { return sat.False }

func (m *plain) before(sat.Lit, *statement) {}

func (m *plain) read(_ sat.Lit, _ *statement, loc int) sat.Vec { return m.cells[loc] }

func (m *plain) write(g sat.Lit, _ *statement, loc int, v sat.Vec) {
	m.cells[loc] = m.IteVec(g, v, m.cells[loc])
}

func (m *plain) update(g, writes sat.Lit, s *statement, loc int, v sat.Vec) (old sat.Vec) {
	old = m.cells[loc]
	m.write(m.And(g, writes), s, loc, v)
	return old
}

func (m *plain) fence(sat.Lit, *statement) {}

func (m *plain) drained(int) sat.Lit { return sat.True }

func (m *plain) premature(*statement) sat.Lit { return sat.False }

func (m *plain) close() {}

func (m *plain) cut() {}

func (m *plain) final(loc int) sat.Vec { return m.cells[loc] }

// flushed lets every store through at once.
func (m *plain) flushed(_ *sat.Assignment, _ int, _ bool, waiting []*statement) []*statement {
	return waiting
}

func (m *plain) annotate(*sat.Assignment, int, []*statement, *note) {}
