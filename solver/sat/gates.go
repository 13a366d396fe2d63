package sat

import (
	"slices"
)

// Lit is a literal: a variable's number, from 1, or its negation.
type Lit int32

// The constants. Variable 1 stands for true and is in no clause.
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

type gate struct {
	kind    gateKind
	defined uint8 // the polarities already in clause form
	args    []Lit
}

const (
	positive uint8 = 1 << iota // the literal true makes the gate true
	negative
)

// Circuit is a formula under construction.
type Circuit struct {
	gates   []gate // by variable
	hash    map[key]Lit
	wide    map[string]Lit // and-gates of many arguments
	clauses [][]Lit
	unsat   bool
	told    []Lit // see Define
	scratch []Lit
	bytes   []byte
}

type key struct {
	kind    gateKind
	a, b, c Lit
}

// NewCircuit makes an empty circuit.
func NewCircuit() *Circuit {
	return &Circuit{gates: make([]gate, 2, 64), hash: map[key]Lit{}}
}

// Vars is the number of variables and gates so far.
func (c *Circuit) Vars() int { return len(c.gates) - 2 }

// Var is a new variable.
func (c *Circuit) Var() Lit {
	c.gates = append(c.gates, gate{})
	return Lit(len(c.gates) - 1)
}

func (c *Circuit) share(k key, args ...Lit) Lit {
	if l, ok := c.hash[k]; ok {
		return l
	}
	c.gates = append(c.gates, gate{kind: k.kind, args: args})
	l := Lit(len(c.gates) - 1)
	c.hash[k] = l
	return l
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
	if len(out) == 3 {
		return c.share(key{andGate, out[0], out[1], out[2]}, out[0], out[1], out[2])
	}
	c.bytes = c.bytes[:0]
	for _, l := range out {
		c.bytes = append(c.bytes, byte(l), byte(l>>8), byte(l>>16), byte(l>>24))
	}
	if l, ok := c.wide[string(c.bytes)]; ok {
		return l
	}
	if c.wide == nil {
		c.wide = map[string]Lit{}
	}
	c.gates = append(c.gates, gate{kind: andGate, args: slices.Clone(out)})
	l := Lit(len(c.gates) - 1)
	c.wide[string(c.bytes)] = l
	return l
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
	return c.share(key{andGate, a, b, 0}, a, b)
}

// Or is true when an arg is.
func (c *Circuit) Or(args ...Lit) Lit {
	if len(args) == 2 {
		return -c.and2(-args[0], -args[1])
	}
	inverted := make([]Lit, len(args))
	for i, a := range args {
		inverted[i] = -a
	}
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
	l := c.share(key{xorGate, a, b, 0}, a, b)
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
	return c.share(key{iteGate, cond, then, other}, cond, then, other)
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
	return c.share(key{majGate, a, b, d}, a, b, d)
}

// Covers tells whether l can be seen to hold wherever premise does: it is that, or a disjunction
// that has it.
func (c *Circuit) Covers(l, premise Lit) bool {
	if l == premise || l == True || premise == False {
		return true
	}
	g := &c.gates[l.v()]
	return l < 0 && g.kind == andGate && slices.Contains(g.args, -premise)
}

// Bool, And and Not make a Circuit a litmus.Logic.

// Bool is a constant.
func (c *Circuit) Bool(b bool) Lit { return Const(b) }

// Not is the negation of l.
func (c *Circuit) Not(l Lit) Lit { return -l }
