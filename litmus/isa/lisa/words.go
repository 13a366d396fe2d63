package lisa

import (
	"strconv"

	"litmuscope/litmus/lower"
)

// operatorNames are the operations, for suggestions.
var operatorNames = append(lower.Names(operators), "xchg", "cmpxchg")

// Words implements lower.Dialect. The annotations are those of the Linux kernel; a bell file may have others.
func (Dialect) Words(string) lower.Words {
	w := lower.Words{
		Forms: lower.Forms(forms()), Register: register,
		Barriers:  []string{"f[mb]", "f[wmb]", "f[rmb]"},
		Modifiers: operatorNames,
		Cycles:    cycles, Alternatives: alternatives,
	}
	for n := range 16 {
		w.Registers = append(w.Registers, "r"+strconv.Itoa(n))
	}
	return w
}

// forms are the ways to write instructions.
func forms() [][3]string {
	rows := [][3]string{
		{"r[once]", "r1 x", "reads a location exactly once, without order"},
		{"r[acquire]", "r1 x", "reads, before all later accesses"},
		{"r[deref]", "r1 x", "reads a pointer that RCU protects (rcu_dereference)"},
		{"r[]", "r1 x", "reads plainly, as a compiler may split and repeat"},
		{"w[once]", "x 1", "writes a location exactly once, without order"},
		{"w[release]", "x 1", "writes, after all earlier accesses"},
		{"w[assign]", "x 1", "publishes a pointer (rcu_assign_pointer), with the order of a release"},
		{"w[]", "x 1", "writes plainly, as a compiler may split and repeat"},
		{
			"rmw[<once=without order|acquire=as an acquire|release=as a release|mb=a full fence on both sides>]",
			"r1 (add r1 1) x", "adds to memory in one atomic step; the register gets the old value; $1",
		},
		{
			"rmw[<once=without order|acquire=as an acquire|release=as a release|mb=a full fence on both sides>]",
			"r1 1 x", "replaces memory in one atomic step; the register gets the old value; $1",
		},
		{
			"rmw[mb]", "r1 (cmpxchg 0 1) x",
			"writes the second number if memory equals the first; a full fence if it writes",
		},
		{"mov", "r1 1", "sets a register"},
		{"mov", "r1 (add r2 1)", "adds"},
		{
			"mov", "r1 (xor r2 r2)",
			"takes the bitwise exclusive or; of a register with itself: 0, with a dependency on it",
		},
		{"mov", "r1 (eq r2 1)", "sets a register to 1 if the two are equal, or else to 0"},
		{"mov", "r1 (neq r2 1)", "sets a register to 1 if the two are not equal, or else to 0"},
		{"b[]", "r1 L0", "jumps to a label if the register is not 0"},
		{"b[]", "L0", "jumps to a label"},
		{"call[sync]", "", "synchronize_rcu: waits until all RCU read-side critical sections that have begun end"},
	}
	for _, f := range kernelFences {
		name := firstField(f.names)
		if name == "sync" || name == "rb-dep" {
			continue
		}
		rows = append(rows, [3]string{"f[" + fenceWord(name) + "]", "", f.help})
	}
	return rows
}
