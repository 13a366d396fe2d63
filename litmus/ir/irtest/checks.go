package irtest

import (
	"flag"
	"strconv"
	"testing"
)

// AtMost has rapid.Check draw at most n times in the rest of a test with -short, which takes longer than others.
// Without -short it draws as often as the command line says. Tests that run in parallel with others must not call it.
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
