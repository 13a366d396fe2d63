package testdiff

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/solver/sat"
)

// question compares the two conditions: what two conditions, and filters, make of every state that the threads can end
// in, with whatever their locations may hold then.
func (c *comparison) question(e *Edit) error {
	ways := sat.True
	for _, of := range c.ways {
		var any []sat.Lit
		for _, w := range of {
			any = append(any, c.circuit.And(w.path...))
		}
		if of != nil {
			ways = c.circuit.And(ways, c.circuit.Or(any...))
		}
	}
	free := map[string]sat.Vec{}
	was, before := c.asked(c.before, free, func(w way) []sat.Vec { return w.was })
	now, after := c.asked(c.after, free, func(w way) []sat.Vec { return w.now })
	for name, v := range free {
		if i := slices.IndexFunc(c.before.Locs, func(l ir.Location) bool { return l.Name == name }); i >= 0 {
			ways = c.circuit.And(ways, c.among(i, v))
		}
	}
	filter := c.circuit.And(ways, before.filter, after.filter)
	other, err := c.solve(c.circuit.Or(
		c.circuit.And(ways, c.circuit.Xor(before.filter, after.filter)),
		c.circuit.And(filter, c.circuit.Xor(before.holds, after.holds)),
	))
	if err != nil {
		return err
	}
	if other != nil {
		e.Shows = shown(c.after, other, now)
		if len(now) == 0 {
			e.Shows = shown(c.before, other, was)
		}
	}
	asks := c.before.Condition.Quantifier != c.after.Condition.Quantifier
	if other != nil {
		forged, err := c.registers(e)
		if err != nil {
			return err
		}
		asks = asks || !forged || c.before.Question != c.after.Question
	}
	if e.Condition = asks; !asks {
		e.Shows = ""
	}
	some, err := c.solve(c.circuit.And(ways, after.filter, after.holds))
	if err != nil {
		return err
	}
	none, err := c.solve(c.circuit.And(ways, after.filter, after.holds.Not()))
	e.Never, e.Always = some == nil, none == nil
	return err
}

// asks is what a program asks of a state.
type asks struct{ holds, filter sat.Lit }

// asked returns what a program's condition reads at the end, and its truth value. Locations, and registers of threads
// that the comparison gave up, may have any value, the same for both programs.
func (c *comparison) asked(p *ir.Program, free map[string]sat.Vec, regs func(way) []sat.Vec) ([]sat.Vec, asks) {
	values := make([]sat.Vec, len(p.Observed))
	for i, o := range p.Observed {
		if o.Thread >= 0 && c.ways[o.Thread] != nil {
			values[i] = sat.ConstVec(0, o.Bits)
			for _, w := range c.ways[o.Thread] {
				values[i] = c.circuit.IteVec(c.circuit.And(w.path...), sized(regs(w)[o.Index], o.Bits), values[i])
			}
			continue
		}
		if len(free[o.Name]) != o.Bits {
			free[o.Name] = c.vector(o.Bits)
		}
		values[i] = free[o.Name]
	}
	atom := func(a litmus.Compare) sat.Lit {
		left := values[a.Obs]
		right := sat.ConstVec(a.Value, len(left))
		if a.Other >= 0 {
			right = values[a.Other]
		}
		bits := max(len(left), len(right))
		same := c.circuit.EqualVec(sized(left, bits), sized(right, bits))
		if a.NotEqual {
			return same.Not()
		}
		return same
	}
	return values, asks{
		litmus.EvalProp[sat.Lit](p.Condition.Prop, c.circuit, atom),
		litmus.EvalProp[sat.Lit](p.Filter, c.circuit, atom),
	}
}

// sized is a vector's low bits, with zeros above them.
func sized(v sat.Vec, bits int) sat.Vec {
	out := make(sat.Vec, bits)
	for i := copy(out, v); i < bits; i++ {
		out[i] = sat.False
	}
	return out
}

// registers holds that those which both conditions are about end with what they did, and reports whether some do not.
func (c *comparison) registers(e *Edit) (forged bool, err error) {
	for _, o := range c.before.Observed {
		index := slices.IndexFunc(c.after.Observed, func(n ir.Observable) bool { return n.Name == o.Name })
		if o.Thread < 0 || index < 0 {
			continue
		}
		for _, w := range c.ways[o.Thread] {
			was, now := sized(w.was[o.Index], o.Bits), sized(w.now[c.after.Observed[index].Index], o.Bits)
			other, err := c.solve(c.circuit.And(append(slices.Clip(w.path), c.circuit.EqualVec(was, now).Not())...))
			if err != nil {
				return false, err
			}
			if other != nil {
				e.Threads[o.Thread].other("%s has another final value than before, and the condition uses it.", o.Name)
				forged = true
			}
		}
	}
	return forged, nil
}

// shown is a state that a condition sees.
func shown(p *ir.Program, values *sat.Assignment, of []sat.Vec) string {
	state := make(ir.State, len(of))
	for i, v := range of {
		state[i] = values.Number(v)
	}
	return p.FormatState(state)
}
