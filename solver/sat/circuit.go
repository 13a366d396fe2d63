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

// Vars and Clauses give the size of the clause form so far.
func (c *Circuit) Vars() int { return len(c.gates) - 2 }

// Clauses is the number of clauses so far.
func (c *Circuit) Clauses() int { return len(c.clauses) }

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

// Assert adds a clause: at least one of the literals is true.
func (c *Circuit) Assert(lits ...Lit) {
	clause := make([]Lit, 0, len(lits))
	room := maxWrittenOut
	clause, tautology := c.flatten(clause, lits, &room)
	if tautology {
		return
	}
	for _, l := range clause {
		c.define(l)
	}
	c.emit(clause)
}

// maxWrittenOut bounds how many gates a clause or an implication writes out in place of
// their variables. Gates share others, so without a bound there is no end to it.
const maxWrittenOut = 48

// flatten drops constants and replaces each negated and-gate by the negations of
// its arguments, which saves the gate its variable, as long as there is room.
func (c *Circuit) flatten(clause, lits []Lit, room *int) (out []Lit, tautology bool) {
	for _, l := range lits {
		if l == True {
			return clause, true
		}
		if l == False {
			continue
		}
		if g := &c.gates[l.v()]; l < 0 && g.kind == andGate && g.defined == 0 && *room >= len(g.args) {
			*room -= len(g.args)
			for _, a := range g.args {
				var t bool
				if clause, t = c.flatten(clause, []Lit{-a}, room); t {
					return clause, true
				}
			}
			continue
		}
		clause = append(clause, l)
	}
	return clause, false
}

// emit adds a clause of literals that are defined already.
func (c *Circuit) emit(clause []Lit) {
	if len(clause) == 0 {
		c.unsat = true
	}
	c.clauses = append(c.clauses, clause)
}

// Imply asserts that premise makes conclusion true. A disjunction as premise is
// taken apart, so that it needs no variable.
func (c *Circuit) Imply(premise, conclusion Lit) {
	room := maxWrittenOut
	c.imply(premise, conclusion, &room)
}

func (c *Circuit) imply(premise, conclusion Lit, room *int) {
	if g := &c.gates[premise.v()]; premise < 0 && g.kind == andGate && g.defined == 0 && *room >= len(g.args) {
		*room -= len(g.args)
		for _, a := range g.args {
			c.imply(-a, conclusion, room)
		}
		return
	}
	c.Assert(-premise, conclusion)
}

// Define brings a literal's gate into clause form in both polarities, so that
// clauses added to the solver later, and assumptions, may mention it.
func (c *Circuit) Define(l Lit) {
	c.told = append(c.told, l)
	c.define(l)
	c.define(-l)
}

// define adds the clauses by which l true constrains its gate.
func (c *Circuit) define(l Lit) {
	g := &c.gates[l.v()]
	want := positive
	if l < 0 {
		want = negative
	}
	if g.kind == input || g.defined&want != 0 {
		return
	}
	g.defined |= want
	kind, args := g.kind, g.args // g may move
	switch kind {
	case andGate:
		if l > 0 {
			for _, a := range args {
				c.clause(-l, a)
			}
			return
		}
		clause := make([]Lit, 0, len(args)+1)
		clause = append(clause, -l)
		for _, a := range args {
			clause = append(clause, -a)
		}
		c.clause(clause...)
	case xorGate:
		a, b := args[0], args[1]
		if l > 0 {
			c.clause(-l, a, b)
			c.clause(-l, -a, -b)
		} else {
			c.clause(-l, a, -b)
			c.clause(-l, -a, b)
		}
	case iteGate:
		i, t, e := args[0], args[1], args[2]
		if l < 0 {
			t, e = -t, -e
		}
		c.clause(-l, -i, t)
		c.clause(-l, i, e)
		c.clause(-l, t, e)
	case majGate:
		a, b, d := args[0], args[1], args[2]
		if l < 0 {
			a, b, d = -a, -b, -d
		}
		c.clause(-l, a, b)
		c.clause(-l, a, d)
		c.clause(-l, b, d)
	}
}

// clause emits a clause and defines the gates behind its first literal, which is
// the gate being defined.
func (c *Circuit) clause(lits ...Lit) {
	c.emit(slices.Clone(lits))
	for _, l := range lits[1:] {
		c.define(l)
	}
}

// Solver is a new solver for all that has been asserted.
func (c *Circuit) Solver() Solver {
	return newGophersat(len(c.gates)-1, slices.Clip(c.clauses), c.unsat, c.told)
}

// Model reads a satisfying assignment. Gates are computed from the variables, for
// their own variable is meaningless in a polarity that was never needed.
type Model struct {
	circuit *Circuit
	solver  Solver
	memo    []int8
}

// Model is the solver's last model, seen through the circuit.
func (c *Circuit) Model(s Solver) *Model {
	return &Model{c, s, make([]int8, len(c.gates))}
}

// True tells whether l is true in the model.
func (m *Model) True(l Lit) bool {
	v := l.v()
	if v == 1 {
		return l == True
	}
	if m.memo[v] == 0 {
		m.memo[v] = -1
		if m.value(int(v)) {
			m.memo[v] = 1
		}
	}
	return (m.memo[v] == 1) == (l > 0)
}

func (m *Model) value(v int) bool {
	g := &m.circuit.gates[v]
	switch g.kind {
	case andGate:
		for _, a := range g.args {
			if !m.True(a) {
				return false
			}
		}
		return true
	case xorGate:
		return m.True(g.args[0]) != m.True(g.args[1])
	case iteGate:
		if m.True(g.args[0]) {
			return m.True(g.args[1])
		}
		return m.True(g.args[2])
	case majGate:
		n := 0
		for _, a := range g.args {
			if m.True(a) {
				n++
			}
		}
		return n >= 2
	}
	return m.solver.Value(v)
}

// Bool, And and Not make a Circuit a litmus.Logic.

// Bool is a constant.
func (c *Circuit) Bool(b bool) Lit { return Const(b) }

// Not is the negation of l.
func (c *Circuit) Not(l Lit) Lit { return -l }
