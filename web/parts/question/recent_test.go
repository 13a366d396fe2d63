package question

import (
	"testing"

	"litmuscope/solver"
)

func TestRecentIsBounded(t *testing.T) {
	var c recent
	big := &solver.Result{Status: solver.Unknown, States: make([]solver.State, 1000)}
	for i := range big.States {
		big.States[i] = make(solver.State, 40)
	}
	task := func(n int) solver.Task {
		return solver.Task{Source: "X86 t", Model: "tso", Options: solver.Options{Memory: n}}
	}
	n := int(maxRecent/weight(big)) + 5
	for i := range n {
		c.put(task(i), big)
	}
	if c.size > maxRecent || c.get(task(0)) != nil || c.get(task(n-1)) == nil {
		t.Errorf("%d bytes in %d answers", c.size, len(c.kept))
	}
	c.put(task(n-1), big)
	if got := c.get(task(n - 1)); got != big || len(c.kept) != n-5 && len(c.kept) != n-6 {
		t.Errorf("%d answers", len(c.kept))
	}
}
