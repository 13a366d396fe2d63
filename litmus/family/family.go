// Package family generates litmus tests of any size, of the families on which the number of executions explodes. [All]
// lists the families, [Find] finds one. A [Family] gives the text of its test of size n, and says whether TSO allows
// the condition's proposition and whether every outcome satisfies it, so that tests can compare answers at sizes that
// no enumeration reaches.
//
// It imports only the standard library.
package family

import (
	"fmt"
	"strings"
)

// Family is a test with a parameter, in the X86 dialect.
type Family struct {
	Name string
	Note string
	Min  int // the smallest meaningful size
	Max  int // the largest: the parser accepts tests of up to 1024 threads
	Test func(n int) string
	// Allowed says whether TSO allows an outcome that satisfies the condition's
	// proposition, Always whether all outcomes do.
	Allowed, Always bool
}

// All lists the families.
var All = []Family{
	{
		"fib", "x+=y ∥ y+=x, n rounds: the largest Fibonacci number that is reached", 1, 1000,
		func(n int) string { return fibonacci(n, 0) }, true, false,
	},
	{
		"fib-never", "one more than the largest that is reached", 1, 1000,
		func(n int) string { return fibonacci(n, 1) }, false, false,
	},
	{
		"ring", "store buffering around n threads", 2, 1000,
		func(n int) string { return ring(n, false) }, true, false,
	},
	{
		"ring+mfences", "store buffering around n threads, fenced", 2, 1000,
		func(n int) string { return ring(n, true) }, false, false,
	},
	{"2w-ring", "two writes a thread, around n threads", 2, 1000, writeRing, false, false},
	{
		"writers", "n threads write x twice, and a reader sees the writes of one thread in the wrong order", 1, 1000,
		writers, false, false,
	},
	{"lockinc", "n threads increment x under LOCK", 1, 1000, increments, true, true},
	{"mp-chain", "a message passed on by n threads", 2, 1000, chain, false, false},
	{"iriw", "n writers, and n readers that disagree", 2, 500, independent, false, false},
}

// Find returns the family with a name.
func Find(name string) (Family, bool) {
	for _, f := range All {
		if f.Name == name {
			return f, true
		}
	}
	return Family{}, false
}

// layout prints a test from its columns.
func layout(name, init string, columns [][]string, condition string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "X86 %s\n{ %s }\n", name, init)
	rows := 0
	widths := make([]int, len(columns))
	for i, c := range columns {
		rows = max(rows, len(c))
		for _, cell := range c {
			widths[i] = max(widths[i], len(cell))
		}
	}
	row := func(cell func(i int) string) {
		for i := range columns {
			if i > 0 {
				b.WriteString("|")
			}
			fmt.Fprintf(&b, " %-*s ", widths[i], cell(i))
		}
		b.WriteString(";\n")
	}
	row(func(i int) string { return fmt.Sprintf("P%d", i) })
	for r := range rows {
		row(func(i int) string {
			if r < len(columns[i]) {
				return columns[i][r]
			}
			return ""
		})
	}
	b.WriteString(condition + "\n")
	return b.String()
}

// fibonacci has two threads add each other's variable to their own n times, from 1 and 1. Under sequential interleaving
// they reach the Fibonacci number 2n+2 and no more.
func fibonacci(n, above int) string {
	columns := make([][]string, 2)
	for i, own := range []string{"x", "y"} {
		other := []string{"y", "x"}[i]
		for range n {
			columns[i] = append(columns[i], "MOV EAX,["+own+"]", "ADD EAX,["+other+"]", "MOV ["+own+"],EAX")
		}
	}
	a, b := 1, 1
	for range 2 * n {
		a, b = b, a+b
	}
	return layout(fmt.Sprintf("fib%d", n), "x=1; y=1;", columns, fmt.Sprintf(`exists (x=%d \/ y=%d)`, b+above, b+above))
}

// ring is store buffering around n threads: each writes its own location and reads the next.
func ring(n int, fences bool) string {
	columns := make([][]string, n)
	var want []string
	for i := range columns {
		columns[i] = []string{fmt.Sprintf("MOV [x%d],$1", i)}
		if fences {
			columns[i] = append(columns[i], "MFENCE")
		}
		columns[i] = append(columns[i], fmt.Sprintf("MOV EAX,[x%d]", (i+1)%n))
		want = append(want, fmt.Sprintf("%d:EAX=0", i))
	}
	return layout(fmt.Sprintf("ring%d", n), "", columns, exists(want))
}

func exists(all []string) string { return "exists (" + strings.Join(all, ` /\ `) + ")" }

// writeRing has n threads write two locations each, around a ring; the condition asks for a cycle in coherence order.
func writeRing(n int) string {
	columns := make([][]string, n)
	var want []string
	for i := range columns {
		columns[i] = []string{fmt.Sprintf("MOV [x%d],$2", i), fmt.Sprintf("MOV [x%d],$1", (i+1)%n)}
		want = append(want, fmt.Sprintf("x%d=2", i))
	}
	return layout(fmt.Sprintf("2w-ring%d", n), "", columns, exists(want))
}

// writers has n threads write x twice. A reader sees the writes of one of them in the wrong order.
func writers(n int) string {
	var columns [][]string
	for i := range n {
		columns = append(columns, []string{fmt.Sprintf("MOV [x],$%d", 2*i+1), fmt.Sprintf("MOV [x],$%d", 2*i+2)})
	}
	columns = append(columns, []string{"MOV EAX,[x]", "MOV EBX,[x]"})
	return layout(fmt.Sprintf("writers%d", n), "", columns, fmt.Sprintf(`exists (%d:EAX=2 /\ %d:EBX=1)`, n, n))
}

// increments has n threads increment x atomically.
func increments(n int) string {
	var columns [][]string
	for range n {
		columns = append(columns, []string{"LOCK INC [x]"})
	}
	return layout(fmt.Sprintf("lockinc%d", n), "", columns, fmt.Sprintf("forall (x=%d)", n))
}

// chain passes a message along n threads: each waits for a flag and sets the next.
func chain(n int) string {
	columns := [][]string{{"MOV [d],$1", "MOV [f1],$1"}}
	var want []string
	for i := 1; i < n; i++ {
		next := fmt.Sprintf("MOV [f%d],$1", i+1)
		if i == n-1 {
			next = "MOV EBX,[d]"
		}
		columns = append(columns, []string{fmt.Sprintf("MOV EAX,[f%d]", i), next})
		want = append(want, fmt.Sprintf("%d:EAX=1", i))
	}
	return layout(fmt.Sprintf("mp-chain%d", n), "", columns, exists(append(want, fmt.Sprintf("%d:EBX=0", n-1))))
}

// independent has n writers, and n readers that disagree on the order of the writes.
func independent(n int) string {
	var columns [][]string
	var want []string
	for i := range n {
		columns = append(columns, []string{fmt.Sprintf("MOV [x%d],$1", i)})
	}
	for i := range n {
		columns = append(columns, []string{fmt.Sprintf("MOV EAX,[x%d]", i), fmt.Sprintf("MOV EBX,[x%d]", (i+1)%n)})
		want = append(want, fmt.Sprintf("%d:EAX=1", n+i), fmt.Sprintf("%d:EBX=0", n+i))
	}
	return layout(fmt.Sprintf("iriw%d", n), "", columns, exists(want))
}
