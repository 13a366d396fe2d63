package sat

import (
	"slices"
)

// Lit is a literal: a variable's number, from 1, or its negation.
type Lit int32

// The constants. Variable 1 is the constant true and occurs in no clause.
const (
	True  Lit = 1
	False Lit = -1
)

// Not is the negation of l.
func (l Lit) Not() Lit { return -l }

func (l Lit) v() int32 {
	if l < 0 {
		return int32(-l)
	}
	return int32(l)
}

// Const is True or False.
func Const(b bool) Lit {
	if b {
		return True
	}
	return False
}

type gateKind uint8

const (
	input gateKind = iota // a variable
	andGate
	xorGate
	iteGate // args: if, then, else
	majGate
)

// gate is a variable, or the definition of one. Of up to three arguments it has them itself; of more, args are where
// they begin among the circuit's, and how many they are.
type gate struct {
	kind    gateKind
	defined uint8 // the polarities already in clause form
	n       uint8 // arguments; many for those that are among the circuit's
	args    [3]Lit
}

const many = 4

const (
	positive uint8 = 1 << iota // the literal true makes the gate true
	negative
)

// Circuit is a formula under construction. There may be millions of gates, so that they take no memory of their own
// each.
type Circuit struct {
	gates             []gate  // by variable
	wide              []Lit   // the arguments of gates of many
	table             []int32 // of gates by what they are, a power of two; 0 is for none
	shared            int     // gates in table
	clauses           [][]Lit
	unsat             bool
	told              []Lit // see Define
	scratch, inverted []Lit
	room              []Lit // for clauses
	graphs            []*Graph
}

// leastTable is how long the table of gates is at first.
const leastTable = 64

// NewCircuit makes an empty circuit.
func NewCircuit() *Circuit {
	return &Circuit{gates: make([]gate, 2, 64), table: make([]int32, leastTable)}
}

// Reset makes it an empty circuit, which takes the place of what it was: solvers of the old circuit become invalid.
func (c *Circuit) Reset() {
	*c = Circuit{
		gates: append(c.gates[:0], gate{}, gate{}), table: c.table[:leastTable], wide: c.wide[:0],
		clauses: c.clauses[:0], told: c.told[:0],
		scratch: c.scratch, inverted: c.inverted, room: c.room,
	}
	clear(c.table)
}

// Vars is the number of variables and gates so far.
func (c *Circuit) Vars() int { return len(c.gates) - 2 }

// Var is a new variable.
func (c *Circuit) Var() Lit {
	c.gates = append(c.gates, gate{})
	return Lit(len(c.gates) - 1)
}

// args are the arguments of a variable's gate.
func (c *Circuit) args(v int32) []Lit {
	g := &c.gates[v]
	if g.n == many {
		return c.wide[g.args[0] : g.args[0]+g.args[1]]
	}
	return g.args[:g.n]
}

// share is the gate of a kind with some arguments: an existing one, or a new one.
func (c *Circuit) share(kind gateKind, args ...Lit) Lit {
	if 2*c.shared >= len(c.table) {
		c.grow()
	}
	at := c.find(kind, args)
	if v := c.table[at]; v != 0 {
		return Lit(v)
	}
	g := gate{kind: kind, n: uint8(min(len(args), many))}
	if g.n == many {
		g.args = [3]Lit{Lit(len(c.wide)), Lit(len(args))}
		c.wide = append(c.wide, args...)
	} else {
		copy(g.args[:], args)
	}
	c.gates = append(c.gates, g)
	c.table[at] = int32(len(c.gates) - 1)
	c.shared++
	return Lit(len(c.gates) - 1)
}

// find is where in the table a gate is, or where there is room for it.
func (c *Circuit) find(kind gateKind, args []Lit) int {
	h := uint64(kind)
	for _, l := range args {
		h = (h ^ uint64(uint32(l))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	at := int(h>>7) & (len(c.table) - 1)
	for ; c.table[at] != 0; at = (at + 1) & (len(c.table) - 1) {
		if v := c.table[at]; c.gates[v].kind == kind && slices.Equal(c.args(v), args) {
			break
		}
	}
	return at
}

// grow makes the table twice as large.
func (c *Circuit) grow() {
	twice := 2 * len(c.table)
	c.table = slices.Grow(c.table, twice)[:twice]
	clear(c.table)
	for v := range c.gates {
		if g := &c.gates[v]; g.kind != input {
			c.table[c.find(g.kind, c.args(int32(v)))] = int32(v)
		}
	}
}

// And is true when all args are; without args it is true.
func (c *Circuit) And(args ...Lit) Lit {
	if len(args) == 2 {
		return c.and2(args[0], args[1])
	}
	out := c.scratch[:0]
	for _, a := range args {
		switch {
		case a == False:
			return False
		case a == True:
		default:
			out = append(out, a)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	c.scratch = out
	switch len(out) {
	case 0:
		return True
	case 1:
		return out[0]
	case 2:
		return c.and2(out[0], out[1])
	}
	for i, j := 0, len(out)-1; i < j && out[i] < 0 && out[j] > 0; { // sorted: -x … x
		switch {
		case -out[i] == out[j]:
			return False
		case -out[i] > out[j]:
			i++
		default:
			j--
		}
	}
	return c.share(andGate, out...)
}

func (c *Circuit) and2(a, b Lit) Lit {
	switch {
	case a == False || b == False || a == -b:
		return False
	case a == True || a == b:
		return b
	case b == True:
		return a
	}
	if a > b {
		a, b = b, a
	}
	return c.share(andGate, a, b)
}

// Or is true when an arg is.
func (c *Circuit) Or(args ...Lit) Lit {
	if len(args) == 2 {
		return -c.and2(-args[0], -args[1])
	}
	inverted := c.inverted[:0]
	for _, a := range args {
		inverted = append(inverted, -a)
	}
	c.inverted = inverted
	return -c.And(inverted...)
}

// Xor is true when exactly one of a and b is.
func (c *Circuit) Xor(a, b Lit) Lit {
	switch {
	case a == False:
		return b
	case b == False:
		return a
	case a == True:
		return -b
	case b == True:
		return -a
	case a == b:
		return False
	case a == -b:
		return True
	}
	flip := (a < 0) != (b < 0)
	a, b = Lit(a.v()), Lit(b.v())
	if a > b {
		a, b = b, a
	}
	l := c.share(xorGate, a, b)
	if flip {
		return -l
	}
	return l
}

// Equal is true when a and b are the same.
func (c *Circuit) Equal(a, b Lit) Lit { return -c.Xor(a, b) }

// Ite is then where cond is true, else otherwise.
func (c *Circuit) Ite(cond, then, other Lit) Lit {
	switch {
	case cond == True || then == other:
		return then
	case cond == False:
		return other
	case then == True || then == cond:
		return -c.and2(-cond, -other)
	case then == False || then == -cond:
		return c.and2(-cond, other)
	case other == True || other == -cond:
		return -c.and2(cond, -then)
	case other == False || other == cond:
		return c.and2(cond, then)
	case then == -other:
		return -c.Xor(cond, then)
	}
	if cond < 0 {
		cond, then, other = -cond, other, then
	}
	return c.share(iteGate, cond, then, other)
}

// Majority is true when at least two of its arguments are.
func (c *Circuit) Majority(a, b, d Lit) Lit {
	args := []Lit{a, b, d}
	slices.Sort(args)
	a, b, d = args[0], args[1], args[2]
	switch {
	case a == False: // sorts first among constants: -1 may lie in the middle
		return c.and2(b, d)
	case b == False:
		return c.and2(a, d)
	case d == False:
		return c.and2(a, b)
	case a == True:
		return c.Or(b, d)
	case b == True:
		return c.Or(a, d)
	case d == True:
		return c.Or(a, b)
	case a == b || a == d:
		return a
	case b == d:
		return b
	case a == -b:
		return d
	case a == -d:
		return b
	case b == -d:
		return a
	}
	return c.share(majGate, a, b, d)
}

// Covers reports whether l visibly holds whenever premise does: it is that, or a disjunction that has it.
func (c *Circuit) Covers(l, premise Lit) bool {
	if l == premise || l == True || premise == False {
		return true
	}
	return l < 0 && c.gates[-l].kind == andGate && slices.Contains(c.args(int32(-l)), -premise)
}

// Bool, And and Not make a Circuit a litmus.Logic.

// Bool is a constant.
func (c *Circuit) Bool(b bool) Lit { return Const(b) }

// Not is the negation of l.
func (c *Circuit) Not(l Lit) Lit { return -l }
