package sat

// Assignment reads a satisfying assignment. It computes gates from the variables, because a gate's own variable is
// meaningless in a polarity that nothing needed.
type Assignment struct {
	circuit *Circuit
	solver  *Solver
	memo    []int8
}

// Assignment is the solver's last one, seen through the circuit.
func (c *Circuit) Assignment(s *Solver) *Assignment {
	return &Assignment{c, s, make([]int8, len(c.gates))}
}

// True reports whether l is true in the assignment.
func (a *Assignment) True(l Lit) bool {
	v := l.v()
	if v == 1 {
		return l == True
	}
	if a.memo[v] == 0 {
		a.memo[v] = -1
		if a.value(int(v)) {
			a.memo[v] = 1
		}
	}
	return (a.memo[v] == 1) == (l > 0)
}

// value computes a gate from its inputs, because clauses define only the polarity of a gate that something needs. For a
// variable it is the solver's value.
func (a *Assignment) value(v int) bool {
	args := a.circuit.args(int32(v))
	switch a.circuit.gates[v].kind {
	case andGate:
		for _, l := range args {
			if !a.True(l) {
				return false
			}
		}
		return true
	case xorGate:
		return a.True(args[0]) != a.True(args[1])
	case iteGate:
		if a.True(args[0]) {
			return a.True(args[1])
		}
		return a.True(args[2])
	case majGate:
		n := 0
		for _, l := range args {
			if a.True(l) {
				n++
			}
		}
		return n >= 2
	}
	return a.solver.Value(v)
}

// Number is the vector's value in an assignment.
func (a *Assignment) Number(v Vec) uint64 {
	var n uint64
	for i, b := range v {
		if b != False && (b == True || a.True(b)) { // most bits are constant
			n |= 1 << i
		}
	}
	return n
}
