package agreement

import "strings"

// countsDiffer reports whether a reference counts the executions of a test otherwise than litmuscope.
func countsDiffer(source string) bool {
	return ordersMaintenance(source) || usesStacks(source) || signsInThreads(source)
}

// usesStacks reports whether a test of AArch64 has guarded control stacks. References count an execution for each order
// of the accesses of a stack, even of one thread; litmuscope counts those that differ in what is read.
func usesStacks(source string) bool {
	up := strings.ToUpper(source)
	return strings.HasPrefix(up, "AARCH64") && strings.Contains(up, "SHADOWSTACK")
}

// signsInThreads reports whether several threads of a test of AArch64 sign or authenticate pointers. litmuscope counts
// an execution for each decision about their signatures, and references only for decisions that matter.
func signsInThreads(source string) bool {
	up := strings.ToUpper(source)
	if !strings.HasPrefix(up, "AARCH64") || !strings.Contains(up, "PAUTH") {
		return false
	}
	columns := map[int]bool{}
	for line := range strings.Lines(up) {
		for i, cell := range strings.Split(line, "|") {
			cell = strings.TrimSpace(cell)
			if strings.HasPrefix(cell, "PAC") || strings.HasPrefix(cell, "AUT") {
				columns[i] = true
			}
		}
	}
	return len(columns) > 1
}
