package irtest

import (
	"flag"
	"strconv"
	"testing"
)

// AtMost limits rapid.Check to n draws in the rest of a slow test with -short. Without -short, the command line
// decides. Tests that run in parallel with others must not call it.
func AtMost(t *testing.T, n int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	if !testing.Short() || checks == nil {
		return
	}
	before := checks.Value.String()
	if now, err := strconv.Atoi(before); err != nil || now <= 5*n { // of which rapid draws a fifth
		return
	}
	if err := checks.Value.Set(strconv.Itoa(5 * n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = checks.Value.Set(before) })
}
